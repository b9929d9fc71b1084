/** Keeps the registry's view of a session: which files it touched, that it is alive. */
import type { HookInput, Transcript } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import { updateSession } from "./state.ts";
import { topicOf } from "./topic.ts";

/** Tools that change files; reading is no reason to warn anybody. */
const WRITES = /^(?:Edit|Write|MultiEdit|NotebookEdit)$/;

export function touch(memory: Memory, input: HookInput, transcript: Transcript): void {
  const files = transcript.turns.flatMap(({ tools }) => tools)
    .filter(({ name, filePath, failed }) =>
      WRITES.test(name) && filePath !== undefined && failed !== true
    )
    .map(({ filePath }) => relative(filePath ?? "", input.startDir ?? input.cwd));
  // Who speaks has not ended, whatever a start of another session took its silence for.
  updateSession(memory, input.sessionId, ({ ended: _, endReason: __, ...state }) => ({
    ...state,
    ...topicFrom(state.topic, transcript),
    ...(input.transcriptPath === undefined ? {} : { transcriptPath: input.transcriptPath }),
    readTo: transcript.endOffset,
    filesTouched: [...new Set([...state.filesTouched ?? [], ...files])],
  }));
}

/** A prompt that is refused at once tells the registry nothing; its words are found here. */
function topicFrom(known: string | undefined, { turns }: Transcript): { topic?: string } {
  if (known !== undefined) return {};
  for (const { role, text } of turns) {
    const topic = role === "user" ? topicOf(text) : undefined;
    if (topic !== undefined) return { topic };
  }
  return {};
}

function relative(path: string, folder: string): string {
  return path.startsWith(folder + "/") ? path.slice(folder.length + 1) : path;
}
