/**
 * The expected answer of a question in English or German, if its words tell: how many seats, what it
 * costs, which port. A passage that has neither that word nor anything that looks like such an answer is
 * beside the question. Answers that are names cannot be told: 'which database do we use' is answered by
 * 'SQLite'.
 */
import type { Language } from "./words.ts";

/** What a question asks for. */
export interface AskedFor {
  /** Folded, as `phraseOf` leaves it. */
  readonly word: string;
  /** What an answer without the word looks like, if there is such a form. */
  readonly form: RegExp | undefined;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** A question that begins so takes cost and port for known: 'why does it cost 5 €?' */
const TAKES_FOR_KNOWN = words("why how warum wieso wie");
const COSTS = words("cost costs price prices fee fees kosten kostet preis preise gebuhr gebuhren");
const WHICH = words("which what the welchen welcher den der");

/** An amount of money, or of time, tokens or bytes: a search may cost 40 ms. */
const COST =
  /[€$£¥]|\b(?:[Ee]uros?|[Dd]ollars?|[Cc]ents?|[Pp]ounds?|[Ff]ree|Franken|kostenlos)\b|\d\s?k?\s?(?:%|(?:[A-Z]{3}|kr|m?s|sec(?:ond)?s?|min(?:ute)?s?|h(?:ours?)?|days?|percent|Prozent|tokens?|[kMG]i?B|Sekunden?|Minuten?|Stunden?|Tage?)\b)|\b[A-Z]{3}\s?\d/;
const PORT = /:\d{2,5}\b|\b\d{4,5}\b/;

/** Units, for which an answer may use another: 'how many hours' is answered in days. */
const UNITS = words(
  "time times hours minutes seconds days weeks months years percent euros dollars more " +
    "mal zeit stunden minuten sekunden tage wochen monate jahre prozent euro",
);

/** `asked`: the folded words of a question. `language`: undefined for English or an unknown one. */
export function askedFor(asked: readonly string[], language?: Language): AskedFor | undefined {
  const isKnown = language === undefined || language.name === "german";
  if (!isKnown) return undefined;
  const counted = countedIn(asked);
  if (counted !== undefined) return { word: counted, form: undefined };
  if (TAKES_FOR_KNOWN.has(asked[0] ?? "")) return undefined;
  const cost = asked.find((word) => COSTS.has(word));
  if (cost !== undefined) return { word: cost, form: COST };
  const isPort = asked.some((word, i) => word === "port" && WHICH.has(asked[i - 1] ?? ""));
  return isPort ? { word: "port", form: PORT } : undefined;
}

/** `seats` in `how many seats are in the boat`; undefined if nothing follows it. */
function countedIn(asked: readonly string[]): string | undefined {
  const at = asked.findIndex((word, i) =>
    word === "many" && asked[i - 1] === "how" ||
    (word === "viele" || word === "viel") && asked[i - 1] === "wie"
  );
  const word = asked[at + 1] ?? "";
  return at < 0 || at + 2 >= asked.length || UNITS.has(word) ? undefined : word;
}
