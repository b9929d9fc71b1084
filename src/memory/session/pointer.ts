/** How an orientation points to a checkpoint instead of telling it. */
import { shortId } from "../../base/id.ts";

export function howToLoad(id: string): string {
  return `Restore: sage_load_checkpoint {"id":"${shortId(id)}"}`;
}
