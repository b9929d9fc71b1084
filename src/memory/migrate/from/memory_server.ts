/**
 * `memory.jsonl` of the reference MCP memory server: one line for each entity, with its observations, and one
 * for each relation. An entity becomes a note, a relation a link in the note that it starts from.
 */
import { rfc3339 } from "../../../base/clock.ts";
import { fieldsOf, parsed } from "../../../base/fields.ts";
import { basename } from "../../../base/path.ts";
import { withoutBom } from "../../../base/utf8.ts";
import { collapse, slug } from "../../../base/text/text.ts";
import { renderList } from "../../../note/fields.ts";
import { renderKnowledge } from "../../../note/knowledge.ts";
import {
  BARE_KNOWLEDGE,
  EXPORT_BYTES_MAX,
  type Found,
  linkAliases,
  type Place,
  textAt,
  wikilink,
} from "../item.ts";
import { said, textsSaid } from "./values.ts";

interface Entity {
  readonly name: string;
  readonly type: string;
  readonly observations: readonly string[];
  readonly line: number;
  readonly raw: string;
}

interface Relation {
  readonly to: string;
  readonly type: string;
}

export async function* readMemoryServer(place: Place): AsyncGenerator<Found> {
  const key = basename(place.path);
  const read = textAt(place, place.path, EXPORT_BYTES_MAX);
  if ("reason" in read) return yield { key, reason: read.reason };
  const { entities, relations, problems } = recordsOf(read.text);
  const names = new Set(entities.map(({ name }) => name));
  const strays = [...relations].filter(([name]) => !names.has(name)).map(([name, { line }]) => (
    { line, reason: `a relation of "${name}", which is not an entity here` }
  ));
  for (const problem of [...problems, ...strays]) yield { key, ...problem };
  // The file has no dates; its own time stands for all.
  const at = rfc3339(place.fs.lstat(place.path)?.mtimeMs ?? 0);
  for (const entity of entities) {
    yield ofEntity(entity, relations.get(entity.name)?.links ?? [], at);
  }
}

interface Records {
  readonly entities: readonly Entity[];
  /** By the entity that they start from; the line is that of the first. */
  readonly relations: ReadonlyMap<string, { readonly line: number; readonly links: Relation[] }>;
  readonly problems: readonly { readonly line: number; readonly reason: string }[];
}

function recordsOf(text: string): Records {
  const entities: Entity[] = [];
  const relations = new Map<string, { line: number; links: Relation[] }>();
  const problems: { line: number; reason: string }[] = [];
  for (const [i, raw] of withoutBom(text).split("\n").entries()) {
    if (raw.trim() === "") continue;
    const line = i + 1;
    const value = parsed(raw);
    const record = fieldsOf(value);
    const name = said(record, "name");
    const [from, to] = [said(record, "from"), said(record, "to")];
    if (value === undefined) problems.push({ line, reason: "it is not JSON" });
    else if (record.type === "entity" && name !== undefined) {
      const observations = textsSaid(record.observations);
      entities.push({ name, type: said(record, "entityType") ?? "", observations, line, raw });
    } else if (record.type === "relation" && from !== undefined && to !== undefined) {
      const known = relations.get(from) ?? { line, links: [] };
      known.links.push({ to, type: collapse(said(record, "relationType") ?? "relates to") });
      relations.set(from, known);
    } else problems.push({ line, reason: "it is neither an entity nor a relation" });
  }
  return { entities, relations, problems };
}

function ofEntity(entity: Entity, links: readonly Relation[], at: string): Found {
  const { name, type, observations, line, raw } = entity;
  const key = `entity ${name}`;
  const content = [
    renderList(observations),
    ...(links.length === 0 ? [] : [
      "## Relations\n\n" + links.map(({ to, type }) => `- ${type} ${wikilink(to)}`).join("\n"),
    ]),
  ].filter((part) => part !== "").join("\n\n");
  if (content === "") return { key, line, reason: "it has no observations and no relations" };
  return {
    key,
    kind: "knowledge",
    title: name,
    stem: slug(name),
    line,
    raw,
    state: JSON.stringify([type, content]),
    render: (id) =>
      renderKnowledge({
        ...BARE_KNOWLEDGE,
        title: name,
        content,
        subject: "entity",
        tags: type === "" ? [] : [type.replaceAll(/\s+/g, "-")],
        generated: { by: "mcp-memory", at },
      }, { id, created: at, aliases: linkAliases(name) }),
  };
}
