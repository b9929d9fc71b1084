/**
 * A conversation that is not over, on disk: what was said survives the terminal it was said in. One file
 * each, locked by the process that writes it, removed when the conversation ends in good order.
 */
import { encode, type FileHandle, type Fs, join, readBytes } from "../base/fs.ts";
import { systemErrorCode } from "../base/errors.ts";
import { fieldsOf } from "../base/fields.ts";
import { readJsonLines } from "../base/jsonl.ts";
import { isExcluded } from "../memory/capture.ts";
import { CHAT_BYTES_MAX, CHATS_FOLDER } from "../memory/checkpoint/conversation.ts";
import type { Memory } from "../memory/memory.ts";
import { open } from "./keep.ts";
import type { Said, Talk } from "./talk.ts";

const NAME = /^([0-9a-f-]{36})\.jsonl$/;

export interface Log {
  /** What was said since the last call is on disk when this returns. */
  keep(talk: Talk): Promise<void>;
  /** What was said so far is no longer of this conversation. */
  clear(): void;
  /** The conversation is over. */
  end(): void;
}

export interface LeftTalk {
  readonly id: string;
  readonly said: readonly Said[];
}

/** A project that is excluded from capture has none. */
export async function openLog(memory: Memory, talk: Talk): Promise<Log> {
  if (await isExcluded(memory)) return { keep: () => Promise.resolve(), clear() {}, end() {} };
  const { fs } = memory;
  const folder = folderOf(memory);
  fs.makeDir(folder, 0o700);
  const path = join(folder, `${talk.id}.jsonl`);
  let file: FileHandle | undefined;
  let kept = 0;
  return {
    async keep({ said }) {
      file ??= create(fs, path, memory.places.projectId);
      const fresh = await open(memory, said.slice(kept));
      file.write(encode(fresh.map((one) => JSON.stringify(one) + "\n").join("")));
      file.sync();
      kept = said.length;
    },
    clear() {
      remove();
      kept = 0;
    },
    end: remove,
  };

  function remove(): void {
    if (file === undefined) return;
    file.close();
    fs.unlink(path);
    file = undefined;
  }
}

/** Conversations of this project whose process is gone, oldest first; each is handed out once. */
export function takeLeft(memory: Memory): LeftTalk[] {
  return talks(memory, memory.places.projectId);
}

/** What was said in any that is not over, whatever the project, and whether its process lives or not. */
export function unendedTalks(memory: Memory): LeftTalk[] {
  return talks(memory, undefined).filter(({ said }) => said.length > 0);
}

function talks(memory: Memory, project: string | undefined): LeftTalk[] {
  const { fs } = memory;
  const folder = folderOf(memory);
  if (fs.lstat(folder)?.kind !== "dir") return [];
  return fs.list(folder).flatMap(({ name }): LeftTalk[] => {
    const [, id] = NAME.exec(name) ?? [];
    const path = join(folder, name);
    if (id === undefined || (project !== undefined && !isLeft(fs, path))) return [];
    const [head, ...said] = readJsonLines(readBytes(fs, path, CHAT_BYTES_MAX));
    if (project !== undefined && !isOf(head, project)) return [];
    return [{ id, said: said.filter(isSaid) }];
  }).sort((a, b) => (a.said[0]?.at ?? 0) - (b.said[0]?.at ?? 0));
}

/** It was taken over, or saved. */
export function dropLeft(memory: Memory, { id }: LeftTalk): void {
  memory.fs.unlink(join(folderOf(memory), `${id}.jsonl`));
}

function folderOf({ places }: Memory): string {
  return join(places.stateDir, CHATS_FOLDER);
}

function create(fs: Fs, path: string, project: string): FileHandle {
  const file = fs.open(path, { append: true, create: true, mode: 0o600 });
  file.tryLock(true);
  if (file.info().size === 0) file.write(encode(JSON.stringify({ project }) + "\n"));
  return file;
}

/** Whoever writes it holds its lock. */
function isLeft(fs: Fs, path: string): boolean {
  try {
    const file = fs.open(path, { read: true, write: true });
    try {
      return file.tryLock(true);
    } finally {
      file.close();
    }
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}

function isOf(head: unknown, project: string): boolean {
  return fieldsOf(head)["project"] === project;
}

function isSaid(value: unknown): value is Said {
  const { role, content, at } = fieldsOf(value);
  return (role === "user" || role === "assistant") && typeof content === "string" &&
    typeof at === "number";
}
