/**
 * Which language tables a text is matched with. The tables of four languages are used for every text, because
 * people mix them. A further language would make every pattern slower for everybody, so its table is used,
 * beside English alone, only for text that is identified by words of that language. Function words differ too
 * much to mix: `no` is "in the" in Portuguese (docs/decisions/0130). A short reply has too few words to show its
 * language: what it replies to has more.
 */
import { lazy } from "../../base/memoize.ts";
import { type PhraseTable, readPhraseTable } from "./unspaced.ts";

const english = lazy(() => readPhraseTable("english.txt"));
const portuguese = lazy(() => readPhraseTable("portuguese.txt"));
const italian = lazy(() => readPhraseTable("italian.txt"));

export const commonTables = lazy((): readonly PhraseTable[] => [
  english(),
  ...(["german.txt", "spanish.txt", "french.txt"] as const).map(readPhraseTable),
]);

/**
 * The tables of a text. The same array for the same languages, because compiled patterns are cached by it.
 */
export function tablesFor(text: string): readonly PhraseTable[] {
  let tables = recentlyIdentified.get(text);
  if (tables === undefined) {
    tables = identified(text) ?? commonTables();
    characters += text.length;
    if (characters > CHARACTERS_MAX) {
      recentlyIdentified.clear();
      characters = text.length;
    }
    recentlyIdentified.set(text, tables);
  }
  return tables === commonTables() ? spoken?.distinct ?? tables : tables;
}

/** A sentence is matched with a hundred patterns, and those of a session again and again. */
const recentlyIdentified = new Map<string, readonly PhraseTable[]>();
let characters = 0;
const CHARACTERS_MAX = 500_000;

/** English, and what else is spoken in the exchange that is read; elsewhere the tables of the text. */
export function spokenTables(text: string): readonly PhraseTable[] {
  return spoken?.tables ?? tablesFor(text);
}

/** The languages of the exchange that is read. */
let spoken: Spoken | undefined;

interface Spoken {
  /** With English, which is mixed with all. */
  readonly tables: readonly PhraseTable[];
  /** The same, if one is among them that is not used for every text. */
  readonly distinct: readonly PhraseTable[] | undefined;
}

/**
 * Reads in the languages of these texts: "fallo" alone is no Italian, behind an Italian answer it is, and "die"
 * is no German in an English exchange.
 */
export function inLanguagesOf<Read>(texts: readonly string[], read: () => Read): Read {
  const outer = spoken;
  spoken = spokenIn(texts);
  try {
    return read();
  } finally {
    spoken = outer;
  }
}

/** Undefined if no word says which. */
function spokenIn(whole: readonly string[]): Spoken | undefined {
  const texts = whole.map((text) => text.slice(0, IDENTIFYING_CHARACTERS));
  const joint = texts.join("\n");
  const known = identified(joint);
  if (known !== undefined) return { tables: known, distinct: known };
  // One word of a text alone may be a name: 'use mit' behind an English answer.
  const languages = new Set(
    [...texts.map((text) => mostIn(text, WORDS_MIN)), mostIn(joint)].flatMap((one) => one ?? []),
  );
  if (languages.size === 0) return undefined;
  const tables = together(new Set([english(), ...languages]));
  return { tables, distinct: tables.every(isCommon) ? undefined : tables };
}

function isCommon(language: PhraseTable): boolean {
  return commonTables().includes(language);
}

/** More of an answer says no more of its language. */
const IDENTIFYING_CHARACTERS = 1200;

/** One array for the same languages. */
function together(languages: ReadonlySet<PhraseTable>): readonly PhraseTable[] {
  let tables = joined.find((one) =>
    one.length === languages.size && one.every((table) => languages.has(table))
  );
  if (tables === undefined) joined.push(tables = [...languages]);
  return tables;
}

const joined: (readonly PhraseTable[])[] = [];

const WORDS_MIN = 2;

