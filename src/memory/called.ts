/**
 * What a link calls a note where it stands: by its id, and in a vault by its file, whose editor knows
 * nothing else. How a person may write a link is for the graph to say.
 */
import { basename, join } from "../base/fs.ts";
import { stemOf } from "../store/layout.ts";
import type { Entry } from "./entries.ts";

/** All that Sage may have called it. */
export function calledIn({ store, note }: Entry): readonly string[] {
  if (store.vault === undefined) return [note.id];
  return [note.id, stemOf(basename(note.path)), stemOf(join(store.vault.path, note.path))];
}

/** As a new link says it: of a vault the whole path, so that nothing of it has to be looked up. */
export function linkTo({ store, note }: Entry): string {
  if (store.vault === undefined) return `[[${note.id}]]`;
  const path = stemOf(join(store.vault.path, note.path));
  return `[[${path}|${basename(path)}]]`;
}
