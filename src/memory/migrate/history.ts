/**
 * The editor's history as back-filling sees it: which past sessions there are, newest first, and what
 * is known of each without reading it whole. Nothing is written here.
 */
import { basename, join } from "../../base/fs.ts";
import { parseTime } from "../../base/clock.ts";
import { cut, firstSentence } from "../../base/text.ts";
import { configDir } from "../../editor/claude_code/payload.ts";
import {
  listProjectFolders,
  listTranscripts,
  projectFolder,
  type TranscriptFile,
} from "../../editor/claude_code/projects.ts";
import { readTranscript } from "../../editor/claude_code/transcript.ts";
import { stripPrivate } from "../../guard/private.ts";
import { redactSync } from "../../guard/redact.ts";
import type { Memory } from "../memory.ts";

export interface PastSession {
  readonly session: string;
  readonly path: string;
  readonly bytes: number;
  /** Where it worked. */
  readonly cwd: string;
  readonly endedMs: number;
  /** Its title, or how it began as far as the file's end says. */
  readonly topic: string;
}

/** Enough to find the folder, the time and a title; system prompts make files long. */
const PEEK_BYTES = 512 * 1024;
const TOPIC_CHARACTERS_MAX = 80;
const SESSION_ID = /^[A-Za-z0-9_-]{8,128}$/;

/** Session files, newest first: of this project, or of all. */
export function historyFiles(memory: Memory, all: boolean): TranscriptFile[] {
  const config = configDir(memory.env) ?? join(memory.places.home, ".claude");
  const own = basename(projectFolder(memory.places.projectDir, config));
  // A session that began in a folder below the project has a folder of its own, called alike.
  return listProjectFolders(config, memory.fs)
    .filter((folder) => all || basename(folder).startsWith(own))
    .flatMap((folder) => listTranscripts(folder, memory.fs))
    .filter(({ sessionId }) => SESSION_ID.test(sessionId))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
}

/** What the end of a file tells, or undefined where it holds no conversation. */
export function peekPast(memory: Memory, file: TranscriptFile): PastSession | undefined {
  const transcript = readTranscript(file.path, { fs: memory.fs, tailBytes: PEEK_BYTES });
  if (transcript.cwd === "" || transcript.turns.length === 0) return undefined;
  const last = transcript.turns.findLast(({ at }) => at !== "")?.at ?? "";
  const first = transcript.turns.find(({ role }) => role === "user")?.text ?? "";
  const topic = firstSentence(stripPrivate(transcript.title ?? first), TOPIC_CHARACTERS_MAX);
  return {
    session: file.sessionId,
    path: file.path,
    bytes: file.size,
    cwd: transcript.cwd,
    endedMs: parseTime(last) ?? file.mtimeMs,
    topic: cut(redactSync(topic).text, TOPIC_CHARACTERS_MAX),
  };
}

/** Whether a session worked in this project: in its folder or below it. */
export function isOf(memory: Memory, { cwd }: PastSession): boolean {
  const { projectDir } = memory.places;
  return cwd === projectDir || cwd.startsWith(`${projectDir}/`) ||
    cwd.startsWith(`${projectDir}\\`);
}
