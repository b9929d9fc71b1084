/**
 * Which value holds: flag over environment over project over user over what was learned over default. A
 * project speaks only when it is trusted, only for the keys the table allows, and only within what its
 * reader set. A bad value never stops Sage: it is passed over and said in `warnings`. Flags are refused.
 */
import type { Env } from "../base/environment.ts";
import { assert, codeOf } from "../base/errors.ts";
import { decode, type Fs, join, readBytes } from "../base/fs.ts";
import { defined } from "../base/defined.ts";
import { FRONT_MATTER_BYTES_MAX } from "../base/limits.ts";
import { cut } from "../base/text.ts";
import type { Tuning } from "./file.ts";
import { type Key, KEYS, type Setting, setting, type SettingValue, type ValueOf } from "./keys.ts";
import { type Learned, readLearned } from "./learned.ts";
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

/** One place that has a say about a key. */
export interface Layer {
  readonly source: Source;
  readonly value: SettingValue;
  /** The file or variable. */
  readonly from?: string;
  /** Why it does not count, or not as it stands there. */
  readonly note?: string;
  /** This is the one that decides. */
  readonly holds: boolean;
}

export interface Explanation {
  readonly key: Key;
  readonly value: SettingValue;
  readonly source: Source;
  readonly file?: string;
  readonly variable: string;
  readonly setting: Setting;
  /** What it takes, in words. */
  readonly range: string;
  /** Every place that says something, in the order of the cascade. */
  readonly layers: readonly Layer[];
}

export interface Config {
  get<K extends Key>(key: K): ValueOf<K>;
  explain(key: Key): Explanation;
  readonly warnings: readonly string[];
}

/** The configuration that holds. Without YAML to parse (the usual case) nothing is waited for. */
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
  const told: Told = { source, user, project, learned, flags, warnings };
  const resolved = new Map(KEYS.map((key) => [key, layersOf(key, told)] as const));
  return {
    get: <K extends Key>(key: K) => holding(resolved.get(key)).value as ValueOf<K>,
    explain: (key) => explain(key, resolved.get(key) ?? []),
    warnings: [...warnings],
  };
}

function explain(key: Key, layers: readonly Layer[]): Explanation {
  const { source, value, from } = holding(layers);
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

function holding(layers: readonly Layer[] | undefined): Layer {
  const layer = layers?.find((candidate) => candidate.holds);
  assert(layer !== undefined, "every setting has a default");
  return layer;
}

interface Told {
  readonly source: ConfigSource;
  readonly user: TuningFile | undefined;
  readonly project: TuningFile | undefined;
  readonly learned: Learned;
  readonly flags: ReadonlyMap<Key, SettingValue>;
  readonly warnings: Set<string>;
}

function layersOf(key: Key, told: Told): Layer[] {
  const row = setting(key);
  const layers: Omit<Layer, "holds">[] = [];
  const flag = told.flags.get(key);
  if (flag !== undefined) layers.push({ source: "flag", value: flag });
  for (const name of [envName(key), ...(row.env === undefined ? [] : [row.env])]) {
    const value = check(key, told.source.env(name) || undefined, name, told.warnings);
    if (value !== undefined) layers.push({ source: "environment", value, from: name });
  }
  const user = fromFile(key, told.user, told.warnings);
  const project = projectLayer(key, told, user ?? row.default);
  if (project !== undefined) layers.push(project);
  if (user !== undefined) {
    layers.push({ source: "user", value: user, ...defined({ from: told.user?.path }) });
  }
  const learned = told.learned.values.get(key);
  if (learned !== undefined) {
    layers.push({ source: "learned", value: learned, from: told.learned.path });
  }
  layers.push({ source: "default", value: row.default });
  const first = layers.find((layer) => !IGNORED.has(layer.note ?? ""));
  return layers.map((layer) => ({ ...layer, holds: layer === first }));
}

const UNTRUSTED = "ignored: the project is not trusted (sage trust)";
const FORBIDDEN = "ignored: only you may set this, not a project";
const IGNORED: ReadonlySet<string> = new Set([UNTRUSTED, FORBIDDEN]);

function projectLayer(
  key: Key,
  told: Told,
  without: SettingValue,
): Omit<Layer, "holds"> | undefined {
  const { project } = told;
  const { projectTrusted } = told.source;
  const row = setting(key);
  // What would not count if it were right is not asked to be put right.
  const mayCount = projectTrusted && row.projectMay;
  if (projectTrusted && !row.projectMay && project?.values.has(key) === true) {
    told.warnings.add(`${project.path}: ${key} is ${FORBIDDEN}`);
  }
  const value = fromFile(key, project, mayCount ? told.warnings : new Set());
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

/** A repository is no place for what config.yaml is for. */
function warnOfSecrets(fs: Fs, projectDir: string, warnings: Set<string>): void {
  const path = join(projectDir, "config.yaml");
  try {
    if (fs.lstat(path) === undefined) return;
  } catch {
    return; // A folder that cannot be looked into says so where it is needed.
  }
  warnings.add(`${path}: ignored: keys and machine preferences belong in your own config.yaml`);
}
