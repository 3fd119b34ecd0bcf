// zod without functions built from text: `jitless` must be set before the first
// schema is made, so everyone takes zod from here.

import { z } from "zod";

z.config({ jitless: true });

export { z };
