/**
 * Journeys: Markdown files whose console blocks are commands and what they print. This module reads
 * them, compares, explains a difference and writes the expectations anew; it runs nothing itself.
 * `…` alone on a line stands for any lines, `[…]` for any text, and `[name=…]` keeps that text as
 * `$name` for the commands that follow.
 */

/** One command of a journey, and what it must print. */
export interface Step {
  /** Counted from 1. */
  readonly line: number;
  readonly command: string;
  /** The text after `<<EOF`, with its last line break. */
  readonly input: string | undefined;
  readonly expected: readonly string[];
}

export interface Journey {
  readonly title: string;
  readonly steps: readonly Step[];
  /** The file again, with other expectations. */
  rewrite(expectations: readonly (readonly string[])[]): string;
}

type Part = string | { readonly step: number };

const PROMPT = "$ ";

export function parseJourney(text: string): Journey {
  const lines = text.split("\n");
  const steps: Step[] = [];
  const parts: Part[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    parts.push(line);
    if (line !== "```console") continue;
    let end = lines.indexOf("```", at);
    if (end < 0) throw new Error(`Line ${at + 1}: this block does not end`);
    for (at++; at < end;) {
      if (!lines[at]?.startsWith(PROMPT)) {
        throw new Error(`Line ${at + 1}: a block begins with a command, "$ …"`);
      }
      at = readStep(lines, at, end, steps, parts);
      end = lines.indexOf("```", at);
    }
    parts.push("```");
  }
  return {
    title: (lines.find((line) => line.startsWith("# ")) ?? "# ").slice(2),
    steps,
    rewrite: (expectations) =>
      parts.flatMap((part) => typeof part === "string" ? [part] : expectations[part.step] ?? [])
        .join("\n"),
  };
}

/** Reads the command at `at` with its input and output; answers where the next one begins. */
function readStep(
  lines: readonly string[],
  at: number,
  end: number,
  steps: Step[],
  parts: Part[],
): number {
  const first = at;
  const command = (lines[at++] ?? "").slice(PROMPT.length);
  parts.push(PROMPT + command);
  let input: string | undefined;
  const marker = / <<(\w+)$/.exec(command)?.[1];
  if (marker !== undefined) {
    const close = lines.indexOf(marker, at);
    if (close < 0 || close > end) throw new Error(`Line ${first + 1}: no ${marker} below`);
    input = lines.slice(at, close).map((line) => line + "\n").join("");
    parts.push(...lines.slice(at, close + 1));
    at = close + 1;
  }
  const output: string[] = [];
  while (at < end && !lines[at]?.startsWith(PROMPT)) output.push(lines[at++] ?? "");
  const expected = trimBlank(output);
  parts.push({ step: steps.length }, ...output.slice(expected.length));
  steps.push({
    line: first + 1,
    command: command.replace(/ <<\w+$/, ""),
    input,
    expected,
  });
  return at;
}

export interface Comparison {
  readonly matches: boolean;
  readonly captured: ReadonlyMap<string, string>;
}

/** Whether the lines are as expected, and what they were where the expectation names it. */
export function compare(expected: readonly string[], actual: readonly string[]): Comparison {
  const [rows, columns] = [expected.length, actual.length];
  // fits[i][j]: from there on everything matches.
  const fits = Array.from({ length: rows + 1 }, () => new Array<boolean>(columns + 1).fill(false));
  const at = (i: number, j: number): boolean => fits[i]?.[j] ?? false;
  const set = (i: number, j: number, value: boolean): void => {
    const row = fits[i];
    if (row !== undefined) row[j] = value;
  };
  set(rows, columns, true);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns; j >= 0; j--) {
      const wanted = expected[i] ?? "";
      if (isAnyLines(wanted)) set(i, j, at(i + 1, j) || (j < columns && at(i, j + 1)));
      else set(i, j, j < columns && fitsLine(wanted, actual[j] ?? "") && at(i + 1, j + 1));
    }
  }
  const captured = new Map<string, string>();
  for (let i = 0, j = 0; at(0, 0) && i < rows;) {
    const wanted = expected[i] ?? "";
    if (isAnyLines(wanted)) {
      if (at(i + 1, j)) i++;
      else j++;
      continue;
    }
    const found = pattern(wanted).exec(actual[j] ?? "")?.groups ?? {};
    for (const [name, value] of Object.entries(found)) captured.set(name, value);
    i++;
    j++;
  }
  return { matches: at(0, 0), captured };
}

