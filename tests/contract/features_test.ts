/**
 * What people read about Sage against what it can do: every command that README, docs/FEATURES.md,
 * docs/EDITORS.md and the guide name is in the command table, with the options and choices that
 * stand behind it; settings exist, and so does every file that they link to.
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { GLOBAL_OPTIONS, type Options } from "../../src/cli/command.ts";
import { KEYS } from "../../src/config/keys.ts";
import { resolve } from "../../src/cli/resolve.ts";

const root = new URL("../../", import.meta.url).pathname;
const PAGES = [
  "README.md",
  "docs/FEATURES.md",
  "docs/EDITORS.md",
  ...[...Deno.readDirSync(root + "docs/guide")].map(({ name }) => `docs/guide/${name}`),
];

/** What the last command was called without its verb, so that `history` can follow `knowledge edit`. */
interface Named {
  readonly group: string;
  readonly line: string;
}

for (const page of PAGES) {
  const text = Deno.readTextFileSync(root + page);

  Deno.test(`${page} names only commands that there are, with their options`, async () => {
    const wrong: string[] = [];
    for (const line of commandLines(text)) {
      const problem = await problemOf(line);
      if (problem !== undefined) wrong.push(`${line}: ${problem}`);
    }
    assert.deepEqual(wrong, []);
  });

  Deno.test(`${page} names only settings that there are`, () => {
    const keys: readonly string[] = KEYS;
    const groups = new Set(keys.map((key) => key.split(".")[0]));
    const named = [...text.matchAll(/`([a-z]+)\.([a-z_]+)(?: [^`]*)?`/g)]
      .filter(([, group]) => groups.has(group)).map(([, group, name]) => `${group}.${name}`);
    assert.deepEqual(named.filter((name) => !keys.includes(name)), []);
  });

  Deno.test(`${page} links only to what is there`, () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
    const gone = links.filter((link) => !exists(`${dirname(root + page)}/${link}`));
    // A link in a printed bundle leads inside that bundle.
    assert.deepEqual(gone.filter((link) => !link.startsWith("<")), []);
  });
}

/** Lines of code blocks, and spans of code in the text with what follows them in short form. */
function commandLines(text: string): string[] {
  const found: string[] = [];
  let isBlock = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) isBlock = !isBlock;
    else if (isBlock) found.push(.../^(?:\$ )?(?:.* \| )?(sage .*)/.exec(line)?.slice(1, 2) ?? []);
    else {
      let last: Named | undefined;
      for (const [, span = ""] of line.matchAll(/`([^`]+)`/g)) {
        last = follow(span, last);
        if (last !== undefined) found.push(last.line);
      }
    }
  }
  return found.map((line) => line.replace(/ {2,}.*| # .*/, "").trim());
}

/** `sage knowledge edit`, then `history` or `--diff`: the rest of a list says its group only once. */
function follow(span: string, last: Named | undefined): Named | undefined {
  if (span.startsWith("sage ")) return { group: span.split(" ")[1] ?? "", line: span };
  if (last === undefined) return undefined;
  if (/^--[a-z-]+$/.test(span)) return { ...last, line: `${last.line} ${span}` };
  const isVerb = /^[a-z]+( --[a-z-]+)?$/.test(span) && last.line.startsWith(`sage ${last.group} `);
  return isVerb ? { ...last, line: `sage ${last.group} ${span}` } : undefined;
}

async function problemOf(line: string): Promise<string | undefined> {
  const words = line.split(/\s+/).slice(1);
  if (words[0] === "help") words.shift();
  if (words.length === 0 || /^[-<…]/.test(words[0] ?? "")) return undefined;
  try {
    const resolved = await resolve(words, { fallback: true });
    if (resolved.kind === "group") return undefined;
    return wrongOption(words, { ...GLOBAL_OPTIONS, ...resolved.named.command.options });
  } catch (error) {
    return (error as Error).message;
  }
}

function wrongOption(words: readonly string[], options: Options): string | undefined {
  for (const [i, word] of words.entries()) {
    const name = /^--([a-z-]+)$/.exec(word)?.[1];
    if (name === undefined) continue;
    const choices = options[name]?.choices;
    if (options[name] === undefined) return `there is no --${name}`;
    const value = words[i + 1] ?? "";
    if (/^[a-z-]+$/.test(value) && choices?.includes(value) === false) return `no ${value}`;
  }
  return undefined;
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
