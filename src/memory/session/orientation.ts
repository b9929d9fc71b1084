/**
 * The text a session starts with: where the last one stopped, in pointers. Candidates with a priority
 * and a price in tokens are packed into the budget; each is gathered alone, so that a failure costs
 * its own line. Nothing volatile stands at the top, and nothing this conversation holds already.
 */
import { DAY_MS, parseTime } from "../../base/clock.ts";
import { join } from "../../base/fs.ts";
import { estimateTokens } from "../../base/tokens.ts";
import { freshnessName, readFreshnessState } from "../freshness/state.ts";
import { type Entry, exceptAhead, knownEntries, newestFirst, readEntry } from "../entries.ts";
import { captureHealth } from "../status/health.ts";
import type { Memory } from "../memory.ts";
import { howToLoad, howToRead } from "../pointer.ts";
import { type QuestionNews, questionNews } from "../question/news.ts";
import { quote, quotedIn } from "../recalled.ts";
import { withoutPrivate } from "../open_part.ts";
import { countMeeting, explain, wasExplained } from "../teaching.ts";
import { remoteTrusted } from "../trust.ts";
import { ledgerName } from "./handoff.ts";
import { isLeft, neighbours } from "./instances.ts";
import { type LastSession, lastSession } from "./last_session.ts";
import { isRead, lessonFor } from "./lesson.ts";
import { openTodos } from "./open_todos.ts";
import { whereOf, worktreeOf } from "./overlap.ts";
import { type Candidate, pack, type Packed } from "./pack.ts";
import { sharedMemory } from "./shared_memory.ts";
import type { SessionState } from "./session_state.ts";
import { readSession } from "./state.ts";
import { isReplayed, lineHash, NOTHING_TOLD, type Oriented } from "./told.ts";
import { hadHere } from "./whose.ts";

export interface Orientation extends Oriented, Packed {
  /** The files it quotes, absolute. */
  readonly paths: readonly string[];
  /** From when on time alone makes it another. */
  readonly until: number;
}

/** Looked at of one kind in one store: enough to get past those of other projects. */
const NEWEST = 20;
/** A checkpoint so much older than the last session's beginning is found by search. */
const CHECKPOINT_DAYS = 3;
const FIRST_NOTICE = "I know of no earlier session here.";
const FROM_NOW_ON = "From now on I remember what is said and decided here.";

/**
 * The orientation, or undefined when there is nothing worth a token. `isKept`: false where the session that
 * begins could not be written down.
 */
export async function orient(
  memory: Memory,
  session: string,
  source: string,
  isKept = true,
): Promise<Orientation | undefined> {
  if (memory.config.get("budget.orientation_tokens") === 0) return undefined;
  const entries = relevantEntries(memory);
  const { gathered, last, news, trouble, strange } = await gather(
    memory,
    session,
    source,
    entries,
    isKept,
  );
  const candidates = worthTelling(gathered, toldBefore(memory, session, source), news);
  if (candidates.length === 0) return introduce(memory, session, source);
  // A replayed conversation was taught before.
  const lesson = isReplayed(source) ? [] : lessonFor(memory, session);
  const { said, ...packed } = pack(memory, candidates, lesson);
  const until = Math.min(...candidates.map((candidate) => candidate.until ?? Infinity));
  const asks = said.some((candidate) => candidate.asks === true);
  const offers = last.offers.filter(({ line }) => said.some(({ text }) => text === line));
  const notice = begins(source) && !isSilent(memory) ? noticeOf(trouble, last.notice, strange) : "";
  return {
    ...packed,
    asked: said.some(({ text }) => text === news.line) ? news.ids : [],
    told: said.flatMap(({ text }) => [lineHash(text), ...quotedIn(text)]),
    offers: offers.map(({ line: _, ...offer }) => offer),
    ...(notice === "" ? {} : { notice }),
    ...(asks ? { asks } : {}),
    paths: [
      ...(asks ? [join(memory.places.stateDir, freshnessName(memory.places.projectDir))] : []),
      ...quotedPaths(entries),
      ...last.paths,
      join(memory.places.stateDir, ledgerName(memory)),
    ],
    until,
  };
}

interface Gathered {
  readonly gathered: readonly Candidate[];
  readonly last: LastSession;
  readonly news: QuestionNews;
  /** Why capture fails; empty while it works. */
  readonly trouble: string;
  /** What explains notes that nobody vouched for, where there are some. */
  readonly strange: readonly string[];
}

