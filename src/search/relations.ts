/**
 * What notes say of each other, in a section of its own: one line a note, read only by who asks for it.
 * Each line has its check in front, so that damage is seen before it is parsed.
 */
import { decode, encode } from "../base/fs.ts";
import type { Relations } from "./document.ts";
import { hash32 } from "./format.ts";
import type { Segment } from "./segment.ts";

const CHECK_CHARACTERS = 8;
const NONE: Relations = { aliases: [], links: [], fields: [] };

/** As `parseLine` reads it. */
export function relationsLine(relations: Relations = NONE): string {
  const { aliases, links, fields } = relations;
  if (aliases.length + links.length + fields.length === 0) return "\n";
  const json = JSON.stringify([
    aliases,
    links.map(({ target, relation }) => [target, relation]),
    fields,
  ]);
  return `${check(json)}${json}\n`;
}

/** Of every note of the segment, in order; none where a line is damaged. */
export function readRelations(segment: Segment): Relations[] {
  const { sections, notes } = segment.header;
  const lines = decode(segment.read("relations", 0, sections.relations.bytes)).split("\n");
  if (lines.length !== notes + 1) segment.isDamaged = true;
  const found: Relations[] = [];
  for (let note = 0; note < notes; note++) {
    const relations = parseLine(lines[note] ?? "");
    if (relations === undefined) segment.isDamaged = true;
    found.push(relations ?? NONE);
  }
  return found;
}

function parseLine(line: string): Relations | undefined {
  if (line === "") return NONE;
  const json = line.slice(CHECK_CHARACTERS);
  if (check(json) !== line.slice(0, CHECK_CHARACTERS)) return undefined;
  const [aliases, links, fields] = JSON.parse(json) as [
    string[],
    [string, string][],
    [string, string][],
  ];
  return { aliases, links: links.map(([target, relation]) => ({ target, relation })), fields };
}

function check(json: string): string {
  return hash32(encode(json)).toString(16).padStart(CHECK_CHARACTERS, "0");
}
