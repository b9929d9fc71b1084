/**
 * The query language over notes and links: `type:knowledge tag:git updated:<30d -is:orphan sort:-links`.
 * Pure: text in, clauses out. The grammar is docs/reference/query.md.
 */
import { localDayStart, parsePeriod } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { collapse, fold, nearest } from "../../base/text/text.ts";

export type Operator = "=" | "~" | "<" | "<=" | ">" | ">=";

/** A word or quoted phrase, folded, that the note must contain. */
export interface Word {
  readonly text: string;
  readonly not: boolean;
}

/** A field must have any of the values. */
export interface Clause {
  readonly field: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  readonly not: boolean;
}

/** All words and clauses must match. */
export interface GraphQuery {
  readonly words: readonly Word[];
  readonly clauses: readonly Clause[];
  readonly sort: readonly { readonly key: string; readonly descending: boolean }[];
  readonly limit: number | undefined;
  readonly group: string | undefined;
}

/** Nobody types a longer one. */
const QUERY_CHARACTERS_MAX = 2000;
const CLAUSES_MAX = 64;
const LIMIT_MAX = 100_000;

const CLAUSE =
  /(-?)(?:([A-Za-z_#][\w.-]*):)?((?:[<>]=?|[=~])?)("(?:[^"]*)"?|[^\s"]+(?:"[^"]*"?[^\s"]*)*)?/y;

export function parseGraphQuery(typed: string): GraphQuery {
  if (typed.length > QUERY_CHARACTERS_MAX) {
    throw wrong(`is longer than ${QUERY_CHARACTERS_MAX} characters`);
  }
  const words: Word[] = [];
  const clauses: Clause[] = [];
  const sort: { key: string; descending: boolean }[] = [];
  let limit: number | undefined;
  let group: string | undefined;
  for (const { not, field, operator, value } of read(typed)) {
    if (field === undefined) {
      const text = fold(collapse(unquoted(operator + value)));
      if (text !== "") words.push({ text, not });
    } else if (field === "sort") {
      for (const key of listed(field, value)) {
        sort.push({ key: fieldName(key.replace(/^-/, "")), descending: key.startsWith("-") });
      }
    } else if (field === "limit") {
      limit = Number(value);
      if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
        throw wrong(`has a limit that is not a number from 1 to ${LIMIT_MAX}: "${value}"`);
      }
    } else if (field === "group") group = fieldName(unquoted(value));
    else {
      const values = field === "has" ? listed(field, value).map(fieldName) : listed(field, value);
      clauses.push({ field, operator: checked(field, operator, values), values, not });
    }
    if (words.length + clauses.length > CLAUSES_MAX) {
      throw wrong(`has more than ${CLAUSES_MAX} clauses`);
    }
  }
  return { words, clauses, sort, limit, group };
}

interface Raw {
  readonly not: boolean;
  readonly field: string | undefined;
  readonly operator: Operator | "";
  readonly value: string;
}

function* read(typed: string): Generator<Raw> {
  for (let at = 0; at < typed.length;) {
    if (/\s/.test(typed.charAt(at))) {
      at++;
      continue;
    }
    CLAUSE.lastIndex = at;
    const match = CLAUSE.exec(typed);
    const [whole = "", minus, name, operator = "", value = ""] = match ?? [];
    if (whole === "") {
      at++;
      continue;
    }
    at += whole.length;
    const field = name === undefined ? undefined : fieldName(name);
    // An address is a word: `https://example.org`.
    const isWord = field === undefined || value.startsWith("//");
    yield {
      not: minus === "-",
      field: isWord ? undefined : field,
      operator: operator as Operator | "",
      value: isWord && field !== undefined ? `${name}:${value}` : value,
    };
  }
}

/** Synonyms of fields. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  tags: "tag",
  keywords: "keyword",
  skills: "skill",
  aliases: "alias",
  kind: "type",
  linksto: "to",
  linkedfrom: "from",
  order: "sort",
};

const IS = ["orphan", "pinned", "archived", "superseded", "unresolved", "untrusted", "always"];

function fieldName(typed: string): string {
  const name = typed.toLowerCase();
  return FIELD_NAMES[name] ?? name;
}

/** Rejects what no note could match. */
function checked(field: string, operator: Operator | "", values: readonly string[]): Operator {
  if (field === "is") {
    const odd = values.find((value) => !IS.includes(value.toLowerCase()));
    if (odd !== undefined) {
      const meant = nearest(odd, IS);
      throw wrong(
        `asks for is:${odd}, which is none of ${IS.join(", ")}`,
        meant && `did you mean is:${meant}?`,
      );
    }
  }
  if (field === "created" || field === "updated") {
    const odd = values.find((value) => !isTime(value));
    if (odd !== undefined) {
      throw wrong(`has "${odd}" where a time belongs`, "write 2026-01-31, 2026-01 or 30d");
    }
  }
  if (field === "links" || field === "backlinks") {
    const odd = values.find((value) => !/^\d+$/.test(value));
    if (odd !== undefined) {
      throw wrong(`has "${odd}" where a count of ${field} belongs`, `${field}:>2`);
    }
  }
  return operator === "" ? "=" : operator;
}

/** A moment, or two with `..` between them, one of which may be missing. */
function isTime(value: string): boolean {
  const ends = value.split("..");
  const said = ends.filter((end) => end !== "");
  return ends.length <= 2 && said.length > 0 &&
    said.every((end) => momentOf(end, 0) !== undefined);
}

/** The first moment that is meant, and the first after it; a span counts back from now. */
export function momentOf(
  value: string,
  nowMs: number,
): { readonly start: number; readonly end: number; readonly isSpan: boolean } | undefined {
  const span = /^(\d{1,5})(h|d|w|m|y)$/i.exec(value);
  if (span !== null) {
    const start = nowMs -
      Number(span[1]) * (HOURS[(span[2] ?? "").toLowerCase()] ?? 24) * 3_600_000;
    return { start, end: start, isSpan: true };
  }
  if (value === "today") {
    return { start: localDayStart(nowMs), end: localDayStart(nowMs, -1), isSpan: false };
  }
  const period = parsePeriod(value);
  return period === undefined ? undefined : { ...period, isSpan: false };
}

const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168, m: 744, y: 8784 };

function listed(field: string, value: string): string[] {
  const values = listOf(value);
  if (values.length === 0) throw wrong(`has no value after "${field}:"`);
  return values;
}

/** Alternatives, split at commas outside quotes. */
function listOf(value: string): string[] {
  return (value.match(/(?:"[^"]*"?|[^,"])+/g) ?? []).map((part) => unquoted(part).trim())
    .filter((part) => part !== "");
}

function unquoted(text: string): string {
  return text.replaceAll('"', "");
}

function wrong(what: string, hint?: string): SageError {
  return new SageError("usage", `The query ${what}`, {
    hint: hint ?? "sage help graph query shows the form",
  });
}
