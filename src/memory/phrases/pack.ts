/**
 * Exchanges phrases with other people. A pack holds phrases and nothing of the texts they came from; a phrase
 * that could identify its author is refused, on export and on import.
 */
import { writeAtomic } from "../../base/atomic.ts";
import { utcDay } from "../../base/clock.ts";
import { concat } from "../../base/concat.ts";
import { SageError } from "../../base/errors.ts";
import { readBytes } from "../../base/fs.ts";
import { basename, join } from "../../base/path.ts";
import { decode, encode } from "../../base/utf8.ts";
import { LOCK_MS_MAX } from "../../base/limits.ts";
import { withLock } from "../../base/lock.ts";
import { pattern } from "../../base/text/pattern.ts";
import { fold, slug } from "../../base/text/text.ts";
import { renderEntry } from "../../base/yaml/render.ts";
import { INFLECTIONS, isInflection } from "../../detect/trigger/signal.ts";
import { findSecrets } from "../../guard/scan.ts";
import { readGit } from "../../store/git/git.ts";
import type { Memory } from "../memory.ts";
import {
  allPhrases,
  ownPhrases,
  type Phrases,
  phrasesPath,
  phrasesText,
  readPhrases,
  together,
} from "./file.ts";

export interface Refused {
  readonly phrase: string;
  readonly reason: string;
}

interface Pack {
  readonly phrases: Phrases;
  readonly refused: readonly Refused[];
  /** The content of the file. */
  readonly text: string;
}

/** The person's phrases that may be shared, and those that may not, each with the reason. */
export async function exportPack(memory: Memory): Promise<Pack> {
  const all = allPhrases(await readPhrases(phrasesText(memory)));
  const { kept, refused } = sift(all, namesHere(memory));
  const head = `# Phrases for Sage, exported ${utcDay(memory.now())}. ` +
    "Bring them in with: sage admin patterns import <file>\n";
  return { phrases: kept, refused, text: head + render(kept) };
}

export interface Import {
  readonly name: string;
  /** Not there yet. */
  readonly phrases: Phrases;
  readonly problems: readonly string[];
  readonly refused: readonly Refused[];
}

/** What a pack would add. Nothing is written. */
export async function planImport(memory: Memory, text: string, from: string): Promise<Import> {
  const read = await readPhrases(text);
  const [given, known] = [allPhrases(read), await ownPhrases(memory)];
  const fresh = INFLECTIONS.map((trigger) => ({
    [trigger]: (given[trigger] ?? []).filter((phrase) => !known[trigger]?.includes(phrase)),
  }));
  const { kept, refused } = sift(together(fresh), new Set());
  const name = slug(basename(from).replace(/\.ya?ml$/i, ""), 40);
  return { name, phrases: kept, problems: read.problems, refused };
}

/** Appends it to the file, whose bytes stay as they are. */
export async function applyImport(memory: Memory, plan: Import): Promise<string> {
  const { fs, places, holder } = memory;
  const path = phrasesPath(memory);
  if ((fs.lstat(path)?.kind ?? "file") !== "file") {
    throw new SageError("refused", `Cannot add to ${path}: it is not a file`, {
      hint: "Sage does not read phrases from a link: put the file itself there, then repeat",
    });
  }
  const text = phrasesText(memory);
  const { problems } = await readPhrases(`${text}\n${entryFor(plan, text)}`);
  const broken = problems.find((problem) => /^\d+:\d+ /.test(problem));
  if (broken !== undefined) {
    throw new SageError("invalid_config", `Cannot add to ${path}:${broken}`, {
      hint: "mend the file by hand, then repeat",
    });
  }
  const lock = join(places.stateDir, "locks", "patterns.lock");
  withLock(fs, lock, { deadlineMs: LOCK_MS_MAX, holder }, () => {
    const old = fs.lstat(path)?.kind === "file"
      ? readBytes(fs, path, Number.MAX_SAFE_INTEGER)
      : new Uint8Array();
    const entry = entryFor(plan, decode(old));
    const gap = old.length === 0 || old.at(-1) === 10 ? "" : "\n";
    fs.makeDir(places.userRoot, 0o700);
    writeAtomic(fs, path, concat([old, encode(gap + entry)]), { mode: 0o600, durable: true });
  });
  return path;
}

function entryFor({ name, phrases }: Import, text: string): string {
  return renderEntry(freeName(name, text), new Map(Object.entries(phrases)), 0, "\n") + "\n";
}

/** A free name, because a pack may be imported again with other phrases. */
function freeName(wanted: string, text: string): string {
  const isTaken = (name: string): boolean =>
    text.split("\n").some((line) => line.startsWith(`${name}:`)) || isInflection(name);
  for (let n = 1;; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (!isTaken(name)) return name;
  }
}

function render(phrases: Phrases): string {
  return Object.entries(phrases)
    .map(([trigger, list]) => renderEntry(trigger, list, 0, "\n") + "\n").join("");
}

function sift(
  phrases: Phrases,
  names: ReadonlySet<string>,
): { readonly kept: Phrases; readonly refused: readonly Refused[] } {
  const refused: Refused[] = [];
  const kept = INFLECTIONS.map((trigger) => ({
    [trigger]: (phrases[trigger] ?? []).filter((phrase) => {
      const reason = identifies(phrase, names);
      if (reason !== undefined) refused.push({ phrase, reason });
      return reason === undefined;
    }),
  }));
  return { kept: together(kept), refused };
}

/** Why a phrase could identify its author; undefined if it could not. */
export function identifies(phrase: string, names: ReadonlySet<string>): string | undefined {
  if (findSecrets(phrase).length > 0) return "it looks like a secret";
  if (/@|:\/\/|\bwww\b/.test(phrase)) return "it holds an address";
  if (/\d/.test(phrase)) return "it holds a number";
  if (/[\\/~]|\w\.\w/.test(phrase)) return "it holds the name of a file or a host";
  if (/[_#$%^*=<>{}[\]|`"]/.test(phrase)) return "it holds code";
  const name = wordsOf(phrase).find((word) => names.has(word));
  return name === undefined ? undefined : `"${name}" is your name or this project's`;
}

/** Shorter names are ordinary words in some language. */
const NAME_CHARACTERS_MIN = 4;

/** Words that name the person or this project. */
export function namesHere(memory: Memory): ReadonlySet<string> {
  const { places, fs, env } = memory;
  const git = readGit(fs, places.projectDir);
  const texts = [
    basename(places.home),
    env("USER") ?? "",
    env("LOGNAME") ?? "",
    env("USERNAME") ?? "",
    places.projectName,
    basename(places.projectDir),
    // Without the host, which names nobody.
    (git?.remote ?? "").replace(/^[a-z+]+:\/\//, "").replace(/^[^/:]*[/:]/, ""),
    ...gitIdentity(memory),
  ];
  return new Set(texts.flatMap(wordsOf).filter((word) => word.length >= NAME_CHARACTERS_MIN));
}

/** `name` and `email` of ~/.gitconfig. */
function gitIdentity({ places, fs }: Memory): string[] {
  const path = join(places.home, ".gitconfig");
  try {
    if (fs.lstat(path)?.kind !== "file") return [];
    const text = decode(readBytes(fs, path, 64 * 1024));
    return [...text.matchAll(/^\s*(?:name|email)\s*=\s*(.{1,200})$/gm)].map((match) =>
      (match[1] ?? "").replace(/@.*/, "")
    );
  } catch {
    return [];
  }
}

function wordsOf(text: string): string[] {
  return fold(text).match(pattern(String.raw`[\p{L}\p{N}]+`, "gu")) ?? [];
}
