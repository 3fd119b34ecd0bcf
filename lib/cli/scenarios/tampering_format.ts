// The alterations of a finished run, as data: what a disk, an editor, a careless
// hand or a forger does to its files before somebody verifies it.

import { z } from "../../system/zod.ts";

/** A path below the run's folder: plain names alone, so none leads out of it. */
const file = z.string().regex(/^(?:\w[\w.]*\/)*\w[\w.]*$/);
/** Number of a line, from 1; without it the whole file is meant. */
const line = z.int().min(1).optional();
/** Number of a byte in the line or the file, from 0. */
const byte = z.int().nonnegative();

const alter = <Name extends string>(name: Name) => ({ alter: z.literal(name) });

/** One alteration. */
export const alterationSchema = z.discriminatedUnion("alter", [
  /** Turns over the lowest bit of one byte. */
  z.strictObject({ ...alter("flip_bit"), file, line, byte }),
  z.strictObject({
    ...alter("overwrite"),
    file,
    line,
    byte,
    base64: z.base64(),
  }),
  /** Replaces a text that is there once. */
  z.strictObject({
    ...alter("replace"),
    file,
    line,
    old: z.string().min(1),
    new: z.string(),
  }),
  z.strictObject({ ...alter("cut_end"), file, bytes: z.int().positive() }),
  z.strictObject({
    ...alter("append_nuls"),
    file,
    bytes: z.int().min(1).max(65_536),
  }),
  z.strictObject({ ...alter("empty"), file }),
  z.strictObject({ ...alter("delete"), file }),
  z.strictObject({ ...alter("create"), file, text: z.string() }),
  /** Puts a line before a line. */
  z.strictObject({
    ...alter("insert_line"),
    file,
    line: z.int().min(1),
    text: z.string(),
  }),
  /** Takes away the line feed between a line and the next. */
  z.strictObject({ ...alter("join_lines"), file, line: z.int().min(1) }),
  /** Puts a line behind the next. */
  z.strictObject({ ...alter("swap_lines"), file, line: z.int().min(1) }),
  z.strictObject({ ...alter("delete_line"), file, line: z.int().min(1) }),
  z.strictObject({ ...alter("repeat_line"), file, line: z.int().min(1) }),
  /** Numbers and chains every record anew, and lets the final report close it. */
  z.strictObject(alter("chain_anew")),
]);

/** One alteration of a finished run. */
export type Alteration = z.infer<typeof alterationSchema>;

/** What verification must say of the altered run. */
export const tamperingExpectationSchema = z.union([
  /** It can't be seen without a signature. */
  z.literal("holds"),
  z.strictObject({
    check: z.string(),
    file: z.string(),
    line: z.int().min(1).nullable(),
    event: z.int().min(1).nullable(),
    field: z.string().nullable(),
    message: z.string(),
  }),
]);
