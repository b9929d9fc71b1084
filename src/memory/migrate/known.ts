/**
 * What earlier runs imported, so that nothing is imported twice. Each note records its origin; a ledger in
 * the state also knows notes that a person has removed since, and the hash of each note as it was written, to
 * tell whether somebody changed it. It holds hashes only, and may be deleted.
 */
import { fieldsOf, textOf } from "../../base/fields.ts";
import { appendJsonLine, readJsonLines } from "../../base/jsonl.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { sha256Hex } from "../../base/hash.ts";
import { asNoteId } from "../../base/id.ts";
import { FRONT_MATTER_BYTES_MAX } from "../../base/limits.ts";
import { frontMap, frontText } from "../../note/front_values.ts";
import { readFrontMatter } from "../../note/front_matter.ts";
import type { FrontMap } from "../../note/note.ts";
import type { Store } from "../../store/handle.ts";
import { stemOf } from "../../store/layout.ts";
import { listPaths } from "../../store/walk.ts";
import { type Memory, scratchFolder } from "../memory.ts";

/** The front matter key that holds a note's origin. */
export const IMPORTED = "imported";

/** Where a note came from, and its state there. */
export interface Origin {
  readonly from: string;
  /** Tells several such sources apart: eight digits of the place's hash. */
  readonly place: string;
  readonly item: string;
  /** Hash of its state. */
  readonly hash: string;
}

interface Known {
  readonly hash: string;
  /** The note; undefined if a person removed it since. */
  readonly at?: { readonly id: string; readonly store: Store; readonly path: string };
}

/** A ledger line about a written note; all but the first field are hashes. */
interface Line {
  /** The id of its store: another project has a store of its own. */
  readonly store: string;
  readonly place: string;
  readonly item: string;
  readonly id: string;
  readonly hash: string;
  /** Hash of its file. */
  readonly written: string;
}

/** Enough hash digits for one person's notes. */
const DIGITS = 16;
const LEDGER_BYTES_MAX = 64 * 1024 * 1024;

export class KnownItems {
  readonly #memory: Memory;
  readonly #from: string;
  readonly #place: string;
  readonly #items = new Map<string, Known>();
  /** By item and content, whatever the place, because a source may have been moved. */
  readonly #same = new Map<string, Known>();
  /** By digest of the id: the digest of the file as a run wrote it. */
  readonly #written = new Map<string, string>();

  private constructor(memory: Memory, from: string, place: string) {
    this.#memory = memory;
    this.#from = from;
    this.#place = place;
  }

  static async open(memory: Memory, from: string, place: string): Promise<KnownItems> {
    const known = new KnownItems(memory, from, place);
    for (const line of known.#ledger()) {
      known.#written.set(line.id, line.written);
      known.#add(line, { hash: line.hash });
    }
    for (const store of memory.stores) {
      if (memory.fs.lstat(store.root) === undefined) continue;
      for (const { path } of listPaths(store).files) {
        const front = await frontOf(memory.fs, store, path);
        const origin = front === undefined ? undefined : frontMap(front, IMPORTED);
        if (front === undefined || origin === undefined) continue;
        if (frontText(origin, "from") !== from) continue;
        const said = (key: string): string => frontText(origin, key) ?? "";
        const [place, item, hash] = [said("place"), said("item"), said("hash")];
        const id = asNoteId(frontText(front, "id") ?? "") ?? stemOf(basename(path));
        known.#add({ place, item: digest(item), hash }, { hash, at: { id, store, path } });
      }
    }
    return known;
  }

  find(item: string, hash: string): Known | undefined {
    const key = digest(item);
    return this.#items.get(`${this.#place}\n${key}`) ?? this.#same.get(`${key}\n${hash}`);
  }

  /** Whether a note's file is as a run wrote it; undefined if that is no longer known. */
  isAsWritten(id: string, bytes: Uint8Array): boolean | undefined {
    const written = this.#written.get(digest(id));
    return written === undefined ? undefined : written === digest(bytes);
  }

  origin(item: string, hash: string): Origin {
    return { from: this.#from, place: this.#place, item, hash };
  }

  /** Remembers what was just written. */
  note(item: string, store: Store, id: string, hash: string, bytes: Uint8Array): void {
    const line: Line = {
      store: store.id,
      place: this.#place,
      item: digest(item),
      id: digest(id),
      hash,
      written: digest(bytes),
    };
    const path = this.#ledgerPath();
    this.#memory.fs.makeDir(dirname(path), 0o700);
    appendJsonLine(this.#memory.fs, path, line);
  }

  #add(origin: Pick<Origin, "place" | "item" | "hash">, known: Known): void {
    this.#items.set(`${origin.place}\n${origin.item}`, known);
    this.#same.set(`${origin.item}\n${origin.hash}`, known);
  }

  #ledgerPath(): string {
    return join(scratchFolder(this.#memory), `${this.#from}.jsonl`);
  }

  #ledger(): Line[] {
    const { fs } = this.#memory;
    const path = this.#ledgerPath();
    if (fs.lstat(path)?.kind !== "file") return [];
    const stores = this.#memory.stores.map(({ id }) => id);
    return readJsonLines(readBytes(fs, path, LEDGER_BYTES_MAX)).map(fieldsOf).flatMap((line) => {
      const said = (key: keyof Line): string => textOf(line[key]) ?? "";
      if (said("id") === "" || !stores.includes(said("store"))) return [];
      const [store, place, item] = [said("store"), said("place"), said("item")];
      return [{ store, place, item, id: said("id"), hash: said("hash"), written: said("written") }];
    });
  }
}

function digest(data: string | Uint8Array): string {
  return sha256Hex(data).slice(0, DIGITS);
}

/** The front matter of a note that records an origin; other notes are not parsed. */
async function frontOf(fs: Fs, store: Store, path: string): Promise<FrontMap | undefined> {
  try {
    // The front matter is all that is read.
    const text = decode(readBytes(fs, join(store.root, path), FRONT_MATTER_BYTES_MAX));
    if (!text.includes(`\n${IMPORTED}:`)) return undefined;
    const read = await readFrontMatter(text);
    return "map" in read ? read.map : undefined;
  } catch {
    // Gone meanwhile, or unreadable: nothing is known of it.
    return undefined;
  }
}
