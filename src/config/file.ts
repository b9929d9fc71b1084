/**
 * Reads tuning.yaml, with settings in nested sections or as dotted keys: the unchecked text of each
 * known key, and a complaint for each entry that is ignored. edit.ts writes it.
 */
import { cut } from "../base/text/text.ts";
import { loadYaml, YamlError } from "../base/yaml/parse.ts";
import { readSimpleYaml } from "../base/yaml/simple.ts";
import { withoutBom } from "../base/utf8.ts";
import { isMapping, type YamlMap } from "../base/yaml/value.ts";
import type { Key } from "./keys.ts";
import { isSecretName, secretIgnored } from "./secret_names.ts";
import { findKey, suggestion } from "./values.ts";

export interface Tuning {
  /** Texts as typed, not checked yet. */
  readonly values: ReadonlyMap<Key, string>;
  /** What is ignored, and why: one line each, without the file's name. */
  readonly problems: readonly string[];
}

/** The rest is dropped; secrets come first, because they are reported even for an untrusted project. */
const PROBLEMS_MAX = 20;
/** Longer names are cut in a complaint. */
const NAME_CHARACTERS_MAX = 60;

const UNUSED = "; until that is mended nothing of this file counts";

/** Never throws on bad input: text that is not valid YAML gives no values and one problem. */
export async function readTuning(text: string): Promise<Tuning> {
  const content = withoutBom(text);
  const simple = readSimpleYaml(content);
  if (simple !== undefined) return collect(simple);
  try {
    const value = await loadYaml(content);
    if (isMapping(value)) return collect(value);
    return { values: new Map(), problems: [`1:1 not a list of settings${UNUSED}`] };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { values: new Map(), problems: [error.message + UNUSED] };
  }
}

function collect(root: YamlMap): Tuning {
  const values = new Map<Key, string>();
  const secrets: string[] = [];
  const problems: string[] = [];
  visit(root, []);
  return { values, problems: [...secrets, ...problems].slice(0, PROBLEMS_MAX) };

  function visit(map: YamlMap, path: readonly string[]): void {
    for (const [name, value] of map) {
      const full = [...path, name].join(".");
      const shown = cut(full, NAME_CHARACTERS_MAX);
      const key = findKey(full);
      if (isMapping(value)) visit(value, [...path, name]);
      else if (isSecretName(full)) {
        // Its value must not be kept in the snapshot.
        secrets.push(secretIgnored(shown));
      } else if (typeof value !== "string") problems.push(`"${shown}" is a list and is ignored`);
      else if (value === "") continue;
      else if (key !== undefined) values.set(key, value);
      else problems.push(`there is no setting "${shown}" (${suggestion(full)})`);
    }
  }
}
