/** The answer of `sage search`. Apart from the command, which asks a session's server first. */
import { collapse, cut, inOneLine } from "../base/text/text.ts";
import { defined } from "../base/defined.ts";
import { dayOf, rfc3339 } from "../base/clock.ts";
import { flagWords } from "../memory/item.ts";
import { type HitItem, searchMemory, type SearchResult } from "../memory/search.ts";
import { inBlocks } from "../memory/same_session.ts";
import { showsWork } from "../memory/notice.ts";
import type { Memory } from "../memory/memory.ts";
import { type Answer, bold, dim, failed, type Line, type Span, styled } from "./terminal/answer.ts";
import type { Input, Values } from "./command.ts";
import { OPTIONS } from "./commands/search.ts";
import type { Io } from "./io.ts";
import { ago } from "./terminal/print.ts";
import { recalledLines } from "./recalled.ts";
import { moment } from "./since.ts";
import { wrap } from "./terminal/table.ts";
import { withMemory } from "./with_memory.ts";

/** A snippet is a reminder, not the note: two lines on most terminals. */
const SNIPPET_LINES_MAX = 2;
/** If nothing matches well, the answer is as likely at the tenth place as at the fourth, and rarely there. */
const WEAK_SNIPPETS_MAX = 3;

/** Of a filter, which may be the reason why nothing was found. */
const FILTER_CHARACTERS_MAX = 40;
/** The largest `--limit` of a search. */
const LIMIT_MAX = OPTIONS.limit.max;

const IN_OTHER_WORDS = "--also asks in other words as well";

type Wanted = Values<typeof OPTIONS>;

export function searchAnswer(
  input: Input,
  io: Io,
  query: string,
  { type, tag, after, also, limit, all, explain }: Wanted,
): Promise<Answer> {
  return withMemory(input, io, async (memory) => {
    const afterMs = moment(after, "--after", memory.now());
    const result = await searchMemory(memory, query, {
      all,
      also,
      ...defined({ limit, type, tag, after: afterMs === undefined ? undefined : rfc3339(afterMs) }),
    });
    return result.items.length === 0
      ? nothing(query, { type, tag, after, all }, result)
      : hits(memory, io, result, {
        isExplained: explain || showsWork(memory),
        isRephrased: also.length > 0,
        isRead: !input.json,
      });
  });
}

function nothing(
  query: string,
  { all, ...narrowed }: Pick<Wanted, "type" | "tag" | "after" | "all">,
  { weak, filters, hints }: SearchResult,
): Answer {
  const narrowing = Object.keys(defined(narrowed)).map((name) => `--${name}`)
    .concat(filters.map((filter) => cut(filter, FILTER_CHARACTERS_MAX))).join(" and ");
  const without = narrowing === "" ? "" : `leave out ${narrowing}, or `;
  return failed({
    code: "not_found",
    message: query === "" ? "No note is of that kind" : `Nothing matches "${query}"`,
    hint: hints.map((said) => `${said}; `).join("") + without +
      (all ? "try fewer or other words" : "try other words; --all adds what other projects know"),
  }, { json: { items: [], total: 0, weak, hints } });
}

function hits(
  memory: Memory,
  io: Io,
  result: SearchResult,
  { isExplained, isRephrased, isRead }: {
    readonly isExplained: boolean;
    readonly isRephrased: boolean;
    /** Read by a person or an agent, who want lines. */
    readonly isRead: boolean;
  },
): Answer {
  const { items, total, weak, lexicalOnly, hints } = result;
  const nowMs = memory.now();
  const shown = items.map((item) => ({ ...item, text: item.snippet }));
  const plain = (): readonly Line[] =>
    // Whoever asks why each was found is told of each.
    (isExplained ? items.map((item) => [item]) : inBlocks(items)).flatMap(([item, ...more], i) =>
      item === undefined ? [] : [
        ...(i === 0 ? [] : [""]),
        ...hit(io, item, nowMs, isExplained, !weak || i < WEAK_SNIPPETS_MAX),
        ...more.map((other): Line => [
          dim(`  also ${factsOf(io, other, nowMs)}`),
          other.title === item.title ? "" : ` · ${other.title}`,
          ...flagSpans(other),
        ]),
      ]
    );
  return {
    json: { items, total, weak, lexical_only: lexicalOnly, hints },
    text: isRead ? recalledLines(memory, io, shown, plain) : [],
    notices: [
      ...hints,
      ...weak
        ? [`nothing matches well: these are the nearest${isRephrased ? "" : `; ${IN_OTHER_WORDS}`}`]
        // Nobody has counted how many there are: further down there is mostly chance.
        : total > items.length && items.length < LIMIT_MAX
        ? [`more hits: --limit ${Math.min(2 * items.length, LIMIT_MAX)} shows them`]
        : [],
    ],
  };
}

function flagSpans(item: HitItem): Span[] {
  const words = flagWords(item, dayOf);
  return words.length === 0 ? [] : [styled(` (${words.join(", ")})`, "yellow")];
}

function factsOf(io: Io, item: HitItem, nowMs: number): string {
  return `${item.short_id} · ${item.type}${item.of === undefined ? "" : ` of ${item.of}`} · ${
    ago(io, item.updated || item.created, nowMs)
  }${item.score > 0 ? ` · ${item.score.toFixed(2)}` : ""}`;
}

function hit(
  io: Io,
  item: HitItem,
  nowMs: number,
  isExplained: boolean,
  hasSnippet: boolean,
): Line[] {
  const columns = io.isTerminal.stdout ? Math.min(io.columns, 100) : 100;
  const title = wrap(item.title, columns).map((line) => bold(line));
  return [
    ...title.slice(0, -1),
    [title.at(-1) ?? "", ...flagSpans(item)],
    dim(`  ${factsOf(io, item, nowMs)}`),
    ...(isExplained ? [dim(`  ${item.formula}`)] : []),
    ...(isExplained && item.phrasing !== undefined
      ? [dim(`  found by: ${cut(collapse(item.phrasing), 90)}`)]
      : []),
    // A note without a body would say the same twice.
    ...(!hasSnippet || collapse(item.snippet) === collapse(item.title)
      ? []
      : wrap(inOneLine(item.snippet), columns, "  ", SNIPPET_LINES_MAX)),
  ];
}
