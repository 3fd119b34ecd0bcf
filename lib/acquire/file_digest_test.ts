import assert from "node:assert/strict";
import type { FileIdentity, PlannedFile } from "./checkpoint_plan.ts";
import { FileDigest, isPinnedFile } from "./file_digest.ts";

// Both digests of "hello\n" as `git hash-object` and `sha256sum` give them.
const BLOB = "ce013625030ba8dba906f756967f9e9ca394464a";
const SHA = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";

function file(identity: FileIdentity, bytes = 6): PlannedFile {
  return { name: "f", bytes, identity, url: "" };
}

Deno.test("FileDigest gives SHA-256 and, where it is pinned, Git's blob id", () => {
  const digest = new FileDigest(file({ gitBlobSha1: BLOB }));
  for (const part of ["he", "", "llo\n"]) {
    digest.update(new TextEncoder().encode(part));
  }
  assert.equal(digest.bytes, 6);
  assert.deepEqual(digest.finish(), {
    bytes: 6,
    sha256: SHA,
    gitBlobSha1: BLOB,
  });
  const other = new FileDigest(file({ sha256: SHA }));
  other.update(new TextEncoder().encode("hello\n"));
  assert.deepEqual(other.finish(), {
    bytes: 6,
    sha256: SHA,
    gitBlobSha1: null,
  });
});

Deno.test("isPinnedFile() needs size and every pinned identity", () => {
  const seen = { bytes: 6, sha256: SHA, gitBlobSha1: BLOB };
  assert.equal(isPinnedFile(seen, file({ sha256: SHA })), true);
  assert.equal(isPinnedFile(seen, file({ gitBlobSha1: BLOB })), true);
  assert.equal(
    isPinnedFile(seen, file({ sha256: SHA, gitBlobSha1: BLOB })),
    true,
  );
  assert.equal(isPinnedFile(seen, file({ sha256: SHA }, 7)), false);
  assert.equal(isPinnedFile(seen, file({})), false);
  const otherSha = "0".repeat(64);
  assert.equal(isPinnedFile(seen, file({ sha256: otherSha })), false);
  assert.equal(
    isPinnedFile(seen, file({ sha256: otherSha, gitBlobSha1: BLOB })),
    false,
  );
  assert.equal(
    isPinnedFile(
      { ...seen, gitBlobSha1: null },
      file({ sha256: SHA, gitBlobSha1: BLOB }),
    ),
    false,
  );
});
