/**
 * What tuning.yaml says: nested sections, or dotted keys on one line each, as texts by key, and what
 * was left out. Writing is in edit.ts.
 */
import { loadYaml, YamlError, type YamlMap } from "../base/yaml.ts";
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
