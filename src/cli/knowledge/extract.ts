/** `sage knowledge extract`: proposals from a conversation, yes or no to each. Nothing is kept unasked. */
import { SageError } from "../../base/errors.ts";
import { realFs } from "../../base/fs.ts";
import { count } from "../../base/text/text.ts";
import { checkpointEntries } from "../../memory/checkpoint/list.ts";
import { isExcluded } from "../../memory/write/capture.ts";
import {
  inputOf,
  type Proposals,
  proposeFromCheckpoint,
  proposeFromTranscript,
} from "../../memory/knowledge/extract.ts";
import { findTranscript } from "../../memory/knowledge/find_transcript.ts";
import type { Fact } from "../../memory/knowledge/facts.ts";
import { saveKnowledge } from "../../memory/knowledge/save.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Answer, dim, failed, type Line, textOfLine } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import { absolute } from "../folder.ts";
import type { Io } from "../io.ts";
import { knowledgeAnswer } from "./add.ts";
import { withNote } from "../note_operand.ts";
import { renderLines } from "../terminal/print.ts";
import { canAsk, confirm } from "../terminal/prompt.ts";
import { editorSession } from "../session/operand.ts";
import { authorOf, withMemory } from "../with_memory.ts";

const LIMIT = 12;
const KINDS = ["session", "checkpoint"] as const;
type Kind = typeof KINDS[number];

export const extract = defineVerb({
  summary: "propose knowledge from a conversation, to accept or not",
  usage:
    "sage knowledge extract [session|checkpoint [<id>]] [--transcript <file>] [--accept <a,b>]",
  operands: [0, 2],
  operand: KINDS,
  options: {
    transcript: { type: "string", value: "file", summary: "from this session file" },
    accept: { type: "list", summary: "keep these proposals, by id, without asking" },
    limit: { type: "number", min: 1, max: 60, summary: "at most so many, 12 by default" },
  },
  details:
    "Reads the latest session here, or the latest checkpoint, or the one you name. Proposes quantities, definitions, decisions, constraints and preferences, each in its own words and with its turn; never what a tool printed or a web page said. On a terminal you are asked about each; otherwise they are listed, and --accept keeps those you name. Only a person can keep preferences and guesses.",
  examples: ["sage knowledge extract", "sage knowledge extract checkpoint a1b2c3d4 --json"],
  connects: "endpoint",
  run(input, io) {
    const { transcript, accept } = input.options;
    const [kind, ref] = sourceOf(input.rest, transcript);
    const limit = input.options.limit ?? LIMIT;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      if (await isExcluded(memory)) {
        return failed({ code: "refused", message: ".sageignore excludes this project" });
      }
      const answer = (proposals: Proposals): Promise<Answer> =>
        accept.length > 0
          ? acceptThese(memory, io, proposals, accept)
          : canAsk(io) && !input.json
          ? askEach(memory, io, proposals)
          : Promise.resolve(listed(proposals));
      // A proposal accepted by id may be further down than those shown.
      const wanted = accept.length > 0 ? ACCEPTED_AMONG : limit;
      if (kind === "checkpoint") {
        const operand = { kind, ref: ref ?? await latestCheckpoint(memory), json: input.json };
        return await withNote(
          memory,
          io,
          operand,
          async (stored) => answer(await proposeFromCheckpoint(memory, stored, wanted)),
        );
      }
      const path = transcript === undefined
        ? await findTranscript(memory, ref && await editorSession(memory, ref))
        : sessionFile(io, transcript);
      return await answer(await proposeFromTranscript(memory, path, wanted));
    });
  },
});

const ACCEPTED_AMONG = 60;

/** Of which kind, and which one: the latest if none is named. */
function sourceOf(
  [kind = "session", ref]: readonly string[],
  transcript: string | undefined,
): readonly [Kind, string | undefined] {
  const known = KINDS.find((one) => one === kind);
  if (known === undefined) {
    throw new SageError("usage", `Cannot extract from "${kind}"`, {
      hint: `sage knowledge extract session ${kind}, or: sage knowledge extract checkpoint ${kind}`,
    });
  }
  if (transcript !== undefined && (known === "checkpoint" || ref !== undefined)) {
    throw new SageError("usage", `A ${known} and --transcript at a time: name one of them`);
  }
  return [known, ref];
}

