/**
 * The three-way merge of a note, for git's merge driver. Front matter is merged by the meaning of each key,
 * text by lines. Where both sides changed the same place, ours stays and theirs goes to a section of
 * unmerged updates: nothing is dropped, nothing is decided. Pure. merge.ts merges lines of any text.
 */
import { mapEach } from "../base/map_each.ts";
import { compareText } from "../base/text/text.ts";
import { isSequence } from "../base/yaml/value.ts";
import { editFrontMatter, readSplit, splitFrontMatter, type SplitNote } from "./front_matter.ts";
import { canonical, frontText } from "./front_values.ts";
import { historyText, withoutHistory } from "./knowledge.ts";
import { firstHeading } from "./markdown.ts";
import { type Clash, mergePieces } from "./merge.ts";
import type { FrontChanges, FrontMap, FrontValue } from "./note.ts";
import { itemsOf, mergeLists } from "./merge_lists.ts";
import { applyPatch } from "./patch.ts";

/** `isClean`: false if the text has git's conflict markers. */
export interface MergedNote {
  readonly text: string;
  readonly isClean: boolean;
}

/** `base`: empty if both sides created a note of that name. */
export async function mergeNotes(base: string, mine: string, theirs: string): Promise<MergedNote> {
  if (mine === theirs || theirs === base) return { text: mine, isClean: true };
  if (mine === base) return { text: theirs, isClean: true };
  const eol = splitFrontMatter(mine).eol;
  const [old, own, other] = mapEach([base, mine, theirs], withPlainEnds);
  const [from, left, right] = await Promise.all(mapEach([old, own, other], readSide));
  const merged = from === undefined || left === undefined || right === undefined
    ? undefined
    : await joined(from, left, right);
  const { text, isClean } = merged === undefined
    ? { text: withMarks(old, own, other), isClean: false }
    : { text: merged, isClean: true };
  return { text: eol === "\n" ? text : text.replaceAll("\n", eol), isClean };
}

interface Side {
  readonly text: string;
  readonly split: SplitNote;
  readonly map: FrontMap;
}

function withPlainEnds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** Undefined if the front matter cannot be read, because then its keys cannot be merged. */
async function readSide(text: string): Promise<Side | undefined> {
  const split = splitFrontMatter(text);
  const read = await readSplit(split);
  return "problem" in read ? undefined : { text, split, map: read.map };
}

/** The merged text; undefined if it could not be read as the same note. */
async function joined(base: Side, mine: Side, theirs: Side): Promise<string | undefined> {
  const body = mergeBodies(base, mine, theirs);
  const keys = mergeKeys(base, mine, theirs, firstHeading(body.text));
  const { bodyStart } = mine.split;
  const open = mine.split.front === undefined || /\n$/.test(mine.text.slice(0, bodyStart));
  let text = mine.text.slice(0, bodyStart) + (open ? "" : "\n") + body.text;
  text = await editFrontMatter(text, keys.changes);
  text = withComments(text, base, mine, theirs);
  const left = [...keys.left, ...body.left.map(asText)];
  if (left.length > 0) {
    const date = later(frontText(mine.map, "updated"), frontText(theirs.map, "updated"));
    const heading = `Updates (unmerged${date === "" ? "" : ` ${date.slice(0, 10)}`})`;
    const added = await applyPatch(text, { kind: "insert", heading, text: left.join("\n\n") });
    text = added ?? text;
  }
  const read = await readSide(text);
  const id = frontText(mine.map, "id");
  return read === undefined || frontText(read.map, "id") !== id ? undefined : text;
}

/** Keys that every save writes: the value of the later side wins, and the other is dropped. */
const OF_THE_LAST_SAVE = [
  "updated",
  "generated",
  "verified",
  "tokens",
  "messages",
  "context_tokens",
];

/** The only status of a todo that is kept as unmerged when it loses. */
const DONE = "done";
const ARCHIVED = "archived";

interface Keys {
  /** Changes to our keys; undefined removes one. */
  readonly changes: FrontChanges;
  /** Values that lost against the other side's, one line each. */
  readonly left: string[];
}

