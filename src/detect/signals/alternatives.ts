/**
 * A choice laid out: at least two named ways with their price, in a table, under headings or as a list;
 * or asked with the editor's question tool; or taken, after it was laid out before.
 */
import { splitSentences } from "../../base/text.ts";
import { findDecisions, hasReason } from "../decisions.ts";
import type { Exchange } from "../exchanges.ts";
import type { Signal } from "../signal.ts";

/** What an alternative costs or gains: without it a list is a list. */
const PRICE =
  /\b(?:pros?|cons?|advantages?|disadvantages?|downsides?|upsides?|drawbacks?|trade-?offs?|benefits?|costs?|price|faster|slower|simpler|cheaper|safer|riskier|more complex|less code|overhead|but|however|needs?|requires?|without|vorteile?|nachteile?|aufwand|schneller|langsamer|einfacher|ventajas?|desventajas?|avantages?|inconvénients?)\b/i;
const NAMED =
  /^(?:option|approach|alternative|choice|variant|path|plan|variante|möglichkeit|opción|choix) ?(?:\d|[a-e])?\b/i;
/** The layout and the choice are at least this many exchanges apart to be two points. */
const TAKEN_AFTER_EXCHANGES = 1;
const LOOK_BACK_EXCHANGES = 8;

/** `earlier` are exchanges before the last save: a way named there may be taken now. */
export function alternatives(
  exchanges: readonly Exchange[],
  earlier: readonly Exchange[] = [],
): Signal | undefined {
  const last = exchanges.at(-1);
  if (last === undefined) return undefined;
  const found = [asked(last), laidOut(last), taken([...earlier, ...exchanges])].filter((signal) =>
    signal !== undefined
  );
  return found.sort((a, b) => b.confidence - a.confidence)[0];
}

function asked({ tools }: Exchange): Signal | undefined {
  const questions = tools.filter((tool) => (tool.options?.length ?? 0) >= 2);
  if (questions.length === 0) return undefined;
  const isPriced = questions.some((tool) => tool.options?.some((option) => option.includes(": ")));
  return {
    trigger: "branch_point",
    confidence: isPriced ? 0.86 : 0.7,
    reason: "a question with options was put",
  };
}

function laidOut({ answer }: Exchange): Signal | undefined {
  if (answer === undefined) return undefined;
  const ways = Math.max(columns(answer.text), ...named(answer.text));
  if (ways < 2) return undefined;
  const asksBack = /\?\s*$/.test(splitSentences(answer.text).at(-1) ?? "");
  return {
    trigger: "branch_point",
    confidence: Math.min(0.88, 0.62 + 0.06 * Math.min(3, ways - 1) + (asksBack ? 0.14 : 0)),
    reason: `${ways} ways were laid out with their price`,
  };
}

/** A choice made now between ways that were named before. */
function taken(exchanges: readonly Exchange[]): Signal | undefined {
  const last = exchanges.at(-1);
  if (last?.prompt === undefined) return undefined;
  const [decision] = findDecisions([last.prompt]);
  if (decision === undefined) return undefined;
  const earlier = exchanges.slice(-LOOK_BACK_EXCHANGES, -TAKEN_AFTER_EXCHANGES);
  if (!earlier.some((exchange) => laidOut(exchange) ?? asked(exchange))) return undefined;
  return {
    trigger: "branch_point",
    confidence: hasReason(last.prompt.text) ? 0.82 : 0.62,
    reason: "one of the ways named before was taken",
  };
}

/** Alternatives compared in a table: its columns, or its rows when the columns name properties. */
function columns(text: string): number {
  const rows = text.split("\n").filter((line) => /^\s*\|.*\|\s*$/.test(line));
  const rule = rows.findIndex((row) => /^[\s|:-]+$/.test(row));
  if (rule < 0 || rows.length - rule - 1 < 2) return 0;
  const width = (rows[0] ?? "").split("|").length - 2;
  const isComparison = PRICE.test(rows.join(" ")) || PRICE.test(text.replace(/^\s*\|.*$/gm, ""));
  return width >= 3 && isComparison ? Math.min(width - 1, 4) : 0;
}

/** Headings and list items that name ways: 'Option A', or bold leads that state a price each. */
function named(text: string): [number, number] {
  let options = 0;
  let priced = 0;
  let block = "";
  const closeBlock = (): void => {
    if (block !== "" && PRICE.test(block)) priced++;
    block = "";
  };
  for (const line of text.split("\n")) {
    const lead =
      /^\s*(?:#{2,5} |(?:[-*]|\d{1,2}[.)]) ?)?\**([^*\n]{2,80}?)\**(?::| [–—-] |\s*$|\*\*)/.exec(
        line,
      )?.[1];
    const isLead = /^\s*(?:#{2,5} |(?:[-*]|\d{1,2}[.)]) \*\*)/.test(line);
    if (
      lead !== undefined && NAMED.test(lead.trim()) && /^\s*(?:#{2,5} |\*\*|[-*] |\d)/.test(line)
    ) options++;
    if (isLead) {
      closeBlock();
      block = line;
    } else if (block !== "") {
      block += " " + line;
    }
  }
  closeBlock();
  return [options, NAMED_CONTEXT.test(text) ? priced : 0];
}

/** Bold list items are ways only where the text says that it is about ways. */
const NAMED_CONTEXT =
  /\b(?:options?|approaches|alternatives|candidates|ways|either|choices?|choose|choosing|möglichkeiten|varianten|wege|opciones|possibilités)\b/i;
