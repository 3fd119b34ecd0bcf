// transformers.js imports sharp for pictures; this program has no pictures.
module.exports = function sharp() {
  throw new Error("Image processing is left out of this program");
};
