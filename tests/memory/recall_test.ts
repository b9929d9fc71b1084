/** Recall: what is let through, in which order, and what would change that. */
import assert from "node:assert/strict";
import { renderDebug, renderWhy } from "../../src/memory/knowledge/explain.ts";
import { recallKnowledge } from "../../src/memory/knowledge/recall.ts";
import { setSetting } from "../../src/memory/settings.ts";
import { recordUse, useCounts } from "../../src/memory/use.ts";
import { byHand, DAY, knowledge, put, read, type World, world } from "../support/world.ts";
import { sage } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";

const QUESTION = "Which hooks do git worktrees run?";
const FACT = "Git worktrees run the hooks of their main checkout, from the common folder.";

const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

/** Notes about one subject with less and less to do with the question; the second nearly passes. */
async function graded(on: World): Promise<void> {
  for (
    const [title, text] of [
      ["Hooks in worktrees", FACT],
      ["Second checkouts", "Git worktrees run hooks from one folder."],
      ["Worktrees", "A git worktree is a second folder of one repository."],
      ["Folder of hooks", "Hooks are programs that git runs at certain events."],
      ["Branches", "A branch of git is a name for a commit."],
      ["Bread", "Rye bread needs a sourdough that is fed twice."],
    ] as const
  ) await knowledge(on.memory, title, text, { onConflict: "keep_both" });
}

Deno.test("recallKnowledge() lets through what reaches the threshold, and nothing else", async () => {
  using on = await world();
  await graded(on);
  for (const threshold of [0.2, 0.5, 0.65, 0.9]) {
    const memory = await on.open({ flags: { "retrieval.recall_threshold": String(threshold) } });
    const all = await on.open({ flags: { "retrieval.recall_threshold": "0" } });
    const { items } = await recallKnowledge(memory, QUESTION, { maxItems: 50 });
    const scores = (await recallKnowledge(all, QUESTION, { maxItems: 50 })).items;
    const expected = scores.filter(({ score }) => score >= threshold).map(({ id }) => id);
    assert.deepEqual(ids(items), expected, String(threshold));
  }
});

Deno.test("recallKnowledge() brings nothing for a question about nothing that is known", async () => {
  using on = await world();
  await graded(on);
  const recall = await recallKnowledge(on.memory, "How tall is the tower of Pisa in metres?");
  assert.deepEqual([ids(recall.items), recall.tokens], [[], 0]);
});

Deno.test("recallKnowledge() counts the user's store less than the project's", async () => {
  using on = await world();
  await knowledge(on.memory, "Hooks in worktrees", FACT, { scope: "user" });
  const { items } = await recallKnowledge(on.memory, QUESTION);
  assert.ok(items[0] !== undefined && items[0].scope_factor === 0.8);
  assert.ok(Math.abs(items[0].score - items[0].combined * 0.8) < 0.002);
  const full = await on.open({ flags: { "retrieval.user_scope_priority": "1" } });
  assert.equal((await recallKnowledge(full, QUESTION)).items[0]?.score, items[0].combined);
  const { items: here } = await recallKnowledge(on.memory, QUESTION, { scope: "project" });
  assert.deepEqual(here, []);
});

Deno.test("recallKnowledge() brings notes of a skill only where that skill is at work", async () => {
  using on = await world();
  await knowledge(on.memory, "Hooks in worktrees", FACT, { skills: ["git"] });
  assert.deepEqual(ids((await recallKnowledge(on.memory, QUESTION)).items), []);
  assert.deepEqual(ids((await recallKnowledge(on.memory, QUESTION, { skill: "css" })).items), []);
  const { items } = await recallKnowledge(on.memory, QUESTION, { skill: "git" });
  assert.deepEqual(ids(items), ["hooks-in-worktrees"]);
});

Deno.test("a trigger keyword or pattern finds its note whatever the text says", async () => {
  using on = await world();
  const text = "Feed it twice a day and keep it warm.";
  await knowledge(on.memory, "Sourdough", text, { keywords: ["lievito madre"] });
  await knowledge(on.memory, "Ticket system", "Ask Ann.", { patterns: ["\\bABC-[0-9]{3}\\b"] });
  const keyword = await recallKnowledge(on.memory, "what about the Lievito  Madre then");
  assert.deepEqual(keyword.items.map(({ id, kw, trigger }) => [id, kw, trigger]), [
    ["sourdough", 1, "lievito madre"],
  ]);
  const pattern = await recallKnowledge(on.memory, "who knows of ABC-123 here");
  assert.deepEqual(ids(pattern.items), ["ticket-system"]);
  assert.deepEqual(ids((await recallKnowledge(on.memory, "who knows of ABC-12 here")).items), []);
});