/** The language with most function words, if the text has so many. */
function mostIn(text: string, min = 1): PhraseTable | undefined {
  const counts = new Map<PhraseTable, number>();
  for (const word of text.toLowerCase().match(WORD) ?? []) {
    for (const one of functionWords().get(word) ?? []) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  let most: PhraseTable | undefined;
  for (const one of languages()) {
    const least = most !== undefined
      ? counts.get(most) ?? 0
      : isCommon(one)
      ? 0
      : DISTINCT_WORDS_MIN - 1;
    if ((counts.get(one) ?? 0) > least) most = one;
  }
  return most !== undefined && (counts.get(most) ?? 0) >= min ? most : undefined;
}

/** Of a language that is not used for every text: 'o' alone is Spanish as well. */
const DISTINCT_WORDS_MIN = 2;

const languages = lazy(() => [...commonTables(), portuguese(), italian()]);

/** By word, which languages have it. */
const functionWords = lazy(() => {
  const words = new Map<string, PhraseTable[]>();
  for (const table of languages()) {
    for (const word of (table.get("languages.words") ?? []).flatMap((line) => line.split("|"))) {
      words.set(word, [...words.get(word) ?? [], table]);
    }
  }
  return words;
});

/** A language that is identified by its words. */
interface DistinctLanguage {
  readonly tables: () => readonly PhraseTable[];
  /** Words that only this language has, as they are typed. */
  readonly own: string;
  /** Function words of other languages that it does not have. */
  readonly others: string;
  /** Endings and word pairs that only this language has; global. */
  readonly more: () => RegExp;
}

const PORTUGUESE: DistinctLanguage = {
  tables: lazy(() => together(new Set([english(), portuguese()]))),
  // Only words that no other language has: `mas` is typed for `más`, `mais` is French, `um` is German and a
  // sound.
  own:
    `acho agora ainda alguém algum alguma amanha amanhã aprovado aprovar arquivo arquivos assim até aí
    avançar beleza blz bora caiu coisa coisas com commita commitar commite corrigi corrigir corrigiu
    daqui decidiu deixa deixar deixe deixei deixou dela dele deles depois desfaz deu devem devemos
    dezembro doravante dá ela ele eles equipa erro erros escolhemos escolher escolhi escreva escreve
    escrever esqueci esquece esqueça essa essas estou estava faz fazer fazemos fechado fechamos fechou
    feira feito fevereiro fica ficamos ficar fico ficou ficheiro ficheiros fiz foi foram gosto há hoje
    ideia ideias isso isto janeiro já lembra lembrar lembre lá maio manteve mantenha manter mantemos
    mantém mantem março melhor mesma mesmo mexa mexe mexer minha minhas mudança mudei muita muito nao
    naquela naquele nem nenhum nenhuma nessa nesse nesta neste ninguem ninguém nossa nossas nosso nossos
    novembro numa odeio obrigada obrigado ontem optei outubro passei passou pela pelo perfeito pode
    podem pois pra pras prazo precisa precisam precisamos preciso prefiro primeira primeiro quais quebra
    quebrou quem quer quero quis resolvi resolveu roda rodar rodando segue seguinte seja sem senha
    setembro seu seus sexta sim sobe subiu só também tambem tava tem terceira terceiro temos tenho terça
    teve tinha tirei tirou troca trocar trocamos troque trocou tudo tá têm tô uma vai valeu vc vcs viu
    você voce vocês voltamos voltar vou vão às é`,
  others:
    "auf che con dei del des di die el en es est et für gli ich il ist kann les los mit nel nicht per und una wenn wir y zu",
  more: lazy(() =>
    new RegExp(
      [
        String.raw`[ãõ]|\w{3}[cs](?:ao|oes)(?![\wà-ÿ])|ámos(?![\wà-ÿ])`,
        String.raw`[a-z](?:[aeiou][tvxzgdcnlm]|[rnsl][tdvgcm]|[io]r)ou(?![\wà-ÿ])`,
        // Endings ("opcao", "mudámos", "testou"); function words that only their neighbours identify ("o
        // valor do limite").
        String
          .raw`\ba gente\b|à espera|\bou n[oa]s? |\bem (?:tod[oa]s?|texto|ingl|portug|cada|vez|uma?) |\beu \w+o(?![\wà-ÿ])|^segund[ao]$|\bsempre (?:em|n[oa]s?|com|que|pel[oa]|por|os?|as|explique|me) |\bdevem? (?:ser|ficar|ter|estar|vir) `,
        String.raw`\bos? (?:[\wà-ÿ]+ ){1,2}(?:nas?|d[oa]|das) `,
      ].join("|"),
      "g",
    )
  ),
};

const ITALIAN: DistinctLanguage = {
  tables: lazy(() => together(new Set([english(), italian()]))),
  own:
    `aggiorna aggiungi agisci analizza comportati correggi dammi dimmi rimuovi abbiamo sempre devo entro adesso agli alla allora anche ancora andiamo aspetta aspettando
    aspettiamo avanti avevo avevamo bene bisogna capito chiedere chiedo chiesto committa committare
    credo dagli dalla dalle degli deciso della delle dello deve devono dobbiamo dopodomani domani
    dovrebbe errore errori faccio facciamo fammi fatto finché finche forse funzionato già giovedì
    giovedi gli hanno ieri intendevo invece lascia lasciamo lasciare lunedì lunedi manca mancano
    manteniamo martedì martedi meglio mercoledì messo metti mettiamo mostrami negli nella nelle nello
    nessun nessuno niente oggi ogni optiamo oppure passiamo perché perche però più piu poi possiamo
    preferisco provo proviamo può qualche quale quella quelli quello questa queste questi questo quindi
    restiamo resta ricordami ricordati riprova rilancia risposta scelto scegli scegliamo scrivi senza
    siamo sono spiegami stavolta subito sulla sulle teniamo tenere tieni togli togliere toccare torniamo
    troppo tutte tutti tutto usiamo vada vediamo venerdì venerdi vogliamo voglio vorrei è così cosi
    grazie servono`,
  others:
    "ao as auf com das de der des die el em en es est et für ich ist kann las les los mais mas mit na nicht não os por ser um und wenn wir y zu",
  more: lazy(() =>
    new RegExp(
      [
        String
          .raw`\b(?:c|cos|dov|com)['’]è(?![\wà-ÿ])|\b(?:dell|nell|sull|dall|quest)['’]\w|\bd['’](?:ora in|accordo)`,
        // "non" is French as well, and "ho" alone is ambiguous.
        String
          .raw`\bnon (?:ho|ha|hai|abbiamo|è|so|sappiamo|si \w|dimenticar\w*|[a-z]{1,9}[aei]re)(?![\wà-ÿ])|\bho [a-z]{2,12}[ts]o\b|\bsi è |^(?:la|il) (?:prim|second|terz)[ao]$`,
        String.raw`\b(?:il|lo|la|i|gli|le) [a-zà-ÿ]+ (?:di|dei|nel|nei|dello|della) `,
      ].join("|"),
      "g",
    )
  ),
};

const DISTINCT_LANGUAGES = [PORTUGUESE, ITALIAN];

/**
 * Two bits per language and word: the first if the word is its own, the second if it rules the language out.
 */
const wordBits = lazy(() => {
  const bits = new Map<string, number>();
  DISTINCT_LANGUAGES.forEach(({ own, others }, i) => {
    for (const [words, bit] of [[own, 1], [others, 2]] as const) {
      for (const word of words.split(/\s+/)) {
        bits.set(word, (bits.get(word) ?? 0) | bit << 2 * i);
      }
    }
  });
  return bits;
});

/**
 * Prefilter: text in one of these languages has a word of its own, one of these function words, or an accent.
 * Most texts have none of them and are done without a lookup for each word.
 */
const HINTS =
  "o os da na em um que por para de di il lo la gli le che non eu ho ou gente segunda segundo dell nell sull dall quest d";
const MARK = /[à-ÿ]|[cs](?:ao|oes)(?!\w)/;
const hints = lazy(() => {
  const words = DISTINCT_LANGUAGES.flatMap(({ own }) => own.split(/\s+/)).concat(HINTS.split(" "));
  return new Set(words.flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)]));
});

