/**
 * What a session's note is to say: drafted from the transcript and from what the agent said of it, without
 * private, secret and forgotten text. Writes nothing; note.ts does.
 */
import { parseTime, rfc3339 } from "../../base/clock.ts";
import { cutTitle, hasQuestionMark } from "../../base/text/text.ts";
import { statesFact } from "../../detect/decisions/decisions.ts";
import { hasReason } from "../../detect/decisions/norms.ts";
import { asksToBeReminded } from "../../detect/open/reminders.ts";
import { namesWaitOrDeadline } from "../../detect/open/waits_and_deadlines.ts";
import { cutOffRequest } from "../../detect/summary/cut_off.ts";
import { asksForStatus, intentsOf } from "../../detect/summary/intent.ts";
import { PULL_REQUEST_LABEL, pullRequestsIn } from "../../detect/summary/pull_requests.ts";
import type { SessionSummary } from "../../detect/summary/summarize.ts";
import { COMMITTED_LABEL, hasActed, RAN_LABEL } from "../../detect/summary/work.ts";
import { ownWords } from "../../detect/text/own_words.ts";
import { wordCount } from "../../detect/text/sentences.ts";
import type { Transcript, Turn } from "../../editor/editor.ts";
import type { SessionDraft } from "../../note/session.ts";
import type { Memory } from "../memory.ts";
import { specificTerms } from "../surfacing/gates.ts";
import { cleanDraft } from "../write/clean_draft.ts";
import { bySage } from "../write/outcome.ts";
import { redactTurns } from "../write/redact_turns.ts";
import { amended } from "./amended.ts";
import { isAnswered } from "./answered.ts";
import { corrections, withEarlier } from "./earlier_decisions.ts";
import type { SessionState } from "./state/session_state.ts";
import { firstTopic } from "./topic.ts";
import { turnsSince } from "./turns.ts";

export interface SessionEnd {
  readonly at: number;
  readonly reason: string;
}

/** What a transcript does not say of its session. */
interface About {
  readonly session: string;
  readonly state: SessionState | undefined;
  /** Undefined while the session lasts. */
  readonly end: SessionEnd | undefined;
}

export interface DraftedNote {
  readonly kind: "drafted";
  readonly draft: SessionDraft & { readonly title: string };
  readonly redactions: number;
}

const TITLE_CHARACTERS_MAX = 80;
/** An answer of this many words makes a session of one question worth a note. */
const ANSWER_WORDS_MIN = 40;
/** The same where the agent looked into something and gives the reason. */
const FINDING_WORDS_MIN = 15;
/** So many prompts without a question, of so many words, make a session of talk worth a note. */
const TOLD_MIN = 3;
const TOLD_WORDS_MIN = 6;
/** A step with fewer specific words says nothing by itself. */
const STEP_TERMS_MIN = 2;

/** The draft, or why there is to be no note. */
export async function draftNote(
  memory: Memory,
  whole: Transcript,
  about: About,
): Promise<DraftedNote | { readonly kind: "nothing"; readonly reason: string }> {
  const { session, state, end } = about;
  // The transcript of a fork begins with a copy of the conversation that the origin's note covers.
  const transcript = state?.forkedAt === undefined
    ? whole
    : { ...whole, turns: turnsSince(whole.turns, state.forkedAt) };
  const turns = redactTurns(memory, transcript.turns);
  const summary = amended(state, { ...transcript, turns }, {
    embedder: memory.builtIn(),
    cwd: memory.places.projectDir,
  });
  // Only at the end is there time to look for what the decisions take back; until then they may change.
  const corrected = summary === undefined || end === undefined
    ? []
    : await corrections(memory, turns, summary.decisions);
  const isWorth = summary !== undefined &&
    (corrected.length > 0 || isWorthANote(memory, transcript, summary, about) ||
      leavesStep(turns, summary) ||
      end !== undefined && await answersWhatWasOpen(memory, summary));
  if (!isWorth) {
    return { kind: "nothing", reason: "nothing was said that a next session needs" };
  }
  const decisions = end === undefined ? summary.decisions : [
    ...corrected,
    ...await withEarlier(memory, summary.decisions, {
      own: state?.note?.id,
      ended: rfc3339(end.at),
    }),
  ];
  const cleaned = await cleanDraft(
    memory,
    toDraft(memory, { ...transcript, turns }, { ...summary, decisions }, about),
    bySage(session),
  );
  const { title: named, summary: gist, decisions: settled, openQuestions, next, done } =
    cleaned.draft;
  // If everything else was forgotten, lists of files and commands alone help nobody.
  const said = [
    gist,
    ...settled,
    ...openQuestions,
    ...next,
    ...done.filter((one) => !LISTS.test(one)),
  ]
    .find((text) => text !== "");
  if (said === undefined) return { kind: "nothing", reason: "nothing may be said" };
  const draft = { ...cleaned.draft, title: cutTitle(named || said, TITLE_CHARACTERS_MAX) };
  return { kind: "drafted", draft, redactions: cleaned.redactions };
}

