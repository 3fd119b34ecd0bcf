import { stepInside } from "./fake_hub/step_inside.ts";

const PROXY = "http://user:secret@127.0.0.1:3128";

Deno.test("tinycoder acquire, from start to exit", async (t) => {
  await stepInside(t, "commands.ts", 10, {
    HTTPS_PROXY: PROXY,
    https_proxy: PROXY,
    HTTP_PROXY: PROXY,
    ALL_PROXY: PROXY,
    NODE_USE_ENV_PROXY: "1",
  });
});
