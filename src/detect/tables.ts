/**
 * Which tables a text is asked with. Those of four languages are for every text, for people mix them. A further
 * one would make every pattern dearer for those who write none of it: it is for what has a word that only its
 * language has, and there it stands beside English alone. What is small in one language says much in the next:
 * `no` is "in the" in Portuguese (docs/decisions/0130).
 */
import { lazy } from "../base/memoize.ts";
import { readTable, type Table } from "./unspaced.ts";

const english = lazy(() => readTable("english.txt"));

export const tablesEverywhere = lazy((): readonly Table[] => [
  english(),
  ...(["german.txt", "spanish.txt", "french.txt"] as const).map(readTable),
]);

/** The tables of a text: the same list for the same languages, for patterns are known by it. */
export function tablesFor(text: string): readonly Table[] {
  let tables = lately.get(text);
  if (tables === undefined) {
    tables = apart(text) ?? tablesEverywhere();
    characters += text.length;
    if (characters > CHARACTERS_MAX) {
      lately.clear();
      characters = text.length;
    }
    lately.set(text, tables);
  }
  return tables;
}

/** Each sentence is asked a hundred patterns, and those of a session again and again. */
const lately = new Map<string, readonly Table[]>();
let characters = 0;
const CHARACTERS_MAX = 500_000;

/** A language that is told by its words. */
interface Apart {
  readonly tables: () => readonly Table[];
  /** Words that it alone has, as they are typed; small words that it has not; what tells beside words. */
  readonly own: string;
  readonly others: string;
  readonly more: () => RegExp;
}

const PORTUGUESE: Apart = {
  tables: lazy(() => [english(), readTable("portuguese.txt")]),
  // None that others have as well: `mas` is typed for `más`, `mais` is French, `um` German and a sound.
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
  others: "che con dei del des di die el en es est et gli il les los nel per und una y",
  more: lazy(() =>
    new RegExp(
      [
        String.raw`[ãõ]|\w{3}[cs](?:ao|oes)(?![\wà-ÿ])|ámos(?![\wà-ÿ])`,
        String.raw`[a-z](?:[aeiou][tvxzgdcnlm]|[rnsl][tdvgcm]|[io]r)ou(?![\wà-ÿ])`,
        // Endings: "opcao", "mudámos", "testou". Small words that tell by what stands beside them, "o valor do limite", or that nothing does.
        String
          .raw`\ba gente\b|à espera|\bou n[oa]s? |\bem (?:tod[oa]s?|texto|ingl|portug|cada|vez|uma?) |\beu \w+o(?![\wà-ÿ])|^segund[ao]$|\bsempre (?:em|n[oa]s?|com|que|pel[oa]|por|os?|as|explique|me) |\bdevem? (?:ser|ficar|ter|estar|vir) `,
        String.raw`\bos? (?:[\wà-ÿ]+ ){1,2}(?:nas?|d[oa]|das) `,
      ].join("|"),
      "g",
    )
  ),
};

const ITALIAN: Apart = {
  tables: lazy(() => [english(), readTable("italian.txt")]),
  own: `abbiamo sempre devo entro adesso agli alla allora anche ancora andiamo aspetta aspettando
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
    "ao as com das de der des die el em en es est et las les los mais mas na não os por ser um und y",
  more: lazy(() =>
    new RegExp(
      [
        String
          .raw`\b(?:c|cos|dov|com)['’]è(?![\wà-ÿ])|\b(?:dell|nell|sull|dall|quest)['’]\w|\bd['’](?:ora in|accordo)`,
        // "non" is French as well, and "ho" no word of it alone.
        String
          .raw`\bnon (?:ho|ha|hai|abbiamo|è|so|sappiamo|si \w|dimenticar\w*|[a-z]{1,9}[aei]re)(?![\wà-ÿ])|\bho [a-z]{2,12}[ts]o\b|\bsi è |^(?:la|il) (?:prim|second|terz)[ao]$`,
        String.raw`\b(?:il|lo|la|i|gli|le) [a-zà-ÿ]+ (?:di|dei|nel|nei|dello|della) `,
      ].join("|"),
      "g",
    )
  ),
};

const APART = [PORTUGUESE, ITALIAN];

/** A bit for each language that has a word alone, and one for each that has it not. */
const telling = lazy(() => {
  const bits = new Map<string, number>();
  APART.forEach(({ own, others }, i) => {
    for (const [words, bit] of [[own, 1], [others, 2]] as const) {
      for (const word of words.split(/\s+/)) {
        bits.set(word, (bits.get(word) ?? 0) | bit << 2 * i);
      }
    }
  });
  return bits;
});

/**
 * What a text in one of them can hardly do without: a word that is its own, a small one that is none of English,
 * or a mark. Most texts have neither, and that is told without a look at each word.
 */
const HINTS =
  "o os da na em um que por para de di il lo la gli le che non eu ho ou gente segunda segundo dell nell sull dall quest d";
const MARK = /[à-ÿ]|[cs](?:ao|oes)(?!\w)/;
const hints = lazy(() => {
  const words = APART.flatMap(({ own }) => own.split(/\s+/)).concat(HINTS.split(" "));
  return new Set(words.flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)]));
});

/** No part of a host or a path. */
const WORD = /(?<![\wà-ÿ.@/-])[A-Za-zà-ÿ]+(?![\wà-ÿ/@-]|\.\w)/g;

/** The tables of the language that most of its telling words are of, where they are enough. */
function apart(text: string): readonly Table[] | undefined {
  const words = text.match(WORD) ?? [];
  if (!MARK.test(text) && hints().isDisjointFrom(new Set(words))) return undefined;
  const found: number[] = [];
  for (const word of words) {
    const isCapital = word.charCodeAt(0) < SMALL_A;
    const bits = telling().get(word) ??
      (isCapital ? telling().get(word.charAt(0).toLowerCase() + word.slice(1)) : undefined);
    if (bits !== undefined) found.push(bits);
  }
  const count = (bit: number): number => found.filter((bits) => bits & bit).length;
  let [most, best]: [number, Apart | undefined] = [0, undefined];
  for (const [i, one] of APART.entries()) {
    const own = count(1 << 2 * i) + (text.match(one.more())?.length ?? 0);
    if (own > most && own > OWN_TO_OTHERS * count(2 << 2 * i)) [most, best] = [own, one];
  }
  return best?.tables();
}

const SMALL_A = "a".charCodeAt(0);

/** A sentence in another language may have a word of it by chance, and a long answer in it some of another. */
const OWN_TO_OTHERS = 2;
