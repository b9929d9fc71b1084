/** `sage load`: prints a checkpoint so that the thinking can go on from it. */
import { dayOf } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { defined } from "../../base/defined.ts";
import { count, many } from "../../base/text/text.ts";
import { checkpointEntries } from "../../memory/checkpoint/list.ts";
import { loadCheckpoint, type LoadedCheckpoint, loadThese } from "../../memory/checkpoint/load.ts";
import { settle } from "../../memory/index/settle.ts";
import { flagWords } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { listSessions } from "../../memory/session/list.ts";
import { type Answer, bold, dim, failed, type Line, textOfLine } from "../terminal/answer.ts";
import { chainLines } from "../checkpoint/chain.ts";
import { chosen } from "../terminal/choice.ts";
import { defineCommand, type Input } from "../command.ts";
import type { Io } from "../io.ts";
import { otherKind } from "../note_operand.ts";
import { bothDetails } from "../outcome.ts";
import { ago } from "../terminal/print.ts";
import { recalledLines } from "../recalled.ts";
import { withMemory } from "../with_memory.ts";

const LEFT_NAMED_MAX = 10;
const TOKENS_MAX = 200_000;

export const command = defineCommand({
  operands: [0, Infinity],
  options: {
    recent: { type: "number", min: 1, max: 20, summary: "the last n checkpoints" },
    full: { type: "boolean", summary: "the whole checkpoint, as far as the budget goes (default)" },
    summary: { type: "boolean", summary: "question, conclusion and what is open" },
    context: {
      type: "boolean",
      summary: "all that is known here: pinned notes, the project's, yours, newest first",
    },
    skill: { type: "string", value: "name", summary: "with --context: also notes for this skill" },
    tokens: {
      type: "number",
      min: 100,
      max: TOKENS_MAX,
      summary: "print at most this many tokens",
    },
  },
  details:
    "Without a query, the latest checkpoint of this project. A query is an id, a short id, the beginning of either, or what the checkpoint was about. If several match, you are asked which; without a terminal they are listed and the exit code is 4.\n\n--context prints what is known instead of a checkpoint: pinned notes first, then this project's, then those for every project, the last updated first, within the budget. It lists what was left out, with the reason.",
  examples: [
    "sage load",
    "sage load a1b2c3d4",
    "sage load how tokens are refreshed --summary",
    "sage load --context",
  ],
  connects: "endpoint",
  run(input, io) {
    const { options, rest, json } = input;
    const typed = rest.join(" ");
    if (typed !== "" && options.recent !== undefined) {
      throw new SageError("usage", "A query and --recent mean different checkpoints", {
        hint: `sage load ${typed}, or sage load --recent ${options.recent}`,
      });
    }
    if (options.full && options.summary) throw bothDetails();
    if (options.context) {
      const isMixed = typed !== "" || options.recent !== undefined || options.full ||
        options.summary;
      if (isMixed) {
        throw new SageError("usage", "--context loads what is known, and no checkpoint with it", {
          hint: "sage load --context [--tokens <n>]; sage knowledge match asks a question",
        });
      }
      return contextAnswer(input, io, options);
    }
    if (options.skill !== undefined) {
      throw new SageError("usage", "--skill belongs to --context", {
        hint: "sage load --context --skill <name>",
      });
    }
    return withMemory(input, io, async (opened) => {
      const memory = await settle(opened);
      const request = {
        detail: options.summary ? "summary" as const : "full" as const,
        ...defined({ tokensMax: options.tokens }),
      };
      const loadAll = async (ids: readonly string[]): Promise<Answer> =>
        loadedAnswer(memory, io, await loadThese(memory, ids, request));
      const load = async (ref: string, recent?: number): Promise<Answer> => {
        const outcome = await loadCheckpoint(memory, {
          ...request,
          ...(recent === undefined ? { query: ref } : { recent }),
        });
        switch (outcome.kind) {
          case "none":
            return outcome.removed !== undefined || (await checkpointEntries(memory)).length > 0
              ? await otherKind(memory, "checkpoint", ref, outcome)
              : await noneYet(memory, ref);
          case "many": {
            const options = { ref, nowMs: memory.now(), json, all: loadAll };
            return await chosen(io, outcome.items, options, load);
          }
          case "one":
            return loadedAnswer(memory, io, outcome.items);
        }
      };
      return typed === "" ? await load("", options.recent ?? 1) : await load(typed);
    });
  },
});

/** What to type for more, where that may be typed. */
function roomFor(budget: number): string {
  return budget < TOKENS_MAX ? `: --tokens ${Math.min(2 * budget, TOKENS_MAX)} makes room` : "";
}

async function contextAnswer(
  input: Input,
  io: Io,
  { skill, tokens }: { readonly skill: string | undefined; readonly tokens: number | undefined },
): Promise<Answer> {
  const { loadContext } = await import("../../memory/context.ts");
  return await withMemory(input, io, async (memory) => {
    const context = await loadContext(memory, defined({ tokensMax: tokens, skill }));
    const { items, left, left_total, used, budget } = context;
    const named = left.slice(0, LEFT_NAMED_MAX).map(({ short_id, title, reason }) =>
      `  ${short_id} ${title}: ${reason}`
    );
    const more = left_total - named.length;
    return {
      json: { ...context },
      text: recalledLines(memory, io, items, () =>
        items.flatMap((item, i): Line[] => [
          ...(i === 0 ? [] : [""]),
          [bold(item.title), dim(`  ${item.short_id} · ${item.type} · ${item.tier}`)],
          "",
          ...item.text.split("\n"),
        ])),
      notices: [
        items.length === 0
          ? "nothing loaded"
          : `${count(items.length, "note")} loaded, ${many(used)} of ${many(budget)} tokens`,
        ...(left_total === 0 ? [] : [`${left_total} left out:`, ...named]),
        ...(more > 0 ? [`  and ${more} more${roomFor(budget)}`] : []),
      ],
    };
  });
}

/** No checkpoint at all. A session that ended leaves a note, which is the next best thing. */
async function noneYet(memory: Memory, ref: string): Promise<Answer> {
  const { items: [latest] } = await listSessions(memory, { limit: 1, all: false });
  return failed({
    code: "not_found",
    message: ref === ""
      ? "There is no checkpoint yet"
      : `No checkpoint matches "${ref}": none is saved`,
    hint: latest === undefined
      ? 'sage checkpoint -m "…" saves one'
      : `what the last session did: sage session show ${latest.short_id}`,
  }, { json: { nearest: [] } });
}

function loadedAnswer(memory: Memory, io: Io, items: readonly LoadedCheckpoint[]): Answer {
  const [only] = items;
  const shown = items.map((item) => ({
    ...item,
    text: [...chainLines(item.chain).map(textOfLine), item.text].join("\n"),
  }));
  return {
    json: items.length === 1 ? { note: only } : { items },
    text: recalledLines(memory, io, shown, () =>
      items.flatMap((item, i): Line[] => [
        ...(i === 0 ? [] : [""]),
        dim(
          [
            item.short_id,
            item.trigger,
            ago(io, item.created, memory.now()),
            ...flagWords(item, dayOf),
          ]
            .join(" · "),
        ),
        ...chainLines(item.chain),
        "",
        ...item.text.split("\n"),
      ])),
  };
}
