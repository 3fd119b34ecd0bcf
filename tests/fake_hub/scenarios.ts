// What a server can do to a download, one by one, and what has to come of it.

import type { Behaviour, SeenRequest } from "./hub.ts";
import type { Conduct, Conducted } from "./conduct.ts";
import { REVISION, testCheckpoint } from "./checkpoint.ts";

/** One way to misbehave, and the outcome that it must have. */
export interface Scenario {
  readonly name: string;
  readonly behave?: Behaviour;
  readonly options?: Conduct;
  /** Whether the server sends what nobody reads, beyond the ceiling. */
  readonly overrun?: true;
  readonly expected: {
    readonly code: Conducted["code"];
    /** Part of the message. */
    readonly says?: string;
    /** The weights' line of the ledger, or where `file` says, that one's. */
    readonly line: string | RegExp;
    readonly file?: string;
    /** How many requests the server saw for that file, redirects not counted. */
    readonly requests: number;
    /** Size of the partial file that stays, if one does. */
    readonly partBytes?: number;
  };
}

/** Size of the weights, in bytes. */
export const WEIGHTS_BYTES = 4 * 1024 * 1024;
const SIZES = {
  "config.json": 659,
  "model.safetensors": WEIGHTS_BYTES,
  "LICENSE": 11_343,
};
/** The checkpoint of every scenario. */
export const CHECKPOINT = testCheckpoint(SIZES);
/** The same with all that a trial needs: a command takes no other. */
export const WHOLE_CHECKPOINT = testCheckpoint({
  ...SIZES,
  "tokenizer.json": 1_000,
  "tokenizer_config.json": 554,
});
const WEIGHTS = CHECKPOINT.contents.get("model.safetensors")!;
/** Bytes of the body of each of the hub's redirects. */
const REDIRECT_BYTES = "Redirecting".length;
const MIB = 1024 * 1024;
const LENGTH = { "Content-Length": String(WEIGHTS_BYTES) };
const POINTER = "version https://git-lfs.github.com/spec/v1\n" +
  `oid sha256:${"0".repeat(64)}\nsize ${WEIGHTS_BYTES}\n`;

/** Misbehaves at one stage of one file, up to `times` times. */
function at(
  name: string,
  stage: SeenRequest["stage"],
  behaviour: Behaviour,
  times = Infinity,
): Behaviour {
  let left = times;
  return (request, reply) =>
    request.name === name && request.stage === stage && left-- > 0
      ? behaviour(request, reply)
      : reply.normal();
}

const hub = (behaviour: Behaviour, times?: number): Behaviour =>
  at("model.safetensors", "resolve", behaviour, times);
const storage = (behaviour: Behaviour, times?: number): Behaviour =>
  at("model.safetensors", "content", behaviour, times);
const redirectTo = (location: string): Behaviour =>
  hub((_, reply) => reply.normal({ Location: location }));

/** The first MiB of the weights, then the end of the connection. */
const firstMib: Behaviour = async (_, reply) => {
  await reply.head(200, LENGTH);
  await reply.body(WEIGHTS.subarray(0, MIB));
};

/** A first request that breaks off after 1 MiB, then `second`. */
function resumed(second: Behaviour): Behaviour {
  let first = true;
  return storage((request, reply) => {
    if (!first) return second(request, reply);
    first = false;
    return firstMib(request, reply);
  });
}

function refusedRedirect(
  name: string,
  location: string,
  says: string,
): Scenario {
  return {
    name: `redirect ${name}`,
    behave: redirectTo(location),
    expected: {
      code: "redirect_refused",
      says,
      line: `failed, refused 0+${REDIRECT_BYTES}`,
      requests: 1,
    },
  };
}

/** A refusal of what the hub or the storage says, before a byte is taken. */
function mismatch(
  name: string,
  behave: Behaviour,
  says: string,
  line: string | RegExp = /^failed, refused 0\+/,
): Scenario {
  return {
    name,
    behave,
    expected: { code: "metadata_mismatch", says, line, requests: 1 },
  };
}

