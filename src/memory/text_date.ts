/**
 * The date of a note's text, where somebody changed it in an editor and left the date in its front
 * matter. The file stays as it is; the evidence is in the index: another text under the same date,
 * in bytes that Sage did not write. A clone or a checkout makes new files and no new texts, so a
 * text keeps the time at which this machine first saw it.
 */
import { parseTime, rfc3339 } from "../base/clock.ts";
import { join } from "../base/path.ts";
import { sha256Hex } from "../base/hash.ts";
import { collapse } from "../base/text/text.ts";
import type { FileSource } from "../note/provenance.ts";
import type { ChunkLike, NoteDocument } from "../search/document.ts";
import type { Store } from "../store/handle.ts";
import type { LoadedNote } from "../store/load.ts";
import { readState, updateState } from "../store/state.ts";
import { isOwnWrite, OWN_WRITE_MS } from "../store/own_writes.ts";
import { isOfProject } from "./index/entries.ts";
import type { Memory } from "./memory.ts";
import { stampPath } from "./session/orientation/prepared.ts";

/** One text of a note. */
interface Seen {
  /** The date in its file, RFC 3339. */
  readonly said: string;
  /** When it replaced another text under that date; absent for the text that the date belongs to. */
  readonly at?: string;
  /** By path: hashes of the source files at that time. */
  readonly sources?: Readonly<Record<string, string>>;
}

type SeenTexts = Readonly<Record<string, Seen>>;

const STATE = "reworded.json";
/** The oldest are dropped: a note that is edited all day adds one at each look. */
const TEXTS_MAX = 1000;
/** A hook waits no longer for another process; then the note keeps the date in its file. */
const LOCK_MS = 50;

/** The document with the date and the sources of its text. */
export async function withTextDate(
  memory: Memory,
  store: Store,
  loaded: LoadedNote,
  document: NoteDocument,
): Promise<NoteDocument> {
  const { kind, updated, sources } = document;
  const isLater = loaded.stamp.mtimeMs > (parseTime(updated) ?? Infinity) + OWN_WRITE_MS;
  if (!isLater || (kind !== "knowledge" && kind !== "todo")) return document;
  const text = textKey(document.id, document.chunks);
  try {
    const seen = seenTexts(memory);
    const own = seen[text] ?? await meet(memory, store, { loaded, document, text, seen });
    if (own?.at === undefined || own.at <= updated) return document;
    const inView = sources?.map((source) => inViewOf(source, own.sources?.[source.path]));
    return { ...document, updated: own.at, ...(inView === undefined ? {} : { sources: inView }) };
  } catch {
    // Optional: without it the note keeps the date in its file.
    return document;
  }
}

/** Read once while the file is unchanged: an index that is rebuilt asks for every note. */
const read = new WeakMap<Memory, { readonly stamp: string; readonly texts: SeenTexts }>();

function seenTexts(memory: Memory): SeenTexts {
  const { fs, places: { stateDir } } = memory;
  const stamp = stampPath(fs, join(stateDir, STATE));
  const known = read.get(memory);
  if (known?.stamp === stamp) return known.texts;
  const texts = readState<SeenTexts>(fs, stateDir, STATE) ?? {};
  read.set(memory, { stamp, texts });
  return texts;
}

/** A text that is new here: whether it replaced another one by hand, and when. */
async function meet(
  memory: Memory,
  store: Store,
  { loaded, document, text, seen }: {
    readonly loaded: LoadedNote;
    readonly document: NoteDocument;
    readonly text: string;
    readonly seen: SeenTexts;
  },
): Promise<Seen | undefined> {
  const before = memory.index(store).text(document.path);
  if (before === undefined) return undefined;
  const old = textKey(document.id, before.chunks);
  const said = seen[old]?.said ?? before.updated;
  if (old === text || said !== document.updated || isOwnWrite(store, loaded.bytes)) {
    return undefined;
  }
  const atMs = Math.min(loaded.stamp.mtimeMs, memory.now());
  const sources = await filesInView(memory, store, document, atMs);
  const own = { said, at: rfc3339(atMs), ...(sources === undefined ? {} : { sources }) };
  updateState<SeenTexts>(memory.fs, memory.places.stateDir, STATE, (known = {}) => {
    const texts = { ...known, [old]: known[old] ?? { said }, [text]: own };
    return Object.fromEntries(Object.entries(texts).slice(-TEXTS_MAX));
  }, { deadlineMs: LOCK_MS });
  return own;
}

/** Of the note's source files those whose content then is still the present one, and not the anchored one. */
async function filesInView(
  memory: Memory,
  store: Store,
  { project, sources = [] }: NoteDocument,
  atMs: number,
): Promise<Seen["sources"]> {
  const anchored = sources.filter(({ hash }) => hash !== undefined);
  if (anchored.length === 0 || !isOfProject(memory, { store, note: { project } })) return undefined;
  const { changedAt, openContents } = await import("./source/contents.ts");
  const contents = await openContents(memory);
  const found = anchored.flatMap(({ path, hash }) => {
    const now = contents.hashOf(path);
    const isSeen = now !== undefined && now !== hash && changedAt(memory, path, now) <= atMs;
    return isSeen ? [[path, now] as const] : [];
  });
  contents.keep();
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** As anchoring writes it: of a file that is gone only the name. */
function inViewOf(source: FileSource, hash: string | undefined): FileSource {
  if (hash === undefined) return source;
  return { path: source.path, hash: hash === "gone" ? undefined : hash, commit: undefined };
}

/**
 * A hash of what a note says. Without its history and its links' targets: entries are added and links
 * redirected without a change of the text.
 */
function textKey(id: string, chunks: readonly ChunkLike[]): string {
  const own = chunks.filter(({ heading }) => !heading.endsWith(" › History"));
  const parts = own.flatMap(({ heading, text }, i) =>
    heading === own[i - 1]?.heading ? [text] : [heading, text]
  );
  const text = collapse(parts.join("\n")).replace(/\[\[[^\]]{0,500}\]\]/g, "[[]]");
  return sha256Hex(`${id}\n${text}`).slice(0, 16);
}
