/**
 * opencode: sessions, messages and their parts, since 2026 as rows of `opencode.db`, before that as one
 * small file each below `storage/`, both in `opencode` of the person's data folder. A session that is in
 * both is taken from the database. Parts of both have one form, so only finding them differs.
 */
import { rfc3339 } from "../../base/clock.ts";
import { type Fields, fieldsOf, fieldsOfEach, parsed, textOf } from "../../base/fields.ts";
import { type Fs, listIfDir, readBytes } from "../../base/fs.ts";
import { HOOK_DATABASE_BYTES_MAX } from "../../base/limits.ts";
import { join, slashedAsWritten } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import type { Transcript } from "../editor.ts";
import type { History, HistoryPlace, PastFile } from "../history.ts";
import { isMeant } from "../history_files.ts";
import { planItems } from "../clip.ts";
import { absolutePath, patchedFiles, TurnList } from "../turn_list.ts";
import { databasePath, dataFolder, SESSION_ID, typed } from "./place.ts";
import type { Message, OpenRows, SessionFacts } from "./rows.ts";

/** One message or one part. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;
const FILES_MAX = 20_000;

export function openHistory(place: HistoryPlace): History {
  const database = databasePath(place.home, place.env);
  const storage = join(dataFolder(place.home, place.env), "storage");
  let opened: Promise<OpenRows | undefined> | undefined;
  const rows = () => opened ??= open(place);
  return {
    async list() {
      // All of it is copied, so not for another agent's session.
      if (place.only?.values().some((id) => SESSION_ID.test(id)) === false) return [];
      const kept = await rows();
      const sessions = kept?.sessions() ?? [];
      const known = new Set(sessions.map(({ id }) => id));
      const stored = [...storedSessions(place.fs, storage)].filter(({ id }) => !known.has(id));
      return [
        ...sessions.map((session) => toFile(session, join(database, session.id))),
        ...stored.map((session) => toFile(session, storage)),
      ].filter(({ sessionId }) => isMeant(place, sessionId));
    },
    async read(file) {
      const messages = file.path === storage
        ? storedMessages(place.fs, storage, file.sessionId)
        : (await rows())?.messages(file.sessionId) ?? [];
      return transcriptOf(file, messages);
    },
    async close() {
      (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** Undefined if there is no readable database. */
async function open(place: HistoryPlace): Promise<OpenRows | undefined> {
  const path = databasePath(place.home, place.env);
  if (place.fs.lstat(path)?.kind !== "file") return undefined;
  const { openRows } = await import("./database.ts");
  const { fs, scratch, only } = place;
  // Only a hook looks for certain sessions.
  const limit = only === undefined ? {} : { bytesMax: HOOK_DATABASE_BYTES_MAX };
  return await openRows(fs, path, { scratch, ...limit });
}

function toFile({ id, directory, updatedMs }: SessionFacts, path: string): PastFile {
  return {
    agent: "opencode",
    path,
    sessionId: id,
    // The size of rows is unknown.
    size: 0,
    mtimeMs: updatedMs,
    ...(directory === "" ? {} : { cwd: slashedAsWritten(directory) }),
  };
}

/** `session/<project>/<id>.json`. */
function* storedSessions(fs: Fs, storage: string): Generator<SessionFacts> {
  for (const project of folders(fs, join(storage, "session"))) {
    for (const path of jsonFiles(fs, project)) {
      const { id, directory, time, parentID } = fieldsOf(readJson(fs, path));
      const name = textOf(id);
      if (name === undefined || !/^[A-Za-z0-9_-]{8,128}$/.test(name) || parentID) continue;
      const { updated, created } = fieldsOf(time);
      const updatedMs = Number(updated ?? created ?? 0) || 0;
      yield { id: name, directory: textOf(directory) ?? "", updatedMs };
    }
  }
}

/** `message/<session>/<id>.json`, `part/<message>/<id>.json`; ids are in the order of time. */
function storedMessages(fs: Fs, storage: string, session: string): Message[] {
  return jsonFiles(fs, join(storage, "message", session)).map((path) => {
    const data = fieldsOf(readJson(fs, path));
    const id = textOf(data.id) ?? "";
    const parts = /^[A-Za-z0-9_-]{1,128}$/.test(id) ? jsonFiles(fs, join(storage, "part", id)) : [];
    return { id, data, parts: parts.map((part) => fieldsOf(readJson(fs, part))) };
  });
}

function folders(fs: Fs, folder: string): string[] {
  return listIfDir(fs, folder).filter(({ kind }) => kind === "dir").map(({ name }) =>
    join(folder, name)
  );
}

