/**
 * Function words by their role in an argument, in every language that Sage reads. They are counted as a part
 * of a text's shape and never matched as phrases. Words are folded, so without accents; `*` stands for any
 * ending.
 */
import { isCyrillic } from "../../base/text/cyrillic.ts";
import { lazy, memoize } from "../../base/memoize.ts";
import { fold } from "../../base/text/text.ts";
import { russian } from "./russian.ts";
import { phraseLines } from "./phrase_patterns.ts";
import { commonTables, tablesFor } from "./phrase_tables.ts";
import { type PhraseTable, unspacedWords } from "./unspaced.ts";

export type WordClass =
  | "not"
  | "closed"
  | "outside"
  | "could"
  | "or"
  | "way"
  | "price"
  | "cause"
  | "whole"
  | "choose"
  | "other"
  | "back"
  | "assent";

const WORDS: Readonly<Record<WordClass, string>> = {
  /** Negations. */
  not:
    "not no none never nothing nobody neither nor cannot can't won't don't doesn't didn't isn't " +
    "aren't wasn't weren't hasn't haven't couldn't wouldn't without hardly unable nicht kein* nie " +
    "niemals niemand* nichts weder ohne kaum nirgends nee nein nunca ningun* nada nadie tampoco sin " +
    "jamas apenas ne n' pas aucun* jamais rien personne sans guere ni",
  /** An option is ruled out. */
  closed:
    "impossible forbid* forbade prohibit* refus* reject* excluded excludes unavailable missing allow* " +
    "permit* permission support* limit* cap capped caps only removed retired deprecated expire* " +
    "blocked blocks block unsupported maximum ceiling barred bars banned ban rules ruled shut ends " +
    "ended final whatever hard out gone require* mandatory binding closed denied deny declin* " +
    "insufficient exceed* beyond unreachable discontinu* sunset obsolete stopped longer waiv* over " +
    "dead stuck lost unusable incompatib* restrict* revoked void withheld embargo* frozen cancelled " +
    "canceled deleted destroyed vanish* dropped eol legally verbiet* verboten untersag* " +
    "ausgeschlossen schliesst ausschliess* unmoglich grenze* begrenz* hochstens nur darf durfen " +
    "erlaub* zulass* zulasst gesperrt sperr* fehlt fehlen entfallt abgelehnt endgultig verlang* " +
    "vorgeschrieben pflicht* reicht scheitert erfordert mehr vorbei gestrichen geschlossen " +
    "eingestellt verweiger* gescheitert genehmig* zwingend verfallt abgelaufen abgeschaltet prohib* " +
    "imposible solo limite* maximo excluye* exclu* niega rechaz* falta faltan exige* oblig* cerrad* " +
    "descart* bloque* agota* requier* cierra* vence* caduc* impide* retirad* elimin* limitad* vetad* " +
    "obsolet* interdi* seulement autoris* permet* plafonn* manqu* necessit* impos* bloqu* ferm* " +
    "ecart* empech* supprim* retir* epuis* obligatoire* perim* expir* abandonn*",
  /** Parties and things that set limits a team cannot move. */
  outside:
    "licen* terms contract* agreement* clause* law laws legal regulat* gdpr compliance polic* " +
    "statute* vendor* provider* supplier* manufacturer* maker* platform* api apis sdk store browser* " +
    "safari chrome firefox windows macos ios android apple google microsoft amazon aws azure kernel " +
    "firmware chip* hardware datasheet* standard* specification spec quota* tier plan plans account " +
    "insurer* insurance authority authorities board boards committee court courts permit* patent* " +
    "host hosting server* region* retention export physic* driver* ethic* approval* consent* exchange " +
    "interface* partner* regulator* university ministry bank* carrier* operator* customs city council " +
    "network* upstream extension* library sensor* battery endpoint* sandbox subscription* tariff* " +
    "manual docs documentation rule* data owner* client* customer* landlord auditor* archive* " +
    "publisher* journal* lab laboratory union* government state country union registry airport port " +
    "station* processor* cpu gpu memory bandwidth protocol* certificate* certification warranty " +
    "support* contractor* agency foundation sponsor* funder* church museum school hospital clinic " +
    "doctor* copyright lizenz* vertrag* gesetz* recht* verordnung* anbieter* hersteller* behorde* amt " +
    "vorschrift* norm normen satzung* schnittstelle* betreiber* ethik* einwilligung* stadt gericht* " +
    "kammer hochschule kasse* handbuch daten zulassung* lieferant* vermieter* eigentumer* kunde* " +
    "verlag* archiv* bauamt gemeinde* versicher* denkmal* land bund kreis verband zertifi* stecker " +
    "netz* ministerium universitat licencia* contrato* ley leyes proveedor* fabricante* norma* " +
    "normativa plataforma* reglamento clausula* etica comite consentimiento banco* ministerio " +
    "ayuntamiento datos interfaz ordenanza* convenio* cliente* dueno* archivo* aseguradora* operador* " +
    "red redes certific* contrat* loi lois fournisseur* fabricant* norme* plateforme* reglement* " +
    "hebergeur* ethique consentement banque* ministere mairie donnees bibliotheque* prefecture " +
    "assureur* proprietaire* archives editeur* operateur* reseau*",
  /** Possibility. */
  could:
    "could would might may can should either if konnte* wurde* ware* mochte* sollte* kann konnen wenn " +
    "liesse* hatte* podri* puede* seria* pued* si cabria podem* sirve pourr* peut peux serai* pouv* " +
    "peuvent",
  or:
    "or either otherwise alternatively instead oder entweder ansonsten alternativ stattdessen bien o " +
    "u ou soit sinon",
  way: "option* way ways possibilit* alternative* approach* route* path paths variant* choice* " +
    "candidate* first second third fourth one another last former latter two three four other middle " +
    "moglichkeit* weg wege variante* alternativ* ansatz ansatze erste* zweite* dritte* zwei drei vier " +
    "letzte* andere* opcion* camino* alternativa* posibilidad* manera* forma* primer* segund* tercer* " +
    "dos tres cuatro otra ultima voie* possibilite* choix solution* facon* maniere* premier* " +
    "premiere* deuxieme second* troisieme deux trois quatre autre* dernier*",
  price:
    "cost* price* cheap* expensive pay pays paid effort days day hours weeks week months month euros " +
    "euro dollars dollar pounds cents faster slower simpler safer riskier easier harder simplest " +
    "cheapest fastest safest but though although however yet downside* drawback* advantage* " +
    "disadvantage* trade* loses lose needs means quick* slow risk* afternoon maintenance overhead " +
    "free budget extra worse better less more gain* save* saves saving* kostet kosten kostenlos " +
    "preis* billig* teuer* aufwand tage* tag stunden wochen monate* aber dafur jedoch nachteil* " +
    "vorteil* einfach* schnell* langsam* allerdings braucht verliert risiko nachmittag gunstig* spart " +
    "bringt mehr weniger besser schlechter cuesta* coste* precio* barat* car* dias dia horas semana* " +
    "mes meses pero aunque ventaja* desventaja* inconveniente* riesgo* rapid* sencill* gratis ahorr* " +
    "pierde* mas menos mejor peor cambio cout* prix cher* jours jour heures semaine* mois mais " +
    "avantage* inconvenient* contrepartie risque* rapide* simple* gratuit* perd* revanche plus moins " +
    "mieux",
  cause:
    "because since therefore hence thus so explain* cause* reason* why due that's means settles fits " +
    "consistent comes came stems account* turned turns proves shows weil daher deshalb darum denn " +
    "also ursache* grund grunde erklart liegt lag damit somit kommt kam folglich passt heisst zeigt " +
    "entsteht porque por eso causa* explica* asi luego razon debe debia viene venia encaja significa " +
    "muestra demuestra parce donc explique* car ainsi raison* puisque vient venait montre signifie " +
    "colle correspond",
  whole:
    "all overall together altogether whole both every each everything summary sum short stands " +
    "settled neither remains rest net result conclusion finally picture verdict bottom line three " +
    "zusammen* insgesamt alles beide beides jede* steht bleibt ubrig kurz fazit ergebnis* unterm " +
    "strich gesamt* todo* todas junt* ambos ambas cada resumen queda quedan conjunto total balance " +
    "tout* ensemble chaque bref resume reste restent bilan",
  /** Somebody decides. */
  choose:
    "take go use keep choose chose decide* prefer* stick then let's we'll i'll rather instead goes " +
    "over than drop pick picked because want decided going settle* convinced deal done rest leave " +
    "nehm* bleib* entscheid* entschied* dann lieber machen mach* lass* statt weil will wollen wahl* " +
    "gehen elegi* vamos queda* prefier* entonces mejor porque hac* haz decid* quiero tira* adelante " +
    "optamos prenons prends gard* choisi* alors part* plutot parce fais* faisons opt* veux",
  other:
    "next now another else different other new unrelated separate meanwhile also topic subject besides " +
    "jetzt nun ander* neu* thema nachste* noch ausserdem nebenbei " +
    "ahora otra otro tema cambi* nuev* aparte ademas maintenant autre sujet passons change* nouve*",
  /** References to what was said before. */
  back: "it that this these those them they he she its there same again still so then and but " +
    "das es dies* den die sie er ihn dort gleich wieder noch und aber dann " +
    "eso esto esa este lo la los las ello mismo y pero entonces " +
    "ca cela ce cette il elle les le la meme et mais alors",
  assent:
    "agreed good clear understood right fine ok okay yes sure settled noted then done deal great makes " +
    "einverstanden gut klar verstanden alles dann abgemacht notiert passt jawohl ja " +
    "acuerdo bien entendido vale hecho perfecto anotado entonces si " +
    "d'accord entendu compris note parfait oui alors",
};

