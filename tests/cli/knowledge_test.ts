import assert from "node:assert/strict";
import { hasBinary, sage, sageJson, scratch } from "../support/sage.ts";
import { run } from "../support/within.ts";

const WORKTREES =
  "# Worktrees share hooks\n\nA git worktree shares the hooks of its main checkout, since hooks live in the common folder.\n";

async function withKnowledge() {
  const place = scratch();
  await sage(["init"], place);
  await Deno.writeTextFile(`${place.cwd}/worktrees.md`, WORKTREES);
  await sage(["knowledge", "add", "worktrees.md", "--keywords", "git,worktree"], place);
  return place;
}

Deno.test("sage knowledge add takes a file, and says when nothing is new", async () => {
  const place = await withKnowledge();
  const { json } = await sageJson(["knowledge", "list"], place);
  const [item] = json.items as { title: string; keywords: string[]; tokens: number }[];
  assert.equal(item?.title, "Worktrees share hooks");
  assert.deepEqual(item?.keywords, ["git", "worktree"]);
  const again = await sage(["knowledge", "add", "worktrees.md"], place);
  assert.equal(again.code, 0);
  assert.match(again.stdout, /^Nothing new: knowledge [0-9a-f]{8} says the same /);
  assert.equal(again.stderr, "");
  const more = await sage(["knowledge", "add", "worktrees.md", "--keywords", "more"], place);
  assert.match(more.stderr, /^its keywords stay as they are; --id [0-9a-f]{8} or --on-conflict/);
});

Deno.test("sage knowledge add takes a rule of Cursor, with its globs in no quotes", async () => {
  const place = scratch();
  await sage(["init"], place);
  const rule = "---\nglobs: *.tsx,*.ts\n---\nComponents are functions.\n";
  await Deno.writeTextFile(`${place.cwd}/react.mdc`, rule);
  const { code, stdout, stderr } = await sage(["knowledge", "add", "react.mdc"], place);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^Saved knowledge [0-9a-f]{8}: react\n/);
});

Deno.test("sage knowledge list says of a filter that nothing fits, not that there is nothing", async () => {
  const place = await withKnowledge();
  for (const filter of [["--archived"], ["--skill", "none"], ["--scope", "user"]]) {
    const { code, stdout } = await sage(["knowledge", "list", ...filter], place);
    assert.equal(code, 0);
    assert.equal(stdout, "No knowledge matches. Without a filter: sage knowledge list\n");
  }
  const empty = await sage(["knowledge", "list"], scratch());
  assert.equal(empty.stdout, "No knowledge here yet. sage knowledge add saves some.\n");
});

Deno.test("sage knowledge edit refuses a text that it would drop", async () => {
  const place = await withKnowledge();
  const before = (await sage(["knowledge", "show", "worktrees-share-hooks"], place)).stdout;
  const edit = async (stdin: string, ...more: string[]) =>
    await sage(["knowledge", "edit", "worktrees-share-hooks", ...more], { ...place, stdin });
  const beside = await edit("", "--set", "tags=git", "-m", "Hooks are shared.");
  assert.equal(beside.code, 2);
  assert.match(beside.stderr, /--set takes no text beside it/);
  assert.equal((await edit("Hooks are shared.", "--set", "tags=git", "-")).code, 2);
  const two = await edit("Hooks are shared.", "-", "-m", "Really.");
  assert.equal(two.code, 2);
  assert.match(two.stderr, /"-" and -m are two texts/);
  assert.equal((await sage(["knowledge", "show", "worktrees-share-hooks"], place)).stdout, before);
});

Deno.test("sage knowledge add - makes a title of the first sentence", async () => {
  const place = scratch();
  const stdin = "The API allows 10 requests a second. More are refused with 429.\n";
  const { stdout } = await sage(["knowledge", "add", "-", "--subject", "fact"], {
    ...place,
    stdin,
  });
  assert.match(stdout, /^Saved knowledge [0-9a-f]{8}: The API allows 10 requests a second\n$/);
});

