/** wordsIn() against patterns that say the same more plainly. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { phraseOf } from "../../src/search/query/lexical.ts";
import { spell } from "../../src/search/query/query.ts";
import {
  matchWords,
  queryWords,
  readWords,
  STEM_CHARACTERS,
  stemOf,
} from "../../src/search/query/query_words.ts";
import { depth } from "../support/depth.ts";

const numRuns = depth(500, 20_000);
const word = fc.constantFrom(
  ...["retries", "Retry", "retrying", "the", "a", "IT", "v3", "v3.2", "foo_bar", "userName", "x"],
  ...["Größe", "größer", "naïve", "it’s", "記憶力", "K9", "ſo", "—", "c++", "4096", "", "\ud800"],
);
const text = fc.array(word, { maxLength: 12 }).chain((words) =>
  fc.constantFrom(" ", ", ", "\n", "-").map((between) => words.join(between))
);

const asked = (query: string) => queryWords({ text: query, terms: spell(query) });

Deno.test("matchWords() finds what a passage shares with the query's terms, as it stands there", () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), (query, texts) => {
      const stems = spell(query).flatMap(({ term }) => term.match(/[a-z0-9]+/g) ?? []).map(stemOf);
      const forms = [...new Set(stems)].map((stem) =>
        stem.length < STEM_CHARACTERS ? `${stem}(?![a-z0-9])` : `${stem}[a-z0-9]*`
      );
      const pattern = new RegExp(`(?<![a-z0-9])(?:${forms.join("|")})`, "gi");
      const expected = forms.length === 0 ? [] : texts.flatMap((one) => one.match(pattern) ?? []);
      assert.equal(matchWords(asked(query), readWords(texts), texts).shared, expected.join(" "));
    }),
    { numRuns },
  );
});

Deno.test("matchWords() finds the query's words by their stems, each with its place", () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), (query, texts) => {
      const words = asked(query);
      const all = texts.flatMap((one) => phraseOf(one).split(" ").filter((word) => word !== ""));
      const expected = all.flatMap((word, i) => {
        const place = words.stems.get(stemOf(word))?.[0];
        return place === undefined ? [] : [{ at: i + 1, said: place }];
      });
      const { positions, places } = matchWords(words, readWords(texts), texts);
      assert.deepEqual(positions.map((at, i) => ({ at, said: places[i] })), expected);
    }),
    { numRuns },
  );
});
