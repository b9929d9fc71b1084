/** `sage admin patterns`: lists, exports and imports the person's own phrases. */
import { SageError } from "../../base/errors.ts";
import { readBytes, realFs } from "../../base/fs.ts";
import { decodeExact } from "../../base/utf8.ts";
import { count } from "../../base/text/text.ts";
import { writeExport } from "../../memory/checkpoint/export.ts";
import type { Memory } from "../../memory/memory.ts";
import {
  countPhrases,
  type Phrases,
  phrasesPath,
  phrasesText,
  readPhrases,
} from "../../memory/phrases/file.ts";
import {
  applyImport,
  exportPack,
  type Import,
  planImport,
  type Refused,
} from "../../memory/phrases/pack.ts";
import { type Answer, bold, dim, failed, type Line, undone } from "../terminal/answer.ts";
import { defineVerb, type Options, type Values } from "../command.ts";
import { absolute } from "../folder.ts";
import type { Io } from "../io.ts";
import { pipedText } from "../piped.ts";
import { renderLines } from "../terminal/print.ts";
import { canAsk, confirm } from "../terminal/prompt.ts";
import { withMemory } from "../with_memory.ts";

const ACTIONS = ["list", "export", "import"] as const;
const PACK_BYTES_MAX = 64 * 1024;

const OPTIONS = {
  output: { type: "string", short: "o", value: "file", summary: "export: write a new file" },
  "leave-out": { type: "boolean", summary: "export: without the phrases that are refused" },
  yes: { type: "boolean", short: "y", summary: "without asking" },
} as const satisfies Options;

type Flags = Values<typeof OPTIONS>;

export const patterns = defineVerb({
  summary: "list, export or import your own phrases",
  usage: "sage admin patterns list|export|import [<file>|-] [--output <file>] [--yes]",
  operands: [0, 2],
  operand: ACTIONS,
  options: OPTIONS,
  details:
    "They are in ~/.sage/patterns.yaml: a list for each of topic_shift, branch_point, constraint_discovered and synthesis, or under each a list for each language. A … stands for a few words. Phrases confirm what the structure of a conversation suggests; alone they do nothing. An export holds phrases only, is shown before it is written, and is refused if one could identify you: names, addresses, files, numbers.",
  examples: [
    "sage admin patterns",
    "sage admin patterns export --output team.yaml",
    "sage admin patterns import team.yaml",
  ],
  run(input, io) {
    const [action = "list", file] = input.rest;
    if (file !== undefined && action !== "import") {
      throw new SageError("usage", `Unexpected argument "${file}"`, {
        hint: action === "export"
          ? `sage admin patterns export --output ${file} writes it`
          : "sage help admin patterns",
      });
    }
    return withMemory(input, io, async (memory): Promise<Answer> => {
      switch (action) {
        case "list":
          return await listed(memory);
        case "export":
          return await exported(memory, io, input.options, input.json);
        case "import":
          return await imported(memory, io, file, { ...input.options, json: input.json });
        default:
          throw new SageError("usage", `Unexpected argument "${action}"`, {
            hint: `one of: ${ACTIONS.join(", ")}`,
          });
      }
    });
  },
});

async function listed(memory: Memory): Promise<Answer> {
  const path = phrasesPath(memory);
  const { phrases, packs, problems } = await readPhrases(phrasesText(memory));
  const all = [["", phrases] as const, ...packs];
  const lines = all.flatMap(([pack, one]) => phraseLines(one, pack));
  return {
    json: { path, phrases, packs, problems },
    text: lines.length === 0 ? [`No phrases of your own yet: they would stand in ${path}`] : lines,
    notices: problems.map((problem) => `sage: warning: left out of ${path}: ${problem}`),
  };
}

function phraseLines(phrases: Phrases, pack = ""): Line[] {
  return Object.entries(phrases).flatMap(([trigger, list]): Line[] => [
    [bold(trigger), dim(pack === "" ? "" : ` (pack ${pack})`)],
    ...list.map((phrase) => `  ${phrase}`),
  ]);
}

