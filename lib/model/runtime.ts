// The two libraries that run a model, and how they come to native code: the
// verified file on the disk in place of the one that the package asks for.
// Only the model worker imports this module.

import Module from "node:module";
import { loadFault } from "./loadable_engine.ts";
import { refuse } from "./model_refusal.ts";
import { SEED } from "./worker_protocol.ts";

/** transformers.js, as far as it is used here. */
export type Transformers = typeof import("@huggingface/transformers");

/** onnxruntime-node. */
export type OnnxRuntime = typeof import("onnxruntime-node");

/** The libraries, loaded. */
export interface ModelRuntime {
  readonly transformers: Transformers;
  readonly onnx: OnnxRuntime;
  /** Versions by name, for the record. */
  readonly versions: Readonly<Record<string, string>>;
}

type NativeLoader = (module: unknown, path: string) => void;

/**
 * Loads the libraries with native code from `binding`, and sets them to read
 * no file, reach no network and keep nothing.
 *
 * @param binding Real path of the verified engine.
 * @throws {ModelRefusal} If the system won't execute the engine.
 */
export async function loadRuntime(binding: string): Promise<ModelRuntime> {
  const extensions = (Module as unknown as {
    _extensions: Record<string, NativeLoader>;
  })._extensions;
  const load = extensions[".node"]!;
  extensions[".node"] = (module) => load(module, binding);
  try {
    const onnx = (await import("onnxruntime-node")).default as OnnxRuntime;
    const transformers = await import("@huggingface/transformers");
    keepToItself(transformers);
    return {
      transformers,
      onnx,
      versions: {
        deno: Deno.version.deno,
        v8: Deno.version.v8,
        transformers_js: transformers.env.version,
        onnxruntime_node: onnx.env.versions.node ?? onnx.env.versions.common,
      },
    };
  } catch (error) {
    refuse(loadFault(error));
  } finally {
    extensions[".node"] = load;
  }
}

function keepToItself({ env, LogLevel, random }: Transformers): void {
  env.allowRemoteModels = false;
  env.allowLocalModels = false;
  env.useFS = false;
  env.useFSCache = false;
  env.useBrowserCache = false;
  env.useWasmCache = false;
  env.fetch = () => Promise.reject(new TypeError("Nothing is fetched"));
  env.logLevel = LogLevel.NONE;
  // Greedy generation draws no number; the lab asks for the seed all the same.
  random.seed(SEED);
}
