/** `sage model`: which model texts are compared with, and where it comes from. */
import { capitalised, count } from "../../base/text/text.ts";
import { hostOf } from "../../memory/model/endpoint.ts";
import { listModels, type ModelItem, wantedModel } from "../../memory/model/list.ts";
import { type Progress, pull as pullModel, readsEnglish } from "../../memory/model/pull.ts";
import { removeModel } from "../../memory/model/remove.ts";
import { type ModelTest, testModel } from "../../memory/model/test.ts";
import { useModel } from "../../memory/model/use.ts";
import { type Answer, bold, dim, type Line, type Span } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb } from "../command.ts";
import { absolute } from "../folder.ts";
import { overruled } from "../overruled.ts";
import { progress } from "../terminal/progress.ts";
import { table } from "../terminal/table.ts";
import { reach, withMemory } from "../with_memory.ts";

const list = defineVerb({
  summary: "the models that are here, and those that can be pulled",
  usage: "sage model list",
  run(input, io) {
    return withMemory(input, io, (memory) => {
      const items = listModels(memory);
      return {
        json: { items },
        text: table(io, items.map(row), { right: [2, 3], wraps: io.isTerminal.stdout }),
      };
    });
  },
});

function row({ name, state, dimensions, megabytes, text_ms: ms, summary }: ModelItem): Span[] {
  return [
    state === "in use" ? bold(name) : name,
    state === "in use" ? state : dim(state),
    megabytes === undefined ? "" : `${megabytes} MB`,
    ms === undefined ? "" : ms === 0 ? "0 ms" : `${Math.round(ms)} ms`,
    dim(
      [dimensions === undefined ? "" : `${dimensions} dimensions`, summary].filter(Boolean).join(
        "; ",
      ),
    ),
  ];
}

const pull = defineVerb({
  summary: "download a model from the hub, or take one from a folder",
  usage: "sage model pull <name>|<owner/name>|<folder> [--as <name>]",
  operands: [1, 1],
  options: {
    as: { type: "string", value: "name", summary: "a name for it here" },
    "query-prefix": { type: "string", value: "text", summary: "prefix for questions" },
    "document-prefix": { type: "string", value: "text", summary: "prefix for stored texts" },
  },
  details:
    "Connects to embedding.hub and nowhere else. Each file must match the revision (size and SHA-256); an interrupted pull continues where it stopped; the model in use is untouched until the new one is complete. Takes BERT models published as safetensors (the MiniLM, bge, e5 and mxbai families), and stores them in a quarter of their size; others as onnx/model.onnx, which are slow: a second for a search. A folder holds config.json, tokenizer.json and the weights, and needs no network.",
  examples: ["sage model pull all-MiniLM-L6-v2", "sage model pull ./a-folder --as mine"],
  connects: "hub",
  run(input, io) {
    const { rest: [what = ""], options } = input;
    const folder = /^(\.{0,2}[/\\]|\.{1,2}$|[A-Za-z]:[/\\])/.test(what)
      ? absolute(io, what)
      : undefined;
    return withMemory(
      input,
      io,
      async (memory): Promise<Answer> => {
        const model = await pullModel(memory, {
          what,
          folder,
          name: options.as,
          queryPrefix: options["query-prefix"],
          documentPrefix: options["document-prefix"],
          onProgress: (step) => progress(io).say(`${what}: ${said(step)}`),
        });
        const { name, weights, revision, dimensions, textMs } = model;
        const from = revision === "" ? model.source : `${model.source}@${revision.slice(0, 12)}`;
        return {
          json: { model },
          text: [
            `Pulled ${name} from ${from}: ${
              Math.round(weights.size / 1e6)
            } MB, ${dimensions} dimensions, ${Math.round(textMs)} ms a text`,
          ],
          notices: [
            name === wantedModel(memory)
              ? `  sage model use ${name} embeds the notes with it now, the next command otherwise`
              : `  sage model use ${name} takes it into use`,
            ...readsEnglish(model) ? [] : [UNREAD],
          ],
        };
      },
      // The hub's addresses are left.
      { confine: () => false },
    );
  },
});

/** What a model that reads another language has in common with one that was never trained. */
const UNREAD =
  "  it hardly tells Sage's English pairs apart: see sage model test, and what it makes of your notes";

function said({ step, share, bytes }: Progress): string {
  const percent = `${Math.floor(share * 100)} %`;
  switch (step) {
    case "fetch":
      return bytes === undefined ? "looking" : `${percent} (${(bytes / 1e6).toFixed(1)} MB)`;
    case "convert":
      return `converting, ${percent}`;
    case "measure":
      return "measuring";
  }
}

