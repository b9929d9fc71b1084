/**
 * Texts that nearly match a pattern, made from its own source: beginnings without their end, and one
 * beginning in front of a long row of what its gap is made of. Whether time grows faster than they do.
 * Ratios only: machines differ.
 */
import assert from "node:assert/strict";
import { stopwatch } from "./quick.ts";

type Part =
  | { readonly kind: "character"; readonly source: string }
  | { readonly kind: "all" | "one"; readonly of: readonly Part[] }
  | { readonly kind: "not"; readonly of: Part }
  | { readonly kind: "row"; readonly of: Part; readonly least: number; readonly most: number };

/** `unit` is repeated, between what stands around it once. */
interface NearMiss {
  readonly before: string;
  readonly unit: string;
  readonly behind: string;
}

const GROUP = /^\((?:\?(?:<?[=!]|<\w+>|-?[a-z]*:))?/;
const ATOM = /^(?:\[(?:[^\]\\]|\\.)*\]|\\[pP]\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\?[^])/;
const COUNT = /^(?:[*+?]|\{\d+,?\d*\})\??/;
const PLACE = /^(?:[\^$]|\\[bB\d])$/;
const NOTHING: Part = { kind: "all", of: [] };

function parse(source: string): Part {
  let rest = source;
  return alternatives();

  function taken(form: RegExp): string {
    const [found = ""] = form.exec(rest) ?? [];
    rest = rest.slice(found.length);
    return found;
  }

  function alternatives(): Part {
    const ways: Part[][] = [[]];
    while (rest !== "" && !rest.startsWith(")")) {
      if (taken(/^\|/) !== "") ways.push([]);
      else ways.at(-1)?.push(counted(atom()));
    }
    taken(/^\)/);
    return { kind: "one", of: ways.map((of): Part => ({ kind: "all", of })) };
  }

  function atom(): Part {
    const group = taken(GROUP);
    if (group !== "") {
      const inner = alternatives();
      return group.endsWith("!") ? { kind: "not", of: inner } : inner;
    }
    const one = taken(ATOM);
    return PLACE.test(one) ? NOTHING : { kind: "character", source: one };
  }

  function counted(of: Part): Part {
    const count = taken(COUNT);
    if (count === "") return of;
    const [, least = "", comma = "", most = ""] = /(\d+)(,?)(\d*)/.exec(count) ?? [];
    return {
      kind: "row",
      of,
      least: least === "" ? Number(count.startsWith("+")) : Number(least),
      most: Number(most || (count.startsWith("?") ? 1 : least === "" || comma ? Infinity : least)),
    };
  }
}

const WORDLIKE = ["x", "X", "1", "é", "я", "的", "カ"];
const OTHERS = [
  " ",
  ".",
  ",",
  "-",
  "/",
  ":",
  '"',
  "'",
  "`",
  "*",
  "#",
  "=",
  "_",
  "\n",
  "!",
  "(",
  "|",
];

