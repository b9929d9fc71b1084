/**
 * Sentences that still say the same: light edits made mechanically, for fitting and checking where
 * 'says the same' begins. One edit at a time, so that each kind can be judged. Not for rewriting:
 * the result need not be elegant, only mean what the original means.
 */

export type EditKind = "inflection" | "order" | "synonym";

export interface LightEdit {
  readonly kind: EditKind;
  readonly text: string;
}

/** Whole words; each is exchanged where it stands, in lower case. */
const SYNONYMS: readonly (readonly [string, string])[] = [
  ["use", "employ"],
  ["because", "since"],
  ["before", "prior to"],
  ["after", "following"],
  ["start", "begin"],
  ["wants", "would like"],
  ["must", "has to"],
  ["needs", "requires"],
  ["only", "just"],
  ["instead of", "rather than"],
  ["every", "each"],
  ["keep", "retain"],
  ["kept", "retained"],
  ["prefers", "favours"],
  ["removed", "deleted"],
  ["dropped", "discarded"],
  ["fails", "breaks"],
  ["slow", "sluggish"],
  ["quick", "fast"],
  ["big", "large"],
  ["anything", "everything"],
  ["broke", "failed"],
  ["picked", "chose"],
  ["whole", "entire"],
];

const INFLECTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(is|are) /, "was "],
  [/\b(was|were) /, "is "],
  [/\bruns\b/, "ran"],
  [/\bgoes\b/, "went"],
  [/\b([a-z]{4,}[^aeiousy])s\b/, "$1"],
  [/\b([a-z]{3,}[^aeiou])ed\b/, "$1ing"],
];

/** Every edit that applies: at most one of a kind. */
export function lightEdits(text: string): LightEdit[] {
  const candidates: [EditKind, string | undefined][] = [
    ["inflection", firstChange(text, INFLECTIONS)],
    [
      "synonym",
      firstChange(text, SYNONYMS.map(([from, to]) => [new RegExp(`\\b${from}\\b`), to])),
    ],
    ["order", reorder(text)],
  ];
  return candidates.flatMap(([kind, edited]) =>
    edited === undefined || edited === text ? [] : [{ kind, text: edited }]
  );
}

function firstChange(text: string, rules: readonly (readonly [RegExp, string])[]) {
  const rule = rules.find(([from]) => from.test(text));
  return rule && text.replace(...rule);
}

/** Swaps the halves around the first sentence end, semicolon or comma. */
function reorder(text: string): string | undefined {
  const match = /^(.{12,}?)([.;,]) (.{12,}?)\.?$/.exec(text);
  return match ? `${match[3]}${match[2]} ${match[1]}.` : undefined;
}
