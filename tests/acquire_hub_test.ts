import { stepInside } from "./fake_hub/step_inside.ts";

const PROXY = "http://user:secret@127.0.0.1:3128";

Deno.test("acquire() answers everything that a server can do", async (t) => {
  await stepInside(t, "inside.ts", 140);
});

Deno.test("acquire() holds its limits over commands, clocks and disks", async (t) => {
  await stepInside(t, "flows.ts", 17, {
    HTTPS_PROXY: PROXY,
    https_proxy: PROXY,
    HTTP_PROXY: PROXY,
    ALL_PROXY: PROXY,
    NODE_USE_ENV_PROXY: "1",
  });
});
