// What the race sweep's other process can do to an entry of a run's folder, and
// how it undoes it. Each of them throws where the run was faster.

import * as fs from "node:fs";

/** A change that took effect. */
export interface Change {
  /** Puts back what was there; whatever was written meanwhile is lost. */
  undo(): void;
}

/** One way to change an entry. */
export interface AttackWay {
  /** Whether it makes an entry that isn't there yet. */
  readonly creates?: true;
  /** What it is done to. */
  readonly to: "files" | "both";
  /**
   * @param path The entry.
   * @param aside A folder of the adversary's own, on the same file system.
   */
  change(path: string, aside: string): Change;
}

/** The ways, by name. */
export const ATTACKS = {
  "swap": {
    to: "both",
    change: (path, aside) => {
      const [kept, other] = [`${aside}/kept`, `${aside}/other`];
      fs.rmSync(other, { recursive: true, force: true });
      fs.cpSync(path, other, { recursive: true });
      spoil(other);
      exchange(path, kept, () => fs.renameSync(other, path));
      return {
        undo: () => {
          fs.renameSync(path, other);
          fs.renameSync(kept, path);
        },
      };
    },
  },
  "replace in one step": {
    to: "files",
    change: (path, aside) => {
      const [kept, other] = [`${aside}/kept`, `${aside}/other`];
      const bytes = fs.readFileSync(path);
      fs.writeFileSync(kept, bytes);
      fs.writeFileSync(other, bytes);
      spoil(other);
      fs.renameSync(other, path);
      return { undo: () => fs.renameSync(kept, path) };
    },
  },
  "hard link": {
    to: "files",
    change: (path, aside) => {
      const link = `${aside}/link`;
      fs.rmSync(link, { force: true });
      fs.linkSync(path, link);
      return { undo: () => fs.rmSync(link) };
    },
  },
  "symbolic link": {
    to: "both",
    change: (path, aside) => {
      const kept = `${aside}/kept`;
      exchange(path, kept, () => fs.symlinkSync(kept, path));
      return {
        undo: () => {
          fs.unlinkSync(path);
          fs.renameSync(kept, path);
        },
      };
    },
  },
  "truncate": {
    to: "files",
    change: (path) => {
      const bytes = fs.readFileSync(path);
      fs.truncateSync(path, Math.floor(bytes.length / 2));
      return { undo: () => fs.writeFileSync(path, bytes, { flag: "r+" }) };
    },
  },
  "overwrite a byte": {
    to: "files",
    change: (path) => {
      const undone = spoil(path);
      return { undo: () => write(path, undone) };
    },
  },
  "append": {
    to: "files",
    change: (path) => {
      const { size } = fs.statSync(path);
      fs.appendFileSync(path, "\n");
      return { undo: () => fs.truncateSync(path, size) };
    },
  },
  "touch": {
    to: "both",
    change: (path) => {
      fs.utimesSync(path, 1, 1);
      return { undo: () => fs.utimesSync(path, 2, 2) };
    },
  },
  "rename": {
    to: "both",
    change: (path, aside) => {
      fs.renameSync(path, `${aside}/kept`);
      return { undo: () => fs.renameSync(`${aside}/kept`, path) };
    },
  },
  "plant a file": {
    creates: true,
    to: "files",
    change: (path) => {
      fs.writeFileSync(path, "planted\n", { flag: "wx" });
      return { undo: () => fs.rmSync(path) };
    },
  },
  "plant a link": {
    creates: true,
    to: "files",
    change: (path, aside) => {
      fs.symlinkSync(`${aside}/${CANARY}`, path);
      return { undo: () => fs.unlinkSync(path) };
    },
  },
} as const satisfies Record<string, AttackWay>;

/** Name of a way. */
export type AttackKind = keyof typeof ATTACKS;

/** A file of the adversary's that no run may write to, by whatever link. */
export const CANARY = "canary";

/** Puts something else in an entry's place; a run may be faster with it. */
function exchange(path: string, kept: string, put: () => void): void {
  fs.renameSync(path, kept);
  try {
    put();
  } catch {
    // The entry was away, and that is a change too.
  }
}

interface Bytes {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Changes one letter of a file, or of each file of a folder, in place. */
function spoil(path: string): Bytes {
  if (fs.statSync(path).isDirectory()) {
    for (const name of fs.readdirSync(path)) spoil(`${path}/${name}`);
    return { at: 0, bytes: new Uint8Array() };
  }
  const whole = fs.readFileSync(path);
  // In the middle of a line: the first ones say what the file is.
  const at = Math.floor(whole.length * 0.6);
  const bytes = whole.subarray(at, at + 1);
  write(path, { at, bytes: bytes.map((byte) => byte === 0x78 ? 0x79 : 0x78) });
  return { at, bytes };
}

function write(path: string, { at, bytes }: Bytes): void {
  const fd = fs.openSync(path, "r+");
  try {
    fs.writeSync(fd, bytes, 0, bytes.length, at);
  } finally {
    fs.closeSync(fd);
  }
}
