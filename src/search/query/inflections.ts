/**
 * Inflected forms of a word, in languages that inflect more than English does: there a note has most words
 * of a question with other endings. Everything is folded as terms are: й is и, ü is u, ς is σ. Nouns and
 * verbs have separate paradigms, so that one does not lead to the other. Most forms generated are no words,
 * which does no harm, because no note has them.
 */
import { lazy } from "../../base/memoize.ts";

interface Paradigm {
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
}

export type Paradigms = () => readonly Paradigm[];

interface Script {
  readonly letters: RegExp;
  /** Letters of the shortest stem. */
  readonly stemMin: number;
  readonly paradigms: Paradigms;
}

/** Scripts by which the paradigms are known, although several languages share one. */
const SCRIPTS: readonly Script[] = [{
  // Russian, Ukrainian, Bulgarian and Serbian: nouns, adjectives, verbs by their themes with nouns made of them.
  letters: /^[\u0430-\u045f\u0491]+$/,
  stemMin: 3,
  paradigms: readParadigms(`
    - а я о е є ы и і у ю ь ом ем ам ям ами ями ах ях ов ев ів еи ою ею єю ью ові еві иі ия ие ии ию ием иям иями иях ія ію ії іи ієи іями іях ът ят та то те ите ета ове овете има ама
    ыи ии ои еи ая яя ое ее ые ие ого его ому ему ым им ых их ыми ими ую юю ою ею ом ем а я о е ы и у і ою іи - ия ият ата ото ите
    ать ает ают аем аете аешь ал ала ало али аю аи аите ан ана ано аны ание ания анию анием ании ании аться ается аются ался алась алось ались ати ає ають аємо ав ання анню анням атися ається аються авася авалися
    ять яет яют яем ял яла яло яли яю яи ян яна яно яны яние ения яться яется яются ялся ялась ялось ялись яти яє яють яв яння янню
    ить ит ят им ите ишь ил ила ило или ю у ен ена ено ены ение ения ению ением ении иться ится ятся атся ат ился илась илось ились ити ить ять имо ив или ення енню енням итися иться яться ився илася
    овать ует уют уем уете овал овала овало овали ован ована овано ованы ование ования ованию ованием овании оваться уется уются овался овалась овалось овались ую уи уите увати ує ують уємо ував увала ували ування уванню ований ується уються
    евать юет юют юем евал евала евало евали еван евание евания еваться юется юются юю
    еть еет еют еем ел ела ело ели ею ется утся ет ут ем у ю
    нуть нет нут нем нул нула нуло нули ну нута нуто нуты нутие нутия
    сти сть дет дут дем л ла ло ли ведет веду вести вел вела вели`),
}, {
  letters: /^[\u03ac-\u03ce]+$/,
  stemMin: 3,
  paradigms: readParadigms(`
    οσ ου ο ε οι ων ουσ εσ α η ησ
    α ασ εσ ων εασ εα εισ
    η ησ εισ εων εωσ
    ι ιου ια ιων
    μα ματοσ ματα ματων
    - σ
    ω εισ ει ουμε ετε ουν ομαι εσαι εται ομαστε ονται α εσ ε αμε ατε αν
    ζω ζεισ ζει ζουμε ζετε ζουν ζεται ζονται σα σεσ σε σαμε σαν σω σουμε σουν στηκε στηκαν στει στουν ση σησ σεισ σεων ξω ξε ξαμε ξουν ξη ξησ
    ω ασ α αμε ατε αν ουν ιεται ιουνται ησα ησε ησαμε ησαν ησω ησει ησουμε ησουν ηθηκε ηθηκαν ηθει ησησ ηση ησεισ
    ευω ευει ευουν ευεται ευονται ευσε ευσαν ευσει ευση ευσησ ευτηκε ψω ψε ψει`),
}, {
  // Arabic, and Persian, whose endings may be attached or written apart.
  letters: /^[\u0620-\u064a\u066e-\u06d3]+$/,
  stemMin: 3,
  paradigms: readParadigms(`
    - ال و وال ب بال ف لل ل ك | - ة ه ات ان ون ين ي ية ها هم نا ا ته تها ی های
    - ي ت ن ا و سي ست وي وت | - ه ها وا ون ت نا`),
}, {
  letters: /^[\u05d0-\u05ea]+$/,
  stemMin: 3,
  paradigms: readParadigms(`
    - ה ו ב ל מ ש כ וה שה מה כש וב ול | - ים ות ה י ת יה ו ם ן נו יות
    - נ מ ת י א ל ה | - ה ו ים ת ות נו תי`),
}, {
  letters: /^[\u0900-\u0963\u0970-\u097f]+$/,
  stemMin: 2,
  paradigms: readParadigms(`
    - ा े ी ि ों ें ो ियों ियां ियाँ ए ओं एं एँ ाओं ाएं ाएँ
    ना ने नी ता ती ते ना ा ी े ो ें ेगा ेगी ेंगे कर`),
}];

/** Letters of the shortest stem in Latin letters. */
const LATIN_STEM_MIN = 3;

/** Stems of a word that are tried, the shortest first. */
const STEMS_MAX = 4;

export function isInflectedScript(word: string): boolean {
  return scriptOf(word) !== undefined;
}

/** The other forms of a word, most of them no real words. `latin`: the paradigms for Latin letters. */
export function inflectionsOf(word: string, latin?: Paradigms): string[] {
  const script = scriptOf(word);
  const paradigms = script?.paradigms ?? latin;
  if (paradigms === undefined) return [];
  const forms = new Set<string>();
  for (const paradigm of paradigms()) {
    const { prefixes, suffixes } = paradigm;
    for (const stem of stemsOf(word, paradigm, script?.stemMin ?? LATIN_STEM_MIN)) {
      for (const prefix of prefixes) {
        for (const suffix of suffixes) forms.add(prefix + stem + suffix);
      }
    }
  }
  forms.delete(word);
  return [...forms];
}

function scriptOf(word: string): Script | undefined {
  if (word < "\x80") return undefined;
  return SCRIPTS.find(({ letters, stemMin }) => word.length >= stemMin && letters.test(word));
}

/** One paradigm a line: `prefixes | suffixes`, or suffixes only; `-` is the empty one. Parsed when first used. */
export function readParadigms(lines: string): Paradigms {
  return lazy(() =>
    lines.trim().split("\n").map((line) => {
      const [suffixes = "", prefixes = "-"] = line.split("|").reverse();
      return { prefixes: parts(prefixes), suffixes: parts(suffixes) };
    })
  );
}

function parts(half: string): string[] {
  return half.trim().split(/\s+/).map((part) => part === "-" ? "" : part);
}

function stemsOf(word: string, { prefixes, suffixes }: Paradigm, lengthMin: number): string[] {
  const stems = new Set<string>();
  for (const prefix of prefixes) {
    if (!word.startsWith(prefix)) continue;
    for (const suffix of suffixes) {
      const stem = word.slice(prefix.length, word.length - suffix.length);
      if (stem.length >= lengthMin && word.endsWith(suffix)) stems.add(stem);
    }
  }
  return [...stems].sort((a, b) => a.length - b.length).slice(0, STEMS_MAX);
}
