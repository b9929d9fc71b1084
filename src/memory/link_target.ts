/**
 * How a link names a note: by its id; in a vault by its file, the only name that the vault's
 * editor knows. The ways in which a person may write a link are the graph's affair.
 */
import { basename, join } from "../base/path.ts";
import { stemOf } from "../store/layout.ts";
import type { Entry } from "./index/entries.ts";

/** All names that Sage may have used in a link. */
export function linkTargets({ store, note }: Entry): readonly string[] {
  if (store.vault === undefined) return [note.id];
  return [note.id, stemOf(basename(note.path)), stemOf(join(store.vault.path, note.path))];
}

/** A new link. In a vault it has the whole path, so that nothing has to be looked up. */
export function linkTo({ store, note }: Entry): string {
  if (store.vault === undefined) return `[[${note.id}]]`;
  const path = stemOf(join(store.vault.path, note.path));
  return `[[${path}|${basename(path)}]]`;
}
