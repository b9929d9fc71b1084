/**
 * What `engram export` writes, and the chunks of `engram sync`: JSON with sessions, observations and
 * prompts. An observation becomes knowledge, a session with a summary a session note; prompts and what was
 * deleted there do not come along.
 */
import { type Fields, fieldsOf, fieldsOfEach, parsed } from "../../../base/fields.ts";
import { readBytes } from "../../../base/fs.ts";
import { basename, join } from "../../../base/path.ts";
import { collapse, cutTitle, slug } from "../../../base/text/text.ts";
import { withoutBom } from "../../../base/utf8.ts";
import { renderKnowledge } from "../../../note/knowledge.ts";
import { renderSession } from "../../../note/session.ts";
import {
  BARE_KNOWLEDGE,
  EXPORT_BYTES_MAX,
  filesBelow,
  type Found,
  type Place,
  textAt,
} from "../item.ts";
import { momentSaid, said } from "./values.ts";

const BY = "engram";

export async function* readEngram(place: Place): AsyncGenerator<Found> {
  if (place.fs.lstat(place.path)?.kind !== "dir") {
    const read = textAt(place, place.path, EXPORT_BYTES_MAX);
    const key = basename(place.path);
    return yield* "reason" in read ? [{ key, reason: read.reason }] : of(key, read.text);
  }
  for (const path of filesBelow(place, /(?:^|\/)chunks\/[^/]+\.jsonl\.gz$/)) {
    if (typeof path !== "string") yield path;
    else {
      const text = await unpacked(place, path);
      if (text === undefined) yield { key: path, reason: "it cannot be unpacked" };
      else yield* of(path, text);
    }
  }
}

/** The items of one file. Ids of observations are unique in their database, which all chunks share. */
function* of(key: string, text: string): Generator<Found> {
  const data = fieldsOf(parsed(withoutBom(text)));
  if (!Array.isArray(data.observations) && !Array.isArray(data.sessions)) {
    return yield { key, reason: "it is not an export of engram" };
  }
  const sessions = fieldsOfEach(data.sessions);
  for (const session of sessions) yield* ofSession(session);
  for (const [i, observation] of fieldsOfEach(data.observations).entries()) {
    yield* ofObservation(observation, `${key}, observation ${i + 1}`);
  }
}

function* ofObservation(fields: Fields, where: string): Generator<Found> {
  const content = said(fields, "content");
  const id = said(fields, "id");
  if (said(fields, "deleted_at") !== undefined) return;
  if (content === undefined || id === undefined) {
    return yield { key: where, reason: "it has no id or says nothing" };
  }
  const title = collapse(said(fields, "title") ?? cutTitle(collapse(content), 80));
  const created = momentSaid(fields.created_at);
  const session = said(fields, "session_id");
  const topic = said(fields, "topic_key");
  const at = created ?? momentSaid(fields.updated_at) ?? "1970-01-01T00:00:00Z";
  yield {
    key: `observation ${session ?? ""} ${id}`,
    kind: "knowledge",
    title,
    stem: slug(title),
    project: said(fields, "scope") === "personal" ? "" : said(fields, "project"),
    // Without its counters, which change whenever it is seen.
    state: JSON.stringify([title, content, fields.type, topic, fields.updated_at]),
    render: (id) =>
      renderKnowledge({
        ...BARE_KNOWLEDGE,
        title,
        content,
        subject: said(fields, "type") ?? "fact",
        generated: { by: BY, at, session },
      }, {
        id,
        created: at,
        updated: momentSaid(fields.updated_at),
        aliases: topic === undefined ? [] : [topic],
      }),
  };
}

function* ofSession(fields: Fields): Generator<Found> {
  const session = said(fields, "id");
  const summary = said(fields, "summary");
  const started = momentSaid(fields.started_at);
  if (session === undefined || summary === undefined || started === undefined) return;
  const text = summary.split("\n").find((line) => /^[^#\s]/.test(line)) ?? summary;
  const title = cutTitle(collapse(text.replace(/^[-*\s]+/, "")), 80);
  const ended = momentSaid(fields.ended_at);
  yield {
    key: `session ${session}`,
    kind: "session",
    title,
    stem: `${started.slice(0, 10)}-${slug(title, 40)}-${slug(session, 8)}`,
    project: said(fields, "project"),
    state: JSON.stringify([summary, fields.ended_at]),
    render: (id) =>
      renderSession({
        title,
        session,
        started,
        ended,
        agent: BY,
        filesTouched: [],
        checkpoints: [],
        // Its headings are moved below those of the note.
        summary: summary.replace(/^#{1,2}(?=[ \t])/gm, "###"),
        decisions: [],
        done: [],
        openQuestions: [],
        next: [],
        log: [],
        generated: { by: BY, at: ended ?? started, session },
      }, { id, created: started, updated: ended }),
  };
}

/** Undefined if it is damaged or too large. */
async function unpacked({ fs, path: root }: Place, path: string): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, bytesLeft] = ["", EXPORT_BYTES_MAX];
  try {
    const packed = readBytes(fs, join(root, path), EXPORT_BYTES_MAX) as Uint8Array<ArrayBuffer>;
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    for await (const part of stream) {
      bytesLeft -= part.length;
      if (bytesLeft < 0) return undefined;
      text += decoder.decode(part, { stream: true });
    }
    return text + decoder.decode();
  } catch {
    return undefined;
  }
}
