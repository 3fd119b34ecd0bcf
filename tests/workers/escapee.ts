// The entry of a worker that tries to leave its room in every way that Deno or
// Node's modules offer, and tells how each attempt was answered. It is given the
// controller's rights and no others.

import { Buffer } from "node:buffer";
import * as childProcess from "node:child_process";
import * as dns from "node:dns/promises";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import process from "node:process";
import * as workerThreads from "node:worker_threads";

/** What the worker is told: where it lives, and what lies outside. */
export interface Room {
  /** Real path of the folder that it may read and write. */
  readonly folder: string;
  /** A file outside, which exists. */
  readonly secret: string;
  /** A port of 127.0.0.1 on which somebody listens. */
  readonly port: number;
}

/** How each attempt was answered: `refused` by Deno, `succeeded`, or else. */
export type Answers = Record<string, string>;

type Attempts = Record<string, () => unknown>;

/** Attempts that Deno must refuse; `folder/link` leads to the secret's folder. */
function attempts({ folder, secret, port }: Room): Attempts {
  const outside = secret.slice(0, secret.lastIndexOf("/"));
  const inside = `${folder}/own`;
  return {
    "read: a file": () => Deno.readTextFileSync(secret),
    "read: later": () => Deno.readTextFile(secret),
    "read: a folder": () => [...Deno.readDirSync(outside)],
    "read: whether it exists": () => Deno.lstatSync(secret),
    "read: its real path": () => Deno.realPathSync(secret),
    "read: by dots": () => Deno.readTextFileSync(`${folder}/../secret`),
    "read: by a URL": () => Deno.readTextFileSync(new URL(`file://${secret}`)),
    "read: by fetch": () => fetch(`file://${secret}`),
    "read: by Node": () => fs.readFileSync(secret),
    "read: by Node, later": () => fs.promises.readFile(secret),
    "read: by Node's open": () => fs.openSync(secret, "r"),
    "read: by Node's cp": () => fs.cpSync(secret, `${folder}/copy`),
    "read: by watching": () => Deno.watchFs(outside).close(),
    "read: copied in": () => Deno.copyFileSync(secret, `${folder}/copy`),
    "read: moved in": () => Deno.renameSync(secret, `${folder}/moved`),
    "read: linked in": () => Deno.linkSync(secret, `${folder}/hard`),
    "read: linked in by Node": () => fs.linkSync(secret, `${folder}/hard`),
    "read: environment of the process": () =>
      Deno.readTextFileSync("/proc/self/environ"),
    "read: memory of the process": () => Deno.openSync("/proc/self/mem"),
    "write: a file": () => Deno.writeTextFileSync(`${outside}/new`, ""),
    "write: over a file": () => Deno.writeTextFileSync(secret, ""),
    "write: a folder": () => Deno.mkdirSync(`${outside}/new`),
    "write: by dots": () => Deno.writeTextFileSync(`${folder}/../new`, ""),
    "write: by Node": () => fs.writeFileSync(secret, ""),
    "write: by Node's append": () => fs.appendFileSync(secret, "x"),
    "write: removal": () => Deno.removeSync(secret),
    "write: removal by Node": () => fs.rmSync(secret),
    "write: cut off": () => Deno.truncateSync(secret),
    "write: mode": () => Deno.chmodSync(secret, 0o777),
    "write: times": () => Deno.utimeSync(secret, 0, 0),
    "write: moved out": () => Deno.renameSync(inside, `${outside}/new`),
    "write: copied out": () => Deno.copyFileSync(inside, `${outside}/new`),
    "write: linked out": () => Deno.linkSync(inside, `${outside}/new`),
    "write: a link to outside": () =>
      Deno.symlinkSync(outside, `${folder}/another`),
    "write: a link by Node": () => fs.symlinkSync(outside, `${folder}/another`),
    "write: a temporary file": () => Deno.makeTempFileSync(),
    "net: connection": () => Deno.connect({ hostname: "127.0.0.1", port }),
    "net: encrypted connection": () =>
      Deno.connectTls({ hostname: "127.0.0.1", port }),
    "net: request": () => fetch(`http://127.0.0.1:${port}/`),
    "net: web socket": () => opened(new WebSocket(`ws://127.0.0.1:${port}/`)),
    "net: listening": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
    "net: serving": () => Deno.serve({ port: 0 }, () => new Response()),
    "net: name": () => Deno.resolveDns("localhost", "A"),
    "net: connection by Node": () => connected(net.connect(port, "127.0.0.1")),
    "net: name by Node": () => dns.lookup("localhost"),
    "run: program": () => new Deno.Command("true").outputSync(),
    "run: this program": () => new Deno.Command("deno").spawn(),
    "run: by Node": () => raised(childProcess.spawnSync("true").error),
    "run: by Node's shell": () => childProcess.execSync("true"),
    "run: signal": () => Deno.kill(1, "SIGCONT"),
    "run: signal by Node": () => process.kill(1, "SIGCONT"),
    "ffi: library": () => Deno.dlopen("libc.so.6", {}),
    "ffi: library inside": () => Deno.dlopen(inside, {}),
    "ffi: addon by Node": () => process.dlopen({ exports: {} }, inside),
    "ffi: memory": () => Deno.UnsafePointer.of(Buffer.alloc(1)),
    "env: variable": () => Deno.env.get("HOME"),
    "env: all": () => Deno.env.toObject(),
    "env: change": () => Deno.env.set("HOME", "/"),
    "sys: release": () => Deno.osRelease(),
    "sys: host": () => Deno.hostname(),
    "sys: load": () => Deno.loadavg(),
    "sys: memory": () => Deno.systemMemoryInfo(),
    "sys: user": () => Deno.uid(),
    "sys: uptime": () => Deno.osUptime(),
    "sys: interfaces": () => Deno.networkInterfaces(),
    "sys: host by Node": () => os.hostname(),
    "sys: user by Node": () => os.userInfo(),
    "sys: processors by Node": () => os.cpus(),
    "import: file": () => import(`file://${outside}/module.ts`),
    "import: network": () => import(`http://127.0.0.1:${port}/module.ts`),
    "worker: everything": () => worked("inherit", `postMessage(1)`, true),
    "worker: reading": () => worked({ read: true }, `postMessage(1)`),
    "worker: network": () => worked({ net: true }, `postMessage(1)`),
    "worker: running": () => worked({ run: true }, `postMessage(1)`),
    "worker: by Node": () => threaded(new URL(`file://${outside}/module.ts`)),
  };
}

