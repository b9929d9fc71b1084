/**
 * Parses YAML with js-yaml, which is loaded at first use. By the failsafe schema every scalar is the text as
 * typed; aliases, other tags, keys that are not scalars and duplicate keys are errors with a place. The tree
 * has the offsets of its nodes, so that edit.ts can replace bytes instead of serialising.
 */
import { conflictLine, UNMERGED } from "../text/conflict_markers.ts";
import {
  FRONT_MATTER_BYTES_MAX,
  FRONT_MATTER_DEPTH_MAX,
  FRONT_MATTER_KEYS_MAX,
} from "../limits.ts";
import { encode } from "../utf8.ts";
import { openValue } from "./open.ts";
import type { YamlValue } from "./value.ts";
import type { Event, ScalarEvent } from "js-yaml";

/** Why a text is not YAML that we accept, and where. Line and column count from 1. */
export class YamlError extends Error {
  readonly line: number;
  readonly column: number;
  readonly reason: string;

  constructor(line: number, column: number, reason: string) {
    super(`${line}:${column} ${reason}`);
    this.name = "YamlError";
    this.line = line;
    this.column = column;
    this.reason = reason;
  }
}

/** The text is longer or has more keys than we read. */
export class YamlTooMuch extends YamlError {}

interface Placed {
  /** Offsets of the node with its quotes, brackets, header, tag and anchor; equal when it is empty. */
  readonly start: number;
  readonly end: number;
  /** Whether it is in block style: over lines and indented, not in brackets or on one line. */
  readonly block: boolean;
  /** Whether it has a tag or an anchor. */
  readonly decorated: boolean;
}

export interface YamlEntry {
  readonly key: YamlScalar;
  readonly value: YamlNode;
  /** Offset of the colon; -1 if there is none. */
  readonly colon: number;
}

export interface YamlScalar extends Placed {
  readonly kind: "scalar";
  readonly text: string;
}

export interface YamlSequence extends Placed {
  readonly kind: "sequence";
  readonly items: readonly YamlNode[];
}

export interface YamlMapping extends Placed {
  readonly kind: "mapping";
  readonly entries: readonly YamlEntry[];
}

export type YamlNode = YamlScalar | YamlSequence | YamlMapping;

/** How large a text may be. */
export interface YamlLimits {
  readonly bytesMax: number;
  readonly keysMax: number;
}

const BY_HAND: YamlLimits = { bytesMax: FRONT_MATTER_BYTES_MAX, keysMax: FRONT_MATTER_KEYS_MAX };

/** Parses a text to a value; a text without content is an empty mapping. Throws YamlError. */
export async function loadYaml(text: string, limits?: YamlLimits): Promise<YamlValue> {
  const root = await yamlEvents(text, limits);
  return root === undefined ? new Map() : yamlValue(root);
}

/** Parses a text to a tree with the offsets of every node; undefined without content. Throws YamlError. */
export async function yamlEvents(
  text: string,
  { bytesMax, keysMax }: YamlLimits = BY_HAND,
): Promise<YamlNode | undefined> {
  if (text.length > bytesMax || encode(text).length > bytesMax) {
    throw new YamlTooMuch(1, 1, `longer than ${bytesMax} bytes`);
  }
  // With a byte order mark inside, the parser would take quadratic time.
  const mark = text.indexOf("\uFEFF", 1);
  if (mark > 0) throw errorAt(text, mark, "byte order mark inside the text");
  const yaml = await import("js-yaml");
  try {
    const events = yaml.parseEvents(text, { maxDepth: FRONT_MATTER_DEPTH_MAX });
    return new Composer(text, events, yaml, keysMax).compose();
  } catch (error) {
    if (error instanceof YamlError) throw error;
    const conflict = conflictLine(text);
    if (conflict !== undefined) throw new YamlError(conflict + 1, 1, UNMERGED);
    const place = (error as { mark?: { line: number; column: number; position: number } }).mark;
    const reason = (error as { reason?: string }).reason ?? String(error);
    // The parser reports an open quote or bracket only at the next key or at the end: find where it opens.
    const open = /^(?:deficient indentation|unexpected end of the stream)/.test(reason)
      ? openValue(text, place?.position ?? text.length)
      : undefined;
    if (open !== undefined) throw errorAt(text, open.offset, open.reason);
    throw new YamlError((place?.line ?? 0) + 1, (place?.column ?? 0) + 1, reason);
  }
}

