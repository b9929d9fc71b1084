/**
 * Turns what a reader finds into notes, one by one: each is on disk before the next is begun, so that a run
 * that was killed continues where it stopped. Private text is left out, an item with a secret is refused, and
 * what a person changed or removed stays so. A dry run does the same without writing.
 */
import { SageError } from "../../base/errors.ts";
import { basename, join } from "../../base/path.ts";
import { encode } from "../../base/utf8.ts";
import { sha256Hex } from "../../base/hash.ts";
import { cut, fold, slug } from "../../base/text/text.ts";
import { equalYaml } from "../../base/yaml/value.ts";
import { stripPrivate } from "../../guard/private.ts";
import { redactSync } from "../../guard/redact.ts";
import { editFrontMatter } from "../../note/front_matter.ts";
import type { Note } from "../../note/note.ts";
import { parseNote } from "../../note/parse.ts";
import type { Store } from "../../store/handle.ts";
import { foldName, numberedStem, stemOf } from "../../store/layout.ts";
import { loadNote } from "../../store/load.ts";
import { listProjects, type Project } from "../../store/projects.ts";
import { replaceNote } from "../../store/store.ts";
import { catalogue } from "../catalogue.ts";
import { homeStore, type Memory } from "../memory.ts";
import { indexSaved } from "../index/reindex.ts";
import { takenIds, writeNote } from "../write/write.ts";
import { cleanItem, cleanName, withId } from "./clean_item.ts";
import { type Found, isProblem, type Item, type Place, type Reader } from "./item.ts";
import { KnownItems } from "./known.ts";
import { holdImportLock } from "./lock.ts";

export interface ImportOptions {
  /** The kind of source, as it is named on the command line and in the notes. */
  readonly from: string;
  readonly read: Reader;
  readonly place: Place;
  /** Items of other projects too, into the person's own store. */
  readonly all: boolean;
  /** Nothing is written. */
  readonly isDry: boolean;
  /** Run by an agent: what only a person grants is left out. */
  readonly isAgent: boolean;
}

/** Receives progress. */
export interface ProgressListener {
  item(done: ImportOutcome, count: number): void;
  /** All is written; the index comes next. */
  indexing(): void;
}

export interface ImportOutcome {
  /** Its place in its source. */
  readonly item: string;
  readonly type?: Item["kind"];
  readonly title?: string;
  /**
   * `known`: an earlier run made it, or it is here already. `kept`: what is here stays as it is, for
   * `reason`. `elsewhere`: it belongs to another project.
   */
  readonly outcome: "made" | "updated" | "known" | "kept" | "refused" | "unreadable" | "elsewhere";
  readonly id?: string;
  /** Absolute. */
  readonly path?: string;
  readonly reason?: string;
  /** The rule that found a secret. */
  readonly rule?: string;
  /** The line in the source, from 1, if it has lines. */
  readonly line?: number;
  /** Private text was left out. */
  readonly withheld?: true;
  /** It claims to be pinned. */
  readonly insists?: true;
}

const HASH_DIGITS = 16;
const TITLE_CHARACTERS_MAX = 120;
const STAMPED = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}_/;
/** Errors that every item would meet. */
const STOPS: readonly string[] = ["disk_full", "locked", "internal", "interrupted", "untrusted"];

export async function importItems(
  memory: Memory,
  options: ImportOptions,
  listener: ProgressListener,
): Promise<ImportOutcome[]> {
  if (memory.project?.trust === "unknown") {
    throw new SageError("untrusted", `The notes in ${memory.project.root} are not trusted`, {
      hint: "look at them, then `sage trust`",
    });
  }
  const lock = options.isDry ? undefined : holdImportLock(memory);
  const done: ImportOutcome[] = [];
  let run: Run | undefined;
  try {
    run = await beginRun(memory, options);
    for await (const found of options.read(options.place)) {
      const outcome = await importOne(run, found);
      done.push(outcome);
      listener.item(outcome, done.length);
    }
    listener.indexing();
  } finally {
    for (const store of run?.touched ?? []) await indexSaved(memory, store);
    lock?.release();
  }
  return done;
}

interface FileAt {
  readonly id: string;
  readonly store: Store;
  readonly path: string;
}

/** The outcome of an item. */
type Said = Omit<ImportOutcome, "item" | "type" | "title">;

interface Target {
  readonly store: Store;
  readonly project: string | undefined;
}

