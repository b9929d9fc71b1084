/** `sage admin export` and `import`: the notes as a bundle that other programs read, and back. */
import { SageError } from "../../base/errors.ts";
import { resolveFrom } from "../../base/path.ts";
import { count } from "../../base/text/text.ts";
import { exportBundle } from "../../memory/okf/export.ts";
import { type Answer, dim } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import { migrateSource } from "../migrate/source.ts";
import { progress } from "../terminal/progress.ts";
import { withMemory } from "../with_memory.ts";

export const exportVerb = defineVerb({
  summary: "write the notes as an Open Knowledge Format bundle",
  usage: "sage admin export --okf <dir> [--all]",
  options: {
    okf: { type: "string", value: "dir", summary: "an empty folder, or a new one" },
    all: { type: "boolean", summary: "also your own notes, local/, _PRIVATE/ and other projects'" },
  },
  details:
    "One Markdown file for each note, under its path, with its keys in the terms of OKF 0.2 and links that any reader follows; index.md lists them. sage migrate --from okf imports them again as the same notes. Private text, secrets and earlier versions are left out.",
  examples: ["sage admin export --okf ~/notes-bundle"],
  run(input, io) {
    const { okf, all } = input.options;
    if (okf === undefined) {
      throw new SageError("usage", "The folder to write to is missing", {
        hint: "sage admin export --okf <dir>",
      });
    }
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const report = await exportBundle(
        memory,
        resolveFrom(io.cwd(), okf),
        { all },
        (done, of) => progress(io).say(`${done} of ${of}`),
      );
      const { folder, notes, withheld, skipped } = report;
      return {
        json: { folder, items: notes, withheld, skipped },
        text: [
          `Wrote ${count(notes.length, "note")} to ${folder}`,
          ...skipped.map(({ path, reason }) => dim(`  left out ${path}: ${reason}`)),
        ],
        notices: withheld === 0
          ? []
          : [`Private text or secrets stayed behind in ${count(withheld, "note")}`],
      };
    });
  },
});

export const importVerb = defineVerb({
  summary: "import an Open Knowledge Format bundle as notes",
  usage: "sage admin import --okf <dir> [--all] [--dry-run]",
  options: {
    okf: { type: "string", value: "dir", summary: "the bundle" },
    all: { type: "boolean", summary: "also what belongs to other projects" },
    "dry-run": { type: "boolean", summary: "only say what would be imported" },
  },
  details:
    "The same as sage migrate --from okf <dir>. For other Markdown use sage migrate --from markdown <dir>.",
  examples: ["sage admin import --okf ~/notes-bundle --dry-run"],
  run(input, io) {
    const { okf: path, all, "dry-run": isDry } = input.options;
    if (path === undefined) {
      throw new SageError("usage", "The bundle to import is missing", {
        hint: "sage admin import --okf <dir>",
      });
    }
    return migrateSource(input, io, { from: "okf", path, all, isDry });
  },
});