export type WordClassCounts = Readonly<Record<WordClass, number>>;

/** Words of unspaced languages, and the length of the longest. */
const unspaced = new Map<string, number>();
let charactersMost = 0;
const BEGINNING = 3;
const WORD_CLASSES = Object.keys(WORDS) as WordClass[];

/** Counts words by class; each number is the bit set of one word (`wordClassBits`). */
export function countWordClasses(words: readonly number[]): WordClassCounts {
  const counts = new Array<number>(WORD_CLASSES.length).fill(0);
  words.forEach((word) => {
    // From the highest bit down.
    for (let bits = word; bits !== 0;) {
      const i = 31 - Math.clz32(bits);
      counts[i] = (counts[i] ?? 0) + 1;
      bits ^= 1 << i;
    }
  });
  return byWordClass((i) => counts[i] ?? 0);
}

/**
 * Which classes occur among words, 1 each. Kept by bit set: there are many sentences and few different sets.
 */
export function wordClassesAmong(words: readonly number[]): WordClassCounts {
  const bits = words.reduce((all, word) => all | word, 0);
  let counts = among.get(bits);
  if (counts === undefined) among.set(bits, counts = byWordClass((i) => bits >> i & 1));
  return counts;
}

const among = new Map<number, WordClassCounts>();

function byWordClass(valueOf: (place: number) => number): WordClassCounts {
  const counts = {} as Record<WordClass, number>;
  for (let i = 0; i < WORD_CLASSES.length; i++) counts[WORD_CLASSES[i] as WordClass] = valueOf(i);
  return counts;
}