/** A word that is no part of a host name or a path. */
const WORD = /(?<![\wà-ÿ.@/-])[A-Za-zà-ÿ]+(?![\wà-ÿ/@-]|\.\w)/g;

/**
 * The tables of the language with the most words of its own, if these clearly outnumber the words against it.
 */
function identified(text: string): readonly PhraseTable[] | undefined {
  const words = text.match(WORD) ?? [];
  if (!MARK.test(text) && hints().isDisjointFrom(new Set(words))) return undefined;
  const found: number[] = [];
  for (const word of words) {
    const isCapital = word.charCodeAt(0) < SMALL_A;
    const bits = wordBits().get(word) ??
      (isCapital ? wordBits().get(word.charAt(0).toLowerCase() + word.slice(1)) : undefined);
    if (bits !== undefined) found.push(bits);
  }
  const count = (bit: number): number => found.filter((bits) => bits & bit).length;
  let [most, best]: [number, DistinctLanguage | undefined] = [0, undefined];
  for (const [i, language] of DISTINCT_LANGUAGES.entries()) {
    const own = count(1 << 2 * i) + (text.match(language.more())?.length ?? 0);
    if (own > most && own > OWN_TO_OTHERS * count(2 << 2 * i)) [most, best] = [own, language];
  }
  return best?.tables();
}

const SMALL_A = "a".charCodeAt(0);

/**
 * A sentence in another language may contain one of these words by chance, and a long answer quotes foreign
 * words.
 */
const OWN_TO_OTHERS = 2;