Deno.test("sage knowledge add and update take a text that is typed", async () => {
  const place = await withKnowledge();
  const add = (...args: string[]) => sage(["knowledge", "add", ...args], place);
  assert.equal((await add("-m", "Zebras sleep standing. They bark.")).code, 0);
  assert.equal((await add("API limits", "-m", "Ten requests a second.")).code, 0);
  assert.equal((await add("TCP/IP and Node.js", "-m", "Both have a title of their own.")).code, 0);
  assert.equal((await add("worktrees.md", "-m", "Two texts.")).code, 2, "that file is there");
  assert.equal((await add("no-such-file.md")).code, 2);
  const titles = async () =>
    (await sage(["knowledge", "list"], place)).stdout.match(/(?:Zebras|API|TCP).*/g)?.sort();
  assert.deepEqual(await titles(), [
    "API limits",
    "TCP/IP and Node.js",
    "Zebras sleep standing",
  ]);
  const shown = async (id: string) => (await sage(["knowledge", "show", id], place)).stdout;
  assert.match(await shown("zebras-sleep-standing"), /They bark\./);
  const update = ["knowledge", "update", "api-limits"];
  assert.equal((await sage([...update, "-m", "Twenty requests a second."], place)).code, 0);
  assert.match(await shown("api-limits"), /Twenty requests a second\./);
  assert.equal((await add("TCP/IP limits", "-m", "Two sockets a host.")).code, 0);
  assert.match(await shown("tcp-ip-limits"), /Two sockets a host\./);
  await Deno.mkdir(`${place.cwd}/build`);
  assert.equal((await add("build", "-m", "It wants Node 22.")).code, 0, "a folder is no text");
  assert.equal((await add("build")).code, 2);
  assert.equal((await add(".", "-m", "Of this folder.")).code, 2);
  for (
    const args of [
      ["-", "-m", "Text."],
      ["worktrees.md", "-m", "Text."],
      ["my notes/trees.md", "-m", "Text."],
      ["-m", ""],
    ]
  ) {
    const refused = await add(...args);
    assert.equal(refused.code, 2, args.join(" "));
    assert.match(refused.stderr, /^sage: .+\n/);
  }
  assert.equal((await sage([...update, "-", "-m", "Text."], place)).code, 2);
});

Deno.test("sage knowledge add takes nothing that is no text, from stdin or a file", async () => {
  const place = scratch();
  await Deno.writeTextFile(`${place.cwd}/nul.md`, "a\0b");
  for (const [operand, name] of [["-", "stdin"], ["nul.md", "nul.md"]] as const) {
    const { code, stderr } = await sage(["knowledge", "add", operand, "--title", "T"], {
      ...place,
      stdin: "a\0b",
    });
    assert.deepEqual([code, stderr], [1, `sage: Cannot add "${name}": it is not text\n`]);
  }
});

Deno.test({
  name: "sage knowledge add refuses bytes on stdin that are no UTF-8, and changes none",
  ignore: !hasBinary || Deno.build.os === "windows",
  async fn() {
    const { home, cwd } = scratch();
    const program = new URL("../../dist/sage", import.meta.url).pathname;
    const { code, stderr } = await run("sh", {
      args: ["-c", `printf 'r\\351sum\\351' | "$0" knowledge add - --title T`, program],
      cwd,
      env: { HOME: home },
    });
    assert.deepEqual([code, stderr], [1, "sage: Cannot read stdin: it is not UTF-8 text\n"]);
  },
});