function jsonFiles(fs: Fs, folder: string): string[] {
  return listIfDir(fs, folder).filter(({ name, kind }) => kind === "file" && name.endsWith(".json"))
    .map(({ name }) => name).sort().slice(0, FILES_MAX).map((name) => join(folder, name));
}

function readJson(fs: Fs, path: string): unknown {
  const info = fs.lstat(path);
  if (info?.kind !== "file" || info.size > FILE_BYTES_MAX) return undefined;
  return parsed(decode(readBytes(fs, path, FILE_BYTES_MAX)));
}

/** A conversation, from all its messages or the last ones. */
export function transcriptOf(
  { sessionId, cwd = "" }: Pick<PastFile, "sessionId" | "cwd">,
  messages: readonly Message[],
): Transcript {
  const turns = new TurnList();
  for (const { id, data, parts } of messages) {
    const role = data.role === "user" || data.role === "assistant" ? data.role : undefined;
    if (role === undefined) continue;
    const at = timeOf(fieldsOf(data.time).created);
    const said = parts.filter(isSaid).map((part) => textOf(part.text) ?? "").join("\n\n");
    // The summary of a compaction is not a reply.
    if (data.summary === true) turns.compaction(at, said);
    else turns.say(role, role === "user" ? typed(said) : said, at, id, textOf(data.modelID));
    turns.used(tokensIn(data));
    for (const part of parts) if (part.type === "tool") addTool(turns, part, at, cwd);
  }
  return turns.finish({ agent: "opencode", sessionId, cwd });
}

/** Not what opencode adds to a prompt, nor what a plugin shows to the person only. */
function isSaid({ type, synthetic, ignored }: Fields): boolean {
  return type === "text" && synthetic !== true && ignored !== true;
}

/** opencode's tools, under the names that memory knows. */
const NAMES: Readonly<Record<string, string>> = {
  bash: "Bash",
  apply_patch: "Edit",
  edit: "Edit",
  multiedit: "MultiEdit",
  write: "Write",
  todowrite: "TodoWrite",
  webfetch: "WebFetch",
};

/** Refused by a person, who was asked, or by a rule. */
const DENIED = /^The user (?:rejected permission|has specified a rule)\b/;

function addTool(turns: TurnList, part: Fields, at: string, cwd: string): void {
  const name = textOf(part.tool) ?? "";
  const id = textOf(part.callID) ?? textOf(part.id) ?? at;
  const { input, output, error, status, metadata } = fieldsOf(part.state);
  const args = fieldsOf(input);
  if (name === "question") turns.ask(id, fieldsOfEach(args.questions), at);
  else addCalls(turns, { id, name, args }, at, cwd);
  // One that was never finished has no outcome.
  if (status !== "completed" && status !== "error") return;
  if (DENIED.test(textOf(error) ?? "")) return turns.notRun(id);
  // A command that timed out or was stopped has none.
  const { exit = 0, answers } = fieldsOf(metadata);
  const failed = status === "error" || exit !== 0;
  turns.result(id, textOf(output) ?? textOf(error) ?? "", failed);
  // What was answered to each question: the options that were taken, or what was typed.
  if (Array.isArray(answers)) turns.answers(id, answers);
}

/** One, but a patch of several files makes several. */
function addCalls(
  turns: TurnList,
  { id, name, args }: { readonly id: string; readonly name: string; readonly args: Fields },
  at: string,
  cwd: string,
): void {
  const path = textOf(args.filePath);
  const files = path === undefined ? patchedFiles(textOf(args.patchText) ?? "") : [path];
  const call = {
    id,
    name: NAMES[name] ?? name,
    command: textOf(args.command),
    items: planItems(args.todos, "content"),
  };
  for (const file of files) turns.call({ ...call, filePath: absolutePath(file, cwd) }, at);
  if (files.length === 0) turns.call(call, at);
}

/** The tokens that were in the context after a reply, with what a cache held of them. */
function tokensIn({ tokens, summary }: Fields): number {
  // A compaction's request holds all that the summary replaces.
  if (summary === true) return 0;
  const { input, output, reasoning, cache } = fieldsOf(tokens);
  const { read, write } = fieldsOf(cache);
  return [input, output, reasoning, read, write]
    .reduce((sum: number, count) => sum + (typeof count === "number" ? count : 0), 0);
}

function timeOf(ms: unknown): string {
  return typeof ms === "number" && Number.isFinite(ms) ? rfc3339(ms) : "";
}
