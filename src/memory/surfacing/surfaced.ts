/**
 * What surfacing shows, once there are candidates: recalled, new to this conversation, fenced.
 * Apart from surfacing.ts, because most prompts end there.
 */
import { HOOK_OUTPUT_CHARACTERS_MAX } from "../../base/limits.ts";
import { cut } from "../../base/text/text.ts";
import { mayHoldSecret } from "../../guard/suspect.ts";
import { isEcho } from "./echo.ts";
import { flagWords } from "../item.ts";
import type { RecallItem } from "../knowledge/answer.ts";
import type { Gathered } from "../knowledge/candidates.ts";
import { recallKnowledge } from "../knowledge/recall.ts";
import type { Memory } from "../memory.ts";
import { fenceItems, isQuoted } from "../recalled.ts";
import { recordUses } from "../use.ts";

/** What a fence may take of a hook's answer when nothing else is in it. */
const CHARACTERS_MAX = HOOK_OUTPUT_CHARACTERS_MAX - 400;

const TITLE_CHARACTERS_MAX = 80;

export interface Surfaced {
  /** Whether anything passed the threshold, shown before or not. */
  readonly isRelevant: boolean;
  readonly text: string;
  /** What is shown and why, in a line. */
  readonly account: string;
  /** Id → version of what is shown now. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * What the conversation contains already: notes that were shown by id and version, notes that it wrote by id
 * and hash, and words by hash.
 */
export interface Held {
  readonly shown: Readonly<Record<string, string>>;
  readonly wrote: Readonly<Record<string, string>>;
  readonly told: readonly string[];
}

/**
 * `charactersTaken`: what stands in front of it in the answer. The fence must fit whole: one that
 * is cut protects nothing.
 */
export async function showSurfaced(
  memory: Memory,
  prompt: string,
  gathered: Gathered,
  { shown, wrote, told }: Held,
  charactersTaken: number,
): Promise<Surfaced> {
  const tokensMax = memory.config.get("budget.surfacing_tokens");
  const recall = await recallKnowledge(memory, prompt, { forHook: true, tokensMax }, gathered);
  const items = recall.items.filter((item) =>
    item.type === "knowledge" || item.author !== "sage" || !isEcho(item.text, prompt)
  );
  const quoted = new Set(told);
  const changed = items.filter((item) =>
    // A todo, for one, may be all in its title.
    shown[item.id] !== versionOf(item) && !isQuoted(item.text || item.title, quoted) &&
    // What the agent made of a note that it was shown.
    !(shown[item.id] !== undefined && wrote[item.id] === item.hash)
  );
  const safe = await withoutSecrets(memory, changed);
  const fresh = fitting(safe, shown, CHARACTERS_MAX - charactersTaken);
  recordUses(memory, "surfaced", fresh.map(({ id }) => id));
  return {
    isRelevant: items.length > 0,
    text: fresh.length === 0 ? "" : renderRecalled(fresh, shown),
    account: `showed ${fresh.map(reasonOf).join(", ")}`,
    versions: Object.fromEntries(fresh.map((item) => [item.id, versionOf(item)])),
  };
}

/** A note may have come with git, from somebody whose commits nothing guards. */
async function withoutSecrets(
  memory: Memory,
  items: readonly RecallItem[],
): Promise<readonly RecallItem[]> {
  if (!memory.config.get("privacy.redact")) return items;
  const suspects = items.filter(({ title, text }) => mayHoldSecret(title) || mayHoldSecret(text));
  if (suspects.length === 0) return items;
  const { redactSync } = await import("../../guard/redact.ts");
  return items.map((item) =>
    suspects.includes(item)
      ? { ...item, title: redactSync(item.title).text, text: redactSync(item.text).text }
      : item
  );
}

function reasonOf({ title, trigger, score }: RecallItem): string {
  const why = trigger === undefined ? `score ${score.toFixed(2)}` : `it names "${trigger}"`;
  return `"${cut(title, TITLE_CHARACTERS_MAX)}" (${why})`;
}

/** The first items that fit whole, in JSON as they will be printed. */
function fitting(
  items: readonly RecallItem[],
  shown: Readonly<Record<string, string>>,
  charactersMax: number,
): readonly RecallItem[] {
  let count = items.length;
  while (
    count > 0 && JSON.stringify(renderRecalled(items.slice(0, count), shown)).length > charactersMax
  ) {
    count--;
  }
  return items.slice(0, count);
}

/** Fenced and headed. `shown`: ids that this conversation was told before. */
export function renderRecalled(
  items: readonly RecallItem[],
  shown: Readonly<Record<string, string>> = {},
): string {
  const head = items[0]?.type === "knowledge" ? "Knowledge recalled" : "Recalled";
  return `${head} (${items.length})\n${fenceRecalled(items, shown)}`;
}

/** Keeps everything inside the fence, so that all of it is recognised as recalled later. */
export function fenceRecalled(
  items: readonly RecallItem[],
  shown: Readonly<Record<string, string>> = {},
): string {
  return fenceItems(items.map((item) => ({
    id: item.short_id,
    title: item.title,
    date: item.updated.slice(0, 10),
    author: item.author,
    trust: item.scope,
    flags: [
      ...kindOf(item),
      ...flagWords(item),
      ...(shown[item.id] === undefined ? [] : ["changed since shown"]),
    ],
    body: item.text,
  })));
}

/** Said of notes that are no knowledge: what happened once may have changed. */
function kindOf({ type }: RecallItem): string[] {
  return type === "knowledge" ? [] : [type];
}

/** Changes when the note does, also by an edit that leaves `updated` as it was. */
function versionOf(item: RecallItem): string {
  return item.hash.slice(0, 16);
}
