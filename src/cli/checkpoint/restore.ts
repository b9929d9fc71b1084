/** `sage checkpoint restore`: what is needed to go on from a checkpoint, as a person or as an agent. */
import { defined } from "../../base/defined.ts";
import { count } from "../../base/text/text.ts";
import type { ChainLink } from "../../memory/checkpoint/chain.ts";
import {
  lastTurns,
  readConversation,
  type SaidTurn,
} from "../../memory/checkpoint/conversation.ts";
import { loadCheckpoint, type LoadedCheckpoint } from "../../memory/checkpoint/load.ts";
import { restoreCheckpoint, type Restored } from "../../memory/checkpoint/restore.ts";
import type { GitState } from "../../note/checkpoint.ts";
import { findNote } from "../../memory/find.ts";
import { settle } from "../../memory/index/settle.ts";
import type { StoredNote } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { restoreRemoved } from "../../memory/removal/removed.ts";
import { type Answer, bold, dim, type Line } from "../terminal/answer.ts";
import { chainLines, linkText } from "./chain.ts";
import { defineVerb } from "../command.ts";
import type { Io } from "../io.ts";
import { withNote } from "../note_operand.ts";
import { bothDetails, changedAnswer, noneAnswer } from "../outcome.ts";
import { ago } from "../terminal/print.ts";
import { recalledPage } from "../recalled.ts";
import { notRestored } from "../restore_removed.ts";
import { withMemory } from "../with_memory.ts";

export const restore = defineVerb({
  summary: "print what is needed to go on from one",
  usage: "sage checkpoint restore <id> [--full|--summary] [--conversation]",
  operands: [1, Infinity],
  options: {
    full: { type: "boolean", summary: "the whole checkpoint, as far as the budget goes (default)" },
    summary: { type: "boolean", summary: "question, conclusion and what is open" },
    tokens: { type: "number", min: 100, max: 200000, summary: "print at most this many tokens" },
    conversation: { type: "boolean", summary: "also the conversation before it, if that was kept" },
  },
  details:
    "Prints the checkpoint with git's state then and now, the checkpoints before and after it, the notes that were known, and the files that were touched. What this session saves next continues it. One in the trash is restored first. Conversations are kept with sage config set privacy.keep_conversations true, on this machine only, without private text and secrets.",
  examples: ["sage checkpoint restore a1b2c3d4", "sage checkpoint restore a1b2c3d4 --conversation"],
  run(input, io) {
    const { options, rest, json } = input;
    if (options.full && options.summary) throw bothDetails();
    return withMemory(input, io, async (memory) => {
      const restore = async (ref: string): Promise<Answer> => {
        const operand = { kind: "checkpoint", ref, json } as const;
        const seen = await settle(memory);
        // An existing note is meant before a removed one.
        const found = await findNote(seen, ref, ["checkpoint"]);
        if (found.kind !== "none") return await withNote(seen, io, operand, show(seen));
        const outcome = await restoreRemoved(memory, "checkpoint", ref);
        if (outcome.kind === "none") return noneAnswer("checkpoint", ref, found);
        if (outcome.kind !== "restored") {
          return await notRestored(memory, io, operand, outcome, restore);
        }
        const back = { ...operand, ref: outcome.item.id };
        const answer = await withNote(memory, io, back, show(memory));
        return { ...answer, notices: ["it was in the trash and is back", ...answer.notices ?? []] };
      };
      const show = (memory: Memory) => async ({ note }: StoredNote): Promise<Answer> => {
        const outcome = await loadCheckpoint(memory, {
          ref: note.id,
          detail: options.summary ? "summary" : "full",
          ...defined({ tokensMax: options.tokens }),
        });
        const [loaded] = outcome.kind === "one" ? outcome.items : [];
        if (loaded === undefined) return changedAnswer();
        const restored = await restoreCheckpoint(memory, loaded);
        const said = options.conversation ? await readConversation(memory, loaded.id) : undefined;
        const tokensMax = options.tokens ?? memory.config.get("budget.context_tokens");
        return restoredAnswer(memory, io, restored, {
          isWanted: options.conversation,
          said,
          shown: said === undefined ? undefined : lastTurns(said, tokensMax),
        });
      };
      return await restore(rest.join(" "));
    });
  },
});

