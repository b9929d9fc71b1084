/**
 * Resolves every setting. Precedence: flag, environment, the project's tuning.yaml, the user's
 * tuning.yaml, learned, default. A project counts only when it is trusted and only for the keys whose
 * table row allows it. An invalid value is skipped with a warning, except in a flag, where it is an error.
 */
import type { Env } from "../base/environment.ts";
import { assert, codeOf } from "../base/errors.ts";
import { type Fs, readBytes, readIfFile } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decode } from "../base/utf8.ts";
import { defined } from "../base/defined.ts";
import { FRONT_MATTER_BYTES_MAX } from "../base/limits.ts";
import { cut } from "../base/text/text.ts";
import type { Tuning } from "./file.ts";
import { type Key, KEYS, type Setting, setting, type SettingValue, type ValueOf } from "./keys.ts";
import { type Learned, readLearned } from "./learned.ts";
import { isSecretName, secretIgnored } from "./secret_names.ts";
import { openSnapshot, type Snapshot } from "./snapshot.ts";
import { envName, rangeOf, readValue, requireKey } from "./values.ts";

export interface ConfigSource {
  /** The user store. */
  readonly userDir: string;
  /** The folder of the project's tuning.yaml: its `.sage`. */
  readonly projectDir?: string | undefined;
  readonly projectTrusted: boolean;
  readonly env: Env;
  /** Settings from the command line, by full or short name. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
  readonly fs: Fs;
}

export type Source = "flag" | "environment" | "project" | "user" | "learned" | "default";

/** A place that gives a value for a key. */
export interface Layer {
  readonly source: Source;
  readonly value: SettingValue;
  /** The file or variable. */
  readonly from?: string;
  /** Why the value is ignored or was lowered. */
  readonly note?: string;
  /** Whether this is the value in effect; true of exactly one layer. */
  readonly holds: boolean;
}

export interface Explanation {
  readonly key: Key;
  readonly value: SettingValue;
  readonly source: Source;
  readonly file?: string;
  readonly variable: string;
  readonly setting: Setting;
  /** The accepted values, in words. */
  readonly range: string;
  /** Every place that gives a value, highest precedence first. */
  readonly layers: readonly Layer[];
}

export interface Config {
  get<K extends Key>(key: K): ValueOf<K>;
  explain(key: Key): Explanation;
  readonly warnings: readonly string[];
}

/** The configuration in effect. The YAML parser is loaded only for a file that the snapshot lacks. */
export async function loadConfig(source: ConfigSource): Promise<Config> {
  const snapshot = openSnapshot(source.fs, source.userDir);
  const user = await readFile(source.fs, source.userDir, snapshot, { mayBeLink: true });
  const project = source.projectDir === undefined
    ? undefined
    : await readFile(source.fs, source.projectDir, snapshot);
  snapshot.save();
  return resolve(source, user, project, readLearned(source.fs, source.userDir));
}

interface TuningFile extends Tuning {
  readonly path: string;
}

/** A person may keep their own file elsewhere and link to it; a cloned project may not. */
async function readFile(
  fs: Fs,
  dir: string,
  snapshot: Snapshot,
  { mayBeLink = false } = {},
): Promise<TuningFile | undefined> {
  let path = join(dir, "tuning.yaml");
  try {
    let info = fs.lstat(path);
    if (mayBeLink && info?.kind === "link") {
      path = fs.realPath(path);
      info = fs.lstat(path);
    }
    if (info === undefined) return undefined;
    if (info.kind !== "file") return refused(path, "it is not a regular file");
    if (info.size > FRONT_MATTER_BYTES_MAX) return refused(path, "it is too large");
    const known = snapshot.find(path, info);
    if (known !== undefined) return { ...known, path };
    const { readTuning } = await import("./file.ts");
    const tuning = await readTuning(decode(readBytes(fs, path, FRONT_MATTER_BYTES_MAX)));
    snapshot.put(path, info, tuning);
    return { ...tuning, path };
  } catch (error) {
    return refused(path, `it cannot be read (${codeOf(error)})`);
  }
}

function refused(path: string, reason: string): TuningFile {
  return { path, values: new Map(), problems: [`ignored: ${reason}`] };
}

function resolve(
  source: ConfigSource,
  user: TuningFile | undefined,
  project: TuningFile | undefined,
  learned: Learned,
): Config {
  const warnings = new Set<string>();
  const flags = new Map(
    Object.entries(source.flags ?? {}).map(([name, text]) => {
      const key = requireKey(name);
      return [key, readValue(key, text)] as const;
    }),
  );
  for (const file of [user, source.projectTrusted ? project : undefined]) {
    for (const problem of file?.problems ?? []) warnings.add(`${file?.path}: ${problem}`);
  }
  const secret = project?.problems.find((problem) => problem.includes("is a secret"));
  if (secret !== undefined) warnings.add(`${project?.path}: ${secret}`);
  if (source.projectDir !== undefined) warnOfSecrets(source.fs, source.projectDir, warnings);
  const inputs: Inputs = { source, user, project, learned, flags, warnings };
  const resolved = new Map(KEYS.map((key) => [key, layersOf(key, inputs)] as const));
  return {
    get: <K extends Key>(key: K) => inEffect(resolved.get(key)).value as ValueOf<K>,
    explain: (key) => explain(key, resolved.get(key) ?? []),
    warnings: [...warnings],
  };
}

function explain(key: Key, layers: readonly Layer[]): Explanation {
  const { source, value, from } = inEffect(layers);
  return {
    key,
    value,
    source,
    ...defined({ file: source === "project" || source === "user" ? from : undefined }),
    variable: envName(key),
    setting: setting(key),
    range: rangeOf(setting(key)),
    layers,
  };
}

function inEffect(layers: readonly Layer[] | undefined): Layer {
  const layer = layers?.find((candidate) => candidate.holds);
  assert(layer !== undefined, "every setting has a default");
  return layer;
}

interface Inputs {
  readonly source: ConfigSource;
  readonly user: TuningFile | undefined;
  readonly project: TuningFile | undefined;
  readonly learned: Learned;
  readonly flags: ReadonlyMap<Key, SettingValue>;
  readonly warnings: Set<string>;
}

function layersOf(key: Key, inputs: Inputs): Layer[] {
  const row = setting(key);
  const layers: Omit<Layer, "holds">[] = [];
  const flag = inputs.flags.get(key);
  if (flag !== undefined) layers.push({ source: "flag", value: flag });
  for (const name of [envName(key), ...(row.env === undefined ? [] : [row.env])]) {
    const value = check(key, inputs.source.env(name) || undefined, name, inputs.warnings);
    if (value !== undefined) layers.push({ source: "environment", value, from: name });
  }
  const user = fromFile(key, inputs.user, inputs.warnings);
  const project = projectLayer(key, inputs, user ?? row.default);
  if (project !== undefined) layers.push(project);
  if (user !== undefined) {
    layers.push({ source: "user", value: user, ...defined({ from: inputs.user?.path }) });
  }
  const learned = inputs.learned.values.get(key);
  if (learned !== undefined) {
    layers.push({ source: "learned", value: learned, from: inputs.learned.path });
  }
  layers.push({ source: "default", value: row.default });
  const first = layers.find((layer) => !IGNORED.has(layer.note ?? ""));
  return layers.map((layer) => ({ ...layer, holds: layer === first }));
}

const UNTRUSTED = "ignored: the project is not trusted (sage trust)";
const FORBIDDEN = "ignored: only you may set this, not a project";
const IGNORED: ReadonlySet<string> = new Set([UNTRUSTED, FORBIDDEN]);

/** `without`: the value of the user's file or the default, which some keys may only be lowered from. */
function projectLayer(
  key: Key,
  inputs: Inputs,
  without: SettingValue,
): Omit<Layer, "holds"> | undefined {
  const { project } = inputs;
  const { projectTrusted } = inputs.source;
  const row = setting(key);
  // A value that does not count anyway is not checked: no warning asks to correct it.
  const mayCount = projectTrusted && row.projectMay;
  if (projectTrusted && !row.projectMay && project?.values.has(key) === true) {
    inputs.warnings.add(`${project.path}: ${key} is ${FORBIDDEN}`);
  }
  const value = fromFile(key, project, mayCount ? inputs.warnings : new Set());
  if (value === undefined) return undefined;
  const layer = { source: "project", value, ...defined({ from: project?.path }) } as const;
  if (!mayCount) return { ...layer, note: projectTrusted ? FORBIDDEN : UNTRUSTED };
  if (row.projectOnlyLowers && Number(value) > Number(without)) {
    return { ...layer, value: without, note: `${value} there: a project may only lower this` };
  }
  return layer;
}

function fromFile(
  key: Key,
  file: TuningFile | undefined,
  warnings: Set<string>,
): SettingValue | undefined {
  return check(key, file?.values.get(key), file?.path ?? "", warnings);
}

function check(
  key: Key,
  text: string | undefined,
  where: string,
  warnings: Set<string>,
): SettingValue | undefined {
  if (text === undefined) return undefined;
  try {
    return readValue(key, text);
  } catch {
    const range = rangeOf(setting(key));
    warnings.add(`${where}: ${key} is "${cut(text, 60)}", ${range} is wanted; ignored`);
    return undefined;
  }
}

/**
 * config.yaml holds API keys and machine preferences: one in a repository is ignored and reported, as is a
 * key in project.yaml.
 */
function warnOfSecrets(fs: Fs, projectDir: string, warnings: Set<string>): void {
  const config = join(projectDir, "config.yaml");
  const project = join(projectDir, "project.yaml");
  try {
    if (fs.lstat(config) !== undefined) {
      warnings.add(
        `${config}: ignored: keys and machine preferences belong in your own config.yaml`,
      );
    }
    const text = decode(readIfFile(fs, project, FRONT_MATTER_BYTES_MAX) ?? new Uint8Array());
    for (const [name] of text.matchAll(/^[\w.-]+(?=:)/gm)) {
      if (isSecretName(name)) warnings.add(`${project}: ${secretIgnored(cut(name, 60))}`);
    }
  } catch {
    // An unreadable folder or file is reported by whatever needs its contents.
  }
}
