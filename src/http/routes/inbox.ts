/**
 * What an agent asks to write and only a person decides. Any client with the token may read it; only the page
 * may answer.
 */
import { defined } from "../../base/defined.ts";
import { z } from "zod";
import { saveKnowledgeInput } from "../../mcp/tools/knowledge.ts";
import { acceptQuestion } from "../../memory/question/accept.ts";
import { decline, findQuestion, listInbox, putOff } from "../../memory/question/question.ts";
import { knowledgeReply, patchReply } from "../knowledge_outcome.ts";
import { stop } from "../outcome.ts";
import { type Call, defineRoute, done, type Reply } from "../route.ts";
import { flag, listOf, nothing, question } from "../shapes.ts";

export const listInboxRoute = defineRoute({
  method: "GET",
  path: "/inbox",
  name: "listInbox",
  summary:
    "Questions that wait for the person, oldest first, with the text and what it would change; all: also preferences that are for another project alone",
  input: z.strictObject({ all: flag }),
  output: listOf(question).extend({ total: z.number(), elsewhere: z.number() }),
  // Questions are not part of the index.
  live: true,
  run({ memory, input: { all = false } }) {
    const { items, elsewhere } = listInbox(memory, all);
    return done({ items, total: items.length, elsewhere });
  },
});

export const acceptRoute = defineRoute({
  method: "POST",
  path: "/inbox/{id}/accept",
  name: "acceptQuestion",
  summary: "Say yes: it is written now, where it was asked; only the page may",
  input: z.strictObject({ on_conflict: saveKnowledgeInput.shape.on_conflict }),
  output: z.looseObject({ outcome: z.string() }),
  run: (call) => byPerson(call, () => accept(call)),
});

export const laterRoute = defineRoute({
  method: "POST",
  path: "/inbox/{id}/later",
  name: "putOffQuestion",
  summary: "Not now: it waits, and no session is told of it until then; only the page may",
  input: nothing,
  output: z.looseObject({ id: z.string(), later: z.string() }),
  run: (call) =>
    byPerson(call, () => {
      const asked = findQuestion(call.memory, call.params.id ?? "");
      return done({ id: asked.id, later: putOff(call.memory, asked) });
    }),
});

export const dropRoute = defineRoute({
  method: "POST",
  path: "/inbox/{id}/drop",
  name: "dropQuestion",
  summary: "Say no: its words go, and it is not asked again; only the page may",
  input: nothing,
  output: z.looseObject({ dropped: z.string() }),
  run: (call) =>
    byPerson(call, () => {
      const asked = findQuestion(call.memory, call.params.id ?? "", { isWhole: true });
      decline(call.memory, asked);
      return done({ dropped: asked.id });
    }),
});

type Choice = z.output<typeof saveKnowledgeInput>["on_conflict"];

async function accept(
  { memory, params: { id = "" }, input }: Call<{ readonly on_conflict?: Choice }>,
): Promise<Reply> {
  const { on_conflict: onConflict } = input;
  const accepted = await acceptQuestion(memory, findQuestion(memory, id), defined({ onConflict }));
  switch (accepted.kind) {
    case "save":
      return knowledgeReply(accepted.outcome);
    case "merge":
      return patchReply(accepted.outcome, "merged");
    case "promote": {
      const { kind, id, title } = accepted.outcome;
      return done({ outcome: kind, id, title });
    }
  }
}

function byPerson(
  { caller }: Pick<Call<unknown>, "caller">,
  act: () => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  if (caller === "page") return act();
  return stop(403, "excluded", "the answer is a person's to give: `sage inbox`, or the page");
}
