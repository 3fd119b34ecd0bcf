// A certificate authority of the tests' own, and a certificate of the hub's
// names by it. Nothing outside the tests' namespace trusts it.

/** Paths of the files that a fake hub and its clients need. */
export interface Authority {
  /** The authority's certificate, for Deno's start-up variable DENO_CERT. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Names that the hub's certificate is for. */
const NAMES = [
  "huggingface.co",
  "*.huggingface.co",
  "*.hf.co",
  "*.aws.cdn.hf.co",
];

/** Makes an authority and a certificate with openssl, in `folder`. */
export async function makeAuthority(folder: string): Promise<Authority> {
  const at = (name: string): string => `${folder}/${name}`;
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
  await openssl(
    ["req", "-x509", ...curve, "-nodes", "-days", "2", "-subj", "/CN=Tests"]
      .concat(["-keyout", at("ca.key"), "-out", at("ca.pem")]),
  );
  await openssl(
    ["req", ...curve, "-nodes", "-subj", "/CN=huggingface.co"]
      .concat(["-keyout", at("hub.key"), "-out", at("hub.csr")]),
  );
  await Deno.writeTextFile(
    at("names"),
    `subjectAltName=${NAMES.map((name) => `DNS:${name}`)}\n` +
      "basicConstraints=CA:FALSE\n",
  );
  await openssl(
    ["x509", "-req", "-in", at("hub.csr"), "-CA", at("ca.pem")]
      .concat(["-CAkey", at("ca.key"), "-CAcreateserial", "-days", "2"])
      .concat(["-extfile", at("names"), "-out", at("hub.pem")]),
  );
  return {
    authority: at("ca.pem"),
    certificate: at("hub.pem"),
    key: at("hub.key"),
  };
}

async function openssl(args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("openssl", {
    args,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
