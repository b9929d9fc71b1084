/**
 * The section of notes' links, aliases and further fields: eight hex digits of a check, so that damage is
 * seen before parsing, then one JSON array with a row for each note. Read only when relations are asked for.
 */
import { decode, encode } from "../../base/utf8.ts";
import { hash32 } from "../../base/hash.ts";
import type { NoteDocument, Relations } from "../document.ts";
import type { Segment } from "./segment.ts";

const CHECK_BYTES = 8;

type Row = readonly [Relations["aliases"], Relations["links"], Relations["fields"]] | 0;

/** The section for `readRelations`; the row of a note without any of it is 0. */
export function relationsSection(notes: readonly NoteDocument[]): Uint8Array {
  const rows = notes.map(({ relations }): Row => {
    if (relations === undefined) return 0;
    const { aliases, links, fields } = relations;
    if (aliases.length + links.length + fields.length === 0) return 0;
    return [aliases, links, fields];
  });
  const json = JSON.stringify(rows);
  return encode(check(encode(json)) + json);
}

const NONE: Relations = { aliases: [], links: [], fields: [] };

/** The relations of every note of the segment, in order; empty if the section is damaged. */
export function readRelations(segment: Segment): Relations[] {
  const { sections, notes } = segment.header;
  const bytes = segment.read("relations", 0, sections.relations.bytes);
  const json = bytes.subarray(CHECK_BYTES);
  if (check(json) !== decode(bytes.subarray(0, CHECK_BYTES))) {
    segment.isDamaged = true;
    return [];
  }
  const rows = JSON.parse(decode(json)) as Row[];
  if (rows.length !== notes) segment.isDamaged = true;
  return rows.map((row) => {
    if (row === 0) return NONE;
    const [aliases, links, fields] = row;
    return { aliases, links, fields };
  });
}

function check(json: Uint8Array): string {
  return hash32(json).toString(16).padStart(CHECK_BYTES, "0");
}
