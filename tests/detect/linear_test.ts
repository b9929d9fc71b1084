/**
 * What a pattern costs on text that nearly matches it: no more than its length. Hooks ask them of whatever was
 * pasted, and have a second and a half. Whoever adds a pattern, a line or a language adds nothing here: every
 * constant of these rooms that is asked like a pattern is found.
 */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { depth } from "../support/depth.ts";
import { assertLinearPattern } from "../support/near_misses.ts";
import { tempDir } from "../support/temp_store.ts";

const SRC = new URL("../../src/", import.meta.url);
/** What a hook or an index asks of any text. */
const ROOMS = ["base", "detect", "editor", "guard", "memory", "note", "search"];
/** Asked of a title, a name or a few hundred characters: the square of that is nothing. */
const OF_SHORT_TEXT = [
  "base/text/text.ts OPENS",
  "memory/surfacing/gates.ts CONVERSATIONAL",
  // What Gemini CLI itself puts there.
  "editor/gemini/hook_context.ts HOOK_CONTEXT",
];
/** On every change one near miss of so many is tried. */
const SHARE = 6;
/** They are read in the tables alone. */
const OF_TABLES = [
  "detect/phrases/phrase_patterns.ts",
  "detect/phrases/shared_continuations.ts",
];

/** The modules of these rooms by name, copied so that each constant can be had. */
async function withConstants(): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const folder = tempDir();
  const names = (await Promise.all(ROOMS.map((room) => namesBelow(`${room}/`)))).flat();
  for (const name of names) {
    const text = await Deno.readTextFile(new URL(name, SRC));
    const up = "../".repeat(name.split("/").length - 1);
    const open = text.replaceAll(`from "${up}`, `from "${SRC.href}`)
      .replace(/^const (?=\w+\b)/gm, "export const ");
    await Deno.mkdir(`${folder}/${name.replace(/\/[^/]*$/, "")}`, { recursive: true });
    await Deno.writeTextFile(`${folder}/${name}`, open);
  }
  const modules = new Map<string, Record<string, unknown>>();
  for (const name of names) {
    modules.set(name, await import(pathToFileURL(`${folder}/${name}`).href));
  }
  return modules;
}

async function namesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, SRC))) {
    if (isDirectory) found.push(...await namesBelow(`${folder}${name}/`));
    else if (name.endsWith(".ts")) found.push(`${folder}${name}`);
  }
  return found;
}

/** The expressions that are asked, of a constant: of every text, of each language apart, and of those without spaces. */
function patternsOf(constant: unknown): RegExp[] {
  if (constant instanceof RegExp) return [constant];
  if (Array.isArray(constant)) return constant.flatMap(patternsOf);
  // What is made when it is first asked for, as `lazy()` has it.
  if (typeof constant === "function" && /^\(\)/.test(String(constant))) {
    return patternsOf(constant());
  }
  // A form is a sign and a source.
  if (typeof constant === "string") return isForm(constant) ? [new RegExp(constant, "iu")] : [];
  if (!isAsked(constant)) return [];
  return [
    ...patternsOf(constant.sign),
    ...["x", "я", "あ", "já", "più"].map((text) => askedOf(constant, text)),
  ];
}

function isForm(constant: string): boolean {
  return constant.includes("(?<left>") && !/\{[a-z]*[.}]/.test(constant);
}

interface Asked {
  [Symbol.match](text: string): RegExpMatchArray | null;
  /** What has to be found before it is asked. */
  readonly sign?: unknown;
}

function isAsked(constant: unknown): constant is Asked {
  return typeof constant === "object" && constant !== null && Symbol.match in constant;
}

/** The last expression that it asks of a text. */
function askedOf(asked: Asked, text: string): RegExp {
  const { exec } = RegExp.prototype;
  let last: RegExp | undefined;
  RegExp.prototype.exec = function (this: RegExp, said: string): RegExpExecArray | null {
    last = this;
    return exec.call(this, said);
  };
  try {
    text.match(asked);
  } finally {
    RegExp.prototype.exec = exec;
  }
  assert.ok(last !== undefined);
  return last;
}

Deno.test("no pattern takes more than its length of a text that nearly matches it", async () => {
  const found = new Map<string, readonly [name: string, pattern: RegExp]>();
  for (const [file, constants] of await withConstants()) {
    if (OF_TABLES.includes(file)) continue;
    for (const [name, constant] of Object.entries(constants)) {
      for (const pattern of patternsOf(constant)) {
        found.set(String(pattern), [`${file} ${name}`, pattern]);
      }
    }
  }
  // Else nothing was looked at.
  assert.ok(found.size > 250, `${found.size} patterns`);
  for (const [name, pattern] of found.values()) {
    if (!OF_SHORT_TEXT.includes(name)) assertLinearPattern(name, pattern, depth(SHARE, 1));
  }
});

function isFound(pattern: RegExp): boolean {
  try {
    assertLinearPattern("made", pattern, 1);
    return false;
  } catch (error) {
    assert.ok(error instanceof assert.AssertionError, `${error}`);
    return true;
  }
}

Deno.test("assertLinearPattern() finds what takes the square of a text, and what doubles with every word", () => {
  for (
    const pattern of [
      /\bhas\b.*\bend\b/,
      /^(?:(?:ok|so|ok) )*(?:drop|keep)/,
      /keep(?!.* for a moment)(?! )/,
    ]
  ) {
    // Time that another process took from the short text hides how it grows.
    assert.ok([1, 2, 3].some(() => isFound(pattern)), `${pattern}`);
  }
  assertLinearPattern("made", /\bhas\b.{0,200}\bend\b/, 1);
});
