/**
 * Which stores have their notes in a vault, and where: `vault.yaml` in the user store. It is personal,
 * because it has paths; a project cannot set it. Without the file every store has its notes itself.
 */
import { discard, writeAtomic } from "../base/atomic.ts";
import { SageError, systemError } from "../base/errors.ts";
import { type Fs, readIfFile } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decodeExact, encode, withoutBom } from "../base/utf8.ts";
import { FRONT_MATTER_BYTES_MAX } from "../base/limits.ts";
import { renderEntry } from "../base/yaml/render.ts";
import { readSimpleYaml } from "../base/yaml/simple.ts";
import { isMapping, isSequence, type YamlMap, type YamlValue } from "../base/yaml/value.ts";
import { frontLines } from "../note/front_values.ts";
import { VAULT_FILE } from "./layout.ts";

export interface Vault {
  /** The vault's own folder, links resolved. */
  readonly root: string;
  /** The folder in it for all notes of Sage, which may have several parts (`a/b`). */
  readonly namespace: string;
  readonly stores: readonly VaultStore[];
  /** Folders and notes of the vault that are read and never written; relative to the vault. */
  readonly sources: readonly string[];
  /** Roots whose files are being moved to another; the next process that may take its time goes on with it. */
  readonly moves: readonly Move[];
}

export interface VaultStore {
  /** The project's id, or `USER_STORE`. */
  readonly id: string;
  /** Relative to the namespace: `global`, `projects/demo`. */
  readonly folder: string;
  /** The store's `.sage` folder, to which the notes can be moved back. */
  readonly home: string;
}

export interface Move {
  readonly from: string;
  readonly to: string;
  /** RFC 3339. For a while after, somebody may still write to the former place. */
  readonly since: string;
}

/** The place of one store in a vault. */
export interface VaultPlace {
  readonly root: string;
  /** The store's root, relative to the vault's: `Sage/global`. */
  readonly path: string;
}

export const GLOBAL_FOLDER = "global";
/** Stands for the person's own store among ids of projects. */
export const USER_STORE = "";
const HEADER =
  "# Your notes lie in this vault: sage init --obsidian. Below `sources`, what else of it is read.\n";

/** Undefined if no notes are in a vault. Quick without the file, because hooks ask too. */
export function readVault(fs: Fs, userRoot: string): Vault | undefined {
  const path = join(userRoot, VAULT_FILE);
  let text: string | undefined;
  try {
    const bytes = readIfFile(fs, path, FRONT_MATTER_BYTES_MAX);
    if (bytes === undefined) return undefined;
    text = decodeExact(bytes);
  } catch (error) {
    throw systemError(error, `read "${path}"`);
  }
  const map = text === undefined ? undefined : readSimpleYaml(withoutBom(text));
  const [root, namespace] = [line(map, "vault"), line(map, "namespace")];
  if (map === undefined || root === "" || namespace === "") {
    throw new SageError("invalid_config", `Cannot read "${path}"`, {
      hint: "mend it; sage init --obsidian <vault> writes it anew once it is moved away",
    });
  }
  return {
    root,
    namespace,
    stores: maps(map, "stores").map((one) => ({
      id: line(one, "id"),
      folder: line(one, "folder"),
      home: line(one, "home"),
    })).filter(({ folder }) => folder !== ""),
    sources: frontLines(map, "sources"),
    moves: maps(map, "moves").map((one) => ({
      from: line(one, "from"),
      to: line(one, "to"),
      since: line(one, "since"),
    }))
      .filter(({ from, to }) => from !== "" && to !== ""),
  };
}

/** Replaces the file atomically: from then on notes are where it says. */
export function writeVault(fs: Fs, userRoot: string, vault: Vault): void {
  const path = join(userRoot, VAULT_FILE);
  if (vault.stores.length === 0 && vault.moves.length === 0) {
    discard(fs, path);
    return fs.syncDir(userRoot);
  }
  const record = (entries: readonly (readonly [string, string])[]): YamlMap =>
    new Map(entries.filter(([, value]) => value !== ""));
  const entries: [string, YamlValue][] = [
    ["vault", vault.root],
    ["namespace", vault.namespace],
    ["sources", vault.sources],
    [
      "stores",
      vault.stores.map(({ id, folder, home }) =>
        record([["folder", folder], ["home", home], ["id", id]])
      ),
    ],
    [
      "moves",
      vault.moves.map(({ from, to, since }) =>
        record([["from", from], ["to", to], ["since", since]])
      ),
    ],
  ];
  const text = HEADER +
    entries.map(([key, value]) => renderEntry(key, value, 0, "\n") + "\n").join("");
  try {
    writeAtomic(fs, path, encode(text), { mode: 0o600, durable: true });
  } catch (error) {
    throw systemError(error, `write "${path}"`);
  }
}

/** The place in the vault of the store with one of these ids; undefined if it is not in the vault. */
export function placeOf(vault: Vault | undefined, ids: readonly string[]): VaultPlace | undefined {
  const store = vault?.stores.find(({ id }) => ids.includes(id));
  return vault === undefined || store === undefined
    ? undefined
    : { root: vault.root, path: `${vault.namespace}/${store.folder}` };
}

function line(map: YamlMap | undefined, key: string): string {
  const value = map?.get(key);
  return typeof value === "string" ? value : "";
}

function maps(map: YamlMap, key: string): YamlMap[] {
  const value = map.get(key);
  return isSequence(value) ? value.filter(isMapping) : [];
}