Deno.test("sage knowledge add leaves out a private part that begins in the heading", async () => {
  const place = scratch();
  const stdin = "# Deploy <private>\nthe door code is 4711\n</private>\n\nPush the tag.\n";
  const { code } = await sage(["knowledge", "add", "-"], { ...place, stdin });
  assert.equal(code, 0);
  await Deno.writeTextFile(`${place.cwd}/x.md`, stdin.replace("Deploy", "Again"));
  assert.equal(
    (await sage(["knowledge", "add", "x.md", "--on-conflict", "keep_both"], place)).code,
    0,
  );
  const shown = (await sage(["knowledge", "list"], place)).stdout +
    (await sage(["knowledge", "show", "deploy"], place)).stdout +
    (await sage(["knowledge", "show", "again"], place)).stdout;
  assert.match(shown, /Push the tag\./);
  assert.doesNotMatch(shown, /4711|door/);
});

Deno.test("sage knowledge add keeps the fields of a note's front matter", async () => {
  const place = scratch();
  const text =
    "---\ntype: knowledge\nsubject: decision\nkeywords: [orm]\n---\n\n# No ORM\n\nPlain SQL.\n";
  await Deno.writeTextFile(`${place.cwd}/x.md`, text);
  await sage(["knowledge", "add", "x.md"], place);
  const { json } = await sageJson(["knowledge", "list"], place);
  const [item] = json.items as { subject: string; keywords: string[] }[];
  assert.deepEqual([item?.subject, item?.keywords], ["decision", ["orm"]]);
});

const RUNBOOK = `---
id: Restart-Runbook
type: knowledge
created: 2024-05-06T07:08:09Z
status: draft
pinned: true
always: true
aliases: [restart, reboot]
mood: calm # as it should be
subject: troubleshooting
verified:
  by: ada
---

# Restarting

Drain the node first.

## History

- 2024-06-01: no longer by hand
`;

Deno.test("sage knowledge add keeps all of a file's front matter, and its history", async () => {
  const place = scratch();
  await sage(["init"], place);
  await Deno.writeTextFile(`${place.cwd}/r.md`, RUNBOOK.replaceAll("\n", "\r\n"));
  await sage(["knowledge", "add", "r.md", "--keywords", "drain"], place);
  const text = await Deno.readTextFile(`${place.cwd}/.sage/knowledge/Restart-Runbook.md`);
  const [front = "", body] = text.split("\n---\n");
  const kept = RUNBOOK.split("\n---\n");
  assert.ok(front.startsWith(kept[0] ?? "-"), front);
  assert.match(front.slice(kept[0]?.length), /^\nproject: \S+\nkeywords: \[drain\]$/);
  assert.equal(body, kept[1]);
  const shown = await sage(["knowledge", "show", "reboot"], place);
  assert.match(shown.stdout, /Drain the node first/);
});

Deno.test("sage knowledge add shows a file the note that has its id already", async () => {
  const place = scratch();
  await sage(["init"], place);
  const add = (text: string, ...more: string[]) =>
    sage(["knowledge", "add", "-", ...more], { ...place, stdin: text });
  await add(RUNBOOK);
  assert.match((await add(RUNBOOK)).stdout, /^Nothing new: /);
  const other = RUNBOOK.replace("# Restarting", "# Coming up again").replace(
    "Drain",
    "Do not drain",
  )
    .replace("calm # as it should be", "tense");
  const refused = await add(other);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /Not saved, a note with this id exists: [0-9a-f]{8} "Restarting"/);
  // As it was called before.
  assert.match((await add(other, "--on-conflict", "both")).stdout, /^Saved .* Coming up again\n$/);
  assert.match((await add(other, "--on-conflict", "update")).stdout, /^Updated /);
  const text = await Deno.readTextFile(`${place.cwd}/.sage/knowledge/Restart-Runbook.md`);
  assert.match(text, /\nmood: tense # as it should be\n[^]*# Coming up again\n\nDo not drain/);
  const { json } = await sageJson(["knowledge", "list"], place);
  const ids = (json.items as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), ["Restart-Runbook", "Restart-Runbook-2"]);
});

