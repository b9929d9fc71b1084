/**
 * The parts of a longer prompt that are searched apart: a question in one sentence would be lost
 * among the words of the others, or of a paste. Apart from candidates.ts, because most prompts are
 * short.
 */
import { hasQuestionMark, splitTyped } from "../../base/text/text.ts";
import { prose } from "../../detect/text/clean.ts";
import { withoutMachineLines } from "../../detect/text/machine_lines.ts";
import { passGates, SENTENCE_CHARACTERS_MAX } from "./gates.ts";
import { headsOf } from "./order_head.ts";

/** Each costs a search. */
const PARTS_MAX = 4;

export interface Asked {
  /** What was typed, where that says something without the paste; else the whole prompt. */
  readonly first: string;
  /** Typed sentences that could be a prompt alone: questions first, then the last ones. */
  readonly sentences: readonly string[];
  /** Heads of orders to make something (order_head.ts), as many as there is room for. */
  readonly heads: readonly string[];
  /** The whole prompt, where `first` is without the paste: searched where nothing typed finds anything. */
  readonly whole: string | undefined;
}

export function askedIn(prompt: string): Asked {
  const ends = bothEnds(prompt.trim());
  // Paths tell what a line looks like, too.
  const typedWhole = withoutMachineLines(prose(ends)).trim();
  const isPasted = typedWhole.length < TYPED_SHARE * ends.length && couldBePrompt(typedWhole);
  const [typed, whole] = [withoutFolders(typedWhole), withoutFolders(prompt)];
  const first = isPasted ? typed : whole;
  const all = sentencesIn(typed);
  const room = isPasted ? PARTS_MAX - 1 : PARTS_MAX;
  const sentences = all
    .filter((sentence) => sentence.length < first.trim().length && couldBePrompt(sentence))
    .reverse()
    .sort((a, b) => Number(hasQuestionMark(b)) - Number(hasQuestionMark(a)))
    .slice(0, room);
  const heads = all.flatMap(headsOf).reverse().slice(0, room - sentences.length);
  return { first, sentences, heads, whole: isPasted ? whole : undefined };
}

/**
 * Replaces paths by their last names, and links to a forge by what they are of: the folders are shared by all
 * other files, and a note that names one would match them all. Paths relative to the project and short ones
 * stay. A name with a time in it goes altogether: it is a log or a transcript, handed over to be read.
 */
function withoutFolders(prompt: string): string {
  if (!/[/\\]/.test(prompt)) return prompt;
  return prompt.replace(FORGE_LINK, "$1 $2").replace(
    WHOLE_PATH,
    (_, name) => STAMPED.test(name) ? "" : name,
  );
}

/**
 * 'https://forge.example/me/tides/pull/12#discussion_r3': host, owner and repository are those of every link to the
 * project, and only kind and number say which.
 */
const FORGE_LINK =
  /https?:\/\/[\w.-]{1,100}\/[\w.-]{1,100}\/[\w.-]{1,100}\/(?:-\/)?(pull|issues|merge_requests|discussions|commit|actions\/runs)\/([\w-]{1,64})[^\s)>\]"'`]{0,300}/g;

const STAMPED = /\d{4}-?\d\d-?\d\d[T_.-]?\d\d/;

const WHOLE_PATH =
  /(?<![\w.:/\\~])(?:~|[A-Za-z]:)?(?:[/\\][\w.@+-]{1,100}){3,40}?[/\\]([\w.@+-]{1,200})(?![\w.@+/\\-])/g;

/** A word of code in a sentence is no paste. */
const TYPED_SHARE = 0.9;
/** How much of each end is read: a question comes before or after an endless paste. */
const END_CHARACTERS = 15_000;

function bothEnds(prompt: string): string {
  if (prompt.length <= 2 * END_CHARACTERS) return prompt;
  const tail = prompt.slice(-END_CHARACTERS);
  // A line of a log that is cut in half looks typed.
  return `${prompt.slice(0, END_CHARACTERS)}\n\n${tail.slice(tail.indexOf("\n") + 1)}`;
}

function couldBePrompt(text: string): boolean {
  return !("gate" in passGates(text));
}

/** A longer line may continue in the next one. */
const LINE_CHARACTERS_MAX = 60;

function sentencesIn(typed: string): string[] {
  const lines = typed.split("\n");
  const ended = lines.map((line) => line.trim().length < LINE_CHARACTERS_MAX ? `${line}\n` : line);
  const sentences = splitTyped(ended.join("\n"));
  const [only = ""] = sentences;
  const isDictated = sentences.length === 1 && only.length >= SENTENCE_CHARACTERS_MAX;
  return isDictated ? clausesIn(only) : sentences;
}

/** Where a new sentence begins if full stops are left out. */
const JOINT =
  /[,;:]?\s(?:and|then|also|but|so|und|dann|aber|auch|et|puis|mais|y|luego|pero|e|poi|ma|depois|mas)(?:\s(?:then|also|dann|auch|aussi|también|anche|também))?\s/i;
const CLAUSE_CHARACTERS_MIN = 20;

function clausesIn(sentence: string): string[] {
  const clauses: string[] = [];
  for (const piece of sentence.split(JOINT)) {
    const last = clauses.at(-1) ?? "";
    const isShort = Math.min(piece.length, last.length) < CLAUSE_CHARACTERS_MIN;
    if (last !== "" && isShort) clauses[clauses.length - 1] = `${last} and ${piece}`;
    else clauses.push(piece);
  }
  return clauses;
}
