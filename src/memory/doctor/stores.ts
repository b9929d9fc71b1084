/** Stores as folders: where they lie, whether they are trusted, and what in them is not read. */
import { type FolderEntry, type Fs, listIfDir } from "../../base/fs.ts";
import { NOTE_BYTES_MAX, NOTE_INDEXED_BYTES_MAX, STORE_DEPTH_MAX } from "../../base/limits.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { count } from "../../base/text/text.ts";
import { readGit } from "../../store/git/git.ts";
import type { Store } from "../../store/handle.ts";
import {
  isMarkdown,
  isReservedName,
  NOTE_FOLDERS,
  PRIVATE_FOLDER,
  VAULT_FILE,
} from "../../store/layout.ts";
import { segmentProblem } from "../../store/paths.ts";
import { REDIRECTS_FOLDER } from "../../store/redirects.ts";
import { filesOfNotes } from "../../store/relocate.ts";
import { BECAME_EMPTY } from "../../store/scan.ts";
import { LFS_POINTER } from "../../store/stamp.ts";
import { CONFLICT_COPY, IGNORED, IN_ICLOUD, listPaths } from "../../store/walk.ts";
import { type RefreshReport, refreshStore } from "../index/reindex.ts";
import { tooWide } from "../init.ts";
import { type Memory, storesThere } from "../memory.ts";
import { SHARED_MEMORY } from "../session/orientation/shared_memory.ts";
import { inPlaceOfStore } from "../status/folders.ts";
import { closedTrust, lostStore, remoteTrusted } from "../trust.ts";
import { listSources, sourcesText } from "../vault/sources.ts";
import { failure, type Finding, listed, ok, wrong } from "./finding.ts";

/** For each store that exists: what refreshing its index found, or why that failed. */
export type Reports = Map<Store, RefreshReport | Finding>;

/** For an index that cannot be brought up to date, the finding offers to rebuild it. */
export async function tryRefresh(memory: Memory, store: Store): Promise<RefreshReport | Finding> {
  try {
    memory.index(store).verify();
    return await refreshStore(memory, store, { mustWrite: true });
  } catch (error) {
    const before = `the ${store.scope} index cannot be brought up to date: `;
    return failure(error, before, { mend: "sage admin rebuild", fix: { kind: "rebuild" } });
  }
}

export function storeFindings(memory: Memory, store: Store, reports: Reports): Finding[] {
  const info = memory.fs.lstat(store.root);
  if (info === undefined && store.vault !== undefined) {
    const mend =
      "bring that folder back, or say where the vault is now: sage init --obsidian <vault>";
    return [wrong("error", `no notes at ${store.root}`, mend)];
  }
  if (info === undefined) {
    return [ok(`no ${store.scope} store yet at ${store.root}`, "sage init")];
  }
  if (info.kind !== "dir") {
    return [wrong("error", `${store.root} is not a folder`, "move it away, then sage init")];
  }
  const findings: Finding[] = [];
  if (store.trust === "unknown") findings.push(untrusted(memory, store));
  const wide = store.scope === "project" ? tooWide(memory, dirname(store.root)) : undefined;
  if (wide !== undefined) {
    const what =
      `${store.root} lies in ${wide}: every folder below without a store of its own uses it`;
    const mend = "move it into the folder of the project that its notes are of";
    findings.push(wrong("warning", what, mend));
  }
  const report = reports.get(store);
  const { skipped } = report === undefined || "level" in report ? listPaths(store) : report;
  for (const { path } of skipped.filter(({ reason }) => reason === CONFLICT_COPY)) {
    const mend = "merge what you want to keep into the note, then delete the copy";
    findings.push(wrong("warning", `conflict copy ${join(store.root, path)}`, mend));
  }
  return findings.length > 0 ? findings : [ok(`${store.scope} store ${store.root}`)];
}

function untrusted(memory: Memory, { root }: Store): Finding {
  const closed = closedTrust(memory);
  if (closed !== undefined) {
    const what =
      `cannot read ${closed}: nothing of ${root} is shown unasked, nor of other projects`;
    const { kind, mode = 0 } = memory.fs.lstat(closed) ?? {};
    return kind === "file" && (mode & 0o600) !== 0o600
      ? wrong("error", what, `chmod u+rw ${closed}`, {
        kind: "chmod",
        path: closed,
        mode: (mode | 0o600) & 0o777,
      })
      : wrong("error", what, "move it away, then sage trust");
  }
  const remote = remoteTrusted(memory);
  const why = remote === undefined
    ? "came from elsewhere"
    : `was trusted while its remote was ${remote}`;
  const what = `${root} ${why}: nothing of it is shown unasked`;
  return wrong("warning", what, "look at the notes, then sage trust");
}

/** A person's own store is looked at as a store, there or not. */
export function noStoreFindings(memory: Memory): Finding[] {
  const lost = lostStore(memory);
  if (lost !== undefined) {
    const mend = "bring it back from git, another branch or a backup; sage init begins anew, and " +
      "sage init --user goes on without it";
    return [wrong("warning", `${lost} is gone: notes go to your own store`, mend)];
  }
  const path = inPlaceOfStore(memory);
  if (path === undefined || path === memory.places.userRoot) return [];
  const isLink = memory.fs.lstat(path)?.kind === "link";
  const what = `${path} is ${isLink ? "a link, which Sage does not follow" : "not a folder"}`;
  const mend = "move it away, then sage init";
  return [wrong("error", `${what}: notes go to your own store`, mend)];
}

