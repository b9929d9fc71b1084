/** Text is known by its bytes, with the mark of its encoding and, in the middle of a file, without. */
import assert from "node:assert/strict";
import { encodingOf, isMostlyText, textsOf, wholeFrom } from "../../src/guard/encoding.ts";

function utf16(text: string, isBig: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), !isBig);
  return new Uint8Array(view.buffer);
}

Deno.test("encodingOf() knows UTF-16 by its mark, in any language", () => {
  for (const isBig of [false, true]) {
    const bytes = utf16("\ufeff密码：上\r\n", isBig);
    const encoding = encodingOf(bytes);
    assert.equal(encoding, isBig ? "utf-16be" : "utf-16le");
    assert.equal(encoding && textsOf(bytes, encoding)[0], "密码：上\n");
  }
});

Deno.test("encodingOf() knows lines of Latin UTF-16 without a mark, wherever git cut them", () => {
  for (const isBig of [false, true]) {
    for (const cut of [0, 1]) {
      const bytes = utf16("\nPasswort – größer\r\n", isBig).subarray(isBig ? 2 : 2 - cut);
      const encoding = encodingOf(bytes);
      assert.match(encoding ? textsOf(bytes, encoding)[0] ?? "" : "", /^\n?Passwort/);
    }
  }
});

Deno.test("encodingOf() takes no image, archive or table of numbers for text", () => {
  const binaries: Record<string, number[]> = {
    png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52],
    zip: [0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, 0x21, 0x5a, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66],
    numbers: Array.from({ length: 64 }, (_, i) => i % 2 === 0 ? i + 1 : 0),
    zeros: Array.from({ length: 64 }, () => 0),
    note: [...new TextEncoder().encode("# A note with one of them:\0\n")],
    short: [0, 10],
  };
  for (const [name, bytes] of Object.entries(binaries)) {
    assert.equal(encodingOf(Uint8Array.from(bytes)), undefined, name);
    assert.ok(!isMostlyText(Uint8Array.from(bytes)), name);
  }
  assert.equal(encodingOf(new TextEncoder().encode("naïve\n")), "utf-8");
  assert.equal(encodingOf(new Uint8Array()), "utf-8");
});

Deno.test("isMostlyText() minds no NUL here and there", () => {
  assert.ok(isMostlyText(new TextEncoder().encode(`${"a line of a log\n".repeat(20)}\0\0\n`)));
});

Deno.test("textsOf() reads lines that another program wrote behind UTF-16, in their places", () => {
  const narrow = new TextEncoder().encode("KEY=1\nlast\n");
  for (const isBig of [false, true]) {
    const wide = utf16("\ufeff上a\r\n\r\nb\n", isBig);
    const bytes = new Uint8Array([...wide, ...narrow]);
    const texts = textsOf(bytes, isBig ? "utf-16be" : "utf-16le");
    assert.match(texts[0] ?? "", /^上a\n\nb\n/);
    const lines = new TextDecoder("latin1").decode(bytes).split("\n");
    const found = (texts[1] ?? "").split("\n");
    for (const line of ["KEY=1", "last"]) {
      assert.equal(found.indexOf(line), lines.findIndex((one) => one.endsWith(line)), line);
    }
    assert.doesNotMatch(texts[1] ?? "", /[ab]\n/);
  }
  assert.deepEqual(textsOf(narrow, "utf-8"), ["KEY=1\nlast\n"]);
  // Behind a line end the second byte of it comes first.
  for (const [from, isRest] of [[4, false], [3, true]] as const) {
    const bytes = utf16("a\nlast\n", false).subarray(from);
    assert.equal(textsOf(bytes, "utf-16le", isRest)[0], "last\n");
  }
});

Deno.test("wholeFrom() cuts no character of UTF-8, and shifts nothing in UTF-16", () => {
  const bytes = new TextEncoder().encode("aé上👩z");
  for (let at = 0; at <= bytes.length; at++) {
    const from = wholeFrom(bytes, at, "utf-8");
    assert.ok(from >= at && from < at + 4, `${at}`);
    assert.doesNotMatch(new TextDecoder().decode(bytes.subarray(from)), /\uFFFD/, `${at}`);
    assert.equal(wholeFrom(bytes, at, "utf-16le"), at);
  }
  assert.equal(wholeFrom(bytes, 0, "utf-8"), 0);
});
