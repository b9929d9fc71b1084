/**
 * Anchors a note to the present content of its source files: at a save, an update, a verification.
 * Never at a read. A source that is no file of the project stays as it is.
 */
import { isMapping, isSequence } from "../../base/yaml/value.ts";
import type { FrontMap, FrontValue } from "../../note/note.ts";
import { fileSources, readSources, type Source } from "../../note/provenance.ts";
import { readGit } from "../../store/git/git.ts";
import { isOfProject } from "../index/entries.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { type Contents, GONE, openContents } from "./contents.ts";

export async function anchorSources(memory: Memory, sources: readonly Source[]): Promise<Source[]> {
  const contents = await openContents(memory);
  const { commit } = readGit(memory.fs, memory.places.checkoutDir) ?? {};
  const anchored = sources.map((source): Source => {
    // A hash that is given is what the note rested on, and stays.
    const path = source.hash === undefined ? contents.pathOf(source.id) : undefined;
    const hash = path === undefined ? undefined : contents.hashOf(path);
    if (path === undefined || hash === undefined || hash === GONE) return source;
    return { id: path, relation: source.relation, hash, commit };
  });
  contents.keep();
  return anchored;
}

/** Sources named as files that cannot be anchored: misspelt, or not of this project. */
export async function unanchored(memory: Memory, names: readonly string[]): Promise<string[]> {
  const sources = names.map((id) => ({ id, relation: "" }));
  const named = new Set(fileSources(sources).map(({ path }) => path));
  return (await anchorSources(memory, sources)).filter(({ id, hash }) =>
    hash === undefined && named.has(id)
  ).map(({ id }) => id);
}

/**
 * The `sources` of a note's front matter as of now, each item with its other values; of a file that is
 * gone only the name stays. Undefined where there is nothing to anchor: the files of notes for every
 * project, or for another one, are not here.
 */
export async function anchorAnew(
  memory: Memory,
  stored: StoredNote,
): Promise<FrontValue | undefined> {
  const { front } = stored.note;
  const value = isOfProject(memory, stored) ? front.get("sources") : undefined;
  if (!isSequence(value) || fileSources(readSources(front)).length === 0) return undefined;
  const contents = await openContents(memory);
  const { commit } = readGit(memory.fs, memory.places.checkoutDir) ?? {};
  const items = value.map((item) => renewed(contents, item, commit));
  contents.keep();
  return items;
}

function renewed(contents: Contents, item: FrontValue, commit: string | undefined): FrontValue {
  const map: FrontMap = isMapping(item) ? item : new Map([["path", item]]);
  const path = map.get("path") ?? map.get("id");
  const hash = typeof path === "string" ? contents.hashOf(path) : undefined;
  if (path === undefined || hash === undefined) return item;
  const rest = [...map].filter(([key]) => !["path", "id", "hash", "commit"].includes(key));
  if (hash === GONE) return map.has("hash") ? new Map([["path", path], ...rest]) : item;
  const at = commit === undefined ? [] : [["commit", commit]] as const;
  return new Map<string, FrontValue>([["path", path], ...rest, ["hash", hash], ...at]);
}
