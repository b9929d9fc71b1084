/** `sage check`: which notes a change makes doubtful; for a person, a git hook, a pipeline. */
import { count } from "../../base/text/text.ts";
import { changedPaths } from "../../guard/diff_paths.ts";
import { type Doubtful, doubtfulNotes, projectPaths } from "../../memory/source/check.ts";
import { describeStale } from "../../memory/source/stale.ts";
import type { Memory } from "../../memory/memory.ts";
import { dim, failed, type Line, styled } from "../terminal/answer.ts";
import { defineCommand } from "../command.ts";
import type { Io } from "../io.ts";
import { recalledLines } from "../recalled.ts";
import { firstRows } from "../terminal/print.ts";
import { withMemory } from "../with_memory.ts";

/** A diff of that size is no longer read by anybody; its list of names is a hundredth of it. */
const INPUT_BYTES_MAX = 64 * 1024 * 1024;

export const command = defineCommand({
  operands: [0, Infinity],
  details:
    "A knowledge note that was saved with --source <file> is anchored to the content of that file. This lists the notes that rest on a changed file and were neither reworded nor verified since; the exit code is then 4, otherwise 0. With - a diff or a list of file names is read from stdin, as git prints them; without an operand all notes are compared with the present files.",
  examples: [
    "sage check",
    "git diff --no-renames --name-only origin/main... | sage check -",
    "git diff --cached | sage check -",
  ],
  run(input, io) {
    const { rest } = input;
    return withMemory(input, io, async (memory) => {
      const files = await filesOf(memory, io, rest);
      const notes = await doubtfulNotes(memory, files);
      const json = { items: notes, total: notes.length };
      // What a pipe was to bring may have failed before it, which no pipeline says.
      const isAsked = files === undefined || files.size > 0;
      const none = isAsked
        ? "No note is in doubt."
        : "No file of this project was named: no note was checked.";
      if (notes.length === 0) return { json, text: [none] };
      const shown = notes.map((note) => ({ ...note, text: describeStale(note.stale) }));
      const page = firstRows(io, notes, "note");
      const text = recalledLines(
        memory,
        io,
        shown,
        () => [...page.shown.flatMap(lines), ...page.more],
      );
      return failed({
        code: "conflict",
        message: `${count(notes.length, "note")} in doubt`,
        hint: "sage knowledge verify <id> says that one still holds, sage knowledge add <file> " +
          "--id <id> words it anew",
      }, { json, text });
    });
  },
});

async function filesOf(
  memory: Memory,
  io: Io,
  rest: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  if (rest.length === 0) return undefined;
  const typed = rest.filter((path) => path !== "-");
  const read = typed.length < rest.length
    ? changedPaths(await io.readAll(INPUT_BYTES_MAX, { isLenient: true }))
    : [];
  return new Set([...projectPaths(memory, typed, "here"), ...projectPaths(memory, read, "git")]);
}

function lines({ short_id, title, flags, stale }: Doubtful): Line[] {
  const untrusted = flags.includes("untrusted") ? [styled(" (untrusted)", "yellow")] : [];
  return [[dim(short_id), `  ${title}`, ...untrusted], `          ${describeStale(stale, 5)}`];
}