/** `title`: that of the merged text. */
function mergeKeys(base: Side, mine: Side, theirs: Side, title: string | undefined): Keys {
  const changes = new Map<string, FrontValue | undefined>();
  const left: string[] = [];
  const [mineAt, theirsAt] = mapEach([mine, theirs], ({ map }) => frontText(map, "updated") ?? "");
  const isTheirsLater = compareText(theirsAt, mineAt) > 0;
  const isTodo = frontText(mine.map, "type") === "todo";
  for (const key of new Set([...mine.map.keys(), ...theirs.map.keys()])) {
    const [old, own, other] = mapEach([base, mine, theirs], ({ map }) => map.get(key));
    if (isEqual(own, other) || isEqual(other, old)) continue;
    if (isEqual(own, old)) {
      changes.set(key, other);
      continue;
    }
    // Both changed it.
    if (key === "id") continue;
    if (key === "created") {
      if (isText(own) && isText(other) && compareText(other, own) < 0) changes.set(key, other);
      continue;
    }
    if (isSequence(own) || isSequence(other)) {
      changes.set(key, mergeLists(old, own, other));
      continue;
    }
    if (isTheirsLater) changes.set(key, other);
    const lost = isTheirsLater ? own : other;
    if (lost !== undefined && !isSettled(key, lost, isTodo)) left.push(`${key}: ${asLine(lost)}`);
  }
  const status = changes.has("status") ? changes.get("status") : mine.map.get("status");
  if (isTodo && status !== DONE) changes.set("completed", undefined);
  // One side archived this note after merging it into another; the other side merged that note into this
  // one. So this one has both texts, and stays active.
  const holder = [mine, theirs].find(({ map }) =>
    map.get("status") !== ARCHIVED &&
    itemsOf(map.get("supersedes")).length > itemsOf(base.map.get("supersedes")).length
  );
  if (holder !== undefined && status === ARCHIVED) changes.set("status", holder.map.get("status"));
  const isVerified = mine.map.has("verified") || changes.get("verified") !== undefined;
  if (isVerified && isReworded(base, mine, theirs)) changes.set("verified", undefined);
  const aliases = namesOf(mine, theirs, title);
  if (aliases.length > 0) {
    const known = changes.get("aliases") ?? mine.map.get("aliases");
    changes.set("aliases", [...new Set([...itemsOf(known), ...aliases])]);
  }
  return { changes, left };
}

/** Whether a value that lost need not be kept. */
function isSettled(key: string, lost: FrontValue, isTodo: boolean): boolean {
  if (OF_THE_LAST_SAVE.includes(key)) return true;
  return isTodo && (key === "completed" || key === "status" && lost !== DONE);
}

/** Whether an agent changed the text on one side, so that the merged text is not what a person verified. */
function isReworded(base: Side, mine: Side, theirs: Side): boolean {
  if (base.text === "" || mine.split.body === theirs.split.body) return false;
  return [mine, theirs].some(({ map, split }) =>
    !isEqual(map.get("generated"), base.map.get("generated")) && split.body !== base.split.body
  );
}

/** Their id if ours is different, and the title that was lost, as aliases, so that links by them still lead here. */
function namesOf(mine: Side, theirs: Side, merged: string | undefined): string[] {
  const [id, other] = [mine, theirs].map(({ map }) => frontText(map, "id"));
  const titles = [mine, theirs].map(({ split }) => firstHeading(split.body));
  return [
    ...(other === undefined || other === id ? [] : [other]),
    ...titles.filter((title): title is string => title !== undefined && title !== merged),
  ];
}

type Bodies = [base: string, mine: string, theirs: string];

function mergeBodies(
  base: Side,
  mine: Side,
  theirs: Side,
): { readonly text: string; readonly left: readonly (readonly string[])[] } {
  const [from, own, other] = mapEach([base, mine, theirs], ({ split }) => split.body);
  // Without a base these are two independent texts, which may contradict each other.
  const areTwo = base.text === "";
  const bodies: Bodies = [from, own, areTwo ? withTitleOf(own, other) : other];
  const histories = mapEach(bodies, historyText);
  if (histories.every((history) => history === "")) return mergeLines(bodies, areTwo);
  const contents = mergeLines(
    mapEach(bodies, (body) => `${withoutHistory(body).trimEnd()}\n`),
    areTwo,
  );
  const ended = mapEach(histories, (text) => text === "" ? "" : `${text}\n`);
  const history = mergeLines(ended);
  const entries = newestFirst(history.text.trimEnd());
  const text = `${contents.text.trimEnd()}\n\n## History\n\n${entries}\n`;
  return { text, left: [...contents.left, ...history.left] };
}

/** Their text with our title; their title becomes an alias (`namesOf`). */
function withTitleOf(mine: string, theirs: string): string {
  const [title, called] = [mine, theirs].map(firstHeading);
  return title === undefined || called === undefined
    ? theirs
    : theirs.replace(`# ${called}\n`, () => `# ${title}\n`);
}

/** Sorts dated entries, newest first; a text that is no list of dated entries stays as it is. */
function newestFirst(history: string): string {
  const lines = history.split("\n").filter((line) => line !== "");
  const dates = lines.map((line) => /^- (\d{4}-\d{2}-\d{2})/.exec(line)?.[1]);
  if (dates.some((date) => date === undefined)) return history;
  return lines.map((line, i) => ({ line, date: dates[i] ?? "" }))
    .sort((a, b) => compareText(b.date, a.date)).map(({ line }) => line).join("\n");
}