function wrong(name: string, behave: Behaviour, says: string): Scenario {
  return {
    name,
    behave,
    expected: {
      code: "content_mismatch",
      says,
      line: /^failed, refused [0-9]+\+[0-9]+$/,
      requests: 1,
    },
  };
}

function badPart(name: string, fields: Record<string, string>): Scenario {
  return {
    name: `206 with ${name}`,
    behave: resumed((request, reply) =>
      reply.answer(206, fields, WEIGHTS.subarray(request.fromByte))
    ),
    expected: {
      code: "metadata_mismatch",
      says: "part",
      line: new RegExp(
        `^failed, interrupted ${MIB}\\+${REDIRECT_BYTES}, refused 0\\+`,
      ),
      requests: 2,
    },
  };
}

function status(
  code: number,
  says: string,
  fields: Record<string, string> = {},
): Scenario {
  const retried = code === 429 || code >= 500;
  const body = 16 + REDIRECT_BYTES;
  const outcome = retried ? "interrupted" : "refused";
  return {
    name: `status ${code}, always`,
    behave: storage((_, reply) => reply.answer(code, fields, "x".repeat(16))),
    expected: {
      code: retried ? "network_failed" : "server_refused",
      says,
      line: retried
        ? `failed, ${outcome} 0+${body}, ${outcome} 0+${body}`
        : `partial, ${outcome} 0+${body}`,
      requests: retried ? 2 : 1,
    },
  };
}

const complete = `complete ${WEIGHTS_BYTES}+${REDIRECT_BYTES}`;
const verifiedAtOnce = {
  code: null,
  line: `verified hub, ${complete}`,
  requests: 1,
} as const;
const verifiedOnRetry = (first: string, second: string) => ({
  code: null,
  line: `verified hub, ${first}, ${second}`,
  requests: 2,
});
const afterMib = verifiedOnRetry(
  `interrupted ${MIB}+${REDIRECT_BYTES}`,
  `complete ${WEIGHTS_BYTES - MIB}+${REDIRECT_BYTES}`,
);
const flipped = WEIGHTS.slice();
flipped[2 * MIB]! ^= 0x10;

/** Bytes that all files take, with the redirects on the way. */
const ALL_BYTES = 659 + 11_343 + WEIGHTS_BYTES + 3 * REDIRECT_BYTES;
/** The same with a first MiB in vain, and a second redirect. */
const RESTARTED_BYTES = ALL_BYTES + MIB + REDIRECT_BYTES;

/** One file's content ends after so many bytes, once. */
function endsAfter(name: string, sent: number): Scenario {
  const bytes = CHECKPOINT.contents.get(name)!;
  const rest = bytes.length - sent;
  return {
    name: `${name} ends after ${sent} of ${bytes.length} bytes`,
    behave: at(name, "content", async (_, reply) => {
      await reply.head(200, { "Content-Length": String(bytes.length) });
      await reply.body(bytes.subarray(0, sent));
    }, 1),
    expected: {
      file: name,
      code: null,
      line: `verified hub, interrupted ${sent}+${REDIRECT_BYTES}, ` +
        `complete ${rest}+${REDIRECT_BYTES}`,
      requests: 2,
    },
  };
}

/** Every 64 KiB boundary of the weights, and places in the small files. */
const ENDS: readonly Scenario[] = [
  ...Array.from(
    { length: WEIGHTS_BYTES / 65_536 },
    (_, step) => endsAfter("model.safetensors", step * 65_536),
  ),
  ...[0, 1, 329, 658].map((sent) => endsAfter("config.json", sent)),
  ...[0, 1, 5_000, 11_342].map((sent) => endsAfter("LICENSE", sent)),
];

