/** `sage admin gc`: what is derived and unused, and what has expired, goes; no note does. */
import { count } from "../../base/text/text.ts";
import { type Collected, collectGarbage } from "../../memory/sweep/gc.ts";
import { type Answer, dim, type Line } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import { table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

const WHAT: Readonly<Record<Collected["what"], string>> = {
  litter: "left behind by programs that were killed",
  trash: "in the trash for more than 30 days",
  sessions: "state of sessions that ended over 30 days ago",
  indexes: "indexes that nobody used for 60 days",
  derived: "made ahead, and not used for 60 days",
  receipts: "receipts of days before the last 14",
};

export const gc = defineVerb({
  summary: "remove what is derived, unused or expired; never a note",
  usage: "sage admin gc [--dry-run] [--verbose]",
  options: {
    "dry-run": { type: "boolean", summary: "only say what would go" },
    verbose: { type: "boolean", short: "v", summary: "name every file" },
  },
  details:
    "Cleans this project's store, your own store and the machine-made state. Most of this happens by itself in time; an index that is needed again is made from the notes.",
  run(input, io) {
    const { "dry-run": dryRun, verbose } = input.options;
    return withMemory(input, io, (memory): Answer => {
      const items = collectGarbage(memory, { dryRun });
      const files = items.flatMap((item) => item.files);
      const bytes = sum(files);
      const json = { dry_run: dryRun, items, files: files.length, bytes };
      if (files.length === 0) return { json, text: ["Nothing to remove."] };
      const rows = items.flatMap(({ what, files }): Line[] => [
        ...table(io, [[WHAT[what], count(files.length, "file"), size(sum(files))]]),
        ...(verbose ? files.map(({ path }) => dim(`  ${path}`)) : []),
      ]);
      const said = `${count(files.length, "file")}, ${size(bytes)}`;
      return {
        json,
        text: [...rows, dryRun ? `Would remove ${said}. Nothing was removed.` : `Removed ${said}.`],
      };
    });
  },
});

function sum(files: Collected["files"]): number {
  return files.reduce((all, { bytes }) => all + bytes, 0);
}

function size(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
