import assert from "node:assert/strict";
import type { NoteKind } from "../../src/note/note.ts";
import { compete } from "../../src/search/ranking/compete.ts";
import {
  carrier,
  certaintyOf,
  certaintySum,
  chanceIn,
  combined,
  competition,
  COMPETITION_MAX,
  type Evidence,
  firstPassSum,
  neededFor,
  NO_EVIDENCE,
  partsOf,
  type SignalWeights,
  sumOf,
  WORTH,
} from "../../src/search/ranking/score.ts";
import { depth } from "../support/depth.ts";
import { seeded } from "./random.ts";

const NOTHING: Evidence = { ...NO_EVIDENCE, emb: 0, mass: 4 };

function alone(evidence: Partial<Evidence>, weights?: SignalWeights, competing = 0): number {
  const all = { ...NOTHING, ...evidence };
  return combined(sumOf(partsOf(all, weights)), competing, certaintySum(certaintyOf(all, weights)));
}

/** As a note that nothing comes near. */
function inFront(evidence: Partial<Evidence>): number {
  return alone(evidence, undefined, COMPETITION_MAX);
}

Deno.test("evidence of each kind can carry a note that stands out", () => {
  assert.ok(inFront({ emb: 0.9 }) >= 0.7, "meaning");
  assert.ok(inFront({ kw: 0.8, emb: 0.2 }) >= 0.7, "words");
  assert.ok(inFront({ trigger: 1, emb: 0.2 }) >= 0.7, "a trigger");
});

Deno.test("firstPassSum() is the sum of the first pass, bit by bit", () => {
  const random = seeded(46);
  const weights = [0, 0.2, 0.7, 1].flatMap((embedding) =>
    [0, 0.3, 0.9].map((keyword) => ({ embedding, keyword }))
  );
  for (const levers of weights) {
    const sum = firstPassSum(levers);
    for (let i = 0; i < 200; i++) {
      const emb = i % 7 === 0 ? undefined : random.next();
      const [kw, mass, synonyms] = [random.next(), 20 * random.next(), random.next()];
      const trigger = random.below(2);
      const chunks = 1 + random.below(40);
      const evidence = { ...NO_EVIDENCE, emb, kw, mass, synonyms, trigger, chunks };
      assert.equal(sum(emb, kw, mass, synonyms, trigger, chunks), sumOf(partsOf(evidence, levers)));
    }
  }
});

Deno.test("what nobody asked has to be surer, the more there is", () => {
  const asked = inFront({ kw: 0.5, emb: 0.5 });
  const unasked = (chunks: number): number =>
    inFront({ kw: 0.5, emb: 0.5, chance: chanceIn(chunks) });
  assert.deepEqual([unasked(1), unasked(50)], [asked, asked]);
  assert.ok(unasked(500) < asked && unasked(800) < unasked(500));
  assert.equal(unasked(1e6), unasked(1e5));
});

Deno.test("weak agreement carries nothing, even in front of all others", () => {
  assert.ok(inFront({ emb: 0.3, kw: 0.2, isSingle: true }) < 0.7);
});

Deno.test("combined() is nearly certain where words and meaning are both strong", () => {
  assert.ok(alone({ emb: 0.9, kw: 1, title: 1, run: 0.5 }) >= 0.9);
});

Deno.test("the same share of words counts more in a query that says more", () => {
  assert.ok(alone({ kw: 0.6, mass: 6 }) > alone({ kw: 0.6, mass: 1 }));
});

Deno.test("a long note does not win by its length, and one word alone says less", () => {
  assert.ok(alone({ emb: 0.6, chunks: 30 }) < alone({ emb: 0.6 }));
  assert.ok(alone({ kw: 0.4, isSingle: true }) < alone({ kw: 0.4 }));
});

Deno.test("a name that is not there and a later version take from a note; its title and its wording add", () => {
  const plain = alone({ kw: 0.5, emb: 0.5 });
  assert.ok(alone({ kw: 0.5, emb: 0.5, missing: 0.5 }) < plain);
  assert.ok(alone({ kw: 0.5, emb: 0.5, isBeside: true }) < plain);
  assert.ok(alone({ kw: 0.5, emb: 0.5, named: 0.5 }) > plain);
  assert.ok(alone({ kw: 0.5, emb: 0.5, isOlder: true }) < plain);
  assert.ok(alone({ kw: 0.5, emb: 0.5, title: 1 }) > plain);
  assert.ok(alone({ kw: 0.5, emb: 0.5, run: 0.5 }) > plain);
});

Deno.test("neededFor() is what combined() needs to reach a score", () => {
  for (const score of [0.3, 0.7, 0.95]) {
    assert.ok(Math.abs(combined(neededFor(score)) - score) < 1e-12);
  }
  assert.equal(neededFor(0), -Infinity);
  assert.ok(Number.isFinite(neededFor(1.2)) && neededFor(1.2) > neededFor(0.95));
});

Deno.test("a weight of 0 makes a signal as good as unknown", () => {
  const noMeaning = { embedding: 0, keyword: 0.3 };
  assert.equal(alone({ emb: 1 }, noMeaning), alone({ emb: undefined }));
  assert.equal(alone({ emb: 0 }, noMeaning), alone({ emb: 1 }, noMeaning));
  const noWords = { embedding: 0.7, keyword: 0 };
  assert.equal(
    alone({ kw: 1, title: 1, trigger: 1, run: 1, missing: 1, isBeside: true }, noWords),
    alone({}),
  );
});

