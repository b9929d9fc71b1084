/**
 * Where releases lie, and whose signature they carry. Empty in the sources: whoever publishes sets all
 * three here, once, before the first release, and nowhere else (docs/RELEASING.md). A program that was
 * built without them updates from this machine at most.
 */

/** The folder that holds `release.json` and all that it names; https, without a slash at the end. */
export const RELEASE_URL: string = "";

/** Hosts that the server above hands large files over to, if it does. */
export const RELEASE_SENDERS: readonly string[] = [];

/** Ed25519 public keys, 32 bytes in base64. Two while one takes the other's place. */
export const RELEASE_KEYS: readonly string[] = [];