/**
 * What Deno leaves open: it follows links that are there already, which this
 * worker can't make, and which the controller's own checks refuse.
 */
function leftOpen({ folder }: Room): Attempts {
  return {
    "left open: reading by a link": () =>
      Deno.readTextFileSync(`${folder}/link/secret`),
    "left open: reading by a link's own name": () =>
      Deno.readTextFileSync(`${folder}/leaf`),
    "left open: writing by a link": () =>
      Deno.writeTextFileSync(`${folder}/link/new`, ""),
    "left open: writing by a link's own name": () =>
      Deno.writeTextFileSync(`${folder}/leaf`, ""),
    "left open: importing by a link": () =>
      import(`file://${folder}/link/module.ts`),
    "left open: path of the program": () => Deno.execPath(),
  };
}

/** Attempts within the room: if they failed, the refusals would prove nothing. */
function allowed({ folder }: Room): Attempts {
  return {
    "allowed: reading": () => Deno.readTextFileSync(`${folder}/own`),
    "allowed: writing": () => Deno.writeTextFileSync(`${folder}/made`, "made"),
    "allowed: reading by Node": () => fs.readFileSync(`${folder}/made`),
    "allowed: a folder": () => fs.mkdirSync(`${folder}/folder`),
    "allowed: a worker with less": () => worked("none", `postMessage(1)`),
  };
}

/** A nested worker; with `probe`, one that must not read either. */
function worked(
  permissions: unknown,
  code: string,
  probe = false,
): Promise<unknown> {
  const text = probe
    ? `try { Deno.readDirSync("/"); postMessage(1) } catch (e) { postMessage({ name: e.name }) }`
    : code;
  const url = `data:application/javascript,${encodeURIComponent(text)}`;
  const worker = new Worker(url, {
    type: "module",
    deno: { permissions },
  } as WorkerOptions);
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate();
      data === 1 ? resolve(data) : reject(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      reject(new Error(event.message));
    };
  });
}

function threaded(url: URL): Promise<unknown> {
  const worker = new workerThreads.Worker(url);
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("online", resolve);
  });
}

function raised(error: Error | undefined): void {
  if (error !== undefined) throw error;
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = (event) => reject((event as ErrorEvent).error ?? event);
  });
}

function connected(socket: net.Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
}

async function answered(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return "succeeded";
  } catch (error) {
    const { name, message } = error as Error;
    return name === "NotCapable" || BY_DENO.test(message)
      ? "refused"
      : `${name}: ${message}`;
  }
}

/** Deno's own words where Node's errors or a module's take the name's place. */
const BY_DENO =
  /^Requires (read|import) access to |^getaddrinfo EPERM localhost$/;

self.onmessage = async ({ data: room }: MessageEvent<Room>) => {
  const answers: Answers = {};
  for (const some of [attempts(room), leftOpen(room), allowed(room)]) {
    for (const [name, attempt] of Object.entries(some)) {
      answers[name] = await answered(attempt);
    }
  }
  self.postMessage(answers);
};