async function exported(memory: Memory, io: Io, flags: Flags, json: boolean): Promise<Answer> {
  const { phrases, refused, text } = await exportPack(memory);
  if (refused.length > 0 && !flags["leave-out"]) return refusedAnswer(refused);
  const found = countPhrases(phrases);
  if (found === 0) {
    return { json: { phrases, refused, text: "" }, text: ["There is no phrase to export."] };
  }
  if (flags.output === undefined) {
    return { json: { phrases, refused, text }, text: text.trimEnd().split("\n") };
  }
  const path = absolute(io, flags.output);
  io.err(renderLines(json ? [] : phraseLines(phrases), io.color));
  if (!await isWanted(io, flags, json, `Write these ${found} to ${path}?`)) {
    return undone(["Nothing was written: repeat with --yes"], {
      json: { phrases, refused, done: false },
    });
  }
  writeExport(memory, path, text);
  return {
    json: { phrases, refused, path },
    text: [`Wrote ${count(found, "phrase")} to ${path}`],
  };
}

function refusedAnswer(refused: readonly Refused[]): Answer {
  return failed({
    code: "refused",
    message: `Not exported: ${count(refused.length, "phrase")} could identify you`,
    hint: "change them in patterns.yaml, or repeat with --leave-out",
  }, { json: { refused }, text: refused.map(({ phrase, reason }) => `  ${phrase}: ${reason}`) });
}

async function imported(
  memory: Memory,
  io: Io,
  file: string | undefined,
  flags: Flags & { readonly json: boolean },
): Promise<Answer> {
  const piped = file === undefined ? await pipedText(io, PACK_BYTES_MAX) : undefined;
  if (file === undefined && piped === undefined) {
    throw new SageError("usage", "Nothing to import: name a file, or pipe one in", {
      hint: "sage admin patterns import team.yaml",
    });
  }
  const isFile = file !== undefined && file !== "-";
  const text = piped ?? (isFile ? readPack(io, file) : await io.readAll(PACK_BYTES_MAX));
  const plan = await planImport(memory, text, isFile ? file : "pack");
  const left = [
    ...plan.problems,
    ...plan.refused.map(({ phrase, reason }) => `"${phrase}": ${reason}`),
  ].map((problem) => `sage: warning: left out: ${problem}`);
  const fresh = countPhrases(plan.phrases);
  if (fresh === 0) {
    return { json: { ...plan }, text: ["Nothing new in it."], notices: left };
  }
  io.err(renderLines(flags.json ? [] : phraseLines(plan.phrases), io.color));
  const question = `Add these ${fresh} as the pack "${plan.name}"?`;
  if (!await isWanted(io, flags, flags.json, question)) {
    return undone([...left, "Nothing was added: repeat with --yes"], {
      json: { ...plan, done: false },
    });
  }
  return added(plan, await applyImport(memory, plan), left);
}

function added(plan: Import, path: string, notices: readonly string[]): Answer {
  return {
    json: { ...plan, path },
    text: [`Added ${count(countPhrases(plan.phrases), "phrase")} to ${path}`],
    notices,
  };
}

async function isWanted(io: Io, flags: Flags, json: boolean, question: string): Promise<boolean> {
  if (flags.yes) return true;
  return !json && canAsk(io) && await confirm(io, question);
}

function readPack(io: Io, typed: string): string {
  const path = absolute(io, typed);
  const info = realFs.lstat(path);
  if (info?.kind !== "file" || info.size > PACK_BYTES_MAX) {
    const why = info === undefined ? "there is no such file" : "it is not a pack of phrases";
    throw new SageError("usage", `Cannot read "${typed}": ${why}`, {
      hint: `a YAML file of at most ${PACK_BYTES_MAX} bytes, or - for stdin`,
    });
  }
  const text = decodeExact(readBytes(realFs, path, PACK_BYTES_MAX));
  if (text === undefined) {
    throw new SageError("invalid_config", `Cannot read "${typed}": it is not UTF-8 text`);
  }
  return text;
}
