// The licences of everything that a binary carries, taken from the packages
// themselves; for parts that bring no text of their own, from
// fixtures/licenses/.

import { VERSION } from "../../lib/system/version.ts";
import { ROOT_PATH } from "./files.ts";
import { EMBEDDED_PACKAGES, lockedPackage } from "./packages.ts";

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
  "onnxruntime-node": "its native library contains further works: see the " +
    "part after this one",
};

/**
 * What Deno's runtime contains of others: Deno's own releases bring no texts
 * for them, and neither can this list.
 */
const DENO_NOTE = "the runtime; it contains many Rust crates, listed in " +
  "Cargo.lock of Deno's source at this version, and with them SQLite, AWS-LC, " +
  "libffi and further C libraries, most of them under MIT, Apache-2.0 or BSD " +
  "terms; their texts are not here, as they are not in Deno's own releases";

const V8_NOTE = "a part of Deno; its source contains abseil, dragonbox, " +
  "fast_float, FP16, glibc's trigonometry, highway, ICU, libc++, LLVM's libc, " +
  "rapidhash, simdutf, SipHash and utf8-decoder, whose texts are not here";

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
      note: DENO_NOTE,
      text: read("fixtures/licenses/deno.txt"),
    },
    {
      name: "V8",
      version: Deno.version.v8,
      license: "BSD-3-Clause",
      note: V8_NOTE,
      text: read("fixtures/licenses/v8.txt"),
    },
    ...packages.map(licensedPackage).flatMap((part) =>
      part.name === "onnxruntime-node" ? [part, engineNotices(part)] : [part]
    ),
  ];
  return `${JSON.stringify(parts, null, 2)}\n`;
}

/**
 * What ONNX Runtime says of the works in its native library. The package from
 * npm has no such text; that of the same version from PyPI has.
 */
function engineNotices({ version }: LicensedPart): LicensedPart {
  return {
    name: "ONNX Runtime's third parties",
    version,
    license: "LicenseRef-ThirdPartyNotices",
    note:
      "ThirdPartyNotices.txt as ONNX Runtime publishes it with this version",
    text: read("fixtures/licenses/onnxruntime_third_parties.txt"),
  };
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
