/**
 * A Tabula vault: `claude/projects/<name>/{sessions,entities,archive}`, `claude/global/{entities,topics}`
 * and the maps `_index.md`. Notes stay as they are; a session's headings are renamed to Sage's.
 */
import { frontText } from "../../../note/front_values.ts";
import type { Found, Place } from "../item.ts";
import { adopt, type MarkdownFile, readMarkdownBelow } from "./markdown.ts";

/** Its headings, and Sage's. */
const HEADINGS: ReadonlyMap<string, string> = new Map([
  ["Context", "Summary"],
  ["Work Log", "Log"],
  ["Decisions Made", "Decisions"],
  ["Next Steps", "Next"],
]);
const WANTED = /(?:^|\/)(?:projects|global)\/.*\.md$/i;

export function readTabula(place: Place): AsyncGenerator<Found> {
  return readMarkdownBelow(place, WANTED, ofFile);
}

function ofFile(file: MarkdownFile): Found {
  const { path, front, body, stem } = file;
  const [, named] = /(?:^|\/)projects\/([^/]+)\//.exec(path) ?? [];
  const said = named ?? frontText(front, "project");
  const project = said === "global" ? "" : said;
  const type = frontText(front, "type")?.toLowerCase();
  if (stem.toLowerCase() === "_index") {
    // All maps are named `_index`, so the project's name is used.
    return adopt({ ...file, stem: named ?? "map" }, { kind: "topic", project });
  }
  if (type === "session" || /\/sessions\//.test(path)) {
    return adopt(file, {
      kind: "session",
      project,
      body: body.replace(/^##[ \t]+(.+?)[ \t]*$/gm, (line, name: string) => {
        const ours = HEADINGS.get(name);
        return ours === undefined ? line : `## ${ours}`;
      }),
      keys: new Map([
        ["session", frontText(front, "session") ?? stem],
        ["agent", frontText(front, "agent") ?? "claude-code"],
        ["status", frontText(front, "status")],
      ]),
    });
  }
  if (type === "topic" || /\/topics\//.test(path)) return adopt(file, { kind: "topic", project });
  return adopt(file, {
    kind: "knowledge",
    project,
    keys: new Map([["subject", frontText(front, "subject") ?? "entity"]]),
  });
}
