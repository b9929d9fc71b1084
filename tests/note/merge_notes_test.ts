/** Two sides of a note become one: no line of either is lost, and what clashed is marked. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { mergeNotes } from "../../src/note/merge_notes.ts";
import { parseNote } from "../../src/note/parse.ts";
import { depth } from "../support/depth.ts";
import { assertBoth, played, TWO_SIDES } from "../support/two_sides.ts";

const FRONT = "---\nid: locks\ntype: knowledge\ncreated: 2026-01-01T00:00:00Z\n" +
  "updated: 2026-01-02T00:00:00Z\nstatus: active\ntags: [git]\n---\n\n";
const BASE = `${FRONT}# Locks\n\nOne.\n\nTwo.\n\nThree.\n`;

Deno.test("mergeNotes() loses no line of either side, and gives the note back", async () => {
  await fc.assert(
    fc.asyncProperty(TWO_SIDES, async (sides) => {
      const texts = await played(sides, "locks");
      const { text, isClean } = await mergeNotes(texts.base, texts.mine, texts.theirs);
      assert.ok(isClean);
      await assertBoth(texts, text);
    }),
    { numRuns: depth(2000, 50_000) },
  );
});

Deno.test("mergeNotes() takes both where they touch, and marks where they clash", async () => {
  const mine = BASE.replace("One.", "One, mine.").replace("Two.", "Two, mine.");
  const theirs = BASE.replace("Two.", "Two, theirs.").replace("Three.\n", "Three.\n\nFour.\n")
    .replace("01-02T", "01-03T");
  const { text, isClean } = await mergeNotes(BASE, mine, theirs);
  assert.equal(isClean, true);
  assert.equal(
    text,
    BASE.replace("01-02T", "01-03T").replace(
      /One[^]*$/,
      "One, mine.\n\nTwo, mine.\n\nThree.\n\nFour.\n\n## Updates (unmerged 2026-01-03)\n\nTwo, theirs.\n",
    ),
  );
});

Deno.test("mergeNotes() keeps two added paragraphs apart, and two added items together", async () => {
  const added = (mine: string, theirs: string): Promise<{ readonly text: string }> =>
    mergeNotes(BASE, `${BASE}\n${mine}\n`, `${BASE}\n${theirs}\n`);
  assert.equal((await added("Kim.", "Bo.")).text, `${BASE}\nKim.\n\nBo.\n`);
  assert.equal((await added("- Kim", "- Bo")).text, `${BASE}\n- Kim\n- Bo\n`);
});

Deno.test("mergeNotes() merges keys by what they mean", async () => {
  const mine = BASE.replace("[git]", "[ci, git]").replace("status: active", "status: archived")
    .replace("created: 2026", "pinned: true # mine\ncreated: 2026");
  const theirs = BASE.replace("[git]", "[]").replace("01-02T", "01-09T")
    .replace("---\n\n#", "subject: decision\n# theirs\n---\n\n#");
  const { text } = await mergeNotes(BASE, mine, theirs);
  assert.match(text, /^pinned: true # mine$/m);
  assert.match(text, /^tags: \[ci\]$/m);
  assert.match(text, /^status: archived$/m);
  assert.match(text, /^updated: 2026-01-09T00:00:00Z$/m);
  assert.match(text, /^subject: decision\n# theirs\n---$/m);
  assert.doesNotMatch(text, /unmerged/);
});

Deno.test("mergeNotes() takes what one side changed, whoever saved last, and brings back nothing", async () => {
  const base = BASE.replace("[git]", "[git, old]");
  const mine = base.replace("[git, old]", "[git]").replace("01-02T", "01-09T");
  const theirs = base.replace("[git, old]", "[git, old, new]").replace("active", "draft");
  const { text } = await mergeNotes(base, mine, theirs);
  assert.match(text, /^tags: \[git, new\]$/m);
  assert.match(text, /^status: draft$/m);
  assert.doesNotMatch(text, /unmerged/);
});

Deno.test("mergeNotes() keeps a person's own keys, and brings back no comment", async () => {
  const base = BASE.replace("tags: [git]", "# old\ncompleted: 2025");
  const [mine, theirs] = [base.replace("# old\n", ""), base.replace("Three.", "3.")];
  for (const [one, other] of [[mine, theirs], [theirs, mine]] as const) {
    const { text } = await mergeNotes(base, one, other);
    assert.equal(text.replace("# old\n", ""), mine.replace("Three.", "3."));
  }
  assert.doesNotMatch((await mergeNotes(base, mine, theirs)).text, /# old/);
});

Deno.test("mergeNotes() takes a title that one side changed, and text below a bare front matter", async () => {
  const [retitled, more] = [BASE.replace("# Locks", "# Index locks"), BASE.replace("Two.", "2.")];
  const merged = retitled.replace("Two.", "2.")
    .replace("---\n\n#", "aliases: [Locks]\n---\n\n#");
  for (const [mine, theirs] of [[more, retitled], [retitled, more]] as const) {
    assert.equal((await mergeNotes(BASE, mine, theirs)).text, merged);
  }
  const bare = "---\nid: locks\npinned: true\n---";
  const { text } = await mergeNotes(bare, bare.replace("true", "false"), `${bare}\nText.\n`);
  assert.equal(text, "---\nid: locks\npinned: false\n---\nText.\n");
});

Deno.test("mergeNotes() does not put away a note that another was merged into on the other side", async () => {
  const away = BASE.replace("active", "archived");
  const holds = BASE.replace("tags: [git]", "supersedes: [flocks]").replace("One.", "One, of two.");
  for (const [mine, theirs] of [[away, holds], [holds, away]] as const) {
    const { text } = await mergeNotes(BASE, mine, theirs);
    assert.match(text, /^status: active$/m);
    assert.match(text, /^supersedes: \[flocks\]$/m);
  }
  const both = await mergeNotes(BASE, away, holds.replace("active", "archived"));
  assert.match(both.text, /^status: archived$/m);
});

Deno.test("mergeNotes() of two notes of one name is as old as the older", async () => {
  const later = BASE.replace("created: 2026-01-01", "created: 2026-01-02");
  for (const [mine, theirs] of [[BASE, later], [later, BASE]] as const) {
    assert.match((await mergeNotes("", mine, theirs)).text, /^created: 2026-01-01T00:00:00Z$/m);
  }
});

Deno.test("mergeNotes() keeps the later of two values, and says the other", async () => {
  const mine = BASE.replace("active", "archived");
  const theirs = BASE.replace("active", "draft").replace("01-02T", "01-09T");
  const { text } = await mergeNotes(BASE, mine, theirs);
  assert.match(text, /^status: draft$/m);
  assert.match(text, /## Updates \(unmerged 2026-01-09\)\n\nstatus: archived\n$/);
});

Deno.test("mergeNotes() takes a todo for done once, and for open without the day on which it was done", async () => {
  const todo = (status: string, day: string, completed = ""): string =>
    `---\nid: scales\ntype: todo\nupdated: 2026-01-${day}T09:00:00Z\nstatus: ${status}\n` +
    `${completed === "" ? "" : `completed: 2026-01-${completed}T09:00:00Z\n`}---\n\n# Scales\n`;
  const base = todo("pending", "01");
  const [begun, done, again] = [
    todo("in_progress", "02"),
    todo("done", "03", "03"),
    todo("done", "04", "04"),
  ];
  for (
    const [mine, theirs, merged] of [[begun, done, done], [done, begun, done], [
      done,
      again,
      again,
    ]] as const
  ) {
    assert.equal((await mergeNotes(base, mine, theirs)).text, merged);
  }
  const blocked = todo("blocked", "05");
  assert.equal((await mergeNotes(base, begun, blocked)).text, blocked);
  const told = `${blocked}\n## Updates (unmerged 2026-01-05)\n\nstatus: done\n`;
  for (const [mine, theirs] of [[blocked, done], [done, blocked]] as const) {
    assert.equal((await mergeNotes(base, mine, theirs)).text, told);
  }
});

Deno.test("mergeNotes() has both entries of the history once, the newest first", async () => {
  const history = `${BASE}\n## History\n\n- 2026-01-02: made\n`;
  const added = (line: string): string =>
    history.replace("## History\n\n", `## History\n\n${line}\n`);
  const { text } = await mergeNotes(
    history,
    added("- 2026-01-03: mine"),
    added("- 2026-01-05: theirs"),
  );
  assert.match(
    text,
    /Three\.\n\n## History\n\n- 2026-01-05: theirs\n- 2026-01-03: mine\n- 2026-01-02: made\n$/,
  );
  const first = await mergeNotes(
    BASE,
    `${BASE}\n## History\n\n- 2026-01-03: mine\n`,
    `${BASE}\nMore.\n\n## History\n\n- 2026-01-05: theirs\n`,
  );
  assert.match(first.text, /More\.\n\n## History\n\n- 2026-01-05: theirs\n- 2026-01-03: mine\n$/);
});

Deno.test("mergeNotes() keeps the name by which links know either title and id", async () => {
  const mine = BASE.replace("# Locks", "# Locks of git");
  const theirs = BASE.replace("# Locks", "# Index locks").replace("id: locks", "id: index-locks");
  const { text, isClean } = await mergeNotes("", mine, theirs);
  const note = await parseNote(text, "knowledge/locks.md");
  assert.equal(isClean, true);
  assert.equal(note.id, "locks");
  assert.equal(note.title, "Locks of git");
  assert.doesNotMatch(text, /unmerged/);
  assert.deepEqual(note.aliases, ["index-locks", "Index locks"]);
});

Deno.test("mergeNotes() leaves nothing unmerged where two renamed a note, or both put it away", async () => {
  const renamed = (title: string): string => BASE.replace("# Locks", `# ${title}`);
  const both = await mergeNotes(BASE, renamed("Locks of git"), renamed("Index locks"));
  assert.equal(
    both.text,
    renamed("Locks of git").replace("\n---\n", "\naliases: [Index locks]\n---\n"),
  );
  const put = (at: string): string =>
    BASE.replace("status: active", "status: archived").replace(
      "\n---\n",
      `\ncompacted: ${at}\n---\n`,
    );
  const away = await mergeNotes(BASE, put("2026-01-03T10:00:00Z"), put("2026-01-03T11:00:00Z"));
  assert.equal(away.text, put("2026-01-03T10:00:00Z"));
});

Deno.test("mergeNotes() sets apart what two people wrote under one name", async () => {
  const mine = `${FRONT}# Cache TTL\n\nThe cache lives 5 minutes.\n`;
  const theirs = `${FRONT}# Cache TTL\n\nThe cache lives 10 minutes.\n\nMeasured on the 3rd.\n`;
  const apart =
    "## Updates (unmerged 2026-01-02)\n\nThe cache lives 10 minutes.\n\nMeasured on the 3rd.\n";
  assert.equal((await mergeNotes("", mine, theirs)).text, `${mine}\n${apart}`);
  const entry = "\n## History\n\n- 2026-01-02: added by person\n";
  const { text } = await mergeNotes("", `${mine}${entry}`, `${theirs}${entry}`);
  assert.equal(text, `${mine}\n${apart}${entry}`);
  const shell = `${FRONT}# Other name\n\n~~~\n# not a title\n~~~\n`;
  assert.match((await mergeNotes("", mine, shell)).text, /01-02\)\n\n~~~\n# not a title\n~~~\n$/);
  const list = (...items: string[]): string =>
    `${FRONT}# Git\n\n${items.map((one) => `- [[${one}]]\n`).join("")}`;
  assert.equal((await mergeNotes("", list("a", "b"), list("a", "c"))).text, list("a", "b", "c"));
  const ended = await mergeNotes("", list("a", "c", "d"), list("b", "c", "d"));
  assert.equal(ended.text, list("a", "b", "c", "d"));
  // Whoever says more of the same only adds.
  const more = await mergeNotes("", mine, `${mine}\nMeasured on the 3rd.\n`);
  assert.equal(more.text, `${mine}\nMeasured on the 3rd.\n`);
});

Deno.test("mergeNotes() takes back a person's word for a text that an agent changed since", async () => {
  const verified = BASE.replace("---\n\n#", "verified:\n  by: person\n---\n\n#")
    .replace("One.", "One!");
  const byAgent = BASE.replace("---\n\n#", "generated:\n  by: agent\n---\n\n#")
    .replace("Three.", "3.");
  assert.doesNotMatch((await mergeNotes(BASE, verified, byAgent)).text, /verified/);
  assert.doesNotMatch((await mergeNotes(BASE, byAgent, verified)).text, /verified/);
  assert.match((await mergeNotes(BASE, verified, BASE.replace("Three.", "3."))).text, /verified/);
  // The agent changed keys alone.
  const tagged = byAgent.replace("3.", "Three.").replace("[git]", "[git, ci]");
  assert.match((await mergeNotes(BASE, verified, tagged)).text, /verified/);
});

Deno.test("mergeNotes() keeps line ends, and marks what it cannot read, as git does", async () => {
  const crlf = BASE.replaceAll("\n", "\r\n");
  const { text } = await mergeNotes(crlf, crlf.replace("One", "1"), BASE.replace("Three", "3"));
  assert.equal(text, crlf.replace("One", "1").replace("Three", "3"));
  const sides = [BASE, BASE.replace("One.", "1."), BASE.replace("One.", "I.")] as const;
  for (const torn of [0, 1, 2]) {
    const [base = "", mine = "", theirs = ""] = sides.map((text, side) =>
      side === torn ? text.replace("tags: [git]", "tags: [git") : text
    );
    const marked = await mergeNotes(base, mine, theirs);
    assert.equal(marked.isClean, false);
    assert.match(marked.text, /<<<<<<< ours\n1\.\n=======\nI\.\n>>>>>>> theirs\n/);
  }
  // What both changed alike has no marks; a last line without an end gets one before the next mark.
  const base = BASE.replace("[git]", "[git");
  const both = base.replace("Two.", "2.");
  const ended = (text: string): string => both.replace("Three.\n", text);
  const marked = await mergeNotes(base, ended("3.\n\nMore"), ended("III.\n"));
  assert.equal(
    marked.text,
    ended("<<<<<<< ours\n3.\n\nMore\n=======\nIII.\n>>>>>>> theirs\n"),
  );
});

Deno.test("mergeNotes() takes a side as it is where the other changed nothing, readable or not", async () => {
  const torn = BASE.replace("tags: [git]", "tags: [git").replace("One.", "1.\r");
  for (const [mine, theirs] of [[torn, BASE], [BASE, torn], [torn, torn]]) {
    const merged = await mergeNotes(BASE, mine ?? "", theirs ?? "");
    assert.deepEqual(merged, { text: torn, isClean: true });
  }
});
