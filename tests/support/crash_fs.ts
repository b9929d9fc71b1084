/**
 * A disk in memory that fails as disks do: an error at the n-th call, a stop for good at the n-th
 * call, and after a stop every state that a power cut may leave: unsynced bytes and unsynced
 * directory entries gone or there, in every combination of the last six. Implements `Fs` and nothing
 * else, so what runs on it is the real code.
 */
import {
  afterPowerCut,
  apply,
  type Change,
  eachNode,
  type Node,
  type Pending,
} from "./crash_disk.ts";
import type { FileHandle, FileInfo, Fs, OpenOptions } from "../../src/base/fs.ts";

export type FailingCall =
  | "open"
  | "write"
  | "sync"
  | "lock"
  | "mkdir"
  | "link"
  | "rename"
  | "unlink"
  | "rmdir"
  | "chmod"
  | "syncDir"
  | "list"
  | "read";

export interface CrashFsOptions {
  /** At the n-th call (from 1) that `only` names: an error with this code, once. */
  readonly failAt?: {
    readonly n: number;
    readonly code: string;
    readonly only?: readonly FailingCall[];
  };
  /** At the n-th changing call: nothing works any more. */
  readonly stopAt?: number;
  /** Every file seems to have been written this long ago. */
  readonly ageMs?: number;
  /** No hard links, as on FAT. */
  readonly withoutLinks?: boolean;
}

/** Calls that change the disk, or decide whether it may be changed. */
const CHANGING: readonly FailingCall[] = [
  "open",
  "write",
  "sync",
  "lock",
  "mkdir",
  "link",
  "rename",
  "unlink",
  "rmdir",
  "chmod",
  "syncDir",
];

const PENDING_MAX = 6;

export class DiskError extends Error {
  readonly code: string;
  constructor(code: string, call: string, path: string) {
    super(`${code}: ${call} ${path}`);
    this.code = code;
  }
}

/** Thrown when the machine stopped: no code of ours may treat it as an error of the disk. */
export class Stopped extends Error {}

export class CrashFs implements Fs {
  /** Every call that was made, for choosing where to fail. */
  readonly calls: FailingCall[] = [];
  isStopped = false;
  readonly #root: Node;
  readonly #options: CrashFsOptions;
  readonly #state: { nextInode: number };
  #pending: Pending[] = [];
  #matching = 0;
  #changing = 0;

  constructor(options: CrashFsOptions = {}, from?: CrashFs) {
    this.#options = options;
    this.#state = from === undefined ? { nextInode: 1 } : from.#state;
    this.#root = from === undefined ? this.#newNode("dir", 0o755) : from.#root;
    if (from !== undefined) this.#pending = from.#pending;
  }