Deno.test("sage knowledge add lets no agent say what a person says of a note", async () => {
  const place = { ...scratch(), env: { CLAUDE_CODE_SESSION_ID: "agent-1" } };
  await sage(["init"], place);
  await sage(["knowledge", "add", "-"], { ...place, stdin: RUNBOOK });
  const text = await Deno.readTextFile(`${place.cwd}/.sage/knowledge/Restart-Runbook.md`);
  assert.match(text, /\nmood: calm # as it should be\n[^]*\n {2}by: agent\n/);
  assert.doesNotMatch(text, /\n(?:pinned|always|verified):/);
});

Deno.test("a note of an agent is the person's once they write it anew, and not for a line that they add", async () => {
  const place = scratch();
  await sage(["init"], place);
  const agent = { ...place, env: { CLAUDE_CODE_SESSION_ID: "agent-1", CLAUDECODE: "1" } };
  const text = "Mail jobs use Postgres.";
  await sage(["knowledge", "add", "-", "--title", "Queue"], { ...agent, stdin: text });
  const author = async () =>
    ((await sageJson(["knowledge", "show", "queue"], place)).json.note as { author: string })
      .author;
  assert.equal(await author(), "agent");
  const update = (stdin: string, ...more: string[]) =>
    sage(["knowledge", "update", "queue", "-", ...more], { ...place, stdin });
  await sage(["knowledge", "edit", "queue", "--append", "Polled each second."], place);
  assert.equal(await author(), "agent");
  assert.match((await update("Mail jobs use Redis.")).stdout, /^Updated /);
  assert.equal(await author(), "person");
  assert.match((await sage(["knowledge", "history", "queue"], place)).stdout, /person .*by person/);
});

Deno.test("sage knowledge add refuses a secret in a key that Sage has no field for", async () => {
  const place = scratch();
  const stdin = RUNBOOK.replace("calm", "AKIA" + "QYLPMN5HHHFPZAM2");
  const refused = await sage(["knowledge", "add", "-"], { ...place, stdin });
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /Not saved, it holds .*\(front matter, line 8\)/);
});

Deno.test("sage knowledge add of the same text and fields makes no version and no history", async () => {
  const place = await withKnowledge();
  const add = ["knowledge", "add", "worktrees.md", "--on-conflict", "update"];
  const path = `${place.cwd}/.sage/knowledge/worktrees-share-hooks.md`;
  const before = await Deno.readTextFile(path);
  for (const more of [[], ["--id", "worktrees-share-hooks"], ["--keywords", "git,worktree"]]) {
    assert.match((await sage([...add, ...more], place)).stdout, /^Nothing new: /);
  }
  assert.equal(await Deno.readTextFile(path), before);
  assert.match((await sage([...add, "--keywords", "hooks"], place)).stdout, /^Updated /);
  assert.match(await Deno.readTextFile(path), /keywords: \[hooks\]/);
});

Deno.test("sage knowledge add says what is wrong with a file", async () => {
  const place = scratch();
  await Deno.writeTextFile(`${place.cwd}/bad.md`, '---\ntags: ["a\n---\n\ntext\n');
  await Deno.writeFile(`${place.cwd}/bytes.md`, new Uint8Array([0x61, 0xff, 0xfe]));
  await Deno.mkdir(`${place.cwd}/folder`);
  const said = async (name: string): Promise<string> =>
    (await sage(["knowledge", "add", name], place)).stderr;
  assert.match(await said("none.md"), /^sage: Cannot read "none\.md": there is no such file\n/);
  assert.match(await said("folder"), /it is a folder\n {2}sage migrate --from markdown/);
  assert.match(await said("bytes.md"), /it is not UTF-8 text/);
  assert.match(await said("bad.md"), /^sage: Cannot read bad\.md:\d+:\d+: /);
});

