/**
 * What a reader finds becomes notes, one by one: each is on disk before the next is begun, so that a run
 * that is killed goes on where it stopped. Private text never comes along, a secret keeps its note out,
 * what a person changed or removed stays so. A dry run goes the same way and writes nothing.
 */
import { SageError } from "../../base/errors.ts";
import { basename, encode, join } from "../../base/fs.ts";
import { sha256Hex } from "../../base/hash.ts";
import { holdLock } from "../../base/lock.ts";
import { collapse, cut, fold, slug } from "../../base/text.ts";
import { equalYaml } from "../../base/yaml.ts";
import { renderScalar } from "../../base/yaml_render.ts";
import { OF_A_PERSON } from "../knowledge/given_file.ts";
import { stripPrivate } from "../../guard/private.ts";
import { redactSync } from "../../guard/redact.ts";
import { scanSecrets } from "../../guard/scan.ts";
import { editFrontMatter, splitFrontMatter } from "../../note/front_matter.ts";
import { mapOrNothing } from "../../note/front_values.ts";
import { withoutTitle } from "../../note/markdown.ts";
import type { FrontValue, Note } from "../../note/note.ts";
import { parseNote } from "../../note/parse.ts";
import type { Store } from "../../store/handle.ts";
import { foldName, numberedStem, stemOf } from "../../store/layout.ts";
import { loadNote } from "../../store/load.ts";
import { listProjects, type Project } from "../../store/projects.ts";
import { replaceNote } from "../../store/store.ts";
import { isForgotten } from "../../store/tombstones.ts";
import { catalogue } from "../catalogue.ts";
import { sentenceHashes } from "../clean_draft.ts";
import { homeStore, type Memory } from "../memory.ts";
import { indexSaved } from "../reindex.ts";
import { takenIds, writeNote } from "../write.ts";
import { type Found, isProblem, type Item, type Place, type Reader } from "./item.ts";
import { IMPORTED, KnownItems } from "./known.ts";

export interface BringOptions {
  /** The kind of source, as it is named on the command line and in the notes. */
  readonly from: string;
  readonly read: Reader;
  readonly place: Place;
  /** What belongs to other projects too, into the person's own store. */
  readonly all: boolean;
  /** Nothing is written. */
  readonly isDry: boolean;
  /** An agent typed it: what only a person grants does not come along. */
  readonly isAgent: boolean;
}

/** Who wants to know how far it is. */
export interface Onlooker {
  item(done: Brought, count: number): void;
  /** All is written; what was is now made to be found. */
  indexing(): void;
}

export interface Brought {
  /** Where in its source. */
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
  /** Of a secret. */
  readonly rule?: string;
  /** In the source where that has lines, from 1. */
  readonly line?: number;
  /** Private text was left out. */
  readonly withheld?: true;
  /** It asks to be recalled always, or to be pinned. */
  readonly insists?: true;
}

/** Stands for the id until a free one is found; the front matter's first scalar of that form. */
const ID = "id-to-be-given";
const HASH_DIGITS = 16;
const TITLE_CHARACTERS_MAX = 120;
const INSISTS = /^(?:always|pinned):[ \t]*["']?(?:true|yes|on|1)\b/im;
const STAMPED = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}_/;
/** What goes wrong with every item alike. */
const STOPS: readonly string[] = ["disk_full", "locked", "internal", "interrupted", "untrusted"];

export async function bring(
  memory: Memory,
  options: BringOptions,
  onlooker: Onlooker,
): Promise<Brought[]> {
  const { fs, places, holder } = memory;
  if (memory.project?.trust === "unknown") {
    throw new SageError("untrusted", `Nobody vouches for the notes in ${memory.project.root}`, {
      hint: "look at them, then `sage trust`",
    });
  }
  const lock = options.isDry ? undefined : holdLock(
    fs,
    join(places.stateDir, "locks", "migrate.lock"),
    { deadlineMs: 0, holder },
  );
  const done: Brought[] = [];
  let run: Run | undefined;
  try {
    run = await Run.open(memory, options);
    for await (const found of options.read(options.place)) {
      const brought = await run.bring(found);
      done.push(brought);
      onlooker.item(brought, done.length);
    }
    onlooker.indexing();
  } finally {
    await run?.close();
    lock?.release();
  }
  return done;
}

