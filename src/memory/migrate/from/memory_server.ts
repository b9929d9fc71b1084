/**
 * `memory.jsonl` of the reference MCP memory server: a line an entity with what was observed of it, a line
 * a relation. Each entity becomes an entity's note, each relation a link in the note that it starts from.
 */
import { rfc3339 } from "../../../base/clock.ts";
import { fieldsOf, parsed } from "../../../base/fields.ts";
import { basename } from "../../../base/fs.ts";
import { collapse, slug } from "../../../base/text.ts";
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
  readonly entityType: string;
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
  const entities: Entity[] = [];
  const relations = new Map<string, Relation[]>();
  const origins = new Map<string, number>();
  const lines = read.text.replace(/^\uFEFF/, "").split("\n");
  for (const [i, raw] of lines.entries()) {
    if (raw.trim() === "") continue;
    const line = i + 1;
    const value = parsed(raw);
    const record = fieldsOf(value);
    const name = said(record, "name");
    const [from, to] = [said(record, "from"), said(record, "to")];
    if (value === undefined) yield { key, line, reason: "it is no JSON" };
    else if (record.type === "entity" && name !== undefined) {
      const observations = textsSaid(record.observations);
      entities.push({
        name,
        entityType: said(record, "entityType") ?? "",
        observations,
        line,
        raw,
      });
    } else if (record.type === "relation" && from !== undefined && to !== undefined) {
      const relation = { to, type: collapse(said(record, "relationType") ?? "relates to") };
      const known = relations.get(from);
      if (known === undefined) relations.set(from, [relation]);
      else known.push(relation);
      if (!origins.has(from)) origins.set(from, line);
    } else yield { key, line, reason: "it is neither an entity nor a relation" };
  }
  // The file gives no dates: what it holds is as old as it is.
  const at = rfc3339(place.fs.lstat(place.path)?.mtimeMs ?? 0);
  const names = new Set(entities.map(({ name }) => name));
  for (const [name, line] of origins) {
    if (names.has(name)) continue;
    yield { key, line, reason: `a relation of "${name}", which is no entity here` };
  }
  for (const { name, entityType, observations, line, raw } of entities) {
    const links = relations.get(name) ?? [];
    const content = [
      renderList(observations),
      ...(links.length === 0 ? [] : [
        "## Relations\n\n" + links.map(({ to, type }) => `- ${type} ${wikilink(to)}`).join("\n"),
      ]),
    ].filter((part) => part !== "").join("\n\n");
    if (content === "") {
      yield { key: `entity ${name}`, line, reason: "nothing is said of it" };
      continue;
    }
    yield {
      key: `entity ${name}`,
      kind: "knowledge",
      title: name,
      stem: slug(name),
      line,
      raw,
      state: JSON.stringify([entityType, content]),
      render: (id) =>
        renderKnowledge({
          ...BARE_KNOWLEDGE,
          title: name,
          content,
          subject: "entity",
          tags: entityType === "" ? [] : [entityType.replaceAll(/\s+/g, "-")],
          generated: { by: "mcp-memory", at },
        }, { id, created: at, aliases: linkAliases(name) }),
    };
  }
}