Deno.test("sage knowledge add puts a contradiction before the person", async () => {
  const place = await withKnowledge();
  await Deno.writeTextFile(
    `${place.cwd}/other.md`,
    "# Worktrees share hooks\n\nSince version 3 every worktree has hooks of its own.\n",
  );
  const add = ["knowledge", "add", "other.md"];
  const refused = await sage(add, place);
  assert.equal(refused.code, 4);
  assert.match(refused.stdout, /shares the hooks of its main checkout/);
  assert.match(
    refused.stderr,
    /--on-conflict update to replace its text, or keep_both, or contradicts/,
  );
  const agents = await sage(add, { ...place, env: { CLAUDECODE: "1" } });
  assert.match(
    agents.stdout,
    /^<recalled [0-9a-f]+>[^]*shares the hooks[^]*<\/recalled [0-9a-f]+>$/m,
  );
  const asJson = await sageJson(add, place);
  assert.deepEqual(asJson.json.choices, ["update", "keep_both", "contradicts", "discard"]);

  const discarded = await sage(add, { ...place, terminal: true, stdin: "\n" });
  assert.deepEqual([discarded.code, discarded.stdout], [4, ""]);
  assert.match(discarded.stderr, /there .*[\s\S]*yours .*[\s\S]*Nothing was saved\./);
  const updated = await sage(add, { ...place, terminal: true, stdin: "1\n" });
  assert.match(updated.stdout, /^Updated knowledge /);
  const shown = await sage(["knowledge", "show", "worktrees-share-hooks"], place);
  assert.match(shown.stdout, /every worktree has hooks of its own/);
});

Deno.test("sage knowledge add says when what contradicts is linked to nothing", async () => {
  const place = { ...await withKnowledge(), stdin: "Lunch is at noon.\n" };
  const add = ["knowledge", "add", "-", "--title", "Lunch", "--on-conflict", "contradicts"];
  const alone = await sage(add, place);
  assert.equal(alone.code, 0);
  assert.equal(alone.stderr, "Linked to no other note: no note here is about the same.\n");
  const named = await sage([...add, "--id", "worktrees-share-hooks"], place);
  assert.deepEqual([named.code, named.stderr], [0, ""]);
  const text = await Deno.readTextFile(`${place.cwd}/.sage/knowledge/lunch-2.md`);
  assert.match(text, /id: worktrees-share-hooks\n +relation: contradicts\n/);
});

Deno.test("sage knowledge add says of a bad pattern what is wrong with it", async () => {
  const place = { ...scratch(), stdin: "Hooks are shared.\n" };
  const { code, stdout, stderr } = await sage(["knowledge", "add", "-", "--pattern", "(a"], place);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.equal(stderr, 'sage: Not saved: the pattern "(a" is not valid: missing closing )\n');
});

Deno.test("sage knowledge add --id takes no beginning of an id, and says which note was meant", async () => {
  const place = await withKnowledge();
  const add = ["knowledge", "add", "-", "--id"];
  const refused = await sage([...add, "worktrees"], { ...place, stdin: "Other words.\n" });
  assert.equal(refused.code, 3);
  assert.match(
    refused.stderr,
    /No knowledge matches "worktrees"\n {2}nearest: [0-9a-f]{8} "Worktrees/,
  );
  const shown = await sage(["knowledge", "show", "worktrees-share-hooks"], place);
  assert.match(shown.stdout, /shares the hooks of its main checkout/);
  const whole = await sage([...add, "worktrees-share-hooks"], {
    ...place,
    stdin: "Other words.\n",
  });
  assert.match(whole.stdout, /^Updated knowledge /);
});

Deno.test("sage knowledge match shows what would be recalled and its tokens", async () => {
  const place = await withKnowledge();
  const { code, stdout } = await sage(["knowledge", "match", "do worktrees share hooks"], place);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^[0-9a-f]{8} {2}[01]\.\d\d {2}\d+ tokens {2}Worktrees share hooks\n1 note, /,
  );
  const none = await sageJson(["knowledge", "match", "sourdough starter feeding"], place);
  assert.equal(none.code, 3);
  assert.deepEqual(none.json.items, []);
  assert.equal((none.json.error as { code: string }).code, "not_found");
});

