/**
 * A blocker: something failed again and again and the agent changed its way, or an answer closes a way
 * for a reason outside the team's control (limit, licence, platform, access, missing data).
 */
import type { ToolUse } from "../../editor/editor.ts";
import { splitSentences } from "../../base/text.ts";
import { spoken } from "../clean.ts";
import { errorLine } from "../evidence.ts";
import type { Exchange } from "../exchanges.ts";
import { standsAlone, termsOf } from "../sentences.ts";
import type { Signal } from "../signal.ts";

const FAILURES_MIN = 2;
const LOOK_BACK_EXCHANGES = 2;
/** A limit told again, in other words, within so many exchanges is no discovery. */
const REPEATED_WITHIN_EXCHANGES = 6;
const REPEATED_SHARE = 0.3;

/** Errors that no edit of one's own code mends. */
const OUTSIDE =
  /\b(?:licen[cs]e|quota|rate.?limit|too many requests|40[123]|429|451|forbidden|unauthorized|permission denied|access denied|not (?:supported|permitted|available|allowed)|unsupported|deprecated|unreachable|no space left|glibc|architecture|platform|region|enotsup|eperm|eacces|payment|subscription)\b/i;

/** Who sets limits, and how a sentence says that the way is closed. */
const LIMIT =
  /\b(?:licen[cs]e\w*|terms|quotas?|(?:rate )?limit(?:s|ed)?|max(?:imum)?|api|sdk|platform|browsers?|safari|chrome|firefox|windows|macos|ios|android|linux|kernel|vendor|provider|plan|tier|server|service|endpoint|database|version|hardware|law|gdpr|compliance|policy|data|export|column|field|region|firewall|proxy|lizenz\w*|grenze|anbieter|schnittstelle|daten|licencia|límite|fournisseur)\b/i;
const CLOSED =
  /\b(?:cannot|can't|can not|won't|will not|does(?:n't| not)|do(?:n't| not)|is(?:n't| not)|are(?:n't| not)|no longer|never|forbids?|prohibits?|rejects?|blocks?|caps?|capped|limited to|only (?:allows?|supports?|available|works?|returns?)|impossible|unavailable|missing|rules? out|ruled out|requires? (?:a|an) (?:paid|enterprise|commercial)|kein(?:e|en)?|nicht|verbietet|nur|no (?:permite|soporta)|ne .{1,30} pas|interdit)\b/i;

/** `earlier` are exchanges before the last save: what they closed is closed already. */
export function blocker(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[] = [],
): Signal | undefined {
  const found = [gaveUp(exchanges), closed(exchanges, earlier)].filter((signal) =>
    signal !== undefined
  );
  const [best, other] = found.sort((a, b) => b.confidence - a.confidence);
  if (best === undefined) return undefined;
  return other === undefined ? best : {
    ...best,
    confidence: Math.min(0.9, best.confidence + 0.12),
    reason: `${best.reason}; ${other.reason}`,
  };
}

/** Repeated failure of one command, then another way. */
function gaveUp(exchanges: readonly Exchange[]): Signal | undefined {
  const tools = exchanges.slice(-LOOK_BACK_EXCHANGES).flatMap((exchange) => exchange.tools);
  const failures = new Map<string, { count: number; last: number; isOutside: boolean }>();
  tools.forEach((tool, i) => {
    const error = errorLine(tool);
    if (error === undefined) return;
    const known = failures.get(wayOf(tool));
    failures.set(wayOf(tool), {
      count: (known?.count ?? 0) + 1,
      last: i,
      isOutside: known?.isOutside === true || OUTSIDE.test(error),
    });
  });
  for (const [way, { count, last, isOutside }] of failures) {
    const later = tools.slice(last + 1);
    // The same way working in the end is a bug mended, not a way closed.
    if (
      count < FAILURES_MIN || later.some((tool) => wayOf(tool) === way && tool.failed === false)
    ) continue;
    const changed = later.some((tool) => tool.failed === false && wayOf(tool) !== way);
    return {
      trigger: "constraint_discovered",
      confidence: 0.5 + (isOutside ? 0.14 : 0) + (changed ? 0.1 : 0) +
        Math.min(0.08, 0.04 * (count - 2)),
      reason: `${count} failures of one way${changed ? ", then another way" : ""}`,
    };
  }
  return undefined;
}

/** An answer that says what is not possible, and for whose reason. */
function closed(exchanges: readonly Exchange[], earlier: readonly Exchange[]): Signal | undefined {
  const last = exchanges.at(-1);
  const known = [...earlier, ...exchanges.slice(0, -1)].slice(-REPEATED_WITHIN_EXCHANGES)
    .flatMap((exchange) => closingSentences(exchange)).map(termsOf);
  const closing = closingSentences(last).filter((sentence) => {
    const terms = termsOf(sentence);
    return !known.some((other) => shared(terms, other) > REPEATED_SHARE);
  });
  if (closing.length === 0) return undefined;
  const outside = last?.tools.some((tool) =>
    OUTSIDE.test(errorLine(tool) ?? "") || tool.name === "WebFetch"
  );
  const isMeasured = closing.some((sentence) => /\d|https?:/.test(sentence));
  return {
    trigger: "constraint_discovered",
    confidence: 0.52 + Math.min(0.1, 0.05 * (closing.length - 1)) + (outside === true ? 0.12 : 0) +
      (isMeasured ? 0.06 : 0),
    reason: "an answer closes a way",
  };
}

function closingSentences(exchange: Exchange | undefined): string[] {
  return splitSentences(spoken(exchange?.answer?.text ?? "")).filter((sentence) =>
    standsAlone(sentence) && !sentence.endsWith("?") && LIMIT.test(sentence) &&
    CLOSED.test(sentence)
  );
}

/** The share of the shorter one's terms that the other has as well. */
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((term) => b.has(term)).length;
  return common / Math.max(1, Math.min(a.size, b.size));
}

/** What counts as one way: the program of a command, or the tool. */
function wayOf(tool: ToolUse): string {
  if (tool.command === undefined) return `${tool.name} ${tool.filePath ?? ""}`;
  const words = tool.command.replace(/^(?:\w+=\S+\s+|cd \S+ && |sudo |npx |time )+/, "").split(
    /\s+/,
    2,
  );
  return words.filter((word) => !word.startsWith("-")).join(" ");
}
