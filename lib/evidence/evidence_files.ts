// A run's own files, for whoever checks them: contained, bounded, and read as
// JSON with one meaning only.

import type { Json, JsonObject } from "../agent/json.ts";
import {
  type ContainmentFinding,
  readContained,
} from "../system/contained_file.ts";
import type { FileHandle, Files } from "../system/files.ts";
import { scanJson, toPlainJson } from "../system/strict_json.ts";

/** What to say of a file that can't be taken. */
export const CONTAINMENT_WORDS: Readonly<Record<ContainmentFinding, string>> = {
  missing: "The file is missing",
  not_regular: "It isn't a regular file",
  extra_link: "The file has a second hard link; a plain copy has none",
  folder_moved: "The folder was moved, or is a link",
  swapped: "The file was swapped while it was opened",
  too_large: "The file is larger than any that a run writes",
};

/** A sentence as the second half of another. */
export function asClause(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}

/** A JSON file's bytes and its one object, or why it can't be taken. */
export type JsonFile =
  | {
    readonly ok: true;
    readonly bytes: Uint8Array;
    readonly value: JsonObject;
  }
  | {
    readonly ok: false;
    readonly message: string;
    /** Whether there is no such file. */
    readonly missing?: boolean;
  };

/** Deepest nesting of a JSON file that a run writes. */
const MAX_DEPTH = 32;

/**
 * Reads one of a run's JSON files.
 *
 * @throws The system's error where it can't be read.
 */
export function readJsonFile(
  files: Files,
  folder: string,
  name: string,
  maxBytes: number,
): JsonFile {
  const read = readContained(files, folder, name, maxBytes);
  if (!read.ok) {
    return {
      ok: false,
      message: CONTAINMENT_WORDS[read.finding],
      missing: read.finding === "missing",
    };
  }
  const { bytes } = read;
  if (bytes.length === 0) return { ok: false, message: "The file is empty" };
  if (bytes.includes(0)) {
    return {
      ok: false,
      message: `The file has a NUL byte, at byte ${bytes.indexOf(0)}`,
    };
  }
  const value = readObject(bytes);
  return typeof value === "string"
    ? { ok: false, message: value }
    : { ok: true, bytes, value };
}

/** Reads bytes as one JSON object without duplicate keys, or says why not. */
export function readObject(bytes: Uint8Array): JsonObject | string {
  const scan = scanJson(bytes, { maxDepth: MAX_DEPTH });
  if (!scan.ok) return `It isn't one JSON object: ${scan.message}`;
  const plain = toPlainJson(scan.value);
  if (!plain.ok) return plain.message;
  const value: Json = plain.value;
  return value === null || typeof value !== "object" || Array.isArray(value)
    ? "It isn't one JSON object"
    : value as JsonObject;
}

/**
 * Opens one of a run's files of any length; null where there is none.
 *
 * @returns The open file, or why it can't be taken.
 */
export function openEvidence(
  files: Files,
  folder: string,
  name: string,
): FileHandle | string | null {
  const path = `${folder}/${name}`;
  const facts = files.facts(path);
  if (facts === null) return null;
  if (facts.kind !== "file") return CONTAINMENT_WORDS.not_regular;
  if (facts.links !== 1) return CONTAINMENT_WORDS.extra_link;
  const file = files.open(path);
  const opened = file.facts();
  if (opened.dev === facts.dev && opened.ino === facts.ino) return file;
  file.close();
  return CONTAINMENT_WORDS.swapped;
}