/** A letter that stands there, and where there may be one, another sign behind it; empty where neither is known. */
function rowsOf(source: string): string[] {
  if (!/^[[\\.]/.test(source)) return [source];
  const form = new RegExp(
    `^${source}$`,
    /\\[pu]\{/.test(source) ? "u" : "",
  );
  const [letter = ""] = WORDLIKE.filter((one) => form.test(one));
  const others = OTHERS.filter((one) => form.test(one)).slice(0, 3);
  const all = letter === "" ? others : [letter, ...others.map((other) => letter + other)];
  if (all.length > 0) return all;
  for (let code = 0; code <= 0xffff; code++) {
    const one = String.fromCharCode(code);
    if (form.test(one)) return [one];
  }
  return [""];
}

/** The least that matches it. */
function least(part: Part): string {
  switch (part.kind) {
    case "character":
      return rowsOf(part.source)[0] ?? "";
    case "all":
      return part.of.map(least).join("");
    case "one":
      return part.of[0] === undefined ? "" : least(part.of[0]);
    case "not":
      return "";
    case "row":
      return least(part.of).repeat(part.least);
  }
}

/** A shorter row is no gap. */
const GAP_MIN = 8;
/** With two ways through each, a row of n groups has 2^n. */
const GROUPS_MIN = 3;

function isGap({ of, most }: Part & { kind: "row" }): boolean {
  return most >= (of.kind === "character" ? GAP_MIN : GROUPS_MIN);
}

/** The texts that may repeat: each alternative, with the least that must surround it. */
function bodiesOf(part: Part): string[] {
  switch (part.kind) {
    case "character":
      return rowsOf(part.source);
    case "one":
      return part.of.flatMap(bodiesOf);
    case "all":
      return part.of.flatMap((one, at) => {
        if (one.kind === "character") return [];
        const [before, behind] = [part.of.slice(0, at), part.of.slice(at + 1)]
          .map((around) => around.map(least).join(""));
        return bodiesOf(one).map((body) => `${before}${body}${behind}`);
      }).concat(least(part));
    default:
      return [least(part)];
  }
}

function collect(part: Part, before: string, found: Map<string, NearMiss>): void {
  const add = (miss: NearMiss): void => {
    if (miss.unit !== "") found.set(Object.values(miss).join("\0"), miss);
  };
  if (part.kind === "all") {
    let so = before;
    for (const one of part.of) {
      collect(one, so, found);
      so += least(one);
    }
  } else if (part.kind === "one") {
    for (const one of part.of) collect(one, before, found);
  } else if (part.kind === "not") {
    // What must not stand behind it stands at the very end.
    add({ before: "", unit: `${before || "x"} `, behind: least(part.of) });
  } else if (part.kind === "row") {
    if (isGap(part)) {
      for (const body of bodiesOf(part.of)) {
        const start = `${before}${body}`;
        for (const unit of [start, `${start} `, `${start}, `, `${before} `]) {
          add({ before: "", unit, behind: "" });
        }
        add({ before, unit: body, behind: "" });
        add({ before: "", unit: body, behind: "" });
      }
    }
    collect(part.of, before, found);
  }
}

/** Pasted text: an endless line, data, a log. */
const PASTED = [
  "x",
  "x ",
  " ",
  "\n",
  "1.",
  "x.",
  "x-",
  "x/",
  "Xx ",
  ", ",
  "!",
  "`",
  '"x":1,',
  "的",
];

function nearMisses(source: string): NearMiss[] {
  const found = new Map<string, NearMiss>();
  collect(parse(source), "", found);
  for (const unit of PASTED) found.set(unit, { before: "", unit, behind: "" });
  return [...found.values()];
}

const CHARACTERS = 64 * 1024;
/** Four times the text may take four times as long; the rest is noise. */
const GROWTH_MAX = 9;
/** Below this a measurement says nothing about growth. */
const NOISE_MS = 25;
/** The best of this many tries counts, because the machine may be busy. */
const TRIES = 4;
/** What doubles with every word is found while it is short, and not run with more. */
const SHORT = [24, 30, 38, 47, 59, 73, 92, 115, 143, 179, 224, 280];

/** Fails if a near miss takes more than linear time; `share`: one unit in this many is tried. */
export function assertLinearPattern(name: string, pattern: RegExp, share: number): void {
  const own = new RegExp(pattern.source, pattern.flags.replace("y", ""));
  for (const [i, miss] of nearMisses(own.source).entries()) {
    if (i % share !== 0) continue;
    const said = JSON.stringify(miss);
    for (const length of SHORT) {
      const near = text(miss, length);
      let tries = TRIES;
      while (time(own, near) > NOISE_MS && tries > 0) tries--;
      assert.ok(tries > 0, `${name}: ${length} characters take too long: ${said}`);
    }
    let complaint: string | undefined = "";
    for (let i = 0; i < TRIES && complaint !== undefined; i++) complaint = growth(own, miss);
    assert.equal(complaint, undefined, `${name}: ${complaint}: ${said}`);
  }
}

function growth(pattern: RegExp, miss: NearMiss): string | undefined {
  const large = time(pattern, text(miss, CHARACTERS));
  if (large < NOISE_MS) return undefined;
  const small = time(pattern, text(miss, CHARACTERS / 4));
  return large < small * GROWTH_MAX
    ? undefined
    : `${large.toFixed(0)} ms, a quarter of it ${small.toFixed(0)} ms`;
}

/** Ends with what is in no pattern: what wanted the end there goes back for it. */
function text({ before, unit, behind }: NearMiss, length: number): string {
  return `${before}${unit.repeat(Math.ceil(length / unit.length)).slice(0, length)}\u0001${behind}`;
}

function time(pattern: RegExp, said: string): number {
  const watch = stopwatch();
  // All of them: an end that is found goes on behind it.
  if (pattern.global) said.match(pattern);
  else pattern.test(said);
  return watch();
}