/** The two side by side: `-` was expected, `+` came, everything else agrees. */
export function difference(expected: readonly string[], actual: readonly string[]): string {
  return align(expected, actual).map(([wanted, came]) => {
    if (wanted === undefined) return `  + ${came}`;
    return came === undefined ? `  - ${wanted}` : `    ${came}`;
  }).join("\n");
}

/** The actual output as a new expectation; a line that the old one matches keeps its placeholders. */
export function renew(expected: readonly string[], actual: readonly string[]): string[] {
  return align(expected.filter((line) => !isAnyLines(line)), actual).flatMap(([wanted, came]) =>
    came === undefined ? [] : [wanted ?? generalise(came)]
  );
}

/** Without what is different at every run: moments, durations, ids, hashes. */
function generalise(line: string): string {
  return line
    .replace(/\d{4}-\d\d-\d\d([T ]\d\d[:-]\d\d([:-]\d\d)?(\.\d+)?Z?)?/g, "[…]")
    .replace(
      /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])([0-9a-f]{64}|[0-9a-f]{16}|[0-9a-f]{12}|[0-9a-f]{8})\b/g,
      "[…]",
    )
    .replace(/\b\d{8}\b/g, "[…]")
    .replace(/^( *\[)[0-9a-f]{4}(?=\] )/, "$1[…]")
    .replace(/\b(ms|tokens|pid)=\d+/g, "$1=[…]")
    .replace(/ · [01]\.\d\d$/, " · […]")
    .replace(/"(score|emb|kw)":[\d.]+/g, '"$1":[…]')
    // A row of `checkpoint list`: how long a note is says nothing.
    .replace(/^(\S+ +\S+ +\w+ +\d+ +)\d+(?= {2}\S)/, "$1[…]")
    .replace(/\b\d+ ?(ms|s|seconds|minutes|min) ago\b/g, "[…] ago")
    .replace(/(\[…\]){2,}/g, "[…]");
}

type Pair = readonly [string | undefined, string | undefined];

/** Longest common subsequence, where "common" is that an expectation fits. */
function align(expected: readonly string[], actual: readonly string[]): Pair[] {
  const width = actual.length + 1;
  const longest = new Uint16Array((expected.length + 1) * width);
  const common = (i: number, j: number): boolean =>
    !isAnyLines(expected[i] ?? "") && fitsLine(expected[i] ?? "", actual[j] ?? "");
  for (let i = expected.length - 1; i >= 0; i--) {
    for (let j = actual.length - 1; j >= 0; j--) {
      const [skip, drop, both] = [(i + 1) * width + j, i * width + j + 1, (i + 1) * width + j + 1];
      longest[i * width + j] = common(i, j)
        ? (longest[both] ?? 0) + 1
        : Math.max(longest[skip] ?? 0, longest[drop] ?? 0);
    }
  }
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < expected.length || j < actual.length) {
    const here = longest[i * width + j] ?? 0;
    if (i < expected.length && j < actual.length && common(i, j)) {
      pairs.push([expected[i++], actual[j++]]);
    } else if (i < expected.length && (longest[(i + 1) * width + j] ?? 0) === here) {
      pairs.push([expected[i++], undefined]);
    } else pairs.push([undefined, actual[j++]]);
  }
  return pairs;
}

function isAnyLines(line: string): boolean {
  return line.trim() === "…";
}

function fitsLine(expected: string, actual: string): boolean {
  return expected === actual || pattern(expected).test(actual);
}

function pattern(expected: string): RegExp {
  const source = expected.split(/(\[(?:\w+=)?…\])/).map((part, i) => {
    if (i % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const name = /\w+(?==)/.exec(part)?.[0];
    return name === undefined ? ".*?" : `(?<${name}>.+?)`;
  }).join("");
  return new RegExp(`^${source}$`, "u");
}

/** Output as lines: no blank one at the end, no spaces at the end of any. */
export function outputLines(text: string): string[] {
  return trimBlank(text.split("\n").map((line) => line.trimEnd()));
}

function trimBlank(lines: readonly string[]): string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, end + 1);
}
