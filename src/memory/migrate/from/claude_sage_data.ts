/** Files of the first Sage as data, and fields that its checkpoints and its knowledge share. */
import { fieldsOf, parsed } from "../../../base/fields.ts";
import { join } from "../../../base/path.ts";
import { withoutBom } from "../../../base/utf8.ts";
import { loadYaml, YamlError } from "../../../base/yaml/parse.ts";
import type { Source } from "../../../note/provenance.ts";
import { type Place, type Problem, textAt } from "../item.ts";
import { plain, said } from "./values.ts";

/** The author of imported notes (`generated.by`). */
export const BY = "claude-sage";
/** Enough for an index of thousands of items; a checkpoint is far smaller. */
const YAML = { bytesMax: 8 * 1024 * 1024, keysMax: 200_000 };

export async function dataAt(
  place: Place,
  path: string,
): Promise<{ readonly data: unknown; readonly text: string } | Problem> {
  const read = textAt(place, join(place.path, path), YAML.bytesMax);
  if ("reason" in read) return { key: path, reason: read.reason };
  const text = withoutBom(read.text);
  if (/\.json$/i.test(path)) {
    const data = parsed(text);
    return data === undefined ? { key: path, reason: "it is not JSON" } : { data, text };
  }
  try {
    return { data: plain(await loadYaml(text, YAML)), text };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { key: path, line: error.line, reason: error.reason };
  }
}

/**
 * The project of an item. In a project's folder it is that project, whatever the item says; in the user-level
 * folder it is the one that the item names, or every project.
 */
export function projectOf(place: Place, name: string | undefined): string | undefined {
  return place.isOfAll ? name ?? "" : undefined;
}

/** Texts, `{id, relation}`, or `{checkpoint: id}`. */
export function sourcesOf(value: unknown): Source[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one): Source[] => {
    if (typeof one === "string") return one.trim() === "" ? [] : [{ id: one, relation: "" }];
    const fields = fieldsOf(one);
    const id = said(fields, "id");
    if (id !== undefined) return [{ id, relation: said(fields, "relation") ?? "" }];
    // `checkpoint: id`
    const [[relation, named] = []] = Object.entries(fields);
    return typeof named === "string" && relation !== undefined ? [{ id: named, relation }] : [];
  });
}
