/** Which of an agent's sentences are noise by their form, and which are wanted first. */
import assert from "node:assert/strict";
import type { Salient } from "../../src/detect/checkpoint/salience.ts";
import { announces, byWorth, instructs, isNoise } from "../../src/detect/checkpoint/worth.ts";

Deno.test("isNoise() knows narration, steps for the reader and praise", () => {
  for (
    const text of [
      "I can see the current structure.",
      "Now let's test the build to see where we are.",
      "I found the issue!",
      "I’ll go through the three call sites of the parser.",
      "Let me look at the remaining call sites of the parser.",
      "Now updating the list of items in the appendix.",
      "The search brought up little, let me read the file from the top.",
      "Restart the development server for the changes to take effect.",
      "Open this file on your computer with a plain editor.",
      "The system is now fully integrated and works with excellent quality!",
    ]
  ) assert.ok(isNoise(text), text);
});

Deno.test("isNoise() leaves what says why, what cannot be and what was measured", () => {
  for (
    const text of [
      "The worker dies because `readAll()` builds one string of the whole file.",
      "I see the issue: version 0.37 expects tags at the root level, not inside a `tags` object.",
      "I'll convert with `plutil`, since plist-cil does not resolve archived keys.",
      "Use `conda env update` instead of `create` if the environment exists already.",
      "The cache holds 40 tenants, and the 41st evicts the first.",
      "Unknown devices share one key per user.",
      "I switched the renderer.",
    ]
  ) assert.ok(!isNoise(text), text);
});

Deno.test("announces() knows what an agent only sets about, and what it thinks the person wants", () => {
  for (
    const text of [
      "I’ll replace the old address in `mail.ts` and in `api/order.ts`.",
      "Great! Now let's test the form on a phone.",
      "The token is in `auth.ts`; next I'll look for other uses of it.",
      "I'm first comparing the two runs of Monday.",
      "Starting with the call graph of `parse()`.",
      "The user wants the totals below the table.",
      "I should ask before the table is dropped.",
      "Ich werde zuerst `list.ts` umbauen.",
      "Ahora voy a revisar el archivo `lista.ts`.",
      "Je vais ajouter les totaux dans `liste.ts`.",
      "Agora vou ajustar os totais em `lista.ts`.",
      "Ora aggiorno anche i totali della lista, che sono nel file `lista.ts`.",
      "Сейчас проверю остальные вызовы `parse()`.",
      "我先看一下 `list.ts` 的结构。",
    ]
  ) assert.ok(announces(text), text);
  for (
    const text of [
      "I'll keep both tables until the export of June is through.",
      "I'll convert with `plutil`, since plist-cil does not resolve archived keys.",
      "I'm leaving `.DS_Store` alone.",
      "The user is sent to `/login` after ten minutes.",
      "Let me know if the totals are off.",
      "The totals stand below the table, in bold.",
      "I should note that the second run had no cache.",
      "The cap is 8 MiB in `nginx.conf`, so I'll send the rows in parts.",
      "Voy a dejar `lista.ts` como está.",
      "Vou manter as duas tabelas até junho.",
      "Je vais garder les deux tables.",
      "我会保留两个表。",
    ]
  ) assert.ok(!announces(text), text);
});

Deno.test("instructs() knows what the reader is to do, and a command that could come next", () => {
  for (
    const text of [
      "Please log in once, then I read the rest.",
      "Ready when you are, the cart is open.",
      "`/plan:phase 12 --skip-research` — plans without research.",
    ]
  ) assert.ok(instructs(text), text);
  for (const text of ["`/api/carts` answers with 404.", "`plan()` runs without research."]) {
    assert.ok(!instructs(text), text);
  }
});

Deno.test("byWorth() leaves out what is only announced, unless it has a figure", () => {
  const figured = "I'm replacing the 58 calls of `parse()` file by file.";
  const said = [
    "I'm replacing the calls of `parse()` file by file.",
    figured,
    "I'll commence task 5.3 of `plan.md`.",
  ];
  const left = answered(said.map((text) => salient(text, "assistant")));
  assert.deepEqual(left.map(({ sentence }) => sentence.text), [figured]);
});

Deno.test("byWorth() puts a cause before a report, and takes none of a person's sentences out", () => {
  const texts = (roles: readonly ("user" | "assistant")[], said: readonly string[]): string[] =>
    answered(said.map((text, i) => salient(text, roles[i] ?? "assistant")))
      .map(({ sentence }) => sentence.text);
  const [report, cause, order] = [
    "All the pages of the report were written.",
    "The report was empty because `render()` ran before the rows had arrived.",
    "Let me know when you are ready!",
  ];
  assert.deepEqual(texts(["assistant", "assistant"], [report, cause]), [cause, report]);
  assert.ok(texts(["assistant", "user"], [report, order]).includes(order));
  assert.ok(!texts(["assistant", "assistant"], [report, order]).includes(order));
});

Deno.test("byWorth() takes from what was said between calls only what has a mark of worth", () => {
  const plain = "The rows are indented with tabs.";
  const cause = "The rows are indented with tabs because `fmt` is not run on templates.";
  const said = [plain, cause].map((text) => salient(text, "assistant"));
  const textsOf = (chosen: readonly Salient[]): string[] =>
    chosen.map(({ sentence }) => sentence.text);
  assert.deepEqual(textsOf(byWorth(said, new Set())), [cause]);
  assert.deepEqual(textsOf(answered(said)), [cause, plain]);
});

/** As sentences of final answers. */
function answered(said: readonly Salient[]): readonly Salient[] {
  return byWorth(said, new Set(said.map(({ sentence }) => sentence.turn)));
}

function salient(text: string, role: "user" | "assistant"): Salient {
  return {
    sentence: {
      text,
      turn: { uuid: text, role, at: "", text, tools: [] },
      turnIndex: 0,
      position: 0,
      heading: "",
      isItem: false,
    },
    score: 0.1,
    rankScore: 0.1,
    terms: new Set(),
    vectors: undefined,
    place: 0,
    isDecided: false,
    isLaidOut: false,
    concludes: 0,
  };
}