function mergeLines(
  [base, mine, theirs]: Bodies,
  areTwo = false,
): { readonly text: string; readonly left: readonly (readonly string[])[] } {
  const left: (readonly string[])[] = [];
  const lines = mergePieces(base, mine, theirs).flatMap((piece) => {
    if (!("mine" in piece)) return piece;
    const settled = settle(piece, areTwo);
    if (settled.left.some((line) => line.trim() !== "")) left.push(settled.left);
    return settled.lines;
  });
  // A last line without an end may be in the middle now.
  const whole = lines.map((line, i) =>
    i < lines.length - 1 && !/\n$/.test(line) ? `${line}\n` : line
  );
  return { text: whole.join(""), left };
}

/** Settles a clash: the lines for its place, and those of theirs that are left unmerged. */
function settle({ base, mine, theirs }: Clash, areTwo: boolean): {
  readonly lines: readonly string[];
  readonly left: readonly string[];
} {
  let head = 0;
  while (head < mine.length && isSameLine(mine[head], theirs[head])) head++;
  let tail = 0;
  const most = Math.min(mine.length, theirs.length) - head;
  while (tail < most && isSameLine(mine.at(-1 - tail), theirs.at(-1 - tail))) tail++;
  const own = mine.slice(0, mine.length - tail);
  const other = theirs.slice(head, theirs.length - tail);
  const end = mine.slice(mine.length - tail);
  // If both only added lines, both additions stay; without a base, only if they are list items.
  const areAdded = base.length === 0 &&
    (!areTwo || [...own.slice(head), ...other].every((line) => ITEM_OR_NONE.test(line.trim())));
  if (areAdded || mine.length === head + tail) {
    return { lines: [...own, ...between(mine.slice(0, head), own, other), ...end], left: [] };
  }
  const here = new Set([...mine, ...base].map((line) => line.trimEnd()));
  return {
    lines: mine,
    left: other.filter((line) => line.trim() === "" || !here.has(line.trimEnd())),
  };
}

/** Their addition, with an empty line before it if both added a paragraph. */
function between(
  shared: readonly string[],
  own: readonly string[],
  other: readonly string[],
): readonly string[] {
  const [last = "", next = ""] = [own.at(-1), other[0]];
  const areApart = shared.at(-1)?.trim() === "" && last.trim() !== "" && next.trim() !== "" &&
    ![last, next].every((line) => ITEM_OR_NONE.test(line.trim()));
  return areApart ? ["\n", ...other] : other;
}

const ITEM_OR_NONE = /^(?:[-*+] |$)/;

function asText(lines: readonly string[]): string {
  return lines.join("").replace(/^\n+|\n+$/g, "").replace(/\n{3,}/g, "\n\n");
}

/** Adds the comments of their front matter that neither ours nor the base has. */
function withComments(text: string, base: Side, mine: Side, theirs: Side): string {
  const [was, ours, others] = mapEach(
    [base, mine, theirs],
    ({ split }) => split.front?.text.split("\n").filter((line) => /^\s*#/.test(line)) ?? [],
  );
  const added = others.filter((line) => !was.includes(line) && !ours.includes(line));
  const { front } = splitFrontMatter(text);
  if (added.length === 0 || front === undefined) return text;
  return `${text.slice(0, front.end)}${added.map((line) => `${line.trim()}\n`).join("")}${
    text.slice(front.end)
  }`;
}

/** The lines of both sides with git's conflict markers. */
function withMarks(base: string, mine: string, theirs: string): string {
  const ended = (lines: readonly string[]): string => {
    const text = lines.join("");
    return text === "" || text.endsWith("\n") ? text : `${text}\n`;
  };
  return mergePieces(base, mine, theirs).map((piece) =>
    !("mine" in piece)
      ? piece.join("")
      : isSame(piece.mine, piece.theirs)
      ? piece.mine.join("")
      : `<<<<<<< ours\n${ended(piece.mine)}=======\n${ended(piece.theirs)}>>>>>>> theirs\n`
  ).join("");
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => isSameLine(line, b[i]));
}

function isSameLine(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a.trimEnd() === b?.trimEnd();
}

function later(a: string | undefined, b: string | undefined): string {
  return [a ?? "", b ?? ""].sort(compareText)[1] ?? "";
}

function isText(value: FrontValue | undefined): value is string {
  return typeof value === "string";
}

function isEqual(a: FrontValue | undefined, b: FrontValue | undefined): boolean {
  return canonical(a) === canonical(b);
}

/** A value on one line, for people. */
function asLine(value: FrontValue): string {
  return isText(value) ? value : canonical(value);
}
