/**
 * The SQLite database of claude-mem. What lasts (decisions, discoveries, fixes and types that somebody
 * defined) becomes knowledge; what was merely done, and the summaries, become the note of the session, which
 * links to all of them. Read from a copy; columns that an older version lacks count as empty.
 */
import { SageError } from "../../../base/errors.ts";
import { basename } from "../../../base/path.ts";
import { collapse, cutTitle, slug } from "../../../base/text/text.ts";
import { type DatabaseCopy, openDatabaseCopy, type Row } from "../../../editor/database_copy.ts";
import { renderList } from "../../../note/fields.ts";
import { renderKnowledge } from "../../../note/knowledge.ts";
import { renderSession } from "../../../note/session.ts";
import { BARE_KNOWLEDGE, type Found, linkAliases, type Place, wikilink } from "../item.ts";
import { momentSaid, packedTexts, said } from "./values.ts";

const BY = "claude-mem";
/** Read at once; each has a few KiB. */
const PAGE = 500;
/** Types of observations that record what was done, not what is known. */
const DONE = ["feature", "refactor", "change"];
const FILES_MAX = 40;
const KEYWORDS_MAX = 16;

interface Observation {
  readonly id: string;
  readonly session: string;
  readonly project: string | undefined;
  readonly type: string;
  readonly title: string;
  readonly subtitle: string | undefined;
  readonly facts: readonly string[];
  readonly narrative: string | undefined;
  readonly concepts: readonly string[];
  readonly files: readonly string[];
  readonly changed: readonly string[];
  readonly at: string;
}

interface Session {
  /** The editor's id. */
  readonly id: string;
  readonly agent: string;
  readonly title: string | undefined;
  readonly started: string | undefined;
  readonly ended: string | undefined;
}

export async function* readClaudeMem(place: Place): AsyncGenerator<Found> {
  const { fs, path, scratch } = place;
  const key = basename(path);
  if (place.isIgnored(path)) return yield { key, reason: ".sageignore excludes it" };
  if (fs.lstat(path)?.kind !== "file") return yield { key, reason: "it is not a file" };
  const copy = await openDatabaseCopy(fs, path, { scratch, prefix: "claude-mem-" });
  if (copy === undefined) {
    return yield { key, reason: "it is not a SQLite database, or larger than 2 GiB" };
  }
  try {
    const tables = copy.query("select name from sqlite_master where type = 'table'")
      .map(({ name }) => name);
    if (!tables.includes("observations") || !tables.includes("session_summaries")) {
      return yield { key, reason: "it has other tables than claude-mem's" };
    }
    const known = tables.includes("sdk_sessions")
      ? copy.query("select * from sdk_sessions where memory_session_id is not null")
      : [];
    const facts = new Map(known.map((row) => [String(row.memory_session_id), row]));
    yield* knowledge(copy, facts);
    yield* sessions(copy, facts);
  } catch (error) {
    if (error instanceof SageError) throw error;
    // An error of SQLite, such as a damaged page.
    yield { key, reason: "the database is damaged; what was read before that is here" };
  } finally {
    copy.close();
  }
}

/** By claude-mem's own id of each. */
type Sessions = ReadonlyMap<string, Row>;

function* knowledge(copy: DatabaseCopy, facts: Sessions): Generator<Found> {
  let last = 0;
  for (;;) {
    const rows = copy.query(
      "select * from observations where id > ? order by id limit ?",
      last,
      PAGE,
    );
    if (rows.length === 0) return;
    const before = last;
    for (const row of rows) {
      last = Number(row.id);
      const observation = toObservation(row);
      if (observation === undefined) {
        yield { key: `observation ${last}`, reason: "it says nothing" };
      } else if (!DONE.includes(observation.type)) {
        const { id } = toSession(observation.session, facts.get(observation.session));
        yield ofObservation(observation, id);
      }
    }
    // Otherwise the same rows would be read for ever.
    if (!(last > before)) {
      const reason = "its id is not a number to continue from: what follows it is not read";
      return yield { key: `observation ${rows.at(-1)?.id}`, reason };
    }
  }
}

function toObservation(row: Row): Observation | undefined {
  const narrative = said(row, "narrative", "text");
  const facts = packedTexts(row.facts);
  const subtitle = said(row, "subtitle");
  const text = narrative ?? facts[0] ?? subtitle;
  const title = said(row, "title") ??
    (text === undefined ? undefined : cutTitle(collapse(text), 80));
  if (title === undefined) return undefined;
  const changed = packedTexts(row.files_modified).slice(0, FILES_MAX);
  return {
    id: String(row.id),
    session: said(row, "memory_session_id", "sdk_session_id") ?? "",
    project: said(row, "merged_into_project", "project"),
    type: said(row, "type") ?? "discovery",
    title: collapse(title),
    subtitle,
    facts,
    narrative,
    concepts: packedTexts(row.concepts),
    files: [...new Set([...changed, ...packedTexts(row.files_read)])].slice(0, FILES_MAX),
    changed,
    at: momentIn(row, "created_at") ?? "1970-01-01T00:00:00Z",
  };
}

