/**
 * `patterns.yaml`: the person's own phrases, by trigger, in any language, and packs from other people. Read
 * leniently: what is not a phrase is left out and reported, never fatal.
 */
import { readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decode, withoutBom } from "../../base/utf8.ts";
import { lazyPattern } from "../../base/text/pattern.ts";
import { collapse, fold } from "../../base/text/text.ts";
import { loadYaml, YamlError } from "../../base/yaml/parse.ts";
import { readSimpleYaml } from "../../base/yaml/simple.ts";
import { isMapping, type YamlMap, type YamlValue } from "../../base/yaml/value.ts";
import { type Inflection, INFLECTIONS, isInflection } from "../../detect/trigger/signal.ts";
import type { Memory } from "../memory.ts";

export type Phrases = Readonly<Partial<Record<Inflection, readonly string[]>>>;

interface PhraseFile {
  readonly phrases: Phrases;
  /** By the name of each pack, what it adds. */
  readonly packs: ReadonlyMap<string, Phrases>;
  /** What was left out, and why. */
  readonly problems: readonly string[];
}

const EMPTY: PhraseFile = { phrases: {}, packs: new Map(), problems: [] };

const BYTES_MAX = 64 * 1024;
/** All are searched for at each stop. Sage itself has about as many. */
const PHRASES_MAX = 300;
const PROBLEMS_MAX = 20;
const CHARACTERS_MIN = 8;
const CHARACTERS_MAX = 80;
const WITHOUT_SPACES = lazyPattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]`,
  "u",
);

export function phrasesPath({ places }: Memory): string {
  return join(places.userRoot, "patterns.yaml");
}

/** The file's text; empty where there is none. */
export function phrasesText(memory: Memory): string {
  const path = phrasesPath(memory);
  if (memory.fs.lstat(path)?.kind !== "file") return "";
  return withoutBom(decode(readBytes(memory.fs, path, BYTES_MAX)));
}

/** The phrases that detection uses beside the built-in ones, those of the packs included. */
export async function ownPhrases(memory: Memory): Promise<Phrases> {
  const text = phrasesText(memory);
  return text === "" ? {} : allPhrases(await readPhrases(text));
}

/** The person's own phrases and those of the packs. */
export function allPhrases({ phrases, packs }: PhraseFile): Phrases {
  return together([phrases, ...packs.values()]);
}

export async function readPhrases(text: string): Promise<PhraseFile> {
  try {
    const root = readSimpleYaml(text) ?? await loadYaml(text);
    if (isMapping(root)) return collect(root);
    return { ...EMPTY, problems: ["1:1 not a list of triggers with their phrases"] };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { ...EMPTY, problems: [error.message] };
  }
}

/** One list a trigger, each phrase once. */
export function together(all: readonly Phrases[]): Phrases {
  const entries = INFLECTIONS.flatMap((trigger) => {
    const list = [...new Set(all.flatMap((phrases) => phrases[trigger] ?? []))];
    return list.length === 0 ? [] : [[trigger, list.slice(0, PHRASES_MAX)] as const];
  });
  return Object.fromEntries(entries);
}

export function countPhrases(phrases: Phrases): number {
  return INFLECTIONS.reduce((sum, trigger) => sum + (phrases[trigger]?.length ?? 0), 0);
}

function collect(root: YamlMap): PhraseFile {
  const problems: string[] = [];
  const packs: [string, Phrases][] = [];
  const own: [string, YamlValue][] = [];
  for (const [name, value] of root) {
    if (isInflection(name)) own.push([name, value]);
    else if (isMapping(value)) packs.push([name, triggersOf(value, name, problems)]);
    else problems.push(`"${name}" is not a trigger (${INFLECTIONS.join(", ")}) and not a pack`);
  }
  const phrases = triggersOf(new Map(own), "", problems);
  return { phrases, packs: new Map(packs), problems: problems.slice(0, PROBLEMS_MAX) };
}

function triggersOf(map: YamlMap, pack: string, problems: string[]): Phrases {
  const lists: [Inflection, string[]][] = [];
  for (const [name, value] of map) {
    if (isInflection(name)) lists.push([name, phrasesOf(value, name, problems)]);
    else problems.push(`"${pack}.${name}" is not a trigger (${INFLECTIONS.join(", ")})`);
  }
  return together(lists.map(([name, list]) => ({ [name]: list })));
}

/** A list, or a list for each language, whatever the languages are called. */
function phrasesOf(value: YamlValue, place: string, problems: string[]): string[] {
  if (typeof value === "string") return value === "" ? [] : phrasesOf([value], place, problems);
  if (isMapping(value)) {
    return [...value].flatMap(([language, list]) =>
      isMapping(list)
        ? complain(problems, `"${place}.${language}" is not a list of phrases`)
        : phrasesOf(list, `${place}.${language}`, problems)
    );
  }
  return value.flatMap((item) => {
    const phrase = typeof item === "string" ? collapse(item).toLowerCase() : "";
    const reason = whyNot(phrase);
    return reason === undefined ? [phrase] : complain(problems, `"${phrase}" (${place}) ${reason}`);
  });
}

function complain(problems: string[], text: string): never[] {
  problems.push(text);
  return [];
}

/** Why a phrase is refused. A short one occurs in any text, and would confirm what it should not. */
function whyNot(phrase: string): string | undefined {
  const parts = phrase.split("…").map((part) => fold(part).trim());
  // Combining marks alone fold to nothing.
  if (parts.join("") === "") return "is not text";
  if (phrase.length > CHARACTERS_MAX) return `is longer than ${CHARACTERS_MAX} characters`;
  if (parts.length > 2) return "has more than one gap (…)";
  if (parts.includes("")) return "begins or ends with a gap (…)";
  if (phrase.includes("…") && !phrase.includes(" … ")) return "has a gap without spaces around it";
  if (WITHOUT_SPACES().test(phrase)) return phrase.length < 4 ? "is too short" : undefined;
  if (phrase.length < CHARACTERS_MIN || !phrase.includes(" ")) {
    return `is too short: at least two words and ${CHARACTERS_MIN} characters`;
  }
  return undefined;
}
