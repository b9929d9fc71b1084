/**
 * Renews maps of content a while after a call, once for all calls until then, and before the server
 * ends: no call waits for them.
 */
import { mapVault } from "../memory/vault/keep.ts";
import type { UseMemory } from "./methods.ts";

const WAIT_MS = 5000;

export function keepMaps(use: UseMemory, report: (error: unknown) => void): {
  readonly use: UseMemory;
  /** Renews them at once, if that is due. */
  finish(): Promise<void>;
} {
  let timer: number | undefined;
  const run = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    await use(mapVault);
  };
  return {
    async use(body) {
      const answer = await use(body);
      if (timer === undefined) {
        timer = setTimeout(() => run().catch(report), WAIT_MS);
        Deno.unrefTimer(timer);
      }
      return answer;
    },
    async finish() {
      if (timer !== undefined) await run().catch(report);
    },
  };
}
