/**
 * Everything that Sage put on this machine besides notes, editors' settings and git hooks, for
 * uninstalling. Only what is known by name is listed: anything else in a store is somebody's.
 */
import { TEMP_NAME } from "../../base/atomic.ts";
import { dataName } from "../../base/assets.ts";
import { listIfDir } from "../../base/fs.ts";
import { basename, join } from "../../base/path.ts";
import { FINDERS_FILE, removeEmpty, removeTree } from "../../base/remove.ts";
import { knownProjects } from "../project/list.ts";
import type { Memory } from "../memory.ts";
import {
  INBOX_FOLDER,
  MAP_NAME,
  NOTE_FOLDERS,
  TRASH_FOLDER,
  VAULT_FILE,
} from "../../store/layout.ts";
import { readTrust, trustedRoots } from "../../store/trust.ts";
import { STORE_NAME } from "../../store/user_root.ts";
import { placeOf, USER_STORE } from "../../store/vault.ts";
import { realRoot } from "../../store/handle.ts";
import { dropMaps } from "../vault/maps.ts";
import { dataBeside, placedPages, previousProgram, updateFolder } from "../release/placed.ts";

export interface Residue {
  /** For people: `settings`, `pulled models`. */
  readonly what: string;
  readonly paths: readonly string[];
  /** Folders that are removed when they are empty, the innermost first. */
  readonly folders?: readonly string[];
}

const SETTINGS = [
  "tuning.yaml",
  "config.yaml",
  "patterns.yaml",
  ".sageignore",
  "allowed.jsonl",
  "projects.yaml",
];
/** What `sage init` makes in a project; of no use without a note. */
const PROJECT_FILES = ["project.yaml", ".gitignore", ".gitattributes"];

/** `binary`: the path of this program, maybe through a link, if it does not run from its sources. */
export async function listResidue(
  memory: Memory,
  binary: string | undefined,
): Promise<readonly Residue[]> {
  const { fs, places: { userRoot, stateDir } } = memory;
  const inRoot = (names: readonly string[]): string[] => names.map((name) => join(userRoot, name));
  const projects = await projectStores(memory);
  const inVault = vaultRoots(memory, [userRoot, ...projects]);
  const roots = [userRoot, ...projects, ...inVault.values()];
  // What came with a clone is git's, and stays.
  const isBareProject = (home: string): boolean =>
    readTrust(fs, stateDir, home) === "own" &&
    [home, inVault.get(home) ?? home].every((root) => isBare(memory, root));
  const program = binary === undefined ? undefined : realRoot(fs, binary);
  const pages = program === undefined ? { files: [], folders: [] } : placedPages(fs, program);
  const all: readonly Residue[] = [
    { what: "settings", paths: inRoot(SETTINGS) },
    { what: "pulled models", paths: inRoot(["models"]) },
    { what: "trash", paths: roots.map((root) => join(root, TRASH_FOLDER)) },
    { what: "unfinished writes", paths: roots.flatMap((root) => temporary(memory, root)) },
    {
      what: "projects without a note",
      paths: projects.filter(isBareProject)
        .flatMap((root) => PROJECT_FILES.map((name) => join(root, name))),
    },
    {
      what: "manual page and completions",
      paths: pages.files,
      folders: pages.folders.toReversed(),
    },
    {
      what: "program before the last update",
      paths: program === undefined ? [] : before(memory, program),
    },
    // Last: they tell where the rest is, if this is cut short.
    { what: "where notes lie in a vault", paths: isVaultThere(memory) ? inRoot([VAULT_FILE]) : [] },
    { what: "state: index, receipts, trust, kept conversations", paths: [stateDir] },
  ];
  return all.map((one) => ({
    ...one,
    paths: one.paths.filter((path) => fs.lstat(path) !== undefined),
  })).filter(({ paths }) => paths.length > 0);
}

