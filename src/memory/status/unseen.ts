/**
 * Sessions of the editor here of which no hook reported: capture that stopped silently, because the
 * hooks were switched off, not trusted, or not called. Found in the editor's own files.
 */
import { age, DAY_MS, parseTime } from "../../base/clock.ts";
import { join } from "../../base/path.ts";
import { logTails } from "../../base/log.ts";
import { configDir } from "../../editor/claude_code/payload.ts";
import {
  listTranscripts,
  projectFolder,
  type TranscriptFile,
  transcriptHead,
} from "../../editor/claude_code/projects.ts";
import { isExcluded } from "../write/capture.ts";
import type { Memory } from "../memory.ts";
import { readSession } from "../session/state/state.ts";

/** The receipt of an installation; written when the editor's settings were. */
export function receiptName(editor: string): string {
  return `install/${editor}.json`;
}

const DAYS = 7;
/** How many files are looked into: after this many sessions without hooks the person has been told. */
const LOOKED_AT_MAX = 10;

/**
 * A sentence that the newest sessions ran without Sage, with the reason as far as it can be seen;
 * undefined where none did.
 */
export async function unseenSessions(
  memory: Memory,
  own?: string,
): Promise<{ readonly detail: string; readonly mend: string } | undefined> {
  const { fs, places } = memory;
  const installed = fs.lstat(join(places.stateDir, receiptName("claude-code")))?.mtimeMs;
  if (installed === undefined || await isExcluded(memory)) return undefined;
  const unseen = newestUnseen(memory, installed, own);
  const [newest] = unseen;
  if (newest === undefined) return undefined;
  const many = unseen.length === 1 ? "the last session" : `the last ${unseen.length} sessions`;
  const when = age(newest.mtimeMs, memory.now());
  const { reason, mend } = await whyUnseen(memory);
  return {
    detail: `${many} here ran without Sage's hooks (${when} ago: ${reason}); run sage doctor`,
    mend: `${mend}; sage migrate --from transcripts makes notes of what was said`,
  };
}

/** Newest first, up to the first that a hook reported. */
function newestUnseen(
  memory: Memory,
  installed: number,
  own: string | undefined,
): TranscriptFile[] {
  const { fs, places, now } = memory;
  const files = listTranscripts(transcriptFolders(memory), fs).filter(({ sessionId, mtimeMs }) =>
    sessionId !== own && mtimeMs >= installed && mtimeMs > now() - DAYS * DAY_MS
  ).slice(0, LOOKED_AT_MAX);
  const unseen: TranscriptFile[] = [];
  let told: ReadonlySet<unknown> | undefined;
  for (const file of files) {
    if (readSession(memory, file.sessionId) !== undefined) break;
    told ??= new Set(
      [...logTails(fs, places.stateDir, now(), DAYS)].flat().map(({ session }) => session),
    );
    if (told.has(file.sessionId)) break;
    const { isInteractive, startedAt } = transcriptHead(file.path, fs);
    const began = parseTime(startedAt ?? "");
    // A session that was open while Sage was installed has no hooks until it is restarted.
    if (isInteractive && began !== undefined && began >= installed) unseen.push(file);
  }
  return unseen;
}

/** Where the editor keeps sessions that begin in this project's folder, or in the current one. */
export function transcriptFolders({ env, places }: Memory): string[] {
  const config = configDir(env);
  if (config === undefined) return [];
  return [...new Set([places.projectDir, places.here])].map((dir) => projectFolder(dir, config));
}

async function whyUnseen(memory: Memory): Promise<{ reason: string; mend: string }> {
  const { editorState, hooksOffIn } = await import("../editor/state.ts");
  const state = editorState(memory);
  const mend = "sage install claude-code";
  if (state.kind === "absent") return { reason: "they are not registered", mend };
  if ("reason" in state) return { reason: state.reason, mend };
  const off = hooksOffIn(memory);
  return off === undefined
    ? {
      reason: "registered, but the editor did not call them",
      mend: "trust the folder in Claude Code (it calls no hook before), and look at /hooks there",
    }
    : { reason: `${off.key} is set in ${off.path}`, mend: `remove ${off.key} from that file` };
}
