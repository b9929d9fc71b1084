/** Keeps the registry's view of a session: which files it touched, that it is alive. */
import type { HookInput, Transcript } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import { updateSession } from "./state.ts";

/** Tools that change files; reading is no reason to warn anybody. */
const WRITES = /^(?:Edit|Write|MultiEdit|NotebookEdit)$/;

export function touch(memory: Memory, input: HookInput, transcript: Transcript): void {
  const files = transcript.turns.flatMap(({ tools }) => tools)
    .filter(({ name, filePath, failed }) =>
      WRITES.test(name) && filePath !== undefined && failed !== true
    )
    .map(({ filePath }) => relative(filePath ?? "", input.startDir ?? input.cwd));
  updateSession(memory, input.sessionId, (state) => ({
    ...state,
    ...(input.transcriptPath === undefined ? {} : { transcriptPath: input.transcriptPath }),
    readTo: transcript.endOffset,
    filesTouched: [...new Set([...state.filesTouched ?? [], ...files])],
  }));
}

function relative(path: string, folder: string): string {
  return path.startsWith(folder + "/") ? path.slice(folder.length + 1) : path;
}