/** What there is to tell, each sort gathered alone. */
async function gather(
  memory: Memory,
  session: string,
  source: string,
  entries: readonly Entry[],
  isKept: boolean,
): Promise<Gathered> {
  const isFresh = begins(source);
  const gathered: Candidate[] = [];
  let trouble = "";
  let strange: readonly string[] = [];
  let news: QuestionNews = { line: "", ids: [], until: Infinity };
  let last: LastSession = { candidates: [], offers: [], notice: "", paths: [] };
  const steps: readonly (() => Promise<readonly Candidate[]> | readonly Candidate[])[] = [
    () => source === "compact" ? compacted(memory, session, entries) : [],
    async () => {
      // After a compaction the conversation itself is what went before.
      if (source !== "compact") last = await lastSession(memory, session, isFresh, entries);
      return last.candidates;
    },
    () => lastCheckpoint(memory, session, entries, gathered, last),
    () => todos(memory, entries),
    () => others(memory, session),
    () => pinned(memory, entries),
    () => stale(memory),
    () => isFresh ? aged(memory) : [],
    async () => {
      const report = isKept ? await captureHealth(memory, session) : {
        ok: false,
        detail: `nothing can be saved in ${memory.places.stateDir}; run sage doctor`,
      };
      if (!report.ok) trouble = report.detail;
      return report.ok ? [] : [{ priority: 2, text: `- Capture: ${report.detail}` }];
    },
    () => {
      const lines = isFresh ? untrusted(memory) : [];
      if (lines.length > 0) strange = ofStrangers(memory);
      return lines;
    },
    () => {
      if (source !== "compact") news = questionNews(memory);
      // Told once a day: what is told every time can wait for the next.
      return news.line === "" ? [] : [{ priority: 4.5, text: news.line }];
    },
    () => sharedMemory(memory),
  ];
  for (const step of steps) {
    try {
      gathered.push(...await step());
    } catch {
      // One unreadable source must not cost the others.
    }
  }
  return { gathered, last, news, trouble, strange };
}

/** Each once, and nothing that was told before; what matters most first. */
function worthTelling(
  gathered: readonly Candidate[],
  told: readonly string[],
  news: QuestionNews,
): Candidate[] {
  const seen = new Set(told);
  return gathered.filter(({ text }) => {
    // A wish that is asked about was also the last thing decided: once is enough.
    const [, decided = ""] = /^- Decided: "(.{20,40})/.exec(text) ?? [];
    if (decided !== "" && news.line.includes(decided)) return false;
    const hash = lineHash(text);
    return !seen.has(hash) && seen.add(hash);
  }).sort((a, b) => a.priority - b.priority);
}

/** Where the last session stopped and what comes next, in lines; none where there was no session. */
export async function whereItStopped(memory: Memory): Promise<string[]> {
  const { candidates } = await lastSession(
    memory,
    // Of a client that has no sessions.
    memory.session ?? "none",
    false,
    relevantEntries(memory),
  );
  return candidates.map(({ text }) => text);
}

/** Whether nothing went before in this conversation. */
function begins(source: string): boolean {
  return source === "startup" || source === "clear";
}

/** A replayed conversation holds what it was told; a new one, or one that was compacted, nothing. */
function toldBefore(memory: Memory, session: string, source: string): readonly string[] {
  return isReplayed(source) ? readSession(memory, session)?.told ?? [] : [];
}

/** That capture fails is the person's to mend, and comes before what is remembered. */
function noticeOf(trouble: string, remembered: string, strange: readonly string[]): string {
  return [
    trouble === "" ? "" : `I could not keep what was said: ${trouble}.`,
    remembered,
    ...strange,
  ]
    .filter((sentence) => sentence !== "").join(" ");
}

/** The person wants to see nothing of Sage where nobody asked. */
function isSilent({ config }: Memory): boolean {
  return config.get("output.level") === "silent";
}

/** The newest checkpoint, and all of the kinds that are counted. */
function quotedPaths(entries: readonly Entry[]): string[] {
  const checkpoints = entries.filter(({ note }) => note.kind === "checkpoint").sort(newestFirst);
  const counted = entries.filter(({ note }) => note.kind === "todo" || note.pinned);
  return [...checkpoints.slice(0, 1), ...counted]
    .map(({ store, note }) => join(store.root, note.path));
}

