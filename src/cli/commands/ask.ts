/** `sage ask`: one question to the model API, with what is known of it. */
import { SageError } from "../../base/errors.ts";
import { defined, nonEmpty } from "../../base/defined.ts";
import { ask, newTalk } from "../../chat/talk.ts";
import type { RecallItem } from "../../memory/knowledge/answer.ts";
import { dim } from "../terminal/answer.ts";
import { defineCommand } from "../command.ts";
import {
  cutNotice,
  showRecalled,
  streamTo,
  usageFacts,
  usageText,
  withModelApi,
} from "../chat/model_api.ts";
import { typedText } from "../piped.ts";
import { renderLines } from "../terminal/print.ts";

const QUESTION_BYTES_MAX = 1024 * 1024;

export const command = defineCommand({
  operands: [0, Infinity],
  options: {
    also: {
      type: "strings",
      value: "text",
      summary: "also recall with the question in other words",
    },
    skill: { type: "string", value: "name", summary: "also recall notes for this skill" },
  },
  details:
    "For use without an agent. The question and the knowledge recalled for it are sent to the model API at chat.address; what was recalled is listed. Needs a key: ANTHROPIC_API_KEY, or api_key in your own config.yaml. Without a question, or with -, it is read from stdin. Nothing is saved.",
  examples: ["sage ask which database did we choose for offline notes", "sage ask < question.txt"],
  connects: "model",
  async run(input, io) {
    const { rest, options: { also, skill }, json } = input;
    const question = (await typedText(io, rest, QUESTION_BYTES_MAX)).trim();
    if (question === "") {
      throw new SageError("usage", "There is no question", { hint: "sage ask <question>" });
    }
    return await withModelApi(input, io, async (memory, api) => {
      const stream = streamTo(io);
      const told = {
        onRecalled: json ? () => {} : (items: readonly RecallItem[]) => showRecalled(io, items),
        onText: json ? () => {} : (text: string) => stream.text(text),
      };
      const { reply, recalled } = await ask(
        memory,
        api,
        newTalk(),
        question,
        told,
        defined({ skill, also: nonEmpty(also) }),
      ).finally(stream.end);
      const notice = cutNotice(reply);
      if (!json && io.isTerminal.stderr) {
        io.err(renderLines([dim(usageText(memory, reply.usage))], io.color));
      }
      return {
        json: {
          question,
          answer: reply.text,
          isWhole: reply.cut === undefined,
          recalled: recalled.map(({ id, short_id, title, tokens }) => ({
            id,
            short_id,
            title,
            tokens,
          })),
          usage: usageFacts(memory, reply.usage),
        },
        text: [],
        notices: notice === undefined ? [] : [notice],
      };
    });
  },
});