interface Talk {
  readonly isWanted: boolean;
  /** Undefined if none was kept. */
  readonly said: readonly SaidTurn[] | undefined;
  readonly shown: readonly SaidTurn[] | undefined;
}

function restoredAnswer(
  memory: Memory,
  io: Io,
  restored: Restored,
  { isWanted, said, shown }: Talk,
): Answer {
  const { checkpoint } = restored;
  const leftOut = (said?.length ?? 0) - (shown?.length ?? 0);
  const talk = shown === undefined ? [] : conversationLines(shown, leftOut);
  const head = headLines(memory, io, restored, isWanted);
  const lines = [...head, "", ...checkpoint.text.split("\n"), ...talk];
  return {
    json: {
      note: checkpoint,
      git: { then: restored.gitThen ?? null, now: restored.gitNow ?? null },
      children: restored.children,
      recalled: restored.recalled,
      files_touched: restored.filesTouched,
      conversation_kept: restored.hasConversation,
      ...(shown === undefined ? {} : { conversation: shown, turns_left_out: leftOut }),
    },
    text: recalledPage(memory, io, checkpoint, lines),
    ...(isWanted && said === undefined
      ? { notices: ["no conversation was kept: sage config explain privacy.keep_conversations"] }
      : {}),
  };
}

function headLines(memory: Memory, io: Io, restored: Restored, isWanted: boolean): Line[] {
  const { checkpoint, gitThen, gitNow, children, recalled, filesTouched } = restored;
  const kept = restored.hasConversation && !isWanted;
  return [
    bold(`Restoring ${checkpoint.short_id}: ${checkpoint.title}`),
    fact("saved", `${ago(io, checkpoint.created, memory.now())} · ${checkpoint.trigger}`),
    ...maybe("messages", messagesText(checkpoint)),
    ...maybe("git", gitText(gitThen, gitNow)),
    ...chainLines(checkpoint.chain),
    ...maybe("went on to", links(children)),
    ...maybe("knowledge", links(recalled)),
    ...maybe("files", filesTouched.join(", ")),
    ...maybe("conversation", kept ? "kept: --conversation prints it" : ""),
  ];
}

function messagesText({ checkpoint }: LoadedCheckpoint): string {
  const { messages, contextTokens } = checkpoint;
  if (messages === undefined) return "";
  const tokens = contextTokens === undefined ? "" : ` (${contextTokens} tokens of context)`;
  return `${messages}${tokens}`;
}

/** One commit if nothing moved, otherwise two. */
function gitText(then: GitState | undefined, now: GitState | undefined): string {
  if (then === undefined) return "";
  const [was, is] = [place(then), now === undefined ? "no repository" : place(now)];
  return was === is ? `${was}, as now` : `then ${was}, now ${is}`;
}

function place({ branch, commit }: GitState): string {
  return [branch, commit?.slice(0, 12)].filter((part) => part !== undefined).join(" ");
}

function links(chain: readonly ChainLink[]): string {
  const named = chain.slice(0, 3).map(linkText).join(", ");
  return chain.length > 3 ? `${named} and ${chain.length - 3} more` : named;
}

function conversationLines(said: readonly SaidTurn[], leftOut: number): Line[] {
  const before = leftOut === 0 ? "" : `, the ${leftOut} before left out: --tokens shows more`;
  return [
    "",
    bold(`The conversation (${count(said.length, "turn")}${before})`),
    ...said.flatMap(({ role, at, text, did }): Line[] => [
      "",
      dim(`${role === "user" ? "user" : "agent"} · ${at}`),
      ...(text === "" ? [] : text.split("\n")),
      ...did.map((line) => dim(`  ${line}`)),
    ]),
  ];
}

function fact(name: string, text: string): Line {
  return [dim(name.padEnd(13)), text];
}

function maybe(name: string, text: string): Line[] {
  return text === "" ? [] : [fact(name, text)];
}
