/**
 * Ids of a note in other notes: a checkpoint's parent, what was recalled, what a session saved or
 * decided against, what a topic lists. An id holds words of a title, so forgetting removes it where
 * Sage wrote it; a person's own mention stays.
 */
import { basename, join } from "../../base/path.ts";
import { isMapping, isSequence } from "../../base/yaml/value.ts";
import { splitFrontMatter } from "../../note/front_matter.ts";
import { links, replaceSection, sectionText } from "../../note/markdown.ts";
import type { FrontChanges, FrontMap, FrontValue, Note } from "../../note/note.ts";
import { readTopic, replaceRegion } from "../../note/topic.ts";
import { stemOf } from "../../store/layout.ts";
import { catalogue } from "../catalogue.ts";
import { TAKES_BACK } from "../index/document.ts";
import { type Entry, readEntry } from "../index/entries.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { indexSaved } from "../index/reindex.ts";
import { rewriteWithout } from "./rewrite.ts";

/** Keys that hold ids of other notes. */
const KEYS = [
  "parent",
  "recalled",
  "checkpoints",
  "supersedes",
  "superseded_by",
  "sources",
  "source",
];

/** The id, and in a vault the file's name. */
export function namesOf({ store, path, note: { id } }: StoredNote): readonly string[] {
  return store.vault === undefined ? [id] : [id, stemOf(basename(path))];
}

/** Removes its names from every other note; returns the changed files. `named`: see mentioning.ts. */
export async function dropReferences(
  memory: Memory,
  gone: StoredNote,
  named: readonly Entry[],
): Promise<string[]> {
  const { id } = gone.note;
  const names = namesOf(gone);
  const changed: string[] = [];
  const entries = await catalogue(memory);
  // In a store that has another note with this id, references mean that note.
  const others = entries.filter(({ store, note }) => note.id === id && store !== gone.store)
    .map(({ store }) => store);
  for (const entry of named) {
    if (entry.note.id === id || others.includes(entry.store)) continue;
    const stored = await readEntry(entry);
    if (stored === undefined || !names.some((name) => stored.loaded.text.includes(name))) {
      continue;
    }
    if (await drop(memory, stored, id, names)) changed.push(join(stored.store.root, stored.path));
  }
  if (changed.length > 0) { for (const store of memory.stores) await indexSaved(memory, store); }
  return changed;
}

async function drop(
  memory: Memory,
  stored: StoredNote,
  id: string,
  names: readonly string[],
): Promise<boolean> {
  const { note, loaded } = stored;
  if (loaded.readOnly !== undefined) return false;
  const text = withoutMentions(note, loaded.text, names);
  return await rewriteWithout(memory, stored, text, changedKeys(note.front, id));
}

function changedKeys(front: FrontMap, id: string): FrontChanges {
  const changes = new Map<string, FrontValue | undefined>();
  for (const key of KEYS) {
    const value = front.get(key);
    if (value === undefined) continue;
    if (isIt(value, id)) changes.set(key, undefined);
    if (!isSequence(value)) continue;
    const kept = value.filter((item) => !isIt(item, id));
    if (kept.length < value.length) changes.set(key, kept.length === 0 ? undefined : kept);
  }
  return changes;
}

/** The id itself, or `{id, relation}`. */
function isIt(value: FrontValue, id: string): boolean {
  return value === id || (isMapping(value) && value.get("id") === id);
}

/** The space before it included. */
const SAID_AGAINST = new RegExp(` ?${TAKES_BACK.source}`, "g");

/** The text without the references that Sage wrote. A checkpoint or topic loses the line in its list. */
function withoutMentions(note: Note, text: string, names: readonly string[]): string {
  const isName = (target: string): boolean => names.includes(basename(target));
  const isIt = (line: string): boolean => links(line).some(({ target }) => isName(target));
  const without = (list: string): string =>
    list.split("\n").filter((line) => !isIt(line)).join("\n");
  if (note.kind === "session") {
    return text.replace(SAID_AGAINST, (said, target) => isName(target) ? "" : said);
  }
  if (note.kind === "topic") {
    const { region = "" } = readTopic(note);
    return isIt(region) ? replaceRegion(text, without(region)) : text;
  }
  if (note.kind !== "checkpoint" || !note.front.has("generated")) return text;
  const { body, bodyStart } = splitFrontMatter(text);
  const listed = sectionText(body, "Sources");
  if (listed === undefined || !isIt(listed)) return text;
  return text.slice(0, bodyStart) + replaceSection(body, "Sources", without(listed));
}
