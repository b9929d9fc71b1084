/**
 * The text a session starts with: where the last one stopped, in pointers. Candidates with a
 * priority and a price in tokens are packed into the budget; each is gathered alone, so that a
 * failure costs its own line. Nothing volatile comes first, and nothing that the conversation
 * contains already.
 */
import { join } from "../../../base/path.ts";
import { estimateTokens } from "../../../base/text/tokens.ts";
import { attempt } from "../../../base/attempt.ts";
import type { Entry } from "../../index/entries.ts";
import { freshnessName } from "../../freshness/state.ts";
import type { Memory } from "../../memory.ts";
import { type QuestionNews, questionNews } from "../../question/news.ts";
import { quote, quotedIn } from "../../recalled.ts";
import { closedTo } from "../../status/folders.ts";
import { captureHealth } from "../../status/health.ts";
import { countMeeting, wasExplained } from "../../teaching.ts";
import { ledgerName } from "../handoff.ts";
import { type LastSession, lastSession } from "./last_session.ts";
import { isRead, lessonFor } from "./lesson.ts";
import {
  agedLines,
  checkpointLines,
  compactionLines,
  neighbourLines,
  noticeOfUntrusted,
  pinnedLines,
  staleLines,
  todoLines,
  untrustedLines,
} from "./lines.ts";
import { quotedPaths, relevantEntries } from "./notes.ts";
import { type Candidate, pack, type Packed } from "./pack.ts";
import { NO_SETTINGS_NEWS, settingsNews } from "./settings_news.ts";
import { sharedMemory } from "./shared_memory.ts";
import { readSession } from "../state/state.ts";
import { isReplayed, lineHash, NOTHING_TOLD, type Oriented } from "../told.ts";

export interface Orientation extends Oriented, Packed {
  /** The files it quotes, as absolute paths. */
  readonly paths: readonly string[];
  /** When it becomes out of date by time alone. */
  readonly until: number;
}

const FIRST_NOTICE = "I know of no earlier session here.";
const FROM_NOW_ON = "From now on I remember what is said and decided here.";

/**
 * The orientation, or undefined when nothing is worth a token. `isKept`: false where the session
 * could not be registered.
 */
export async function orient(
  memory: Memory,
  session: string,
  source: string,
  isKept = true,
): Promise<Orientation | undefined> {
  if (memory.config.get("budget.orientation_tokens") === 0) return undefined;
  const entries = relevantEntries(memory);
  const gathered = await gather(memory, session, source, entries, isKept);
  const { last, news } = gathered;
  const told = toldBefore(memory, session, source);
  const candidates = worthTelling(gathered.candidates, told, news);
  if (candidates.length === 0) return introduce(memory, session, source);
  // A replayed conversation was taught before.
  const lesson = isReplayed(source) ? [] : lessonFor(memory, session);
  const { said, ...packed } = pack(memory, candidates, lesson);
  const asks = said.some((candidate) => candidate.asks === true);
  const offers = last.offers.filter(({ line }) => said.some(({ text }) => text === line));
  const tells = begins(source) && !isSilent(memory);
  const settings = tells
    ? await attempt(NO_SETTINGS_NEWS, () => settingsNews(memory))
    : NO_SETTINGS_NEWS;
  const notice = tells ? noticeOf(gathered, settings.sentence) : "";
  return {
    ...packed,
    asked: [
      ...(said.some(({ text }) => text === news.line) ? news.ids : []),
      ...settings.ids,
    ],
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
    until: Math.min(settings.until, ...candidates.map(({ until = Infinity }) => until)),
  };
}

interface Gathered {
  readonly candidates: readonly Candidate[];
  readonly last: LastSession;
  readonly news: QuestionNews;
  /** Why capture fails; empty while it works. */
  readonly trouble: string;
  /** Explains notes that nobody trusts, where there are any. */
  readonly strange: readonly string[];
}

const NO_SESSION: LastSession = { candidates: [], offers: [], notice: "", paths: [] };
const NO_NEWS: QuestionNews = { line: "", ids: [], until: Infinity };

/**
 * The candidates, each sort alone: an unreadable source must not cost the others. Of one priority
 * the first here comes first.
 */