async function latestCheckpoint(memory: Memory): Promise<string> {
  const [latest] = await checkpointEntries(memory);
  if (latest === undefined) throw new SageError("not_found", "There is no checkpoint yet");
  return latest.note.id;
}

function sessionFile(io: Io, typed: string): string {
  const path = absolute(io, typed);
  const kind = realFs.lstat(path)?.kind;
  if (kind !== "file") {
    const why = kind === undefined ? "there is no such file" : "it is not a session file";
    throw new SageError("usage", `Cannot read "${typed}": ${why}`, {
      hint: "name a .jsonl of the editor's, or a session: sage knowledge extract session <id>",
    });
  }
  return path;
}

function listed({ facts, source, known }: Proposals): Answer {
  return {
    json: { items: facts, source, known },
    text: facts.length === 0 ? [nothingText(known)] : facts.flatMap((fact) => factLines(fact)),
    notices: facts.length === 0
      ? []
      : [`nothing was saved; to keep some: sage knowledge extract … --accept ${facts[0]?.id},…`],
  };
}

function factLines(fact: Fact): Line[] {
  const { at, said_by: by } = fact.source;
  const taste = fact.subjective ? ", an opinion or a guess" : "";
  return [
    [dim(`${fact.id}  `), fact.text],
    dim(`          ${fact.kind}${taste}, said by the ${by}${at === "" ? "" : ` at ${at}`}`),
  ];
}

async function askEach(memory: Memory, io: Io, proposals: Proposals): Promise<Answer> {
  const { facts, source, known } = proposals;
  if (facts.length === 0) return { json: {}, text: [nothingText(known)] };
  const saved: Answer[] = [];
  for (const [i, fact] of facts.entries()) {
    io.err(renderLines(["", dim(`${i + 1} of ${facts.length}`), ...factLines(fact)], io.color));
    if (!await confirm(io, "Keep it?")) continue;
    const outcome = await saveKnowledge(memory, inputOf(fact, source), authorOf(io));
    const answer = knowledgeAnswer(memory, io, outcome);
    saved.push(answer);
    // Printed at once, so that somebody who stops half-way knows what was kept.
    io.err(renderLines(answer.text, io.color));
    if (answer.error !== undefined) io.err(renderLines([answer.error.message], io.color));
  }
  const kept = saved.filter(({ error }) => error === undefined).length;
  return {
    json: { saved: saved.map(({ json }) => json) },
    text: [
      kept === 0 ? "Nothing was saved." : `Kept ${count(kept, "proposal")} of ${facts.length}.`,
    ],
  };
}

async function acceptThese(
  memory: Memory,
  io: Io,
  { facts, source }: Proposals,
  accepted: readonly string[],
): Promise<Answer> {
  const unknown = accepted.filter((id) => !facts.some((fact) => fact.id === id));
  if (unknown.length > 0) {
    throw new SageError("not_found", `No proposal is called "${unknown[0]}"; nothing was saved`, {
      hint: "sage knowledge extract --json lists them with their ids",
    });
  }
  const author = authorOf(io);
  const answers: Answer[] = [];
  for (const fact of facts.filter(({ id }) => accepted.includes(id))) {
    if (fact.subjective && author.by !== "person") {
      answers.push(failed({
        code: "refused",
        message: `Not saved: ${fact.id} is an opinion or a guess, which only a person may keep`,
        hint: "ask them to run sage knowledge extract",
      }, { json: { outcome: "refused", id: fact.id } }));
    } else {
      const outcome = await saveKnowledge(memory, inputOf(fact, source), author);
      answers.push(knowledgeAnswer(memory, io, outcome));
    }
  }
  const error = answers.find((answer) => answer.error !== undefined)?.error;
  return {
    json: {
      items: answers.map(({ json, error }) => error === undefined ? json : { ...json, error }),
    },
    text: answers.flatMap(({ text }) => text.map(textOfLine)),
    error,
  };
}

function nothingText(known: number): string {
  return known === 0
    ? "Nothing in it asks to be kept."
    : `Nothing new: ${count(known, "statement")} known already.`;
}
