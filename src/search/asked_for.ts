/**
 * What a question asks of a thing: the price of a part, the port of a service, which font a page has. A
 * passage about the thing that has neither such a word nor anything that looks like an answer lies beside
 * the question. Told by the words around it, in English and German.
 */
import type { Language } from "./words.ts";

/** What a question asks for. */
export interface AskedFor {
  /** Folded, as `phraseOf` leaves them: `code owner` of a folder. */
  readonly words: readonly string[];
  /** What an answer looks like, where that can be told. */
  readonly form: RegExp | undefined;
}

/** A longer question tells more than what it asks for. */
const WORDS_MAX = 24;
const NOUNS_MAX = 3;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const WHICH = words("which what welche welchen welcher welches welchem");
/** They stand behind what `which` asks for. */
const VERBS = words(
  "do does did is are was were has have had can may must should will " +
    "hat haben ist sind gibt braucht nimmt nehmen verwenden nutzen",
);
const COSTS = words("cost costs kostet kosten");
/** They stand behind what a question begins with. */
const OF = words("of per von vom der des");
const LEADING = words("what who where is are was were whats the das die wer wo ist sind");
/** They are never a part of it. */
const NO_NOUNS = words(
  "which what who where when why how if does did do is are can may must the we i you to in on at for with and or " +
    "und oder wie was wo wann wer warum wir ich die das ist sind hat mit zu",
);
/** Nouns that no passage says when it tells what they stand for. */
const VAGUE = words(
  "kind sort type way thing things reason cause part use case name list lot copy set pair example result effect " +
    "role state status top end beginning start middle order meaning left out instead because rid think one some any " +
    "all each most many much point rest step steps day time hours days minutes weeks months years seconds percent euros " +
    "art grund teil ende anfang stunden tage minuten wochen monate jahre sekunden prozent euro",
);

const FORMS: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [
    words("cost costs price prices fee fees bill salary amount kosten kostet preis gebuhr betrag"),
    /[€$£¥]|\b(?:EUR|USD|CHF|GBP|[Ee]uros?|[Dd]ollars?|[Cc]ents?|[Pp]ounds?|Franken)\b/,
  ],
  [words("size memory payload ram grosse speicher"), /\d\s?(?:[kKMGT]i?[Bb]|[Bb]ytes?|px|MP)\b/],
  [words("version versions"), /\d\.\d|\bv\d/],
  [words("temperature temperatures temperatur"), /°|degrees|Grad/],
  [words("percentage percentages share anteil"), /%/],
  [words("port"), /:\d{2,5}\b|\b\d{4,5}\b/],
  [words("phone number telefonnummer"), /\d[\d /-]{5}/],
  [words("flag flags option options"), /--\w/],
  [
    words(
      "limit threshold maximum minimum range draw count rate width height weight interval timeout ttl retention " +
        "duration delay level levels budget frist dauer kanal channel",
    ),
    /\d/,
  ],
  [
    words("date dates deadline datum termin"),
    /\d|\b(?:Jan|Feb|M[aä]r|Apr|May|Mai|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz])|(?:day|tag)s?\b/,
  ],
];

/** `asked`: the words of a question, folded. `language`: where it is known and not English. */
export function askedFor(asked: readonly string[], language?: Language): AskedFor | undefined {
  const isKnown = language === undefined || language.name === "german";
  if (!isKnown || asked.length > WORDS_MAX) return undefined;
  const nouns = ofWhich(asked) ?? ofMany(asked) ?? ofThing(asked) ??
    asked.filter((word) => COSTS.has(word)).slice(0, 1);
  const last = nouns.at(-1);
  if (last === undefined || VAGUE.has(last)) return undefined;
  return { words: nouns, form: FORMS.find(([names]) => names.has(last))?.[1] };
}

/** `which font do we use` */
function ofWhich(asked: readonly string[]): readonly string[] | undefined {
  const from = asked.findIndex((word) => WHICH.has(word)) + 1;
  return from === 0 ? undefined : nounsIn(asked, from, (word) => VERBS.has(word));
}

/** `how many seats are in the boat` */
function ofMany(asked: readonly string[]): readonly string[] | undefined {
  const at = asked.findIndex((word, i) =>
    (word === "many" || word === "much") && asked[i - 1] === "how" ||
    (word === "viel" || word === "viele") && asked[i - 1] === "wie"
  );
  const noun = asked[at + 1] ?? "";
  return at < 0 || at + 2 >= asked.length || NO_NOUNS.has(noun) ? undefined : [noun];
}

/** `phone number of Ms Pohl` */
function ofThing(asked: readonly string[]): readonly string[] | undefined {
  const from = asked.findIndex((word) => !LEADING.has(word));
  return from < 0 ? undefined : nounsIn(asked, from, (word) => OF.has(word));
}

/** The words up to one that ends them, where they may be what is asked for. */
function nounsIn(
  asked: readonly string[],
  from: number,
  isEnd: (word: string) => boolean,
): readonly string[] | undefined {
  const length = asked.slice(from, from + NOUNS_MAX + 1).findIndex(isEnd);
  const nouns = asked.slice(from, from + Math.max(0, length));
  const isLast = from + length + 1 >= asked.length;
  return nouns.length === 0 || isLast || nouns.some((word) => NO_NOUNS.has(word) || OF.has(word))
    ? undefined
    : nouns;
}
