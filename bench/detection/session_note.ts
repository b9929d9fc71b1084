/** What the notes of labelled conversations tell, part by part. */
import { preferencesIn } from "../../src/detect/decisions/preferences.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import type { Conversation, Told } from "./conversation.ts";
import { CWD } from "./tell.ts";
import { readBack } from "./transcript.ts";

export type Counts = Map<string, [good: number, all: number]>;

/** `tell` hears what is missing, and what is told and should not be. */
export function countTold(
  conversations: readonly Conversation[],
  embedder: Embedder,
  tell: (line: string) => void,
): Counts {
  const counts: Counts = new Map();
  for (const conversation of conversations) {
    const { name, session } = conversation;
    if (session === undefined) continue;
    for (const [part, lines] of Object.entries(partsOf(conversation, embedder))) {
      const wanted = session[part as keyof Told] ?? [];
      for (const words of wanted) {
        const isNot = typeof words === "string";
        const isThere = lines.some((line) =>
          isNot ? line.includes(words) : words.every((word) => line.includes(word))
        );
        const count = counts.get(part) ?? [0, 0];
        const isGood = isThere !== isNot;
        counts.set(part, [count[0] + Number(isGood), count[1] + 1]);
        if (!isGood) tell(`  ${name}: ${part} ${isNot ? words : words.join(" · ")}`);
      }
    }
  }
  return counts;
}

/** The lines of the note, by what is looked for in them. */
function partsOf(
  conversation: Conversation,
  embedder: Embedder,
): Record<keyof Told, readonly string[]> {
  const { turns } = readBack(conversation);
  const note = summarizeSession(turns, { embedder, cwd: CWD });
  const wishes = preferencesIn(turns).map(({ text }) => text);
  const decisions = note?.decisions ?? [];
  return {
    about: [note?.summary ?? ""],
    cameOut: [note?.summary ?? ""],
    decisions,
    reversed: decisions.filter((one) => one.includes("takes back")),
    wishes,
    open: note?.openQuestions ?? [],
    next: note?.next ?? [],
    notDecided: [...decisions, ...wishes],
  };
}

/** `decisions 12/40, open 9/10`. */
export function countsSaid(counts: Counts): string {
  return [...counts].map(([part, [good, all]]) => `${part} ${good}/${all}`).join(", ");
}