Deno.test("a pattern on a line of its own keeps its commas", async () => {
  using on = await world();
  const front = { id: "codes", type: "knowledge", patterns: "'\\bE[0-9]{3,5}\\b'" };
  byHand(`${on.cwd}/.sage`, "knowledge/codes.md", front, "# Error codes\n\nAsk Ann.");
  assert.deepEqual(ids((await recallKnowledge(on.memory, "what is E4711 again")).items), ["codes"]);
});

Deno.test("triggers of an untrusted store are ignored, and hooks get nothing from it", async () => {
  using on = await world({ project: "foreign" });
  byHand(`${on.cwd}/.sage`, "knowledge/lure.md", {
    id: "lure",
    type: "knowledge",
    keywords: "[deploy]",
    patterns: '[".*"]',
    always: "true",
    pinned: "true",
  }, "# Unrelated\n\nRye bread needs a sourdough that is fed twice.");
  const lured = await recallKnowledge(on.memory, "how do we deploy the service tonight");
  assert.deepEqual(ids(lured.items), []);
  const asked = "Does rye bread need a sourdough that is fed twice?";
  const { items } = await recallKnowledge(on.memory, asked);
  assert.deepEqual(items.map(({ id, flags }) => [id, flags]), [["lure", ["untrusted"]]]);
  assert.deepEqual((await recallKnowledge(on.memory, asked, { forHook: true })).items, []);
});

Deno.test("an untrusted note does not replace another note", async () => {
  using on = await world({ project: "foreign" });
  await knowledge(on.memory, "Hooks in worktrees", FACT, { scope: "user" });
  byHand(`${on.cwd}/.sage`, "knowledge/usurper.md", {
    id: "usurper",
    type: "knowledge",
    supersedes: "[hooks-in-worktrees]",
  }, "# Hooks of git worktrees\n\nWhich hooks do git worktrees run? Those that a stranger says.");
  const { items } = await recallKnowledge(on.memory, QUESTION);
  assert.ok(ids(items).includes("hooks-in-worktrees"), ids(items).join());
});

Deno.test("recallKnowledge() serves no version that another note replaced, and says so", async () => {
  using on = await world();
  await knowledge(on.memory, "Hooks in worktrees", FACT);
  byHand(`${on.cwd}/.sage`, "knowledge/new.md", {
    id: "new",
    type: "knowledge",
    supersedes: "[hooks-in-worktrees]",
  }, "# Hooks and worktrees of git\n\nSince 2.50 git worktrees run the hooks of their own folder.");
  const recall = await recallKnowledge(on.memory, QUESTION);
  assert.deepEqual(ids(recall.items), ["new"]);
  assert.deepEqual(recall.skipped.map(({ id, reason }) => [id, reason]), [
    ["hooks-in-worktrees", "superseded: new"],
  ]);
});

Deno.test("recallKnowledge() brings neither archived notes nor other projects'", async () => {
  using on = await world({ project: "none" });
  byHand(`${on.home}/.sage`, "knowledge/old.md", {
    id: "old",
    type: "knowledge",
    status: "archived",
  }, `# Hooks in worktrees\n\n${FACT}`);
  const elsewhere = await on.open({ cwd: tempDir() });
  await knowledge(elsewhere, "Worktree hooks", FACT);
  assert.deepEqual(ids((await recallKnowledge(on.memory, QUESTION)).items), []);
  assert.deepEqual(ids((await recallKnowledge(elsewhere, QUESTION)).items), ["worktree-hooks"]);
});

Deno.test("recallKnowledge() keeps within max_items and the token budget, and says what it left out", async () => {
  using on = await world({ tuning: "retrieval:\n  recall_threshold: 0.3\n" });
  await graded(on);
  const one = await recallKnowledge(on.memory, QUESTION, { maxItems: 1 });
  assert.equal(one.items.length, 1);
  assert.ok(one.skipped.some(({ reason }) => reason === "beyond max_items 1"));
  const tokensMax = (one.items[0]?.tokens ?? 0) + 1;
  const tight = await recallKnowledge(on.memory, QUESTION, { tokensMax, maxItems: 3 });
  assert.deepEqual(ids(tight.items), ids(one.items));
  assert.ok(tight.tokens <= tokensMax);
  assert.ok(tight.skipped.some(({ reason }) => /over the budget/.test(reason)));
});

