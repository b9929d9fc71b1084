/**
 * What the binary may reach at most, and how a process gives it up. A permission that is given up
 * cannot be had again, so everything that runs later in the process, a package's code above all, is as
 * confined.
 */
import { RELEASE_SENDERS, RELEASE_URL } from "./release_origin.ts";

/**
 * The hub, the machines it sends large files from, the model API, where releases lie, and this machine;
 * all of its addresses to listen on, which are no place to connect to.
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
 * Gives up the network for good, except for one `host:port` in `keep`. Tells whether that can be
 * reached. `own` is where this process listens, and may do so again.
 */
export function giveUpNetwork(keep?: string, own?: string): boolean {
  // Grants of their own first: they stay when the wider ones are revoked.
  const [isReached = false] = [keep, own].map((host) =>
    host !== undefined && Deno.permissions.requestSync({ name: "net", host }).state === "granted"
  );
  if (keep === undefined && own === undefined) {
    Deno.permissions.revokeSync({ name: "net" });
    return false;
  }
  // A wildcard is revoked by any name that it stands for.
  for (const host of NETWORK) {
    Deno.permissions.revokeSync({ name: "net", host: host.replace("*", "any") });
  }
  return isReached;
}