Deno.test("sage knowledge show says of a note that somebody else promoted where it went", async () => {
  const place = await withKnowledge();
  await Deno.mkdir(`${place.cwd}/.sage/redirects`);
  await Deno.writeTextFile(
    `${place.cwd}/.sage/redirects/index-locks.md`,
    "---\ntype: redirect\nid: index-locks\nto: index-locks\npath: knowledge/index-locks.md\n" +
      "title: Index locks\nmoved: 2026-01-13T14:30:00Z\n---\n\nKept.\n",
  );
  const { code, stderr } = await sage(["knowledge", "show", "index-locks"], place);
  assert.equal(code, 3);
  assert.match(stderr, /"Index locks" left this project on 2026-01-13, for the own store of who /);
  const { json } = await sageJson(["knowledge", "edit", "Index locks", "--set", "tags=a"], place);
  assert.equal((json.moved as { id: string }).id, "index-locks");
});

Deno.test("sage knowledge list --limit says that there is more", async () => {
  const place = await withKnowledge();
  await sage(["knowledge", "add", "-"], { ...place, stdin: "# Oaks\n\nThey grow slowly.\n" });
  const { stdout, stderr } = await sage(["knowledge", "list", "--limit", "1"], place);
  assert.equal(stdout.trimEnd().split("\n").length, 2);
  assert.equal(stderr, "1 more note: --limit 2 shows all\n");
  const { json } = await sageJson(["knowledge", "list", "--limit", "1"], place);
  assert.deepEqual([(json.items as unknown[]).length, json.total], [1, 2]);
});

Deno.test("sage knowledge list and match count the same tokens, without the history", async () => {
  const place = { ...scratch(), stdin: "Zebra.\n" };
  for (const title of ["Stripes", "Stripes of it"]) {
    const more = title === "Stripes" ? [] : ["--id", "stripes"];
    await sage(["knowledge", "add", "-", "--title", title, ...more, "--keywords", "zebra"], place);
  }
  const { json } = await sageJson(["knowledge", "list"], place);
  const [item] = json.items as { tokens: number }[];
  const { stdout } = await sage(["knowledge", "match", "zebra", "--threshold", "0.1"], place);
  const counted = /(\d+) tokens? {2}Stripes of it\n1 note, \d+ tokens?\n$/.exec(stdout)?.[1];
  assert.equal(String(item?.tokens), counted, stdout);
  assert.doesNotMatch(stdout, /\b1 tokens/);
});

Deno.test("sage knowledge debug shows scores, and --threshold tries another", async () => {
  const place = await withKnowledge();
  const query = "do worktrees share hooks";
  const plain = await sage(["knowledge", "debug", query], place);
  assert.match(plain.stdout, /Would retrieve \(at or above 0\.70\):\n {2}✓ worktrees-share-hooks /);
  const strict = await sage(["knowledge", "debug", query, "--threshold", "1"], place);
  assert.match(strict.stdout, /recall_threshold=1\.00/);
  assert.match(strict.stdout, /Would retrieve \(at or above 1\.00\):\n {2}nothing/);
});

Deno.test("sage knowledge debug --why explains a note that did not even nearly pass", async () => {
  const place = await withKnowledge();
  const stdin = "# Hooks of React\n\nA hook may only be called at the top of a component.\n";
  await sage(["knowledge", "add", "-"], { ...place, stdin });
  const args = ["knowledge", "debug", "do worktrees share hooks", "--why", "hooks-of-react"];
  const { code, stdout } = await sage(args, place);
  assert.equal(code, 0);
  assert.match(stdout, /^hooks-of-react {2}"Hooks of React"\n/);
  assert.match(stdout, /against a threshold of 0\.70/);
  assert.equal((await sage([...args.slice(0, -1), "zzz"], place)).code, 3);
});

