/**
 * What is still open and what comes next, as the last words of a session say it: questions nobody
 * answered, remarks that something was not checked, the agent's announced next step, the task list.
 */
import {
  collapse,
  cut,
  hasQuestionMark,
  isAskedAtEnd,
  splitSentences,
  splitTyped,
} from "../base/text.ts";
import type { PlanItem, Turn } from "../editor/editor.ts";
import { type Exchange, exchangesOf } from "./exchanges.ts";
import { intentsOf, isRequest } from "./intent.ts";
import { share } from "./measures.ts";
import { asksToBeReminded, matterOfReminder } from "./reminders.ts";
import { namesIn } from "./reversals.ts";
import {
  isAsked,
  labelOf,
  overlap,
  type Sentence,
  sentencesOf,
  stemsOf,
  termsOf,
  wordCount,
} from "./sentences.ts";
import { commitsMade } from "./work.ts";
import { onlyUnspaced, wider } from "./unspaced.ts";

const OPEN_HEADING = wider(
  "questions.open_heading",
  /^(?:open|unresolved|remaining|outstanding|unclear|offen|noch offen|fragen|preguntas|questions)/,
);
const NEXT_HEADING = wider(
  "questions.next_heading",
  /^(?:next|what's next|follow[- ]?ups?|to ?do|remaining (?:work|steps)|nachste|naechste|wie weiter|proximos|prochaine|suite)/,
);

const STILL_OPEN = wider(
  "questions.still_open",
  /\b(?:open question|still (?:open|unclear|unknown|need to (?:decide|check|confirm|verify))|remains? (?:open|unclear|to be)|not yet (?:clear|verified|tested|decided|confirmed|done|covered|handled|implemented)|unclear (?:whether|why|how|if)|(?:haven't|have not|didn't|did not) (?:verif|test|check|confirm)\w*|needs? (?:a decision|confirmation|to be (?:decided|confirmed|verified))|(?:i'm|i am|we're) not sure (?:whether|why|if|how)|(?:is|are|stays?) (?:still )?(?:pending|undecided)(?=[.,;]|$| (?:at|with|from|until|till))|(?:ist|sind|bleib(?:t|en))(?: [^\s.?!]+){0,3} offen(?=[:.]|$)|offen (?:ist|sind|bleib(?:t|en))|noch (?:offen|unklar|nicht (?:geklärt|geprüft|getestet))|unklar,? ob|queda (?:pendiente|por)|reste à)\b/i,
);

const NEXT = wider(
  "questions.next",
  /\b(?:next steps?|next,? (?:we|i|up|is)|the next thing|what remains|remaining (?:work|step|is)|left to do|still (?:to do|missing|have to|has to|needs? (?:an?|one|two|the|your)\b|need to (?:write|add|do|update|migrate|remove))|tomorrow|(?:is|are|left|put off|waits?) (?:for|until|till) (?:later|monday|tuesday|wednesday|thursday|friday|(?:the )?next (?:week|sprint|release|month|quarter))|afterwards (?:we|i)|then (?:we can|we should|i can)|^morgen\b|(?:bleibt|ist|sind) (?:für|auf|bis) (?:später|morgen|montag|dienstag|mittwoch|donnerstag|freitag|nächste woche)|nächste[rs]? schritte?|als nächstes|es fehlt noch|bleibt noch|próximos? pasos?|(?:aún|todavía|solo|sólo) falta|falta por|prochaines? étapes?|il reste)\b/i,
);

/** Says the same as the place that it is put in, however often: "Next: **Next step:** …". */
const NEXT_LABEL = wider(
  "questions.next_label",
  labelOf(
    "(?:the |my |our )?next (?:up|steps?|thing)(?: (?:is|are))?|next|to ?do|(?:left|still) to do|what remains|remaining|nächste[rs]? schritte?|als nächstes|próximos? pasos?|prochaines? étapes?",
  ),
);

/** How it begins: to tell that by the whole pattern takes a millisecond. */
const LABEL_START = wider(
  "questions.label_start",
  /^[*_]{0,3}(?:the|my|our|next|to ?do|left|still|what|remaining|nächste|als|próximo|prochaine)/i,
);

/** The same for what is open. */
const OPEN_LABEL = wider(
  "questions.open_label",
  labelOf(
    "(?:still |left )?open(?: (?:questions?|points?|issues?|until (?:then|now)))?|(?:[a-z]{1,5} )?(?:questions?|points?) (?:is|are|remains?)(?: still)? open|unresolved|unclear|(?:noch )?offen(?:e (?:fragen?|punkte?))?|(?:preguntas? )?abiertas?|questions? ouvertes?",
  ),
);

/** A step of which so much was told again is not ahead any more. */
const TOLD_AGAIN = 0.5;
/** 'Write the migration' and 'the migration is written' share beginnings of that length. */
const STEM_CHARACTERS = 4;

/** The agent offering more work is a courtesy, not a question. */
const COURTESY = wider(
  "questions.courtesy",
  /^¿?(?:shall i|should i|do you want me to|would you like me to|want me to|let me know|(?:is there )?anything|(?:what(?:['’]?s| is| should be| would be| comes)|what (?:would you like|do you want)(?: me)?(?: to (?:do|tackle|work on|look at))?|where do we go) (?:next|from here)|soll ich|möchten sie|(?:gibt es )?(?:sonst )?noch (?:etwas|was)|was (?:kommt|ist|machen wir) als nächstes|quieres que|algo más|(?:quelque|autre) chose|voulez-vous que)\b/i,
);

/** Whoever goes asks for nothing: 'ok pause here, I have a meeting', 'Feierabend für heute'. */
const LEAVES =
  /\bpause (?:here|now)\b|\b(?:stop|leave it|call it|that['’]?s (?:it|all)|done|enough|finished) (?:here )?for (?:today|now|tonight)\b|\bcall it a day\b|\bgotta (?:go|run)\b|\b(?:have|need|got) to (?:go|run|leave)(?=[,.!]|$| now\b)|\b(?:have|got) an? (?:meeting|call|appointment)\b|\b(?:brb|bbl)\b|\bsee you(?: (?:later|soon|tomorrow|monday))?[.!]?$|\bmuss (?:ich )?(?:jetzt |gleich )?(?:los|weg)\b|\bfeierabend\b|\b(?:schluss|genug|reicht|das war['’]?s) für heute\b|\bs['’]arr[eê]te(?: l[aà])? pour aujourd['’]hui|\blo dejamos(?: aqu[ií])?(?: por hoy)?[.!]?$|(?:^|[,.!] )(?:bis (?:morgen|später|montag)|[aà] demain|hasta ma[nñ]ana)(?: dann)?[.!]?$/i;
const LEAVES_WORDS_MAX = 15;

const LOOK_BACK_EXCHANGES = 4;

/** What is ahead, told without a label: '下一步是…', '次のステップは…'. */
const AHEAD = onlyUnspaced("questions.ahead");

/** Says of something that it is not known or not done yet, which is no conclusion. */
export function isStillOpen(text: string): boolean {
  return STILL_OPEN.test(text) || withoutLabel(text) !== text || AHEAD.test(text);
}

/** Open questions, newest last. */
export function openQuestions(turns: readonly Turn[]): string[] {
  const exchanges = exchangesOf(turns);
  const last = exchanges.at(-1);
  const from = exchanges.at(-LOOK_BACK_EXCHANGES)?.start ?? 0;
  const asking = unanswered(exchanges);
  const sentences = sentencesOf(turns);
  const left = sentences.filter((sentence) => isLeftOpen(sentence, exchanges, sentences));
  const found = sentences.filter((sentence) => {
    if (sentence.turnIndex < from || left.includes(sentence)) return false;
    const isLast = sentence.turnIndex >= (last?.start ?? 0);
    if (sentence.turn.role === "user") {
      // The prompt that nobody answered any more.
      return isLast && last?.answer === undefined && isAskedAtEnd(sentence.text) ||
        isForOthers(sentence) && !isTakenUpLater(sentence, exchanges, sentences);
    }
    if (COURTESY.test(sentence.text)) return false;
    if (
      OPEN_HEADING.test(sentence.heading) || STILL_OPEN.test(sentence.text) ||
      OPEN_LABEL.test(sentence.text)
    ) {
      return isLast || !isTakenUp(sentence, sentences);
    }
    return asking.has(sentence.turn) && isAskedAtEnd(sentence.text) && !isAnsweredAtOnce(sentence);
  });
  const told = [
    ...left.map((sentence) => cut(matterLeftOpen(sentence, exchanges), LEFT_CHARACTERS_MAX)),
    ...found.map((sentence) => asked(sentence, sentences)),
  ];
  const open = [...new Set(told)].filter(hasMatter);
  // Asked again in as many words it stands once, without what it was led up to with.
  return open.filter((text, i) =>
    !open.slice(i + 1).some((later) => text.toLowerCase().endsWith(later.toLowerCase())) &&
    !open.slice(0, i).some((earlier) => isEcho(text, earlier))
  );
}

/** The agent says back what it was told is open. */
function isEcho(text: string, earlier: string): boolean {
  const [stems, before] = [text, earlier].map((one) => stemsOf(one, STEM_CHARACTERS));
  if (stems === undefined || before === undefined) return false;
  const fewest = Math.min(stems.size, before.size);
  return fewest >= ECHO_STEMS_MIN &&
    stems.intersection(before).size >= ECHO_SHARE * fewest;
}

/** Fewer words are those of two questions about one thing. */
const ECHO_STEMS_MIN = 3;
const ECHO_SHARE = 0.6;

/** Of what was wanted and left open, with where it was left. */
const LEFT_CHARACTERS_MAX = 240;

/** 'That is still open.' says of nothing that it is. */
function hasMatter(text: string): boolean {
  return isAskedAtEnd(text) || termsOf(text.replace(STILL_OPEN, "")).size > 0;
}

/** Who goes to ask somebody else takes the question along; 'I have to ask again' asks here. */
const ASKS_ELSEWHERE =
  /\b(?:(?:(?:need|have|got|want) to|i(?:'ll| will|'m going to) (?:have to )?) ?ask (?!(?:you|me|again|once|because|since|as|that|this|it|if|whether|why|how|what|which|who|where|when|something|an?|for|about|more|also|too|to|and|or|but|so|now|here)\b)\w|muss (?:(?:ich|noch|mal|erst|das) ){0,3}(?!(?:dich|dir|euch|sie|mich|mir|ich|noch|mal|nochmal|das|so|dumm|jetzt)\b)(?:[^\s,.;:?]+ ){1,3}fragen|frage? ich (?:mal|noch|morgen|nach)|kl[aä]re ich (?:mit|noch)|(?:for me |i(?:'ll| will| have to| need to) |have |need )(?:to )?(?:clarify|clear (?:(?:it|that|this) )?up|discuss (?:it|that|this)) with (?!you\b)|tengo que preguntar(?:le)? a|je vais demander à)/i;

function isPutToOthers(said: string): boolean {
  return ASKS_ELSEWHERE.test(said) && !isAskedAtEnd(said);
}

/** 'I have to clear that with legal first': it waits for them, in no question. */
const WAITS_FOR_OTHERS =
  /\b(?:(?:have|need|got) to (?:first )?(?:clear|clarify|check|discuss|align|agree) (?:\S+ ){1,6}with (?!(?:you|it|that|this|what|which|how|the (?:code|docs?|logs?|tests?|spec))\b)\w|(?:have|need|got) to ask (?!(?:you|me|it|for|about|again)\b)\w+(?: \w+)? (?:whether|if|about|for)\b|muss (?:\S+ ){0,8}mit (?!(?:dir|dem (?:code|test)|mir)\b)(?:\S+ ){1,3}(?:klären|absprechen|besprechen|abstimmen)|(?:il faut|je dois|on doit) (?:que je )?demander à (?!(?:toi|claude)\b)|(?:tengo|hay|tenemos) que (?:aclarar|hablar|consultar|preguntar)(?:lo|los|la|las)? (?:\S+ ){0,4}(?:con|a) (?!ti\b)\w)/i;

/** A question that a person says is open, or that only somebody else can answer. */
function isForOthers({ text, turn }: Sentence): boolean {
  const waits = WAITS_FOR_OTHERS.test(text) &&
    !splitTyped(turn.text).some((one) => isAsked(one));
  return OPEN_LABEL.test(text) || waits ||
    isAsked(text) && splitTyped(turn.text).some(isPutToOthers);
}

/** A choice that a person leaves open, or that others are still at: 'leave it open for now', 'not decided yet'. */
const UNDECIDED =
  /(?:^|[,.;] |\b(?:ok|then|so|just) )(?:let['’]?s )?(?:leave (?:it|that|this) open(?= (?:for now|for the moment|until|till|whether)\b|[,.;!]|$)|keep (?:it|that|this) open for now\b)|\b(?:not|n['’]t) (?:yet )?(?:been )?decided(?! (?:by|on the)\b)|\b(?:still|is|are|am|['’]m|['’]re) undecided(?= (?:on|about|between|whether)\b|[,.;:]|$)|\b(?:don['’]t|do not) want to decide(?= (?:it|that|this|yet|now|today|tonight|at)\b|[,.;]|$)|\bdecide (?:it |that |this )?(?:later|tomorrow|next week|another (?:day|time))\b|\b(?:is|are) still being (?:negotiated|debated|discussed|decided)\b|\b(?:let me|let['’]?s|i(?:['’]ll| will| (?:need|have|want) to)?|we(?:['’]ll| will)?) sleep on (?:it|that|this)\b|\bnoch nicht entschieden\b|\b(?:lassen wir|lass(?:e|en)?) (?:das |es )?(?:erst ?mal |noch )?offen\b|\ba[uú]n no (?:est[aá] decidido|lo (?:he|hemos) decidido)\b|\b(?:d[eé]jalo|lo dejamos) abierto\b|\bpas encore d[eé]cid[eé]/i;

/** Said by a person, and nobody came back to it. What the agent says right away notes it. */
function isLeftOpen(
  sentence: Sentence,
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): boolean {
  const { text, turn, turnIndex } = sentence;
  if (turn.role !== "user" || !UNDECIDED.test(text) || isAskedAtEnd(text)) return false;
  const matter = termsOf(matterLeftOpen(sentence, exchanges));
  const after = exchanges.find(({ start }) => start > turnIndex)?.start;
  return after === undefined ||
    !sentences.some((later) =>
      later.turnIndex >= after && overlap(matter, termsOf(later.text)) > 0.3
    );
}

/** The question that it was said of: in the same prompt, in its own words, or what was wanted before. */
function matterLeftOpen(
  { text, turn, turnIndex }: Sentence,
  exchanges: readonly Exchange[],
): string {
  const own = splitTyped(turn.text);
  const asked = own.findLast((one) => isAsked(one));
  if (asked !== undefined) return own.slice(own.indexOf(asked)).join(" ");
  const isOwn = termsOf(text.replace(UNDECIDED, "")).size >= ASKED_TERMS_MIN;
  if (isOwn && !POINTS_BACK.test(text)) return text;
  const { prompt, answer } = exchanges.findLast(({ start }) => start < turnIndex) ?? {};
  const isChoice = [prompt, answer].some((turn) => TWO_WAYS.test(turn?.text ?? ""));
  return isChoice ? `${collapse(prompt?.text ?? "")} → ${text}` : "";
}

/** Something is there that can be left open. */
const TWO_WAYS =
  /\b(?:or|whether|torn|not sure|unsure|versus|vs|oder|ob|unsicher|o|si|no s[eé]|ou)\b/i;

/** 'Not decided yet, let it sit': what it is was said before; 'leave it open whether …' says it. */
const POINTS_BACK =
  /^(?!.*\b(?:whether|if|which|when|ob|si)\b).*\b(?:it|that|this|das|es|lo|eso|ça)\b/i;

/** What the agent says right away to such a question notes it. */
function isTakenUpLater(
  open: Sentence,
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): boolean {
  const next = exchanges.find(({ start }) => start > open.turnIndex);
  return next !== undefined && isTakenUp({ ...open, turnIndex: next.start }, sentences);
}

/** 'Is it merged? Not yet: …', 'From CCM? CCM is not executable.' */
function isAnsweredAtOnce({ text, turn }: Sentence): boolean {
  const at = turn.text.indexOf(text);
  if (at < 0) return false;
  const behind = turn.text.slice(at + text.length);
  if (ANSWERS.test(behind.slice(0, 20))) return true;
  // Whoever waits for an answer asks in a whole sentence.
  const [next = ""] = splitSentences(behind.split("\n")[0] ?? "");
  return !ASKS_WHOLE.test(text) && !isAskedAtEnd(next) &&
    namesIn(next).intersection(namesIn(text)).size > 0;
}

const ASKS_WHOLE =
  /\b(?:or|you|your|we|i|should|shall|which|what|who|how|when|where|why|oder|du|sie|wir|soll\w*|welche\w*|was|wer|wie|wann|wo|warum|o|usted|qu[eé]|cu[aá]l|ou|vous|quel\w*|comment)\b/i;

const ANSWERS = wider(
  "questions.answers",
  /^\s{1,3}(?:yes|no|not|because|ja|nein|nicht|noch nicht|weil|denn|sí|porque|oui|non|parce que)\b/i,
);

/** Who has to think about it, or goes, has not answered. */
const PUTS_OFF = wider(
  "questions.puts_off",
  /\b(?:let me (?:think|ask)|(?:need|have) to (?:think|ask|check(?! in\b))|(?:i'?ll|to) think (?:about|it over)|i'?ll (?:think|ask|check|get back|let you know)|sleep on it|bbl|brb|gotta go|ask (?:me )?(?:again )?(?:later|tomorrow)|not now|(?:muss|werde) (?:\S+ ){0,3}(?:[uü]berlegen|nachdenken|fragen|kl[aä]ren)|[uü]berleg(?:e|s)?|denke? dr[uü]ber nach|melde mich|sag dir (?:noch )?bescheid|lo pienso|tengo que (?:pensar|preguntar)|je r[eé]fl[eé]chis)\b/i,
);
const PUT_OFF_WORDS_MAX = 15;

/** The last answer, and one before it whose question was put off. */
function unanswered(exchanges: readonly Exchange[]): ReadonlySet<Turn | undefined> {
  const asking = new Set<Turn | undefined>();
  for (const [i, { prompt, answer }] of [...exchanges.entries()].reverse()) {
    asking.add(answer);
    const said = prompt?.text ?? "";
    if (hasQuestionMark(said) || wordCount(said) > PUT_OFF_WORDS_MAX) break;
    const [putOff] = PUTS_OFF.exec(said) ?? [];
    if (putOff === undefined) break;
    // 'Half up, I'll check the totals': what was asked about is named before, and settled.
    const before = termsOf(said.slice(0, said.indexOf(putOff)));
    if (!before.isDisjointFrom(termsOf(exchanges[i - 1]?.answer?.text ?? ""))) break;
  }
  return asking;
}

/** 'Two questions before I build it: …', 'And …': how it was led up to, where it was said. */
const LED_UP =
  /^(?:[^:?]{0,60}\b(?:questions?|fragen?|preguntas?)\b[^:?]{0,40}: |(?:and|und|y|et) (?=\S))/i;
/** Words by which a question is understood alone. */
const ASKED_TERMS_MIN = 2;

const GOES_ON = wider("questions.goes_on", /^(?:or|oder|o|ou)\b/i);
/** 'Or we …' is one of two: what stands before it belongs to the question. */
const LED_UP_SENTENCES_MAX = 3;

/** A question that says its matter; 'Which one do you prefer?' does not without what stands before it. */
function asked(sentence: Sentence, sentences: readonly Sentence[]): string {
  const text = sentence.text.replace(OPEN_LABEL, "");
  // A prompt that nobody answered is also what comes next, in the same words.
  if (sentence.turn.role === "user") {
    const whom = splitTyped(sentence.turn.text).find(isPutToOthers);
    return whom === undefined || text.includes(whom) ? text : `${text} ${whom}`;
  }
  const rest = text.replace(LED_UP, "");
  const whole = rest === text ? text : rest.charAt(0).toUpperCase() + rest.slice(1);
  if (isAskedAtEnd(text) ? termsOf(rest).size >= ASKED_TERMS_MIN : hasMatter(text)) return whole;
  const before: string[] = [];
  for (let back = 1; back <= LED_UP_SENTENCES_MAX; back++) {
    const one = sentences.find(({ turn, position }) =>
      turn === sentence.turn && position === sentence.position - back
    );
    if (one === undefined) break;
    before.unshift(one.text);
    if (!GOES_ON.test(one.text)) break;
  }
  return [...before, whole].join(" ");
}

/** What comes next, the nearest first: said last, listed, or asked and not begun. */
export function nextSteps(turns: readonly Turn[], tasks: readonly PlanItem[]): string[] {
  const exchanges = exchangesOf(turns);
  const last = exchanges.at(-1);
  const from = exchanges.at(-2)?.start ?? 0;
  const unanswered = last?.answer === undefined ? intentsOf(turns).at(-1) : undefined;
  const asked = unanswered !== undefined && unanswered.turn === last?.prompt &&
      !takesLeave(unanswered.text)
    ? [unanswered.text]
    : [];
  const sentences = sentencesOf(turns);
  const said = sentences.filter((sentence) =>
    sentence.turn.role === "assistant" &&
    (sentence.turnIndex >= from || PUT_OFF_TO.test(sentence.text)) &&
    !isAskedAtEnd(sentence.text) &&
    (NEXT_HEADING.test(sentence.heading) || NEXT.test(sentence.text) ||
      withoutLabel(sentence.text) !== sentence.text) &&
    !isTakenUp(sentence, sentences) && (PUT_OFF_TO.test(sentence.text)
      ? !isTold(sentence.text, sentence.turnIndex + 1, turns, sentences)
      : !isUnderway(sentence, turns, exchanges, sentences))
  ).sort((a, b) => b.turnIndex - a.turnIndex)
    .map((sentence) => withoutLabel(sentence.text));
  const listed = ["in_progress", "pending"].flatMap((status) =>
    tasks.filter((task) => task.status === status).map((task) => task.text)
  );
  const steps = [
    ...new Set([
      ...asked,
      ...said.slice(0, 3),
      ...reminders(turns, exchanges, sentences),
      ...listed,
    ]),
  ];
  return steps.filter((step) => !steps.some((other) => other !== step && isWithin(step, other)));
}

function takesLeave(prompt: string): boolean {
  return LEAVES.test(prompt) && wordCount(prompt) <= LEAVES_WORDS_MAX;
}

/** What was put off is still ahead, however much was done since. */
const PUT_OFF_TO =
  /\b(?:left|put off|postponed|deferred|verschoben|aplazad[oa]s?|report[ée]e?s?) (?:for|until|till|to|auf|bis|f[uü]r|para|hasta|[aà]) (?:later(?! (?:in|than|stages?|steps?)\b)|(?:the )?next|monday|tuesday|wednesday|thursday|friday|sp[aä]ter|n[aä]chste\w*|montag|dienstag|mittwoch|donnerstag|freitag|m[aá]s tarde|plus tard|la (?:pr[oó]xima|semaine))\b/i;

/** 'The lint rule tomorrow', where the other one says what it forbids. */
function isWithin(step: string, other: string): boolean {
  const terms = termsOf(step.replace(WHEN, ""));
  return terms.size > 0 && terms.size < termsOf(other).size && terms.isSubsetOf(termsOf(other));
}

const WHEN =
  /\b(?:tomorrow|later|today|tonight|next week|morgen|später|heute|nächste woche|mañana|demain)\b/gi;

const REMINDERS_MAX = 3;

function reminders(
  turns: readonly Turn[],
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): string[] {
  return sentences.filter((sentence) => {
    const { text, turn } = sentence;
    if (turn.role !== "user" || isAskedAtEnd(text) || !asksToBeReminded(text)) return false;
    // Right away the agent only says that it will.
    const after = exchanges.find(({ start }) => start > sentence.turnIndex)?.start;
    return after === undefined || !isTold(matterOfReminder(text), after, turns, sentences);
  }).map(({ text }) => text).slice(-REMINDERS_MAX);
}

function withoutLabel(text: string): string {
  return LABEL_START.test(text) ? text.replace(NEXT_LABEL, "") : text;
}

/** Whether a later turn came back to it. */
function isTakenUp(open: Sentence, sentences: readonly Sentence[]): boolean {
  const terms = termsOf(open.text);
  return sentences.some((later) =>
    later.turnIndex > open.turnIndex && later.turn.role === "assistant" &&
    overlap(terms, termsOf(later.text)) > 0.3
  );
}

/**
 * Whether somebody went about an announced step: the person asked for it or said 'go on', or the agent
 * told, changed or committed most of it later.
 */
function isUnderway(
  step: Sentence,
  turns: readonly Turn[],
  exchanges: readonly Exchange[],
  sentences: readonly Sentence[],
): boolean {
  const tells = tellsOf(withoutLabel(step.text));
  const answered = exchanges.filter(({ start, answer }) =>
    start > step.turnIndex && answer !== undefined
  );
  if (answered.some(({ prompt }) => prompt !== undefined && saysGoOn(prompt.text, tells))) {
    return true;
  }
  return isTold(withoutLabel(step.text), step.turnIndex + 1, turns, sentences);
}

/** Whether the agent told or committed most of it from a turn on. */
function isTold(
  matter: string,
  from: number,
  turns: readonly Turn[],
  sentences: readonly Sentence[],
): boolean {
  const tells = tellsOf(matter);
  return sentences.some((later) =>
    later.turnIndex >= from && later.turn.role === "assistant" &&
    !NEXT.test(later.text) && !isAskedAtEnd(later.text) && tells(later.text)
  ) || commitsMade(turns.slice(from)).some(tells);
}

/** Whether a text has most of the words of a matter. */
function tellsOf(matter: string): (text: string) => boolean {
  const stems = stemsOf(matter, STEM_CHARACTERS);
  return (text) =>
    share(stems.intersection(stemsOf(text, STEM_CHARACTERS)).size, stems.size) >= TOLD_AGAIN;
}

/** 'Good, the rule tomorrow' and 'see you tomorrow' go on with nothing. */
const LATER = /\b(?:tomorrow|later|next week|morgen|später|nächste woche|mañana|demain)\b/i;

const STOPS = wider(
  "questions.stops",
  /^\s*(?:no|nope|not|nein|non|wait|stop|thanks|thank you|danke|gracias|merci)\b/i,
);

function saysGoOn(prompt: string, tells: (text: string) => boolean): boolean {
  if (LATER.test(prompt)) return false;
  return tells(prompt) ||
    (!isRequest(prompt) &&
      !STOPS.test(prompt));
}
