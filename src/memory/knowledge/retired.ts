/**
 * Knowledge that is out of use: archived, or replaced by another note. No recall brings it, so what an agent wrote
 * there would be lost to everybody; the agent is told where to write instead.
 */
import { defined } from "../../base/defined.ts";
import { shortId } from "../../base/id.ts";
import { collapse, fold } from "../../base/text/text.ts";
import { catalogue } from "../catalogue.ts";
import { type Entry, isHere } from "../index/entries.ts";
import { type NoteRef, refOf, type StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { quote } from "../recalled.ts";
import type { Author, NotSaved, Saved } from "../write/outcome.ts";

const TITLE_CHARACTERS_MAX = 80;

/** Why an agent writes nothing there; undefined if it may. A person may, and so may who was told to by one. */
export async function refusedRetired(
  memory: Memory,
  { note: { id, title, status, kind } }: StoredNote,
  { by, accepted }: Author,
): Promise<Extract<NotSaved, { readonly kind: "excluded" }> | undefined> {
  if (by !== "agent" || accepted === true || kind !== "knowledge") return undefined;
  const next = successorOf(await catalogue(memory, ["knowledge"]), id);
  const which = `${shortId(id)} ${quote(title, TITLE_CHARACTERS_MAX)}`;
  if (next !== undefined) {
    const other = `${next.short_id} ${quote(next.title, TITLE_CHARACTERS_MAX)}`;
    return { kind: "excluded", reason: `${which} was replaced by ${other}: save to that one` };
  }
  if (status !== "archived") return undefined;
  const reason =
    `${which} is archived, and no recall would bring it. If it holds again, ask the person to ` +
    `restore it (\`sage knowledge restore ${
      shortId(id)
    }\`), then save; else save under another title, without id`;
  return { kind: "excluded", reason };
}

/** The archived note of this title, beside which a new one is made. */
export async function retiredNamesake(
  memory: Memory,
  title: string,
): Promise<Saved["retired"]> {
  const entries = await catalogue(memory, ["knowledge"]);
  const wanted = fold(collapse(title));
  const found = entries.find((entry) =>
    entry.note.status === "archived" && isHere(memory, entry) &&
    fold(collapse(entry.note.title)) === wanted
  );
  if (found === undefined) return undefined;
  return {
    ...refOf(found.note),
    ...defined({ replaced_by: successorOf(entries, found.note.id) }),
  };
}

/** The note that holds instead; where that was replaced as well and archived, the one that holds by now. */
function successorOf(entries: readonly Entry[], id: string): NoteRef | undefined {
  const seen = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !seen.has(at);) {
    const replaced: string = at;
    seen.add(replaced);
    const by: readonly Entry[] = entries.filter(({ store, note }) =>
      // A note from a store that nobody trusts replaces none.
      store.trust !== "unknown" && note.id !== replaced && note.supersedes.includes(replaced)
    );
    const holding = by.find(({ note }) => note.status === "active");
    if (holding !== undefined) return refOf(holding.note);
    at = by.find(({ note }) => note.status === "archived")?.note.id;
  }
  return undefined;
}