interface FileAt {
  readonly id: string;
  readonly store: Store;
  readonly path: string;
}

/** What came of an item. */
type Said = Omit<Brought, "item" | "type" | "title">;

interface Target {
  readonly store: Store;
  readonly project: string | undefined;
}

class Run {
  readonly #memory: Memory;
  readonly #options: BringOptions;
  readonly #known: KnownItems;
  /** Ids and names of files, as file systems take them for one another. */
  readonly #taken: Set<string>;
  readonly #byId: ReadonlyMap<string, FileAt>;
  readonly #projects: readonly Project[];
  readonly #touched = new Set<Store>();
  /** Two items of one source under one key are one item. */
  readonly #seen = new Set<string>();

  private constructor(
    memory: Memory,
    options: BringOptions,
    known: KnownItems,
    taken: Set<string>,
    byId: ReadonlyMap<string, FileAt>,
    projects: readonly Project[],
  ) {
    this.#memory = memory;
    this.#options = options;
    this.#known = known;
    this.#taken = taken;
    this.#byId = byId;
    this.#projects = projects;
  }

  static async open(memory: Memory, options: BringOptions): Promise<Run> {
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
    return new Run(memory, options, known, taken, byId, projects);
  }

  async bring(found: Found): Promise<Brought> {
    if (isProblem(found)) {
      const [item, reason] = [tellable(found.key), tellable(found.reason)];
      return { item, outcome: "unreadable", reason, ...at(found) };
    }
    const item = named(found);
    const { key, kind: type } = item;
    const title = cut(tellable(item.title), TITLE_CHARACTERS_MAX);
    const said = { item: tellable(key), type, title };
    if (this.#seen.has(key)) {
      return { ...said, outcome: "kept", reason: "the source has it twice; the first was taken" };
    }
    this.#seen.add(key);
    try {
      return { ...said, ...await this.#bring(item) };
    } catch (error) {
      // One that cannot be written must not keep the others from it.
      if (!(error instanceof SageError) || STOPS.includes(error.code)) throw error;
      return { ...said, outcome: "unreadable", reason: error.message, ...at(item) };
    }
  }

  /** What was written is searched from now on. */
  async close(): Promise<void> {
    for (const store of this.#touched) await indexSaved(this.#memory, store);
  }

  async #bring(item: Item): Promise<Said> {
    const target = this.#target(item);
    if (typeof target === "string") return { outcome: "kept", reason: target };
    if (target === undefined) return { outcome: "elsewhere", reason: item.project ?? "" };
    const hash = sha256Hex(stripPrivate(item.state)).slice(0, HASH_DIGITS);
    const known = item.keepsId === true ? undefined : this.#known.find(item.key, hash);
    const isGone = known !== undefined ? known.at === undefined : this.#isRemoved(item);
    if (isGone) return { outcome: "kept", reason: "it was removed here" };
    if (known?.at !== undefined && known.hash === hash) {
      return { outcome: "known", id: known.at.id };
    }
    const namesake = this.#namesake(item);
    if (namesake !== undefined && known === undefined && item.keepsId !== true) {
      return { outcome: "known", id: namesake.id };
    }
    const read = await this.#read(item, target, hash);
    if ("outcome" in read) return read;
    const there = known?.at ?? namesake;
    const said = there === undefined
      ? await this.#make(item, target, read.text, hash)
      : await this.#renew(item, there, read.text, hash);
    return { ...said, ...read.more };
  }

  /** What may be kept of it as a note, or why nothing may. */
  async #read(
    item: Item,
    target: Target,
    hash: string,
  ): Promise<
    Said | { readonly text: string; readonly more: Pick<Brought, "withheld" | "insists"> }
  > {
    const rendered = await item.render(ID);
    const open = stripPrivate(rendered);
    const { front, body } = splitFrontMatter(open);
    if (front?.text.includes(ID) !== true) {
      return { outcome: "unreadable", reason: "private text reaches over its keys", ...at(item) };
    }
    const more = {
      ...(open === rendered ? {} : { withheld: true } as const),
      ...(this.#options.isAgent || !INSISTS.test(front.text) ? {} : { insists: true } as const),
    };
    if (open !== rendered && /^[\s*>-]*$/.test(withoutTitle(body))) {
      return { outcome: "kept", reason: "all of it is private" };
    }
    const text = await this.#marked(open, item, target, hash);
    const [secret] = await scanSecrets(text);
    if (secret !== undefined) {
      return { outcome: "refused", rule: secret.rule, line: await lineOf(item, secret) };
    }
    return this.#isForgotten(item.stem, open)
      ? { outcome: "kept", reason: "it was forgotten here" }
      : { text, more };
  }

  /** One that keeps its id, and had a note here that a person threw away. */
  #isRemoved({ stem, keepsId }: Item): boolean {
    return keepsId === true && this.#taken.has(foldName(stem)) && !this.#byId.has(stem);
  }

