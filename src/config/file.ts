/**
 * tuning.yaml: nested sections, or dotted keys on one line each. Reading gives texts by key and says
 * what it left out; writing changes one value and keeps the person's comments and order.
 */
import { SageError } from "../base/errors.ts";
import { equalYaml, loadYaml, YamlError, type YamlMap } from "../base/yaml.ts";
import { editYaml } from "../base/yaml_edit.ts";
import { readSimpleYaml } from "../base/yaml_simple.ts";
import type { Key } from "./keys.ts";
import { findKey, suggestion } from "./values.ts";

export interface Tuning {
  /** Texts as typed, not checked yet. */
  readonly values: ReadonlyMap<Key, string>;
  /** What is ignored, and why: one line each, without the file's name. */
  readonly problems: readonly string[];
}

/** Longest list of complaints about one file. */
const PROBLEMS_MAX = 20;

/** Names whose values are nobody's business but their owner's. */
const SECRET = /(?:^|[._-])(?:api_?key|secret|token|password|passphrase|credentials?)$/i;

/** What a tuning file says. Never throws: a file that cannot be read says nothing but why. */
export async function readTuning(text: string): Promise<Tuning> {
  const simple = readSimpleYaml(text.replace(/^\uFEFF/, ""));
  if (simple !== undefined) return collect(simple);
  try {
    const value = await loadYaml(text.replace(/^\uFEFF/, ""));
    if (value instanceof Map) return collect(value as YamlMap);
    return { values: new Map(), problems: ["1:1 not a list of settings"] };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { values: new Map(), problems: [error.message] };
  }
}

/** The file's text with one key set, or removed where `value` is undefined. */
export async function setKey(text: string, key: Key, value: string | undefined): Promise<string> {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const content = text.slice(bom.length);
  try {
    const root = await loadYaml(content);
    if (!(root instanceof Map)) throw new YamlError(1, 1, "not a list of settings");
    const places = placesOf(root as YamlMap, key);
    let next = content;
    // A key that stands there twice, in two spellings, would win by order: keep the last.
    for (const path of value === undefined ? places : places.slice(0, -1)) {
      next = await editYaml(next, path, undefined);
    }
    if (value !== undefined) next = await editYaml(next, places.at(-1) ?? key.split("."), value);
    return bom + next;
  } catch (error) {
    const reason = error instanceof YamlError
      ? error.message
      : error instanceof SageError && error.code === "invalid_note"
      ? error.message
      : undefined;
    if (reason === undefined) throw error;
    throw new SageError("invalid_config", `Cannot change ${key} in tuning.yaml: ${reason}`, {
      hint: "mend the file by hand",
      cause: error,
    });
  }
}

function collect(root: YamlMap): Tuning {
  const values = new Map<Key, string>();
  const problems: string[] = [];
  visit(root, []);
  return { values, problems: problems.slice(0, PROBLEMS_MAX) };

  function visit(map: YamlMap, path: readonly string[]): void {
    for (const [name, value] of map) {
      const full = [...path, name].join(".");
      if (value instanceof Map) visit(value as YamlMap, [...path, name]);
      else if (SECRET.test(full)) problems.push(`"${full}" is a secret and is ignored`);
      else if (typeof value !== "string") problems.push(`"${full}" is a list and is ignored`);
      else if (value === "") continue;
      else {
        const key = findKey(full);
        if (key === undefined) problems.push(`there is no setting "${full}" (${suggestion(full)})`);
        else values.set(key, value);
      }
    }
  }
}

/** Every path in the file that stands for the key. */
function placesOf(root: YamlMap, key: Key): string[][] {
  const found: string[][] = [];
  visit(root, []);
  return found;

  function visit(map: YamlMap, path: readonly string[]): void {
    for (const [name, value] of map) {
      const here = [...path, name];
      if (value instanceof Map && !equalYaml(value, new Map())) visit(value as YamlMap, here);
      else if (findKey(here.join(".")) === key) found.push(here);
    }
  }
}
