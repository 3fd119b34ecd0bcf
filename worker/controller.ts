// Entry of the controller's worker: the only writer of workspace and audit. It
// may read and write one run's folder, and nothing else.

import {
  type ControllerChannel,
  serveController,
} from "../lib/cli/controller_thread.ts";

serveController(self as unknown as ControllerChannel);
