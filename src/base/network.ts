/**
 * What the binary may reach at most, and how a process gives it up. What is given up cannot be had again,
 * so whoever runs in the process later, a package's code above all, is as confined as the process.
 */

/**
 * The hub, the machines it sends large files from, the model API, and this machine; all of its addresses to
 * listen on, which are no place to connect to.
 */
export const NETWORK = [
  ...["huggingface.co:443", "*.hf.co:443", "api.anthropic.com:443"],
  ...["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::]"],
];

/**
 * Gives up the network for good, but for one `host:port` where `keep` names it. Says whether that can be
 * reached.
 */
export function giveUpNetwork(keep?: string): boolean {
  if (keep === undefined) {
    Deno.permissions.revokeSync({ name: "net" });
    return false;
  }
  // A grant of its own first: it stays when the wider ones are revoked.
  const { state } = Deno.permissions.requestSync({ name: "net", host: keep });
  // A wildcard is revoked by any name that it stands for.
  for (const host of NETWORK) {
    Deno.permissions.revokeSync({ name: "net", host: host.replace("*", "any") });
  }
  return state === "granted";
}
