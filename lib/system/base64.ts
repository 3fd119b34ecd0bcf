// Base64 as RFC 4648 section 4 has it: the platform's decoder lets white space
// through, which would give one byte string several spellings.

/** The bytes of a padded base64 text, or undefined where it isn't one. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
  } catch {
    return undefined;
  }
}
