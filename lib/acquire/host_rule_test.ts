import assert from "node:assert/strict";
import { hostFault, NET_PERMISSION } from "./host_rule.ts";

const ALLOWED = [
  "https://huggingface.co/a",
  "https://HUGGINGFACE.co/a",
  "https://huggingface.co:443/a",
  "https://cdn-lfs.huggingface.co/a",
  "https://us.aws.cdn.hf.co/a?X=1",
];

const REFUSED: [url: string, names: string][] = [
  ["http://huggingface.co/a", '"http"'],
  ["ftp://huggingface.co/a", '"ftp"'],
  ["https://huggingface.co:8443/a", "port 8443"],
  ["https://user@huggingface.co/a", "user name"],
  ["https://:secret@huggingface.co/a", "password"],
  ["https://huggingface.co.example/a", '"huggingface.co.example"'],
  ["https://xhf.co/a", '"xhf.co"'],
  ["https://xhuggingface.co/a", '"xhuggingface.co"'],
  ["https://hf.co/a", '"hf.co"'],
  ["https://hf.co.example/a", '"hf.co.example"'],
  ["https://huggingface.co./a", '"huggingface.co."'],
  ["https://cdn..hf.co/a", '"cdn..hf.co"'],
  ["https://_x.hf.co/a", '"_x.hf.co"'],
  ["https://127.0.0.1/a", '"127.0.0.1"'],
  ["https://[::1]/a", '"[::1]"'],
  ["https://2130706433/a", '"127.0.0.1"'],
  ["https://huggingface.co%2eexample/a", '"huggingface.co.example"'],
  ["https://h\u0443ggingface.co/a", "xn--"],
];

Deno.test("hostFault() admits the hub and hosts below its domains", () => {
  for (const url of ALLOWED) assert.equal(hostFault(new URL(url)), null, url);
});

Deno.test("hostFault() refuses everything else and names it", () => {
  for (const [url, names] of REFUSED) {
    const fault = hostFault(new URL(url));
    assert.notEqual(fault, null, url);
    assert.ok(fault!.includes(names), `${url}: ${fault}`);
  }
});

Deno.test("NET_PERMISSION holds the hub and its two domains, port 443 only", () => {
  assert.deepEqual(NET_PERMISSION, [
    "huggingface.co:443",
    "*.huggingface.co:443",
    "*.hf.co:443",
  ]);
});
