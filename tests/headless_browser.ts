// A headless Chromium over its DevTools protocol: what a page logs, what it
// asks for, and what a person would see of it. Evaluation by the protocol isn't
// bound by a page's own policy, so that a page without scripts can be examined.

import assert from "node:assert/strict";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome"];

/** Flags without which a browser would talk to others, or keep something. */
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--remote-debugging-port=0",
];

/** One page, watched from before it was opened. */
export interface WatchedPage {
  /** Console messages, log entries and exceptions, in order. */
  readonly messages: readonly string[];
  /** Addresses that were asked for, the page's own left out. */
  readonly requests: readonly string[];
  /** Why requests were stopped before they left, in order. */
  readonly blocked: readonly string[];
  /** The value of an expression in the page, awaited. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** One command of the protocol. */
  command(
    method: string,
    params?: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
}

/** A running browser; `await using` ends it. */
export interface Browser extends AsyncDisposable {
  open(address: string): Promise<WatchedPage>;
}

/** Starts a browser with a folder of its own. */
export async function startBrowser(): Promise<Browser> {
  const folder = await Deno.makeTempDir();
  const child = spawn(folder);
  const address = await devtoolsAddress(child.stderr);
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("The browser closed its socket"));
  });
  const connection = new Connection(socket);
  return {
    open: (page) => openPage(connection, page),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => socket.onclose = resolve);
      await connection.send("Browser.close").catch(() => {});
      await closed;
      await child.status;
      await removeFolder(folder);
    },
  };
}

function spawn(folder: string): Deno.ChildProcess {
  for (const program of PROGRAMS) {
    try {
      return new Deno.Command(program, {
        args: [...FLAGS, `--user-data-dir=${folder}`, "about:blank"],
        stdin: "null",
        stdout: "null",
        stderr: "piped",
      }).spawn();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Error(
    `No Chromium is here (looked for ${PROGRAMS.join(", ")}): install it, ` +
      "on Debian with `apt-get install chromium`",
  );
}

/** The address that the browser says on stderr; the rest is read away. */
async function devtoolsAddress(
  stderr: ReadableStream<Uint8Array>,
): Promise<string> {
  const found = Promise.withResolvers<string>();
  let text = "";
  (async () => {
    for await (const piece of stderr.pipeThrough(new TextDecoderStream())) {
      text = (text + piece).slice(-65_536);
      const address = text.match(/DevTools listening on (ws:\S+)/)?.[1];
      if (address !== undefined) found.resolve(address);
    }
    found.reject(new Error(`The browser ended at once:\n${text}`));
  })();
  return await found.promise;
}

type Params = Record<string, unknown>;

/** Numbered commands, and events for whoever listens. */
class Connection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Params>>();
  #listeners: ((method: string, params: Params, session: string) => void)[] =
    [];
  #last = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const { id, method, params, result, error, sessionId } = JSON.parse(data);
      if (id === undefined) {
        for (const told of this.#listeners) told(method, params, sessionId);
        return;
      }
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(`${error.message}: ${error.data ?? ""}`));
    };
  }

  listen(told: (method: string, params: Params, session: string) => void) {
    this.#listeners.push(told);
  }

  send(
    method: string,
    params: Params = {},
    sessionId?: string,
  ): Promise<Params> {
    const id = ++this.#last;
    const answer = Promise.withResolvers<Params>();
    this.#waiting.set(id, answer);
    this.#socket.send(JSON.stringify({
      id,
      method,
      params,
      ...sessionId === undefined ? {} : { sessionId },
    }));
    return answer.promise;
  }
}

async function openPage(
  connection: Connection,
  address: string,
): Promise<WatchedPage> {
  const { targetId } = await connection.send("Target.createTarget", {
    url: "about:blank",
  });
  const { sessionId } = await connection.send("Target.attachToTarget", {
    targetId,
    flatten: true,
  }) as { sessionId: string };
  const command = (method: string, params: Params = {}) =>
    connection.send(method, params, sessionId);
  const messages: string[] = [];
  const requests: string[] = [];
  const blocked: string[] = [];
  const loaded = Promise.withResolvers<void>();
  connection.listen((method, params, session) => {
    if (session !== sessionId) return;
    switch (method) {
      case "Runtime.consoleAPICalled":
      case "Runtime.exceptionThrown":
      case "Log.entryAdded":
        messages.push(JSON.stringify(params));
        break;
      case "Network.requestWillBeSent": {
        const { url } = params["request"] as { url: string };
        if (url !== address) requests.push(url);
        break;
      }
      case "Network.loadingFailed":
        blocked.push(String(params["blockedReason"]));
        break;
      case "Page.loadEventFired":
        loaded.resolve();
    }
  });
  for (const domain of ["Runtime", "Log", "Network", "Page"]) {
    await command(`${domain}.enable`);
  }
  const { errorText } = await command("Page.navigate", { url: address });
  assert.equal(errorText, undefined, `${address} can't be opened`);
  await loaded.promise;
  return {
    messages,
    requests,
    blocked,
    command,
    evaluate: async (expression) => {
      const { result, exceptionDetails } = await command("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      assert.equal(exceptionDetails, undefined);
      return (result as { value: never }).value;
    },
  };
}

/** The browser's last helpers may still be writing when it has ended. */
async function removeFolder(folder: string): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      return await Deno.remove(folder, { recursive: true });
    } catch (error) {
      if (tries === 50) throw error;
    }
  }
}
