/** `sage search`: ranked hits over every note, with the passage that matched. */
import { collapse, cut } from "../../base/text.ts";
import { rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { flagWords } from "../../memory/item.ts";
import { type HitItem, searchMemory, type SearchResult } from "../../memory/search.ts";
import { showsWork } from "../../memory/notice.ts";
import type { Memory } from "../../memory/memory.ts";
import { NOTE_KINDS } from "../../note/note.ts";
import { type Answer, bold, dim, failed, type Line, styled } from "../answer.ts";
import { defineCommand } from "../command.ts";
import type { Io } from "../io.ts";
import { ago } from "../print.ts";
import { recalledLines } from "../recalled.ts";
import { moment } from "../since.ts";
import { wrap } from "../table.ts";
import { withMemory } from "../with_memory.ts";

/** A snippet is a reminder, not the note: two lines on most terminals. */
const SNIPPET_LINES_MAX = 2;
/** Where nothing fits well, what answers stands as likely at the tenth place as at the fourth, and rarely. */
const WEAK_SNIPPETS_MAX = 3;

const IN_OTHER_WORDS = "--also asks in other words as well";

export const command = defineCommand({
  operands: [0, Infinity],
  options: {
    type: { type: "string", choices: [...NOTE_KINDS, "note"], summary: "only this kind of note" },
    tag: { type: "string", value: "tag", summary: "only notes with this tag" },
    after: {
      type: "string",
      value: "when",
      summary: "only notes from then on: 12h, 30d, 2026-01-13",
    },
    also: {
      type: "strings",
      value: "words",
      summary: "the same question in other words, which the note may use",
    },
    limit: {
      type: "number",
      min: 1,
      max: 1000,
      summary: "so many, however little they fit; without it at most 10 that do",
    },
    all: { type: "boolean", summary: "also other projects' notes" },
    explain: { type: "boolean", summary: "how each score comes about" },
  },
  details:
    "Filters among the words narrow: type:todo tag:release project:web after:2026-01 before:2026-02-15; alone they list the newest, as --type, --tag and --after do. A \"quoted phrase\" or a time (last week, latest) puts what fits first and hides nothing. There is no negation.\n\n--also asks the same in other words: what a note scores is the mean over all of them. Give what its writer may have said, such as the technical terms, or the answer as it may read. Filters, phrases and times are read from the query alone.\n\nThe number at each hit is how likely it answers, 0 to 1. What hardly fits is left out, and where nothing fits well the nearest are shown and said to be that, the first three with the passage.\n\nSearches the project's store and your own (~/.sage). Your own also holds notes of projects without a store: of those, only this project's are shown. --all adds the others', and what lies in the stores of other projects that you made or trusted; project:<name> asks one of them.",
  examples: [
    "sage search token refresh",
    "sage search --type knowledge worktrees",
    "sage search 'tag:release \"dead letter\" last week'",
    "sage search 'why are we logged out so often' --also 'session timeout' --also 'token lifetime'",
  ],
  connects: "endpoint",
  run(input, io) {
    const { options, rest } = input;
    const query = rest.join(" ");
    if (query === "" && [options.type, options.tag, options.after].every((one) => !one)) {
      throw new SageError("usage", "Nothing says what to search for", {
        hint: "sage search <words>, or what narrows them alone: sage search type:todo",
      });
    }
    return withMemory(input, io, async (memory) => {
      const { type, tag, after, all, also } = options;
      const result = await searchMemory(memory, query, {
        all,
        also,
        ...(options.limit === undefined ? {} : { limit: options.limit }),
        ...(type === undefined ? {} : { type }),
        ...(tag === undefined ? {} : { tag }),
        ...(after === undefined ? {} : { after: rfc3339(moment(after, "--after", memory.now())) }),
      });
      return result.items.length === 0
        ? nothing(query, all, result)
        : hits(memory, io, result, options.explain || showsWork(memory), also.length > 0);
    });
  },
});

function nothing(query: string, all: boolean, { weak }: SearchResult): Answer {
  return failed({
    code: "not_found",
    message: query === "" ? "No note is of that kind" : `Nothing matches "${query}"`,
    hint: all ? "try fewer or other words" : "try other words; --all adds what other projects know",
  }, { json: { items: [], total: 0, weak } });
}

function hits(
  memory: Memory,
  io: Io,
  result: SearchResult,
  isExplained: boolean,
  isRephrased: boolean,
): Answer {
  const { items, total, weak, lexicalOnly } = result;
  const nowMs = memory.now();
  const shown = items.map((item) => ({ ...item, text: item.snippet }));
  return {
    json: { items, total, weak, lexical_only: lexicalOnly },
    text: recalledLines(
      memory,
      io,
      shown,
      () =>
        items.flatMap((
          item,
          i,
        ) => [
          ...(i === 0 ? [] : [""]),
          ...hit(io, item, nowMs, isExplained, !weak || i < WEAK_SNIPPETS_MAX),
        ]),
    ),
    notices: weak
      ? [`nothing fits well: these are the nearest${isRephrased ? "" : `; ${IN_OTHER_WORDS}`}`]
      // How many there are nobody has counted: further down there is mostly chance.
      : total > items.length
      ? [`more hits: --limit ${2 * items.length} shows them`]
      : [],
  };
}

function hit(
  io: Io,
  item: HitItem,
  nowMs: number,
  isExplained: boolean,
  hasSnippet: boolean,
): Line[] {
  const words = flagWords(item);
  const flags = words.length === 0 ? [] : [styled(` (${words.join(", ")})`, "yellow")];
  const facts = `${item.short_id} · ${item.type}${
    item.of === undefined ? "" : ` of ${item.of}`
  } · ${ago(io, item.updated || item.created, nowMs)}${
    item.score > 0 ? ` · ${item.score.toFixed(2)}` : ""
  }`;
  const columns = io.isTerminal.stdout ? Math.min(io.columns, 100) : 100;
  const title = wrap(item.title, columns).map((line) => bold(line));
  return [
    ...title.slice(0, -1),
    [title.at(-1) ?? "", ...flags],
    dim(`  ${facts}`),
    ...(isExplained ? [dim(`  ${item.formula}`)] : []),
    ...(isExplained && item.phrasing !== undefined
      ? [dim(`  found by: ${cut(collapse(item.phrasing), 90)}`)]
      : []),
    // A note without a body says the same twice.
    ...(!hasSnippet || collapse(item.snippet) === collapse(item.title)
      ? []
      : wrap(item.snippet, columns, "  ", SNIPPET_LINES_MAX)),
  ];
}
