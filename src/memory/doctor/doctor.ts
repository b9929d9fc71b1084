/**
 * Looks the whole installation over and says how to mend each finding. Changes nothing but what is
 * derived: an index is brought up to date by looking.
 */
import { versionName } from "../../base/build_info.ts";
import { type ErrorCode, isSystemError, SageError, unnamedError } from "../../base/errors.ts";
import { UNMERGED } from "../../base/text/conflict_markers.ts";
import { type FolderEntry, type Fs, listIfDir } from "../../base/fs.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { readGit } from "../../store/git/git.ts";
import { NOTE_BYTES_MAX, NOTE_INDEXED_BYTES_MAX, STORE_DEPTH_MAX } from "../../base/limits.ts";
import { count } from "../../base/text/text.ts";
import { isEndpointName } from "../../embed/embedder.ts";
import { prepareQuery } from "../../search/query/query.ts";
import { circlesIn } from "../../search/ranking/successors.ts";
import type { Store } from "../../store/handle.ts";
import { foldInbox } from "../../store/inbox.ts";
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
import { everyEntry } from "../catalogue.ts";
import { type Entry, readEntry } from "../index/entries.ts";
import { builtinFiles } from "../outside/builtin_memory.ts";
import { chainFindings } from "./chain.ts";
import { clockFinding, diskFindings } from "./disk.ts";
import { type Finding, ok, wrong } from "./finding.ts";
import { ownFilesFindings } from "./own_files.ts";
import { changedFolders, passedBy } from "../guard/git_hooks.ts";
import { tooWide } from "../init.ts";
import { isBuiltInSet, type Memory, storesThere } from "../memory.ts";
import { stillHere } from "../knowledge/promoted.ts";
import { type RefreshReport, refreshStore } from "../index/reindex.ts";
import { SHARED_MEMORY } from "../session/orientation/shared_memory.ts";
import { inPlaceOfStore } from "../status/folders.ts";
import { readSharing } from "../team/share.ts";
import { closedTrust, lostStore, remoteTrusted } from "../trust.ts";
import { duplicateIdHint } from "../write/duplicate_ids.ts";
import { listSources, sourcesText } from "../vault/sources.ts";

/** `program`: the path of this one, where it is a program and not its sources. */
export async function diagnose(memory: Memory, program?: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  // One look at the disk serves every check.
  const reports: Reports = new Map();
  for (const store of storesThere(memory)) reports.set(store, await tryRefresh(memory, store));
  const checks: readonly (() => Promise<Finding[]> | Finding[])[] = [
    () => thisProgram(),
    () => memory.stores.flatMap((store) => storeFindings(memory, store, reports)),
    () => noStoreFindings(memory),
    () => notes(memory),
    () => model(memory),
    () => diskFindings(memory),
    () => [clockFinding(memory)],
    () => index(memory, reports),
    () => waitingFindings(memory),
    () => unmergedFindings(memory),
    () => teamFindings(memory),
    () => guardFindings(memory),
    () => ignoreFindings(memory),
    () => chainFindings(memory, program),
    () => builtinFindings(memory),
    () => strayFindings(memory),
    () => vaultFindings(memory),
    () => ownFilesFindings(memory),
  ];
  for (const check of checks) {
    try {
      findings.push(...await check());
    } catch (cause) {
      const error = isSystemError(cause) ? unnamedError(cause) : cause;
      const what = error instanceof Error ? error.message : String(error);
      const hint = error instanceof SageError ? error.hint : undefined;
      findings.push(wrong("error", what, hint ?? "repeat with SAGE_DEBUG=1 to see where"));
    }
  }
  return findings;
}

function thisProgram(): Finding[] {
  const version = versionName();
  return [ok(version === undefined ? "Sage from its sources" : `Sage ${version}`)];
}

/** For each store that exists: what refreshing its index found, or why that failed. */
type Reports = Map<Store, RefreshReport | Finding>;

