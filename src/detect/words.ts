/**
 * Small words by what they do in an argument, in the languages that Sage reads. They are counted as a
 * part of a text's shape, never looked for as phrases; folded, so without accents. A `*` stands for any
 * ending.
 */
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
  | "thanks";

const WORDS: Readonly<Record<Family, string>> = {
  /** Denials. */
  not:
    "not no none never nothing nobody neither nor cannot can't won't don't doesn't didn't isn't " +
    "aren't wasn't weren't hasn't haven't couldn't wouldn't without " +
    "nicht kein* nie niemals niemand* nichts weder ohne " +
    "nunca ningun* nada nadie tampoco sin ne n' pas aucun* jamais rien personne sans",
  /** A way is shut. */
  closed:
    "impossible forbid* forbidden prohibit* refus* reject* excluded excludes unavailable missing " +
    "allow* permit* support* limit* cap capped caps only removed retired deprecated expire* blocked blocks " +
    "unsupported maximum ceiling barred banned rules ruled shut ends ended final whatever hard out gone " +
    "require* mandatory binding closed denied declin* insufficient exceed* beyond unreachable discontinu* " +
    "sunset obsolete stopped longer waiv* " +
    "verlang* vorgeschrieben pflicht* reicht scheitert sperr* schliesst aus erfordert mehr " +
    "exige* oblig* cerrad* descart* bloque* agota* requier* cierra* vence* " +
    "necessit* impos* bloqu* ferm* ecart* exige* " +
    "verbiet* verboten untersag* ausgeschlossen schliesst unmoglich grenze* begrenz* hochstens nur darf " +
    "durfen erlaub* zulass* zulasst gesperrt fehlt entfallt abgelehnt endgultig " +
    "prohib* imposible solo permit* limite* maximo excluye* niega rechaz* falta " +
    "interdi* impossible seulement autoris* permet* exclu* refus* plafonn* maximum manqu*",
  /** Who sets limits that a team cannot move. */
  outside:
    "licen* terms contract* agreement* clause* law* legal regulat* gdpr compliance polic* statute* " +
    "vendor* provider* supplier* manufacturer* maker* platform* api apis sdk store browser* safari chrome " +
    "firefox windows macos ios android apple google microsoft amazon aws kernel firmware chip* hardware " +
    "datasheet* standard* specification spec quota* tier plan plans account insurer authority board " +
    "committee court permit* patent* host hosting server* region* retention export physic* driver* " +
    "ethic* approval* consent* exchange interface* partner* regulator* university ministry bank* carrier " +
    "operator* customs city council network* upstream extension* library sensor* battery endpoint* " +
    "sandbox subscription* tariff* manual docs documentation rule* data " +
    "ethik* einwilligung* stadt gericht kammer hochschule kasse* schnittstellen handbuch daten zulassung* " +
    "etica comite consentimiento banco ministerio ayuntamiento datos interfaz licencias " +
    "ethique comite consentement banque ministere mairie donnees interface* bibliotheque* " +
    "lizenz* vertrag* vertrage gesetz* recht* verordnung* anbieter* hersteller* behorde* amt vorschrift* " +
    "norm satzung* schnittstelle* betreiber* " +
    "licencia* contrato* ley* proveedor* fabricante* norma* plataforma* reglamento clausula* " +
    "contrat* loi* fournisseur* fabricant* norme* plateforme* reglement* hebergeur* clause*",
  /** What might be. */
  could: "could would might may can should either if " +
    "konnte* wurde* ware* mochte* sollte* kann konnen wenn " +
    "podri* puede* seria* pued* si pourr* peut peux serai* pouv*",
  or: "or either otherwise alternatively oder entweder ansonsten bien ou soit sinon o",
  way:
    "option* way ways possibilit* alternative* approach* route* path* variant* choice* candidate* " +
    "first second third one another last former latter two three " +
    "moglichkeit* weg wege variante* alternativ* erste* zweite* dritte* zwei drei " +
    "opcion* camino* alternativa* posibilidad* primer* segund* tercer* dos tres otra " +
    "voie* possibilite* choix premier* premiere* deuxieme second* troisieme deux trois autre",
  price:
    "cost* price* cheap* expensive pay pays paid effort days day hours weeks week months month euros " +
    "dollars cents faster slower simpler safer riskier easier harder but though although however yet " +
    "downside* drawback* advantage* trade* loses lose needs means quick* " +
    "kostet kosten preis* billig* teuer* aufwand tage* tag stunden wochen monate* euro aber dafur " +
    "jedoch nachteil* vorteil* einfacher schneller langsamer allerdings braucht verliert " +
    "cuesta* coste* precio* barat* car* dias horas semana* mes meses pero aunque ventaja* inconveniente* " +
    "cout* prix cher* jours heures semaine* mois mais avantage* inconvenient* contrepartie",
  cause:
    "because since therefore hence thus so explain* cause* reason* why due that's means settles fits " +
    "weil daher deshalb darum denn also ursache grund erklart liegt damit somit " +
    "porque por eso causa* explica* asi luego razon " +
    "parce donc cause* explique* car ainsi raison puisque",
  whole:
    "all overall together altogether whole both every each everything summary sum short stands settled " +
    "neither remains rest zusammen insgesamt alles beide beides jede* steht bleibt ubrig kurz " +
    "todo* todas junt* ambos ambas cada resumen queda conjunto " +
    "tout* ensemble chaque bref resume reste",
  /** Somebody settles a matter. */
  choose:
    "take go use keep choose decide* prefer stick then let's we'll i'll rather instead goes " +
    "over than drop pick because want " +
    "nehm* bleib* entscheid* dann lieber machen lass* statt weil " +
    "elegi* vamos queda* prefier* entonces mejor porque hac* decid* " +
    "prenons prends gard* choisi* alors part* plutot parce decid*",
  other:
    "next now another else different other new unrelated separate meanwhile also topic subject besides " +
    "jetzt nun ander* neu* thema nachste* noch ausserdem nebenbei " +
    "ahora otra otro tema cambi* nuev* aparte ademas maintenant autre sujet passons change* nouve*",
  /** Leans on what was said before. */
  back: "it that this these those them they he she its there same again still so then and but " +
    "das es dies* den die sie er ihn dort gleich wieder noch und aber dann " +
    "eso esto esa este lo la los las ello mismo y pero entonces " +
    "ca cela ce cette il elle les le la meme et mais alors",
  thanks: "thanks thank thx great perfect good nice ok okay cool wow lovely " +
    "danke gut super prima schon perfekt sehr gracias perfecto bien genial vale merci parfait super bien",
};