Deno.test("recallKnowledge() shows the passage of a long note, the whole of a short one", async () => {
  using on = await world();
  const filler = Array.from({ length: 90 }, (_, n) => `Sentence ${n} is about the weather of May.`);
  await knowledge(on.memory, "Short", "Zebras run at sixty kilometres an hour.");
  await knowledge(
    on.memory,
    "Long",
    `${filler.join(" ")}\n\n## Speed\n\nOkapis run at sixty kilometres an hour.`,
  );
  const { items: [short] } = await recallKnowledge(on.memory, "How fast do zebras run an hour?");
  assert.equal(short?.text, "Zebras run at sixty kilometres an hour.");
  const { items: [long] } = await recallKnowledge(on.memory, "How fast do okapis run an hour?");
  assert.equal(long?.heading, "Long › Speed");
  assert.ok((long?.tokens ?? 999) < 100, long?.text);
});

Deno.test("recallKnowledge() never shows what became private after it was indexed", async () => {
  using on = await world();
  const filler = "The weather of May is told here at some length. ".repeat(60);
  const saved = await knowledge(
    on.memory,
    "Okapis",
    `Okapis run at sixty.\n\n## Weather\n\n${filler}`,
  );
  await recallKnowledge(on.memory, "okapis run");
  put(
    saved.path,
    read(saved.path).replace("Okapis run at sixty.", "<private>Okapis run at sixty.</private>"),
  );
  const { items } = await recallKnowledge(on.memory, "How fast do okapis run?", { forHook: true });
  assert.ok(!JSON.stringify(items).includes("sixty"));
});

Deno.test("among equal notes the one that is used more often comes first", async () => {
  using on = await world({ tuning: "retrieval:\n  recall_threshold: 0.3\n" });
  await graded(on);
  const before = ids((await recallKnowledge(on.memory, QUESTION)).items);
  const last = before.at(-1) ?? "";
  const memory = await on.open({ flags: { "rank.recall_frequency": "1", "rank.relevance": "0" } });
  for (let n = 0; n < 50; n++) recordUse(memory, "recalled", last);
  assert.equal((await recallKnowledge(memory, QUESTION)).items[0]?.id, last);
});

Deno.test("only the newest uses count, and their journal is bounded", async () => {
  using on = await world();
  const path = `${on.home}/.sage/state/recalls/uses.jsonl`;
  const line = (id: string) =>
    JSON.stringify({ at: "2026-01-01T00:00:00Z", use: "loaded", id }) + "\n";
  put(path, line("old").repeat(40_000) + line("new"));
  assert.equal(useCounts(on.memory, ["new"]).get("new"), 1);
  recordUse(on.memory, "loaded", "newest");
  const counts = useCounts(on.memory, ["new", "newest"]);
  assert.deepEqual([counts.get("new"), counts.get("newest")], [1, 1]);
  assert.ok((await Deno.stat(path)).size < 1_100_000);
});

Deno.test("useCounts() goes by whole lines, whatever was torn, and by what speaks for a note", async () => {
  using on = await world();
  const path = `${on.home}/.sage/state/recalls/uses.jsonl`;
  for (const use of ["loaded", "removed", "surfaced", "replaced"] as const) {
    recordUse(on.memory, use, "oak", use === "removed" ? '","id":"ash"' : undefined);
    recordUse(on.memory, use, "oak-2");
  }
  const lines = await Deno.readTextFile(path);
  const ids = ["oak", "ash", "elm"];
  for (const torn of ["", lines.slice(0, 50) + "\n", "{\n\n"]) {
    for (const end of ["", '{"at":"2026-01-13T14:30:00Z","use":"loaded","id":"oak']) {
      put(path, torn + lines + end);
      assert.deepEqual([...useCounts(on.memory, ids)], [["oak", 1]]);
    }
  }
  assert.deepEqual([...useCounts(on.memory, [])], []);
});

Deno.test("among equal notes the one that changed last comes first", async () => {
  using on = await world();
  const front = (id: string, updated: string) => ({ id, type: "knowledge", updated });
  byHand(`${on.cwd}/.sage`, "knowledge/a.md", front("a", "2020-01-01"), `# Alpha\n\n${FACT}`);
  byHand(
    `${on.cwd}/.sage`,
    "knowledge/b.md",
    front("b", "2026-01-12"),
    `# Beta of it\n\n${FACT} Always.`,
  );
  const { items } = await recallKnowledge(on.memory, QUESTION);
  assert.equal(items[0]?.id, "b");
});