Deno.test("a weight of 1 makes a signal half as telling again", () => {
  const parts = partsOf({ ...NOTHING, emb: 1, title: 1 }, { embedding: 1, keyword: 1 });
  assert.ok(Math.abs(parts.meaning - 1.5 * WORTH.meaning) < 1e-12);
  assert.ok(Math.abs(parts.title - 1.5 * WORTH.title) < 1e-12);
});

Deno.test("certaintyOf() counts a trigger as all of the query at most", () => {
  assert.equal(certaintyOf({ ...NOTHING, kw: 0.2, trigger: 2.4 }).coverage, WORTH.coverage);
  assert.equal(certaintyOf({ ...NOTHING, kw: 0.2, trigger: 0.1 }).coverage, 0.2 * WORTH.coverage);
});

Deno.test("combined() stays in 0..1 and grows with each signal, whatever the weights", () => {
  const random = seeded(1);
  for (let i = 0; i < depth(2000, 50000); i++) {
    const weights = { embedding: random.next(), keyword: random.next() };
    const [emb, kw, more] = [random.next(), random.next(), random.next() * 0.2];
    const mass = random.next() * 20;
    const value = alone({ emb, kw, mass }, weights);
    assert.ok(value > 0 && value < 1);
    const up = { emb: Math.min(1, emb + more), kw: Math.min(1, kw + more) };
    assert.ok(alone({ emb: up.emb, kw, mass }, weights) >= value - 1e-12);
    assert.ok(alone({ emb, kw: up.kw, mass }, weights) >= value - 1e-12);
    assert.ok(alone({ emb, kw, mass: mass + more }, weights) >= value - 1e-12);
  }
});

Deno.test("competition() adds to what stands out and takes from what lies behind, within bounds", () => {
  assert.equal(competition(0), 0);
  assert.ok(competition(1) > 0 && competition(-1) < 0);
  assert.deepEqual([competition(9), competition(Infinity)], [COMPETITION_MAX, COMPETITION_MAX]);
  assert.equal(competition(-9), competition(-Infinity));
  assert.ok(Math.abs(competition(1) - WORTH.lead) < 1e-12);
  assert.ok(Math.abs(competition(-1) + WORTH.lag) < 1e-12);
});

Deno.test("compete() keeps the order, and an old version is no rival of its successor", () => {
  const note = (id: string, sum: number, supersedes: string[] = []) => ({
    sum,
    stored: { id, supersedes },
  });
  const alone = compete([note("new", 3)]);
  const withOld = compete([note("new", 3, ["old"]), note("old", 2.9)]);
  assert.equal(withOld[0]?.combined, alone[0]?.combined);
  const withRival = compete([note("new", 3), note("other", 2.9)]);
  assert.ok((withRival[0]?.combined ?? 1) < (alone[0]?.combined ?? 0));
  const scores = compete([note("a", 4), note("b", 3), note("c", 1)]).map((one) => one.combined);
  assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
  assert.deepEqual(compete([]), []);
  const unread = compete([note("new", 3)], undefined, 2.9);
  assert.equal(unread[0]?.combined, withRival[0]?.combined);
});

Deno.test("compete() holds back what is known by nothing that happened, where it is asked to", () => {
  const of = (kind: NoteKind, sum: number) => ({ sum, stored: { id: kind, kind, supersedes: [] } });
  const known = (happened: number, knownFirst: boolean): number =>
    compete([of("session", happened), of("knowledge", 3)], undefined, undefined, knownFirst)
      .find(({ stored }) => stored.kind === "knowledge")?.competing ?? 0;
  assert.ok(known(3.5, false) < 0);
  assert.ok(known(3.5, true) > 0);
  assert.ok(known(4.5, true) > 0);
  const [happened] = compete([of("session", 3), of("knowledge", 3)], undefined, undefined, true);
  assert.equal(happened?.competing, 0, "what is known is a rival of what happened");
});

Deno.test("compete() lets two notes about one thing stand side by side", () => {
  const note = (id: string, sum: number) => ({ sum, stored: { id, supersedes: [] } });
  const notes = [note("on", 3), note("off", 2.8), note("x", 1)];
  const pair = (a: { stored: { id: string } }, b: { stored: { id: string } }): boolean =>
    a.stored.id !== "x" && b.stored.id !== "x";
  const [first, second] = compete(notes, pair);
  const [, behind] = compete(notes);
  assert.equal(first?.combined, compete([note("on", 3), note("x", 1)])[0]?.combined);
  assert.ok((second?.combined ?? 0) > (behind?.combined ?? 1));
  assert.ok(Math.abs((second?.competing ?? 0) - 0.8 * competition(1.8)) < 1e-12);
  const [, , held] = compete([note("on", 4), note("x", 3.5), note("off", 3)], pair);
  assert.ok(Math.abs((held?.competing ?? 0) - competition(-0.5)) < 1e-12);
});

Deno.test("carrier() names the signal that brought a note", () => {
  assert.equal(carrier({ ...NOTHING, emb: 0.9 }), "emb");
  assert.equal(carrier({ ...NOTHING, kw: 1 }), "kw");
  assert.equal(carrier({ ...NOTHING, emb: undefined, kw: 0.1 }), "kw");
  assert.equal(carrier({ ...NOTHING, emb: 0.5, kw: 1, trigger: 1 }), "kw");
  assert.equal(carrier({ ...NOTHING, emb: 0.9, kw: 0.3 }), "emb");
  assert.equal(carrier({ ...NOTHING, emb: 0.8, kw: 0.6 }), "mix");
  assert.equal(carrier({ ...NOTHING, emb: 0.8, kw: 0.6 }, { embedding: 0.7, keyword: 0 }), "emb");
  assert.equal(carrier({ ...NOTHING, emb: 0.9, kw: 0.1 }, { embedding: 0, keyword: 0.3 }), "kw");
});
