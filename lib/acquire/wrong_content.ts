// REPORTS 33: a proxy's page, a Git-LFS pointer, an empty file and a truncated
// one all end in "digest mismatch"; each needs another remedy, so each has its
// own sentence.

import { counted } from "../system/counted.ts";

/** What was found in a file's place. */
export interface FoundContent {
  /** How many bytes there are. */
  readonly bytes: number;
  /** The first of them, up to {@link HEAD_BYTES}. */
  readonly head: Uint8Array;
  /** Whether a server called it HTML. */
  readonly saidHtml?: boolean;
}

/** As many first bytes as {@link wrongContent} looks at. */
export const HEAD_BYTES = 512;

/** Why the content isn't the file, and what to do. */
export interface WrongContent {
  readonly kind:
    | "empty"
    | "lfs_pointer"
    | "html_page"
    | "truncated"
    | "too_long"
    | "other_bytes";
  /** A clause. */
  readonly why: string;
  /** A sentence without its full stop. */
  readonly next: string;
}

/**
 * Tells what stands in a file's place.
 *
 * @param found What is there; known not to be the pinned file.
 * @param expectedBytes The pinned file's size, in bytes.
 */
export function wrongContent(
  found: FoundContent,
  expectedBytes: number,
): WrongContent {
  const { bytes } = found;
  if (bytes === 0) {
    return {
      kind: "empty",
      why: `it is empty instead of ${counted(expectedBytes, "byte")} long`,
      next: "Get the file again from its source",
    };
  }
  const text = new TextDecoder("latin1").decode(found.head);
  if (text.startsWith("version https://git-lfs.github.com/spec/")) {
    return {
      kind: "lfs_pointer",
      why: "it is a Git-LFS pointer, a small text that stands for the file",
      next: "Get the file itself: from a clone, with `git lfs pull`",
    };
  }
  if (
    found.saidHtml === true || /^\s*<(!doctype\s+html|html|head)\b/i.test(text)
  ) {
    return {
      kind: "html_page",
      why: "it is an HTML page, as a sign-in page, a proxy or a web view gives",
      next: "Use a network without a sign-in page, or the file's download link",
    };
  }
  if (bytes < expectedBytes) {
    return {
      kind: "truncated",
      why: `it is truncated: ${grouped(bytes)} of ${
        counted(expectedBytes, "byte")
      }`,
      next: "Get the file again, completely",
    };
  }
  if (bytes > expectedBytes) {
    return {
      kind: "too_long",
      why: `it has ${counted(bytes, "byte")} instead of ${
        grouped(expectedBytes)
      }`,
      next: "Get exactly the pinned revision of the file",
    };
  }
  return {
    kind: "other_bytes",
    why: "it has the right size, but its digest is not the pinned one",
    next: "Get exactly the pinned revision of the file",
  };
}

/** A whole number with thousands separated by commas. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