/** Every scenario. */
export const SCENARIOS: readonly Scenario[] = [
  ...ENDS,
  { name: "normal", expected: verifiedAtOnce },
  {
    name: "content from the hub itself",
    behave: hub((_, reply) =>
      reply.answer(200, { "X-Repo-Commit": REVISION }, WEIGHTS)
    ),
    expected: {
      ...verifiedAtOnce,
      line: `verified hub, complete ${WEIGHTS_BYTES}+0`,
    },
  },
  {
    name: "a cookie and a sign-in header, which must not come back",
    behave: hub((_, reply) =>
      reply.normal({
        "Set-Cookie": "token=1; Domain=hf.co",
        "WWW-Authenticate": "Bearer",
      })
    ),
    expected: verifiedAtOnce,
  },
  {
    name: "a provisional answer first",
    behave: storage(async (_, reply) => {
      await reply.raw(new TextEncoder().encode("HTTP/1.1 103 Hints\r\n\r\n"));
      await reply.normal();
    }),
    expected: verifiedAtOnce,
  },

  refusedRedirect("to a foreign host", "https://example.com/x", "example.com"),
  refusedRedirect("to http", "http://us.aws.cdn.hf.co/x", '"http"'),
  refusedRedirect("to an address", "https://127.0.0.1/x", "127.0.0.1"),
  refusedRedirect("to an address (IPv6)", "https://[::1]/x", "[::1]"),
  refusedRedirect(
    "to a look-alike",
    "https://huggingface.co.example/x",
    "huggingface.co.example",
  ),
  refusedRedirect("to another look-alike", "https://xhf.co/x", '"xhf.co"'),
  refusedRedirect("to hf.co itself", "//hf.co/x", '"hf.co"'),
  refusedRedirect("to another port", "https://hf.co:8443/x", "port 8443"),
  refusedRedirect("with a password", "https://u:p@x.hf.co/x", "password"),
  refusedRedirect("to nowhere", "https://", "leads nowhere"),
  {
    name: "redirect loop",
    behave: (request, reply) =>
      request.name === "model.safetensors"
        ? reply.answer(302, {
          "X-Repo-Commit": REVISION,
          "Location": `https://huggingface.co/content/model.safetensors`,
        }, "Redirecting")
        : reply.normal(),
    expected: {
      code: "redirect_refused",
      says: "more than 5 times",
      line: `failed, refused 0+${6 * REDIRECT_BYTES}`,
      requests: 1,
    },
  },
  {
    name: "storage with a certificate for another name",
    behave: redirectTo("https://a.b.hf.co/content/model.safetensors"),
    expected: {
      code: "network_failed",
      says: "certificate of a.b.hf.co is not trusted",
      line: /^partial, refused 0\+/,
      requests: 1,
    },
  },

  {
    name: "206 where the rest was asked for",
    behave: resumed((_, reply) => reply.normal()),
    expected: afterMib,
  },
  {
    name: "200 where the rest was asked for",
    behave: resumed((_, reply) => reply.answer(200, {}, WEIGHTS)),
    expected: verifiedOnRetry(
      `interrupted ${MIB}+${REDIRECT_BYTES}`,
      complete,
    ),
  },
  {
    name: "206 where the whole was asked for",
    behave: storage((_, reply) =>
      reply.answer(206, {
        "Content-Range": `bytes 0-${WEIGHTS_BYTES - 1}/${WEIGHTS_BYTES}`,
      }, WEIGHTS)
    ),
    expected: {
      code: "metadata_mismatch",
      says: "the whole file",
      line: /^failed, refused 0\+/,
      requests: 1,
    },
  },
  badPart("a wrong range", {
    "Content-Range": `bytes 0-${WEIGHTS_BYTES - 1}/${WEIGHTS_BYTES}`,
  }),
  badPart("a wrong total", {
    "Content-Range": `bytes ${MIB}-${WEIGHTS_BYTES - 1}/${WEIGHTS_BYTES + 1}`,
  }),
  badPart("no range", {}),
  {
    name: "206 with a length that is not the rest's",
    behave: resumed((_, reply) =>
      reply.answer(206, {
        "Content-Range": `bytes ${MIB}-${WEIGHTS_BYTES - 1}/${WEIGHTS_BYTES}`,
      }, WEIGHTS.subarray(MIB + 1))
    ),
    expected: {
      code: "metadata_mismatch",
      says: "announced 3,145,727 bytes for a part of 3,145,728",
      line: /^failed, interrupted .*, refused 0\+/,
      requests: 2,
    },
  },
  {
    name: "416",
    behave: resumed((_, reply) => reply.answer(416, {}, "")),
    expected: {
      code: "server_refused",
      says: "cannot continue the file from there",
      line: `failed, interrupted ${MIB}+${REDIRECT_BYTES}, ` +
        `refused 0+${REDIRECT_BYTES}`,
      requests: 2,
      partBytes: MIB,
    },
  },
  {
    name: "416 with another size",
    behave: resumed((_, reply) =>
      reply.answer(416, { "Content-Range": "bytes */1000" }, "")
    ),
    expected: {
      code: "metadata_mismatch",
      says: "size as 1000 bytes",
      line: /^failed, interrupted .*, refused 0\+/,
      requests: 2,
    },
  },

  {
    name: "broken connection (RST)",
    behave: storage(async (request, reply) => {
      await firstMib(request, reply);
      reply.reset();
    }, 1),
    expected: verifiedOnRetryAnywhere(),
  },
  {
    name: "connection cut without TLS's ending",
    behave: storage(async (request, reply) => {
      await firstMib(request, reply);
      reply.cut();
    }, 1),
    expected: verifiedOnRetryAnywhere(),
  },
  {
    name: "connection that breaks twice",
    behave: storage(async (request, reply) => {
      await reply.head(request.fromByte === 0 ? 200 : 206, {
        "Content-Length": String(WEIGHTS_BYTES - request.fromByte),
        ...(request.fromByte === 0 ? {} : {
          "Content-Range": `bytes ${request.fromByte}-${WEIGHTS_BYTES - 1}/` +
            WEIGHTS_BYTES,
        }),
      });
      await reply.body(
        WEIGHTS.subarray(request.fromByte, request.fromByte + MIB),
      );
    }),
    expected: {
      code: "network_failed",
      says: "Its one retry is used up",
      line: `failed, interrupted ${MIB}+${REDIRECT_BYTES}, ` +
        `interrupted ${MIB}+${REDIRECT_BYTES}`,
      requests: 2,
      partBytes: 2 * MIB,
    },
  },
  {
    name: "proper end before any answer",
    behave: hub(() => {}, 1),
    expected: verifiedOnRetry("interrupted 0+0", complete),
  },
  {
    name: "cut before any answer",
    behave: hub((_, reply) => reply.cut(), 1),
    expected: verifiedOnRetry(
      `interrupted 0+${WEIGHTS_BYTES + 16 * 1024}`,
      complete,
    ),
  },
  {
    name: "stall past the idle limit",
    behave: storage(async (request, reply) => {
      await firstMib(request, reply);
      await reply.stall();
    }, 1),
    options: { limits: { idleMs: 200 } },
    expected: verifiedOnRetry(
      `interrupted ${MIB}+${WEIGHTS_BYTES - MIB + REDIRECT_BYTES}`,
      `complete ${WEIGHTS_BYTES - MIB}+${REDIRECT_BYTES}`,
    ),
  },
  {
    name: "stall before any answer",
    behave: hub((_, reply) => reply.stall(), 1),
    options: { limits: { idleMs: 200 } },
    expected: verifiedOnRetry(
      `interrupted 0+${WEIGHTS_BYTES + 16 * 1024}`,
      complete,
    ),
  },
  {
    name: "slow drip past the deadline",
    behave: storage(async (_, reply) => {
      await reply.head(200, LENGTH);
      for (let sent = 0; sent < WEIGHTS_BYTES; sent += 64) {
        await reply.body(WEIGHTS.subarray(sent, sent + 64));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }),
    options: { limits: { acquireSeconds: 3 } },
    expected: {
      code: "window_over",
      says: "the time for acquiring",
      line: /^partial, interrupted [0-9]+\+[0-9]+$/,
      requests: 1,
    },
  },

  {
    name: "more than announced",
    behave: storage(async (_, reply) => {
      await reply.head(200, LENGTH);
      await reply.body(WEIGHTS);
      await reply.raw(new TextEncoder().encode("and more"));
    }),
    expected: verifiedAtOnce,
  },
  wrong(
    "announced longer than it is",
    storage((_, reply) =>
      reply.answer(200, {}, new Uint8Array(WEIGHTS_BYTES + 1))
    ),
    "it has 4,194,305 bytes instead of 4,194,304",
  ),
  wrong(
    "announced shorter than it is",
    storage((_, reply) => reply.answer(200, {}, WEIGHTS.subarray(0, MIB))),
    "it is truncated: 1,048,576 of 4,194,304 bytes",
  ),
  {
    name: "no length",
    behave: storage(async (_, reply) => {
      await reply.head(200);
      await reply.body(WEIGHTS);
    }),
    expected: verifiedAtOnce,
  },
  {
    name: "no length, and too short once",
    behave: storage(async (_, reply) => {
      await reply.head(200);
      await reply.body(WEIGHTS.subarray(0, MIB));
    }, 1),
    expected: afterMib,
  },
  wrong(
    "no length, and too long",
    storage(async (_, reply) => {
      await reply.head(200);
      await reply.body(WEIGHTS);
      await reply.body("more");
    }),
    "it has 4,194,305 bytes instead of 4,194,304",
  ),
  {
    name: "chunks",
    behave: storage(async (_, reply) => {
      await reply.head(200, { "Transfer-Encoding": "chunked" });
      for (let at = 0; at < WEIGHTS_BYTES; at += 300_000) {
        const chunk = WEIGHTS.subarray(at, at + 300_000);
        await reply.raw(
          new TextEncoder().encode(`${chunk.length.toString(16)};x=1\r\n`),
        );
        await reply.body(chunk);
        await reply.raw(new TextEncoder().encode("\r\n"));
      }
      await reply.raw(new TextEncoder().encode("0\r\nTrailer: x\r\n\r\n"));
    }),
    expected: verifiedAtOnce,
  },
  mismatch(
    "gzip although it was ruled out",
    storage((_, reply) => reply.normal({ "Content-Encoding": "gzip" })),
    'compressed it ("gzip")',
  ),

  mismatch(
    "wrong revision at the redirect",
    hub((_, reply) => reply.normal({ "X-Repo-Commit": "0".repeat(40) })),
    `revision "${"0".repeat(40)}"`,
  ),
  mismatch(
    "wrong revision at the content",
    storage((_, reply) => reply.normal({ "X-Repo-Commit": "main" })),
    'revision "main"',
  ),
  mismatch(
    "no revision at all",
    hub((_, reply) => reply.answer(200, {}, WEIGHTS)),
    "does not say which revision",
  ),
  mismatch(
    "wrong linked size",
    hub((_, reply) => reply.normal({ "X-Linked-Size": "4194305" })),
    '"4194305" instead of 4,194,304',
  ),
  mismatch(
    "wrong linked identity",
    hub((_, reply) => reply.normal({ "X-Linked-ETag": `"${"0".repeat(64)}"` })),
    "identity as",
  ),
  mismatch(
    "linked identity of an unknown kind",
    hub((_, reply) => reply.normal({ "X-Linked-ETag": '"md5"' })),
    "identity as",
  ),

  wrong(
    "HTML page",
    storage((_, reply) =>
      reply.answer(200, { "Content-Type": "text/html; charset=utf-8" }, "<p>")
    ),
    "HTML page",
  ),
  wrong(
    "HTML page that does not say so, without a length",
    storage(async (_, reply) => {
      await reply.head(200);
      await reply.body("<!doctype html><title>Sign in</title>");
    }),
    "HTML page",
  ),
  wrong(
    "LFS pointer",
    storage((_, reply) => reply.answer(200, {}, POINTER)),
    "Git-LFS pointer",
  ),
  wrong(
    "LFS pointer without a length",
    storage(async (_, reply) => {
      await reply.head(200);
      await reply.body(POINTER);
    }),
    "Git-LFS pointer",
  ),
  wrong(
    "empty",
    storage((_, reply) => reply.answer(200, {}, "")),
    "it is empty",
  ),
  wrong(
    "right size, one bit flipped",
    storage((_, reply) => reply.answer(200, {}, flipped)),
    "its digest is not the pinned one",
  ),

  status(401, "asks for a sign-in"),
  status(403, "forbidden"),
  status(404, "not found"),
  status(429, "too many requests"),
  status(500, "answered 500"),
  status(503, "not available now"),
  {
    name: "429 with a short Retry-After, once",
    behave: storage(
      (_, reply) => reply.answer(429, { "Retry-After": "0" }, ""),
      1,
    ),
    expected: verifiedOnRetry(`interrupted 0+${REDIRECT_BYTES}`, complete),
  },
  {
    name: "429 with a Retry-After beyond what is waited for",
    behave: storage((_, reply) =>
      reply.answer(429, { "Retry-After": "121" }, "")
    ),
    expected: {
      code: "network_failed",
      says: "run the same command again",
      line: `partial, interrupted 0+${REDIRECT_BYTES}`,
      requests: 1,
    },
  },
  {
    name: "503 with a Retry-After date, once",
    behave: storage(
      (_, reply) =>
        reply.answer(503, { "Retry-After": new Date(0).toUTCString() }, ""),
      1,
    ),
    expected: verifiedOnRetry(`interrupted 0+${REDIRECT_BYTES}`, complete),
  },

  {
    name: "a restart that fits the byte budget exactly",
    behave: resumed((_, reply) => reply.answer(200, {}, WEIGHTS)),
    options: { limits: { ceilingBytes: RESTARTED_BYTES } },
    expected: verifiedOnRetry(`interrupted ${MIB}+${REDIRECT_BYTES}`, complete),
  },
  {
    name: "a restart after which the last file lacks one byte of budget",
    behave: resumed((_, reply) => reply.answer(200, {}, WEIGHTS)),
    options: {
      limits: { ceilingBytes: RESTARTED_BYTES - REDIRECT_BYTES - 1 },
    },
    expected: {
      code: "budget_exhausted",
      file: "LICENSE",
      says: "11,343 bytes are still needed, and the byte ceiling over all " +
        "attempts leaves 11,342",
      line: "pending",
      requests: 0,
    },
  },
  {
    name: "a restart that lacks one byte of budget",
    behave: resumed((_, reply) => reply.answer(200, {}, WEIGHTS)),
    options: {
      limits: { ceilingBytes: RESTARTED_BYTES - REDIRECT_BYTES - 11_343 - 1 },
    },
    overrun: true,
    expected: {
      code: "budget_exhausted",
      says: "4,194,304 bytes are still needed, and the byte ceiling over all " +
        "attempts leaves 4,194,303",
      line: `failed, interrupted ${MIB}+${REDIRECT_BYTES}, ` +
        `refused 0+${WEIGHTS_BYTES + REDIRECT_BYTES - 1}`,
      requests: 2,
      partBytes: MIB,
    },
  },

  {
    name: "an answer that is no HTTP",
    behave: storage((_, reply) =>
      reply.raw(new TextEncoder().encode("SSH-2.0-x\r\n\r\n"))
    ),
    expected: {
      code: "network_failed",
      says: "no HTTP/1.1 status",
      line: /^partial, refused 0\+/,
      requests: 1,
    },
  },
  {
    name: "two different lengths",
    behave: storage((_, reply) =>
      reply.head(200, { ...LENGTH, "content-length": "1" })
    ),
    expected: {
      code: "network_failed",
      says: "two different fields",
      line: /^partial, refused 0\+/,
      requests: 1,
    },
  },
  {
    name: "a header without an end",
    behave: storage(async (_, reply) => {
      await reply.raw(new TextEncoder().encode("HTTP/1.1 200 OK\r\n"));
      await reply.raw(new TextEncoder().encode("X: y\r\n".repeat(20_000)));
      await reply.stall();
    }),
    expected: {
      code: "network_failed",
      says: "header is too long",
      line: /^partial, refused 0\+/,
      requests: 1,
    },
  },
];

function verifiedOnRetryAnywhere(): Scenario["expected"] {
  return {
    code: null,
    line: /^verified hub, interrupted [0-9]+\+[0-9]+, complete [0-9]+\+11$/,
    requests: 2,
  };
}
