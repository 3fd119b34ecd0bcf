// Entry of the acquire worker: it may speak to the hub and its storage hosts, and
// read and write one model folder.

import {
  serveAcquisition,
  type WorkerPort,
} from "../lib/acquire/acquire_worker.ts";

serveAcquisition(self as unknown as WorkerPort);
