/**
 * What keeps Sage silent, and what it costs when it is not: sessions of forty prompts, played through the
 * real gates, recall and orientation over a store of 357 notes. Of ten prompts nine are those of the
 * labelled conversations, in their order, about projects that are not in the store; one is of the vault's
 * own, half of which its notes answer. Kept in bench/results/continuity.json.
 *
 *   deno run -A bench/continuity/gates.ts
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { estimateTokens } from "../../src/base/text/tokens.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { readSession } from "../../src/memory/session/state/state.ts";
import { surface } from "../../src/memory/surfacing/surfacing.ts";
import { begin, byHand, MINUTE, type World, world } from "../../tests/support/world.ts";
import { DEVELOPMENT, TEST } from "../detection/sets.ts";
import { median } from "../latency/sample.ts";
import { keep } from "./results.ts";

const VAULT = new URL("../retrieval/sets/vault/", import.meta.url);
const PROMPTS = 40;
/** One prompt in this many is about what the store has, or might have. */
const EVERY = 10;

interface Note {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly keywords: readonly string[];
  readonly updated: string;
}

interface VaultPrompt {
  readonly prompt: string;
  readonly relevant: readonly string[];
}

interface Asked {
  readonly text: string;
  /** Ids that answer it; undefined for a prompt about something else altogether. */
  readonly relevant?: readonly string[];
}

async function lines<T>(name: string): Promise<T[]> {
  const text = await Deno.readTextFile(new URL(name, VAULT));
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

async function fill(on: World): Promise<void> {
  const notes = [
    ...await lines<Note>("notes_software.jsonl"),
    ...await lines<Note>("notes_research.jsonl"),
  ];
  for (const { id, kind, title, text, keywords, updated } of notes) {
    const folder = kind === "knowledge" ? kind : `${kind}s`;
    const front = { id, type: kind, created: updated, updated, title: JSON.stringify(title) };
    const words = keywords.length === 0 ? {} : { keywords: JSON.stringify(keywords) };
    byHand(
      `${on.cwd}/.sage`,
      `${folder}/${id}.md`,
      { ...front, ...words },
      `# ${title}\n\n${text}`,
    );
  }
  await refreshAll(on.memory);
}

/** Days of work: conversations one after the other, now and then something the store may know. */
async function sessions(): Promise<Asked[][]> {
  const vault = await lines<VaultPrompt>("prompts.jsonl");
  const said = [...DEVELOPMENT, ...TEST].flatMap(({ steps }) => steps.map(({ prompt }) => prompt));
  const all: Asked[] = [];
  for (const text of said) {
    const own = vault[Math.floor(all.length / EVERY) % vault.length];
    if (all.length % EVERY === EVERY - 1 && own !== undefined) {
      all.push({ text: own.prompt, relevant: own.relevant });
    }
    all.push({ text });
  }
  return Array.from(
    { length: Math.floor(all.length / PROMPTS) },
    (_, i) => all.slice(i * PROMPTS, (i + 1) * PROMPTS),
  );
}

const gates: Record<string, number> = {};
const tokens: number[] = [];
let [prompts, repeats] = [0, 0];
const elsewhere = { prompts: 0, spoke: 0 };
const own = { prompts: 0, spoke: 0, shown: 0, relevant: 0 };

using on = await world();
await fill(on);
for (const [n, asked] of (await sessions()).entries()) {
  const session = `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;
  begin(on.memory, on, { sessionId: session });
  let spent = (await orient(on.memory, session, "startup"))?.tokens ?? 0;
  const seen = new Set<string>();
  for (const { text, relevant: wanted } of asked) {
    on.later(3 * MINUTE);
    prompts++;
    const about = wanted === undefined ? elsewhere : own;
    about.prompts++;
    const surfacing = await surface(on.memory, session, text);
    if (surfacing.kind === "silent") {
      gates[surfacing.gate] = (gates[surfacing.gate] ?? 0) + 1;
      continue;
    }
    about.spoke++;
    spent += estimateTokens(surfacing.text);
    for (const id of surfacing.ids) {
      if (wanted !== undefined) own.shown++;
      if (wanted?.includes(id)) own.relevant++;
      if (seen.has(id)) repeats++;
      seen.add(id);
    }
  }
  tokens.push(spent);
  if (readSession(on.memory, session) === undefined) throw new Error("the session left no state");
}

const share = (count: number, of: number): number => Math.round(1000 * count / of) / 1000;
const order = Object.entries(gates).sort(([, a], [, b]) => b - a);
const silent = share(prompts - elsewhere.spoke - own.spoke, prompts);
const figures = {
  sessions: tokens.length,
  prompts,
  silent,
  gates: Object.fromEntries(order.map(([gate, count]) => [gate, share(count, prompts)])),
  tokensMedian: median(tokens),
  tokensMax: Math.max(...tokens),
  // Some of these are answered by accident; all count as false.
  spokeElsewhere: share(elsewhere.spoke, elsewhere.prompts),
  spokeOwn: share(own.spoke, own.prompts),
  relevantOfShownOwn: share(own.relevant, own.shown),
  repeats,
};
console.log(`${prompts} prompts in ${tokens.length} sessions of ${PROMPTS}`);
console.log(`silent ${silent} (≥ 0.8)`);
for (const [gate, count] of order) console.log(`  ${gate.padEnd(18)} ${share(count, prompts)}`);
console.log(
  `tokens a session: median ${figures.tokensMedian} (≤ 1,000), most ${figures.tokensMax}`,
);
console.log(`spoke to ${figures.spokeElsewhere} of the prompts about something else`);
console.log(
  `spoke to ${figures.spokeOwn} of the store's own, ${figures.relevantOfShownOwn} relevant`,
);
console.log(`shown twice in a session: ${repeats}`);
await keep("gates", figures);
