// One request with its redirects, followed by hand. Every hop's
// scheme, port and host are checked before anything is sent to it.

import { contentFault, metadataFault, retryAfterMs } from "./answer_checks.ts";
import type { PlannedFile } from "./checkpoint_plan.ts";
import { endFault, type FileFault } from "./file_fault.ts";
import { hostFault, HUB_HOST } from "./host_rule.ts";
import { HttpsConnection, type HttpsResponse } from "./https_connection.ts";
import { MAX_REDIRECTS } from "./limits.ts";
import { ANSWER_ALLOWANCE, type RequestRecord } from "./request_record.ts";
import { TransportFault } from "./transport_fault.ts";
import type { TransferWatch } from "./transfer_watch.ts";
import { HEAD_BYTES, wrongContent } from "./wrong_content.ts";

/** What a request is about. */
export interface HubRequest {
  readonly file: PlannedFile;
  readonly revision: string;
  /** First byte to ask for. */
  readonly fromByte: number;
  readonly watch: TransferWatch;
  /** Opens the request's account; called once, when it is about to be sent. */
  readonly begin: () => RequestRecord;
}

/** An answer that carries the file, or its rest. */
export interface FileAnswer {
  readonly connection: HttpsConnection;
  readonly response: HttpsResponse;
  /** Where the content begins, in bytes. */
  readonly fromByte: number;
}

/**
 * Asks the hub for a file and follows its redirects.
 *
 * @throws {TransportFault}
 */
export async function requestFile(
  request: HubRequest,
): Promise<
  { readonly answer: FileAnswer } | { readonly fault: FileFault }
> {
  const { file, fromByte, watch } = request;
  const range: Record<string, string> = fromByte === 0
    ? {}
    : { Range: `bytes=${fromByte}-` };
  let url = new URL(file.url);
  let record: RequestRecord | null = null;
  let revisionSeen = false;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const refused = hostFault(url);
    if (refused !== null) {
      return {
        fault: endFault(
          "redirect_refused",
          `it was redirected, and ${refused}`,
        ),
      };
    }
    const connection = await HttpsConnection.open(url.hostname, watch);
    let kept = false;
    try {
      record ??= request.begin();
      record.answeredBy(url.hostname);
      const response = await connection.get(
        `${url.pathname}${url.search}`,
        range,
      );
      const { head } = response;
      const fault = head.status < 400
        ? metadataFault(head, file, request.revision)
        : null;
      if (fault !== null) {
        record.forfeit(unread(response));
        return { fault };
      }
      revisionSeen ||= url.hostname === HUB_HOST &&
        head.field("x-repo-commit") !== null;
      if (!REDIRECTS.has(head.status)) {
        const judged = await judge(request, record, response, revisionSeen);
        if (judged !== null) {
          record.forfeit(unread(response));
          return { fault: judged };
        }
        kept = true;
        return {
          answer: {
            connection,
            response,
            fromByte: head.status === 206 ? fromByte : 0,
          },
        };
      }
      record.forfeit(unread(response));
      const next = nextUrl(head.field("location"), url);
      if (next === null) {
        return {
          fault: endFault("redirect_refused", "a redirect leads nowhere"),
        };
      }
      url = next;
    } finally {
      if (!kept) connection.close();
    }
  }
  return {
    fault: endFault(
      "redirect_refused",
      `it was redirected more than ${MAX_REDIRECTS} times`,
    ),
  };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Bytes of an answer's body that won't be read but may have been sent. */
function unread(response: HttpsResponse): number {
  return response.body.left() ?? ANSWER_ALLOWANCE;
}

function nextUrl(location: string | null, from: URL): URL | null {
  return location === null || !URL.canParse(location, from)
    ? null
    : new URL(location, from);
}

/** Whether an answer that is no redirect carries the file. */
async function judge(
  request: HubRequest,
  record: RequestRecord,
  response: HttpsResponse,
  revisionSeen: boolean,
): Promise<FileFault | null> {
  const { file, fromByte } = request;
  const { head } = response;
  if (head.status !== 200 && head.status !== 206) {
    return statusFault(head, file, fromByte);
  }
  if (!revisionSeen) {
    return endFault(
      "metadata_mismatch",
      "the hub does not say which revision it belongs to",
    );
  }
  const fault = contentFault(head, file, fromByte);
  if (fault !== null) return fault;
  const saidHtml = /^text\/html\b/i.test(head.field("content-type") ?? "");
  const { framing } = head;
  const wrongSize = head.status === 200 && framing.kind === "length" &&
    framing.bytes !== file.bytes;
  if (!saidHtml && !wrongSize) return null;
  const bytes = framing.kind === "length" ? framing.bytes : 1;
  const { why, next } = wrongContent(
    { bytes, head: await firstBytes(response, record), saidHtml },
    file.bytes,
  );
  return endFault(
    "content_mismatch",
    `what the server offers is wrong: ${why}`,
    next,
  );
}

async function firstBytes(
  response: HttpsResponse,
  record: RequestRecord,
): Promise<Uint8Array> {
  const head = new Uint8Array(Math.min(HEAD_BYTES, record.allowance));
  let length = 0;
  try {
    while (length < head.length) {
      const count = await response.body.read(head.subarray(length));
      if (count === null) break;
      record.received(count);
      length += count;
    }
  } catch (error) {
    // What came is enough to tell what it was.
    if (!(error instanceof TransportFault)) throw error;
  }
  return head.subarray(0, length);
}

function statusFault(
  head: HttpsResponse["head"],
  file: PlannedFile,
  fromByte: number,
): FileFault {
  const { status } = head;
  const why = `the server answered ${status}${REASONS.get(status) ?? ""}`;
  if (status === 416 && fromByte > 0) {
    const size = /^bytes \*\/([0-9]+)$/.exec(head.field("content-range") ?? "");
    if (size !== null && Number(size[1]) !== file.bytes) {
      return endFault(
        "metadata_mismatch",
        `the server gives its size as ${size[1]} bytes`,
      );
    }
  }
  if (status === 408 || status === 429 || status >= 500) {
    const delay = retryAfterMs(head, Date.now());
    return {
      code: "network_failed",
      then: "retry",
      why,
      next: null,
      ...(delay === null ? {} : { retryAfterMs: delay }),
    };
  }
  return { code: "server_refused", then: "stop", why, next: null };
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [401, " (it asks for a sign-in; this program has none)"],
  [403, " (forbidden)"],
  [404, " (not found)"],
  [416, " (it cannot continue the file from there)"],
  [429, " (too many requests)"],
  [500, " (an error of its own)"],
  [503, " (not available now)"],
]);
