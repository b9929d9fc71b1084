/**
 * Agents' histories for back-filling: the past sessions, newest first, and what can be said of each, mostly
 * without reading it whole. Writes nothing.
 */
import { basename, join } from "../../base/path.ts";
import { isSystemError, SageError, systemErrorCode } from "../../base/errors.ts";
import { parseTime } from "../../base/clock.ts";
import { cut, firstSentence } from "../../base/text/text.ts";
import { configDir } from "../../editor/claude_code/payload.ts";
import {
  isFolderName,
  listProjectFolders,
  listTranscripts,
  projectFolder,
  type TranscriptFile,
} from "../../editor/claude_code/projects.ts";
import { readTranscript } from "../../editor/claude_code/transcript.ts";
import type { Transcript } from "../../editor/editor.ts";
import { HISTORIES, type History, type HistoryPlace, type PastFile } from "../../editor/history.ts";
import { isMeant } from "../../editor/history_files.ts";
import { stripPrivate } from "../../guard/private.ts";
import { redactSync } from "../../guard/redact.ts";
import { realOrTyped } from "../../store/handle.ts";
import { type Memory, scratchFolder } from "../memory.ts";
import { firstTopic } from "../session/topic.ts";

export interface PastSession {
  readonly agent: string;
  readonly session: string;
  readonly path: string;
  readonly bytes: number;
  /** The folder it worked in. */
  readonly cwd: string;
  readonly endedMs: number;
  /** Its title, or its first words as far as the file's end tells. */
  readonly topic: string;
}

/** Enough to find the folder, the time and a title; system prompts make files long. */
const PEEK_BYTES = 512 * 1024;
const TOPIC_CHARACTERS_MAX = 80;
const SESSION_ID = /^[A-Za-z0-9_-]{8,128}$/;

const CLAUDE_CODE = "claude-code";

/** The histories of all agents. */
export class Past {
  readonly #memory: Memory;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #opened = new Map<string, Promise<History>>();
  /** Paths that could not be read. */
  readonly unreadable = new Set<string>();

  /** `only`: the sessions that are looked for. */
  constructor(memory: Memory, only?: ReadonlySet<string>) {
    this.#memory = memory;
    this.#only = only;
  }

  /** Sessions of every agent, newest first: of this project, or of all. */
  async files({ all }: { readonly all: boolean }): Promise<PastFile[]> {
    const memory = this.#memory;
    const place = this.#place();
    const own = historyFiles(memory, { all }).filter(({ sessionId }) => isMeant(place, sessionId))
      .map((file) => ({ ...file, agent: CLAUDE_CODE }));
    const others: PastFile[] = [];
    for (const agent of Object.keys(HISTORIES)) {
      const listed = await this.#tried(
        `the sessions of ${agent}`,
        async () => (await this.#open(agent))?.list(),
      );
      for (const file of listed ?? []) {
        // Without a folder it belongs to no project.
        if (file.cwd !== undefined && (all || isOf(memory, { cwd: file.cwd }))) others.push(file);
      }
    }
    return [...own, ...others].sort((a, b) => b.mtimeMs - a.mtimeMs);
  }

  /** A whole conversation, as it is now. */
  async read(file: PastFile): Promise<Transcript> {
    const history = await this.#open(file.agent);
    return history === undefined
      ? readTranscript(file.path, { fs: this.#memory.fs, tailBytes: Infinity })
      : await history.read(file);
  }

  /** What can be said of a session, or undefined if it holds no conversation. */
  async look(file: PastFile): Promise<PastSession | undefined> {
    return await this.#tried(
      file.path,
      async () =>
        file.agent === CLAUDE_CODE
          ? peekPast(this.#memory, file)
          : toPast(this.#memory, file.agent, file, await this.read(file)),
    );
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.values()) await (await opened).close();
  }

  #open(agent: string): Promise<History> | undefined {
    const open = HISTORIES[agent];
    if (open === undefined) return undefined;
    const opened = this.#opened.get(agent) ?? open(this.#place());
    this.#opened.set(agent, opened);
    return opened;
  }

  #place(): HistoryPlace {
    const { fs, env, places: { home, projectDir } } = this.#memory;
    const onUnreadable = (path: string) => void this.unreadable.add(path);
    const scratch = scratchFolder(this.#memory);
    return { fs, env, home, projectDir, scratch, only: this.#only, onUnreadable };
  }

  /** A session or agent that cannot be read must not keep the others from being read. */
  async #tried<T>(what: string, look: () => Promise<T>): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      const cause = error instanceof SageError ? error.cause : error;
      if (!isSystemError(cause) || systemErrorCode(cause) === "ENOSPC") throw error;
      this.unreadable.add(what);
      return undefined;
    }
  }
}

/** Session files of Claude Code, newest first: of this project, or of all. */
function historyFiles(memory: Memory, { all }: { readonly all: boolean }): TranscriptFile[] {
  const config = configDir(memory.env) ?? join(memory.places.home, ".claude");
  const own = basename(projectFolder(memory.places.projectDir, config));
  // A session that began in a folder below the project has a folder of its own, with a similar name.
  const folders = listProjectFolders(config, memory.fs)
    .filter((folder) => all || isFolderName(basename(folder), own));
  return listTranscripts(folders, memory.fs).filter(({ sessionId }) => SESSION_ID.test(sessionId));
}

/**
 * What the end of a Claude Code file tells, or undefined if it holds no conversation. What it is about is said
 * at its beginning.
 */
function peekPast(memory: Memory, file: TranscriptFile): PastSession | undefined {
  const { fs } = memory;
  const end = readTranscript(file.path, { fs, tailBytes: PEEK_BYTES });
  const begin = end.fromStart || end.title !== undefined
    ? end
    : readTranscript(file.path, { fs, headBytes: PEEK_BYTES });
  return toPast(memory, CLAUDE_CODE, file, end, begin);
}

function toPast(
  memory: Memory,
  agent: string,
  file: TranscriptFile,
  transcript: Transcript,
  begin = transcript,
): PastSession | undefined {
  if (transcript.cwd === "" || transcript.turns.length === 0) return undefined;
  const last = transcript.turns.findLast(({ at }) => at !== "")?.at ?? "";
  const prompts = begin.turns.flatMap(({ role, text }) => role === "user" ? [text] : []);
  const named = transcript.title ?? firstTopic(memory, prompts) ?? prompts[0] ?? "";
  const topic = firstSentence(stripPrivate(named), TOPIC_CHARACTERS_MAX);
  return {
    agent,
    session: file.sessionId,
    path: file.path,
    bytes: file.size,
    cwd: transcript.cwd,
    endedMs: parseTime(last) ?? file.mtimeMs,
    topic: cut(redactSync(topic).text, TOPIC_CHARACTERS_MAX),
  };
}

/**
 * Whether a session worked in this project: in its folder or below it. On Windows Gemini CLI writes folders
 * in lower case and a shell keeps what was typed; the true name is on the disk, which is read only for likely
 * folders, because a share that is gone takes long to say so.
 */
export function isOf({ fs, places }: Memory, { cwd }: Pick<PastSession, "cwd">): boolean {
  const { projectDir } = places;
  if (isWithin(cwd, projectDir)) return true;
  return isWithin(folded(cwd), folded(projectDir)) && isWithin(realOrTyped(fs, cwd), projectDir);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
