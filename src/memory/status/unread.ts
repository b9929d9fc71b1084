/**
 * What of Sage's own files cannot be read: closed to this account, or something else in their place. Most
 * readers go on without such a file, so that one of them stops nothing, and what is missing is told here.
 * Looks at names and modes alone; damaged.ts looks into the few files that nobody can make again. The notes
 * themselves are told by the index (`store/walk.ts`).
 */
import { ifReadable } from "../../base/attempt.ts";
import { type FileInfo, type FolderEntry, type Fs, listIfReadable } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { HISTORY_FOLDER, INBOX_FOLDER, NOTE_FOLDERS, TRASH_FOLDER } from "../../store/layout.ts";
import type { Memory } from "../memory.ts";
import { damagedHere } from "./damaged.ts";

export interface Unread {
  readonly path: string;
  /** `/home/ann/.sage/projects.yaml cannot be read`. */
  readonly what: string;
  readonly mend: string;
  /** What mends it, where a mode is all that is wrong. */
  readonly mode?: number | undefined;
}

/** What Sage writes is four folders deep; a pulled model may be one deeper. */
const DEPTH_MAX = 6;
/** Years of use have some thousand. */
const ENTRIES_MAX = 20_000;
const FILE =
  /\.(?:json|jsonl|yaml|md|gz|lock|holder|segment)$|^(?:manifest|\.sageignore|\.git(?:ignore|attributes))$/;
/** What lies in the state itself and has no ending is a folder, as is the state. */
const FOLDER = /^(?:models|state(?:\/[^./]+)?)$/;
const AWAY = "move it away, then repeat";

/** What keeps Sage from reading its own files, and those of the project that it goes by. */
export function unreadHere(memory: Memory): Unread[] {
  const { fs, places, project } = memory;
  const { userRoot, projectDir } = places;
  const homes = project === undefined ? [userRoot] : [userRoot, project.home];
  const beside = [".sageignore", ".git", ".git/HEAD", ".git/config"]
    .map((name) => join(projectDir, name));
  return [
    ...unreadPaths(fs, homes),
    ...damagedHere(memory),
    ...beside.flatMap((path) => {
      const info = ifReadable(undefined, () => fs.lstat(path));
      const problem = info === undefined ? undefined : closed(path, info);
      return problem === undefined ? [] : [{ ...problem, mode: undefined }];
    }),
  ];
}

/** `homes`: the `.sage` folders to look through, with all that is Sage's in them. */
export function unreadPaths(fs: Fs, homes: readonly string[]): Unread[] {
  const found: Unread[] = [];
  let left = ENTRIES_MAX;
  const visit = (folder: string, path: string, depth: number): void => {
    if (depth > DEPTH_MAX) return;
    for (const entry of listIfReadable(fs, join(folder, path))) {
      if (left-- <= 0) return;
      const inside = path === "" ? entry.name : `${path}/${entry.name}`;
      if (isElsewhere(inside, entry)) continue;
      const problem = problemOf(fs, join(folder, inside), inside, entry);
      if (problem !== undefined) found.push(problem);
      else if (entry.kind === "dir") visit(folder, inside, depth + 1);
    }
  };
  for (const home of homes) {
    const info = ifReadable(undefined, () => fs.lstat(home));
    const problem = info?.kind === "dir" ? closed(home, info) : undefined;
    if (problem !== undefined) found.push(problem);
    else visit(home, "", 0);
  }
  return found;
}

/**
 * Notes are the index's to tell of, but for their versions. A hidden folder may be git's or an
 * editor's.
 */
function isElsewhere(inside: string, { name, kind }: FolderEntry): boolean {
  const [first = "", ...rest] = inside.split("/");
  const isNote = NOTE_FOLDERS.includes(first) && rest.length > 0 && !rest.includes(HISTORY_FOLDER);
  const isForeign = kind === "dir" && name.startsWith(".") && !HIDDEN.includes(name);
  return isNote || isForeign || UNREAD.some((folder) => inside.startsWith(folder));
}

/** Of what lies in these, Sage reads the name alone. */
const UNREAD: readonly string[] = ["state/hooks/", "state/tombstones/"];
const HIDDEN: readonly string[] = [HISTORY_FOLDER, INBOX_FOLDER, TRASH_FOLDER];

function problemOf(
  fs: Fs,
  path: string,
  inside: string,
  { name, kind }: FolderEntry,
): Unread | undefined {
  let info: FileInfo | undefined;
  try {
    info = fs.lstat(kind === "link" ? fs.realPath(path) : path);
  } catch {
    const mend = "bring back what it leads to, or take the link away";
    return { path, what: `${path} is a link to nowhere`, mend };
  }
  if (info === undefined) return undefined;
  if (info.kind === "other") return { path, what: `${path} is no regular file`, mend: AWAY };
  const isFolder = info.kind === "dir";
  if (isFolder && FILE.test(name)) {
    return { path, what: `${path} is a folder, and a file belongs there`, mend: AWAY };
  }
  if (!isFolder && FOLDER.test(inside)) {
    return { path, what: `${path} is not a folder`, mend: AWAY };
  }
  return closed(path, info);
}

/** A group or everybody may have been let in; which of them we are is not known. */
function closed(path: string, { kind, mode, uid }: FileInfo): Unread | undefined {
  const self = Deno.uid();
  if (self === null || self === 0) return undefined;
  const bits = kind === "dir" ? 0o5 : 0o4;
  const rights = uid === self ? [mode >> 6] : [mode >> 3, mode];
  if (rights.some((right) => (right & bits) === bits)) return undefined;
  const what = `${path} cannot be read`;
  if (uid !== self) {
    return { path, what, mend: `it is account ${uid}'s: sudo chown -R ${self} ${path}` };
  }
  const [open, rwx] = kind === "dir" ? [0o700, "rwx"] : [0o600, "rw"];
  return { path, what, mend: `chmod u+${rwx} ${path}`, mode: (mode | open) & 0o777 };
}
