/** Ed25519 keys and signatures in base64. */

type Bytes = Uint8Array<ArrayBuffer>;

/** A new pair: the private key for SAGE_SIGNING_KEY, the public one for src/base/release_origin.ts. */
export async function newKeys(): Promise<{ privateKey: string; publicKey: string }> {
  const pair = await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
    "verify",
  ]) as CryptoKeyPair;
  const [secret, open] = await Promise.all([
    crypto.subtle.exportKey("pkcs8", pair.privateKey),
    crypto.subtle.exportKey("raw", pair.publicKey),
  ]);
  return { privateKey: toBase64(secret), publicKey: toBase64(open) };
}

/** `privateKey` is PKCS #8. Returns the signature and a line break. */
export async function sign(bytes: Bytes, privateKey: string): Promise<string> {
  const raw = Uint8Array.from(atob(privateKey.trim()), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey("pkcs8", raw, "Ed25519", false, ["sign"]);
  return toBase64(await crypto.subtle.sign("Ed25519", key, bytes)) + "\n";
}

function toBase64(buffer: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)));
}
