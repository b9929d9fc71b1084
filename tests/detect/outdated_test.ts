/** What was said and does not hold any more is told neither as evidence nor as what came out. */
import assert from "node:assert/strict";
import { extractCheckpoint } from "../../src/detect/checkpoint/extract.ts";
import { outdatedIn } from "../../src/detect/decisions/outdated.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { exchanged } from "../support/exchanged.ts";

function outdated(turns: readonly Turn[]): string[] {
  return [...outdatedIn(turns)].map(({ text }) => text);
}

const REPLACED: readonly (readonly [name: string, said: readonly string[], gone: string])[] = [
  [
    "a number that a person corrects",
    [
      "write down what happened",
      "Checkouts failed between 01:20 and 02:04 UTC, which is 44 minutes.",
      "finance says 2,318 orders, and its 01:14 not 01:20",
      "Both are corrected in the draft of the report.",
    ],
    "Checkouts failed between 01:20 and 02:04 UTC, which is 44 minutes.",
  ],
  [
    "what a person in a hurry does not want touched",
    [
      "the close button is 2px off",
      "I set the `line-height` of the button to 1, so that the icon moves up by 2px.",
      "no dont touch line-height, use flex",
      "The button is a flex container now and centres its icon.",
    ],
    "I set the `line-height` of the button to 1, so that the icon moves up by 2px.",
  ],
  [
    "a result that is disowned",
    [
      "now the boosted trees, same split",
      "The boosted trees reach an AUC of 0.913 on the same split.",
      "that is too good, drop the leaking column",
      "Without it the AUC is 0.806. The 0.913 from before is not real and should not be quoted.",
    ],
    "The boosted trees reach an AUC of 0.913 on the same split.",
  ],
  [
    "what the person turns down",
    [
      "make the import green again",
      "The loader now decodes by a sniffed encoding.",
      "no, don't sniff. reject the file, the vendor has to fix it",
      "The loader rejects such files.",
    ],
    "The loader now decodes by a sniffed encoding.",
  ],
];

for (const [name, said, gone] of REPLACED) {
  Deno.test("outdatedIn() takes how a file was for outdated once it is changed, but not why it failed", () => {
    const [lacks, cause, other] = [
      "`till.json` currently opens every drawer, and there is no `fast` key in it.",
      "The root cause is clear: `till.json` opens every drawer whenever the key is missing.",
      "There is no such key in `shop.json` either, which nobody ever opens.",
    ];
    const turns = exchanged(
      "Why is the till slow?",
      [lacks, cause, other].join(" "),
      "Set the key.",
      ["`till.json` has the key now.", "/p/till.json"],
    );
    const gone = [...outdatedIn(turns)].map(({ text }) => text);
    assert.deepEqual(gone, [lacks]);
  });

  Deno.test(`outdatedIn() knows ${name}`, () => {
    assert.deepEqual(outdated(exchanged(...said)), [gone]);
  });
}

Deno.test("outdatedIn() leaves a change its history, and numbers of another matter alone", () => {
  assert.deepEqual(
    outdated(exchanged(
      "why does it fail at night",
      "One transaction of 2000 rows takes up to 2000 locks, and the table holds 6400.",
      "then make it 500",
      "The batch holds 500 rows instead of 2000 now.",
    )),
    [],
  );
  assert.deepEqual(
    outdated(exchanged(
      "what do we know of the second village",
      "At Fakenham 81 % of the rights belonged to one family.",
      "the award of Heacham is of 1783 actually, not 81",
      "Then it took fourteen years.",
    )),
    [],
  );
});

Deno.test("summarizeSession() does not tell how a file was before it was changed", () => {
  const turns = exchanged(
    "will the setting survive the next deploy?",
    "The setting will not survive: `deploy/ledger.yaml` line 32 still says 2000, so the next deploy brings the incident back at once.",
    "fix that now",
    [
      "`deploy/ledger.yaml` says 500 and is pushed, so the deploy is safe.",
      "/p/deploy/ledger.yaml",
    ],
  );
  assert.doesNotMatch(summarizeSession(turns)?.summary ?? "", /still says 2000/);
  const extract = extractCheckpoint(turns, { effortMin: 0 });
  assert.doesNotMatch(JSON.stringify(extract), /still says 2000/);
});

Deno.test("outdatedIn() knows what the next prompt undoes, and no undo that is to be built", () => {
  const eased = "The easing of the panel is now 0.4 seconds long.";
  const after = (prompt: string) =>
    outdated(exchanged(
      "set the easing",
      [eased, "/p/panel.ts"],
      prompt,
      ["It is done and the tests pass.", "/p/panel.ts"],
    ));
  for (
    const undone of [
      "too floaty. back to .1",
      "go back to 0.2",
      "undo that",
      "no, revert it",
      "no that jumps, drop this attempt",
      "zurück auf 0.2",
    ]
  ) {
    assert.deepEqual(after(undone), [eased], undone);
  }
  for (
    const built of [
      "add an undo button",
      "drop all indexes before the import",
      "drop this column as well",
      "test the revert path as well",
      "scroll back to the top when it opens",
      "fall back to the default easing",
      "it should roll back when the save fails",
      "der Link geht zurück zur Liste, bau das ein",
      "vuelve a cargar la lista",
    ]
  ) {
    assert.deepEqual(after(built), [], built);
  }
});