/** The value of a node. */
export function yamlValue(node: YamlNode): YamlValue {
  if (node.kind === "scalar") return node.text;
  if (node.kind === "sequence") return node.items.map(yamlValue);
  return new Map(node.entries.map((entry) => [entry.key.text, yamlValue(entry.value)]));
}

/** The offset of the next character that is neither space, line break, comment nor in `also`. */
function skipGap(text: string, from: number, also: string): number {
  let i = from;
  while (i < text.length) {
    const ch = text.charAt(i);
    if (ch === "#") {
      while (i < text.length && text.charAt(i) !== "\n" && text.charAt(i) !== "\r") i++;
    } else if (ch === " " || ch === "\t" || ch === "\n" || ch === "\r" || also.includes(ch)) i++;
    else break;
  }
  return i;
}

function errorAt(text: string, offset: number, reason: string): YamlError {
  const before = text.slice(0, Math.max(0, offset)).split(/\r\n|\n|\r/);
  return new YamlError(before.length, (before.at(-1)?.length ?? 0) + 1, reason);
}

type Yaml = typeof import("js-yaml");
type Decorated = Exclude<Event, { type: 1 | 5 | 6 }>;

const PLAIN_TAGS: Record<YamlNode["kind"], string> = {
  scalar: "!!str",
  sequence: "!!seq",
  mapping: "!!map",
};

/** Builds the tree from events. It keeps a cursor, because events have no offset for an empty value. */
class Composer {
  #next = 0;
  #cursor = 0;
  #keys = 0;
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #yaml: Yaml;
  readonly #keysMax: number;

  constructor(text: string, events: readonly Event[], yaml: Yaml, keysMax: number) {
    this.#text = text;
    this.#events = events;
    this.#yaml = yaml;
    this.#keysMax = keysMax;
  }

