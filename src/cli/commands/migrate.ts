/** `sage migrate`: what was there before Sage becomes notes. The originals are left where they are. */
import { SageError } from "../../base/errors.ts";
import { type SourceName, SOURCES } from "../../memory/migrate/sources.ts";
import { defineCommand } from "../command.ts";
import { bringingIn } from "../folder.ts";
import { migrateSource } from "../migrate/source.ts";
import { backFill } from "../migrate/transcripts.ts";

const NAMES = Object.keys(SOURCES) as SourceName[];

export const command = defineCommand({
  operands: [0, 1],
  options: {
    from: { type: "string", choices: ["transcripts", ...NAMES], summary: "whose memory" },
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
    "transcripts: the histories of Claude Code, Codex CLI, Gemini CLI and opencode; some delete them after 30 days. Each past session with enough in it becomes a checkpoint and a session note, with its own date; with --all each project's in its own memory.",
    NAMES.map((name) => `${name}: ${SOURCES[name].what}`).join("; ") + ".",
    "Originals are only read. Nothing is imported twice; a note whose source changed since is updated, unless somebody changed the note. Private text is left out; an item with a secret is refused, and its place is reported. An interrupted run continues where it stopped. With --all, notes of other projects go to your own store.",
  ].join("\n\n"),
  examples: [
    "sage migrate --from transcripts --dry-run",
    "sage migrate --from claude-mem",
    "sage migrate --from markdown notes/ --dry-run",
    "sage migrate --from memory.jsonl ~/memory.jsonl --dry-run",
  ],
  run(input, io) {
    const { from, all, limit, since, "dry-run": isDry } = input.options;
    const [path] = input.rest;
    if (from === undefined) {
      throw new SageError("usage", "The source is missing", {
        hint: (path === undefined ? undefined : bringingIn(io, path)) ??
          `sage migrate --from transcripts, or: ${NAMES.join(", ")}`,
      });
    }
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
