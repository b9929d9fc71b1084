/**
 * The head of an order to make something, without what the thing is to be like: notes on how such
 * things are made would be lost among the other words. Apart from prompt_parts.ts, because many
 * short prompts are orders.
 */
import { lazyPattern } from "../../base/text/pattern.ts";
import { specificTerms } from "./gates.ts";

const MAKING = lazyPattern(
  String.raw`^(?:(?:please|now|then|ok(?:ay)?|can you|could you|let(?: u|')s)[\s,]+)*` +
    "(?:add|build|change|create|extend|generate|implement|introduce|make|replace|rewrite|set up|switch|use|write)" +
    String.raw`\s`,
  "i",
);
/** Where the head ends. */
const NAMED = lazyPattern(
  String
    .raw`\s(?:about|after|and|as|at|because|before|behind|between|by|for|from|if|in|instead|into|of|on|onto|or|` +
    "over|per|so|than|that|through|to|under|until|using|via|when|where|which|while|who|with|without)" +
    String.raw`\s|[:,;(]`,
  "i",
);

/**
 * `add a flag` of `add a flag to the exporter that leaves out what is empty`; none where the order
 * is no longer than that.
 */
export function headsOf(sentence: string): string[] {
  const end = MAKING().test(sentence) ? sentence.search(NAMED()) : -1;
  const head = sentence.slice(0, Math.max(0, end));
  return specificTerms(head).length > 0 ? [head] : [];
}
