/** What a passage says that a prompt is about was decided and forgotten by somebody in it. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { preferencesIn } from "../../src/detect/decisions/preferences.ts";
import { nextSteps } from "../../src/detect/open/questions.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { withoutGivenText } from "../../src/detect/text/given_text.ts";
import { talk } from "../support/talk.ts";

const [asked, read] = ["Does the ferry chapter hold?", "It does, but for the second paragraph."];

function ownWords(prompt: string): string | undefined {
  return withoutGivenText(talk(asked, read, prompt, "I looked.")).at(-2)?.text;
}

Deno.test("withoutGivenText() leaves what introduces a passage, and the question behind it", () => {
  const passage =
    "They decided to sell the boat because the river was frozen. Always bar the gate.";
  assert.equal(ownWords(`Read this paragraph: ${passage}`), "Read this paragraph: …");
  assert.equal(
    ownWords(
      `Here is the last line of part 2, tell me if it works:\n\n${passage}\n\nIs it too dry?`,
    ),
    "Here is the last line of part 2, tell me if it works: … Is it too dry?",
  );
  assert.equal(
    ownWords("Die Quelle von 1871: Wir haben uns für den Kanal entschieden. Stimmt die Abschrift?"),
    "Die Quelle von 1871: … Stimmt die Abschrift?",
  );
});

Deno.test("withoutGivenText() keeps what is no passage", () => {
  for (
    const prompt of [
      "Two things for the second paragraph. First: we keep the ferry, because the bridge comes later.",
      "The rule is: we never log a mail address.",
      "In the first paragraph: make it red, and never use a bold font.",
      "Minutes of today: we decided to use pnpm instead of npm.",
    ]
  ) {
    assert.equal(ownWords(prompt), prompt);
  }
});

Deno.test("summarizeSession() tells nothing that a passage decides or asks to remember", () => {
  const told = summarizeSession(talk(
    ...[asked, read],
    "New diary entry, check the commas: I have decided to keep the ring. Next I must write to him.",
    "The commas are right.",
  ));
  assert.deepEqual([told?.decisions, told?.next], [[], []]);
});

Deno.test("what is told of somebody is no preference and no decision", () => {
  for (
    const said of [
      "She must never tell the harbour master.",
      "From now on he would always lock the shed.",
      "Er beschloss, nie wieder zum Hafen zu gehen.",
    ]
  ) {
    const turns = talk(asked, read, said, "I put it in.");
    assert.deepEqual([findDecisions(turns), preferencesIn(turns)], [[], []], said);
  }
  const wanted = talk(
    asked,
    read,
    "He insists that we keep the ferry instead of the bridge.",
    "Fine.",
  );
  assert.equal(findDecisions(wanted).length, 1);
});

Deno.test("nextSteps() takes no reminder from quoted speech, and none that asks for an answer", () => {
  for (
    const said of [
      '"Remember to bank the fire," said Tom, and went out.',
      "“Don't forget the lamp,” she called after him from the quay.",
      "Before we go on, remind me what we decided about the ferry.",
      "Erinnere mich mal, wie der Fährmann hieß.",
    ]
  ) {
    assert.deepEqual(nextSteps(talk(asked, read, said, "I see."), []), [], said);
  }
});