/** Also said where indexes are made anew. */
export function fittedToNotes(model: string): string {
  return `  thresholds of ${model} are fitted to your notes: Sage's own pairs do not suit them`;
}

const use = defineVerb({
  summary: "compare texts with another model from now on",
  usage: "sage model use <name>|ollama:<model>|http://127.0.0.1:<port>/v1[#<model>]",
  operands: [1, 1],
  options: {
    "query-prefix": {
      type: "string",
      value: "text",
      summary: "for a server's model: prefix for questions",
    },
    "document-prefix": {
      type: "string",
      value: "text",
      summary: "for a server's model: prefix for stored texts",
    },
  },
  details:
    "First makes the index of every known project for the new model; until that is done the old model is used, and an interrupted run continues where it stopped. A running server switches when it is restarted.\n\nAn embeddings server on this machine (Ollama, or any that speaks OpenAI's /embeddings) is measured first: dimensions, longest text, calibration. From then on commands that compare texts may connect to this one address and to nothing else. Hooks always use the built-in model; while the server is down everything else does too, with a warning.",
  examples: [
    "sage model use all-MiniLM-L6-v2",
    "sage model use ollama:nomic-embed-text",
    "sage model use http://127.0.0.1:8080/v1",
    "sage model use static",
  ],
  connects: "endpoint",
  run(input, io) {
    const [name = ""] = input.rest;
    return withMemory(
      input,
      io,
      async (memory): Promise<Answer> => {
        const prefixes = {
          queryPrefix: input.options["query-prefix"],
          documentPrefix: input.options["document-prefix"],
        };
        const step = (what: string, done: number, all: number): void =>
          progress(io).say(
            what === name ? `${what}: ${done} %` : `${what}: ${done} of ${count(all, "note")}`,
          );
        const report = await useModel(memory, name, step, prefixes);
        const { model, notes, embedded } = report;
        return {
          json: { ...report },
          text: [`Using ${model}: ${count(notes, "note")}, ${embedded} embedded now`],
          notices: [
            ...report.fitted_to_notes ? [fittedToNotes(model)] : [],
            ...overruled(memory, "embedding.model", false),
          ],
        };
      },
      { confine: reach(io, hostOf(name)) },
    );
  },
});

const rm = defineVerb({
  summary: "delete a model that is not in use",
  usage: "sage model rm <name>",
  operands: [1, 1],
  run(input, io) {
    return withMemory(input, io, (memory) => {
      const { name, megabytes } = removeModel(memory, input.rest[0] ?? "");
      return {
        json: { removed: { name, megabytes } },
        text: [`Removed ${name} (${megabytes} MB)`],
      };
    });
  },
});

const test = defineVerb({
  summary: "how alike a model finds texts, and how fast it is",
  usage: "sage model test [<name>]",
  operands: [0, 1],
  details:
    "Compares every byte of the model with what was pulled, embeds fixed pairs, and prints the cosine, the calibrated value that thresholds see (0.70: about this, 0.90: says the same), and the speed on this machine.",
  connects: "endpoint",
  run(input, io) {
    return withMemory(
      input,
      io,
      async (memory): Promise<Answer> => {
        const tested = await testModel(memory, input.rest[0]);
        return { json: { test: tested }, text: asText(tested) };
      },
      { confine: reach(io, hostOf(input.rest[0])) },
    );
  },
});

function asText(tested: ModelTest): Line[] {
  const { name, pairs, found, asked, languages, first_ms, query_ms, text_ms } = tested;
  return [
    [bold(name)],
    "",
    ...pairs.flatMap(({ kind, a, b, cosine, share }): Line[] => [
      `${kind.padEnd(10)} cosine ${cosine.toFixed(3)}, share ${share.toFixed(2)}`,
      [dim(`  ${a}`)],
      [dim(`  ${b}`)],
    ]),
    "",
    `${found} of ${asked} questions in other words find their note first`,
    ...languages === undefined ? [] : [understood(languages)],
    `first vector ${first_ms.toFixed(1)} ms, a query ${query_ms.toFixed(1)} ms, a text ${
      text_ms.toFixed(1)
    } ms`,
  ];
}

function understood(languages: readonly string[]): string {
  return languages.length === 1
    ? "understands English only: questions in other languages are answered by their words"
    : `understands ${languages.map(capitalised).join(", ")}`;
}

export const command: CommandGroup = { verbs: { list, pull, use, rm, test }, fallback: "list" };
