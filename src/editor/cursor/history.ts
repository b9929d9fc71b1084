/**
 * Cursor's conversations, read as they lie (place.ts). A line is what the person or the agent said, with calls
 * but without their results; the client adds tags to a prompt, of which one may say when it was typed.
 * Cursor's changelog names these files and nothing documents them: this is what people have found in
 * theirs.
 */
import { parseTime, rfc3339 } from "../../base/clock.ts";
import { type Fields, fieldsOf, fieldsOfEach, parsed, textOf } from "../../base/fields.ts";
import { join } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { planItems } from "../clip.ts";
import type { Transcript } from "../editor.ts";
import type { HistoryPlace, PastFile } from "../history.ts";
import { entriesOf, fileHistory, isMeant, pastFile, tried } from "../history_files.ts";
import { absolutePath, patchedFiles, TurnList } from "../turn_list.ts";
import { conversationIn, projectName, projectsFolder, TRANSCRIPTS } from "./place.ts";

export const openHistory = fileHistory(
  list,
  (bytes, { path, cwd, mtimeMs }) => readConversation(bytes, path, { cwd, mtimeMs, from: 0 }),
);

function list(place: HistoryPlace): PastFile[] {
  const root = projectsFolder(place.home);
  const own = projectName(place.projectDir);
  return entriesOf(place, root).flatMap(({ name: project }) => {
    const folder = join(root, project, TRANSCRIPTS);
    // Of other projects the name alone does not tell the folder.
    const cwd = project === own ? place.projectDir : undefined;
    return entriesOf(place, folder).flatMap(({ name, kind }) => {
      const path = join(folder, kind === "dir" ? `${name}/${name}.jsonl` : name);
      const sessionId = conversationIn(path);
      if (sessionId === undefined || !isMeant(place, sessionId)) return [];
      const info = tried(place, path, () => place.fs.lstat(path));
      return info?.kind === "file"
        ? [pastFile({ agent: "cursor", path, sessionId }, info, cwd)]
        : [];
    });
  });
}

interface Extent {
  readonly cwd?: string | undefined;
  /** When the file was last written, for what says no time of its own. */
  readonly mtimeMs: number;
  /** Where in the file the bytes begin. */
  readonly from: number;
}

/** The transcript of the file, or of its end with an incomplete first line. */
export function readConversation(
  bytes: Uint8Array,
  path: string,
  { cwd = "", mtimeMs, from }: Extent,
): Transcript {
  const turns = new TurnList();
  const sessionId = conversationIn(path) ?? "";
  let at = rfc3339(mtimeMs);
  for (const { start, record } of placedLines(bytes)) {
    const { role, message } = record;
    const { content } = fieldsOf(message);
    const blocks = typeof content === "string" ? [{ text: content }] : fieldsOfEach(content);
    // Lines are only ever added, so a turn is known by where it begins.
    const id = `${sessionId}:${from + start}`;
    const texts = blocks.map(({ text }) => textOf(text) ?? "");
    if (role === "user") {
      const { said, typedAt } = prompt(texts.join("\n\n"));
      at = typedAt ?? at;
      turns.say(role, said, at, id);
    } else if (role === "assistant") {
      turns.say(role, texts.map(withoutThoughts).join("\n\n"), at, id);
      blocks.forEach((block, i) => addCall(turns, block, { id: `${id}:${i}`, at, cwd }));
    }
  }
  return turns.finish({ agent: "cursor", sessionId, cwd });
}

const NEWLINE = 0x0a;

/** The complete lines, with the byte at which each begins. */
function* placedLines(bytes: Uint8Array): Generator<{ start: number; record: Fields }> {
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    yield { start, record: fieldsOf(parsed(decode(bytes.subarray(start, end)))) };
    start = end + 1;
  }
}

const STAMP = /^\s*<timestamp>([^<]{0,80})<\/timestamp>/;
const [QUERY, QUERY_END] = ["<user_query>", "</user_query>"];
/** Context that the client sends as the user. */
const OF_CLIENT = /^\s*<[a-z_]+>/;

