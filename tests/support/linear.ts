/**
 * Whether a function costs in proportion to its input: one hostile megabyte against a quarter of
 * it, and against a plain scan of the same text in the same run. Ratios only: machines differ.
 */
import assert from "node:assert/strict";
import { depth } from "./depth.ts";
import { workMs } from "./quick.ts";

/** Doing real work per character may cost this much more than looking at it once. */
const SCANS_MAX = 4_000;
/** Four times the input may cost four times as much; the rest is noise and garbage collection. */
const GROWTH_MAX = 10;
/** Below this a measurement says nothing about growth. */
const NOISE_MS = 100;
/** The best of this many tries counts, because the machine may be busy. */
const TRIES = 4;

/** On every change one unit in this many is tried, with the full megabyte. */
const UNITS_SKIPPED = 4;

const MEGABYTE = 1024 * 1024;

const OTHER = "\u0001x";

/** Inputs that make careless scanners go back over what they have read. */
const HOSTILE_UNITS: readonly string[] = [
  "<",
  "<private",
  "<private ",
  "<private a='",
  "< p r i v a",
  "&lt;",
  "&amp;",
  "&",
  "\\",
  "%3c",
  " ",
  "\n",
  "\t",
  "a",
  "A",
  "0",
  "=",
  ":",
  "/",
  "-",
  "|",
  "| key ",
  "_",
  ".",
  ",",
  "`",
  "~",
  "!",
  "[",
  "![",
  "](",
  "```",
  "<!--",
  "eyJ",
  "eyJ.",
  "eyJa-",
  "sk-",
  "ghp_",
  "xoxb-1-",
  "SG.a.",
  "://",
  "http://a:",
  "postgres://a:b",
  "password",
  "password=",
  "secret: ",
  'token="',
  "KEY=",
  "A=",
  "\nA=",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\nMII",
  "AccountKey=",
  "Bearer ",
  "\x1b[",
  "\x1b]",
  "\x90",
  "\x9b1",
  "\u200D",
  "\u200C",
  "\uFE0F",
  "\uFE0F\u200D",
  "👩\u200D",
  "🏴\u{E0061}",
  "\u{E0061}",
  "\u202E",
  "\u0301",
  "ب\u200C",
  "Human:",
  "\nHuman ",
  "> ",
  "* ",
  "<system",
  "＜",
  "ops_ey",
  "hvs.",
  "T3BlbkFJ",
  "ghs_1_a",
  "ghs_1_a.b",
  "key: '",
  "[redacted:",
];

/** Fails when `run` is worse than linear, or slower than a generous multiple of a plain scan. */
export async function assertLinear(
  run: (text: string) => unknown,
  units: readonly string[] = HOSTILE_UNITS,
): Promise<void> {
  await run("warm up ".repeat(1_000));
  for (const [i, unit] of units.entries()) {
    if (i % depth(UNITS_SKIPPED, 1) !== 0) continue;
    let complaint: string | undefined = "";
    for (let i = 0; i < TRIES && complaint !== undefined; i++) complaint = await measure(run, unit);
    assert.equal(complaint, undefined);
  }
}

async function measure(
  run: (text: string) => unknown,
  unit: string,
): Promise<string | undefined> {
  const text = filled(unit, MEGABYTE);
  const large = await workMs(() => run(text));
  if (large < NOISE_MS) return undefined;
  const small = await workMs(() => run(filled(unit, MEGABYTE / 4)));
  const scan = await workMs(() => plainScan(text));
  const took = `${JSON.stringify(unit)} takes ${large.toFixed(0)} ms`;
  if (large > small * GROWTH_MAX) return `${took}, a quarter of it only ${small.toFixed(0)} ms`;
  if (large > scan * SCANS_MAX) return `${took}, a plain scan ${scan.toFixed(2)} ms`;
  return undefined;
}

/** Ends with what is none of the units: a pattern that wanted the end there goes back for it. */
function filled(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length - OTHER.length) + OTHER;
}

let sink = 0;

function plainScan(text: string): void {
  for (let i = 0; i < text.length; i++) sink ^= text.charCodeAt(i);
}
