/**
 * Merges several notes about one thing: the others' texts, tags, keywords and aliases are added to the
 * first, which supersedes them; they are archived. Nothing is deleted.
 */
import { firstOfEach } from "../../base/first_of_each.ts";
import { SageError } from "../../base/errors.ts";
import { utcDay } from "../../base/clock.ts";
import { defined, nonEmpty } from "../../base/defined.ts";
import { equalBytes } from "../../base/hash.ts";
import { frontFlag, frontList } from "../../note/front_values.ts";
import { readKnowledge } from "../../note/knowledge.ts";
import type { Patch } from "../../note/patch.ts";
import { readSources, sourcesValue } from "../../note/provenance.ts";
import { loadNote } from "../../store/load.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import type { Author } from "../write/outcome.ts";
import { archiveAsRead } from "./archive.ts";
import { lineageOf } from "./history.ts";
import { JOINED, joinedList, mergedPart, mergeReason } from "./merged.ts";
import { patchKnowledge, type PatchOutcome } from "./patch.ts";

/** Flags that the merged note has if any of the notes had them. */
const FLAGS = ["pinned", "always"];

export async function mergeKnowledge(
  memory: Memory,
  into: StoredNote,
  others: readonly StoredNote[],
  author: Author,
): Promise<PatchOutcome> {
  await refuseUnmergeable(memory, into, others);
  const date = utcDay(memory.now());
  const titles = others.map(({ note }) => note.title);
  const reason = mergeReason(titles, author.by);
  const patches = [
    ...others.map(({ note }): Patch => ({
      kind: "append",
      text: mergedPart(note.title, date, readKnowledge(note).content),
    })),
    ...joinedKeys(into, others),
  ];
  const outcome = await patchKnowledge(memory, into, patches, author, { reason });
  if (outcome.kind !== "patched") return outcome;
  // Archived last: after a crash in between a text exists twice, never nowhere.
  const notArchived: string[] = [];
  for (const other of others) {
    const why = await archiveAsRead(memory, other, author);
    if (why !== undefined) notArchived.push(`"${other.note.title}": ${why}`);
  }
  return { ...outcome, ...defined({ notArchived: nonEmpty(notArchived) }) };
}

async function refuseUnmergeable(
  memory: Memory,
  into: StoredNote,
  others: readonly StoredNote[],
): Promise<void> {
  const ids = new Set<string>([into, ...others].map(({ note }) => note.id));
  if (ids.size !== others.length + 1) {
    throw new SageError("usage", "A note cannot be merged with itself");
  }
  const foreign = others.find(({ store }) => store !== into.store);
  if (foreign !== undefined) {
    throw new SageError(
      "refused",
      `"${foreign.note.title}" lies in the ${foreign.store.scope} store, "${into.note.title}" in the ${into.store.scope}'s`,
      { hint: "merge notes of one store" },
    );
  }
  const merged = frontList(into.note.front, "supersedes");
  const again = others.find(({ note }) => note.status === "archived" && merged.includes(note.id));
  if (again !== undefined) {
    throw new SageError("usage", `"${again.note.title}" was merged into it already`, {
      hint: `sage knowledge restore ${again.note.id} takes it out of the archive`,
    });
  }
  for (const other of others) {
    const now = await loadNote(other.store, other.path).catch(() => undefined);
    if (now !== undefined && equalBytes(now.bytes, other.loaded.bytes)) continue;
    throw new SageError(
      "conflict",
      `"${other.note.title}" was changed meanwhile, and nothing was merged`,
      { hint: "look at it again, then repeat" },
    );
  }
  const { replaced_by } = await lineageOf(memory, into);
  const ring = replaced_by.find(({ id }) => ids.has(id));
  if (ring !== undefined) {
    throw new SageError("usage", `"${into.note.title}" is itself replaced by "${ring.title}"`, {
      hint: `merge the other way: sage knowledge merge ${ring.short_id} …`,
    });
  }
}

function joinedKeys(into: StoredNote, others: readonly StoredNote[]): Patch[] {
  const all = [into, ...others].map(({ note }) => note);
  const lists = JOINED.map((key) => ({
    key,
    items: union(all.map(({ front }) => joinedList(front, key))),
  }));
  const titles = others.map(({ note }) => note.title).filter((title) => title !== into.note.title);
  const aliases = lists.find(({ key }) => key === "aliases");
  // Links by the old titles keep working.
  if (aliases !== undefined) aliases.items = union([aliases.items, titles]);
  const supersedes = union([
    frontList(into.note.front, "supersedes"),
    others.map(({ note }) => note.id),
  ]);
  // Links among the merged notes, contradictions for instance, have no meaning within one note.
  const merged = new Set<string>(all.map(({ id }) => id));
  const listed = all.flatMap(({ front }) => readSources(front));
  const sources = firstOfEach(listed, ({ id }) => id).filter(({ id }) => !merged.has(id));
  const flags = FLAGS.filter((key) => all.some(({ front }) => frontFlag(front, key)));
  return [
    ...flags.map((key): Patch => ({ kind: "set", key, value: "true" })),
    ...lists.filter(({ items }) => items.length > 0)
      .map(({ key, items }): Patch => ({ kind: "set", key, value: items })),
    ...(listed.length === 0 ? [] : [{
      kind: "set",
      key: "sources",
      value: sources.length === 0 ? undefined : sourcesValue(sources),
    }] as const),
    { kind: "set", key: "supersedes", value: supersedes },
  ];
}

function union(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}