const LISTS = /^(?:Changed|Ran): /;

/** Whether a next session has a use for it: not for a greeting, or a question answered in one line. */
function isWorthANote(
  memory: Memory,
  { turns }: Transcript,
  summary: SessionSummary,
  { state, end }: About,
): boolean {
  if (state?.amended !== undefined) return true;
  if (summary.summary === "") return false;
  const replies = turns.filter(({ role }) => role === "assistant");
  // Cut off before anything was said to it: nobody wanted that, and nothing else remembers the request.
  const isUnanswered = end?.reason === "recovered" && replies.length === 0;
  if (isUnanswered && firstTopic(memory, turns.map(({ text }) => text)) !== undefined) return true;
  // Something was saved in it.
  if (state?.lastSave !== undefined || (state?.notesWritten ?? 0) > 0) return true;
  const { decisions, done, filesTouched, commits, openQuestions } = summary;
  if (decisions.length + done.length + filesTouched.length + commits.length > 0) return true;
  if (hasActed(turns)) return true;
  if (turns.some(({ role, text }) => role === "user" && statesFact(text))) return true;
  if (isTold(turns)) return true;
  const answers = replies.map(({ text }) => text).join(" ");
  // A question counts if the agent calls it open or if it waits for somebody, not for lack of an answer.
  if (openQuestions.some((one) => answers.includes(one) || namesWaitOrDeadline(one))) return true;
  const isFinding = replies.some(({ tools }) => tools.length > 0) && hasReason(answers);
  return answers.split(/\s+/).length >= (isFinding ? FINDING_WORDS_MIN : ANSWER_WORDS_MIN);
}

/**
 * Whether it leaves something to do that can be understood alone: a reminder that was asked for, what somebody said
 * comes next. Not a request that was cut off; nor what is only told again to somebody who asked where the work stood.
 */
function leavesStep(turns: readonly Turn[], { next }: SessionSummary): boolean {
  if (next.length === 0 || intentsOf(turns).every(({ text }) => asksForStatus(text))) return false;
  const begun = cutOffRequest(ownWords(turns));
  return next.some((step) =>
    specificTerms(step).length >= STEP_TERMS_MIN && (step !== begun || asksToBeReminded(step))
  );
}

/** Whether a person told more than a word, whatever became of it: somebody who talks a matter over gets short answers. */
function isTold(turns: readonly Turn[]): boolean {
  const told = turns.filter(({ role, text }) =>
    role === "user" && !hasQuestionMark(text) && wordCount(text) >= TOLD_WORDS_MIN
  );
  return told.length >= TOLD_MIN;
}

/** Whether it answers what an earlier session left open: else that would stay open, and the answer be lost. */
async function answersWhatWasOpen(memory: Memory, summary: SessionSummary): Promise<boolean> {
  const { openQuestions } = await import("./triage.ts");
  return (await openQuestions(memory)).some(({ question }) => isAnswered(question, [summary]));
}

function toDraft(
  memory: Memory,
  transcript: Transcript,
  summary: SessionSummary,
  { session, state, end }: About,
): SessionDraft {
  const first = transcript.turns.find(({ at }) => at !== "")?.at ?? "";
  const started = rfc3339(parseTime(first) ?? state?.started ?? memory.now());
  // The first request names a session while it lasts, because what came of it is known at the end only.
  const title = transcript.title ?? (end === undefined ? state?.topic : summary.title);
  return {
    ...(title === undefined || title === "" ? {} : { title }),
    session,
    started,
    ...(end === undefined ? {} : { ended: rfc3339(end.at), endReason: end.reason }),
    agent: transcript.agent ?? "claude-code",
    filesTouched: summary.filesTouched,
    checkpoints: state?.checkpoints ?? [],
    summary: summary.summary,
    decisions: summary.decisions,
    done: [
      ...summary.done,
      ...summary.commits.map((commit) => `${COMMITTED_LABEL}${commit}`),
      ...pullRequestsIn(transcript.turns).map((one) => `${PULL_REQUEST_LABEL}${one}`),
      ...summary.commands.map((command) => `${RAN_LABEL}${command}`),
    ],
    openQuestions: summary.openQuestions,
    next: summary.next,
    log: (state?.subagents ?? []).map(({ type, said }) => `${type}: ${said}`),
  };
}