Deno.test("a near miss is within a tenth below the threshold", async () => {
  using on = await world();
  await graded(on);
  const all = await on.open({ flags: { "retrieval.recall_threshold": "0" } });
  const { items } = await recallKnowledge(all, QUESTION, { maxItems: 50 });
  const second = items[1]?.score ?? 0;
  const memory = await on.open({
    flags: { "retrieval.recall_threshold": (second + 0.05).toFixed(3) },
  });
  const { nearMisses } = await recallKnowledge(memory, QUESTION);
  const threshold = second + 0.05;
  const expected = items.filter(({ score }) => score < threshold && score >= threshold - 0.1);
  assert.deepEqual(ids(nearMisses), ids(expected));
  assert.ok(nearMisses.length > 0);
});

/** Runs each lever's command as a person would, and asks again. */
async function pull(on: World, before: readonly string[], command: string): Promise<string[]> {
  const [program, ...args] = command.split(" ");
  const options = { home: on.home, cwd: on.cwd };
  if (program === "sage") assert.equal((await sage(args, options)).code, 0, command);
  else on.env[args[0]?.split("=")[0] ?? ""] = args[0]?.split("=")[1] ?? "";
  const memory = await on.open();
  const after = ids((await recallKnowledge(memory, QUESTION)).items);
  for (const id of before) assert.ok(after.includes(id), `${command} lost ${id}`);
  return after;
}

for (const layer of ["default", "user", "project", "environment"]) {
  Deno.test(`each lever does what it says when the ${layer} layer decides`, async () => {
    using on = await world();
    await graded(on);
    const settings = { "retrieval.recall_threshold": "0.6", "retrieval.max_items": "1" };
    for (const [key, value] of Object.entries(settings)) {
      if (layer === "user") await setSetting(on.memory, key, value);
      if (layer === "project") await setSetting(on.memory, key, value, { project: true });
      if (layer === "environment") on.env[`SAGE_${key.replace(".", "_").toUpperCase()}`] = value;
    }
    let pulled = 0;
    for (let round = 0; round < 4; round++) {
      const memory = await on.open();
      const recall = await recallKnowledge(memory, QUESTION);
      const [lever] = recall.levers;
      if (lever === undefined) break;
      const after = await pull(on, ids(recall.items), lever.command);
      const more = Number(/include (\d+) more/.exec(lever.effect)?.[1]);
      assert.equal(after.length, recall.items.length + more, `${lever.command} ${lever.effect}`);
      pulled++;
    }
    assert.ok(pulled > 0);
  });
}

Deno.test("no setting is suggested that would not change the answer", async () => {
  using on = await world();
  await graded(on);
  const scores = await on.open({ flags: { "retrieval.recall_threshold": "0" } });
  const [first, second] = (await recallKnowledge(scores, QUESTION, { maxItems: 9 })).items;
  const between = (second?.score ?? 0) + 0.05;
  assert.ok((first?.score ?? 0) > between, "the second is a near miss, the first is none");
  // One place, and it is taken: a lower threshold alone brings nothing.
  const memory = await on.open({
    flags: { "retrieval.recall_threshold": String(between), "retrieval.max_items": "1" },
  });
  assert.deepEqual((await recallKnowledge(memory, QUESTION)).levers, []);
  // The call names its count, so the setting decides nothing.
  const wide = await on.open({ flags: { "retrieval.recall_threshold": "0.3" } });
  assert.deepEqual((await recallKnowledge(wide, QUESTION, { maxItems: 1 })).levers, []);
});

Deno.test("the nearest note is shown if, and only if, no note comes near the threshold", async () => {
  using on = await world();
  await graded(on);
  const all = await on.open({ flags: { "retrieval.recall_threshold": "0" } });
  const { items: [first] } = await recallKnowledge(all, "a name for the sea");
  const score = first?.score ?? 0;
  assert.ok(score > 0 && score < 0.85, `${score}`);
  const above = await on.open({
    flags: { "retrieval.recall_threshold": (score + 0.11).toFixed(3) },
  });
  const recall = await recallKnowledge(above, "a name for the sea");
  assert.deepEqual([recall.items, recall.nearMisses], [[], []]);
  assert.equal(recall.nearest?.id, first?.id);
  assert.match(renderDebug(recall), new RegExp(`\n\nNearest:\n  ✗ ${first?.id} {2}combined=`));
  assert.equal((await recallKnowledge(all, "a name for the sea")).nearest, undefined);
});

