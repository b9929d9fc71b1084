/** Changes one value of tuning.yaml; the file's comments and order stay. */
import { SageError } from "../base/errors.ts";
import { loadYaml, YamlError } from "../base/yaml/parse.ts";
import { editYaml } from "../base/yaml/edit.ts";
import { isMapping, type YamlMap } from "../base/yaml/value.ts";
import type { Key } from "./keys.ts";
import { findKey } from "./values.ts";

/**
 * The file's text with `key` set, or removed if `value` is undefined. `file` is its name in the error.
 * Throws SageError `invalid_config` if the text cannot be parsed or edited.
 */
export async function setKey(
  text: string,
  key: Key,
  value: string | undefined,
  file = "tuning.yaml",
): Promise<string> {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const content = text.slice(bom.length);
  try {
    const root = await loadYaml(content);
    if (!isMapping(root)) throw new YamlError(1, 1, "not a list of settings");
    const places = placesOf(root, key);
    let next = content;
    // A key may be there twice, dotted and nested; readers take the last, so only that one stays.
    for (const path of value === undefined ? places : places.slice(0, -1)) {
      next = await editYaml(next, path, undefined);
    }
    if (value !== undefined) next = await editYaml(next, places.at(-1) ?? key.split("."), value);
    return bom + next;
  } catch (error) {
    const isRefusal = error instanceof SageError && error.code === "invalid_note";
    if (!isRefusal && !(error instanceof YamlError)) throw error;
    throw new SageError("invalid_config", `Cannot change ${key} in ${file}: ${error.message}`, {
      hint: "mend the file by hand",
      cause: error,
    });
  }
}

/** The path of every entry that sets `key`, in file order. */
function placesOf(root: YamlMap, key: Key): string[][] {
  const found: string[][] = [];
  visit(root, []);
  return found;

  function visit(map: YamlMap, path: readonly string[]): void {
    for (const [name, value] of map) {
      const here = [...path, name];
      if (isMapping(value) && value.size > 0) visit(value, here);
      else if (findKey(here.join(".")) === key) found.push(here);
    }
  }
}
