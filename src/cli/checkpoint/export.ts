/** `sage checkpoint export`: one checkpoint as a file for somebody else. */
import { count } from "../../base/text/text.ts";
import { parentChain } from "../../memory/checkpoint/chain.ts";
import {
  EXPORT_FORMATS,
  exportCheckpoint,
  type Exported,
  writeExport,
} from "../../memory/checkpoint/export.ts";
import { toCheckpointItem } from "../../memory/checkpoint/list.ts";
import type { StoredNote } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { readCheckpoint } from "../../note/checkpoint.ts";
import { defineVerb } from "../command.ts";
import { absolute } from "../folder.ts";
import type { Io } from "../io.ts";
import { withNamed } from "../note_operand.ts";
import { jsonText } from "../terminal/print.ts";
import { recalledLines } from "../recalled.ts";

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
    "Private text and secrets are left out. The page is one file without scripts that loads nothing.",
  examples: ["sage checkpoint export a1b2c3d4 --format html --output finding.html"],
  run(input, io) {
    const { format = "md", output } = input.options;
    return withNamed(input, io, { kind: "checkpoint" }, async (memory, stored) => {
      const chain = await parentChain(memory, readCheckpoint(stored.note).parent);
      const exported = await exportCheckpoint(stored, format, chain);
      const text = format === "json" ? jsonText(jsonOf(stored, exported, chain)) : exported.text;
      const notices = exported.redactions === 0
        ? []
        : [`sage: warning: ${count(exported.redactions, "secret")} redacted`];
      const more = { ...toCheckpointItem(stored), format, redactions: exported.redactions };
      if (output === undefined) {
        return { json: { note: more, text }, text: shown(memory, io, stored, text), notices };
      }
      const path = absolute(io, output);
      writeExport(memory, path, text);
      return { json: { note: more, path }, text: [`Wrote ${path}`], notices };
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

/** Markdown printed in an agent's shell is read by the agent, so it is fenced; the other forms are data. */
function shown(memory: Memory, io: Io, stored: StoredNote, text: string) {
  const lines = text.replace(/\n$/, "").split("\n");
  if (text.startsWith("{") || text.startsWith("<!doctype")) return lines;
  return recalledLines(memory, io, [{ ...toCheckpointItem(stored), text }], () => lines);
}