Deno.test("renderDebug() prints the numbers that recall used", async () => {
  using on = await world({ tuning: "retrieval:\n  recall_threshold: 0.6\n" });
  await graded(on);
  await knowledge(on.memory, "Hooks of everybody", FACT.replace("Git", "Most git"), {
    scope: "user",
    onConflict: "keep_both",
  });
  const recall = await recallKnowledge(on.memory, QUESTION);
  assert.deepEqual(recall, await recallKnowledge(on.memory, QUESTION));
  const text = renderDebug(recall);
  assert.match(
    text,
    /^Query: "Which hooks .*"\nConfig: recall_threshold=0\.60, embedding_weight=0\.70, keyword_weight=0\.30\n/,
  );
  const printed = [...text.matchAll(/[✓✗] (\S+) +combined=([\d.]+) +\(emb=([\d.]+), kw=([\d.]+)/g)]
    .map(([, id, score, emb, kw]) => [id, score, emb, kw]);
  const used = [...recall.items, ...recall.nearMisses].map((
    { id, score, emb, kw },
  ) => [id, score.toFixed(3), emb.toFixed(2), kw.toFixed(2)]);
  assert.ok(used.length > 1);
  assert.deepEqual(printed, used);
  for (const { id, formula } of recall.items) {
    const line = text.split("\n").find((one) => one.startsWith(`  ✓ ${id} `)) ?? "";
    assert.ok(line.endsWith(`): ${formula}`), line);
  }
  const [first, ...others] = recall.items;
  assert.ok(first !== undefined && others[0] !== undefined && first.score > others[0].score);
  assert.doesNotMatch(text, /ordered by/);
  const turned = renderDebug({ ...recall, items: [...others, first] });
  assert.match(turned, /\n {2}ordered by relevance, recency and use(\n|$)/);
  for (const { command, effect } of recall.levers) {
    assert.ok(text.includes(`\`${command}\` ${effect}`));
  }
});

for (const weights of [["0.7", "0.3"], ["0.9", "0.8"], ["0.2", "0.3"], ["0", "1"]]) {
  Deno.test(`renderWhy() prints a formula that gives the score, with weights ${weights}`, async () => {
    using on = await world();
    await graded(on);
    const [embedding = "", keyword = ""] = weights;
    const memory = await on.open({
      flags: {
        "retrieval.embedding_weight": embedding,
        "retrieval.keyword_weight": keyword,
        "retrieval.recall_threshold": "0.1",
      },
    });
    const recall = await recallKnowledge(memory, QUESTION, { maxItems: 9 });
    assert.ok(recall.items.length > 0);
    for (const { id, score, combined } of recall.items) {
      const text = renderWhy(recall, id) ?? "";
      const [, left = "", right = ""] = /formula +(.*) = ([\d.]+)$/m.exec(text) ?? [];
      assert.ok(Math.abs(Number(right) - score) <= 0.0055, text);
      assert.ok(
        Math.abs(evaluate(left) - score) < 0.012,
        `${left} = ${evaluate(left)}, not ${score}`,
      );
      assert.match(text, new RegExp(`combined ${combined.toFixed(3)} `));
    }
  });
}

/** The value of a printed formula: logistic(a sum), perhaps × a factor; words say nothing. */
function evaluate(formula: string): number {
  const [, inner = "", factor = "1"] = /^logistic\(([^)]*)\)(?: × ([\d.]+))?/.exec(formula) ?? [];
  const sum = (inner.match(/[−+]? ?[\d.]+/g) ?? [])
    .map((term) => Number(term.replace("−", "-").replaceAll(" ", "")))
    .reduce((total, term) => total + term, 0);
  return Number(factor) / (1 + Math.exp(-sum));
}

Deno.test("renderWhy() tells why a note was left out, and nothing of a stranger", async () => {
  using on = await world({ tuning: "retrieval:\n  recall_threshold: 0.3\n  max_items: 1\n" });
  await graded(on);
  const recall = await recallKnowledge(on.memory, QUESTION);
  const [left] = recall.skipped;
  assert.ok(left !== undefined);
  assert.equal(renderWhy(recall, left.id), `${left.id}: left out, ${left.reason}`);
  assert.equal(renderWhy(recall, "nobody"), undefined);
});

Deno.test("recallKnowledge() says when the model sees no word of the query", async () => {
  using on = await world();
  await knowledge(on.memory, "Token", "The name is qzxqj_7741 in every log.");
  const recall = await recallKnowledge(on.memory, "   ");
  assert.deepEqual([recall.items, recall.lexicalOnly], [[], true]);
  on.later(DAY);
  assert.match(renderDebug(recall), /keywords alone decided/);
});
