/** Names, cuts and distances of words; a short way that must come out as the long one does. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  CONTROL,
  cut,
  cutTitle,
  editDistance,
  fold,
  inOneLine,
  isAskedAtEnd,
  nearest,
  slug,
  splitSentences,
  splitTyped,
  toJson,
} from "../../src/base/text/text.ts";
import { phraseOf } from "../../src/search/query/lexical.ts";

const signs = [..."\u00a0«»‐–—―‚“”„†•‹›‘’"];
const plain = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 1 }),
    fc.constantFrom(...signs),
  ),
  maxLength: 60,
});

Deno.test("phraseOf() gives the same on its short way, for plain letters, and on its long one", () => {
  fc.assert(fc.property(plain, (text) => {
    // A letter outside ASCII sends the whole text along the other way.
    assert.equal(phraseOf(`${text} ж`), phraseOf(`${text} x`).replace(/x$/, "ж"));
  }));
});

Deno.test("CONTROL is Unicode's category of controls", () => {
  for (let code = 0; code <= 0x2100; code++) {
    const character = String.fromCodePoint(code);
    assert.equal(CONTROL.test(character), /\p{Cc}/u.test(character), code.toString(16));
  }
});

const LONG: readonly (readonly [text: string, title: string])[] = [
  [
    "The CI job fails at the install step, can you look at the workflow of the nightly and fix it?",
    "The CI job fails at the install step, can you look at the workflow…",
  ],
  [
    "The export asks the database once for each of the rows of the table with customers and orders",
    "The export asks the database once for each of the rows of the table…",
  ],
  [
    "Yes, the importer of the northern warehouse writes each of its rows into its own transaction now",
    "Yes, the importer of the northern warehouse writes each of its rows…",
  ],
  [
    "Der nächtliche Lauf bricht ab, weil der Anbieter seit gestern eine leere Datei liefert, und zwar die",
    "Der nächtliche Lauf bricht ab, weil der Anbieter seit gestern eine leere Datei…",
  ],
  ["short", "short"],
  ["x".repeat(90), "x".repeat(79) + "…"],
];

Deno.test("cutTitle() calls files and links by their names where the text is too long", () => {
  const behind = "shows the score of the last run beside the one before it";
  for (
    const [text, title] of [
      [`\`frontend/src/components/Scores.tsx:50\` ${behind}`, `\`Scores.tsx:50\` ${behind}`],
      [`/srv/shop/scores.ts and src/b/runs.ts ${behind}`, `scores.ts and runs.ts ${behind}`],
      [
        `src/scores.ts and its other half ${behind}`,
        "src/scores.ts and its other half shows the score of the last run beside the one…",
      ],
      [`[SCORES.md](docs/guide/SCORES.md) ${behind}`, `SCORES.md ${behind}`],
      [`src/scores.ts ${behind}`, `src/scores.ts ${behind}`],
      [
        `https://example.org/docs/scores.html ${behind}`,
        "https://example.org/docs/scores.html shows the score of the last run beside…",
      ],
      [
        `At 9 a.m./p.m. and/or at noon the page ${behind}`,
        "At 9 a.m./p.m. and/or at noon the page shows the score of the last run beside…",
      ],
    ] as const
  ) assert.equal(cutTitle(text, 80), title);
});

Deno.test("cutTitle() ends where something was said, and not on what opens a phrase", () => {
  for (const [text, title] of LONG) assert.equal(cutTitle(text, 80), title);
  const clauses =
    "Batches of 500 customers; a cache would need 3 GB of the memory that there is now, or more";
  assert.equal(cutTitle(clauses, 40), "Batches of 500 customers…");
  assert.equal(cutTitle(clauses, 50), "Batches of 500 customers; a cache would need 3 GB…");
  const sentences =
    "I have the results of the three rerankers in results. Can you compute the gain";
  assert.equal(cutTitle(sentences, 70), "I have the results of the three rerankers in results…");
  const shortened =
    "The release job reads its secrets from several places, e.g. the vault and the runner's own";
  assert.equal(cutTitle(shortened, 80), "The release job reads its secrets from several places…");
  assert.equal(
    cutTitle("The error went down by three… (branch)", 31),
    "The error went down by three…",
  );
  const code = "The footer of the list ends with `… · esc clear · ^c quit`, and Esc only clears";
  assert.equal(cutTitle(code, 60), "The footer of the list ends with `… · esc clear · ^c quit`…");
  assert.equal(cutTitle(code, 50), "The footer of the list ends with…");
});

Deno.test("cutTitle() does not end where only a condition was said", () => {
  for (
    const [text, title] of [
      [
        "The problem is that when switching between the two stores, the list of guests keeps its old rows",
        "The problem is that when switching between the two stores, the list of guests…",
      ],
      [
        "When the form of an order is sent without a customer, the server answers 500 and writes no row",
        "When the form of an order is sent without a customer, the server answers 500…",
      ],
      [
        "Si el formulario de un pedido se envía sin un cliente, el servidor responde 500 y no guarda nada",
        "Si el formulario de un pedido se envía sin un cliente, el servidor responde 500…",
      ],
      [
        "The server answers 500 to a form without a customer, and writes no row into the table of orders",
        "The server answers 500 to a form without a customer…",
      ],
      [
        "If it fails it is sent again. The table of guests is kept, and what was changed is asked about",
        "If it fails it is sent again. The table of guests is kept…",
      ],
    ] as const
  ) assert.equal(cutTitle(text, 80), title);
});

Deno.test("toJson() writes no half of a pair, and everything else as it is", () => {
  for (
    const [text, read] of [
      ["\ud83d", "\ufffd"],
      ["a\udc00b\ud800", "a\ufffdb\ufffd"],
      ["\\ud83d \\\\ud83d", "\\ud83d \\\\ud83d"],
      ["\\\ud83d", "\\\ufffd"],
      ["👍 \ud83d👍", "👍 \ufffd👍"],
      ["", ""],
    ] as const
  ) {
    assert.deepEqual(JSON.parse(toJson({ [text]: [text] })), { [read]: [read] });
  }
});

Deno.test("cut() cuts what is too long, and no character in half", () => {
  assert.deepEqual(["abcde", "abcdef", "one two three"].map((text) => cut(text, 5)), [
    "abcde",
    "abcd…",
    "one…",
  ]);
  assert.equal(cut("abc👍def", 5), "abc…");
});

Deno.test("slug() is a name whatever the text is", () => {
  const texts = [
    "Git Worktrees!",
    "日本語",
    "每天 300 万条消息",
    "改用 RabbitMQ durable",
    "Größe der STRAẞE nach Łódź",
    "Œuvre, smørrebrød og Þing",
    "İstanbul ıslak",
    "…",
  ];
  assert.deepEqual(texts.map((text) => slug(text)), [
    "git-worktrees",
    "日本語",
    "每天-300-万条消息",
    "rabbitmq-durable",
    "grosse-der-strasse-nach-lodz",
    "oeuvre-smorrebrod-og-thing",
    "istanbul-islak",
    "note",
  ]);
});

Deno.test("fold() keeps what makes another letter of a kana", () => {
  assert.equal(fold("データがバグ"), "データがバグ");
  assert.equal(fold("Ｃafé ﾊﾞｸﾞ"), "cafe バグ");
});

Deno.test("splitSentences() needs no space behind marks where none are written", () => {
  assert.deepEqual(splitSentences("为什么慢?因为没有索引。「先加上。」然后再测!好"), [
    "为什么慢?",
    "因为没有索引。",
    "「先加上。」",
    "然后再测!",
    "好",
  ]);
});

Deno.test("isAskedAtEnd() knows marks of either width, and questions without one", () => {
  for (
    const text of [
      "why?",
      "is there?!",
      "(or is it now?)",
      "为什么？",
      "可以吗",
      "できますか。",
      "「どれ？」",
    ]
  ) {
    assert.ok(isAskedAtEnd(text), text);
  }
  for (const text of ["", "so.", "就这样。", "できます。", "どこかにあります。"]) {
    assert.ok(!isAskedAtEnd(text), text);
  }
});

Deno.test("editDistance() counts single changes, up to one more than wanted", () => {
  assert.equal(editDistance("kitten", "sitting", 5), 3);
  assert.equal(editDistance("kitten", "sitting", 1), 2);
  assert.equal(editDistance("", "abc", 3), 3);
  assert.equal(editDistance("", "abcdef", 3), 4);
});

Deno.test("nearest() names what was meant, or nothing", () => {
  const known = ["cursor", "zed", "codex"];
  assert.deepEqual(["curser", "zd", "codecs", "vim"].map((typed) => nearest(typed, known)), [
    "cursor",
    "zed",
    "codex",
    undefined,
  ]);
  // What somebody began to type is meant, however much of it is missing; of two that begin so neither is.
  const verbs = ["list", "history", "claude-code", "claude-web"];
  assert.deepEqual(["hist", "claude-c", "claude", "hi"].map((typed) => nearest(typed, verbs)), [
    "history",
    "claude-code",
    undefined,
    undefined,
  ]);
  // What undoes a thing is no slip of its name.
  assert.equal(nearest("unset", ["get", "set", "reset"]), "reset");
  assert.equal(nearest("untrust", ["trust", "undo"]), undefined);
});

Deno.test("splitTyped() ends a sentence before a small letter, and no abbreviation or number", () => {
  const typed = "morning. we use e.g. the year of the award, etc. as ever. which notes?";
  assert.deepEqual(splitTyped(typed), [
    "morning.",
    "we use e.g. the year of the award, etc. as ever.",
    "which notes?",
  ]);
  assert.deepEqual(splitSentences("It reads main.ts. and then stops."), [
    "It reads main.ts. and then stops.",
  ]);
});

Deno.test("splitSentences() ends no sentence at the abbreviations of a date, a title or a reference", () => {
  for (
    const one of [
      "The van is booked for Sat. 19 Dec., 8 a.m., 240 euros incl. VAT, from Fa. Meier in Hauptstr. 5.",
      "Kap. 3 geht bis S. 112, inkl. der Tab. 2, d. h. ohne den Anhang, z. B. die Karte.",
      "It must be with Prof. Dr. Weber by Sept. 3, with vol. 2 and pp. 112 ff. of it.",
    ]
  ) {
    assert.deepEqual(splitSentences(`${one} The rest follows.`), [one, "The rest follows."]);
  }
  assert.deepEqual(splitTyped("am 31. Okt. bei ihr. the bill tripled in Sept. here is why"), [
    "am 31. Okt. bei ihr.",
    "the bill tripled in Sept.",
    "here is why",
  ]);
});

Deno.test("splitTyped() ends no sentence at the dots of a path", () => {
  for (const typed of ["go vet ./... fails here, why?", "git add . and commit", "cd ../.. first"]) {
    assert.deepEqual(splitTyped(typed), [typed]);
  }
  assert.deepEqual(splitTyped("wait... it runs in ./... Now commit"), [
    "wait...",
    "it runs in ./...",
    "Now commit",
  ]);
});

Deno.test("inOneLine() puts the items of a list beside each other, without their marks", () => {
  assert.equal(
    inOneLine("- Rows are streamed.\n- `a-b` - kept\n"),
    "Rows are streamed. · `a-b` - kept",
  );
  assert.equal(
    inOneLine("Two ways:\n\n* one\n* two\n\nNeither now."),
    "Two ways: one · two Neither now.",
  );
  assert.equal(inOneLine("Prose - with a dash\nin two lines"), "Prose - with a dash in two lines");
});
