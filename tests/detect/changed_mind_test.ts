/** Decisions that take an earlier one back in so many words, or name what they mean before. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { reversesEarlier } from "../../src/detect/decisions/reversals.ts";
import { talk } from "../support/talk.ts";

function taken(said: string): string[] {
  return findDecisions(talk("Look at the plan.", "I read it.", said, "Okay.")).map(({ text }) =>
    text
  );
}

Deno.test("findDecisions() takes a change of mind, with what is decided now", () => {
  for (
    const said of [
      "I've changed my mind about the ferry. It stays until the bridge is open.",
      "Sorry, I changed my mind, the wedding is in autumn after all.",
      "Ich hab's mir anders überlegt, die Fähre bleibt doch.",
      "J'ai changé d'avis, on garde le bac jusqu'en mai.",
      "He cambiado de opinión: el ferry sigue hasta mayo.",
      "Ho cambiato idea, il traghetto resta fino a maggio.",
      "Mudei de ideia, a balsa fica até maio.",
      "Я передумал, паром остаётся до мая.",
    ]
  ) {
    assert.deepEqual(taken(said).length, 1, said);
    assert.ok(said.endsWith(taken(said)[0]?.slice(-20) ?? "-"), said);
  }
});

Deno.test("findDecisions() takes no change of mind that is asked about, or did not happen", () => {
  for (
    const said of [
      "I haven't changed my mind about the ferry yet.",
      "What if I change my mind about the ferry later?",
      "Have I changed my mind about the ferry before?",
    ]
  ) {
    assert.deepEqual(taken(said), [], said);
  }
});

Deno.test("findDecisions() takes a decision behind its label, with what it means before it", () => {
  assert.deepEqual(taken("I've decided: the ferry goes, because the bridge is open."), [
    "I've decided: the ferry goes, because the bridge is open.",
  ]);
  assert.deepEqual(taken("Die Fußnoten bleiben kurz. Das ist entschieden, alle mögen es so."), [
    "Die Fußnoten bleiben kurz. Das ist entschieden, alle mögen es so.",
  ]);
  assert.deepEqual(taken("The quote is 3,400 not 3,200, I had misheard."), [
    "The quote is 3,400 not 3,200, I had misheard.",
  ]);
  for (
    const said of [
      "Wir streichen das Kapitel über den Kanal.",
      "Es bleibt bei der alten Fähre.",
      "Die Karte lassen wir weg.",
      "Please don't touch my chapters, I retype them.",
    ]
  ) {
    assert.deepEqual(taken(said), [said]);
  }
  assert.deepEqual(taken("Es bleibt beim Laden der Karte hängen."), []);
});

Deno.test("reversesEarlier() needs more than verbs that both have", () => {
  assert.ok(
    !reversesEarlier(
      "the tide table should not be updated ever, it is a copy of that day.",
      "the harbour report should be updated with this and printed.",
    ),
  );
});