/** With its data file; the installer on Windows renames a running program. */
function before({ fs }: Memory, program: string): string[] {
  return [
    ...[previousProgram(program), updateFolder(program), program.replace(/\.exe$/, ".exe.old")],
    ...dataBeside(fs, program).filter((path) => basename(path) !== dataName()),
  ].filter((path) => path !== program);
}

/** Where notes stay, in all projects that Sage has seen. After uninstalling nothing else names these places. */
export async function rootsWithNotes(memory: Memory): Promise<string[]> {
  const { userRoot } = memory.places;
  const homes = [...await projectStores(memory), userRoot];
  const inVault = vaultRoots(memory, homes);
  const roots = [...memory.stores.map(({ root }) => root), ...homes, ...inVault.values()];
  return [...new Set(roots)].filter((root) => hasNotes(memory, root));
}

/** Removes all of it, and closes the memory. */
export async function removeResidue(memory: Memory, residues: readonly Residue[]): Promise<void> {
  const { fs, places: { userRoot, vault } } = memory;
  const projects = await projectStores(memory);
  const inVault = [...vaultRoots(memory, [userRoot, ...projects]).values()];
  memory.close();
  for (const { paths, folders = [] } of residues) {
    for (const path of paths) removeTree(fs, path);
    for (const folder of folders) removeEmpty(fs, folder);
  }
  for (const root of [...inVault, ...projects, userRoot]) {
    for (const name of [INBOX_FOLDER, ...NOTE_FOLDERS]) removeEmpty(fs, join(root, name));
    removeEmpty(fs, root);
  }
  if (vault !== undefined) dropMaps(fs, { ...vault, stores: [] });
}

/** The known stores of projects that this person made or trusted. */
async function projectStores(memory: Memory): Promise<string[]> {
  const { fs, places } = memory;
  // An unreadable registry names no project; the current one is known all the same.
  const known = await knownProjects(memory).catch(() => []);
  const roots = known.map(({ root }) => join(root, STORE_NAME));
  roots.push(
    ...trustedRoots(fs, places.stateDir),
    ...(places.vault?.stores ?? []).flatMap(({ id, home }) => id === USER_STORE ? [] : [home]),
  );
  if (places.project !== undefined) roots.push(places.project.root);
  return [...new Set(roots)].filter((root) =>
    fs.lstat(root)?.kind === "dir" && readTrust(fs, places.stateDir, root) !== "unknown"
  );
}

/** By a store's `.sage`: where its notes lie in a vault, as far as that is there. */
function vaultRoots(
  { fs, places: { vault } }: Memory,
  homes: readonly string[],
): Map<string, string> {
  return new Map((vault?.stores ?? []).flatMap(({ id, home }) => {
    const place = placeOf(vault, [id]);
    const root = place === undefined ? "" : realRoot(fs, join(place.root, place.path));
    return homes.includes(home) && fs.lstat(root)?.kind === "dir" ? [[home, root]] : [];
  }));
}

/** Whether the vault is there: on a disk that is not mounted, notes could not be found. */
function isVaultThere({ fs, places: { vault } }: Memory): boolean {
  return vault !== undefined &&
    (vault.stores.length === 0 || fs.lstat(join(vault.root, vault.namespace))?.kind === "dir");
}

export function hasNotes({ fs }: Memory, root: string): boolean {
  return NOTE_FOLDERS.some((folder) =>
    listIfDir(fs, join(root, folder)).some(({ name }) => name !== FINDERS_FILE)
  );
}

/** Whether it has only what `sage init` makes, a map, and empty folders. */
function isBare({ fs }: Memory, root: string): boolean {
  return fs.list(root).every(({ name, kind }) =>
    PROJECT_FILES.includes(name) || [TRASH_FOLDER, MAP_NAME, FINDERS_FILE].includes(name) ||
    (kind === "dir" && fs.list(join(root, name)).every(({ name }) => name === FINDERS_FILE))
  );
}

function temporary({ fs }: Memory, root: string): string[] {
  return listIfDir(fs, root).filter(({ name, kind }) => kind === "file" && TEMP_NAME.test(name))
    .map(({ name }) => join(root, name));
}
