/**
 * Which stores have their notes in a vault, and where: `vault.yaml` in the user store. It belongs to
 * one person, because it holds paths; a project cannot set it. Without the file every store holds its
 * notes itself.
 */
import { discard, writeAtomic } from "../base/atomic.ts";
import { SageError, systemError } from "../base/errors.ts";
import { decodeExact, encode, type Fs, join, readIfFile, withoutBom } from "../base/fs.ts";
import { FRONT_MATTER_BYTES_MAX } from "../base/limits.ts";
import { renderEntry } from "../base/yaml_render.ts";
import { readSimpleYaml } from "../base/yaml_simple.ts";
import { isMapping, isSequence, type YamlMap, type YamlValue } from "../base/yaml_value.ts";
import { frontLines } from "../note/front_values.ts";
import { VAULT_FILE } from "./layout.ts";

export interface Vault {
  /** The vault's own folder, links resolved. */
  readonly root: string;
  /** The folder in it for all notes of Sage; may have several parts. */
  readonly namespace: string;
  readonly stores: readonly VaultStore[];
  /** Folders and notes of the vault that are read and never written; from the vault's root. */
  readonly sources: readonly string[];
  /**
   * Files that are being moved from one root of notes to another; the next process that may wait continues.
   */
  readonly moves: readonly Move[];
}

export interface VaultStore {
  /** The project's id, or `USER_STORE`. */
  readonly id: string;
  /** Below the namespace: `global`, `projects/demo`. */
  readonly folder: string;
  /** The `.sage` folder to which the notes can go back. */
  readonly home: string;
}

export interface Move {
  readonly from: string;
  readonly to: string;
  /** RFC 3339: for a while somebody may still write to the former place. */
  readonly since: string;
}

/** What a store needs to know of its vault. */
export interface VaultPlace {
  readonly root: string;
  /** From the vault's root to the store's: `Sage/global`. */
  readonly path: string;
}

export const GLOBAL_FOLDER = "global";
/** The person's own store, among ids of projects. */
export const USER_STORE = "";
const HEADER =
  "# Your notes lie in this vault: sage init --obsidian. Below `sources`, what else of it is read.\n";

/** Undefined where no notes lie in a vault. Quick without the file, because hooks ask too. */
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

/** Replaces the file in one step: from then on notes are where it says. */
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

/** Where the notes of a store with one of these ids lie; undefined where it holds them itself. */
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
