/** `sage forget`: erases a note in every place, for good. Always asked for, never guessed. */
import { SageError } from "../../base/errors.ts";
import { defined, nonEmpty } from "../../base/defined.ts";
import { count } from "../../base/text/text.ts";
import { findNamed, type Missed } from "../../memory/find.ts";
import { forget } from "../../memory/removal/forget.ts";
import type { NoteItem } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { findRemoved } from "../../memory/removal/removed.ts";
import { type HitItem, searchMemory } from "../../memory/search.ts";
import { type Answer, dim, type Line, undone } from "../terminal/answer.ts";
import { chosen, toItems } from "../terminal/choice.ts";
import { defineCommand } from "../command.ts";
import { NAMED_WHOLE, notOne } from "../note_operand.ts";
import { canAsk, confirm } from "../terminal/prompt.ts";
import { refuseAgents, withMemory } from "../with_memory.ts";

export const command = defineCommand({
  operands: [1, Infinity],
  options: { yes: { type: "boolean", short: "y", summary: "without asking" } },
  details:
    "Erases the note with its versions, copies, index entries and transcript copy, and leaves a mark without content, so that recovery does not bring it back. A note that it was merged into loses that part; other notes that repeat its words stay, and are listed. There is no way back, so only a person can do it, not an agent. To get a note out of the way, remove it: sage knowledge rm keeps it for 30 days. A text that names no note is searched for, and you are asked which one is meant; without a terminal what it finds is listed, and the exit code is 4. " +
    NAMED_WHOLE,
  examples: ["sage forget a1b2c3d4", "sage forget where the staging key lies"],
  connects: "endpoint",
  run(input, io) {
    const { options, rest, json } = input;
    refuseAgents(io, "Only a person may forget a note: it cannot be undone");
    return withMemory(input, io, async (memory) => {
      const erase = async (ref: string): Promise<Answer> => {
        const meant = options.yes ? undefined : await findMeant(memory, ref);
        if (meant !== undefined) {
          if (json || !canAsk(io)) throw nobodyToAsk(rest);
          if (!await confirm(io, `Erase ${meant.type} "${meant.title}" everywhere, for good?`)) {
            return undone(["Nothing was forgotten."]);
          }
        }
        const outcome = await forget(memory, ref);
        if (outcome.kind === "none" && !isElsewhere(outcome)) {
          const items = await mayBeMeant(memory, ref);
          const message = `No note is called "${ref}", but ${
            items.length === 1 ? "one" : items.length
          } may be meant`;
          const asked = { ref, nowMs: memory.now(), json, message };
          if (items.length > 0) return await chosen(io, items, asked, erase);
        }
        if (outcome.kind !== "forgotten") {
          return await notOne(memory, io, { kind: "note", ref, json }, outcome, erase);
        }
        const { id, short_id, title, places, stillSaid } = outcome;
        return {
          json: {
            forgotten: {
              ...{ id, short_id, title, places },
              ...defined({ still_said: nonEmpty(stillSaid) }),
            },
          },
          text: [
            [`Forgot ${short_id}: ${title} `, dim(`(${count(places.length, "place")})`)],
            ...stillSaid.map((item): Line => `Still said in ${item.path}`),
            ...stillSaid.length === 0 ? [] : [STILL_SAID],
          ],
        };
      };
      return await erase(rest.join(" "));
    });
  },
});

/** A command keeps as a version what it replaces. */
const STILL_SAID: Line =
  "What other notes say was left: forget them as well, each in its project, or take it out in the file itself.";

/** The one note that is meant, in its place or in the trash; of none or several, what follows says so. */
async function findMeant(memory: Memory, ref: string): Promise<NoteItem | undefined> {
  const found = await findNamed(memory, ref);
  if (found.kind === "one") return toItems([found.item])[0];
  return found.kind === "none" ? await findRemoved(memory, ref) : undefined;
}

/** Where a note of that name went is what to say. */
function isElsewhere({ moved, removed }: Missed): boolean {
  return moved !== undefined || removed !== undefined;
}

/** What the text finds: never forgotten without a choice. A plain note is not Sage's to erase. */
async function mayBeMeant(memory: Memory, query: string): Promise<readonly HitItem[]> {
  const { items, weak } = await searchMemory(memory, query);
  return weak ? [] : items.filter(({ type }) => type !== "note");
}

function nobodyToAsk(rest: readonly string[]): SageError {
  return new SageError("usage", "Forgetting cannot be undone, and there is nobody to ask", {
    hint: `sage forget ${rest.join(" ")} --yes`,
  });
}