  compose(): YamlNode | undefined {
    const { DOCUMENT } = this.#yaml.EVENT_ID;
    if (this.#events[0]?.type !== DOCUMENT) return undefined;
    this.#next = 1;
    const root = this.#node();
    if (this.#next + 1 < this.#events.length) {
      throw errorAt(this.#text, skipGap(this.#text, this.#cursor, ""), "more than one document");
    }
    return root.kind === "scalar" && root.end === root.start ? undefined : root;
  }

  #node(): YamlNode {
    const event = this.#events[this.#next++];
    const { SCALAR, SEQUENCE, MAPPING, ALIAS } = this.#yaml.EVENT_ID;
    if (event?.type === SCALAR) return this.#scalar(event);
    if (event?.type === SEQUENCE) return this.#sequence(event);
    if (event?.type === MAPPING) return this.#mapping(event);
    const offset = event?.type === ALIAS ? event.anchorStart - 1 : this.#cursor;
    throw errorAt(this.#text, offset, "references (*name) are not read here");
  }

  #scalar(event: ScalarEvent): YamlScalar {
    const { PLAIN, SINGLE_QUOTED, DOUBLE_QUOTED } = this.#yaml.SCALAR_STYLE;
    const text = this.#yaml.getScalarValue(this.#text, event);
    const properties = this.#properties(event, "scalar");
    let start = event.valueStart;
    let end = event.valueEnd;
    const quoted = event.style === SINGLE_QUOTED || event.style === DOUBLE_QUOTED;
    const block = start >= 0 && !quoted && event.style !== PLAIN;
    if (start < 0) start = end = properties?.end ?? this.#cursor;
    else if (quoted) [start, end] = [start - 1, end + 1];
    else if (block) {
      const header = skipGap(this.#text, properties?.end ?? this.#cursor, ":-?,");
      while (end > start && /\s/.test(this.#text.charAt(end - 1))) end--;
      if (end === start) { while (/\s/.test(this.#text.charAt(end - 1))) end--; }
      start = header;
    }
    this.#cursor = end;
    start = Math.min(start, properties?.start ?? start);
    return { kind: "scalar", text, start, end, block, decorated: properties !== undefined };
  }

  #sequence(event: Extract<Event, { type: 2 }>): YamlSequence {
    const properties = this.#properties(event, "sequence");
    const block = event.style === this.#yaml.COLLECTION_STYLE.BLOCK;
    const items: YamlNode[] = [];
    this.#cursor = block ? event.start : event.start + 1;
    while (!this.#atPop()) {
      if (block) this.#pass("-", "");
      items.push(this.#node());
    }
    if (!block) this.#pass("]", ",:?");
    const start = properties?.start ?? event.start;
    const decorated = properties !== undefined;
    return { kind: "sequence", items, start, end: this.#cursor, block, decorated };
  }

  #mapping(event: Extract<Event, { type: 3 }>): YamlMapping {
    const properties = this.#properties(event, "mapping");
    const block = event.style === this.#yaml.COLLECTION_STYLE.BLOCK;
    const braces = !block && this.#text.charAt(event.start) === "{";
    const entries: YamlEntry[] = [];
    const seen = new Set<string>();
    this.#cursor = braces ? event.start + 1 : event.start;
    while (!this.#atPop()) entries.push(this.#entry(seen));
    if (braces) this.#pass("}", ",:?");
    const start = properties?.start ?? event.start;
    const decorated = properties !== undefined;
    return { kind: "mapping", entries, start, end: this.#cursor, block, decorated };
  }

  #entry(seen: Set<string>): YamlEntry {
    const at = skipGap(this.#text, this.#cursor, "?,");
    const key = this.#node();
    if (key.kind !== "scalar") throw errorAt(this.#text, key.start, "a key must be text");
    const place = key.end > key.start ? key.start : at;
    if (seen.has(key.text)) throw errorAt(this.#text, place, `key "${key.text}" is there twice`);
    seen.add(key.text);
    if (++this.#keys > this.#keysMax) {
      const { line, column } = errorAt(this.#text, place, "");
      throw new YamlTooMuch(line, column, `more than ${this.#keysMax} keys`);
    }
    const found = skipGap(this.#text, this.#cursor, key.end > key.start ? "" : "?,");
    const colon = this.#text.charAt(found) === ":" ? found : -1;
    if (colon >= 0) this.#cursor = colon + 1;
    return { key, colon, value: this.#node() };
  }

  /** Moves the cursor behind the indicator, if that comes next after gaps and characters in `also`. */
  #pass(indicator: string, also: string): void {
    const at = skipGap(this.#text, this.#cursor, also);
    if (this.#text.charAt(at) === indicator) this.#cursor = at + 1;
  }

  #atPop(): boolean {
    if (this.#events[this.#next]?.type !== this.#yaml.EVENT_ID.POP) return false;
    this.#next++;
    return true;
  }

  #properties(
    event: Decorated,
    kind: YamlNode["kind"],
  ): { start: number; end: number } | undefined {
    const { tagStart, tagEnd, anchorStart, anchorEnd } = event;
    const tag = tagStart < 0 ? "!" : this.#text.slice(tagStart, tagEnd);
    if (tag !== "!" && tag !== PLAIN_TAGS[kind]) {
      throw errorAt(this.#text, tagStart, `tag ${tag} is not read here`);
    }
    const starts = [tagStart, anchorStart - 1].filter((start) => start >= 0);
    return starts.length === 0
      ? undefined
      : { start: Math.min(...starts), end: Math.max(tagEnd, anchorEnd) };
  }
}
