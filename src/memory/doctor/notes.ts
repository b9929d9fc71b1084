/** What is wrong in single notes, and between them. */
import { UNMERGED } from "../../base/text/conflict_markers.ts";
import { join } from "../../base/path.ts";
import { prepareQuery } from "../../search/query/query.ts";
import { circlesIn } from "../../search/ranking/successors.ts";
import { foldInbox } from "../../store/inbox.ts";
import { everyEntry } from "../catalogue.ts";
import { type Entry, readEntry } from "../index/entries.ts";
import { stillHere } from "../knowledge/promoted.ts";
import { type Memory, storesThere } from "../memory.ts";
import { duplicateIdHint } from "../write/duplicate_ids.ts";
import { type Finding, listed, wrong } from "./finding.ts";

export async function noteFindings(memory: Memory): Promise<Finding[]> {
  const all = everyEntry(memory);
  return [
    ...changedSincePromoted(memory, all),
    ...circles(all),
    ...sharedIds(all),
    ...await unparsed(all),
  ];
}

function changedSincePromoted(memory: Memory, all: readonly Entry[]): Finding[] {
  return stillHere(memory, all).filter(({ isChanged }) => isChanged).map(({ left, own }) => {
    const [here, there] = [pathOf(left), pathOf(own)];
    return wrong(
      "warning",
      `${here} was promoted to ${there} on another branch, and changed here since: agents are shown both`,
      `bring what is new over, then put it away: sage knowledge rm ${here}`,
    );
  });
}

function circles(all: readonly Entry[]): Finding[] {
  return replacingEachOther(all).map((circle) => {
    const paths = circle.map(pathOf);
    const what = `${paths.slice(0, -1).join(", ")} and ${paths.at(-1)} supersede each other, ` +
      "so none of them replaces another";
    return wrong(
      "warning",
      what,
      "take the newer one's id out of supersedes in the one that is old",
    );
  });
}

/** Notes that supersede each other: two people merged the same two in opposite directions. */
function replacingEachOther(all: readonly Entry[]): Entry[][] {
  const active = all.filter(({ note }) => note.status === "active");
  return [...Map.groupBy(active, ({ store }) => store).values()].flatMap((entries) => {
    const said = entries.flatMap(({ note: { id, supersedes } }) =>
      supersedes.filter((old) => old !== id).map((old) => [old, id] as const)
    );
    return circlesIn(new Map(said)).map((ids) =>
      entries.filter(({ note }) => ids.includes(note.id))
    );
  });
}

function sharedIds(all: readonly Entry[]): Finding[] {
  const findings: Finding[] = [];
  const seen = new Map<string, string>();
  for (const entry of all) {
    const path = pathOf(entry);
    const key = `${entry.store.id} ${entry.note.id}`;
    const other = seen.get(key);
    if (other !== undefined) {
      // A copy has the longer name: `note (copy).md`.
      const copy = other.length > path.length ? other : path;
      const what = `${path} and ${other} have the same id`;
      findings.push(wrong("warning", what, duplicateIdHint(entry.note.kind, copy)));
    }
    seen.set(key, path);
  }
  return findings;
}

async function unparsed(all: readonly Entry[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const entry of all.filter(({ note }) => note.problem)) {
    const problem = (await readEntry(entry))?.note.problem;
    const place = problem === undefined
      ? ""
      : `:${problem.line}:${problem.column} ${problem.reason}`;
    const mend = problem?.reason === UNMERGED
      ? "keep what is right and delete git's conflict markers"
      : "mend the front matter; until then it is plain text";
    findings.push(wrong("warning", `${pathOf(entry)}${place}`, mend));
  }
  return findings;
}

function pathOf({ store, note }: Entry): string {
  return join(store.root, note.path);
}

/** Notes in which a merge left both sides of one passage, until a person chooses. */
export function unmergedFindings(memory: Memory): Finding[] {
  // A word that no note has stands in no phrase either, and no text is read.
  const query = prepareQuery(UNMERGED_WORD);
  const found = storesThere(memory).flatMap((store) => {
    const index = memory.index(store);
    if (index.query(query, { limit: 1 }).length === 0) return [];
    return [...index.holding([UNMERGED_HEADING])].map((path) => join(store.root, path));
  });
  const mend = 'keep what is right and delete the section "Updates (unmerged …)"';
  return listed(found.sort(), (path) => `two versions of one place stand in ${path}`, mend);
}

/** As `note/merge_notes.ts` and `knowledge edit` write it, folded, with the century. */
const UNMERGED_WORD = "unmerged";
const UNMERGED_HEADING = `updates (${UNMERGED_WORD} 20`;

/** Changes that hooks left in the inbox and that could not be applied when the memory was opened. */
export function waitingFindings({ stores }: Memory): Finding[] {
  return stores.flatMap((store) =>
    foldInbox(store).problems.map(({ path, reason }) =>
      wrong(
        "warning",
        `a waiting change of a note cannot be applied: ${reason}`,
        `mend what it names, or delete ${join(store.root, path)}`,
      )
    )
  );
}
