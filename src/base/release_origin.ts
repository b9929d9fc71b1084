/**
 * Where releases are published, and who signs them. Empty in the sources: a publisher sets all three here,
 * once, before the first release (docs/RELEASING.md). A program built without them updates only from this
 * machine.
 */

/** The folder that holds `release.json` and all that it names; https, without a slash at the end. */
export const RELEASE_URL: string = "";

/** Hosts that the server above hands large files over to, if it does. */
export const RELEASE_SENDERS: readonly string[] = [];

/** Ed25519 public keys, 32 bytes in base64. Two while one takes the other's place. */
export const RELEASE_KEYS: readonly string[] = [];
