/** Prepares the next orientation at the end of a session, when nobody waits. */
import { versionName } from "../../../base/build_info.ts";
import { dirname, join } from "../../../base/path.ts";
import { listInbox } from "../../../store/inbox.ts";
import { NOTE_FOLDERS, VAULT_FILE } from "../../../store/layout.ts";
import { removeState, writeState } from "../../../store/state.ts";
import type { Store } from "../../../store/handle.ts";
import { captureHealth } from "../../status/health.ts";
import type { Memory } from "../../memory.ts";
import { showsWork } from "../../notice.ts";
import { questionNews } from "../../question/news.ts";
import { watchedSources } from "../../source/lately_stale.ts";
import { isExplained } from "../../teaching.ts";
import { transcriptFolders } from "../../status/unseen.ts";
import { openAround } from "../instances.ts";
import { orient } from "./orientation.ts";
import { type Prepared, preparedName, stampPath } from "./prepared.ts";
import { SHARED_MEMORY } from "./shared_memory.ts";
import { NOTHING_TOLD } from "../told.ts";

/** The next session has no id yet. */
const NOBODY = "next";
/** With more files than this, listing them costs more than a walk at the start. */
const STAMPS_MAX = 128;

export async function prepareOrientation(memory: Memory, cwd: string): Promise<void> {
  const { fs, places } = memory;
  const name = preparedName(cwd);
  removeState(fs, places.stateDir, name);
  // Not prepared where it would change by itself: fading explanations, other sessions, trouble.
  const isQuiet = isExplained(memory, "orientation") && !showsWork(memory);
  if (!isQuiet || openAround(memory).length > 0) return;
  if (!(await captureHealth(memory)).ok) return;
  // Entries of the inbox are not yet in the notes that it would quote.
  if (memory.stores.some((store) => listInbox(store).length > 0)) return;
  // Stamped before it is read: a change in between makes it out of date, not wrong.
  const watched = [...pathsOf(memory), ...watchedSources(memory)];
  const fixed = watched.map((path) => [path, stampPath(fs, path)] as const);
  const orientation = await orient(memory, NOBODY, "startup");
  const { paths, until: untilThen, skipped: _, ...oriented } = orientation ??
    { ...NOTHING_TOLD, paths: [], until: Infinity, skipped: 0 };
  const quoted = paths.map((path) => [path, stampPath(fs, path)] as const);
  const until = Math.min(untilThen, questionNews(memory).until);
  if (fixed.length + quoted.length > STAMPS_MAX) return;
  const prepared: Prepared = {
    version: versionName(),
    project: places.projectId,
    dir: places.projectDir,
    ...(until === Infinity ? {} : { until }),
    stamps: [...fixed, ...quoted],
    ...oriented,
  };
  writeState(fs, places.stateDir, name, prepared);
}

/** Folders where notes come and go, and files that decide what an orientation says. */
function pathsOf(memory: Memory): string[] {
  const { places } = memory;
  const stores = memory.stores.flatMap((store) => [
    store.root,
    join(store.home, "tuning.yaml"),
    ...NOTE_FOLDERS.map((folder) => join(store.root, folder)),
    ...foldersOf(memory, store),
  ]);
  return [
    ...stores,
    join(places.projectDir, ".sage"),
    join(places.projectDir, ".sageignore"),
    join(places.projectDir, ".git", "config"),
    // With a worktree the notes of its sessions may be gone, which the next start writes anew.
    join(places.projectDir, ".git", "worktrees"),
    join(places.userRoot, ".sageignore"),
    join(places.userRoot, SHARED_MEMORY),
    join(places.userRoot, VAULT_FILE),
    join(places.stateDir, "trust.json"),
    // Open questions, and which of them were announced today.
    join(places.stateDir, "questions"),
    // A session without hooks left a file here, and that must be said.
    ...transcriptFolders(memory),
    ...(memory.project === undefined ? [] : [join(memory.project.home, "project.yaml")]),
  ];
}

/** Folders that people made below the folders of each kind. */
function foldersOf(memory: Memory, store: Store): string[] {
  const folders = new Set([...memory.index(store).stamps().keys()].map(dirname));
  return [...folders].filter((folder) => folder.includes("/")).map((folder) =>
    join(store.root, folder)
  );
}
