/**
 * The chain of checkpoints, by their `parent` links. People write files too, so a link may lead
 * nowhere or in a circle; both end the walk.
 */
import { shortId } from "../../base/id.ts";
import { frontText } from "../../note/front_values.ts";
import { extraField, relatedCatalogue } from "../catalogue.ts";
import { type Entry, newestFirst, readEntry } from "../index/entries.ts";
import { refOf } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { checkpointEntries } from "./list.ts";

export interface ChainLink {
  readonly id: string;
  readonly short_id: string;
  /** Undefined where no note in reach has that id. */
  readonly title?: string;
  readonly created?: string;
}

/** A chain is shown this far; its last link leads on. */
const LINKS_MAX = 20;

/** The ancestors of this checkpoint, nearest first. */
export async function parentChain(
  memory: Memory,
  parent: string | undefined,
): Promise<ChainLink[]> {
  if (parent === undefined) return [];
  const entries = await checkpointEntries(memory, { all: true });
  const chain: ChainLink[] = [];
  const seen = new Set<string>();
  let wanted: string | undefined = parent;
  while (wanted !== undefined && chain.length < LINKS_MAX) {
    const entry = byReference(entries, wanted);
    const id: string = entry?.note.id ?? wanted;
    if (seen.has(id)) break;
    seen.add(id);
    const stored = await readEntry(entry);
    if (stored === undefined) {
      chain.push({ id, short_id: shortId(id) });
      break;
    }
    const note = withoutPrivate(stored.note);
    chain.push({ ...refOf(note), created: note.created });
    wanted = frontText(note.front, "parent");
  }
  return chain;
}

/** The checkpoints with this one as their parent, newest first. */
export async function childrenOf(memory: Memory, id: string): Promise<ChainLink[]> {
  const names = [id, shortId(id)];
  const children = (await relatedCatalogue(memory, ["checkpoint"])).filter((entry) =>
    !entry.note.problem && names.includes(extraField(entry, "parent") ?? "")
  );
  return children.sort(newestFirst)
    .map(({ note }) => ({ ...refOf(note), created: note.created }));
}

/** A person may have typed the short id as parent. */
function byReference(entries: readonly Entry[], wanted: string): Entry | undefined {
  return entries.find(({ note }) => note.id === wanted) ??
    entries.find(({ note }) => shortId(note.id) === wanted);
}