function ofObservation(observation: Observation, session: string): Found {
  const { id: row, project, type, title, subtitle, facts, narrative, at } = observation;
  const content = [subtitle, narrative, renderList(facts)]
    .filter((part) => part !== undefined && part !== "").join("\n\n") || title;
  return {
    key: `observation ${row}`,
    kind: "knowledge",
    title,
    stem: slug(title),
    project,
    state: JSON.stringify(observation),
    render: (id) =>
      renderKnowledge({
        ...BARE_KNOWLEDGE,
        title,
        content,
        subject: type,
        keywords: observation.concepts.slice(0, KEYWORDS_MAX),
        sources: observation.files.map((file) => ({ id: file, relation: "" })),
        tags: observation.concepts.map((concept) => concept.replaceAll(/\s+/g, "-"))
          .slice(0, KEYWORDS_MAX),
        generated: { by: BY, at, session },
      }, { id, created: at, aliases: linkAliases(title) }),
  };
}

function* sessions(copy: DatabaseCopy, facts: Sessions): Generator<Found> {
  const ids = copy.query(
    "select memory_session_id as id from session_summaries union " +
      "select memory_session_id from observations order by 1",
  ).map(({ id }) => String(id ?? ""));
  for (const id of ids) {
    if (id === "") continue;
    const summaries = copy.query(
      "select * from session_summaries where memory_session_id = ? order by id",
      id,
    );
    const observations = copy.query(
      "select * from observations where memory_session_id = ? order by id",
      id,
    ).flatMap((row) => toObservation(row) ?? []);
    yield* ofSession(id, toSession(id, facts.get(id)), summaries, observations);
  }
}

function toSession(id: string, row: Row = {}): Session {
  const platform = said(row, "platform_source");
  return {
    id: said(row, "content_session_id") ?? id,
    agent: platform === undefined || platform === "claude" ? "claude-code" : platform,
    title: said(row, "custom_title"),
    started: momentIn(row, "started_at"),
    ended: momentIn(row, "completed_at"),
  };
}

/** Columns of moments come in pairs, as a number and as a text. */
function momentIn(row: Row, column: string): string | undefined {
  return momentSaid(row[`${column}_epoch`]) ?? momentSaid(row[column]);
}

/** A session that was resumed has several summaries, one after the other. */
function* ofSession(
  key: string,
  session: Session,
  summaries: readonly Row[],
  observations: readonly Observation[],
): Generator<Found> {
  const parts = (...names: string[]): string[] =>
    summaries.flatMap((row) => names.flatMap((name) => said(row, name) ?? []));
  const requests = parts("request");
  const moments = [
    ...summaries.flatMap((row) => momentIn(row, "created_at") ?? []),
    ...observations.map(({ at }) => at),
  ].sort();
  const started = session.started ?? moments[0];
  const first = requests[0] ?? observations[0]?.title;
  if (started === undefined || first === undefined) return;
  const title = collapse(session.title ?? cutTitle(collapse(first), 80));
  const ended = session.ended ?? moments.at(-1);
  const done = observations.filter(({ type }) => DONE.includes(type));
  yield {
    key: `session ${key}`,
    kind: "session",
    title,
    stem: `${started.slice(0, 10)}-${slug(title, 40)}-${slug(session.id, 8)}`,
    project: said(summaries[0] ?? {}, "merged_into_project", "project") ??
      observations[0]?.project,
    state: JSON.stringify([
      title,
      ...parts("request", "investigated", "learned", "completed", "next_steps", "notes"),
      observations,
    ]),
    render: (id) =>
      renderSession({
        title,
        session: session.id,
        started,
        ended,
        agent: session.agent,
        filesTouched: [...new Set(observations.flatMap(({ changed }) => changed))]
          .slice(0, FILES_MAX),
        checkpoints: [],
        summary: [...requests, ...parts("investigated", "learned", "notes")].join("\n\n"),
        decisions: observations.filter(({ type }) => type === "decision")
          .map(({ title }) => wikilink(title)),
        done: [...parts("completed"), ...done.map(saidOf)],
        openQuestions: [],
        next: parts("next_steps"),
        log: observations.map(({ at, type, title }) =>
          `${at} ${type}: ${DONE.includes(type) ? title : wikilink(title)}`
        ),
        generated: { by: BY, at: ended ?? started, session: session.id },
      }, { id, created: started, updated: ended }),
  };
}

/** What was done, with its subtitle, narrative and facts. */
function saidOf({ title, subtitle, narrative, facts }: Observation): string {
  return [title, ...[subtitle, narrative].filter((part) => part !== undefined), ...facts].join(
    "\n",
  );
}
