/**
 * The query syntax: filters (`type:todo tag:release after:2026-01-01`), `"exact phrases"`, and times in
 * words ('last week', 'since yesterday', 'latest'). Pure; the time is handed in. What cannot be parsed
 * stays text, so nothing typed is lost. There is no negation: `-word` is a word.
 */
import { rfc3339 } from "../../base/clock.ts";
import { cut } from "../../base/text/text.ts";
import { parseWhen, periodIn, timeIn, WHEN } from "../../base/when.ts";
import { INDEXED_KINDS, NOTE_KINDS, type NoteKind } from "../../note/note.ts";
import { phraseOf } from "./lexical.ts";

export interface ParsedQuery {
  /** The words to look for; empty where only filters were given. */
  readonly text: string;
  readonly kinds: readonly NoteKind[];
  /** All of them. */
  readonly tags: readonly string[];
  readonly project: string | undefined;
  /** RFC 3339; `after` is the first moment that passes, `before` the first that does not. */
  readonly after: string | undefined;
  readonly before: string | undefined;
  /** The filters as they were typed. */
  readonly filters: readonly string[];
  /** A sentence for each filter that could not be parsed and stayed text. */
  readonly hints: readonly string[];
  /** Quoted phrases as `phraseOf` folds them; hits that have them come first. */
  readonly phrases: readonly string[];
  /** A time in words ('last week'): notes updated since then come first, others are not hidden. */
  readonly since: string | undefined;
  /** 'latest', 'newest': of notes that fit about equally well, the newer comes first. */
  readonly wantsNewest: boolean;
  /** 'the checkpoint of 18 June', 'last session', 'yesterday': what was written then comes first. */
  readonly dated?: Dated | undefined;
}

/** `from`, `to`: RFC 3339, `to` exclusive; without `from` the newest notes are wanted. */
export interface Dated {
  readonly kinds: readonly NoteKind[];
  readonly from?: string;
  readonly to?: string;
}

