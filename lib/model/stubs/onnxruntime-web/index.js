// transformers.js imports onnxruntime-web beside onnxruntime-node; only the
// latter ever runs here, and the web build weighs 138 MB.
throw new Error("onnxruntime-web is left out of this program");