Deno.test("sage knowledge debug --why names what keeps a note out of recall", async () => {
  const place = await withKnowledge();
  const why = async (...more: string[]): Promise<string> => {
    const query = ["knowledge", "debug", "do worktrees share hooks?"];
    const args = [...query, "--why", "worktrees-share-hooks", ...more];
    return (await sage(args, place)).stderr;
  };
  assert.match(await why("--scope", "user"), /it is in the project store\n {2}leave out --scope/);
  const set = ["knowledge", "edit", "worktrees-share-hooks", "--set"];
  await sage([...set, "skills=git"], place);
  assert.match(await why(), /it is for git only\n {2}--skill git recalls it, too\n/);
  assert.equal(await why("--skill", "git"), "");
  await sage(["knowledge", "archive", "worktrees-share-hooks"], place);
  assert.match(await why(), /it is archived\n {2}sage knowledge restore/);
});

Deno.test("sage knowledge add says a title of two lines in one, as the note has it", async () => {
  const place = await withKnowledge();
  const args = ["knowledge", "add", "Otters\nhold hands", "-m", "So that none drifts away."];
  assert.match((await sage(args, place)).stdout, /^Saved knowledge \S+: Otters hold hands\n$/);
});

Deno.test("sage knowledge add says what to do about a file that is too large", async () => {
  const place = await withKnowledge();
  await Deno.writeTextFile(`${place.cwd}/large.md`, "a word\n".repeat(200_000));
  const { code, stderr } = await sage(["knowledge", "add", "large.md"], place);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^sage: Cannot add "large.md": it is larger than 1024 KiB\n {2}make several /,
  );
});

Deno.test("sage knowledge rm asks on a terminal, and moves to the trash", async () => {
  const place = await withKnowledge();
  const rm = ["knowledge", "rm", "worktrees-share-hooks"];
  const kept = await sage(rm, { ...place, terminal: true, stdin: "n\n" });
  assert.deepEqual([kept.code, kept.stdout], [1, ""]);
  assert.match(kept.stderr, /^Remove "Worktrees share hooks"\? \[y\/N\] Nothing was removed\.\n$/);
  const removed = await sage(rm, place);
  assert.match(
    removed.stdout,
    /^Removed [0-9a-f]{8}: .* \(in the trash at least until \d{4}-\d\d-\d\d\)\n$/,
  );
  assert.match(removed.stderr, /^to bring it back: sage knowledge restore [0-9a-f]{8}\n$/);
  assert.equal((await sage(rm, place)).code, 3);
});

