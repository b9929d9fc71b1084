/**
 * Where releases are published, and who signs them. Empty in the sources: the publisher sets all three before
 * the first release (docs/RELEASING.md). A program built without them updates only from this machine.
 */

/** The https address of the folder with `release.json` and the files that it names, without a final slash. */
export const RELEASE_URL: string = "";

/** Hosts to which that server redirects large files, if it does. */
export const RELEASE_SENDERS: readonly string[] = [];

/** Ed25519 public keys, 32 bytes in base64; two while one replaces the other. */
export const RELEASE_KEYS: readonly string[] = [];
