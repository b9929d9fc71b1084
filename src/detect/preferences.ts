/**
 * How a person wants things done, beyond the task at hand: what they like, what is always and what is
 * never to be. Said once and expected to hold, so it is told wherever decisions are.
 */
import { collapse, splitTyped } from "../base/text.ts";
import { spoken } from "./clean.ts";
import { isAsked, isQuestion, isTorn, type Sentence, sentencesOf } from "./sentences.ts";
import type { Turn } from "../editor/editor.ts";
import { onlyUnspaced, type Wider, wider } from "./unspaced.ts";

/** A taste, a habit, or that something holds from now on. */
const HOLDS: readonly (RegExp | Wider)[] = [
  onlyUnspaced("preferences.holds"),
  /\b(?:i(?:'d| would)? (?:really |strongly |much )?(?:prefer|rather(?! (?:think|doubt|suspect|guess)\b))|i (?:like|love|hate|dislike|don't like|can't stand)|we (?:prefer|usually(?! (?:get|see|have|hit)\b))|our (?:convention|style|rule|habit)s?(?= (?:is|are|says?|has|for|here|to|in|on|about|that|with)\b|[:,.;!]|$)|from now on(?! (?:it|that|this)(?:['’]s| \w+s)\b)|by default,? (?:use(?! of\b)|write|keep))\b/i,
  /\bwe (?:always|never(?! \w+ (?:this|that|it|these|those|them)\b)) (?!\w+ed\b|had|got|get\b|see\b|hit\b|run into|saw|knew|found|did|were)/i,
  /\b(?:ich (?:bevorzuge|mag(?! (?:nicht|dein\w*|das|den|die|dies\w*|option|variante|lösung)\b)|hätte lieber(?=,? (?:dass|wenn|immer)\b))|wir (?:bevorzugen|nehmen immer|schreiben immer)|(?:ab (?:jetzt|sofort)|in zukunft(?! (?:wird|werden|würde)\b)|künftig)(?! (?:ha(?:t|ben)|komm(?:t|en)|läuft|laufen|(?:ist|sind) (?:die|der|das|eine?|unsere?))\b)|eiserne regel|merk(?:e)? dir)\b/i,
  /^(?:(?:the|a|one|new|house|die|eine|neue|unsere) )*(?:rule|regel)(?: [a-zà-ÿ]+){0,4}: /i,
  /\b(?:that|this|it)(?:['’]s| is) (?:a|an|the|our|my) (?:hard|house|golden|iron|firm|absolute) rule\b/i,
  /\b(?:prefiero|preferimos|je préfère|nous préférons)\b/i,
  // What is so by now is told with the same word: "désormais ça plante".
  /(?<![\wà-ÿ])(?:a partir de ahora|de ahora en adelante|à partir de maintenant|dorénavant|désormais)(?!,? (?:ça|cela|ils?|elles?|c['’]est|plus rien|rien|nada|todo|me|se|no (?:funciona|arranca|va|sale)|falla|tarda|plante|(?:les?|la|el|los|las|mon|ma|mi) \S+ (?:est (?!en\b|obligatoire)|es |está|ha |ont? |ne |n['’]|no |falla|plante|échoue|tarda))) /i,
];
/** An order that holds always, where a clause begins: 'it always fails' is none. */
const ALWAYS =
  /(?:^|[.!?;:,–—]\s|\b(?:and|but|please|also|so|then|und|aber|bitte|dann) )(?:please |bitte |por favor,? |s'il te plaît,? )?(?:(?:(?:for|für|bei) (?:this|these|all|every|our|my|diese\w*|jede\w*) [\wà-ÿ-]+|in (?:this|every|our|my|diese\w*) (?:project|projekt|repo\w*|codebase)),? )?(?:(?:nimm|nutze?|schreibe?|mach|antworte) )?(?:always|never|don't ever|do not ever|immer|nie|niemals) (?!(?:at|in|on|when|after|before|been|mind|again|there|the|an?|\w+ed|seen|saw|had|heard|knew|got|thought|done|was|were|did|(?<=immer )wieder|noch|mehr|wenn|nur|dann|derselbe|dieselbe|dasselbe|(?:der|die|das) gleiche|happens|fails|breaks|crashes|freezes|hangs|works|finishes|comes|goes|gets|shows|returns|takes|loads|starts|stops|ends|appears|throws|says|gives|occurs)\b)[a-zà-ÿ]/i;
/**
 * The same in Spanish and French, where the verb of an order has a form of its own, or stands in front: 'nunca
 * subas', 'ne pousse jamais'. "Siempre falla" and "toujours rouge" tell how it is.
 */
