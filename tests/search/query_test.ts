/** What a query finds, and why: small stores, the real ways of asking. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import type { NoteDocument } from "../../src/search/document.ts";
import { formulaOf } from "../../src/search/ranking/explain.ts";
import { prepareQuery, withPatterns } from "../../src/search/query/query.ts";
import { DEFAULT_WEIGHTS, NO_EVIDENCE, WORTH } from "../../src/search/ranking/score.ts";
import { openIndex, type SearchIndex } from "../../src/search/search_index.ts";
import { namesOf } from "../../src/search/ranking/verbatim.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { seeded, zipfPicker } from "./random.ts";
import { tempDir } from "../support/temp_store.ts";

function withIndex(notes: readonly NoteDocument[], body: (index: SearchIndex) => void): void {
  const index = openIndex(tempDir(), realFs, embedder.id);
  index.apply({ put: notes, remove: [] }, embedder);
  try {
    body(index);
  } finally {
    index.close();
  }
}

const filler = Array.from(
  { length: 20 },
  (_, i) => noteDocument(`filler/f${i}.md`, `nothing of interest number${i} stands in these lines`),
);

Deno.test("query() scores a note with all rare terms near 1 and an unknown question low", () => {
  const note = noteDocument("db.md", "we chose postgres with pgbouncer for pooling");
  withIndex([note, ...filler], (index) => {
    const [hit] = index.query(prepareQuery("postgres pgbouncer pooling"), { limit: 1 });
    assert.equal(hit?.note.id, "db");
    assert.ok(hit.kw > 0.9, String(hit.kw));
    assert.deepEqual([...hit.terms].sort(), ["pgbouncer", "pooling", "postgres"]);
    const text = "kangaroos zebras giraffes postgres in the savannah";
    const [unknown] = index.query(prepareQuery(text), { limit: 1 });
    assert.ok((unknown?.kw ?? 1) < 0.4, String(unknown?.kw));
  });
});

Deno.test("query() counts a title as far as it is said, and as the text bears it out", () => {
  const note = noteDocument("db.md", "postgres and pgbouncer", { title: "Postgres pooling" });
  withIndex([note, ...filler], (index) => {
    const evidenceOf = (text: string) =>
      index.query(prepareQuery(text), { limit: 1 })[0]?.evidence ?? NO_EVIDENCE;
    const one = evidenceOf("postgres zebras");
    assert.ok(Math.abs(one.title - 0.5 * Math.sqrt(one.kw)) < 1e-12 && one.kw < 0.9);
    assert.equal(one.isSingle, true);
    const two = evidenceOf("postgres pooling zebras");
    assert.ok(Math.abs(two.title - Math.sqrt(two.kw)) < 1e-12);
    assert.equal(two.isSingle, false);
  });
});

Deno.test("query() does not let one repeated term make up for another that is missing", () => {
  const loud = noteDocument("loud.md", "timeout timeout timeout timeout timeout timeout");
  withIndex([loud, noteDocument("other.md", "postgres"), ...filler], (index) => {
    const hits = index.query(prepareQuery("postgres timeout"), { limit: 5 });
    for (const { kw } of hits) assert.ok(kw < 0.7, String(kw));
  });
});

Deno.test("query() takes a note with a trigger keyword whatever its embedding says", () => {
  const note = noteDocument("w.md", "entirely different text", { keywords: ["Git Worktrees"] });
  withIndex([note, ...filler], (index) => {
    const query = prepareQuery("how do my git-worktrees behave", embedder);
    const [hit] = index.query(query, { limit: 3 });
    assert.deepEqual([hit?.note.id, hit?.kw, hit?.trigger], ["w", 1, "git worktrees"]);
  });
});

Deno.test("query() guesses so many typing mistakes, each as the most common word, and none of small words", () => {
  const notes = [
    noteDocument("a.md", "the planet and postgres"),
    ...["b", "c"].map((name) => noteDocument(`${name}.md`, "a planer of cheese, her cheek")),
  ];
  withIndex([...notes, ...filler], (index) => {
    const terms = (text: string, guessesMax: number) => {
      const hits = index.query(prepareQuery(text, undefined, { guessesMax }), { limit: 9 });
      return [...new Set(hits.flatMap(({ terms }) => terms))].sort();
    };
    assert.deepEqual(terms("planex", 1), ["planer"]);
    assert.deepEqual(terms("planex postgers", 2), ["planer", "postgres"]);
    assert.deepEqual(terms("planex postgers", 1), ["planer"]);
    assert.deepEqual(terms("planet postgers", 0), ["planet"]);
    assert.deepEqual(terms("check planet", 3), ["planet"]);
  });
});

Deno.test("notes() knows what is pinned, what has sources or no project, and the newest", () => {
  const sources = [{ path: "a.ts", hash: undefined, commit: undefined }];
  const notes = [
    noteDocument("a.md", "text", { pinned: true, project: "sage" }),
    noteDocument("b.md", "text", { sources, updated: "2026-03-01T00:00:00Z", project: "sage" }),
    noteDocument("c.md", "text"),
  ];
  withIndex(notes, (index) => {
    const paths = (...asked: Parameters<SearchIndex["notes"]>) =>
      index.notes(...asked).map(({ path }) => path);
    assert.deepEqual(paths({ pinned: true }), ["a.md"]);
    assert.deepEqual(paths({ sourced: true }), ["b.md"]);
    assert.deepEqual(paths({ projects: [""] }), ["c.md"]);
    assert.deepEqual(paths({ projects: ["", "sage"] }), ["a.md", "b.md", "c.md"]);
    assert.deepEqual(paths({}, 1), ["b.md"]);
  });
});

Deno.test("query() cuts what it shows between characters", () => {
  const note = noteDocument("a.md", `needle ${"x".repeat(1192)}é and more`);
  withIndex([note], (index) => {
    const [hit] = index.query(prepareQuery("needle"), { limit: 1 });
    assert.equal(hit?.chunk.snippet, `needle ${"x".repeat(1192)}`);
  });
});

Deno.test("notes() takes a time that begins and leaves one that ends", () => {
  const updated = "2026-02-01T00:00:00Z";
  withIndex([noteDocument("a.md", "text", { updated })], (index) => {
    assert.equal(index.notes({ after: "2026-02-01" }).length, 1);
    assert.equal(index.notes({ before: "2026-02-01" }).length, 0);
    assert.equal(index.notes({ before: "2026-02-01T00:00:01Z" }).length, 1);
  });
});

Deno.test("query() hides what a filter hides, trigger or not", () => {
  const note = noteDocument("w.md", "different", { keywords: ["worktrees"], status: "archived" });
  withIndex([note, ...filler], (index) => {
    const query = prepareQuery("worktrees", embedder);
    const ids = (statuses: readonly ["active" | "archived"]) =>
      index.query(query, { limit: 30, statuses }).map(({ note }) => note.id);
    assert.ok(!ids(["active"]).includes("w"));
    assert.deepEqual(ids(["archived"]), ["w"]);
  });
});

Deno.test("query() shows the first of passages that say the same", () => {
  withIndex([noteDocument("twice.md", "a needle\n\na Needle\n\nA needle"), ...filler], (index) => {
    const [hit] = index.query(prepareQuery("needle"), { limit: 1 });
    assert.equal(hit?.chunk.snippet, "a needle");
  });
});

Deno.test("query() knows a trigger keyword of any length, in the middle of a query", () => {
  const keyword = "cannot read properties of undefined while it is reading the map";
  const note = noteDocument("e.md", "entirely different text", { keywords: [keyword] });
  withIndex([note, ...filler], (index) => {
    const trigger = (text: string): string | undefined =>
      index.query(prepareQuery(text), { limit: 1 })[0]?.trigger;
    assert.equal(trigger(`it says: Cannot ${keyword.slice(7)}. Why?`), keyword);
    assert.equal(trigger(`${keyword}s`), undefined);
  });
});

Deno.test("query() takes a note whose pattern matches", async () => {
  const index = openIndex(tempDir(), realFs, embedder.id);
  const note = noteDocument("e.md", "entirely different", { patterns: ["E\\d{3}\\b"] });
  index.apply({ put: [note, ...filler], remove: [] }, embedder);
  const query = await withPatterns(prepareQuery("what is e404", embedder), [index]);
  const [hit] = index.query(query, { limit: 1 });
  assert.equal(hit?.trigger, "E\\d{3}\\b");
  assert.equal(hit.evidence.missing, 0, "the pattern is for just such names");
  index.close();
});

Deno.test("query() filters before it counts to the limit", () => {
  const notes = Array.from(
    { length: 300 },
    (_, i) =>
      noteDocument(`n${i}.md`, "the same words everywhere", {
        kind: i === 250 ? "todo" : "knowledge",
        tags: i === 120 ? ["rare"] : i === 121 ? ["common", "third"] : ["common"],
        project: i === 33 ? "morpho" : undefined,
        status: i === 7 ? "archived" : "active",
        updated: i === 99 ? "2026-03-01T00:00:00Z" : "2026-01-01T00:00:00Z",
      }),
  );
  withIndex(notes, (index) => {
    const ask = (filter: object): (string | undefined)[] =>
      index.query(prepareQuery("same words", embedder), { limit: 2, ...filter }).map((hit) =>
        hit.note.id
      );
    assert.deepEqual(ask({ kinds: ["todo"] }), ["n250"]);
    assert.deepEqual(ask({ tags: ["Rare"] }), ["n120"]);
    assert.deepEqual(ask({ tags: ["common", "third"] }), ["n121"]);
    assert.deepEqual(ask({ tags: ["rare", "third"] }), []);
    assert.deepEqual(ask({ project: "morpho" }), ["n33"]);
    assert.deepEqual(ask({ statuses: ["archived"] }), ["n7"]);
    assert.deepEqual(ask({ after: "2026-02-01" }), ["n99"]);
    assert.equal(ask({}).length, 2);
  });
});

Deno.test("query() takes no tag and no project for another that looks alike in the facts", () => {
  const words = { red: "same words", green: "same words here" };
  const notes = Object.entries(words).flatMap(([tag, text]) => {
    const project = tag === "red" ? "opcwesc" : "kmkjbhy";
    return Array.from(
      { length: 30 },
      (_, i) => noteDocument(`${tag}${i}.md`, text, { tags: [tag], project }),
    );
  });
  withIndex(notes, (index) => {
    const ask = (filter: object) =>
      index.query(prepareQuery("same words"), { limit: 12, ...filter });
    for (const filter of [{ project: "kmkjbhy" }, { projects: ["kmkjbhy"] }, { tags: ["green"] }]) {
      const hits = ask(filter);
      assert.ok(hits.every(({ note }) => note.tags.includes("green")), JSON.stringify(filter));
      assert.ok(index.notes(filter).every(({ tags }) => tags.includes("green")));
    }
    assert.equal(ask({ tags: ["green"] }).length, 12);
  });
});

Deno.test("query() finds text in any script by its words", () => {
  const notes = [
    noteDocument("ja.md", "前回の記憶はデータベースに保存されます"),
    noteDocument("th.md", "ระบบจัดเก็บความทรงจำในฐานข้อมูล"),
    noteDocument("fr.md", "Le déploiement passe par l’intégration"),
    noteDocument("ru.md", "Память хранится в файлах"),
    noteDocument("units.md", `${"㌖".repeat(2000)} odometer`),
  ];
  withIndex([...notes, ...filler], (index) => {
    const first = (text: string): string | undefined =>
      index.query(prepareQuery(text), { limit: 1 })[0]?.note.id;
    assert.equal(first("データベースの保存"), "ja");
    assert.equal(first("ฐานข้อมูล"), "th");
    assert.equal(first("deploiement"), "fr");
    assert.equal(first("ПАМЯТЬ"), "ru");
    assert.equal(first("odometer"), "units", "behind signs that fold to twelve times their bytes");
  });
});

Deno.test("query() shows the passage that was found, cut to what is shown", () => {
  const note = noteDocument("long.md", `intro only\n\n${"padding words ".repeat(200)}needle`);
  withIndex([note], (index) => {
    const [hit] = index.query(prepareQuery("needle", embedder), { limit: 1 });
    assert.ok(hit);
    assert.ok(hit.chunk.snippet.startsWith("padding words"));
    assert.ok(hit.chunk.snippet.length <= 1200);
  });
});

Deno.test("holding() finds words wherever a note is cut, and none that only a cut makes", () => {
  const note = noteDocument("long.md", "we keep the data\n\nbase of Café users");
  withIndex([note, ...filler], (index) => {
    const found = (...words: string[]): string[] => [...index.holding(words)];
    assert.deepEqual(found("the data base of"), ["long.md"]);
    assert.deepEqual(found("cafe", "keep"), ["long.md"]);
    assert.deepEqual(found("database"), []);
    assert.deepEqual(found("longwe"), []);
    assert.deepEqual(found("cafe", "lost"), []);
  });
});

Deno.test("hasTogether() is of one passage that lives, whichever change brought it", () => {
  const note = noteDocument("v3.md", "the port is 7243 in v3\n\nv4 had none, says src/main.ts");
  withIndex([note, ...filler], (index) => {
    const has = (text: string): boolean => index.hasTogether(namesOf(text));
    assert.ok(has("which port has V3 with 7243?"));
    assert.ok(has("what does src/main.ts say of v4"));
    assert.ok(!has("did v4 have port 7243"), "of two passages");
    assert.ok(!has("did v5 have port 7243"), "nowhere");
    assert.ok(!has("did it have one"), "no name");
    index.apply({ put: [noteDocument("v5.md", "v5 keeps port 7243")], remove: [] }, embedder);
    assert.ok(has("did v5 have port 7243") && has("which port has V3 with 7243?"));
    index.apply({ put: [], remove: ["v3.md"] }, embedder);
    assert.ok(!has("which port has V3 with 7243?"), "removed");
  });
});

Deno.test("hasTogether() misses no passage that has all names of a question", () => {
  const random = seeded(5);
  const names = [
    "v3",
    "useEffect",
    ".envrc",
    "a/b.ts",
    "x_y",
    "C3PO",
    "naïve_2",
    "第3章",
    "Straße9",
  ];
  const around = ["says", "München", "(the)", "—", "記憶", "v33", "effect"];
  let whole = 0;
  for (let round = 0; round < 200; round++) {
    const some = (from: string[], most: number): string[] =>
      Array.from({ length: 1 + random.below(most) }, () => random.pick(from));
    const text = some([...names, ...around], 8).join(random.pick([" ", ", ", ". "]));
    const question = some([...names, "what", "is"], 3).join(" ");
    withIndex([noteDocument("one.md", text)], (index) => {
      const [hit] = index.query(prepareQuery(question, embedder), { limit: 1 });
      if (hit === undefined || hit.evidence.named === 0 || hit.evidence.missing > 0) return;
      whole++;
      assert.ok(index.hasTogether(namesOf(question)), `${question} | ${text}`);
    });
  }
  assert.ok(whole > 20, `${whole}`);
});

Deno.test("notes() names the successor of a superseded note", () => {
  const notes = [
    noteDocument("new.md", "text", { supersedes: ["old"] }),
    noteDocument("old.md", "text"),
  ];
  withIndex(notes, (index) => {
    assert.deepEqual(index.notes().map(({ id, supersededBy }) => [id, supersededBy]), [
      ["new", undefined],
      ["old", "new"],
    ]);
  });
});

Deno.test("notes() has no successor for notes that replace each other", () => {
  const notes = [
    noteDocument("a.md", "text", { supersedes: ["b", "old"] }),
    noteDocument("b.md", "text", { supersedes: ["a"] }),
    noteDocument("old.md", "text"),
  ];
  withIndex(notes, (index) => {
    assert.deepEqual(index.notes().map(({ id, supersededBy }) => [id, supersededBy]), [
      ["a", undefined],
      ["b", undefined],
      ["old", "a"],
    ]);
  });
});

Deno.test("notes() takes no draft and nothing archived for a successor", () => {
  for (const status of ["draft", "archived"] as const) {
    const notes = [
      noteDocument("new.md", "text", { supersedes: ["old"], status }),
      noteDocument("old.md", "text"),
    ];
    withIndex(notes, (index) => {
      assert.deepEqual(index.notes().map((note) => note.supersededBy), [undefined, undefined]);
    });
  }
});

Deno.test("query() finds what replaced a note with it, however little that says itself", () => {
  const notes = [
    noteDocument("old.md", "we pool connections with pgbouncer", { title: "Pooling" }),
    noteDocument("new.md", "supavisor since March", { title: "Supavisor", supersedes: ["old"] }),
    noteDocument("newest.md", "nothing between", { title: "Direct", supersedes: ["new"] }),
    ...filler,
  ];
  withIndex(notes, (index) => {
    const query = prepareQuery("pool connections pgbouncer");
    const found = index.query(query, { limit: 50 });
    const [old, next, last] = found.slice(0, 3).sort((a, b) => b.sum - a.sum);
    assert.deepEqual([old, next, last].map((one) => one?.note.id), ["old", "new", "newest"]);
    assert.ok(old && next && next.sum === old.sum + WORTH.handedOn, `${old?.sum} ${next?.sum}`);
    assert.match(
      formulaOf(next, DEFAULT_WEIGHTS),
      /from an earlier version.*share of an earlier version/,
    );
    // However few are asked for.
    const few = index.query(query, { limit: 3 }).map(({ note }) => note.id);
    assert.deepEqual(few.sort(), ["new", "newest", "old"]);
    for (const filter of [{ except: new Set(["new"]) }, { unasked: true }]) {
      const ids = index.query(query, { limit: 50, ...filter }).map(({ note }) => note.id);
      assert.ok(!ids.includes("new"), ids.join());
    }
  });
});

Deno.test("formulaOf() adds up to the value that decided", () => {
  withIndex([noteDocument("db.md", "postgres pooling"), ...filler], (index) => {
    const [hit] = index.query(prepareQuery("postgres pooling", embedder), { limit: 1 });
    assert.ok(hit);
    const formula = formulaOf(hit, DEFAULT_WEIGHTS, 0.8);
    const [, signed = "", said = ""] = /^logistic\((.*)\) × 0\.8 for its scope = (0\.\d\d)$/
      .exec(formula) ?? [];
    const terms = signed.replaceAll("−", "-").match(/[-+]? ?\d+\.\d+/g) ?? [];
    const sum = terms.reduce((sum, term) => sum + Number(term.replace(" ", "")), 0);
    assert.equal(said, (hit.combined * 0.8).toFixed(2));
    assert.ok(Math.abs(0.8 / (1 + Math.exp(-sum)) - hit.combined * 0.8) < 0.02, formula);
  });
});

Deno.test("query() answers the same after others asked by words alone", () => {
  const notes = [
    noteDocument("on.md", "the cache of sessions is kept on disk", { title: "Session cache" }),
    noteDocument("off.md", "the cache of sessions is not kept", { title: "Session cache off" }),
  ];
  withIndex([...notes, ...filler], (index) => {
    const ask = () => index.query(prepareQuery("cache of sessions", embedder), { limit: 5 });
    withIndex([...notes, ...filler], (other) => {
      // Memory that was reserved for good in the middle of a query would be another's soon.
      for (let i = 0; i < 5; i++) other.query(prepareQuery("cache of sessions"), { limit: 5 });
    });
    const before = ask();
    assert.deepEqual(ask(), before);
  });
});

Deno.test("query() finds the same best notes whether few are wanted or all are scored", () => {
  const random = seeded(11);
  const word = zipfPicker(Array.from({ length: 900 }, (_, i) => `word${i}`), random);
  const many = Array.from({ length: 400 }, (_, i) => {
    const parts = Array.from({ length: 3 }, () => Array.from({ length: 30 }, word).join(" "));
    return noteDocument(`n${i}.md`, parts.join("\n\n"), { title: `note ${i}` });
  });
  withIndex(many, (index) => {
    for (let i = 0; i < 40; i++) {
      const text = Array.from({ length: 1 + random.below(6) }, word).join(" ");
      const query = prepareQuery(text, random.next() < 0.8 ? embedder : undefined);
      const told = (limit: number) =>
        index.query(query, { limit }).slice(0, 10)
          .map(({ note, sum, combined }) => [note.path, sum, combined]);
      assert.deepEqual(told(10), told(many.length), text);
    }
  });
});

Deno.test("query() answers the same whoever looked at the same passages before", () => {
  const notes = [
    noteDocument("wal.md", "The queue writes ahead to a log. Größe and retries are logged, too."),
    noteDocument(
      "retry.md",
      "Retries of the queue wait twice as long each time, v3.2 at most a day.",
    ),
    ...filler,
  ];
  const model = openStaticEmbedder();
  const [first, second] = [0, 1].map(() => {
    const index = openIndex(tempDir(), realFs, model.id);
    index.apply({ put: notes, remove: [] }, model);
    return index;
  });
  const asked = prepareQuery("how long do retries of the queue wait in v3.2", model);
  assert.ok(first !== undefined && second !== undefined && asked.vector !== undefined);
  const fresh = first.query(asked, { limit: 5 });
  // Neither has a use for all of a passage, and both look at it.
  second.query(prepareQuery(asked.text), { limit: 5 });
  second.similar(asked.vector, { limit: 5, calibrate: model.calibrate });
  assert.deepEqual(second.query(asked, { limit: 5 }), fresh);
  assert.deepEqual(second.query(asked, { limit: 5 }), fresh);
  for (const one of [first, second, model]) one.close();
});
