/** How a line points to a note instead of quoting it. */
import { shortId } from "../base/id.ts";

export function howToLoad(id: string): string {
  return `Restore: sage_load_checkpoint {"id":"${shortId(id)}"}`;
}

export function howToRead(id: string): string {
  return `get_note {"id":"${shortId(id)}"}`;
}