export function indexFindings(memory: Memory, reports: Reports): Finding[] {
  const findings: Finding[] = [];
  for (const store of memory.stores) {
    const report = reports.get(store);
    if (report === undefined) continue;
    if ("level" in report) {
      findings.push(report);
      continue;
    }
    const { notes, changed, skipped } = report;
    findings.push(
      ok(`${store.scope} index: ${count(notes, "note")}, ${changed} brought up to date`),
    );
    const ignored = skipped.filter(({ reason }) => reason === IGNORED).length;
    if (ignored > 0) {
      const paths = count(ignored, "path");
      findings.push(ok(`.sageignore keeps ${paths} of ${store.root} out of every answer`));
    }
    for (const { path, reason } of skipped) {
      if (reason === CONFLICT_COPY || reason === IGNORED) continue;
      const whole = join(store.root, path);
      findings.push(
        wrong("warning", `${whole} is not read: ${reason}`, mendSkipped(reason, whole)),
      );
    }
    findings.push(...oversized(memory, store));
  }
  return findings;
}

function oversized(memory: Memory, store: Store): Finding[] {
  const notes = memory.index(store).notes();
  return notes.filter(({ stamp }) => stamp.size > NOTE_BYTES_MAX).map(({ path }) =>
    wrong(
      "warning",
      `only the first ${NOTE_INDEXED_BYTES_MAX / 1024} KiB of ${join(store.root, path)} ` +
        `are searched: it is larger than ${NOTE_BYTES_MAX / 1024} KiB`,
      "split it into several notes; Sage does not write to this one",
    )
  );
}

/** Where a person puts notes. */
const FOLDERS = "knowledge, checkpoints, todos, sessions, topics";

function mendSkipped(reason: string, path: string): string {
  if (reason === IN_ICLOUD) return `open it in the Finder, or: brctl download ${path}`;
  if (reason.startsWith(BECAME_EMPTY)) return `bring its folders back: ${FOLDERS}`;
  if (reason.startsWith("unreadable")) return `check its owner and mode: ls -ld ${path}`;
  if (reason === LFS_POINTER) return "fetch it: git lfs pull";
  // Sync brought it back, or a person wrote another note under its name.
  if (reason === "forgotten") return `give it another id to keep it, or delete it: ${path}`;
  if (segmentProblem(basename(path)) !== undefined) return "rename it";
  return "move it out of the store, or replace it with a plain Markdown file";
}

/** `sage init` makes the .gitignore. Without it git would commit this machine's files and the trash. */
export function ignoreFindings({ fs, places, project }: Memory): Finding[] {
  const isInGit = project !== undefined && project.vault === undefined &&
    readGit(fs, places.projectDir) !== undefined;
  if (!isInGit || fs.lstat(join(project.root, ".gitignore")) !== undefined) return [];
  const what = `${project.root} has no .gitignore: git would share the trash and earlier versions`;
  return [wrong("warning", what, "sage init (creates it)")];
}

/** The vault, if there is one: folders to search that are missing, and notes that lie outside it. */
export function vaultFindings(memory: Memory): Finding[] {
  const { fs, places } = memory;
  const { vault } = places;
  if (vault === undefined) return [];
  const missing = vault.sources.filter((source) =>
    fs.lstat(join(vault.root, source)) === undefined
  );
  const files = listSources(fs, vault, listIfDir).length;
  const unread = storesThere(memory).filter((store) =>
    store.vault !== undefined && filesOfNotes(fs, store.home).files.length > 0
  );
  return [
    ...unread.map(({ home, root }) =>
      wrong(
        "warning",
        `notes in ${home} are not read: those of this store lie in ${root}`,
        `sage init --obsidian ${vault.root} takes them there`,
      )
    ),
    ...missing.map((source) =>
      wrong(
        "warning",
        `the vault has no "${source}" to search`,
        `change sources in ${join(places.userRoot, VAULT_FILE)}`,
      )
    ),
    ...(files === 0 ? [] : [ok(sourcesText(files))]),
  ];
}

/** Entries of a store that are no notes; `state` and `models` exist only in a person's own. */
const NO_NOTES = [PRIVATE_FOLDER, REDIRECTS_FOLDER, SHARED_MEMORY, "state", "models"];

/** Markdown where no search looks, as after a note was moved or a folder renamed. */
export function strayFindings(memory: Memory): Finding[] {
  const { fs } = memory;
  const strays = storesThere(memory).flatMap(({ root }) =>
    listIfDir(fs, root).filter((entry) =>
      ![...NO_NOTES, ...NOTE_FOLDERS].includes(entry.name) && holdsMarkdown(fs, root, entry)
    ).map(({ name }) => join(root, name))
  );
  return listed(
    strays,
    (path) => `${path} lies outside the folders of notes, so no search finds it`,
    `move it into one of them: ${FOLDERS}`,
  );
}

/** The file itself, or one below the folder. Settings, versions and trash are in hidden folders. */
function holdsMarkdown(fs: Fs, folder: string, { name, kind }: FolderEntry, depth = 0): boolean {
  if (name.startsWith(".")) return false;
  if (kind === "file") return isMarkdown(name) && !isReservedName(name);
  if (kind !== "dir" || depth > STORE_DEPTH_MAX) return false;
  const path = join(folder, name);
  return listIfDir(fs, path).some((entry) => holdsMarkdown(fs, path, entry, depth + 1));
}