/** What a person typed, and when; "" for a line of the client's. */
function prompt(text: string): { said: string; typedAt: string | undefined } {
  const [, stamp = ""] = STAMP.exec(text) ?? [];
  const typedAt = timeSaid(stamp);
  const start = text.indexOf(QUERY);
  if (start < 0) return { said: OF_CLIENT.test(text) ? "" : text, typedAt };
  const from = start + QUERY.length;
  const end = text.lastIndexOf(QUERY_END);
  const said = text.slice(from, end < from ? undefined : end);
  return { said: withoutAttached(said).trim(), typedAt };
}

/** An element that was picked in Cursor's browser: where it is, and its markup, in front of what is said of it. */
const ELEMENT =
  /DOM Path: [^\n]{0,2000}\nPosition: [^\n]{0,200}\n(?:React Component: ([^\n]{1,80})\n)?HTML Element: <[^<>]{0,4000}>(?:[^<>\n]{0,2000}<\/\w{1,20}>)?/g;
/** Lines of a terminal, by the file that Cursor keeps of it. */
const TERMINAL = /@\S{1,300}[\\/]terminals[\\/](\d{1,4})\.txt:\d{1,9}-\d{1,9}/g;

/** Without the places and the markup of what was attached by a click; an element's component is named. */
function withoutAttached(said: string): string {
  return said
    .replace(ELEMENT, (_, component = "element") => `(${component})`)
    .replace(TERMINAL, "@terminal $1");
}

/** 'Tuesday, Jul 21, 2026, 6:56 PM (UTC+8)' */
const SAID =
  /([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}),? (\d{1,2}):(\d\d) ([AP])M \(UTC(?:([+-])(\d{1,2})(?::(\d\d))?)?\)/;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** Of a minute its end, so that nothing is older than a save that was made before. */
function timeSaid(stamp: string): string | undefined {
  const found = SAID.exec(stamp);
  if (found === null) return undefined;
  const [, month = "", day = "", year, hour, minute, half, sign = "+", hours = "", minutes] = found;
  const two = (value: string | number): string => String(value).padStart(2, "0");
  const date = `${year}-${two(MONTHS.indexOf(month) / 3 + 1)}-${two(day)}`;
  const time = `${two(Number(hour) % 12 + (half === "P" ? 12 : 0))}:${minute}:59`;
  const ms = parseTime(`${date}T${time}${sign}${two(hours)}:${minutes ?? "00"}`);
  return ms === undefined ? undefined : rfc3339(ms);
}

const THOUGHT = "[REDACTED]";

/** Without the mark that Cursor leaves where the agent thought. */
function withoutThoughts(text: string): string {
  let said = text.trimEnd();
  while (said.endsWith(THOUGHT)) said = said.slice(0, -THOUGHT.length).trimEnd();
  return said;
}

/** Cursor's tools, under the names that memory knows. */
const NAMES: Readonly<Record<string, string>> = {
  Shell: "Bash",
  StrReplace: "Edit",
  Delete: "Edit",
  EditNotebook: "NotebookEdit",
};

function addCall(
  turns: TurnList,
  { type, name: given, input }: Fields,
  { id, at, cwd }: { readonly id: string; readonly at: string; readonly cwd: string },
): void {
  if (type !== "tool_use") return;
  const name = textOf(given) ?? "";
  // A patch is a text.
  if (name === "ApplyPatch") turns.edits(id, patchedFiles(textOf(input) ?? ""), cwd, at);
  const args = fieldsOf(input);
  const path = textOf(args.path) ?? textOf(args.target_notebook);
  turns.call({
    id,
    name: NAMES[name] ?? name,
    command: textOf(args.command),
    filePath: path === undefined ? undefined : absolutePath(path, cwd),
    items: planItems(args.todos, "content"),
  }, at);
}