  /** The same disk for the next process: its locks are gone, its data is all there. */
  restarted(options: CrashFsOptions = {}): CrashFs {
    const next = new CrashFs(options, this);
    eachNode(this.#root, (node) => void (node.locks = []));
    return next;
  }

  /** Every disk that a power cut now may leave. Two and up to twice sixty-four. */
  *powerCuts(options: CrashFsOptions = {}): Generator<CrashFs> {
    const older = this.#pending.slice(0, -PENDING_MAX);
    const last = this.#pending.slice(-PENDING_MAX);
    for (const kept of older.length === 0 ? [[]] : [[], older]) {
      for (let subset = 0; subset < 1 << last.length; subset++) {
        yield this.#after([...kept, ...last.filter((_, i) => (subset & (1 << i)) !== 0)], options);
      }
    }
  }

  /** All files, by path, for looking at the outcome. */
  files(): Map<string, string> {
    const found = new Map<string, string>();
    const walk = (node: Node, path: string): void => {
      if (node.kind === "file") found.set(path, new TextDecoder().decode(node.data));
      for (const [name, child] of node.entries) walk(child, `${path}/${name}`);
    };
    walk(this.#root, "");
    return found;
  }

  // ---- Fs ----

  open(path: string, options: OpenOptions): FileHandle {
    this.#call("open", path);
    const { dir, name } = this.#parent(path, "open");
    let node = name === "" ? dir : dir.entries.get(name);
    if (node !== undefined && options.createNew === true) {
      throw new DiskError("EEXIST", "open", path);
    }
    if (node === undefined) {
      if (options.create !== true && options.createNew !== true) {
        throw new DiskError("ENOENT", "open", path);
      }
      node = this.#newNode("file", options.mode ?? 0o666);
      this.#change([{ dir, name, node }]);
    }
    const changes = options.write === true || options.append === true;
    if (node.kind === "dir" && changes) throw new DiskError("EISDIR", "open", path);
    if (options.truncate === true) this.#setData(node, new Uint8Array(0));
    return this.#handle(node, path, options);
  }

  lstat(path: string): FileInfo | undefined {
    if (this.isStopped) throw new Stopped();
    const node = this.#find(path);
    return node === undefined ? undefined : this.#info(node);
  }

  list(path: string): { name: string; kind: FileInfo["kind"] }[] {
    this.#call("list", path);
    const node = this.#must(path, "list");
    return [...node.entries].map(([name, { kind }]) => ({ name, kind }));
  }

  makeDir(path: string, mode: number): void {
    if (this.lstat(path) !== undefined) return;
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (parent !== "") this.makeDir(parent, mode);
    this.#call("mkdir", path);
    const { dir, name } = this.#parent(path, "mkdir");
    this.#change([{ dir, name, node: this.#newNode("dir", mode) }]);
    this.syncDir(parent === "" ? "/" : parent);
  }

  link(from: string, to: string): void {
    this.#call("link", to);
    if (this.#options.withoutLinks === true) throw new DiskError("EPERM", "link", to);
    const node = this.#must(from, "link");
    const { dir, name } = this.#parent(to, "link");
    if (dir.entries.has(name)) throw new DiskError("EEXIST", "link", to);
    this.#change([{ dir, name, node }]);
    node.ctimeMs = this.#now();
  }

  rename(from: string, to: string): void {
    this.#call("rename", to);
    const node = this.#must(from, "rename");
    const source = this.#parent(from, "rename");
    const target = this.#parent(to, "rename");
    const replaced = target.dir.entries.get(target.name);
    // POSIX: two names of one file, nothing happens.
    if (replaced === node) return;
    this.#change([{ ...target, node }, { ...source, node: undefined }]);
    node.ctimeMs = this.#now();
  }

  unlink(path: string): void {
    this.#call("unlink", path);
    const node = this.#must(path, "unlink");
    if (node.kind === "dir") throw new DiskError("EISDIR", "unlink", path);
    this.#change([{ ...this.#parent(path, "unlink"), node: undefined }]);
  }

  removeDir(path: string): void {
    this.#call("rmdir", path);
    const node = this.#must(path, "rmdir");
    if (node.entries.size > 0) throw new DiskError("ENOTEMPTY", "rmdir", path);
    this.#change([{ ...this.#parent(path, "rmdir"), node: undefined }]);
  }

  chmod(path: string, mode: number): void {
    this.#call("chmod", path);
    this.#must(path, "chmod").mode = mode;
  }

  setTime(path: string): void {
    this.#must(path, "utime");
  }

  syncDir(path: string): void {
    this.#call("syncDir", path);
    const dir = this.#must(path, "syncDir");
    const isOf = (change: { dir: Node }): boolean => change.dir === dir;
    for (const pending of this.#pending) {
      if (pending.kind !== "entries" || !pending.changes.some(isOf)) continue;
      // A journal keeps a rename whole.
      for (const change of pending.changes) apply(change, "durableEntries");
    }
    this.#pending = this.#pending.filter((pending) =>
      pending.kind !== "entries" || !pending.changes.some(isOf)
    );
  }

  async syncFiles(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      using file = this.open(path, { write: true });
      await Promise.resolve(file.sync());
    }
  }

  realPath(path: string): string {
    if (this.#find(path) === undefined) throw new DiskError("ENOENT", "realPath", path);
    return path.replace(/(.)\/+$/, "$1");
  }

  // ---- inside ----

  #handle(node: Node, path: string, options: OpenOptions): FileHandle {
    let position = 0;
    const owner = {};
    return {
      read: (into) => {
        this.#call("read", path);
        const part = node.data.subarray(position, position + into.length);
        into.set(part);
        position += part.length;
        return part.length;
      },
      write: (bytes) => {
        this.#call("write", path);
        const start = options.append === true ? node.data.length : position;
        const data = new Uint8Array(Math.max(node.data.length, start + bytes.length));
        data.set(node.data);
        data.set(bytes, start);
        this.#setData(node, data);
        position = start + bytes.length;
      },
      seek: (offset) => void (position = offset),
      info: () => this.#info(node),
      sync: () => {
        this.#call("sync", path);
        node.durableData = node.data;
        this.#pending = this.#pending.filter((one) => one.kind !== "data" || one.node !== node);
      },
      tryLock: (exclusive) => {
        this.#call("lock", path);
        const others = node.locks.filter((lock) => lock.owner !== owner);
        if (others.some((lock) => lock.exclusive || exclusive)) return false;
        node.locks = [...others, { owner, exclusive }];
        return true;
      },
      close: () => void (node.locks = node.locks.filter((lock) => lock.owner !== owner)),
      [Symbol.dispose]() {
        this.close();
      },
    };
  }

  /** Counts the call, and fails or stops when its number is up. */
  #call(call: FailingCall, path: string): void {
    if (this.isStopped) throw new Stopped();
    this.calls.push(call);
    const { failAt, stopAt } = this.#options;
    if (CHANGING.includes(call) && ++this.#changing === stopAt) {
      this.isStopped = true;
      throw new Stopped();
    }
    if (failAt === undefined || !(failAt.only ?? CHANGING).includes(call)) return;
    if (++this.#matching === failAt.n) throw new DiskError(failAt.code, call, path);
  }

  #change(changes: readonly Change[]): void {
    for (const change of changes) apply(change, "entries");
    this.#pending.push({ kind: "entries", changes });
  }

