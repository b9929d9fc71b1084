/** `sage migrate --from <source>`: another program's memory becomes notes; each item's outcome is listed. */
import { count } from "../../base/text/text.ts";
import type { ImportOutcome } from "../../memory/migrate/import_items.ts";
import { migrateFrom, type Migration, type SourceName } from "../../memory/migrate/sources.ts";
import { type Answer, dim, type Line, type Span } from "../terminal/answer.ts";
import type { Input } from "../command.ts";
import type { Io } from "../io.ts";
import { progress } from "../terminal/progress.ts";
import { table } from "../terminal/table.ts";
import { authorOf, withMemory } from "../with_memory.ts";

export interface MigrateSource {
  readonly from: SourceName;
  readonly path: string | undefined;
  readonly all: boolean;
  readonly isDry: boolean;
}

/** Rows on a terminal; more are counted, and `--json` has all. */
const ROWS_MAX = 40;

export function migrateSource(input: Input, io: Io, source: MigrateSource): Promise<Answer> {
  const { from, path, all, isDry } = source;
  return withMemory(input, io, async (memory) => {
    const given = path === undefined ? undefined : { path, cwd: io.cwd() };
    const options = { all, isDry, isAgent: authorOf(io).by === "agent" };
    const migration = await migrateFrom(memory, from, given, options, {
      item: ({ title, item }, at) => progress(io).say(`${at}: ${title ?? item}`),
      indexing: () => progress(io).say("Bringing the index up to date"),
    });
    return answer(io, source, migration);
  });
}

function answer(io: Io, { from, isDry }: MigrateSource, { places, items }: Migration): Answer {
  const of = (outcome: ImportOutcome["outcome"]): ImportOutcome[] =>
    items.filter((one) => one.outcome === outcome);
  const json = {
    ...(isDry ? { dry_run: true } : {}),
    places,
    items,
    counts: Object.fromEntries(
      (["made", "updated", "known", "kept", "refused", "unreadable", "elsewhere"] as const)
        .map((outcome) => [outcome, of(outcome).length]),
    ),
  };
  const [made, updated, elsewhere] = [of("made"), of("updated"), of("elsewhere")];
  const written = [...made, ...updated];
  const text: Line[] = [
    items.length === 0
      ? `Nothing of ${from} is there: looked at ${places.join(", ")}`
      : headline(isDry, from, made, updated, of("known").length),
    ...(isDry ? rows(io, written) : []),
    ...leftOut([...of("refused"), ...of("kept"), ...of("unreadable")]),
  ];
  const withheld = items.filter((one) => one.withheld === true).length;
  const insisting = made.filter((one) => one.insists === true).length;
  const notices = [
    ...(withheld === 0 ? [] : [`Private text was left out of ${count(withheld, "note")}`]),
    ...(insisting === 0 ? [] : [
      `${
        count(insisting, "note")
      } came pinned (pinned or always: true): look at what each session is told now`,
    ]),
    ...(elsewhere.length === 0 ? [] : [
      `${count(elsewhere.length, "item")} of other projects: --all brings them, for you alone; ` +
      "sage project claim takes a project's over",
    ]),
  ];
  const isUnreadable = items.length > 0 && items.every(({ outcome }) => outcome === "unreadable");
  const error = isUnreadable
    ? { code: "invalid_note", message: `Nothing of ${places.join(", ")} can be read` } as const
    : undefined;
  return { json, text, notices, error };
}

function headline(
  isDry: boolean,
  from: string,
  made: readonly ImportOutcome[],
  updated: readonly ImportOutcome[],
  known: number,
): string {
  const kinds = new Map<string, number>();
  for (const { type = "" } of made) kinds.set(type, (kinds.get(type) ?? 0) + 1);
  const split = kinds.size < 2
    ? ""
    : ` (${[...kinds].map(([kind, number]) => `${number} ${kind}`).join(", ")})`;
  const parts = [
    `${isDry ? "Would make" : "Made"} ${count(made.length, "note")} of ${from}${split}`,
    ...(updated.length === 0 ? [] : [`${updated.length} ${isDry ? "to update" : "updated"}`]),
    ...(known === 0 ? [] : [`${known} known already`]),
  ];
  return parts.join(", ");
}

function rows(io: Io, items: readonly ImportOutcome[]): Line[] {
  if (items.length === 0) return [];
  const heading = ["", "kind", "id", "title"].map(dim);
  const shown = items.slice(0, ROWS_MAX).map((
    { outcome, type = "", id = "", title = "" },
  ): Span[] => [outcome === "updated" ? "update" : "make", type, dim(id), title]);
  return [
    ...table(io, [heading, ...shown]),
    ...more(items.length),
  ];
}

function more(total: number): Line[] {
  return total > ROWS_MAX ? [dim(`  ${total - ROWS_MAX} more: --json has all`)] : [];
}

/** From this many on, items left out for one reason are counted instead of listed. */
const ALIKE_MIN = 4;

function leftOut(items: readonly ImportOutcome[]): Line[] {
  const alike = Map.groupBy(items, ({ outcome, reason }) => `${outcome}\n${reason}`);
  const counted = [...alike.values()].filter(([first, ...more]) =>
    first?.outcome === "kept" && more.length + 1 >= ALIKE_MIN
  );
  const told = new Set(counted.flat());
  return [
    ...counted.map((group) => `  ${count(group.length, "note")}: ${group[0]?.reason}`),
    ...named(items.filter((item) => !told.has(item))),
  ];
}

function named(items: readonly ImportOutcome[]): Line[] {
  const lines = items.slice(0, ROWS_MAX).map(
    ({ item, title, outcome, reason, rule, line }): Line => {
      const where = line === undefined ? item : `${item}, line ${line}`;
      const name = title === undefined || item.includes(title) ? "" : ` "${title}"`;
      const why = outcome === "refused" ? `refused: a secret (${rule})` : reason ?? "";
      return `  ${where}${name}: ${why}`;
    },
  );
  return [...lines, ...more(items.length)];
}
