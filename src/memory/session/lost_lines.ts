/** What a compaction dropped, for the orientation right after it: as much as there is room for. */
import { plainText } from "../../base/text.ts";
import { estimateTokens } from "../../base/tokens.ts";
import { quote } from "../recalled.ts";
import type { LostThing } from "./session_state.ts";

const LEAD = "- The summary left out:";
/** So that one kind does not take the room of all: one of it for each so many tokens. */
const TOKENS_OF_A_KIND = 40;
const CHARACTERS_MAX = 140;

const LABELS: Readonly<Record<LostThing["kind"], string>> = {
  decision: "decided",
  command: "ran",
  error: "error",
  file: "changed",
  number: "found",
  commit: "commit",
  name: "name",
};

/** One line within the tokens, the weightiest first; empty where nothing fits. `told` is said already. */
export function lostLine(lost: readonly LostThing[], tokensMax: number, told = ""): string {
  const groups = new Map<LostThing["kind"], string[]>();
  let said = plainText(told);
  const ofAKindMax = Math.max(2, Math.round(tokensMax / TOKENS_OF_A_KIND));
  for (const { kind, text } of lost) {
    const group = groups.get(kind) ?? [];
    const plain = plainText(text);
    if (group.length >= ofAKindMax || said.includes(plain)) continue;
    const next = new Map(groups).set(kind, [...group, quote(text, CHARACTERS_MAX)]);
    if (estimateTokens(render(next)) + 1 > tokensMax) continue;
    groups.set(kind, next.get(kind) ?? []);
    said += ` ${plain}`;
  }
  return groups.size === 0 ? "" : render(groups);
}

function render(groups: ReadonlyMap<LostThing["kind"], readonly string[]>): string {
  const parts = [...groups].map(([kind, texts]) => `${LABELS[kind]} ${texts.join(", ")}`);
  return `${LEAD} ${parts.join("; ")}.`;
}