interface Run extends ImportOptions {
  readonly memory: Memory;
  readonly known: KnownItems;
  /** Ids and file names, folded as file systems compare them. */
  readonly taken: Set<string>;
  readonly byId: ReadonlyMap<string, FileAt>;
  readonly projects: readonly Project[];
  readonly touched: Set<Store>;
  /** Items with the same source and key are one item. */
  readonly seen: Set<string>;
}

async function beginRun(memory: Memory, options: ImportOptions): Promise<Run> {
  const place = sha256Hex(options.place.path).slice(0, 8);
  const known = await KnownItems.open(memory, options.from, place);
  const byId = new Map<string, FileAt>((await catalogue(memory)).map(({ store, note }) => {
    const { id, path } = note;
    return [id, { id, store, path }];
  }));
  const files = [...byId.values()].map(({ path }) => stemOf(basename(path)));
  const taken = new Set([...await takenIds(memory), ...files].map(foldName));
  const { fs, places } = memory;
  const projects = await listProjects(fs, places.userRoot).catch(() => []);
  return { ...options, memory, known, taken, byId, projects, touched: new Set(), seen: new Set() };
}

async function importOne(run: Run, found: Found): Promise<ImportOutcome> {
  if (isProblem(found)) {
    const [item, reason] = [reportable(found.key), reportable(found.reason)];
    return { item, outcome: "unreadable", reason, ...at(found) };
  }
  const item = cleanName(found);
  const { key, kind: type } = item;
  const title = cut(reportable(item.title), TITLE_CHARACTERS_MAX);
  const said = { item: reportable(key), type, title };
  if (run.seen.has(key)) {
    return {
      ...said,
      outcome: "kept",
      reason: "the source has it twice; the first one was imported",
    };
  }
  run.seen.add(key);
  try {
    return { ...said, ...await importItem(run, item) };
  } catch (error) {
    // An item that cannot be written must not stop the others.
    if (!(error instanceof SageError) || STOPS.includes(error.code)) throw error;
    return { ...said, outcome: "unreadable", reason: error.message, ...at(item) };
  }
}

async function importItem(run: Run, item: Item): Promise<Said> {
  const target = targetOf(run, item);
  if (typeof target === "string") return { outcome: "kept", reason: target };
  if (target === undefined) return { outcome: "elsewhere", reason: item.project ?? "" };
  const hash = sha256Hex(stripPrivate(item.state)).slice(0, HASH_DIGITS);
  const known = item.keepsId === true ? undefined : run.known.find(item.key, hash);
  const isGone = known !== undefined ? known.at === undefined : isRemoved(run, item);
  if (isGone) return { outcome: "kept", reason: "it was removed here" };
  if (known?.at !== undefined && known.hash === hash) return { outcome: "known", id: known.at.id };
  const namesake = namesakeOf(run, item);
  if (namesake !== undefined && known === undefined && item.keepsId !== true) {
    return { outcome: "known", id: namesake.id };
  }
  const { memory, isAgent } = run;
  const origin = run.known.origin(item.key, hash);
  const clean = await cleanItem(memory, item, { origin, project: target.project, isAgent });
  if (clean.kind !== "clean") {
    const { kind: outcome, ...why } = clean;
    return { outcome, ...why, ...(outcome === "unreadable" ? at(item) : {}) };
  }
  const there = known?.at ?? namesake;
  const draft = { item, text: clean.text, hash };
  const said = there === undefined
    ? await make(run, target.store, draft)
    : await renew(run, there, draft);
  return {
    ...said,
    ...(clean.isWithheld ? { withheld: true } as const : {}),
    ...(clean.insists ? { insists: true } as const : {}),
  };
}

/** Whether a note with its id was here and a person removed it. */
function isRemoved({ taken, byId }: Run, { stem, keepsId }: Item): boolean {
  return keepsId === true && taken.has(foldName(stem)) && !byId.has(stem);
}

/**
 * The note that is the same item, by its name: if the item keeps its id, or if it is a checkpoint, whose name
 * contains the second in which it was made.
 */
function namesakeOf({ byId }: Run, { kind, stem, keepsId }: Item): FileAt | undefined {
  const isNamed = keepsId === true || kind === "checkpoint" && STAMPED.test(stem);
  return isNamed ? byId.get(stem) : undefined;
}

