/** The dialogue of `sage chat`: lines in, answers out, and the commands that begin with a slash. */
import { defined } from "../../base/defined.ts";
import { SageError } from "../../base/errors.ts";
import { fileStamp } from "../../base/clock.ts";
import { count } from "../../base/text/text.ts";
import { exportText, keep } from "../../chat/keep.ts";
import type { Log } from "../../chat/log.ts";
import type { ModelApi } from "../../chat/model_api.ts";
import { ask, type Talk } from "../../chat/talk.ts";
import { loadCheckpoint } from "../../memory/checkpoint/load.ts";
import { writeExport } from "../../memory/checkpoint/export.ts";
import { flagWords, trustSaid } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { fenceItems } from "../../memory/recalled.ts";
import { dim, type Line } from "../terminal/answer.ts";
import { messageReader } from "./input.ts";
import { absolute } from "../folder.ts";
import type { Io } from "../io.ts";
import { cutNotice, showRecalled, streamTo, usageText } from "./model_api.ts";
import { failureText, renderLines } from "../terminal/print.ts";

export interface Chat {
  readonly memory: Memory;
  readonly io: Io;
  readonly api: ModelApi;
  readonly log: Log;
  readonly skill: string | undefined;
}

const HELP: readonly Line[] = [
  "/checkpoint        save where the conversation stands",
  "/restore <id>      bring a checkpoint into the conversation",
  "/knowledge         what was recalled so far",
  "/context           how much the conversation holds, and what it has cost",
  "/clear             save, then begin anew",
  "/export [<file>]   write it to a file, without private text and secrets",
  "/quit              save, and end",
  "A line that ends with \\ continues in the next; what is pasted is one message.",
];

/** Not a path, with which a paste may begin. */
const COMMAND = /^\s*\/\w+(?:\s|$)/;

/** Runs until the person ends it; returns the conversation. */
export async function converse(chat: Chat, first: Talk): Promise<Talk> {
  let talk = first;
  const read = messageReader(chat.io, (line) => COMMAND.test(line));
  try {
    for (let line = await read(); line !== undefined; line = await read()) {
      const word = /^\/(\w+)\s*(.*)$/.exec(line);
      if (line === "") continue;
      if (word?.[1] === "quit" || word?.[1] === "exit") break;
      talk = await answer(chat, talk, line, word?.[1], word?.[2]?.trim() ?? "").catch((error) => {
        // The dialogue continues: a question may be repeated, a file be named differently.
        if (!(error instanceof SageError)) throw error;
        chat.io.err(failureText(error));
        return talk;
      });
    }
  } finally {
    say(chat, await save(chat, talk, "session_end"));
    chat.log.end();
  }
  return talk;
}

async function answer(
  chat: Chat,
  talk: Talk,
  line: string,
  command: string | undefined,
  operand: string,
): Promise<Talk> {
  const { memory, io } = chat;
  switch (command) {
    case undefined:
      return await question(chat, talk, line);
    case "help":
      say(chat, HELP);
      return talk;
    case "checkpoint":
      say(chat, await save(chat, talk, "manual"));
      return talk;
    case "restore":
      return { ...talk, ahead: await restored(chat, operand) };
    case "knowledge":
      if (talk.recalled.length === 0) say(chat, ["Nothing was recalled so far."]);
      else showRecalled(io, talk.recalled);
      return talk;
    case "context":
      say(chat, [
        `${count(talk.said.length, "message")}, ${
          count(talk.context, "token")
        } in the last exchange`,
        `in total ${usageText(memory, talk.spent)}`,
      ]);
      return talk;
    case "clear":
      say(chat, [...await save(chat, talk, "session_end"), "New conversation."]);
      chat.log.clear();
      return { ...talk, said: [], recalled: [], context: 0, ahead: "" };
    case "export":
      say(chat, [`Written to ${await exported(chat, talk, operand)}`]);
      return talk;
    default:
      throw new SageError("usage", `There is no command /${command}`, { hint: "/help" });
  }
}

async function question(chat: Chat, talk: Talk, text: string): Promise<Talk> {
  const { memory, io, api, skill } = chat;
  const stream = streamTo(io);
  const told = {
    onRecalled: (items: Talk["recalled"]) => showRecalled(io, items),
    onText: (part: string) => stream.text(part),
  };
  using interrupt = io.interruptible();
  const { talk: now, reply } = await ask(memory, api, talk, text, told, {
    ...defined({ skill }),
    signal: interrupt.signal,
  }).finally(stream.end);
  const notice = cutNotice(reply);
  if (notice !== undefined) say(chat, [notice]);
  await chat.log.keep(now);
  return now;
}

/** Returns what to say about it. */
async function save(
  { memory }: Chat,
  talk: Talk,
  trigger: "manual" | "session_end",
): Promise<readonly Line[]> {
  if (talk.said.length === 0) return trigger === "manual" ? ["Nothing was said yet."] : [];
  const outcome = await keep(memory, talk, trigger);
  switch (outcome.kind) {
    case "saved":
      return [`Saved checkpoint ${outcome.short_id}: ${outcome.title}`];
    case "duplicate":
      return [`Nothing new: checkpoint ${outcome.of.short_id} says the same.`];
    case "nothing":
      return trigger === "manual" ? [`Not saved: ${outcome.reason}.`] : [];
    default:
      return [`Not saved: ${outcome.kind}.`];
  }
}

async function restored({ memory, io }: Chat, ref: string): Promise<string> {
  const outcome = await loadCheckpoint(memory, ref === "" ? { recent: 1 } : { query: ref });
  if (outcome.kind === "none") {
    throw new SageError("not_found", `No checkpoint matches "${ref}"`, {
      hint: "sage checkpoint list",
    });
  }
  if (outcome.kind === "many") {
    const ids = outcome.items.map((item) => `${item.short_id} ${item.title}`).join("; ");
    throw new SageError(
      "ambiguous",
      `"${ref}" matches ${count(outcome.items.length, "checkpoint")}: ${ids}`,
      { hint: "/restore <id>" },
    );
  }
  const [item] = outcome.items;
  if (item === undefined) return "";
  io.err(renderLines([`The next question continues from ${item.short_id} ${item.title}`], false));
  return fenceItems([{
    id: item.short_id,
    title: item.title,
    date: item.created.slice(0, 10),
    author: item.author,
    trust: trustSaid(memory, item.scope),
    flags: flagWords(item),
    body: item.text,
  }]);
}

async function exported({ memory, io }: Chat, talk: Talk, operand: string): Promise<string> {
  if (talk.said.length === 0) throw new SageError("usage", "Nothing was said yet");
  const path = absolute(io, operand === "" ? `chat-${fileStamp(memory.now())}.md` : operand);
  writeExport(memory, path, await exportText(memory, talk.said));
  return path;
}

function say({ io }: Chat, lines: readonly Line[]): void {
  const dimmed = lines.map((line) => typeof line === "string" ? dim(line) : line);
  if (lines.length > 0) io.err(renderLines(dimmed, io.color && io.isTerminal.stderr));
}
