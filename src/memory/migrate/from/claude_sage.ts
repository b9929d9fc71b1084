/**
 * The first Sage, written in Python: checkpoints as YAML, as JSON with messages, or as Markdown; knowledge
 * as Markdown files with an `index.yaml` that says when each is recalled. In a folder that is a store of
 * this Sage, Markdown is a note already; a note made from the index's entry then supersedes it.
 */
import { fieldsOf, textOf } from "../../../base/fields.ts";
import { isMarkdown } from "../../../store/layout.ts";
import { filesBelow, type Found, type Place } from "../item.ts";
import { ofCheckpoint } from "./claude_sage_checkpoint.ts";
import { dataAt, projectOf } from "./claude_sage_data.ts";
import { ofIndex, ofKnowledge } from "./claude_sage_knowledge.ts";
import { adopt, readMarkdown } from "./markdown.ts";

const WANTED = /(?:^|\/)(?:checkpoints\/[^/]+\.(?:ya?ml|json|md)|knowledge\/.*\.(?:ya?ml|md))$/i;
const INDEX = /(?:^|\/)knowledge\/index\.ya?ml$/i;

export async function* readClaudeSage(place: Place): AsyncGenerator<Found> {
  const files = filesBelow(place, WANTED);
  const isStore = place.stores.includes(place.path);
  const indexed = new Set<string>();
  for (const path of files) {
    if (typeof path !== "string" || !INDEX.test(path)) continue;
    yield* ofIndex(place, path, isStore, indexed);
  }
  for (const path of files) {
    if (typeof path !== "string") yield path;
    else if (INDEX.test(path) || indexed.has(path)) continue;
    else if (isMarkdown(path)) {
      if (!isStore) yield await ofMarkdown(place, path);
    } else yield await ofData(place, path);
  }
}

async function ofMarkdown(place: Place, path: string): Promise<Found> {
  const file = await readMarkdown(place, path);
  if ("reason" in file) return file;
  if (/(?:^|\/)knowledge\//.test(path)) {
    return adopt(file, { kind: "knowledge", project: projectOf(place, undefined) });
  }
  const project = textOf(file.front.get("project"));
  return adopt(file, {
    kind: "checkpoint",
    project: projectOf(place, project),
    // Its Markdown checkpoints have the question as their title only.
    keys: new Map(file.front.has("core_question") ? [] : [["core_question", file.title]]),
  });
}

/** A checkpoint or a piece of knowledge as data. */
async function ofData(place: Place, path: string): Promise<Found> {
  const read = await dataAt(place, path);
  if ("reason" in read) return read;
  const { data, text } = read;
  const whole = fieldsOf(data);
  if (whole.knowledge !== undefined) return ofKnowledge(place, path, fieldsOf(whole.knowledge));
  const fields = fieldsOf(whole.checkpoint ?? whole);
  if (/(?:^|\/)knowledge\//.test(path)) return { key: path, reason: "it is not knowledge" };
  return ofCheckpoint(place, path, fields, text);
}
