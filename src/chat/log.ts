/**
 * A conversation that is not over, on disk, so that it survives its terminal. One file
 * each, locked by the process that writes it, removed when the conversation ends in good order.
 */
import {
  type FileHandle,
  type Fs,
  listIfDir,
  readBytes,
  readFull,
  removeIfThere,
} from "../base/fs.ts";
import { dirname, join } from "../base/path.ts";
import { encode } from "../base/utf8.ts";
import { systemErrorCode } from "../base/errors.ts";
import { fieldsOf } from "../base/fields.ts";
import { readJsonLines } from "../base/jsonl.ts";
import { isExcluded } from "../memory/write/capture.ts";
import { CHAT_BYTES_MAX, CHATS_FOLDER } from "../memory/chats.ts";
import type { Memory } from "../memory/memory.ts";
import { open } from "./keep.ts";
import type { Said, Talk } from "./talk.ts";

const NAME = /^([0-9a-f-]{36})\.jsonl$/;

export interface Log {
  /** Writes what was said since the last call to disk before it returns. */
  keep(talk: Talk): Promise<void>;
  /** What was said so far no longer belongs to this conversation. */
  clear(): void;
  /** The conversation is over. */
  end(): void;
}

export interface UnendedTalk {
  readonly id: string;
  readonly said: readonly Said[];
}

/** One whose process is gone. Locked for others while its file is open. */
export interface LeftTalk extends UnendedTalk {
  readonly file: FileHandle;
}

/** Continues the file of `left`, if given. No file is made for a project excluded from capture. */
export async function openLog(memory: Memory, id: string, left?: LeftTalk): Promise<Log> {
  if (await isExcluded(memory)) {
    if (left !== undefined) dropLeft(memory, left);
    return { keep: () => Promise.resolve(), clear() {}, end() {} };
  }
  const { fs } = memory;
  const path = pathOf(memory, id);
  let file = left?.file;
  let kept = left?.said.length ?? 0;
  // Its last line may be incomplete.
  file?.write(encode("\n"));
  return {
    async keep({ said }) {
      if (file !== undefined && fs.lstat(path) === undefined) remove(); // by `sage forget`
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
    if (file !== undefined) dropLeft(memory, { id, file });
    file = undefined;
  }
}

/** Conversations of this project whose process is gone, oldest first; each is returned once. */
export function takeLeft(memory: Memory): LeftTalk[] {
  const { fs, places } = memory;
  return idsOf(memory).flatMap((id): LeftTalk[] => {
    const file = lockLeft(fs, pathOf(memory, id));
    if (file === undefined) return [];
    const bytes = new Uint8Array(Math.min(file.info().size, CHAT_BYTES_MAX));
    const { project, said } = parse(readFull(file, bytes));
    if (project === places.projectId) return [{ id, said, file }];
    file.close();
    return [];
  }).sort(byBeginning);
}

/** All conversations that are not over, of any project, whether or not their process still runs. */
export function unendedTalks(memory: Memory): UnendedTalk[] {
  return idsOf(memory)
    .map((id) => ({ id, ...parse(readBytes(memory.fs, pathOf(memory, id), CHAT_BYTES_MAX)) }))
    .filter(({ said }) => said.length > 0)
    .sort(byBeginning);
}

/** Deletes the file of a conversation that was saved. */
export function dropLeft(memory: Memory, { id, file }: Pick<LeftTalk, "id" | "file">): void {
  const path = pathOf(memory, id);
  // Still locked, so that no other process takes it. `sage forget` may have deleted it already.
  removeIfThere(memory.fs, path);
  file.close();
}

function idsOf(memory: Memory): string[] {
  const folder = folderOf(memory);
  return listIfDir(memory.fs, folder).flatMap(({ name }) => NAME.exec(name)?.[1] ?? []);
}

function pathOf(memory: Memory, id: string): string {
  return join(folderOf(memory), `${id}.jsonl`);
}

function folderOf({ places }: Memory): string {
  return join(places.stateDir, CHATS_FOLDER);
}

function create(fs: Fs, path: string, project: string): FileHandle {
  fs.makeDir(dirname(path), 0o700);
  const file = fs.open(path, { append: true, createNew: true, mode: 0o600 });
  file.tryLock(true);
  file.write(encode(JSON.stringify({ project }) + "\n"));
  return file;
}

/** Locks a file whose writer is gone. An empty one is new, and about to be locked by its writer. */
function lockLeft(fs: Fs, path: string): FileHandle | undefined {
  try {
    if (fs.lstat(path)?.size === 0) return undefined;
    const file = fs.open(path, { read: true, append: true });
    if (file.tryLock(true) && fs.lstat(path) !== undefined) return file;
    file.close();
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
  return undefined;
}

function parse(bytes: Uint8Array): { readonly project: unknown; readonly said: Said[] } {
  const [head, ...said] = readJsonLines(bytes);
  return { project: fieldsOf(head)["project"], said: said.filter(isSaid) };
}

function byBeginning(a: UnendedTalk, b: UnendedTalk): number {
  return (a.said[0]?.at ?? 0) - (b.said[0]?.at ?? 0);
}

function isSaid(value: unknown): value is Said {
  const { role, content, at } = fieldsOf(value);
  return (role === "user" || role === "assistant") && typeof content === "string" &&
    typeof at === "number";
}
