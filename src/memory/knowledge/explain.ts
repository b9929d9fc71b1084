/** `knowledge debug`: prints the value that recall returned, in the format of the first Sage. */
import type { RecallItem } from "./answer.ts";
import type { Recall } from "./recall.ts";

export function renderDebug(recall: Recall): string {
  const { config } = recall;
  const lines = [
    `Query: "${recall.query}"`,
    `Config: recall_threshold=${config.recall_threshold.toFixed(2)}, embedding_weight=${
      config.embedding_weight.toFixed(2)
    }, keyword_weight=${config.keyword_weight.toFixed(2)}`,
    "",
    `Would retrieve (at or above ${config.recall_threshold.toFixed(2)}):`,
    ...(recall.items.length === 0
      ? ["  nothing"]
      : recall.items.map((item) => `  ✓ ${scores(item)}`)),
    // Explains an order that does not follow the scores.
    ...(isByScore(recall.items) ? [] : ["  ordered by relevance, recency and use"]),
  ];
  if (recall.nearMisses.length > 0) {
    const floor = Math.max(0, config.recall_threshold - 0.1);
    lines.push("", `Near misses (${floor.toFixed(2)} – ${config.recall_threshold.toFixed(2)}):`);
    lines.push(...recall.nearMisses.map((item) => `  ✗ ${scores(item)}`));
  }
  if (recall.nearest !== undefined) {
    lines.push("", "Nearest:", `  ✗ ${scores(recall.nearest)}`);
  }
  if (recall.skipped.length > 0) {
    lines.push("", "Left out:", ...recall.skipped.map(({ id, reason }) => `  – ${id}: ${reason}`));
  }
  if (recall.lexicalOnly) {
    lines.push("", "The embedding model sees no word in this query: keywords alone decided.");
  }
  if (recall.levers.length > 0) {
    lines.push("", ...recall.levers.map(({ command, effect }) => `Tip: \`${command}\` ${effect}`));
  }
  return lines.join("\n");
}

function isByScore(items: readonly RecallItem[]): boolean {
  return items.every(({ score }, i) => score <= (items[i - 1]?.score ?? Infinity));
}

/** One candidate with its scores and the formula that combines them. */
function scores({ id, score, emb, kw, trigger, formula }: RecallItem): string {
  const because = trigger === undefined ? "" : `, keyword "${trigger}"`;
  const parts = `(emb=${emb.toFixed(2)}, kw=${kw.toFixed(2)}${because})`;
  return `${id}  combined=${score.toFixed(3)}  ${parts}: ${formula}`;
}

/** The whole calculation for one note, or undefined if it was not a candidate. */
export function renderWhy(recall: Recall, id: string): string | undefined {
  const item = [...recall.items, ...recall.nearMisses].find((one) =>
    one.id === id || one.short_id === id
  );
  if (item === undefined) {
    const skipped = recall.skipped.find((one) => one.id === id);
    return skipped === undefined ? undefined : `${id}: left out, ${skipped.reason}`;
  }
  const { config } = recall;
  return [
    `${item.id}  "${item.title}"`,
    `  emb      ${item.emb.toFixed(3)}   similarity of meaning, calibrated`,
    `  kw       ${item.kw.toFixed(3)}   share of what the query's words could reach${
      item.matched.length === 0 ? "" : ` (${item.matched.join(", ")})`
    }`,
    `  combined ${item.combined.toFixed(3)}   carried by ${item.carried_by}`,
    `  scope    × ${item.scope_factor}`,
    `  formula  ${item.formula}`,
    `  score    ${item.score.toFixed(3)}   against a threshold of ${
      config.recall_threshold.toFixed(2)
    }`,
    ...(item.trigger === undefined ? [] : [`  trigger  "${item.trigger}" is in the query`]),
    `  passage  ${item.heading}`,
  ].join("\n");
}
