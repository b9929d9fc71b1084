/** Reads and changes settings; comments in their files survive. */
import { writeAtomic } from "../base/atomic.ts";
import { SageError, systemError } from "../base/errors.ts";
import { followed, readBytes } from "../base/fs.ts";
import { defined } from "../base/defined.ts";
import { dirname, join } from "../base/path.ts";
import { decodeExact, encode } from "../base/utf8.ts";
import { LOCK_MS_MAX } from "../base/limits.ts";
import { withLock } from "../base/lock.ts";
import type { Explanation } from "../config/cascade.ts";
import { setKey } from "../config/edit.ts";
import { type Key, KEYS, type SettingValue } from "../config/keys.ts";
import { readValue, requireKey } from "../config/values.ts";
import type { Store } from "../store/handle.ts";
import { sweepHereToo } from "../store/sweep.ts";
import type { Memory } from "./memory.ts";

interface SettingItem {
  readonly key: Key;
  readonly value: SettingValue;
  readonly source: string;
  readonly default: SettingValue;
  readonly summary: string;
}

const TUNING_BYTES_MAX = 64 * 1024;

export function listSettings(memory: Memory): SettingItem[] {
  return KEYS.map((key) => {
    const { value, source, setting } = memory.config.explain(key);
    return { key, value, source, default: setting.default, summary: setting.summary };
  });
}

interface ProjectSettingItem extends SettingItem {
  /** Whether the file decides. */
  readonly holds: boolean;
  /** Why it does not, or not with the value that it has there. */
  readonly note?: string;
}

/** What the project's file sets. */
export function listProjectSettings(memory: Memory): ProjectSettingItem[] {
  requireProject(memory);
  return KEYS.flatMap((key) => {
    const { layers, setting } = memory.config.explain(key);
    const layer = layers.find(({ source }) => source === "project");
    if (layer === undefined) return [];
    const { value, source, holds, note } = layer;
    const { default: usual, summary } = setting;
    return [{ key, value, source, default: usual, summary, holds, ...defined({ note }) }];
  });
}

/** The settings that a project may set, with the values in effect. */
export function listSettingsOfProjects(memory: Memory): SettingItem[] {
  requireProject(memory);
  return listSettings(memory).filter(({ key }) => memory.config.explain(key).setting.projectMay);
}

export function explainSetting(memory: Memory, name: string): Explanation {
  return memory.config.explain(requireKey(name));
}

interface SettingChange {
  readonly key: Key;
  readonly value: SettingValue;
  readonly file: string;
  readonly changed: boolean;
}

export async function setSetting(
  memory: Memory,
  name: string,
  text: string,
  options: { readonly project?: boolean } = {},
): Promise<SettingChange> {
  const key = requireKey(name);
  const value = readValue(key, text);
  if (key === "embedding.model") {
    const { requireModel } = await import("./model/list.ts");
    requireModel(memory, String(value));
  }
  return { key, value, ...await change(memory, key, String(value), options.project ?? false) };
}

/**
 * Removes a setting, or all of them, from the file: the next layer decides again. In a project's file
 * "all" means those that a project may set.
 */
export async function resetSetting(
  memory: Memory,
  name: string | undefined,
  options: { readonly project?: boolean } = {},
): Promise<readonly SettingChange[]> {
  const { project: isProject = false } = options;
  const mayBeThere = (key: Key): boolean =>
    !isProject || memory.config.explain(key).setting.projectMay;
  const keys = name === undefined ? KEYS.filter(mayBeThere) : [requireKey(name)];
  const changes: SettingChange[] = [];
  for (const key of keys) {
    const { setting } = memory.config.explain(key);
    changes.push({
      key,
      value: setting.default,
      ...await change(memory, key, undefined, isProject),
    });
  }
  return changes.filter(({ changed }) => changed || name !== undefined);
}

async function change(
  memory: Memory,
  key: Key,
  value: string | undefined,
  isProject: boolean,
): Promise<{ file: string; changed: boolean }> {
  const { fs } = memory;
  const file = isProject
    ? join(projectRoot(memory, key), "tuning.yaml")
    : followed(memory.fs, join(memory.places.userRoot, "tuning.yaml"));
  for (;;) {
    const old = readText(memory, file);
    if (old === undefined && value === undefined) return { file, changed: false };
    const next = await setKey(old ?? "", key, value, file);
    if (next === old) return { file, changed: false };
    try {
      fs.makeDir(dirname(file), isProject ? 0o755 : 0o700);
      sweepHereToo(fs, memory.places.stateDir, dirname(file));
      if (replaceText(memory, file, old, next, isProject ? 0o644 : 0o600)) {
        return { file, changed: true };
      }
    } catch (error) {
      throw systemError(error, `write "${file}"`);
    }
  }
}

/** False where another process changed the file since it was read: the caller starts over with its text. */
function replaceText(
  memory: Memory,
  file: string,
  old: string | undefined,
  next: string,
  mode: number,
): boolean {
  const lock = join(memory.places.stateDir, "locks", "tuning.lock");
  const how = { deadlineMs: LOCK_MS_MAX, holder: memory.holder };
  return withLock(memory.fs, lock, how, () => {
    if (readText(memory, file) !== old) return false;
    writeAtomic(memory.fs, file, encode(next), { mode, durable: true });
    return true;
  });
}

function projectRoot(memory: Memory, key: Key): string {
  const { setting } = memory.config.explain(key);
  const project = requireProject(memory);
  if (!setting.projectMay) {
    throw new SageError("usage", `Setting "${key}" cannot be set for a project`, {
      hint: `sage config set ${key} <value>`,
    });
  }
  return project.home;
}

function requireProject({ project }: Memory): Store {
  if (project !== undefined) return project;
  throw new SageError("not_found", "No project store here", { hint: "sage init makes one" });
}

function readText(memory: Memory, file: string): string | undefined {
  const info = memory.fs.lstat(file);
  if (info === undefined) return undefined;
  if (info.kind !== "file") {
    throw new SageError("unsafe_path", `Cannot write "${file}": it is not a regular file`, {
      hint: "move it away, then repeat",
    });
  }
  if (info.size > TUNING_BYTES_MAX) {
    throw new SageError("too_large", `Cannot read "${file}": more than ${TUNING_BYTES_MAX} bytes`);
  }
  const text = decodeExact(readBytes(memory.fs, file, TUNING_BYTES_MAX));
  if (text === undefined) throw new SageError("invalid_config", `Cannot read "${file}": not UTF-8`);
  return text;
}