function storeFindings(memory: Memory, store: Store, reports: Reports): Finding[] {
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
    return kind === "file"
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
function noStoreFindings(memory: Memory): Finding[] {
  const lost = lostStore(memory);
  if (lost !== undefined) {
    const mend = "bring it back from git, another branch or a backup; or sage init, to begin anew";
    return [wrong("warning", `${lost} is gone: notes go to your own store`, mend)];
  }
  const path = inPlaceOfStore(memory);
  if (path === undefined || path === memory.places.userRoot) return [];
  const isLink = memory.fs.lstat(path)?.kind === "link";
  const what = `${path} is ${isLink ? "a link, which Sage does not follow" : "not a folder"}`;
  const mend = "move it away, then sage init";
  return [wrong("error", `${what}: notes go to your own store`, mend)];
}

/** Changes that hooks left in the inbox and that could not be applied when the memory was opened. */
function waitingFindings({ stores }: Memory): Finding[] {
  return stores.flatMap((store) =>
    foldInbox(store).problems.map(({ path, reason }) =>
      wrong(
        "warning",
        `a waiting change of a note cannot be applied: ${reason}`,
        `mend what it names, or delete ${join(store.root, path)}`,
      )
    )
  );
}

async function notes(memory: Memory): Promise<Finding[]> {
  const findings: Finding[] = [];
  const seen = new Map<string, string>();
  const all = everyEntry(memory);
  for (const { left, own, isChanged } of stillHere(memory, all)) {
    if (!isChanged) continue;
    const [here, there] = [left, own].map(({ store, note }) => join(store.root, note.path));
    findings.push(wrong(
      "warning",
      `${here} was promoted to ${there} on another branch, and changed here since: agents are shown both`,
      `bring what is new over, then put it away: sage knowledge rm ${here}`,
    ));
  }
  for (const circle of replacingEachOther(all)) {
    const paths = circle.map(({ store, note }) => join(store.root, note.path));
    const what = `${paths.slice(0, -1).join(", ")} and ${paths.at(-1)} supersede each other, ` +
      "so none of them replaces another";
    const mend = "take the newer one's id out of supersedes in the one that is old";
    findings.push(wrong("warning", what, mend));
  }
  for (const entry of all) {
    const path = join(entry.store.root, entry.note.path);
    const key = `${entry.store.id} ${entry.note.id}`;
    const other = seen.get(key);
    if (other !== undefined) {
      // A copy has the longer name: `note (copy).md`.
      const copy = other.length > path.length ? other : path;
      const what = `${path} and ${other} have the same id`;
      findings.push(wrong("warning", what, duplicateIdHint(entry.note.kind, copy)));
    }
    seen.set(key, path);
    if (!entry.note.problem) continue;
    const problem = (await readEntry(entry))?.note.problem;
    const place = problem === undefined
      ? ""
      : `:${problem.line}:${problem.column} ${problem.reason}`;
    const mend = problem?.reason === UNMERGED
      ? "keep what is right and delete git's conflict markers"
      : "mend the front matter; until then it is plain text";
    findings.push(wrong("warning", `${path}${place}`, mend));
  }
  return findings;
}

/** Notes that supersede each other: two people merged the same two in opposite directions. */
function replacingEachOther(all: readonly Entry[]): Entry[][] {
  const active = all.filter(({ note }) => note.status === "active");
  return [...Map.groupBy(active, ({ store }) => store).values()].flatMap((entries) => {
    const said = entries.flatMap(({ note: { id, supersedes } }) =>
      supersedes.filter((old) => old !== id).map((old) => [old, id] as const)
    );
    return circlesIn(new Map(said)).map((ids) =>
      entries.filter(({ note }) => ids.includes(note.id))
    );
  });
}

async function server(memory: Memory): Promise<Finding[]> {
  const name = memory.config.get("embedding.model");
  await memory.prepare();
  if (memory.embedder() !== memory.builtIn()) {
    return [ok(`model ${name} answers; hooks use the built-in one`)];
  }
  const what = memory.warnings.at(-1) ?? `${name} cannot be reached from here`;
  return [wrong("warning", what, "start the server, or: sage model use static")];
}

async function model(memory: Memory): Promise<Finding[]> {
  if (isBuiltInSet(memory)) return [];
  const set = memory.config.get("embedding.model");
  if (isEndpointName(set)) return await server(memory);
  const { checkModel } = await import("../model/test.ts");
  try {
    const { name, weights } = checkModel(memory, set);
    return [ok(`model ${name}: ${Math.round(weights.size / 1e6)} MB, whole`)];
  } catch (error) {
    if (!(error instanceof SageError)) throw error;
    return [wrong("error", error.message, error.hint ?? "sage model use static")];
  }
}

function index(memory: Memory, reports: Reports): Finding[] {
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
    findings.push(...oversized(store));
  }
  return findings;
}