/** Undefined if it belongs to a project that is not asked for; a text that says why it may not come. */
function targetOf(run: Run, { project, scope }: Item): Target | string | undefined {
  const { user, places } = run.memory;
  const isForAll = project === "";
  if (isForAll || scope === "user") {
    if (run.isAgent) return "it would hold in every project, so only a person imports it";
    if (isForAll) return { store: user, project: undefined };
  }
  const home = scope === "user" ? user : homeStore(run.memory);
  const own = [...places.projectIds, places.projectName, basename(places.projectDir)].map(fold);
  // Some programs call a worktree's project `project/worktree`.
  if (project === undefined || fold(project).split("/").some((name) => own.includes(name))) {
    return { store: home, project: places.projectId };
  }
  if (!run.all) return undefined;
  if (run.isAgent) return "it belongs to another project, so only a person imports it";
  const known = run.projects.find(({ id, name, root }) =>
    [id, name, basename(root)].map(fold).includes(fold(project))
  );
  return { store: user, project: known?.id ?? slug(project) };
}

/** An item with clean text, without an id yet. */
interface Draft {
  readonly item: Item;
  readonly text: string;
  /** Hash of its state in the source. */
  readonly hash: string;
}

async function make(run: Run, store: Store, { item, text, hash }: Draft): Promise<Said> {
  if (run.isDry) {
    const id = freeId(run, item.stem);
    run.taken.add(foldName(id));
    return { outcome: "made", id };
  }
  const outcome = await writeNote(run.memory, {
    store,
    kind: item.kind,
    stem: item.stem,
    title: item.title,
    render: (stem) => withId(text, item.keepsId === true ? item.stem : stem),
    ...(item.folder === undefined ? {} : { folder: item.folder }),
    // Rewording something forgotten is allowed to a person, but not to an import.
    author: { by: "sage", explicit: true },
    redactions: 0,
    isFree: (stem) => !run.taken.has(foldName(stem)),
  });
  if (outcome.kind === "forgotten") return { outcome: "kept", reason: "it was forgotten here" };
  if (outcome.kind !== "saved") {
    const reason = "reason" in outcome ? outcome.reason : outcome.kind;
    return { outcome: "kept", reason };
  }
  const { path } = outcome;
  const id = item.keepsId === true ? item.stem : outcome.id;
  run.taken.add(foldName(id));
  run.touched.add(store);
  run.known.note(item.key, store, id, hash, encode(withId(text, id)));
  return { outcome: "made", id, path };
}

/** Updates a note to what the source says now, unless somebody changed it here. */
async function renew(
  run: Run,
  { id, store, path }: FileAt,
  { item, text, hash }: Draft,
): Promise<Said> {
  const loaded = await loadNote(store, path);
  const { created } = loaded.note;
  // The date of the first run, since the source may have none.
  const dated = item.keepsId === true || created === ""
    ? text
    : await editFrontMatter(text, new Map([["created", created]]));
  const next = withId(dated, id);
  const isSame = loaded.text === next ||
    item.keepsId === true && saysTheSame(loaded.note, await parseNote(next, path));
  if (isSame) return { outcome: "known", id };
  const reason = whyKept(item, run.known.isAsWritten(id, loaded.bytes));
  if (reason !== undefined) return { outcome: "kept", id, reason };
  if (run.isDry) return { outcome: "updated", id };
  const result = await replaceNote(store, loaded, next);
  if (result.kind !== "written") {
    return { outcome: "kept", id, reason: "the note is being changed here" };
  }
  run.touched.add(store);
  run.known.note(item.key, store, id, hash, encode(next));
  return { outcome: "updated", id, path: join(store.root, path) };
}

/** Why the note stays as it is, though its source changed; undefined if it may follow. */
function whyKept({ kind, keepsId }: Item, isAsWritten: boolean | undefined): string | undefined {
  if (isAsWritten === true) {
    return kind === "checkpoint" ? "it changed in its source; a checkpoint is history" : undefined;
  }
  if (keepsId === true) return "a note with this id exists here, with another text";
  return isAsWritten === undefined
    ? "it changed in its source, and it is no longer known whether the note here was changed too"
    : "it changed in its source, and the note here was changed too";
}

function freeId({ taken }: Run, stem: string): string {
  for (let n = 1;; n++) {
    const id = numberedStem(stem, n);
    if (!taken.has(foldName(id))) return id;
  }
}

/** Compares the values, because a note from a bundle may have its keys quoted otherwise. */
function saysTheSame(a: Note, b: Note): boolean {
  return a.body === b.body && equalYaml(a.front, b.front);
}

/** A name as a report may show it. */
function reportable(name: string): string {
  return redactSync(stripPrivate(name)).text;
}

function at({ line }: Pick<Item, "line">): Pick<ImportOutcome, "line"> {
  return line === undefined ? {} : { line };
}
