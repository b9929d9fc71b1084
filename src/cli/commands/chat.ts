/** `sage chat`: a conversation with the model API that memory takes part in. */
import { rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { count } from "../../base/text/text.ts";
import { keep } from "../../chat/keep.ts";
import { dropLeft, type LeftTalk, openLog, takeLeft } from "../../chat/log.ts";
import { newTalk } from "../../chat/talk.ts";
import type { Memory } from "../../memory/memory.ts";
import { converse } from "../chat/loop.ts";
import { defineCommand } from "../command.ts";
import type { Io } from "../io.ts";
import { usageFacts, withModelApi } from "../chat/model_api.ts";
import { ago } from "../terminal/print.ts";

export const command = defineCommand({
  options: {
    skill: { type: "string", value: "name", summary: "also recall notes for this skill" },
    resume: { type: "boolean", summary: "continue the conversation that did not end" },
  },
  details:
    "For use without an agent. What you type and the knowledge recalled for it are sent to the model API at chat.address; each note is sent once. /help lists the commands, Ctrl-C stops an answer, /quit or the end of input ends the conversation and saves a checkpoint if it holds one. Needs a key: ANTHROPIC_API_KEY, or api_key in your own config.yaml. The conversation is kept on disk until it ends, without private text and secrets: one that was killed is saved by the next, or continued with --resume.",
  examples: ["sage chat", "sage chat --resume"],
  connects: "model",
  run(input, io) {
    const { json, options: { skill, resume } } = input;
    if (json) throw new SageError("usage", "A conversation has no --json", { hint: "sage ask" });
    return withModelApi(input, io, async (memory, api) => {
      const left = await findLeft(memory, io, resume);
      const talk = { ...newTalk(left?.id), said: left?.said ?? [] };
      const log = await openLog(memory, talk.id, left);
      const { spent } = await converse({ memory, io, api, log, skill }, talk);
      return { json: usageFacts(memory, spent), text: [] };
    });
  },
});

/** The last that did not end, where it is wanted; the others become checkpoints. */
async function findLeft(memory: Memory, io: Io, resume: boolean): Promise<LeftTalk | undefined> {
  const left = takeLeft(memory);
  const last = resume ? left.pop() : undefined;
  if (resume && last === undefined) {
    throw new SageError("not_found", "No conversation of this project was cut short", {
      hint: "sage chat begins one; /restore <id> continues from a checkpoint",
    });
  }
  for (const one of left) io.err(`${await finish(memory, one)}\n`);
  if (last === undefined) return undefined;
  const at = ago(io, rfc3339(last.said.at(-1)?.at ?? memory.now()), memory.now());
  io.err(`Going on with ${count(last.said.length, "message")}, the last ${at}.\n`);
  return last;
}

async function finish(memory: Memory, left: LeftTalk): Promise<string> {
  const outcome = await keep(memory, { ...left, context: 0 }, "recovery");
  dropLeft(memory, left);
  const what = `A conversation of ${count(left.said.length, "message")} had not ended`;
  return outcome.kind === "saved"
    ? `${what}: saved as checkpoint ${outcome.short_id}, /restore ${outcome.short_id} continues from it.`
    : `${what}; it held no checkpoint.`;
}
