/** `sage admin calibrate`: where a model's cosines say 'about this' and 'says the same'. */
import { calibrateModel, type Calibration } from "../../memory/model/calibrate.ts";
import { hostOf } from "../../memory/model/endpoint.ts";
import { type Answer, bold, dim, type Line } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import { absolute } from "../folder.ts";
import { progress } from "../terminal/progress.ts";
import { reach, withMemory } from "../with_memory.ts";

export const calibrate = defineVerb({
  summary: "calibrate a model's cosines for the thresholds",
  usage: "sage admin calibrate [<model>] [--pairs <file>|--notes] [--dry-run]",
  operands: [0, 1],
  options: {
    pairs: {
      type: "string",
      value: "file",
      summary: "your own pairs instead of those that come with Sage",
    },
    notes: { type: "boolean", summary: "your notes instead of pairs" },
    "dry-run": { type: "boolean", summary: "measure, and store nothing" },
  },
  details:
    'Only needed if you change the model or its texts: sage model pull and use do it already. 0.70 means about this, 0.90 says the same. Pairs are JSON lines, {"note": "…", "question": "…", "edited": "…"}, at least 24, each about something else: a question in other words, and the note worded slightly differently. Notes need no labels: 24 of them, knowledge with titles, show how alike unrelated texts are; sage model use and sage admin rebuild fit a model to them if the pairs put its thresholds far off. Held-out figures were measured on pairs that the mapping was not fitted to. Indexes stay as they are.',
  examples: [
    "sage admin calibrate",
    "sage admin calibrate multilingual-e5-small --pairs mine.jsonl",
  ],
  connects: "endpoint",
  run(input, io) {
    const { rest: [name], options } = input;
    return withMemory(
      input,
      io,
      async (memory): Promise<Answer> => {
        const calibration = await calibrateModel(memory, {
          name,
          pairs: options.pairs === undefined ? undefined : absolute(io, options.pairs),
          notes: options.notes,
          dryRun: options["dry-run"],
          onProgress: (share) => progress(io).say(`measuring, ${Math.floor(share * 100)} %`),
        });
        return { json: { calibration }, text: asText(calibration), notices: [kept(calibration)] };
      },
      { confine: reach(io, hostOf(name)) },
    );
  },
});

function asText(calibration: Calibration): Line[] {
  const { model, fitted_to, before, knots, judged_before, held_out, found, asked } = calibration;
  const asking = fitted_to === "notes" ? "titles" : "questions in other words";
  const rows: [string, number, number][] = [
    ["unrelated pairs below 0.35", judged_before.unrelated_below, held_out.unrelated_below],
    [
      "questions met by nothing unrelated at 0.70",
      judged_before.nothing_wrong,
      held_out.nothing_wrong,
    ],
    ["questions met by their own note at 0.70", judged_before.own_reached, held_out.own_reached],
    ["light edits at 0.90", judged_before.edits_reached, held_out.edits_reached],
  ];
  const lines: Line[] = [
    [bold(model)],
    "",
    [dim(`${"share".padEnd(44)}cosine before     now`)],
    ...knots.map(([cosine, share]): Line =>
      `${share.toFixed(2).padEnd(44)}${cosineAt(before, share).padStart(13)}${
        cosine.toFixed(3).padStart(8)
      }`
    ),
    "",
    [dim(`${"of these pairs".padEnd(44)}       before held out`)],
    ...rows.map(([what, old, now]): Line =>
      `${what.padEnd(44)}${percent(old).padStart(13)}${percent(now).padStart(9)}`
    ),
    "",
    `${found} of ${asked} ${asking} find their note first`,
  ];
  return lines;
}

function cosineAt(knots: Calibration["knots"], share: number): string {
  return knots.find(([, of]) => of === share)?.[0].toFixed(3) ?? "–";
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function kept({ stored, model }: Calibration): string {
  if (stored) return "  stored; it holds from the next question on";
  return model === "static"
    ? "  nothing was stored: the built-in model's mapping is part of the program"
    : "  nothing was stored";
}
