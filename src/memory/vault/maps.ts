/**
 * Maps of content: one for each store in a vault, and one for all. Only the part between Sage's marks
 * is written, and only when a note has come, gone or changed its name; what a person writes around it
 * stays.
 */
import { writeNew } from "../../base/atomic.ts";
import { now } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { type Fs, listIfDir, readBytes } from "../../base/fs.ts";
import { basename, join } from "../../base/path.ts";
import { removeEmpty } from "../../base/remove.ts";
import { decode, encode } from "../../base/utf8.ts";
import { NOTE_BYTES_MAX, QUIET_MS } from "../../base/limits.ts";
import { compareText } from "../../base/text/text.ts";
import { renderLinks, replaceRegion, type TopicLink } from "../../note/topic.ts";
import { fileMode, type Store } from "../../store/handle.ts";
import {
  foldName,
  INBOX_FOLDER,
  MAP_NAME,
  NOTE_FOLDERS,
  PRIVATE_FOLDER,
  stemOf,
  TRASH_FOLDER,
} from "../../store/layout.ts";
import { readNoteBytes } from "../../store/load.ts";
import { updateNote } from "../../store/store.ts";
import { readState, writeState } from "../../store/state.ts";
import { sweepHereToo } from "../../store/sweep.ts";
import { GLOBAL_FOLDER, readVault, type Vault } from "../../store/vault.ts";
import { type VaultNames, vaultNames } from "../../store/vault_names.ts";
import { isOwnWrite, rememberOwnWrite } from "../../store/own_writes.ts";
import type { Entry } from "../index/entries.ts";
import type { Memory } from "../memory.ts";
import { refreshStore } from "../index/reindex.ts";
import { linkTo } from "./links.ts";

/** Of kinds that grow every day a map shows the latest; search finds the rest. */
const DAILY_MAX = 20;
/** A longer list would not be read. */
const LINKS_MAX = 300;
const STATE = "maps.json";

const SECTIONS = [
  ["topic", "Topics", LINKS_MAX],
  ["knowledge", "Knowledge", LINKS_MAX],
  ["todo", "Todos", LINKS_MAX],
  ["checkpoint", "Checkpoints", DAILY_MAX],
  ["session", "Sessions", DAILY_MAX],
] as const;

/** Renews the maps. Reads only a state file if nothing changed. */
export async function refreshMaps(memory: Memory): Promise<void> {
  const { fs, places: { stateDir, userRoot } } = memory;
  // The command that ends may have taken the notes out of the vault.
  const vault = readVault(fs, userRoot);
  const stores = memory.stores.filter((store) =>
    vault !== undefined && vault.stores.some(({ folder }) =>
      rootOf(vault, folder) === store.root
    ) &&
    fs.lstat(store.root)?.kind === "dir"
  );
  if (vault === undefined || stores.length === 0) return;
  const known = readState<Record<string, string>>(fs, stateDir, STATE) ?? {};
  const made: Record<string, string> = {};
  let names: VaultNames | undefined;
  for (const store of stores) {
    await refreshStore(memory, store);
    const mark = memory.index(store).check ?? "";
    const isThere = fs.lstat(join(store.root, MAP_NAME)) !== undefined;
    if (isThere && known[store.id] === mark) continue;
    names ??= vaultNames(fs, vault.root);
    const front = store.scope === "project"
      ? `---\nproject: ${projectOf(vault, store)}\n---\n`
      : "";
    const title = store.scope === "project" ? memory.places.projectName : "Everywhere";
    const region = renderMap(memory, store, names);
    if (await writeMap(store, `${front}# ${title}\n`, region)) made[store.id] = mark;
  }
  if (names === undefined) return;
  await writeTop(memory, vault);
  writeState(fs, stateDir, STATE, { ...known, ...made });
}

/**
 * Removes maps without notes in which nobody has written, and empty folders. The folder of a store in
 * the vault stays: it tells a store without notes from a disk that is not mounted.
 */
export function dropMaps(fs: Fs, vault: Vault): void {
  const top = join(vault.root, vault.namespace);
  const projects = join(top, "projects");
  const used = vault.stores.map(({ folder }) => rootOf(vault, folder));
  const left = [
    join(top, GLOBAL_FOLDER),
    ...list(fs, projects).map((name) => join(projects, name)),
  ].filter((folder) => {
    if (used.includes(folder) || list(fs, folder).some((name) => FOLDERS.includes(name))) {
      return true;
    }
    dropMap(fs, folder);
    return false;
  });
  removeEmpty(fs, projects);
  if (left.length === 0) dropMap(fs, top);
}

const FOLDERS: readonly string[] = [...NOTE_FOLDERS, INBOX_FOLDER, TRASH_FOLDER];

/** With other files of Sage; a person's own stay, and the folder with them. */
function dropMap(fs: Fs, folder: string): void {
  dropOurs(fs, join(folder, MAP_NAME), isUntouched);
  dropOurs(fs, join(folder, ".gitignore"), (text) => text === IGNORED);
  removeEmpty(fs, folder);
}

