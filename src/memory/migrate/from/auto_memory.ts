/**
 * Claude Code's own memory: `MEMORY.md`, the index that it loads, and a file for each fact. A fact becomes
 * knowledge, the index a topic whose links lead to the notes.
 */
import { basename } from "../../../base/path.ts";
import { frontMap, frontText } from "../../../note/front_values.ts";
import type { FrontValue } from "../../../note/note.ts";
import { type Found, linkName, type Place } from "../item.ts";
import { momentSaid } from "./values.ts";
import { adopt, type MarkdownFile, readMarkdownBelow } from "./markdown.ts";

const INDEX = "MEMORY.md";
/** `[shown](file.md)` to a file beside it. */
const FILE_LINK = /\[([^\]\n]{0,500})\]\((?:\.\/)?([^)\s/]{1,255})\.md\)/g;

export function readAutoMemory(place: Place): AsyncGenerator<Found> {
  return readMarkdownBelow(
    place,
    /\.md$/i,
    (file) => basename(file.path) === INDEX ? index(file) : fact(file),
  );
}

function index(file: MarkdownFile): Found {
  const body = file.body.replace(FILE_LINK, (_, shown: string, stem: string) => {
    return `[[${linkName(stem)}${shown === "" ? "" : `|${shown.replace(/\|/g, " ")}`}]]`;
  });
  const isTitled = file.title !== file.stem;
  const title = isTitled ? file.title : "Claude Code's memory";
  return adopt({ ...file, stem: "claude-code-memory", title }, {
    kind: "topic",
    body,
    keys: new Map(isTitled ? [] : [["title", title]]),
  });
}

function fact(file: MarkdownFile): Found {
  const { front } = file;
  const name = frontText(front, "name");
  const metadata = frontMap(front, "metadata") ?? new Map();
  const type = frontText(metadata, "type") ?? frontText(front, "type");
  const modified = momentSaid(frontText(metadata, "modified"));
  const isNamed = file.title === file.stem && name !== undefined;
  return adopt(isNamed ? { ...file, title: name } : file, {
    kind: "knowledge",
    aliases: name === undefined ? [] : [name],
    updated: modified,
    keys: new Map<string, FrontValue>([
      ...(isNamed ? [["title", name] as const] : []),
      ...(type === undefined ? [] : [["subject", type] as const]),
      ["generated", new Map([["by", "claude-code"]])],
    ]),
  });
}
