/** `sage migrate`: what was there before Sage becomes notes. The originals are left where they are. */
import { SageError } from "../../base/errors.ts";
import { realFs } from "../../base/fs.ts";
import { recognise } from "../../memory/migrate/recognise.ts";
import { type SourceName, SOURCES } from "../../memory/migrate/sources.ts";
import { defineCommand } from "../command.ts";
import { absolute, bringingIn } from "../folder.ts";
import type { Io } from "../io.ts";
import { migrateSource } from "../migrate/source.ts";
import { backFill } from "../migrate/transcripts.ts";

const NAMES = Object.keys(SOURCES) as SourceName[];

export const command = defineCommand({
  operands: [0, 1],
  options: {
    from: {
      type: "string",
      choices: ["transcripts", ...NAMES],
      isOpen: true,
      summary: "whose memory, or where it lies",
    },
    "dry-run": { type: "boolean", summary: "only say what would be imported" },
    all: { type: "boolean", summary: "also what belongs to other projects" },
    limit: {
      type: "number",
      min: 1,
      max: 10000,
      summary: "for transcripts: at most this many sessions, newest first",
    },
    since: {
      type: "string",
      value: "when",
      summary: "only transcripts since then: 14d, last week, or a date",
    },
  },
  details: [
    "transcripts: the histories of Claude Code, Codex CLI, Gemini CLI, opencode and Copilot CLI, and of Cursor in this project; some delete them after 30 days. Each past session with enough in it becomes a checkpoint and a session note, with its own date; with --all each project's in its own memory.",
    NAMES.map((name) => `${name}: ${SOURCES[name].what}`).join("; ") +
    ". If you name only a folder or file, the names in it tell whose it is.",
    "Originals are only read. Nothing is imported twice; a note whose source changed since is updated, unless somebody changed the note. Private text is left out; an item with a secret is refused, and its place is reported. An interrupted run continues where it stopped. With --all, notes of other projects go to your own store.",
  ].join("\n\n"),
  examples: [
    "sage migrate --from transcripts --dry-run",
    "sage migrate --from claude-mem",
    "sage migrate --from ~/old-vault --dry-run",
    "sage migrate --from markdown notes/ --dry-run",
    "sage migrate --from memory.jsonl ~/memory.jsonl --dry-run",
  ],
  run(input, io) {
    const { all, limit, since, "dry-run": isDry } = input.options;
    const { from, path } = sourceOf(io, input.options.from, input.rest[0]);
    if (from === "transcripts") {
      if (path === undefined) return backFill(input, io, { limit, since, all, isDry });
      throw new SageError("usage", `Cannot read transcripts from "${path}"`, {
        hint: "they are read where the agents keep them: name no path",
      });
    }
    if (limit !== undefined || since !== undefined) {
      throw new SageError("usage", "--limit and --since are for transcripts only");
    }
    return migrateSource(input, io, { from, path, all, isDry });
  },
});

interface Source {
  readonly from: SourceName | "transcripts";
  readonly path: string | undefined;
}

/** What is meant: a source by its name, with a path or without, or where one lies. */
function sourceOf(io: Io, from: string | undefined, path: string | undefined): Source {
  const known = (["transcripts", ...NAMES] as const).find((name) => name === from);
  if (known !== undefined) return { from: known, path };
  const hint = `sage migrate --from transcripts, or: ${NAMES.join(", ")}`;
  if (from === undefined) {
    throw new SageError("usage", "The source is missing", {
      hint: (path === undefined ? undefined : bringingIn(io, path)) ?? hint,
    });
  }
  const found = path === undefined ? recognise(realFs, absolute(io, from)) : undefined;
  if (found !== undefined) return { from: found, path: from };
  throw new SageError("usage", `"${from}" is no source, nor a folder or file of one`, { hint });
}
