/** `sage admin freshness`: how old what is known is, and what of it may go into the archive. */
import { SageError } from "../../base/errors.ts";
import { shortId } from "../../base/id.ts";
import { count } from "../../base/text/text.ts";
import {
  agedEntries,
  type AgedEntry,
  knowledgeByFreshness,
} from "../../memory/freshness/freshness.ts";
import { archiveAged, keepAged, planArchive } from "../../memory/freshness/prune.ts";
import { settleAsked } from "../../memory/freshness/state.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Answer, dim, type Line, type Span, styled } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import type { Io } from "../io.ts";
import {
  firstRows,
  limitOption,
  moreNotice,
  PAGE_ROWS,
  renderLines,
  when,
  whenHeading,
} from "../terminal/print.ts";
import { canAsk, letter } from "../terminal/prompt.ts";
import { table } from "../terminal/table.ts";
import { authorOf, withMemory } from "../with_memory.ts";

export const freshness = defineVerb({
  summary: "how fresh knowledge is, the least fresh first",
  usage: "sage admin freshness [--limit <n>]",
  options: { limit: limitOption({ everywhere: true }) },
  details:
    "Freshness is 1 on the day of an update, and halves every freshness.half_life_days; being recalled or shown does not change it. Notes below freshness.archive_below may be archived: sage admin prune --stale.",
  run(input, io) {
    const { limit = PAGE_ROWS } = input.options;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const all = await knowledgeByFreshness(memory);
      const below = new Set(agedEntries(memory).map(({ note }) => note.id));
      const items = all.slice(0, limit).map((entry) => ({
        ...itemOf(entry),
        proposed: below.has(entry.note.id),
      }));
      const text: Line[] = all.length === 0 ? ["Nothing is known yet."] : [
        ...entryTable(memory, io, all.slice(0, limit), below),
        "",
        below.size === 0
          ? "Nothing is old enough for the archive."
          : `${below.size} of ${all.length} may go into the archive: sage admin prune --stale`,
      ];
      const json = { items, total: all.length, below: below.size };
      return { json, text, notices: moreNotice(items, all.length, "note") };
    });
  },
});

export const prune = defineVerb({
  summary: "archive knowledge that was not updated for long",
  usage: "sage admin prune --stale [--keep <a,b>] [--dry-run] [--yes]",
  options: {
    stale: { type: "boolean", summary: "notes below freshness.archive_below" },
    keep: { type: "list", summary: "keep these, and do not propose them again for as long" },
    "dry-run": { type: "boolean", summary: "only say what would go (default without a terminal)" },
    yes: { type: "boolean", short: "y", summary: "without asking" },
  },
  details:
    "On a terminal y archives all, n none, r asks about each. An archived note stays where it is; search finds it, but it is no longer recalled; sage knowledge restore brings it back. Pinned notes stay.",
  examples: [
    "sage admin prune --stale --dry-run",
    "sage admin prune --stale --keep 1f2e3d4c --yes",
  ],
  run(input, io) {
    const { stale, keep, yes, "dry-run": isDry } = input.options;
    if (!stale) {
      throw new SageError("usage", "--stale is missing", {
        hint: "sage admin prune --stale; checkpoints have sage checkpoint prune",
      });
    }
    return withMemory(input, io, async (memory) => {
      const all = await planArchive(memory);
      const kept = all.filter(({ note }) => isNamed(note.id, keep));
      requireAll(keep, kept);
      const plan = all.filter((entry) => !kept.includes(entry));
      const asks = !yes && !input.json && canAsk(io);
      const onlySays = isDry || !yes && !asks;
      if (!onlySays) keepAged(memory, kept);
      if (onlySays || plan.length === 0) return planned(memory, io, plan, kept, onlySays);
      const { chosen, keeping } = asks
        ? await ask(memory, io, plan)
        : { chosen: plan, keeping: [] };
      keepAged(memory, keeping);
      const { stateDir, projectDir } = memory.places;
      settleAsked(memory.fs, stateDir, projectDir, memory.now());
      return await pruned(memory, io, chosen, [...kept, ...keeping]);
    });
  },
});

function isNamed(id: string, names: readonly string[]): boolean {
  return names.includes(id) || names.includes(shortId(id));
}