/** Further filters are left in the text: nobody types as many by hand. */
const FILTERS_MAX = 32;
const KINDS_LISTED = `${NOTE_KINDS.join(", ")} or note`;
/** How much of a filter an error message quotes. */
const FILTER_CHARACTERS_MAX = 40;
const FIELD = /(?<=^|\s)(type|tag|project|after|before|since):(?:"([^"]*)"|(\S+))(?=\s|$)/gi;
const PHRASE = /["“”«»„]([^"“”«»„]{2,200})["“”«»„]/g;
const NEWEST = /\b(?:latest|newest|most recent(?:ly)?|recently|neueste[nrs]?|zuletzt)\b/i;

/** A kind of note that is asked for, and not a word of the subject, as in `session cookies`. */
const KIND = String
  .raw`\b(session|checkpoint|to-?do)s?\b(?=\s*(?:$|[?.,!\d])|\s+(?:about|for|from|in|of|on|since|when|where|with)\b)`;
/** 'Todos' of 'todos from today', 'the checkpoint of' of 'the checkpoint of yesterday'. */
const KIND_ALONE =
  /^(?:(?:'s|’s|all|my|the)\s+)*(session|checkpoint|to-?do)s?(?:\s+(?:from|in|of|since))?[?.!]?$/i;

export function parseQuery(typed: string, nowMs: number): ParsedQuery {
  const kinds: NoteKind[] = [];
  const tags: string[] = [];
  const phrases: string[] = [];
  const filters: string[] = [];
  const hints: string[] = [];
  let project: string | undefined;
  let [after, before] = [-Infinity, Infinity];
  let count = 0;

  const asWords = (whole: string, key: string, takes: string): string => {
    hints.push(`"${cut(whole, FILTER_CHARACTERS_MAX)}" counts as words: ${key}: takes ${takes}`);
    return whole;
  };
  const words = typed.replace(FIELD, (whole, name: string, quoted?: string, bare?: string) => {
    const value = (quoted ?? bare ?? "").trim();
    if (value === "" || ++count > FILTERS_MAX) return whole;
    const key = name.toLowerCase();
    switch (key) {
      case "type": {
        const kind = INDEXED_KINDS.find((one) => one === value.toLowerCase());
        if (kind === undefined) return asWords(whole, "type", KINDS_LISTED);
        kinds.push(kind);
        break;
      }
      case "tag":
        tags.push(value.replace(/^#/, ""));
        break;
      case "project":
        project = value;
        break;
      default: {
        const range = parseWhen(value, nowMs);
        if (range === undefined) return asWords(whole, key, WHEN);
        if (key === "before") before = Math.min(before, range);
        else after = Math.max(after, range);
      }
    }
    filters.push(whole);
    return " ";
  });
  const unquoted = words.replace(PHRASE, (_, phrase: string) => {
    const folded = phraseOf(phrase);
    if (folded !== "") phrases.push(folded);
    return ` ${phrase} `;
  });
  const said = timeIn(unquoted, nowMs);
  const { rest = unquoted, dated } = said === undefined && kinds.length === 0
    ? datedIn(unquoted, nowMs)
    : {};
  const bare = (said?.rest ?? rest).replace(/\s+/g, " ").trim();
  const besideTime = said === undefined ? withoutNewest(unquoted) : bare;
  const alone = phrases.length > 0 || besideTime === undefined ? undefined : kindsIn(besideTime);
  return {
    // 'What happened last week' has words left; 'last week' alone may also be what a note says.
    text: bare === "" ? unquoted.replace(/\s+/g, " ").trim() : bare,
    kinds,
    tags,
    project,
    after: after === -Infinity ? undefined : rfc3339(after),
    before: before === Infinity ? undefined : rfc3339(before),
    filters,
    hints,
    phrases,
    since: said === undefined ? undefined : rfc3339(said.start),
    wantsNewest: NEWEST.test(unquoted),
    dated: alone === undefined ? dated : { kinds: alone, ...since(said?.start) },
  };
}

/** Undefined if nothing asks for the newest. */
function withoutNewest(text: string): string | undefined {
  return NEWEST.test(text) ? text.replace(NEWEST, "").trim() : undefined;
}

/** The kinds of note that the words beside a time ask for; undefined if they ask for more than a kind. */
function kindsIn(words: string): readonly NoteKind[] | undefined {
  if (words === "") return INDEXED_KINDS;
  const [, kind] = KIND_ALONE.exec(words) ?? [];
  return kind === undefined ? undefined : [kindOf(kind)];
}

function kindOf(word: string): NoteKind {
  return word.toLowerCase().replace("-", "") as NoteKind;
}

function since(startMs: number | undefined): Pick<Dated, "from"> {
  return startMs === undefined ? {} : { from: rfc3339(startMs) };
}

/** The kind and time of the notes that are asked for, and the text without the time. */
function datedIn(text: string, nowMs: number): { readonly rest?: string; readonly dated?: Dated } {
  const [, kind] = new RegExp(KIND, "i").exec(text) ?? [];
  if (kind === undefined) return {};
  const kinds = [kindOf(kind)];
  const period = periodIn(text, nowMs);
  if (period === undefined) return isLast(text) ? { dated: { kinds } } : {};
  const { start, end, rest } = period;
  return { rest, dated: { kinds, from: rfc3339(start), to: rfc3339(end) } };
}

function isLast(text: string): boolean {
  return new RegExp(
    String.raw`\b(?:last|latest|newest|most recent)\s+(?:[\w-]+\s+)?${KIND}`,
    "i",
  ).test(text);
}

/** A text taken literally: no filters, phrases or times are read from it. */
export function literalQuery(text: string): ParsedQuery {
  return {
    text,
    kinds: [],
    tags: [],
    project: undefined,
    after: undefined,
    before: undefined,
    filters: [],
    hints: [],
    phrases: [],
    since: undefined,
    wantsNewest: false,
  };
}