/** Whether a map has nothing but what a new one has. */
function isUntouched(text: string): boolean {
  return /^(?:---\nproject: .*\n---\n)?# .*\n\s*$/.test(replaceRegion(text, "").replace(EMPTY, ""));
}

const EMPTY = replaceRegion("", "").trim();

function dropOurs(fs: Fs, path: string, isOurs: (text: string) => boolean): void {
  if (fs.lstat(path)?.kind !== "file") return;
  try {
    if (isOurs(decode(readBytes(fs, path, NOTE_BYTES_MAX)))) fs.unlink(path);
  } catch (error) {
    // Only one of the two marks: edited by hand.
    if (!(error instanceof SageError)) throw error;
  }
}

function projectOf(vault: Vault, store: Store): string {
  return vault.stores.find(({ folder }) => rootOf(vault, folder) === store.root)?.id ?? "";
}

function rootOf({ root, namespace }: Vault, folder: string): string {
  return join(root, namespace, folder);
}

function renderMap(memory: Memory, store: Store, names: VaultNames): string {
  const notes = memory.index(store).notes().filter(({ status, supersededBy, path }) =>
    status !== "archived" && status !== "done" && supersededBy === undefined &&
    !path.startsWith("archive/")
  );
  return SECTIONS.flatMap(([kind, heading, most]) => {
    const ofKind = notes.filter((note) => note.kind === kind);
    const isDaily = most === DAILY_MAX;
    const shown = [...ofKind].sort((a, b) =>
      isDaily
        ? compareText(b.created, a.created)
        : compareText(foldName(a.title), foldName(b.title))
    ).slice(0, most);
    if (shown.length === 0) return [];
    const rest = ofKind.length - shown.length;
    const more = rest === 0 ? [] : [`- and ${rest} more`];
    return [
      [`## ${heading}`, "", renderLinks(shown.map((note) => toLink(store, note, names))), ...more]
        .join("\n"),
    ];
  }).join("\n\n");
}

function toLink({ vault }: Store, note: Entry["note"], names: VaultNames): TopicLink {
  const { target, shown } = linkTo(names, `${vault?.path}/${note.path}`);
  const name = stemOf(basename(note.path));
  const alias = name.endsWith(note.title) ? shown : note.title.replace(/`|%(?=%)/g, "");
  return { target, ...(alias === undefined ? {} : { alias }) };
}

/** All maps below the namespace, those of other machines too. */
async function writeTop(memory: Memory, vault: Vault): Promise<void> {
  const { fs, user } = memory;
  const root = join(vault.root, vault.namespace);
  sweepHereToo(fs, memory.places.stateDir, root);
  const folders = [
    GLOBAL_FOLDER,
    ...list(fs, join(root, "projects")).map((name) => `projects/${name}`),
  ]
    .filter((folder) => fs.lstat(join(root, folder, MAP_NAME)) !== undefined);
  const links = folders.map((folder): TopicLink => ({
    target: `${vault.namespace}/${folder}/${stemOf(MAP_NAME)}`,
    alias: folder === GLOBAL_FOLDER ? "Everywhere" : folder.slice("projects/".length),
  }));
  await writeMap({ ...user, root }, `# Sage\n`, renderLinks(links));
  const ignored = join(root, ".gitignore");
  if (fs.lstat(ignored) === undefined) writeNew(fs, ignored, encode(IGNORED), fileMode(user));
}

/** A .gitignore for a vault in git: leaves out short-lived and private files. */
const IGNORED = `${PRIVATE_FOLDER}/\n${TRASH_FOLDER}/\n${INBOX_FOLDER}/\n.*.tmp\n`;

function list(fs: Fs, folder: string): string[] {
  return listIfDir(fs, folder).map(({ name }) => name).sort();
}

/** False if the map is being edited: then the next process tries again. */
async function writeMap(store: Store, above: string, region: string): Promise<boolean> {
  const { fs, root } = store;
  const path = join(root, MAP_NAME);
  const info = fs.lstat(path);
  if (info === undefined) {
    const bytes = encode(replaceRegion(`${above}\n`, region));
    writeNew(fs, path, bytes, fileMode(store));
    rememberOwnWrite(store, bytes);
    return true;
  }
  const ageMs = now() - info.mtimeMs;
  try {
    const { bytes } = readNoteBytes(store, MAP_NAME);
    if (ageMs >= 0 && ageMs < QUIET_MS && !isOwnWrite(store, bytes)) return false;
    const outcome = await updateNote(store, MAP_NAME, ({ text }) => replaceRegion(text, region), {
      keepVersion: false,
    });
    return outcome.kind !== "conflict";
  } catch (error) {
    // Half of the marks, no text, or in use: left to the person, because a map is only a help.
    if (!(error instanceof SageError)) throw error;
    return false;
  }
}
