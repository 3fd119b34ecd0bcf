// The licences of everything that a binary carries, taken from the packages
// themselves; for parts that bring no text of their own, from
// fixtures/licenses/.

import { VERSION } from "../lib/system/version.ts";
import { ROOT_PATH } from "./build_files.ts";
import { EMBEDDED_PACKAGES, lockedPackage } from "./build_packages.ts";

/** One part of a binary and its licence; what fixtures/licenses.json lists. */
interface LicensedPart {
  readonly name: string;
  readonly version: string | null;
  /** As SPDX names it. */
  readonly license: string;
  /** What else there is to know about it. */
  readonly note: string | null;
  readonly text: string;
}

/** Packages whose code is in another one's files, in whatever version. */
const SWALLOWED = ["@huggingface/jinja", "@huggingface/tokenizers"];

/** Packages that bring no text, and the file that has it. */
const KEPT_TEXTS: Readonly<Record<string, string>> = {
  "onnxruntime-common": "onnxruntime.txt",
  "onnxruntime-node": "onnxruntime.txt",
};

const NOTES: Readonly<Record<string, string>> = {
  "@huggingface/jinja": "a part of @huggingface/transformers",
  "@huggingface/tokenizers": "a part of @huggingface/transformers",
  "onnxruntime-node": "its native library contains further works, listed in " +
    "ThirdPartyNotices.txt of ONNX Runtime's source at this version",
};

/**
 * The text of fixtures/licenses.json.
 *
 * @throws {Error} if a package brings no licence text and none is kept.
 */
export function licensesText(denoVersion: string): string {
  const packages = [
    ...EMBEDDED_PACKAGES.filter(({ standIn }) => !standIn)
      .map(({ name }) => name),
    ...SWALLOWED,
  ].sort();
  const parts: readonly LicensedPart[] = [
    {
      name: "tinycoder",
      version: VERSION,
      license: "MIT",
      note: null,
      text: read("LICENSE"),
    },
    {
      name: "Deno",
      version: denoVersion,
      license: "MIT",
      note: "the runtime; it contains V8 and many Rust crates, listed in " +
        "Cargo.lock of Deno's source at this version",
      text: read("fixtures/licenses/deno.txt"),
    },
    {
      name: "V8",
      version: null,
      license: "BSD-3-Clause",
      note: "a part of Deno",
      text: read("fixtures/licenses/v8.txt"),
    },
    ...packages.map(licensedPackage),
  ];
  return `${JSON.stringify(parts, null, 2)}\n`;
}

function licensedPackage(name: string): LicensedPart {
  const { folder, version } = lockedPackage(name);
  const place = `node_modules/${folder}`;
  const { license } = JSON.parse(read(`${place}/package.json`));
  const own = [...Deno.readDirSync(`${ROOT_PATH}${place}`)]
    .find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry.name))?.name;
  const kept = KEPT_TEXTS[name];
  if (typeof license !== "string" || (own ?? kept) === undefined) {
    throw new Error(`The package "${name}" has no licence text`);
  }
  return {
    name,
    version: SWALLOWED.includes(name) ? null : version,
    license,
    note: NOTES[name] ?? null,
    text: read(
      own === undefined ? `fixtures/licenses/${kept}` : `${place}/${own}`,
    ),
  };
}

function read(path: string): string {
  return Deno.readTextFileSync(`${ROOT_PATH}${path}`)
    .replaceAll("\r\n", "\n").trim();
}
