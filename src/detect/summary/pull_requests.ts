/** Pull requests that a session opened or merged, as the hoster's program is told and answers. */
import type { ToolUse, Turn } from "../../editor/editor.ts";
import { programOf, stepsOf } from "./shell.ts";

/** Prefix of a pull request among the work done. */
export const PULL_REQUEST_LABEL = "Pull request: ";

const NAMES = /\b(?:gh|glab)\b/;
const OPENS = /\b(?:pr|mr) create\b/;
/** Of the present branch, or of the one whose number or address is given. */
const MERGES = /\b(?:pr|mr) merge\b(?: (?!-)\S{0,200}?(\d{1,9})(?= |$))?/;
/** Asks for a merge later, or takes that back. */
const LATER = /\s--(?:auto|disable-auto)\b/;
const ADDRESS = /^https:\/\/\S{1,200}\/(?:pull|merge_requests)\/(\d{1,9})$/m;
const TITLE = /\s(?:-t|--title)[ =](?:"([^"\n]{1,180})"|'([^'\n]{1,180})')/;

interface PullRequest {
  readonly name: string;
  readonly isMerged: boolean;
}

/** `https://…/pull/12 The title (merged)` of each, in order. */
export function pullRequestsIn(turns: readonly Turn[]): string[] {
  const known = new Map<string, PullRequest>();
  for (const tool of turns.flatMap(({ tools }) => tools)) {
    const { command = "", failed } = tool;
    if (failed !== false || !NAMES.test(command)) continue;
    for (const step of stepsOf(command)) {
      if (!/^(?:gh|glab)$/.test(programOf(step))) continue;
      if (OPENS.test(step)) addOpened(known, step, tool);
      addMerged(known, step);
    }
  }
  return [...known.values()].map(({ name, isMerged }) => isMerged ? `${name} (merged)` : name);
}

function addOpened(known: Map<string, PullRequest>, step: string, { result = "" }: ToolUse): void {
  const [address, number] = ADDRESS.exec(result.replaceAll("\r", "")) ?? [];
  if (address === undefined || number === undefined) return;
  const title = TITLE.exec(step)?.slice(1).find((one) => one !== undefined);
  known.set(number, {
    name: title === undefined ? address : `${address} ${title}`,
    isMerged: false,
  });
}

function addMerged(known: Map<string, PullRequest>, step: string): void {
  const merges = MERGES.exec(step);
  const number = merges?.[1] ?? [...known.keys()].at(-1);
  if (merges === null || number === undefined || LATER.test(step)) return;
  const name = known.get(number)?.name ?? `#${number}`;
  known.delete(number);
  known.set(number, { name, isMerged: true });
}
