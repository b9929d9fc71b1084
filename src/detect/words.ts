/**
 * Small words by what they do in an argument, in the languages that Sage reads. They are counted as a
 * part of a text's shape, never looked for as phrases; folded, so without accents. A `*` stands for any
 * ending.
 */
import { isCyrillic } from "../base/cyrillic.ts";
import { lazy, memoize } from "../base/memoize.ts";
import { fold } from "../base/text.ts";
import { russian } from "./cyrillic.ts";
import { listed } from "./languages.ts";
import { tablesEverywhere, tablesFor } from "./tables.ts";
import { type Table, wordsOf } from "./unspaced.ts";

export type Family =
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

const WORDS: Readonly<Record<Family, string>> = {
  /** Denials. */
  not:
    "not no none never nothing nobody neither nor cannot can't won't don't doesn't didn't isn't " +
    "aren't wasn't weren't hasn't haven't couldn't wouldn't without hardly unable nicht kein* nie " +
    "niemals niemand* nichts weder ohne kaum nirgends nee nein nunca ningun* nada nadie tampoco sin " +
    "jamas apenas ne n' pas aucun* jamais rien personne sans guere ni",
  /** A way is shut. */
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
  /** Who sets limits that a team cannot move. */
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
  /** What might be. */
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
  /** Somebody settles a matter. */
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
  /** Leans on what was said before. */
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

export type Families = Readonly<Record<Family, number>>;

/** Words that stand among others without a space, and how long the longest of them is. */
const unspaced = new Map<string, number>();
let charactersMost = 0;
const BEGINNING = 3;
const FAMILIES = Object.keys(WORDS) as Family[];

/** How many words there are of each family; of each word what `familyBits` says. */
export function countFamilies(words: readonly number[]): Families {
  const counts = new Array<number>(FAMILIES.length).fill(0);
  words.forEach((word) => {
    // From the highest bit down.
    for (let bits = word; bits !== 0;) {
      const i = 31 - Math.clz32(bits);
      counts[i] = (counts[i] ?? 0) + 1;
      bits ^= 1 << i;
    }
  });
  return byFamily((i) => counts[i] ?? 0);
}

/** The families that there are among words: 1 each. Sentences are many, and share few answers. */
export function familiesAmong(words: readonly number[]): Families {
  const bits = words.reduce((all, word) => all | word, 0);
  let families = among.get(bits);
  if (families === undefined) among.set(bits, families = byFamily((i) => bits >> i & 1));
  return families;
}

const among = new Map<number, Families>();

function byFamily(valueOf: (place: number) => number): Families {
  const families = {} as Record<Family, number>;
  for (let i = 0; i < FAMILIES.length; i++) families[FAMILIES[i] as Family] = valueOf(i);
  return families;
}

/** A bit for each family, by word and by the first letters of what may end otherwise. */
interface Vocabulary {
  readonly exact: ReadonlyMap<string, number>;
  readonly prefixes: ReadonlyMap<string, readonly [prefix: string, bits: number][]>;
  /** Words that are remembered: a server reads conversation after conversation. */
  readonly known: Map<string, number>;
}

/** Of the languages of every text, or of a table that is for a text of its own. */
const vocabularyOf = memoize((tables: readonly Table[]): Vocabulary => {
  const exact = new Map<string, number>();
  const prefixes = new Map<string, [prefix: string, bits: number][]>();
  FAMILIES.forEach((family, i) => {
    const lines = tables === tablesEverywhere()
      ? [WORDS[family]]
      : listed(`words.${family}`, tables).map(fold);
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

/** Those of the table: a text that has none of them never asks. */
function learnUnspaced(): void {
  FAMILIES.forEach((family, i) => {
    for (const word of wordsOf(`words.${family}`)) {
      unspaced.set(word, (unspaced.get(word) ?? 0) | 1 << i);
      charactersMost = Math.max(charactersMost, word.length);
    }
  });
}

/**
 * The words of a text without spaces: those of the families where they stand, the longest first, and of
 * all else two characters for one.
 */
export function wordsInRun(run: string): string[] {
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

const ofRussian = lazy((): readonly Table[] => [russian()]);

/** The families that folded words of a text are of, a bit each. */
export function familyBitsIn(text: string): (word: string) => number {
  const vocabulary = vocabularyOf(tablesFor(text));
  return (word) => familyBits(word, isCyrillic(word) ? vocabularyOf(ofRussian()) : vocabulary);
}

function familyBits(word: string, { exact, prefixes, known }: Vocabulary): number {
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
