/** The tables of languages: every line is looked for, and what looks for one finds it. */
import assert from "node:assert/strict";
import { expanded, phrasePattern } from "../../src/detect/phrases/phrase_patterns.ts";
import { withSharedContinuations } from "../../src/detect/phrases/shared_continuations.ts";
import { readPhraseTable } from "../../src/detect/phrases/unspaced.ts";

const FOLDER = new URL("../../src/", import.meta.url);
const LANGUAGES = [
  "english.txt",
  "german.txt",
  "spanish.txt",
  "french.txt",
  "portuguese.txt",
  "italian.txt",
  "russian.txt",
] as const;
/** What asks for a name of these tables, of the one for writing without spaces, or of either. */
const ASKS =
  /\b(phrasePattern|spokenPattern|phraseLines|inRussianList|russianLines|russianWords|withUnspaced|unspacedPattern|unspacedLines|unspacedWords)\(\s*[`"]([\w.${}]+)[`"]/g;
const NAMED = /(?<!\$)\{([a-z_]+\.[a-z_]+)\}/g;

/** Names that the code asks for; what is made of parts (`words.${wordClass}`) ends with its dot. */
async function askedFor(): Promise<{ spaced: Set<string>; unspaced: Set<string> }> {
  const [spaced, unspaced] = [new Set<string>(), new Set<string>()];
  for (const room of ["detect/", "memory/"]) {
    for (const file of await filesBelow(new URL(room, FOLDER))) {
      const text = await Deno.readTextFile(file);
      for (const [, how = "", one = ""] of text.matchAll(ASKS)) {
        const isSpaced = /^(?:phrase|spoken|inRussian|russian)/.test(how);
        (isSpaced ? spaced : unspaced).add(one.replace(/\$\{.*/, ""));
      }
      for (const [, one = ""] of text.matchAll(NAMED)) spaced.add(one);
    }
  }
  return { spaced, unspaced };
}

async function filesBelow(folder: URL): Promise<URL[]> {
  const found: URL[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await filesBelow(new URL(`${name}/`, folder)));
    else if (name.endsWith(".ts")) found.push(new URL(name, folder));
  }
  return found;
}

function isAmong(name: string, names: Iterable<string>): boolean {
  return [...names].some((one) => one === name || one.endsWith(".") && name.startsWith(one));
}

function isThere(asked: string, names: Iterable<string>): boolean {
  return [...names].some((name) => name === asked || asked.endsWith(".") && name.startsWith(asked));
}

Deno.test("every line of a table is looked for, and every name that is looked for is there", async () => {
  const { spaced, unspaced } = await askedFor();
  const tables = LANGUAGES.map((name) => [name, readPhraseTable(name)] as const);
  const meant = new Set(spaced);
  for (const [file, table] of tables) {
    for (const [name, lines] of table) {
      for (const line of lines) {
        for (const [, other = ""] of line.matchAll(NAMED)) {
          assert.ok(table.has(other), `${file}: ${name} names ${other}, which it has not`);
          meant.add(other);
        }
      }
    }
  }
  for (const [file, table] of tables) {
    for (const name of table.keys()) assert.ok(isAmong(name, meant), `${file}: ${name}`);
  }
  const all = new Set(tables.flatMap(([, table]) => [...table.keys()]));
  for (const name of spaced) assert.ok(isThere(name, all), name);
  const table = readPhraseTable("unspaced.txt");
  const known = new Set(table.keys());
  for (const [name, lines] of table) {
    for (const [, other = ""] of lines.join("\n").matchAll(NAMED)) {
      assert.ok(known.has(other), `${name} names ${other}, which is not there`);
      unspaced.add(other);
    }
  }
  for (const name of known) assert.ok(isAmong(name, [...unspaced, ...spaced]), name);
  for (const name of unspaced) assert.ok(isThere(name, known), name);
});

Deno.test("every line is a pattern of its own, and says no name twice", async () => {
  for (const file of [...LANGUAGES, "unspaced.txt"] as const) {
    for (const lines of readPhraseTable(file).values()) {
      // Places for names are filled in where they are used.
      const whole = lines.map((line) => line.replace(/\{[a-z._]+\}/g, "x"));
      for (const part of whole.flatMap((line) => line.split("\t"))) {
        assert.ok(!/^\s|\s$/.test(part), `${file}: ${part} begins or ends with a blank`);
        new RegExp(part);
      }
    }
    if (file === "unspaced.txt") continue;
    const text = await Deno.readTextFile(new URL(`detect/phrases/${file}`, FOLDER));
    const names = text.match(/^[a-z_.]+(?=\t)/gm) ?? [];
    assert.equal(new Set(names).size, names.length, file);
  }
});

Deno.test("phrasePattern() has what all languages say, in one frame, and a line what its own has", () => {
  const reason = phrasePattern("decisions.reason", String.raw`\b{}\b`);
  for (const said of ["because", "weil", "ya que", "puisque", "因为"]) {
    assert.ok(reason.test(`x ${said} y`), said);
  }
  assert.ok(!reason.test("becausey"));
  assert.match(expanded("{orders.forbids}"), /kein\\w\* \(\?:\\w\+ \)\?\(\?:deploy.*neustarts\)/);
});

Deno.test("a word of a line is found where it begins or ends with a letter that has a mark, and within no other", () => {
  const answers = phrasePattern("questions.answers", String.raw`\b{}\b`);
  for (const said of ["sí, claro", "pues sí"]) assert.ok(answers.test(said), said);
  for (const said of ["así es", "el síntoma"]) assert.ok(!answers.test(said), said);
  const why = phrasePattern("orders.why", String.raw`\b{}\b`);
  assert.ok(why.test("on garde la file à cause du quota"));
  const guesses = phrasePattern("replies.guesses", String.raw`\b{}\b`);
  assert.ok(guesses.test("la otra, quizá"));
});

Deno.test("phrasePattern() finds words as they are typed in a hurry, without marks, and no other word for them", () => {
  const found = (name: string, text: string) => phrasePattern(name, String.raw`\b{}\b`).test(text);
  for (const said of ["nächste Woche", "naechste Woche", "nachste Woche"]) {
    assert.ok(found("questions.later", said), said);
  }
  assert.ok(found("questions.later", "lo vemos manana"));
  assert.ok(found("questions.undecided", "ce n'est pas encore decide"));
  // "I had rather" and "I would rather" are one letter apart.
  assert.ok(found("decisions.stated", "ich haette lieber SQLite"));
  assert.ok(!found("decisions.stated", "ich hatte lieber SQLite"));
  assert.ok(!found("decisions.states", "esta versión"));
});

Deno.test("a word of a line is found between Cyrillic letters, with its marks or without, and within no other", () => {
  const later = phrasePattern("questions.later", String.raw`\b{}\b`);
  for (const said of ["завтра", "ЗАВТРА, с утра", "и tomorrow тоже"]) {
    assert.ok(later.test(said), said);
  }
  for (const said of ["послезавтрак", "завтрак", "tomorrowый"]) assert.ok(!later.test(said), said);
  const still = phrasePattern("outdated.still", String.raw`\b{}\b`);
  for (const said of ["ещё не видно", "еще не видно"]) assert.ok(still.test(said), said);
  const yes = phrasePattern("replies.yes", String.raw`\b{}\b`);
  // As fold() has it.
  for (const said of ["давай", "даваи"]) assert.ok(yes.test(said), said);
  // What no language has is found nowhere, and not everywhere.
  assert.ok(!phrasePattern("orders.turned", "^{}").test("запусти тесты"));
});

Deno.test("withSharedContinuations() joins the ways through a group that something follows, and finds the same", () => {
  const joined: readonly (readonly [string, string])[] = [
    ["(?:a|b)? c", "(?:a|b)?(?=) c"],
    ["(?:a|(?:b|c)d)e", "(?:a|(?:b|c)(?=)d)(?=)e"],
    ["(x)(?:y)", "(x)(?=)(?:y)"],
    // What may come again has its own place to meet, and behind the last nothing follows.
    ["(?:a)*b(?:c){2}d(?:e)+?f(?:g)", "(?:a)*b(?:c){2}d(?:e)+?f(?:g)"],
    // No ends of groups.
    [String.raw`[\])(]?\)x[^)]y`, String.raw`[\])(]?\)x[^)]y`],
  ];
  for (const [source, expected] of joined) assert.equal(withSharedContinuations(source), expected);
  const own = "((?:so |then )?)(we|I)( took it)";
  const text = "So we took it, then I took it, and they took it";
  assert.deepEqual(
    [...text.matchAll(new RegExp(withSharedContinuations(own), "gi"))],
    [...text.matchAll(new RegExp(own, "gi"))],
  );
});

Deno.test("prefilteredBy() looks for the lines of languages whose sign is there, in the frame of all", () => {
  const repeated = phrasePattern("waits.repeated", String.raw`^(?!{waits.supposed}).*\b{}\b`)
    .prefilteredBy(phrasePattern("sentences.way"));
  assert.equal(repeated.test("an option every day"), true);
  assert.equal(repeated.test("no such thing every day"), false);
  assert.equal(repeated.test("an option, immer"), false);
  assert.equal(repeated.test("an option, kein Weg, immer"), true);
  assert.equal(repeated.test("falls an option every day"), false);
});
