import assert from "node:assert/strict";
import fc from "fast-check";
import {
  originalOffset,
  privateRanges,
  stripPrivate,
  stripPrivateAcross,
} from "../../src/guard/private.ts";
import { depth } from "../support/depth.ts";
import { assertLinear } from "../support/linear.ts";

const CANARY = "canary-7f3a";

Deno.test("stripPrivate() removes what is between the tags and nothing else", () => {
  assert.equal(stripPrivate("a <private>x</private> b"), "a  b");
  assert.equal(stripPrivate("a\r\n<private>\r\nx\r\n</private>\r\nb"), "a\r\n\r\nb");
  assert.equal(stripPrivate("<private>x</private>b<private>y</private>"), "b");
});

Deno.test("stripPrivate() removes to the end when a tag is not closed", () => {
  assert.equal(stripPrivate("a <private>x"), "a ");
  assert.equal(stripPrivate("a <private"), "a ");
  assert.equal(stripPrivate("a <private>x</private"), "a ");
  assert.equal(stripPrivate("a <private>x <private>y</private> z"), "a ");
  assert.equal(stripPrivate('a <private note="x>y</private> z'), "a ");
});

Deno.test("stripPrivateAcross() removes what begins in one text and ends in another", () => {
  const whole = ["a", "b"];
  assert.equal(stripPrivateAcross(whole), whole);
  assert.deepEqual(stripPrivateAcross(["a <private>x", "y", "z</private> b", "c"]), [
    "a ",
    "",
    " b",
    "c",
  ]);
  assert.deepEqual(stripPrivateAcross(["<private>x</private>a", "b <private>y", "z"]), [
    "a",
    "b ",
    "",
  ]);
  // A part between them hides the halves of another.
  assert.deepEqual(stripPrivateAcross(["<pri<private>x", "</private>vate>y", "z"]), ["", "", ""]);
});

Deno.test("stripPrivate() follows nesting", () => {
  const nested = "a<private>x<private>y</private>z</private>b";
  assert.equal(stripPrivate(nested), "ab");
  assert.deepEqual(privateRanges(nested), [{ start: 1, end: nested.length - 1 }]);
  // A tag ends what would be the attributes of the one before it.
  assert.equal(stripPrivate("a<private <private>x</private>y</private>b"), "ab");
  assert.equal(stripPrivate("a<private x</private>b"), "ab");
  // Only behind a `=` a quote begins a value.
  assert.equal(stripPrivate("a<private it's mine>x</private>b"), "ab");
  // A closing tag that is escaped twice holds one that is escaped once: together they close once.
  const tag = (name: string): string => String.raw`\\u003c${name}\\u003e`;
  const escaped = `a${tag("private")}x${tag("private")}y${tag("/private")}z${tag("/private")}b`;
  assert.equal(stripPrivate(escaped), "ab");
});

Deno.test("stripPrivate() lets nothing through where a part hides the halves of another, however deep", () => {
  let part = "<private>x</private>";
  for (let depth = 1; depth <= 6; depth++) {
    const rest = stripPrivate(`before ${part} after`);
    assert.ok(!rest.includes(CANARY), `${depth}: ${rest}`);
    // So deep is no accident, and then nothing behind it is believed.
    if (depth <= 3) assert.equal(rest, "before  after");
    part = `<pri${part}vate>${CANARY}</private>`;
  }
});

Deno.test("stripPrivate() knows every spelling of the opening tag", () => {
  const spellings = [
    "<PRIVATE>",
    "<Private reason=legal>",
    '<private note="a > b">',
    "<private\n>",
    "< private >",
    "<private/>",
    "<pri\u200Bvate>",
    "<\u00ADprivate>",
    "<private\u2060>",
    "\u202E<\u202Eprivate>",
    "<p\u0301rivate>",
    "<pri\uFE0Fvate>",
    "<priv\u{E0041}ate>",
    "<priv\u{E0100}ate>",
    "<pri vate>",
    "<pr\tiva\nte>",
    "＜private＞",
    "＜ｐｒｉｖａｔｅ＞",
    "\u2329private\u232a",
    "\u3008private\u3009",
    "<рrivаtе>",
    "<𝐩𝐫𝐢𝐯𝐚𝐭𝐞>",
    "&lt;private&gt;",
    "&LT;private&GT;",
    "&#60;private&#62;",
    "&#x3c;private&#x3E;",
    "&#0000060private>",
    "&ltprivate&gt",
    "&amp;lt;private&amp;gt;",
    "&amp;amp;lt;private>",
    "&lang;private&rang;",
    "<&#112;rivate>",
    "<pri&shy;vate>",
    "<pri&ZeroWidthSpace;vate>",
    "<pri&#8203;vate>",
    "\\u003cprivate\\u003e",
    "\\x3Cprivate\\x3E",
    "\\<private\\>",
    "%3Cprivate%3E",
    "<private x='</private>'>",
    "<private x=&quot;</private>&quot;>",
    '<private x=\\"</private>\\">',
    "<private.>",
    "<pri\uD800vate>",
    "<pri<private>inner</private>vate>",
  ];
  for (const spelling of spellings) {
    const rest = stripPrivate(`before ${spelling} ${CANARY} </private> after`);
    assert.ok(!rest.includes(CANARY), `${JSON.stringify(spelling)} left ${JSON.stringify(rest)}`);
    assert.ok(rest.startsWith("before "), `${JSON.stringify(spelling)} took text before it`);
  }
});