Deno.test("sage knowledge rm takes several names, and words of one title", async () => {
  const place = await withKnowledge();
  const notes = { Oak: "It grows.\n", Elm: "Gone.\n", "Oak tree": "Rails 8.1\n" };
  for (const [title, stdin] of Object.entries(notes)) {
    await sage(["knowledge", "add", "-", "--title", title], { ...place, stdin });
  }
  const rm = (...names: string[]) => sage(["knowledge", "rm", ...names], place);
  const wrong = await rm("Oak", "Ash");
  assert.deepEqual([wrong.code, wrong.stdout], [3, ""]);
  assert.match((await rm("Oak", "tree")).stdout, /^Removed [0-9a-f]{8}: Oak tree \(.*\n$/);
  const both = await rm("Oak", "elm");
  assert.match(both.stdout, /^Removed \S+: Oak \(.*\nRemoved \S+: Elm \(.*\n$/);
  assert.match(both.stderr, /^(?:to bring it back: sage knowledge restore \S+\n){2}$/);
});

Deno.test("sage knowledge archive takes several names, and words of one title", async () => {
  const place = await withKnowledge();
  const notes = { Oak: "It grows.", Elm: "Gone.", "Oak tree": "Rails 8.1" };
  for (const [title, text] of Object.entries(notes)) {
    await sage(["knowledge", "add", title, "-m", text], place);
  }
  const archive = (...names: string[]) => sage(["knowledge", "archive", ...names], place);
  assert.match(
    (await archive("Oak", "tree")).stdout,
    /^Archived knowledge [0-9a-f]{8}: Oak tree\n$/,
  );
  assert.equal((await archive("Oak", "Ash")).code, 3);
  const { stdout } = await archive("Oak", "elm");
  assert.match(stdout, /^Archived knowledge \S+: Oak\nArchived knowledge \S+: Elm\n$/);
  const { json } = await sageJson(["knowledge", "archive", "Oak", "elm"], place);
  assert.deepEqual(
    (json.items as { id: string; outcome: string }[]).map(({ id, outcome }) => [id, outcome]),
    [["oak", "unchanged"], ["elm", "unchanged"]],
  );
});

Deno.test("sage knowledge restore brings back what rm removed, byte for byte", async () => {
  const place = await withKnowledge();
  const path = `${place.cwd}/.sage/knowledge/worktrees-share-hooks.md`;
  const before = await Deno.readTextFile(path);
  assert.match(
    (await sage(["knowledge", "restore"], place)).stdout,
    /^No knowledge is in the trash/,
  );
  const there = await sage(["knowledge", "restore", "Worktrees share hooks"], place);
  assert.equal(there.code, 3);
  assert.match(
    there.stderr,
    /"Worktrees share hooks" is in its place[^]*sage knowledge history worktrees-share-hooks/,
  );
  const { stderr } = await sage(["knowledge", "rm", "worktrees-share-hooks"], place);
  const listed = await sage(["knowledge", "restore"], place);
  assert.match(listed.stdout, /\n[0-9a-f]{8} {2}\d{4}-.. *[^\n]*Worktrees share hooks\n$/);

  const unknown = await sage(["knowledge", "restore", "worktree"], place);
  assert.equal(unknown.code, 3);
  assert.match(unknown.stderr, /No removed knowledge matches "worktree"\n {2}nearest: .*Worktrees/);
  const command = stderr.trim().split(" ").slice(-3);
  assert.match((await sage(command, place)).stdout, /^Restored knowledge [0-9a-f]{8}: Worktrees/);
  assert.equal(await Deno.readTextFile(path), before);
  const found = await sage(["knowledge", "match", "do worktrees share hooks"], place);
  assert.equal(found.code, 0);
  assert.equal((await sage(command, place)).code, 3);
});

Deno.test("sage knowledge restore refuses where a note has the id, and takes the last text of two", async () => {
  const place = await withKnowledge();
  const rm = ["knowledge", "rm", "worktrees-share-hooks"];
  await sage(rm, place);
  const stdin = "# Worktrees share hooks\n\nThey do not.\n";
  await sage(["knowledge", "add", "-"], { ...place, stdin });
  const restore = ["knowledge", "restore", "worktrees-share-hooks"];
  const refused = await sage(restore, place);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /Not restored, another note has its id: "Worktrees share hooks"/);
  await sage(rm, place);
  assert.equal((await sage(restore, place)).code, 0);
  const shown = await sage(["knowledge", "show", "worktrees-share-hooks"], place);
  assert.match(shown.stdout, /They do not\./);
});

Deno.test("why a note is not recalled names what brings it back, whatever its status says", async () => {
  const place = scratch();
  await sage(["init"], place);
  await sage(["knowledge", "add", "Deploys", "-m", "Deploys go out on Fridays."], place);
  const path = `${place.cwd}/.sage/knowledge/deploys.md`;
  const text = await Deno.readTextFile(path);
  const why = async (status: string) => {
    await Deno.writeTextFile(path, text.replace(/^status: .*$/m, `status: ${status}`));
    const args = ["knowledge", "debug", "when do deploys go out?", "--why", "deploys"];
    return await sage(args, place);
  };
  assert.equal((await why("done")).code, 0, "that is of todos");
  assert.match(
    (await why("archived")).stderr,
    /it is archived\n {2}sage knowledge restore deploys\n/,
  );
  const draft = await why("draft");
  assert.ok(draft.stderr.endsWith(`it is a draft\n  change its status in ${path}\n`), draft.stderr);
});
