/**
 * What a question asks of a thing, where its words tell that: how many seats, what it costs, which port. A
 * passage about the thing that has neither such a word nor anything that looks like an answer lies beside
 * the question. In English and German. What has a name of its own cannot be looked for: 'which database do
 * we use' is answered by 'SQLite'.
 */
import type { Language } from "./words.ts";

/** What a question asks for. */
export interface AskedFor {
  /** Folded, as `phraseOf` leaves it. */
  readonly word: string;
  /** What an answer without the word looks like, where that can be told. */
  readonly form: RegExp | undefined;
}

/** A longer question tells more than what it asks for. */
const WORDS_MAX = 24;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Whoever asks how or why takes the rest for known. */
const OF_THE_KNOWN = words("why how warum wieso wie");
const COSTS = words("cost costs price prices fee fees kosten kostet preis preise gebuhr gebuhren");
const WHICH = words("which what the welchen welcher den der");

/** Money, or other effort: a search may cost 40 ms. */
const COST =
  /[€$£¥]|\b(?:[Ee]uros?|[Dd]ollars?|[Cc]ents?|[Pp]ounds?|[Ff]ree|Franken|kostenlos)\b|\d\s?k?\s?(?:%|(?:[A-Z]{3}|kr|m?s|sec(?:ond)?s?|min(?:ute)?s?|h(?:ours?)?|days?|percent|Prozent|tokens?|[kMG]i?B|Sekunden?|Minuten?|Stunden?|Tage?)\b)|\b[A-Z]{3}\s?\d/;
const PORT = /:\d{2,5}\b|\b\d{4,5}\b/;

/** The answer says another one: 'how many hours' is told in days. */
const UNITS = words(
  "time times hours minutes seconds days weeks months years percent euros dollars more " +
    "mal zeit stunden minuten sekunden tage wochen monate jahre prozent euro",
);

/** `asked`: the words of a question, folded. `language`: where it is known and not English. */
export function askedFor(asked: readonly string[], language?: Language): AskedFor | undefined {
  const isKnown = language === undefined || language.name === "german";
  if (!isKnown || asked.length > WORDS_MAX) return undefined;
  const counted = countedIn(asked);
  if (counted !== undefined) return { word: counted, form: undefined };
  if (OF_THE_KNOWN.has(asked[0] ?? "")) return undefined;
  const cost = asked.find((word) => COSTS.has(word));
  if (cost !== undefined) return { word: cost, form: COST };
  const isPort = asked.some((word, i) => word === "port" && WHICH.has(asked[i - 1] ?? ""));
  return isPort ? { word: "port", form: PORT } : undefined;
}

/** `how many seats are in the boat`; undefined where nothing follows. */
function countedIn(asked: readonly string[]): string | undefined {
  const at = asked.findIndex((word, i) =>
    word === "many" && asked[i - 1] === "how" ||
    (word === "viele" || word === "viel") && asked[i - 1] === "wie"
  );
  const word = asked[at + 1] ?? "";
  return at < 0 || at + 2 >= asked.length || UNITS.has(word) ? undefined : word;
}