/** What an orientation may speak of: of a kind that grows without end, only the newest. */
function relevantEntries(memory: Memory): Entry[] {
  const isHad = hadHere(memory);
  const isOwn = ({ note }: Entry): boolean => isHad(note.session);
  const sessions = newestKnown(memory, "session", isOwn);
  const checkpoints = newestKnown(memory, "checkpoint", isOwn);
  return [
    ...sessions,
    // What a person saved by a command is of no session.
    ...(sessions.some(isOwn)
      ? checkpoints.filter((entry) => !entry.note.session || isOwn(entry))
      : checkpoints),
    ...knownEntries(memory, { kinds: ["todo"], statuses: ["pending", "in_progress", "blocked"] }),
    ...knownEntries(memory, { kinds: ["knowledge", "topic"], statuses: ["active"], pinned: true }),
  ].filter(isTrusted);
}

function newestKnown(
  memory: Memory,
  kind: "session" | "checkpoint",
  isOwn: (entry: Entry) => boolean,
): readonly Entry[] {
  const newest = knownEntries(memory, { kinds: [kind] }, NEWEST);
  // Whoever was away finds more than these of others.
  const known = newest.length < NEWEST || newest.some(isOwn)
    ? newest
    : [...newest, ...knownEntries(memory, { kinds: [kind] }).filter(isOwn)];
  return exceptAhead(memory, known);
}

/** The first session ever finds nothing to orient by, but meets Sage: who it is, once. */
function introduce(memory: Memory, session: string, source: string): Orientation | undefined {
  if (source !== "startup" || wasExplained(memory, "orientation")) return undefined;
  const lines = lessonFor(memory, session);
  if (lines.length === 0) return undefined;
  const text = [
    `Sage memory of ${quote(memory.places.projectName, 60)}: no earlier session to go on from.`,
    ...lines,
  ]
    .join("\n");
  const tokens = estimateTokens(text);
  if (tokens > memory.config.get("budget.orientation_tokens")) return undefined;
  countMeeting(memory, "orientation");
  const promise = isRead(memory, session) ? ` ${FROM_NOW_ON}` : "";
  const notice = isSilent(memory) ? {} : { notice: FIRST_NOTICE + promise };
  return { ...NOTHING_TOLD, text, tokens, ...notice, skipped: 0, paths: [], until: Infinity };
}

/** That there are notes which nobody vouched for; nothing of what they say. */
function untrusted(memory: Memory): Candidate[] {
  if (knownEntries(memory, {}, 1).every(isTrusted)) return [];
  const why = remoteTrusted(memory) === undefined
    ? "came from elsewhere and are not trusted"
    : "are trusted no more, for its remote changed";
  return [{
    priority: 2,
    text:
      `- The notes in this project's .sage ${why}: searches mark them. The person may read them, ` +
      "then run sage trust.",
  }];
}

/**
 * For the person. That memory ended because the remote changed is no lesson that fades: they have trusted
 * these notes, and miss them until they say so again.
 */
function ofStrangers(memory: Memory): readonly string[] {
  const remote = remoteTrusted(memory);
  if (remote === undefined) return explain(memory, "trust");
  return [
    `Nothing of this project's notes is shown: you trusted them while the remote was ${
      quote(remote, 80)
    }. If the new one is yours, say sage trust.`,
  ];
}

function isTrusted({ store }: Entry): boolean {
  return store.trust !== "unknown";
}

/** Few sessions are compacted, and none of the others loads what tells of it. */
async function compacted(
  memory: Memory,
  session: string,
  entries: readonly Entry[],
): Promise<Candidate[]> {
  const { afterCompaction } = await import("./after_compaction.ts");
  return await afterCompaction(memory, session, entries);
}