/** A slip of the finger must not archive a note that somebody means to keep. */
function requireAll(names: readonly string[], kept: readonly AgedEntry[]): void {
  const odd = names.find((name) => !kept.some(({ note }) => isNamed(note.id, [name])));
  if (odd === undefined) return;
  throw new SageError("not_found", `No note that would go is called "${odd}"`, {
    hint: "sage admin prune --stale --dry-run shows them; nothing was done",
  });
}

interface Chosen {
  readonly chosen: readonly AgedEntry[];
  readonly keeping: readonly AgedEntry[];
}

const KEYS = { y: "yes", n: "no", r: "review" } as const;
const EACH = { a: "archive", k: "keep", s: "skip", q: "quit" } as const;

async function ask(memory: Memory, io: Io, plan: readonly AgedEntry[]): Promise<Chosen> {
  const { shown, more } = firstRows(io, plan, "note");
  io.err(renderLines([...entryTable(memory, io, shown), ...more], io.color));
  const key = await letter(io, `Archive ${count(plan.length, "note")}? yes, no or review`, KEYS);
  if (key === "y") return { chosen: plan, keeping: [] };
  if (key === "n") return { chosen: [], keeping: [] };
  const chosen: AgedEntry[] = [];
  const keeping: AgedEntry[] = [];
  for (const [i, entry] of plan.entries()) {
    const head: Line = [dim(`${i + 1} of ${plan.length}  `), entry.note.title];
    io.err(renderLines(["", head], io.color));
    const answer = await letter(io, "archive, keep, skip or quit?", EACH);
    if (answer === "q") break;
    if (answer === "a") chosen.push(entry);
    if (answer === "k") keeping.push(entry);
  }
  return { chosen, keeping };
}

function planned(
  memory: Memory,
  io: Io,
  plan: readonly AgedEntry[],
  kept: readonly AgedEntry[],
  onlySays: boolean,
): Answer {
  const json = { dry_run: onlySays, would_archive: plan.map(itemOf), kept: kept.map(itemOf) };
  if (plan.length === 0) return { json, text: ["Nothing is old enough for the archive."] };
  const { shown, more } = firstRows(io, plan, "note");
  return {
    json,
    text: [
      `Would archive ${count(plan.length, "note")}:`,
      ...entryTable(memory, io, shown),
      ...more,
    ],
    notices: [
      "nothing was archived yet; to do it: sage admin prune --stale --yes, and --keep <a,b> for what stays",
    ],
  };
}

async function pruned(
  memory: Memory,
  io: Io,
  chosen: readonly AgedEntry[],
  kept: readonly AgedEntry[],
): Promise<Answer> {
  const { archived, skipped } = await archiveAged(memory, chosen, authorOf(io));
  return {
    json: {
      archived: archived.map(itemOf),
      kept: kept.map(itemOf),
      skipped: skipped.map(({ entry, reason }) => ({ ...itemOf(entry), reason })),
    },
    text: [
      archived.length === 0
        ? "Nothing was archived."
        : `Archived ${count(archived.length, "note")}: found by search, recalled no more.`,
    ],
    notices: [
      ...skipped.map(({ entry: { note }, reason }) =>
        `sage: warning: left ${shortId(note.id)} alone: ${reason}`
      ),
      ...(archived.length === 0 ? [] : ["to bring one back: sage knowledge restore <id>"]),
    ],
  };
}

function entryTable(
  memory: Memory,
  io: Io,
  entries: readonly AgedEntry[],
  below: ReadonlySet<string> = new Set(),
): Line[] {
  const heading = ["id", whenHeading(io), "freshness", "title"].map(dim);
  const rows = entries.map(({ note, freshness }): Span[] => [
    dim(shortId(note.id)),
    when(io, note.updated, memory.now()),
    below.has(note.id) ? styled(freshness.toFixed(2), "yellow") : freshness.toFixed(2),
    note.title,
  ]);
  return table(io, [heading, ...rows]);
}

function itemOf({ note, store, freshness }: AgedEntry) {
  const { id, title, created, updated, status } = note;
  const path = `${store.root}/${note.path}`;
  const about = { id, short_id: shortId(id), type: note.kind, title, path, created, updated };
  return { ...about, status, scope: store.scope, freshness: Number(freshness.toFixed(3)) };
}
