/** `sage session handoff`: what a session left, as a text to begin another agent with. */
import type { StoredNote } from "../memory/item.ts";
import type { Memory } from "../memory/memory.ts";
import { handoffText, type Recipient, RECIPIENTS } from "../memory/session/handoff_text.ts";
import { findSession, listSessions, toSessionItem } from "../memory/session/list.ts";
import type { Answer } from "./answer.ts";
import { chosen, toItems } from "./choice.ts";
import { defineVerb } from "./command.ts";
import type { Io } from "./io.ts";
import { noneAnswer } from "./outcome.ts";
import { withMemory } from "./with_memory.ts";

export const handoff = defineVerb({
  summary: "print what a session left, to begin another agent with",
  usage: "sage session handoff [<id>] [--to codex|cursor|gemini|opencode]",
  operands: [0, Infinity],
  options: {
    to: {
      type: "string",
      choices: Object.keys(RECIPIENTS) as Recipient[],
      summary: "say how that agent is started with it",
    },
  },
  details:
    "The latest session by default. Private text and secrets are left out. Printing it takes nothing up: the session is still offered to the next one.",
  examples: ["sage session handoff", 'codex "$(sage session handoff --to codex)"'],
  run(input, io) {
    const { options: { to }, rest, json } = input;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const ref = rest.length > 0 ? rest.join(" ") : await latest(memory);
      if (ref === undefined) return noneAnswer("session", "", []);
      return await handoffAnswer(memory, io, ref, { to, json });
    });
  },
});

async function latest(memory: Memory): Promise<string | undefined> {
  const { items } = await listSessions(memory, { limit: 1, all: false });
  return items[0]?.id;
}

async function handoffAnswer(
  memory: Memory,
  io: Io,
  ref: string,
  options: { readonly to: Recipient | undefined; readonly json: boolean },
): Promise<Answer> {
  const found = await findSession(memory, ref);
  switch (found.kind) {
    case "none":
      return noneAnswer("session", ref, found.nearest);
    case "many": {
      const items = toItems(found.items);
      const how = { ref, nowMs: memory.now(), json: options.json };
      return await chosen(io, items, how, (id) => handoffAnswer(memory, io, id, options));
    }
    case "one":
      return textAnswer(memory, found.item, options.to);
  }
}

function textAnswer(memory: Memory, stored: StoredNote, to: Recipient | undefined): Answer {
  const text = handoffText(memory, stored);
  return {
    json: { session: toSessionItem(stored), text, ...(to === undefined ? {} : { to }) },
    text: text.split("\n"),
    // Where it is the argument of that very command, nobody needs to be told of it.
    notices: to === undefined ? [] : [`to begin there: ${RECIPIENTS[to]}`],
  };
}
