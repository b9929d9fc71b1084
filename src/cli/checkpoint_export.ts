/** `sage checkpoint export`: one checkpoint as a file for somebody else. */
import { count } from "../base/text.ts";
import { parentChain } from "../memory/checkpoint/chain.ts";
import {
  EXPORT_FORMATS,
  exportCheckpoint,
  type Exported,
  writeExport,
} from "../memory/checkpoint/export.ts";
import { toCheckpointItem } from "../memory/checkpoint/list.ts";
import type { StoredNote } from "../memory/item.ts";
import type { Memory } from "../memory/memory.ts";
import { readCheckpoint } from "../note/checkpoint.ts";
import type { Answer } from "./answer.ts";
import { defineVerb } from "./command.ts";
import { absolute } from "./folder.ts";
import type { Io } from "./io.ts";
import { withNote } from "./note_operand.ts";
import { jsonText } from "./print.ts";
import { recalledLines } from "./recalled.ts";
import { withMemory } from "./with_memory.ts";

export const exportVerb = defineVerb({
  summary: "print one as Markdown, JSON or a page for a browser",
  usage: "sage checkpoint export <id> [--format md|json|html] [--output <file>]",
  operands: [1, Infinity],
  options: {
    format: { type: "string", choices: EXPORT_FORMATS, summary: "md by default" },
    output: {
      type: "string",
      short: "o",
      value: "file",
      summary: "write a new file instead of printing",
    },
  },
  details:
    "Private text is left out and secrets are blacked out. The page is one file without scripts that loads nothing.",
  examples: ["sage checkpoint export a1b2c3d4 --format html --output finding.html"],
  run(input, io) {
    const { options, rest, json } = input;
    const format = options.format ?? "md";
    return withMemory(input, io, (memory) => {
      const operand = { kind: "checkpoint", ref: rest.join(" "), json } as const;
      return withNote(memory, io, operand, async (stored): Promise<Answer> => {
        const chain = await parentChain(memory, readCheckpoint(stored.note).parent);
        const exported = await exportCheckpoint(stored, format, chain);
        const text = format === "json" ? jsonText(jsonOf(stored, exported, chain)) : exported.text;
        const notices = exported.redactions === 0
          ? []
          : [`sage: warning: ${count(exported.redactions, "secret")} blacked out`];
        const more = { ...toCheckpointItem(stored), format, redactions: exported.redactions };
        if (options.output !== undefined) {
          const path = absolute(io, options.output);
          writeExport(memory, path, text);
          return { json: { note: more, path }, text: [`Wrote ${path}`], notices };
        }
        return { json: { note: more, text }, text: shown(memory, io, stored, text), notices };
      });
    });
  },
});

function jsonOf(
  stored: StoredNote,
  { checkpoint }: Exported,
  chain: unknown,
): Record<string, unknown> {
  const { path: _path, ...item } = toCheckpointItem(stored);
  return { checkpoint: { ...item, ...checkpoint, chain } };
}

/** Markdown that an agent's shell prints is read by the agent; the other forms are data as they stand. */
function shown(memory: Memory, io: Io, stored: StoredNote, text: string) {
  const lines = text.replace(/\n$/, "").split("\n");
  if (text.startsWith("{") || text.startsWith("<!doctype")) return lines;
  return recalledLines(memory, io, [{ ...toCheckpointItem(stored), text }], () => lines);
}