async function gather(
  memory: Memory,
  session: string,
  source: string,
  entries: readonly Entry[],
  isKept: boolean,
): Promise<Gathered> {
  const isFresh = begins(source);
  // After a compaction the conversation itself is what came before.
  const isCompacted = source === "compact";
  const later = isReplayed(source) ? sinceItBegan(memory, session, entries) : entries;
  const kept = isCompacted
    ? await attempt([], () => compactionLines(memory, session, entries))
    : [];
  const last = isCompacted
    ? NO_SESSION
    : await attempt(NO_SESSION, () => lastSession(memory, session, isFresh, later));
  const before = [...kept, ...last.candidates];
  const trouble = await attempt("", () => troubleOf(memory, session, isKept));
  const foreign = isFresh ? await attempt([], () => untrustedLines(memory)) : [];
  const strange = foreign.length === 0 ? [] : await attempt([], () => noticeOfUntrusted(memory));
  const news = isCompacted ? NO_NEWS : await attempt(NO_NEWS, () => questionNews(memory));
  const candidates = [
    ...before,
    ...await attempt([], () => checkpointLines(memory, session, later, before, last)),
    ...await attempt([], () => todoLines(memory, entries)),
    ...await attempt([], () => neighbourLines(memory, session)),
    ...await attempt([], () => pinnedLines(memory, entries)),
    ...await attempt([], () => staleLines(memory)),
    ...(isFresh ? await attempt([], () => agedLines(memory)) : []),
    ...(trouble === "" ? [] : [{ priority: 2, text: `- Capture: ${trouble}` }]),
    ...foreign,
    // Said once a day, after everything that is said every time.
    ...(news.line === "" ? [] : [{ priority: 4.5, text: news.line }]),
    ...await attempt([], () => sharedMemory(memory)),
  ];
  return { candidates, last, news, trouble, strange };
}

/**
 * Without what was over when the conversation began, and without what it saved itself: it was told of the one
 * and contains the other, although a compaction may have dropped the words.
 */
function sinceItBegan(
  memory: Memory,
  session: string,
  entries: readonly Entry[],
): readonly Entry[] {
  const { forkedFrom = [] } = readSession(memory, session) ?? {};
  const own = new Set([session, ...forkedFrom]);
  const isOwn = ({ note }: Entry): boolean => note.session !== undefined && own.has(note.session);
  const began = entries.filter((entry) => entry.note.kind === "session" && isOwn(entry))
    .map(({ note }) => note.created).sort()[0] ?? "";
  return entries.filter((entry) => {
    const { kind, updated } = entry.note;
    return kind !== "session" && kind !== "checkpoint" || !isOwn(entry) && updated > began;
  });
}

/** Why capture fails; empty while it works. */
async function troubleOf(memory: Memory, session: string, isKept: boolean): Promise<string> {
  const closed = isKept ? closedTo(memory) : memory.places.stateDir;
  if (closed !== undefined) return `nothing can be saved in ${closed}; run sage doctor`;
  const { ok, detail } = await captureHealth(memory, session);
  return ok ? "" : detail;
}

/** Each once, without what was told before; the most important first. */
function worthTelling(
  gathered: readonly Candidate[],
  told: readonly string[],
  news: QuestionNews,
): Candidate[] {
  const seen = new Set(told);
  return gathered.filter(({ text }) => {
    // A preference that is asked about may also be the last decision: once is enough.
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
    // For a client without sessions.
    memory.session ?? "none",
    false,
    relevantEntries(memory),
  );
  return candidates.map(({ text }) => text);
}

/** Whether the conversation is empty so far. */
function begins(source: string): boolean {
  return source === "startup" || source === "clear";
}

/**
 * What the conversation contains already: a replayed one what it was told, a new or compacted one
 * nothing.
 */
function toldBefore(memory: Memory, session: string, source: string): readonly string[] {
  return isReplayed(source) ? readSession(memory, session)?.told ?? [] : [];
}

/** That capture fails comes before what is remembered: only the person can mend it. */
function noticeOf({ trouble, last, strange }: Gathered, settings: string): string {
  const sentences = [
    trouble === "" ? "" : `I could not keep what was said: ${trouble}.`,
    last.notice,
    ...strange,
    settings,
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** The person wants to see nothing of Sage unasked. */
function isSilent({ config }: Memory): boolean {
  return config.get("output.level") === "silent";
}

/** The first session ever has nothing to be oriented by, but is told once who Sage is. */
function introduce(memory: Memory, session: string, source: string): Orientation | undefined {
  if (source !== "startup" || wasExplained(memory, "orientation")) return undefined;
  const lines = lessonFor(memory, session);
  if (lines.length === 0) return undefined;
  const project = quote(memory.places.projectName, 60);
  const text = [`Sage memory of ${project}: no earlier session to go on from.`, ...lines]
    .join("\n");
  const tokens = estimateTokens(text);
  if (tokens > memory.config.get("budget.orientation_tokens")) return undefined;
  countMeeting(memory, "orientation");
  const promise = isRead(memory, session) ? ` ${FROM_NOW_ON}` : "";
  const notice = isSilent(memory) ? {} : { notice: FIRST_NOTICE + promise };
  return { ...NOTHING_TOLD, text, tokens, ...notice, skipped: 0, paths: [], until: Infinity };
}