function oversized(store: Store): Finding[] {
  const { files } = listPaths(store);
  return files.filter(({ stamp }) => stamp.size > NOTE_BYTES_MAX).map(({ path }) =>
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

/** Notes in which a merge left both sides of one passage, until a person chooses. */
function unmergedFindings(memory: Memory): Finding[] {
  // A word that no note has stands in no phrase either, and no text is read.
  const query = prepareQuery(UNMERGED_WORD);
  const found = storesThere(memory).flatMap((store) => {
    const index = memory.index(store);
    if (index.query(query, { limit: 1 }).length === 0) return [];
    return [...index.holding([UNMERGED_HEADING])].map((path) => join(store.root, path));
  });
  const mend = 'keep what is right and delete the section "Updates (unmerged …)"';
  return listed(found.sort(), (path) => `two versions of one place stand in ${path}`, mend);
}

/** As `note/merge_notes.ts` and `knowledge edit` write it, folded, with the century. */
const UNMERGED_WORD = "unmerged";
const UNMERGED_HEADING = `updates (${UNMERGED_WORD} 20`;

function teamFindings(memory: Memory): Finding[] {
  const { isShared, driver } = readSharing(memory);
  if (!isShared || (driver !== "missing" && driver !== "gone")) return [];
  const what = "this project's notes are shared, but git merges them here like any other text";
  const why = driver === "gone" ? ": the sage that it calls does not exist" : "";
  return [wrong("warning", what + why, "sage project init --team")];
}

/** Hooks written by another version may let pass what this one would stop. */
function guardFindings(memory: Memory): Finding[] {
  const passed = passedBy(memory);
  const elsewhere = passed === undefined ? [] : [
    wrong(
      "warning",
      `git runs the hooks in ${passed.instead} here, not the guard's in ${passed.folder}`,
      "sage guard install",
    ),
  ];
  const changed = changedFolders(memory).map((folder) =>
    wrong(
      "warning",
      `the guard's git hooks in ${folder} are not as Sage writes them, so less may be stopped`,
      `sage guard install --hooks ${folder}`,
    )
  );
  return [...elsewhere, ...changed];
}

/** `sage init` makes the .gitignore. Without it git would commit this machine's files and the trash. */
function ignoreFindings({ fs, places, project }: Memory): Finding[] {
  const isInGit = project !== undefined && project.vault === undefined &&
    readGit(fs, places.projectDir) !== undefined;
  if (!isInGit || fs.lstat(join(project.root, ".gitignore")) !== undefined) return [];
  const what = `${project.root} has no .gitignore: git would share the trash and earlier versions`;
  return [wrong("warning", what, "sage init (creates it)")];
}

const PERSON_MENDS: readonly ErrorCode[] = ["invalid_config", "permission"];

/** For an index that cannot be brought up to date, the finding offers to rebuild it. */
async function tryRefresh(
  memory: Memory,
  store: Store,
): Promise<RefreshReport | Finding> {
  try {
    memory.index(store).verify();
    return await refreshStore(memory, store, { mustWrite: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const what = `the ${store.scope} index cannot be brought up to date: ${reason}`;
    // A broken settings file or a closed folder is for the person to mend: a new index would fail as well.
    const isTheirs = error instanceof SageError && PERSON_MENDS.includes(error.code);
    return isTheirs && error.hint !== undefined
      ? wrong("error", what, error.hint)
      : wrong("error", what, "sage admin rebuild", { kind: "rebuild" });
  }
}

/** The editor's own memory: read, never written. */
function builtinFindings(memory: Memory): Finding[] {
  const files = builtinFiles(memory).length;
  if (files === 0) return [];
  return [ok(`Claude Code's own memory: ${count(files, "file")}, searched and never written`)];
}

/** More findings of one kind are only counted: after these are fixed, the next run shows the rest. */
const PATHS_MAX = 10;

function listed(paths: readonly string[], what: (path: string) => string, mend: string): Finding[] {
  const told = paths.slice(0, PATHS_MAX).map((path) => wrong("warning", what(path), mend));
  const more = paths.length - told.length;
  const rest = `${count(more, "more note")} of this kind, not listed`;
  return more === 0
    ? told
    : [...told, wrong("warning", rest, "mend those above, then sage doctor")];
}

/** The vault, if there is one: folders to search that are missing, and notes that lie outside it. */
function vaultFindings(memory: Memory): Finding[] {
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
function strayFindings(memory: Memory): Finding[] {
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