async function lastCheckpoint(
  memory: Memory,
  session: string,
  entries: readonly Entry[],
  told: readonly Candidate[],
  { started = "" }: LastSession,
): Promise<Candidate[]> {
  const own = readSession(memory, session)?.lastSave?.id;
  const [newest] = entries.filter(({ note }) => note.kind === "checkpoint" && !note.problem)
    .sort(newestFirst);
  // Its own is in the conversation already, or is pointed to as what a compaction left behind.
  if (newest === undefined || newest.note.id === own) return [];
  const stored = await readEntry(newest);
  if (stored === undefined) return [];
  const { created } = stored.note;
  // Sessions went by since that saved nothing: it is no place to go on from.
  if (ageMs(created, started) > CHECKPOINT_DAYS * DAY_MS) return [];
  // What stood then may have been done since: the last session said so, or saved nothing.
  const when = created.slice(0, 10) + (created < started ? ", before that session" : "");
  const { title } = withoutPrivate(stored.note);
  // What came out of a session, told behind an arrow, is often the title of what was saved of it.
  const isTold = title !== "" &&
    told.some(({ text }) => text.includes(`→ ${title.replace(/…$/, "")}`));
  const what = isTold ? "what came out, in full" : quote(title, 100);
  return [{
    priority: 4,
    note: stored.note.id,
    text: `- Latest checkpoint ${when}: ${what}. ${howToLoad(stored.note.id)}`,
  }];
}

/** How long before a moment another one was; 0 where either says nothing. */
function ageMs(then: string, moment: string): number {
  return (parseTime(moment) ?? 0) - (parseTime(then) ?? Infinity);
}

async function todos(memory: Memory, entries: readonly Entry[]): Promise<Candidate[]> {
  const open = await openTodos(memory, entries);
  return open === undefined ? [] : [{ priority: 5, ...open }];
}

/** Two sessions on one project learn of each other, and of the files that both touch. */
function others(memory: Memory, session: string): Candidate[] {
  const mine = new Set(readSession(memory, session)?.filesTouched ?? []);
  const elsewhere = neighbours(memory, session).filter((state) =>
    !isLeft(memory, state) && !isUntouched(memory, state)
  );
  return elsewhere.slice(0, 3).map((state) => {
    const shared = (state.filesTouched ?? []).filter((file) => mine.has(file));
    const files = shared.length > 0 ? shared : (state.filesTouched ?? []).slice(-3);
    const topic = state.topic === undefined ? "" : ` on ${quote(state.topic, 80)}`;
    const verb = shared.length > 0 ? "which also changed" : "touching";
    const touched = files.length === 0
      ? ""
      : `, ${verb} ${files.map((file) => quote(file, 60)).join(", ")}`;
    const where = whereOf(worktreeOf(state, memory.places.projectDir));
    return { priority: 3, text: `- Another session works ${where} now${topic}${touched}.` };
  });
}

/** Open, or kept ready by the client for a task that may come, and nothing was said in it: it has no file yet. */
function isUntouched({ fs }: Memory, { topic, transcriptPath }: SessionState): boolean {
  return topic === undefined && transcriptPath !== undefined &&
    fs.lstat(transcriptPath) === undefined;
}

async function pinned(memory: Memory, entries: readonly Entry[]): Promise<Candidate[]> {
  const chosen = entries.filter(({ note }) => note.pinned && note.status === "active").slice(0, 3);
  if (chosen.length === 0) return [];
  const { rivalsOf } = await import("../knowledge/rivals.ts");
  const rivals = rivalsOf(memory, chosen.map(({ note }) => note));
  return chosen.map(({ note }) => {
    const [rival] = rivals.get(note.id) ?? [];
    const doubt = rival === undefined
      ? ""
      : `, contradicted on ${rival.note.updated.slice(0, 10)} by ${quote(rival.note.title, 80)} ` +
        `(${howToRead(rival.note.id)})`;
    return {
      // A person said that it is always told: before what Sage thinks is worth telling.
      priority: 3.5,
      note: note.id,
      text: `- Pinned: ${quote(note.title, 80)} (${howToRead(note.id)})${doubt}`,
    };
  });
}

/** Most projects have no note that is anchored to a file. */
async function stale(memory: Memory): Promise<Candidate[]> {
  if (knownEntries(memory, { kinds: ["knowledge"], sourced: true }, 1).length === 0) return [];
  const { latelyStale } = await import("../source/lately_stale.ts");
  const { text, until } = await latelyStale(memory);
  return text === "" ? [] : [{ priority: 5, text, until }];
}

/** In most months there is nothing to ask. */
async function aged(memory: Memory): Promise<Candidate[]> {
  if (readFreshnessState(memory).waits !== true) return [];
  const { archiveProposal } = await import("../freshness/proposal.ts");
  const line = archiveProposal(memory);
  return line === undefined ? [] : [line];
}
