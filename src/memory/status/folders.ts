/** Who may read and write the folders of notes and state. */
import { join } from "../../base/path.ts";
import { realRoot } from "../../store/handle.ts";
import { NOTE_FOLDERS } from "../../store/layout.ts";
import { STORE_NAME } from "../../store/user_root.ts";
import type { Memory } from "../memory.ts";

/** The private folders that other accounts may read, which they should not. */
export function openFolders({ fs, places }: Memory): string[] {
  return [places.userRoot, places.stateDir].filter((path) => {
    const info = fs.lstat(path);
    return info?.kind === "dir" && (info.mode & 0o077) !== 0;
  });
}

/** A path that should be a store and is not a folder. */
export function inPlaceOfStore({ fs, places }: Memory): string | undefined {
  const { home, here, repository = here, project, projectDir, userRoot } = places;
  // In the home folder it is the person's own, and may be a link.
  const folders = [here, repository, projectDir].filter((dir) => dir !== realRoot(fs, home));
  const missing = project === undefined ? folders.map((dir) => join(dir, STORE_NAME)) : [];
  return [userRoot, ...missing].find((path) => (fs.lstat(path)?.kind ?? "dir") !== "dir");
}

/** The folder in which nothing can be written. Receipts cannot either, so failing hooks leave no sign. */
export function closedTo({ fs, stores, places }: Memory): string | undefined {
  const self = Deno.uid();
  if (self === null || self === 0) return undefined;
  const folders = stores.flatMap(({ root }) => [
    root,
    ...NOTE_FOLDERS.map((folder) => join(root, folder)),
  ]);
  return [...folders, places.stateDir, join(places.stateDir, "log")].find((path) => {
    const info = fs.lstat(path);
    if (info?.kind !== "dir") return false;
    // A group or everybody may have been let in; which of them we are is not known.
    return (info.mode & (info.uid === self ? 0o200 : 0o022)) === 0;
  });
}
