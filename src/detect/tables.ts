/**
 * Which tables a text is asked with. Those of four languages are for every text, for people mix them. A further
 * one would make every pattern dearer for those who write none of it: it is for what has a word that only its
 * language has, and there it stands beside English alone. What is small in one language says much in the next:
 * `no` is "in the" in Portuguese (docs/decisions/0130).
 */
import { lazy } from "../base/memoize.ts";
import { readTable, type Table } from "./unspaced.ts";

const english = lazy(() => readTable("english.txt"));
const portuguese = lazy((): readonly Table[] => [english(), readTable("portuguese.txt")]);

export const tablesEverywhere = lazy((): readonly Table[] => [
  english(),
  ...(["german.txt", "spanish.txt", "french.txt"] as const).map(readTable),
]);

/** The tables of a text: the same list for the same languages, for patterns are known by it. */
export function tablesFor(text: string): readonly Table[] {
  let tables = lately.get(text);
  if (tables === undefined) {
    tables = isPortuguese(text) ? portuguese() : tablesEverywhere();
    if (lately.size >= LATELY_MAX) lately.clear();
    lately.set(text, tables);
  }
  return tables;
}

/** A sentence is asked a hundred patterns in a row, and its prompt some between. */
const lately = new Map<string, readonly Table[]>();
const LATELY_MAX = 32;

function isPortuguese(text: string): boolean {
  const own = text.match(OWN())?.length ?? 0;
  return own > 0 && own > OWN_TO_OTHERS * (text.match(OTHERS())?.length ?? 0);
}

/** A sentence in another language may have a word of it by chance, and a long answer in it some of another. */
const OWN_TO_OTHERS = 2;

/** No words that others have as well: `mas` is typed for `más`, `mais` is French, `um` German and a sound. */
const OWN = signOf(
  "acho agora ainda alguém algum alguma amanha amanhã aprovado aprovar arquivo arquivos assim até aí avançar beleza " +
    "blz bora caiu coisa coisas com commita commitar commite corrigi corrigir corrigiu daqui decidiu deixa deixar " +
    "deixe deixei deixou dela dele deles depois desfaz deu deve devem devemos dezembro doravante dá ela ele eles " +
    "equipa erro erros escolhemos escolher escolhi escreva escreve escrever esqueci esquece esqueça essa essas estou " +
    "estava faz fazer fazemos fechado fechamos fechou feira feito fevereiro fica ficamos ficar fico ficou ficheiro " +
    "ficheiros fiz foi foram gosto há hoje ideia ideias isso isto janeiro já lembra lembrar lembre lá maio manteve " +
    "mantenha manter mantemos mantém mantem março melhor mesma mesmo mexa mexe mexer minha minhas mudança mudei muita " +
    "muito nao naquela naquele nem nenhum nenhuma nessa nesse nesta neste ninguem ninguém nossa nossas nosso nossos " +
    "novembro numa odeio obrigada obrigado ontem optei outubro passei passou pela pelo perfeito pode podem pois pra " +
    "pras prazo precisa precisam precisamos preciso prefiro primeira primeiro quais quebra quebrou quem quer quero quis resolvi " +
    "resolveu roda rodar rodando segue seguinte seja sem sempre senha setembro seu seus sexta sim sobe subiu só " +
    "também tambem tava tem terceira terceiro temos tenho terça teve tinha tirei tirou troca trocar trocamos troque trocou tudo tá têm " +
    "tô uma vai valeu vc vcs viu você voce vocês voltamos voltar vou vão às é",
  // Letters and endings: "não", "opcao", "mudámos", "testou".
  String.raw`[ãõ]|\w{3}[cs](?:ao|oes)(?![\wà-ÿ])|ámos(?![\wà-ÿ])`,
  String.raw`[a-z](?:[aeiou][tvxzgdcnlm]|[rnsl][tdvgcm]|[io]r)ou(?![\wà-ÿ])`,
  // Small words that tell by what stands beside them, "o valor do limite", or that nothing does.
  String
    .raw`\ba gente\b|à espera|\bou n[oa]s? |\bem (?:tod[oa]s?|texto|cada|vez|uma?) |\beu \w+o(?![\wà-ÿ])|^segund[ao]$`,
  String.raw`\bos? (?:[\wà-ÿ]+ ){1,2}(?:nas?|d[oa]|das) `,
);

/** Small words of the four that Portuguese has not. */
const OTHERS = signOf("con del des die el en es est et les los und una y");

/** Words by themselves, as they are typed or with a capital, and no part of a host or a path; and what else tells. */
function signOf(words: string, ...more: readonly string[]): () => RegExp {
  return lazy(() => {
    const typed = words.split(" ").flatMap((word) => [word, capitalized(word)]).join("|");
    const whole = String.raw`(?<![\wà-ÿ.@/-])(?:${typed})(?![\wà-ÿ/@-]|\.\w)`;
    return new RegExp([whole, ...more].join("|"), "g");
  });
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