/** The bit set of each word, and of each prefix (words with `*`), by its first letters. */
interface Vocabulary {
  readonly exact: ReadonlyMap<string, number>;
  readonly prefixes: ReadonlyMap<string, readonly [prefix: string, bits: number][]>;
  /** Words looked up before, with a bound: a server reads one conversation after another. */
  readonly known: Map<string, number>;
}

/** For the languages of every text, or for a table that is used for identified text only. */
const vocabularyOf = memoize((tables: readonly PhraseTable[]): Vocabulary => {
  const exact = new Map<string, number>();
  const prefixes = new Map<string, [prefix: string, bits: number][]>();
  WORD_CLASSES.forEach((wordClass, i) => {
    const lines = tables === commonTables()
      ? [WORDS[wordClass]]
      : phraseLines(`words.${wordClass}`, tables).map(fold);
    for (const word of lines.flatMap((line) => line.split(" "))) {
      if (!word.endsWith("*")) exact.set(word, (exact.get(word) ?? 0) | 1 << i);
      else {
        const beginning = word.slice(0, BEGINNING);
        const known = prefixes.get(beginning) ?? [];
        prefixes.set(beginning, [...known, [word.slice(0, -1), 1 << i]]);
      }
    }
  });
  return { exact, prefixes, known: new Map() };
});

/** Read only when the first unspaced text comes. */
function learnUnspaced(): void {
  WORD_CLASSES.forEach((wordClass, i) => {
    for (const word of unspacedWords(`words.${wordClass}`)) {
      unspaced.set(word, (unspaced.get(word) ?? 0) | 1 << i);
      charactersMost = Math.max(charactersMost, word.length);
    }
  });
}

/**
 * Splits unspaced text: known words where they occur, longest first, and everything else in pieces of two
 * characters.
 */
export function unspacedWordsIn(run: string): string[] {
  if (unspaced.size === 0) learnUnspaced();
  const words: string[] = [];
  let from = 0;
  for (let at = 0; at < run.length;) {
    let length = Math.min(charactersMost, run.length - at);
    while (length > 0 && !unspaced.has(run.slice(at, at + length))) length--;
    if (length > 0 && from < at) words.push(run.slice(from, at));
    at += Math.max(1, length);
    if (length > 0) words.push(run.slice(at - length, at));
    else if (at - from === 2 || at === run.length) words.push(run.slice(from, at));
    else continue;
    from = at;
  }
  return words;
}

const KNOWN_MAX = 20_000;
const NONE: readonly [string, number][] = [];

const ofRussian = lazy((): readonly PhraseTable[] => [russian()]);

/** Returns a function from a folded word of this text to the bit set of its classes. */
export function wordClassBitsIn(text: string): (word: string) => number {
  const vocabulary = vocabularyOf(tablesFor(text));
  return (word) => wordClassBits(word, isCyrillic(word) ? vocabularyOf(ofRussian()) : vocabulary);
}

function wordClassBits(word: string, { exact, prefixes, known }: Vocabulary): number {
  const last = known.get(word);
  if (last !== undefined) return last;
  const bits = (prefixes.get(word.slice(0, BEGINNING)) ?? NONE).reduce(
    (all, [prefix, own]) => word.startsWith(prefix) ? all | own : all,
    exact.get(word) ?? unspaced.get(word) ?? 0,
  );
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(word, bits);
  return bits;
}