  /**
   * The note that it is already, by its name. A checkpoint is called by its second: another copy of it may
   * have come in another way.
   */
  #namesake({ kind, stem, keepsId }: Item): FileAt | undefined {
    const isNamed = keepsId === true || kind === "checkpoint" && STAMPED.test(stem);
    return isNamed ? this.#byId.get(stem) : undefined;
  }

  /** Undefined where it belongs to a project that is not asked for; a text where it may not come. */
  #target({ project, scope }: Item): Target | string | undefined {
    const { user, places } = this.#memory;
    const isForAll = project === "";
    if (isForAll || scope === "user") {
      if (this.#options.isAgent) return "it would hold in every project: a person brings it over";
      if (isForAll) return { store: user, project: undefined };
    }
    const home = scope === "user" ? user : homeStore(this.#memory);
    const own = [...places.projectIds, places.projectName, basename(places.projectDir)].map(fold);
    // A worktree's is called `project/worktree` by some.
    if (project === undefined || fold(project).split("/").some((name) => own.includes(name))) {
      return { store: home, project: places.projectId };
    }
    if (!this.#options.all) return undefined;
    if (this.#options.isAgent) return "it belongs to another project: a person brings it over";
    const known = this.#projects.find(({ id, name, root }) =>
      [id, name, basename(root)].map(fold).includes(fold(project))
    );
    return { store: user, project: known?.id ?? slug(project) };
  }

  /** With what Sage says of it, and nobody else. */
  async #marked(text: string, item: Item, target: Target, hash: string): Promise<string> {
    const { from, place } = this.#known.origin(item.key, hash);
    const changes = new Map<string, FrontValue | undefined>();
    if (item.keepsId !== true) {
      changes.set(
        IMPORTED,
        mapOrNothing([["from", from], ["place", place], ["item", item.key], ["hash", hash]]),
      );
    }
    // A note of every project stays one.
    if (item.keepsId !== true || item.project !== undefined) changes.set("project", target.project);
    if (this.#options.isAgent) { for (const key of OF_A_PERSON) changes.set(key, undefined); }
    return await editFrontMatter(text, changes);
  }

  async #make(
    item: Item,
    { store }: Target,
    text: string,
    hash: string,
  ): Promise<Said> {
    if (this.#options.isDry) {
      const id = this.#free(item.stem);
      this.#taken.add(foldName(id));
      return { outcome: "made", id };
    }
    const outcome = await writeNote(this.#memory, {
      store,
      kind: item.kind,
      stem: item.stem,
      title: item.title,
      render: (stem) => withId(text, item.keepsId === true ? item.stem : stem),
      ...(item.folder === undefined ? {} : { folder: item.folder }),
      // A person who words something anew may say again what was forgotten; a copy may not.
      author: { by: "sage", explicit: true },
      redactions: 0,
      isFree: (stem) => !this.#taken.has(foldName(stem)),
    });
    if (outcome.kind === "forgotten") return { outcome: "kept", reason: "it was forgotten here" };
    if (outcome.kind !== "saved") {
      const reason = "reason" in outcome ? outcome.reason : outcome.kind;
      return { outcome: "kept", reason };
    }
    const { path } = outcome;
    const id = item.keepsId === true ? item.stem : outcome.id;
    this.#taken.add(foldName(id));
    this.#touched.add(store);
    this.#known.note(item.key, store, id, hash, encode(withId(text, id)));
    return { outcome: "made", id, path };
  }

  /** What the source says now, where nobody has touched the note since. */
  async #renew(
    item: Item,
    { id, store, path }: FileAt,
    text: string,
    hash: string,
  ): Promise<Said> {
    const loaded = await loadNote(store, path);
    const { created } = loaded.note;
    // Where the source does not say since when it is so, the first run knew best.
    const dated = item.keepsId === true || created === ""
      ? text
      : await editFrontMatter(text, new Map([["created", created]]));
    const next = withId(dated, id);
    const isSame = loaded.text === next ||
      item.keepsId === true && saysTheSame(loaded.note, await parseNote(next, path));
    if (isSame) return { outcome: "known", id };
    const isUntouched = this.#known.isAsWritten(id, loaded.bytes);
    if (isUntouched !== true) {
      const reason = item.keepsId === true
        ? "a note with this id is here, and says something else"
        : isUntouched === undefined
        ? "it changed in its source; whether the note here was changed too is not known any more"
        : "it changed in its source, and the note here was changed too";
      return { outcome: "kept", id, reason };
    }
    if (item.kind === "checkpoint") {
      return { outcome: "kept", id, reason: "it changed in its source; a checkpoint is history" };
    }
    if (this.#options.isDry) return { outcome: "updated", id };
    const result = await replaceNote(store, loaded, next);
    if (result.kind !== "written") {
      return { outcome: "kept", id, reason: "somebody is writing to the note here" };
    }
    this.#touched.add(store);
    this.#known.note(item.key, store, id, hash, encode(next));
    return { outcome: "updated", id, path: join(store.root, path) };
  }

  /** The note of that name, or any sentence of it, whatever it is called now. */
  #isForgotten(id: string, text: string): boolean {
    const { fs, places: { stateDir }, stores } = this.#memory;
    if (fs.lstat(join(stateDir, "tombstones")) === undefined) return false;
    return stores.some((store) => isForgotten(fs, stateDir, { id, store })) ||
      sentenceHashes(text).some((contentHash) => isForgotten(fs, stateDir, { contentHash }));
  }

  #free(stem: string): string {
    for (let n = 1;; n++) {
      const id = numberedStem(stem, n);
      if (!this.#taken.has(foldName(id))) return id;
    }
  }
}

/** A bundle's note is written again, and may have other quotes. */
function saysTheSame(a: Note, b: Note): boolean {
  return a.body === b.body && equalYaml(a.front, b.front);
}

/** Private text in its name reaches neither a file's name nor what we say of it. */
function named(item: Item): Item {
  const [key, title] = [stripPrivate(item.key), stripPrivate(item.title)];
  const stem = title === item.title ? item.stem : slug(title) || item.kind;
  return { ...item, key, title: collapse(title), stem };
}

/** A name as it may be said in a report, whatever stands in it. */
function tellable(name: string): string {
  return redactSync(stripPrivate(name)).text;
}

function withId(text: string, id: string): string {
  return text.replace(ID, () => renderScalar(id, true));
}

function at({ line }: Pick<Item, "line">): Pick<Brought, "line"> {
  return line === undefined ? {} : { line };
}

/** Where in its source: the same rule found there, else where the item begins, else in the note. */
async function lineOf(
  { raw, line = 1 }: Item,
  secret: { readonly rule: string; readonly line: number },
): Promise<number> {
  if (raw === undefined) return secret.line;
  const found = (await scanSecrets(raw)).find(({ rule }) => rule === secret.rule);
  return line + (found?.line ?? 1) - 1;
}