Deno.test("stripPrivate() is closed only by a tag as plain as the one that opened", () => {
  const strange = [
    "</pri\u200Bvate>",
    "&lt;/private&gt;",
    "＜/private＞",
    "</private＞",
    "<／private>",
    "</ private>",
    "<\\/private>",
  ];
  for (const close of strange) {
    assert.equal(stripPrivate(`a<private>x${close}${CANARY}</private>b`), "ab", close);
  }
  assert.equal(stripPrivate("a&lt;private&gt;x&lt;/private&gt;b"), "ab");
  assert.equal(stripPrivate("a＜private＞x＜/private＞b"), "ab");
  assert.equal(stripPrivate("a<private>x</PRIVATE >b"), "ab");
  assert.equal(stripPrivate("a<private\u200B>x</private\u200B>b"), "ab");
});

Deno.test("stripPrivate() leaves everything that is no private tag", () => {
  const texts = [
    "a stray </private> close, twice </private>",
    "<privateer> <private-key> <private_key> <privatе2>",
    "private: x < y && y > private",
    "if (a < private_count) return &lt;b&gt; 100% \\u0041",
    "public < protected < private, in that order",
    "<&#9999999;private> <pri&#x110000;vate>",
    "",
    "\uFEFF# BOM\r\nkeeps\r\n",
    "می‌خواهم 👨‍👩‍👧 <b>x</b> \u200B",
  ];
  for (const text of texts) assert.equal(stripPrivate(text), text);
});

Deno.test("stripPrivate() lets no canary through in malformed variants", () => {
  fc.assert(
    fc.property(variant(), outside(), outside(), ({ open, inside, close }, before, after) => {
      const rest = stripPrivate(before + open + inside + CANARY + inside + close + after);
      assert.ok(!rest.includes(CANARY), JSON.stringify(rest));
      assert.ok(rest.startsWith(before), "text before the tag changed");
      assert.equal(stripPrivate(rest), rest, "not stable");
    }),
    { numRuns: depth(500, 10_000) },
  );
});

Deno.test("stripPrivate() keeps the text around well-formed parts byte for byte", () => {
  const part = fc.record({ text: outside(), hidden: outside(), open: properOpen() });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), outside(), (parts, tail) => {
      let text = "", kept = "";
      for (const { text: visible, hidden, open } of parts) {
        text += visible + open + hidden + CANARY + hidden + "</private>";
        kept += visible;
      }
      assert.equal(stripPrivate(text + tail), kept + tail);
    }),
    { numRuns: depth(500, 10_000) },
  );
});

Deno.test("privateRanges() tells where the private parts are", () => {
  assert.deepEqual(privateRanges("ab<private>c</private>d<private>e"), [
    { start: 2, end: 22 },
    { start: 23, end: 33 },
  ]);
});

Deno.test("stripPrivate() costs in proportion to a hostile megabyte", async () => {
  await assertLinear(stripPrivate);
});

/** Text without anything that could begin a tag. */
function outside(): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.constantFrom(..."abc private /=\"'\n\t.>#`é漢", "\u200B", "\u0301", "👩", "```\n"),
    maxLength: 24,
  });
}

function properOpen(): fc.Arbitrary<string> {
  return fc.constantFrom(
    "<private>",
    "<PRIVATE>",
    "<private why='x > y'>",
    '<Private a="</private>" b>',
    "<private\n>",
  );
}

function variant(): fc.Arbitrary<{ open: string; inside: string; close: string }> {
  const blank = fc.constantFrom(
    "",
    "",
    "",
    " ",
    "\u200B",
    "\u00AD",
    "\u202E",
    "\uFE0F",
    "\u0301",
    "\u{E0070}",
    "\u{E0100}",
    "\u2066",
    "\u180E",
    "\u3164",
    "\uFEFF",
    "\n",
    "&shy;",
    "&#8204;",
  );
  const letters = [..."private"].map((letter) =>
    fc.constantFrom(
      letter,
      letter,
      letter.toUpperCase(),
      String.fromCodePoint(letter.charCodeAt(0) + 0xfee0),
      String.fromCodePoint(letter.charCodeAt(0) - 97 + 0x1d41a),
      `&#${letter.charCodeAt(0)};`,
      `&#x${letter.charCodeAt(0).toString(16)};`,
    )
  );
  const name = fc.tuple(fc.tuple(...letters), fc.array(blank, { minLength: 8, maxLength: 8 }))
    .map(([spelled, blanks]) => spelled.map((letter, i) => (blanks[i] ?? "") + letter).join(""));
  const left = fc.constantFrom("<", "<", "＜", "&lt;", "&#60;", "&#x3c;", "&amp;lt;", "%3c");
  const right = fc.constantFrom(">", "＞", "&gt;", "&#62;", "/>", " >");
  const attributes = fc.constantFrom("", "", ' a="b"', " a='</private>'", " x", "\u200B", " a=b/");
  const close = fc.constantFrom(
    "</private>",
    "",
    "</private",
    "</priv\u200Bate>",
    "</PRIVATE>",
    "&lt;/private&gt;",
    "</private></private>",
    "<private/>",
  );
  const inside = fc.constantFrom("", " ", "\n```\n", "<private>", "<b>", "\u200B", "&lt;", "<!-- ");
  return fc.record({
    open: fc.tuple(left, name, attributes, right).map((parts) => parts.join("")),
    inside,
    close,
  });
}

Deno.test("originalOffset() puts what stands right behind a private part behind it", () => {
  const text = "a\n<private>\nx</private>b<private>y</private>";
  const stripped = stripPrivate(text);
  assert.equal(stripped, "a\nb");
  assert.equal(originalOffset(text, stripped.indexOf("b")), text.indexOf("b<"));
  assert.equal(originalOffset(text, 0), 0);
  assert.equal(originalOffset(text, stripped.length), text.length);
});
