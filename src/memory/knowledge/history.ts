/** The history of a note: its versions, newest first, and the notes that it replaces and is replaced by. */
import { rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { shortId } from "../../base/id.ts";
import { renderDiff } from "../../base/text/diff.ts";
import { editFrontMatter, splitFrontMatter } from "../../note/front_matter.ts";
import { addHistory, historyText, readKnowledge, withoutHistory } from "../../note/knowledge.ts";
import { canonical } from "../../note/front_values.ts";
import type { FrontValue, Note } from "../../note/note.ts";
import { loadNote } from "../../store/load.ts";
import { replaceNote } from "../../store/store.ts";
import { listVersions } from "../../store/versions.ts";
import { catalogue } from "../catalogue.ts";
import type { Entry } from "../index/entries.ts";
import {
  attributed,
  authorOf,
  type DatedRef,
  datedRef,
  type StoredNote,
  toStored,
} from "../item.ts";
import type { Memory } from "../memory.ts";
import type { Author, NotSaved } from "../write/outcome.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { indexSaved } from "../index/reindex.ts";
import { openGraph } from "../graph/graph.ts";
import { edgesOf, otherEnd } from "../graph/walk.ts";
import { linkedText } from "../vault/links.ts";
import { withHistory } from "./given_file.ts";
import { refusedToAgent } from "./agent_limits.ts";

export interface Version {
  /** From 1, the oldest that is kept; the highest is the current note. */
  readonly number: number;
  readonly updated: string;
  readonly author: string;
  /** First digits of the hash of its file. */
  readonly hash: string;
  readonly title: string;
  /** The note's own history line for it. */
  readonly reason: string;
  /** Its text, without private parts and history. */
  readonly text: string;
  readonly stored: StoredNote;
}

export interface Lineage {
  /** What it replaces, and what those replaced, nearest first. */
  readonly replaces: readonly DatedRef[];
  readonly replaced_by: readonly DatedRef[];
  /** Both statements are active; a person has to say which one holds. */
  readonly contradicts: readonly DatedRef[];
}

/** Identity and owner of a note, kept when a version from before a promotion is restored. */
const PLACE_KEYS = ["id", "project", "promoted", "cross_project_recalls"];
/** A longer chain is a mistake. */
const CHAIN_MAX = 50;
const HASH_DIGITS_SHOWN = 8;

/** Every readable version, the current one first. */
export async function versionsOf(stored: StoredNote): Promise<Version[]> {
  const all = await keptVersions(stored);
  return [...all, stored].map((one, i) => toVersion(one, i + 1)).reverse();
}

/** Says which numbers exist, for an error about one that does not. */
export function versionsThere(count: number): string {
  return count === 1 ? "it has only version 1" : `it has versions 1 to ${count}`;
}

/** Readable versions before the current one, oldest first: number 1 comes first. */
export async function keptVersions(
  { store, note: { id } }: StoredNote,
  newest = Infinity,
): Promise<StoredNote[]> {
  const kept: StoredNote[] = [];
  for (const { path } of listVersions(store, id).slice(-newest)) {
    const loaded = await loadNote(store, path).catch(() => undefined);
    if (loaded !== undefined) kept.push(toStored(store, loaded));
  }
  return kept;
}

function toVersion(stored: StoredNote, number: number): Version {
  const note: Note = withoutPrivate(stored.note);
  return {
    number,
    updated: note.updated,
    author: attributed(stored.store, authorOf(note)),
    hash: stored.hash.slice(0, HASH_DIGITS_SHOWN),
    title: note.title,
    reason: readKnowledge(note).history[0]?.reason ?? "",
    text: withoutHistory(note.body).replaceAll("\r\n", "\n").trim(),
    stored,
  };
}

/** The difference to the version before; empty for the oldest, and where only keys changed. */
export function changesOf(versions: readonly Version[], number: number): string {
  const [after, before] = [number, number - 1].map((wanted) =>
    versions.find((version) => version.number === wanted)
  );
  return before === undefined ? "" : renderDiff(before.text, after?.text);
}

type VersionItem = Omit<Version, "stored" | "text"> & {
  readonly path: string;
  /** If it was asked for. */
  readonly diff?: string;
};

/** As lists show them. */
export function versionItems(versions: readonly Version[], isDiffed: boolean): VersionItem[] {
  return versions.map(({ stored: { absolutePath: path }, text: _, ...version }) => ({
    ...version,
    path,
    ...(isDiffed ? { diff: changesOf(versions, version.number) } : {}),
  }));
}

export type RestoreVersionOutcome =
  | { readonly kind: "restored" | "same" }
  | { readonly kind: "edited"; readonly path: string }
  | NotSaved;

/** Restores that version as the note's file; the current text is kept as a version. */
export async function restoreVersion(
  memory: Memory,
  stored: StoredNote,
  number: number,
  author: Author,
): Promise<RestoreVersionOutcome> {
  const refused = refusedToAgent(memory, stored, author);
  if (refused !== undefined) return refused;
  const versions = await versionsOf(stored);
  const version = versions.find((one) => one.number === number);
  if (version === undefined) {
    throw new SageError("not_found", `"${stored.note.title}" has no version ${number}`, {
      hint: `${versionsThere(versions.length)}: sage knowledge history ${shortId(stored.note.id)}`,
    });
  }
  if (version.stored.path === stored.path) return { kind: "same" };
  const at = rfc3339(memory.now());
  const { text } = version.stored.loaded;
  const { body, bodyStart, eol } = splitFrontMatter(text);
  const old = withoutHistory(body);
  const history = historyText(splitFrontMatter(stored.loaded.text).body);
  const joined = history === "" ? old : withHistory(old, history).replace(/\r?\n/g, eol);
  const { front } = stored.note;
  const changes = new Map<string, FrontValue | undefined>([["updated", at]]);
  for (const key of PLACE_KEYS) {
    const value = front.get(key);
    if (canonical(value) !== canonical(version.stored.note.front.get(key))) changes.set(key, value);
  }
  const whole = await editFrontMatter(text.slice(0, bodyStart) + joined, changes);
  const reason = `restored version ${number} of ${version.updated.slice(0, 10)}`;
  const next = await linkedText(
    memory,
    stored.store,
    addHistory(whole, at.slice(0, 10), reason),
    stored.loaded.text,
  );
  const outcome = await replaceNote(stored.store, stored.loaded, next);
  if (outcome.kind !== "written") return { kind: "edited", path: stored.absolutePath };
  await indexSaved(memory, stored.store, stored.path);
  return { kind: "restored" };
}

/** The chain of `supersedes` in both directions; a cycle ends where it began. */
export async function lineageOf(memory: Memory, { note: { id } }: StoredNote): Promise<Lineage> {
  const entries = await catalogue(memory, ["knowledge"]);
  const byId = new Map<string, Entry>(entries.map((entry) => [entry.note.id, entry]));
  const walk = (next: (entry: Entry) => readonly (string | undefined)[]): DatedRef[] => {
    const seen = new Set<string>([id]);
    const found: DatedRef[] = [];
    const queue = [byId.get(id)];
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      for (const other of next(entry)) {
        const older = other === undefined || seen.has(other) ? undefined : byId.get(other);
        if (older === undefined || found.length >= CHAIN_MAX) continue;
        seen.add(older.note.id);
        found.push(datedRef(older.note));
        queue.push(older);
      }
    }
    return found;
  };
  return {
    replaces: walk(({ note }) => note.supersedes),
    replaced_by: walk(({ note }) => [note.supersededBy]),
    contradicts: await contradictions(memory, id),
  };
}

async function contradictions(memory: Memory, id: string): Promise<DatedRef[]> {
  const graph = await openGraph(memory, { all: true });
  const node = graph.nodes.find(({ note }) => note.id === id);
  if (node === undefined) return [];
  const others = edgesOf(node).filter(({ relation }) => relation === "contradicts")
    .map((edge) => otherEnd(edge, node));
  return [...new Set(others)].map(({ note }) => datedRef(note));
}
