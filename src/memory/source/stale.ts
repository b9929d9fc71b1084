/**
 * Whether what a note rests on is unchanged: the flag `stale`, and which files changed. It only looks;
 * editing or verifying a note anchors it anew (anchor.ts). Notes of other projects are not judged, because
 * their files are elsewhere.
 */
import type { FileSource } from "../../note/provenance.ts";
import { isOfProject } from "../index/entries.ts";
import type { NoteItem, StaleSource } from "../item.ts";
import type { Memory } from "../memory.ts";
import { quote } from "../recalled.ts";
import type { Contents } from "./contents.ts";

/** The items, with the flag and the reason where a source changed; in a hook, where that is known cheaply. */
export async function withStale<T extends NoteItem>(
  memory: Memory,
  items: readonly T[],
  sourcesOf: (item: T, index: number) => readonly FileSource[] | undefined,
): Promise<T[]> {
  const anchored = items.map((item, i) => isJudged(memory, item) ? sourcesOf(item, i) : undefined)
    .map((sources) => sources?.filter(({ hash }) => hash !== undefined) ?? []);
  if (anchored.every((sources) => sources.length === 0)) return [...items];
  memory.restsOnMore?.();
  const { openContents } = await import("./contents.ts");
  const contents = await openContents(memory);
  const flagged = items.map((item, i): T => {
    const stale = changedSources(contents, anchored[i] ?? []);
    return stale.length === 0 ? item : { ...item, flags: [...item.flags, "stale"], stale };
  });
  contents.keep();
  return flagged;
}

/** The anchored files whose content changed, or that are gone. */
export function changedSources(contents: Contents, sources: readonly FileSource[]): StaleSource[] {
  return sources.flatMap(({ path, hash, commit }): StaleSource[] => {
    if (hash === undefined) return [];
    const now = contents.hashOf(path);
    if (now === undefined || now === hash) return [];
    const since = commit === undefined ? {} : { since: commit };
    return [{ path, change: now === "gone" ? "gone" : "changed", ...since }];
  });
}

/** For one line: `"src/auth.ts" changed since 1a2b3c4`. */
export function describeStale(stale: readonly StaleSource[], most = 3): string {
  const told = stale.slice(0, most).map(({ path, change, since }) => {
    const verb = change === "gone" ? "is gone" : "changed";
    return `${quote(path, 120)} ${verb}${since === undefined ? "" : ` since ${since.slice(0, 7)}`}`;
  });
  const more = stale.length - told.length;
  return told.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function isJudged(memory: Memory, item: NoteItem): boolean {
  return item.type === "knowledge" && isOfProject(memory, { store: item, note: item });
}
