/**
 * The network addresses that the binary may use, and how a process gives them up. A revoked permission
 * cannot be regained, so all code that runs later in the process, above all that of packages, is confined
 * as well.
 */
import { RELEASE_SENDERS, RELEASE_URL } from "./release_origin.ts";

/**
 * The hub, the hosts it sends large files from, the model API, the host of releases, and this machine;
 * `0.0.0.0` and `[::]` only to listen on.
 */
export const NETWORK = [
  ...["huggingface.co:443", "*.hf.co:443", "api.anthropic.com:443"],
  ...releaseHosts(),
  ...["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::]"],
];

function releaseHosts(): string[] {
  if (RELEASE_URL === "") return [];
  const { hostname, port } = new URL(RELEASE_URL);
  return [`${hostname}:${port || "443"}`, ...RELEASE_SENDERS.map((name) => `${name}:443`)];
}

/**
 * Gives up the network for good, except for one `host:port` in `keep`. Returns whether that may be used.
 * `own`: the address that this process listens on, and may listen on again.
 */
export function giveUpNetwork(keep?: string, own?: string): boolean {
  // Requested before revoking: specific grants stay when the wider ones are revoked.
  const [isReached = false] = [keep, own].map((host) =>
    host !== undefined && Deno.permissions.requestSync({ name: "net", host }).state === "granted"
  );
  if (keep === undefined && own === undefined) {
    Deno.permissions.revokeSync({ name: "net" });
    return false;
  }
  // A wildcard is revoked by any name that it matches.
  for (const host of NETWORK) {
    Deno.permissions.revokeSync({ name: "net", host: host.replace("*", "any") });
  }
  return isReached;
}