  #setData(node: Node, data: Uint8Array): void {
    node.data = data;
    node.mtimeMs = node.ctimeMs = this.#now();
    this.#pending.push({ kind: "data", node, data });
  }

  #after(reached: readonly Pending[], options: CrashFsOptions): CrashFs {
    const disk = new CrashFs(options);
    disk.#state.nextInode = this.#state.nextInode;
    const root = afterPowerCut(this.#root, reached);
    for (const [name, child] of root.entries) {
      disk.#root.entries.set(name, child);
      disk.#root.durableEntries.set(name, child);
    }
    return disk;
  }

  #newNode(kind: "file" | "dir", mode: number): Node {
    const at = this.#now();
    const none = new Uint8Array(0);
    return {
      kind,
      inode: this.#state.nextInode++,
      mode,
      mtimeMs: at,
      ctimeMs: at,
      data: none,
      durableData: none,
      entries: new Map(),
      durableEntries: new Map(),
      locks: [],
    };
  }

  #info(node: Node): FileInfo {
    let links = 0;
    eachNode(this.#root, (dir) => {
      for (const child of dir.entries.values()) if (child === node) links++;
    });
    const { kind, inode, mode, mtimeMs, ctimeMs } = node;
    return {
      kind,
      inode,
      mode,
      mtimeMs,
      ctimeMs,
      bornMs: 0,
      links,
      size: node.data.length,
      device: 1,
      uid: 0,
    };
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of path.split("/")) {
      if (name !== "") node = node?.entries.get(name);
    }
    return node;
  }

  #must(path: string, call: string): Node {
    const node = this.#find(path);
    if (node === undefined) throw new DiskError("ENOENT", call, path);
    return node;
  }

  #parent(path: string, call: string): { dir: Node; name: string } {
    const cut = path.lastIndexOf("/");
    const dir = this.#find(path.slice(0, cut));
    if (dir === undefined) throw new DiskError("ENOENT", call, path);
    return { dir, name: path.slice(cut + 1) };
  }

  #now(): number {
    return Date.now() - (this.#options.ageMs ?? 60_000);
  }
}
