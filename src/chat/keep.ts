/**
 * Saves a conversation: as a checkpoint, extracted as from any other conversation, and as a file if one was
 * asked for. Private text, secrets, excluded paths and what was recalled stay out of both.
 */
import { rfc3339 } from "../base/clock.ts";
import type { Transcript, Turn } from "../editor/editor.ts";
import { redactSync } from "../guard/redact.ts";
import { isExcluded } from "../memory/write/capture.ts";
import { type ExtractiveOutcome, saveExtractive } from "../memory/checkpoint/extractive.ts";
import type { Memory } from "../memory/memory.ts";
import { openTurns } from "../memory/session/turns.ts";
import type { Said, Talk } from "./talk.ts";

export async function keep(
  memory: Memory,
  { id, said, context }: Pick<Talk, "id" | "said" | "context">,
  trigger: "manual" | "session_end" | "recovery",
): Promise<ExtractiveOutcome> {
  if (await isExcluded(memory)) {
    return { kind: "nothing", reason: ".sageignore excludes this project" };
  }
  const transcript = await openTurns(memory, toTranscript(memory, id, said, context));
  return await saveExtractive(memory, transcript, {
    session: id,
    trigger,
    confidence: 0.5,
    always: trigger === "manual",
  });
}

/** What was said, as it may be written down. */
export async function open(memory: Memory, said: readonly Said[]): Promise<readonly Said[]> {
  const { turns } = await openTurns(memory, toTranscript(memory, "", said, 0));
  return turns.map(({ role, text }, i) => ({
    role,
    content: redactSync(text).text,
    at: said[i]?.at ?? 0,
  }));
}

/** The conversation as Markdown. */
export async function exportText(memory: Memory, said: readonly Said[]): Promise<string> {
  const parts = (await open(memory, said)).map(({ role, content, at }) =>
    `## ${role === "user" ? "You" : "Answer"} (${rfc3339(at)})\n\n${content.trim()}\n`
  );
  return parts.join("\n");
}

function toTranscript(
  { places }: Memory,
  id: string,
  said: readonly Said[],
  context: number,
): Transcript {
  return {
    agent: "sage chat",
    sessionId: id,
    cwd: places.projectDir,
    title: undefined,
    turns: said.map((one, i) => toTurn(id, one, i)),
    compactions: [],
    sinceCompaction: 0,
    contextTokens: context === 0 ? undefined : context,
    model: undefined,
    fromStart: true,
    endOffset: 0,
  };
}

function toTurn(id: string, { role, content, at }: Said, place: number): Turn {
  return { uuid: `${id}-${place}`, role, at: rfc3339(at), text: content, tools: [] };
}
