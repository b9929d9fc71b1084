/** Keeps the registry's view of a session: which files it touched, and that it is alive. */
import { EDITOR_PID } from "../../base/environment.ts";
import type { Fs } from "../../base/fs.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { isEdit } from "../../detect/summary/work.ts";
import { isClientsOwn } from "../../editor/claude_code/payload.ts";
import type { HookInput, Transcript, Turn } from "../../editor/editor.ts";
import { realRoot } from "../../store/handle.ts";
import { isForgotten } from "../../store/tombstones.ts";
import type { Memory } from "../memory.ts";
import { readSession, updateSession, withStarterSeen } from "./state/state.ts";

export async function touch(
  memory: Memory,
  input: HookInput,
  transcript: Transcript,
): Promise<void> {
  const filesOf = (turns: readonly Turn[]): string[] =>
    turns.flatMap(({ tools }) => tools)
      // Reading a file concerns nobody else.
      .filter((tool) =>
        isEdit(tool) && tool.filePath !== undefined && tool.failed !== true &&
        !isClientsOwn(tool.filePath, memory.env)
      )
      .map(({ filePath }) => inProject(memory, filePath ?? "", input.startDir ?? input.cwd));
  const files = filesOf(transcript.turns);
  const before = readSession(memory, input.sessionId);
  const topic = before?.topic ?? await topicFrom(memory, input.sessionId, transcript);
  if ((before?.offered ?? []).length > 0) {
    const { takeUpActed } = await import("./handoff.ts");
    takeUpActed(memory, input.sessionId, transcript.turns, filesOf);
  }
  // A session that speaks has not ended, though another start may have taken its silence for an
  // end.
  const state = updateSession(memory, input.sessionId, ({ ended: _, endReason: __, ...state }) => ({
    ...withStarterSeen(state),
    ...(state.topic === undefined && topic !== undefined ? { topic } : {}),
    ...(input.transcriptPath === undefined ? {} : { transcriptPath: input.transcriptPath }),
    readTo: transcript.endOffset,
    filesTouched: [...new Set([...state.filesTouched ?? [], ...files])],
  }));
  if (state.pid !== undefined && memory.env(EDITOR_PID) === undefined) {
    const { noteBeside } = await import("./overlap.ts");
    noteBeside(memory, input.sessionId);
  }
  const known = new Set(before?.filesTouched ?? []);
  const fresh = files.filter((file) => !known.has(file));
  if (fresh.length > 0) {
    const { noteOverlaps } = await import("./overlap.ts");
    noteOverlaps(memory, input.sessionId, fresh);
  }
}

/** From the transcript, because a prompt that its hook refused at once has set no topic. */
async function topicFrom(
  memory: Memory,
  session: string,
  { turns }: Transcript,
): Promise<string | undefined> {
  if (isForgotten(memory.fs, memory.places.stateDir, { session })) return undefined;
  // The privacy rules take longer to load than the rest of a turn's end, and a session needs them
  // once.
  const { firstTopic } = await import("./topic.ts");
  return firstTopic(memory, turns.flatMap(({ role, text }) => role === "user" ? [text] : []));
}

/** A file's path as every session of the project calls it, wherever below the project it began. */
function inProject({ fs, places }: Memory, path: string, cwd: string): string {
  const inCwd = below(path, cwd);
  // The editor names files by the folder as it was typed; the project's has links resolved. On
  // macOS some say /tmp and some /private/tmp.
  const real = inCwd === undefined ? realOf(fs, path) : join(realRoot(fs, cwd), inCwd);
  // In a linked worktree files are called by their paths in the main checkout.
  return below(real, places.projectDir) ?? inCwd ?? path;
}

function realOf(fs: Fs, path: string): string {
  try {
    return join(realRoot(fs, dirname(path)), basename(path));
  } catch {
    // No path that a file can have.
    return path;
  }
}

function below(path: string, folder: string): string | undefined {
  return path.startsWith(folder + "/") ? path.slice(folder.length + 1) : undefined;
}