const ALWAYS_ROMANCE =
  /(?:^|[.!?;:,–—]\s|\b(?:y|pero|et|mais) )(?:por favor,? |s'il te plaît,? )?(?:siempre (?:usa|haz|pon|escribe|ejecuta|comprueba|revisa|responde|pregunta|añade|\w{2,}[aei]r(?=\s))(?![\wà-ÿ])|(?:siempre|nunca) (?:hay que|se debe)\b|nunca (?!(?:antes|has|eres|vas|es|m[aá]s|dos|tres)(?![\wà-ÿ]))(?:\w{2,}[ae]s|\w{2,}[aei]r)(?=\s)|toujours (?!(?:hier|pour|sur|leur|être)\b)[a-zà-ÿ]{3,}(?:er|ir|re)(?=\s)|jamais (?:[a-zà-ÿ]{3,}(?:er|ir|re)(?=\s)|(?:de |d['’])(?!(?:la|problème|réponse|souci|erreur|bug|nouvelles)))|(?:ne |n['’])(?!(?:ai|as?|avons|avez|ont|est|suis|sont|marche|fonctionne|passe|finit|répond|termine)\b)[a-zà-ÿ]+ jamais(?![\wà-ÿ])|(?:utilise|lance|écris|mets|fais|réponds|vérifie|demande|garde)[sz]? toujours(?![\wà-ÿ]))/i;
const ROMANCE_SIGN = /siempre|nunca|toujours|jamais/i;
/** What may never be, and what may only be so; 'may never finish' fears it, 'werden immer langsamer' tells it. */
const MUST =
  /\b(?:(?:must|shall|you should) (?:be )?(?:always|never)(?! have \w+e[dn]\b)|may never (?=again\b|be\b)|(?:darf|dürfen|soll|sollen|müssen|muss|werden)\b[^,.;:!?]{0,80}?\b(?:nie|niemals|immer(?! (?:wieder|noch|mehr|\w+er)\b)))\b/i;
/** One of the ways is taken, and what must be is why: a decision of this project. */
const CHOOSES =
  /^(?:(?:ok|okay|yes|no|right|good|fine|alright|ja|nein|gut|dann|also)[,.!]? )*(?:let['’]?s (?:go|take|use|do|keep|stay|stick)|(?:we|i)(?:['’]ll| will)? (?:go|take|choose)|nehmen wir|wir nehmen|nimm|gehen wir|bleiben wir|(?!we\b|you\b)[^\s,.;:!?]+(?: [^\s,.;:!?]+){0,2} (?:then|dann))\b/i;
/** Asked for in so many projects, or in this one: more than the task at hand. */
const EVERYWHERE =
  /\b(?:please|bitte)\b.{0,80}\b(?:in (?:this|every|any|all) (?:project|repo|repository|projects|repositories)|in (?:diesem|keinem|jedem|allen) projekt(?:en)?)\b/i;
/** Meant for every project, as it is said; "everywhere" alone is everywhere in this one. */
const EVERY_PROJECT =
  /\b(?:for|in|across|für|bei) (?:all|every|each|any|alle[nr]?|jede[ms]) (?:projects?|repos?|repositor(?:y|ies)|codebases?|projekte?n?|repositories)\b/i;
/** The same where nothing else can be meant: a workspace has "all projects" too, and they are built today. */
const ALL_OF_MINE = wider(
  "preferences.all_of_mine",
  /\b(?:(?:for|in|across|with) (?:all|every|each|any)(?: (?:one )?of)? (?:my|our)(?: other)? (?:projects?|repos?|repositories|codebases)|(?:project|repo|repository) of (?:mine|ours)|(?:no matter|regardless of) (?:which |what |the )?(?:project|repo|repository)|(?:everywhere|wherever) i work|always,? (?:and )?everywhere|(?:für|in|bei) (?:alle[nr]?|sämtlichen?) (?:meine|unsere)[nr]? (?:anderen )?(?:projekte?n?|repos?|repositories)|projektübergreifend|egal,? (?:in )?welche[mns] (?:projekt|repo)|immer(?:,| und|, und)? überall|(?:dans|pour) tous (?:mes|nos) projets|(?:en|para) todos (?:mis|nuestros) proyectos)\b|^(?:for|in|für) (?:all|every|alle|jede[ms]) (?:projects?|projekte?)\s*[:,]/i,
);
/** A word of each of these: few sentences have one, and the whole pattern takes two milliseconds to make. */
const OF_MINE_SIGN = wider(
  "preferences.of_mine_sign",
  /proje[ck]?t|proyecto|repo|codebase|where|überall/i,
);
/** What is said of all of them, and asks for nothing. */
const NOT_EVERY =
  /\b(?:not|nicht|nor|n't) (?:yet )?(?:for|in|across|with|für|bei) (?:all|every|each|any|alle[nr]?|jede[ms])\b/i;
/** How a wish begins, where "in all my projects" is what makes it one. */
const WISH = wider(
  "preferences.wish",
  /(?:^|[.!?;:,–—]\s*|\b(?:and|but|please|so|then|und|aber|bitte) )(?:please |bitte )?(?:i want|i need|ich (?:will|möchte)|use|write|run|keep|answer|reply|speak|make|add|put|format|commit|name|call|do|don't|do not|avoid|test|remember|apply|treat|stick|nutze?|verwende|benutze|schreibe?|antworte|nimm|mach|merke?|halte?|lass|teste|keine?|always|never|immer|nie)\b/i,
);
/** Liking what was just said, and wanting something now or for this, or one of what can be had now. */
const NOW =
  /\bi(?:'d| would)? (?:like|love|want|prefer) (?:you|to|it|that|this|the|your|how|what|where|both|option)\b|\bi (?:hate|dislike|don['’]?t like) (?:this|that|where|what|how it)\b|\brather (?:not )?(?:go|stick|stay|wait|leave|skip|see|have|touch|look|hear|talk|know)\b|\b(?:prefer|rather|lieber|mag|bevorzugen?|prefiero|préfère)\b[^,.;:!?]{1,60} (?:for (?:this|that|now)(?! (?:project|repo|repository|codebase)\b)|here|this time|first|then|hier|dafür|diesmal|erstmal|zuerst|primero|ahora|esta vez|para esto|d['’]abord|maintenant|cette fois|pour ça)[.!]*$|\b(?:prefiero|préfère) (?:no |ne (?:pas |rien ))?(?:esperar|ver(?:l[oa]s?)?|mirar(?:l[oa]s?)?|tocar|dejar|seguir|hablar|saber|entender|ir|attendre|voir|regarder|toucher|laisser|continuer|parler|savoir|comprendre|aller)\b|\b(?:prefer|bevorzugen?) (?:the|die|den|das) (?:first|second|third|last|other|latter|former|erste|zweite|dritte|letzte|andere)n?\b|\bnever mind\b/i;

/** Asked or supposed where no mark says so, or said of what lies before. */
const NOT_WISHED = onlyUnspaced("preferences.not_wished");

/** Whether a sentence of the person's says how things are to be done from now on. */
export function saysPreference(text: string): boolean {
  const said = collapse(spoken(text));
  if (isOfAllMine(said) && !NOT_EVERY.test(said) && WISH.test(said)) return true;
  return !NOW.test(said) && !NOT_WISHED.test(said) &&
    (HOLDS.some((pattern) => pattern.test(said)) || ALWAYS.test(said) ||
      ROMANCE_SIGN.test(said) && ALWAYS_ROMANCE.test(said) ||
      MUST.test(said) && !CHOOSES.test(said) || EVERYWHERE.test(said));
}

/** Whether what is wanted is wanted in all of somebody's projects. */
export function isForEveryProject(text: string): boolean {
  const said = collapse(spoken(text));
  return (EVERY_PROJECT.test(said) || isOfAllMine(said)) && !NOT_EVERY.test(said);
}

function isOfAllMine(said: string): boolean {
  return OF_MINE_SIGN.test(said) && ALL_OF_MINE.test(said);
}

/** The sentences that say so, in order. */
export function preferencesIn(turns: readonly Turn[]): Sentence[] {
  return sentencesOf(turns).filter((sentence) =>
    sentence.turn.role === "user" && !isQuestion(sentence) && saysPreference(sentence.text)
  );
}

/** 'Keep that in mind', 'never paste rows from it': what is meant stands in front of it. */
const POINTS_BACK =
  /\b(?:keep|do|remember|use|paste|write|apply|follow|say|show|from|of|about|with|to|for|like) (?:(?:it|them)(?!['’])|(?:that|this|these|those)(?=[.,;!]|$| (?:in|on|to|for|with|from|when\w*|as|at|always|everywhere|anywhere)\b))(?! (?:is|are|was)\b)\b/i;
const IN_FULL_CHARACTERS_MAX = 240;

/** As somebody understands it who reads nothing else: with the sentence that it points back to. */
export function inFull({ text, turn }: Pick<Sentence, "text" | "turn">): string {
  if (!POINTS_BACK.test(text)) return text;
  const whole = collapse(turn.text);
  const at = whole.indexOf(text);
  const before = at <= 0 ? undefined : splitTyped(whole.slice(0, at)).at(-1);
  if (before === undefined || isAsked(before) || isTorn(before)) return text;
  const full = `${before} ${text}`;
  return full.length > IN_FULL_CHARACTERS_MAX ? text : full;
}