export type Families = Readonly<Record<Family, number>>;

const [exact, prefixes] = [new Map<string, number>(), new Map<string, number>()];
const FAMILIES = Object.keys(WORDS) as Family[];

/** How many words of each family stand among folded words. */
export function countFamilies(words: readonly string[]): Families {
  if (exact.size === 0) learn();
  const counts = Object.fromEntries(FAMILIES.map((family) => [family, 0])) as Record<
    Family,
    number
  >;
  for (const word of words) {
    const bits = bitsOf(word);
    for (let i = 0; bits >> i !== 0; i++) {
      const family = FAMILIES[i];
      if ((bits >> i & 1) === 1 && family !== undefined) counts[family]++;
    }
  }
  return counts;
}

function learn(): void {
  FAMILIES.forEach((family, i) => {
    for (const word of WORDS[family].split(" ")) {
      const isPrefix = word.endsWith("*");
      const [table, key] = isPrefix ? [prefixes, word.slice(0, -1)] : [exact, word];
      table.set(key, (table.get(key) ?? 0) | 1 << i);
    }
  });
}

const known = new Map<string, number>();

function bitsOf(word: string): number {
  let bits = known.get(word);
  if (bits !== undefined) return bits;
  bits = exact.get(word) ?? 0;
  for (let end = 2; end <= word.length && end <= 12; end++) {
    bits |= prefixes.get(word.slice(0, end)) ?? 0;
  }
  known.set(word, bits);
  return bits;
}
