// A worker with exactly the acquire worker's rights that tries what lies beyond
// them, and says what Deno answered.

const { folder } = await new Promise<{ folder: string }>((resolve) => {
  self.onmessage = ({ data }) => resolve(data);
});

const attempts: Record<string, () => unknown> = {
  "another port": () => connect("huggingface.co", 80),
  "another host": () => connect("example.com", 443),
  "a look-alike": () => connect("huggingface.co.example", 443),
  "an address": () => connect("127.0.0.1", 443),
  "listening": () => Deno.listen({ port: 0 }).close(),
  "writing outside": () => Deno.writeTextFile(`${folder}/../x`, "x"),
  "writing beside by name": () => Deno.writeTextFile(`${folder}x`, "x"),
  "reading outside": () => Deno.readTextFile("/etc/hosts"),
  "the environment": () => Deno.env.get("HOME"),
  "a program": () => new Deno.Command("true").output(),
  "a library": () => Deno.dlopen("x.so", {}),
  "the system": () => Deno.osUptime(),
  "writing inside": () => Deno.writeTextFile(`${folder}/x`, "x"),
  "the hub": () => connect("huggingface.co", 443),
  "a storage host": () => connect("us.aws.cdn.hf.co", 443),
};
const answers: Record<string, string> = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    answers[name] = "possible";
  } catch (error) {
    answers[name] = error instanceof Error ? error.name : "error";
  }
}
(self as unknown as Worker).postMessage(answers);

async function connect(hostname: string, port: number): Promise<void> {
  (await Deno.connect({ hostname, port })).close();
}
