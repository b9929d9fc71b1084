/** Notes as a person keeps them on the command line: changed, looked back at, asked about, decided. */
import assert from "node:assert/strict";
import { sage, sageJson, type SageOptions, type SageResult, scratch } from "../support/sage.ts";
import { filesIn, writeOld } from "../support/temp_store.ts";
import { timeZone } from "../support/time_zone.ts";
import { put, read } from "../support/world.ts";

type Place = ReturnType<typeof scratch>;
type Run = (args: string[], more?: Partial<SageOptions>) => Promise<SageResult>;

const AGENT = { CLAUDE_CODE_SESSION_ID: "11111111-2222-4333-8444-555555555555" };

/** A project with one note about an entity. */
async function started(): Promise<{ place: Place; run: Run; path: string }> {
  const place = scratch();
  const run: Run = (args, more = {}) => sage(args, { ...place, ...more });
  await run(["init"]);
  const text = "# Git Worktrees\n\nWhat they are.\n\n## Gotchas\n\n- hooks\n\n[[Nowhere]]\n";
  put(`${place.cwd}/w.md`, text);
  await run(["knowledge", "add", "w.md", "--subject", "entity"]);
  return { place, run, path: `${place.cwd}/.sage/knowledge/git-worktrees.md` };
}

Deno.test("sage knowledge edit changes a part, prints the path for an editor, and says what is wrong", async () => {
  const { run, path } = await started();
  const edit = (...args: string[]) => run(["knowledge", "edit", "git-worktrees", ...args]);
  assert.match(
    (await edit("--under", "Gotchas", "-m", "- the locks")).stdout,
    /^Updated knowledge/,
  );
  assert.match(read(path), /\[\[Nowhere\]\]\n\n- the locks\n\n## History/);
  assert.equal((await edit()).stdout, `${path}\n`);
  assert.equal((await edit("--set", "tags=a, b")).code, 0);
  assert.match(read(path), /\ntags: \[a, b\]\n/);
  assert.equal((await edit("--set", "tags=")).code, 0);
  assert.doesNotMatch(read(path), /\ntags:/);
  const piped = ["knowledge", "edit", "git-worktrees", "--append", "-"];
  assert.equal((await run(piped, { stdin: "From a pipe.\n" })).code, 0);
  assert.match(read(path), /From a pipe\./);
  const before = read(path);
  for (
    const [args, code, said] of [
      [["--under", "A", "--append", "-m", "x"], 2, /Only one of/],
      [["--under", "A"], 2, /There is no text/],
      [["--set", "tags"], 2, /key=value/],
      [["--set", "subject=x"], 2, /the subject must be one of fact, decision/],
      [["--set", "id=x"], 2, /Sage itself writes "id"; set tags/],
      [["--replace", "Nope", "-m", "x"], 3, /it has: Gotchas/],
      [["--append", "-m", "x", "--expect", "zz"], 2, /not a hash/],
      [["text"], 2, /give it with -m/],
    ] as const
  ) {
    const { code: exit, stderr } = await edit(...args);
    assert.equal(exit, code, stderr);
    assert.match(stderr, said);
  }
  assert.equal(read(path), before);
  assert.equal((await run(["knowledge", "edit", "nope", "-m", "x"])).code, 3);
});

Deno.test("whatever a command wanted with a note, it says of what kind the one is that was named", async () => {
  const { place, run } = await started();
  const session = `${place.cwd}/.sage/sessions/2026-01-02-why-otters-hold-hands.md`;
  put(session, "---\nid: why-otters-hold-hands\ntype: session\n---\n\n# Why otters hold hands\n");
  await run(["todo", "add", "Feed the otters"]);
  for (
    const [words, [kind, hint]] of [
      ["knowledge show why-otters-hold-hands", ["session", `it is the file ${session}`]],
      ["knowledge rm why-otters-hold-hands --yes", ["session", `it is the file ${session}`]],
      ["knowledge edit why-otters-hold-hands", ["session", `it is the file ${session}`]],
      ["knowledge archive feed-the-otters", ["todo", "sage todo show "]],
      ["todo done git-worktrees", ["knowledge", "sage knowledge show "]],
    ] as const
  ) {
    const { code, stderr } = await run(words.split(" "));
    assert.equal(code, 3, words);
    const said = ` is a ${kind} note, not a ${words.split(" ")[0]} note\n  ${hint}`;
    assert.ok(stderr.includes(said), `${words}: ${stderr}`);
  }
});

Deno.test("of notes with one id, in one project or in others, each is shown by its path", async () => {
  const { place, run, path } = await started();
  const copy = `${place.cwd}/.sage/knowledge/copied by hand.md`;
  put(copy, `${read(path)}\nMore of it.\n`);
  const shown = await run(["knowledge", "show", "git-worktrees"]);
  assert.equal(shown.code, 4);
  assert.ok(shown.stdout.includes(path) && shown.stdout.includes(copy), shown.stdout);
  assert.match(shown.stderr, /same id: repeat with the path/);
  assert.match((await run(["knowledge", "show", copy])).stdout, /More of it/);
  const mend = new RegExp(`sage knowledge rm ("${copy}"|${path})`);
  assert.match((await run(["doctor"])).stdout, mend);
  assert.match((await run(["forget", copy, "--yes"])).stderr, /give the one that stays another id/);

  for (const name of ["one", "two"]) {
    const cwd = `${place.cwd}/../${name}`;
    await Deno.mkdir(cwd);
    await run(["init"], { cwd });
    const stdin = `# Ferry\n\nThe ferry of ${name} goes at noon.\n`;
    await run(["knowledge", "add", "-"], { cwd, stdin });
  }
  const ferry = await run(["knowledge", "show", "ferry"]);
  assert.equal(ferry.code, 4, ferry.stdout);
  const [, other = ""] = /(\S+two\/\.sage\S+)/.exec(ferry.stdout) ?? [];
  assert.match(
    (await run(["knowledge", "show", other])).stdout,
    /Of the project two[^]*ferry of two/,
  );
});

Deno.test("a conflict is told with both texts and exit 4, and asked on a terminal", async () => {
  const { run, path, place } = await started();
  const { json } = await sageJson(["knowledge", "show", "git-worktrees"], place);
  const { hash } = json["note"] as { hash: string };
  writeOld(path, read(path).replace("- hooks", "- hooks, says Ann"));
  const edit = ["knowledge", "edit", "git-worktrees", "--replace", "Gotchas"];
  const args = [...edit, "-m", "- nothing", "--expect", hash];
  const told = await run(args);
  assert.equal(told.code, 4);
  assert.match(told.stdout, /there\n {2}- hooks, says Ann[^]*-- hooks, says Ann[^]*\+- nothing/);
  assert.match(told.stderr, /somebody changed the same place[^]*--on-conflict append\|new/);
  const left = await run(args, { terminal: true, stdin: "\n" });
  assert.equal(left.code, 4);
  assert.match(left.stderr, /Nothing was changed/);
  const asked = await run(args, { terminal: true, stdin: "1\n" });
  assert.equal(asked.code, 0, asked.stderr);
  assert.match(read(path), /says Ann[^]*## Updates \(unmerged [\d-]{10}\)\n\n- nothing/);
});

Deno.test("sage knowledge update keeps what is around the text; history and restore bring it back", async () => {
  const { run, path } = await started();
  const updated = await run(["knowledge", "update", "git-worktrees", "-"], { stdin: "All new.\n" });
  assert.equal(updated.code, 0, updated.stderr);
  assert.match(read(path), /subject: entity[^]*# Git Worktrees\n\nAll new\.\n\n## History/);
  const { stdout } = await run(["knowledge", "history", "git-worktrees", "--diff"]);
  assert.match(stdout, /2 {2}\S+ {2}person {2}[0-9a-f]{8} {2}updated by person\n/);
  assert.match(stdout, /-What they are\.[^]*\+All new\./);
  const first = await run(["knowledge", "history", "git-worktrees", "--version", "1"]);
  assert.match(first.stdout, /- hooks/);
  const restore = ["knowledge", "restore", "git-worktrees"];
  assert.equal((await run([...restore, "--version", "1"])).code, 0);
  assert.match(read(path), /- hooks/);
  assert.equal((await run([...restore, "--version", "9"])).code, 3);
  assert.equal((await run(["knowledge", "archive", "git-worktrees"])).code, 0);
  assert.match((await run(["knowledge", "list", "--archived"])).stdout, /Git Worktrees/);
  assert.match((await run(restore)).stdout, /^Restored knowledge/);
  assert.match((await run(["knowledge", "restore"])).stdout, /No knowledge is in the trash/);
});

Deno.test("sage graph answers on the command line, with exit codes, and draws into a new file only", async () => {
  const { run, place } = await started();
  const { cwd } = place;
  put(`${cwd}/h.md`, "# Hooks\n\nSee [[git-worktrees]].\n");
  await run(["knowledge", "add", "h.md"]);
  const graph = (...args: string[]) => run(["graph", ...args]);
  assert.match((await graph("backlinks", "git-worktrees")).stdout, /Hooks\n$/);
  assert.match((await graph("links", "git-worktrees")).stdout, /no note is called "Nowhere"/);
  for (const args of [["query", "type:topic"], ["query", "type:topic group:tag"]]) {
    const { code, stdout, stderr } = await graph(...args);
    assert.deepEqual([code, stdout], [3, ""]);
    assert.match(stderr, /^sage: No note matches\n/);
  }
  const none = await sageJson(["graph", "query", "type:topic"], place);
  assert.deepEqual([none.json.items, (none.json.error as { code: string }).code], [
    [],
    "not_found",
  ]);
  assert.match((await graph("path", "git-worktrees", "hooks")).stdout, /Git Worktrees[^]* ← Hooks/);
  assert.match((await graph("unresolved")).stdout, /Nowhere {3}link {2}Git Worktrees/);
  assert.match((await graph("query", "to:git-worktrees")).stdout, /Hooks/);
  assert.equal((await graph("query", "type:todo")).code, 3);
  assert.equal((await graph("query", "is:lost")).code, 2);
  assert.equal((await graph("links", "nobody")).code, 3);
  assert.match((await graph("draw")).stdout, /└─→ Git Worktrees/);
  assert.equal((await graph("draw", "-o", "g.svg")).code, 0);
  assert.match(read(`${cwd}/g.svg`), /^<svg [^]*<\/svg>\n$/);
  assert.equal((await graph("draw", "-o", "g.svg")).code, 4);
  const { stdout } = await run(["graph", "query", "hooks"], { env: AGENT });
  assert.match(stdout, /^<recalled /);

  assert.equal((await run(["knowledge", "rm", "git-worktrees"])).code, 0);
  const removed = /no note is called "git-worktrees": it was removed on .* knowledge restore/i;
  assert.match((await graph("links", "hooks")).stdout, removed);
});

Deno.test("sage graph says of a note that somebody else promoted where it went", async () => {
  const { run, place } = await started();
  writeOld(
    `${place.cwd}/.sage/redirects/index-locks.md`,
    "---\ntype: redirect\nid: index-locks\nto: index-locks\npath: knowledge/index-locks.md\n" +
      "title: Index locks\nmoved: 2026-01-01T00:00:00Z\n---\n\nKept.\n",
  );
  for (
    const args of [
      ["links", "index-locks"],
      ["near", "Index locks"],
      ["path", "git-worktrees", "index-locks"],
      ["draw", "index-locks"],
    ]
  ) {
    const { code, stderr } = await run(["graph", ...args]);
    assert.equal(code, 3);
    assert.match(stderr, /"Index locks" left this project on 2026-01-01, for the own store of/);
  }
});

Deno.test("an agent's preference waits in the inbox; one letter of a person decides", async () => {
  const { run, place } = await started();
  const add = (title: string) =>
    run(["knowledge", "add", "-", "--title", title, "--subject", "preference"], {
      stdin: `${title}, always.\n`,
      env: AGENT,
    });
  const asked = await add("Tabs");
  assert.equal(asked.code, 4);
  assert.match(
    asked.stderr,
    /a person is to decide: Should I remember this preference in the project's notes: "Tabs"\?/,
  );
  const args = ["knowledge", "add", "Tabs", "-m", "Tabs, always.", "--subject", "preference"];
  const { json: again } = await sageJson(args, { ...place, env: AGENT });
  assert.equal((again.error as { code: string }).code, "conflict");
  await add("Short answers");
  await add("No emoji");
  assert.match((await run(["status"])).stdout, /3 questions for you: sage inbox/);
  const [, id = ""] = /accept ([0-9a-f]{8})/.exec(asked.stderr) ?? [];
  for (const verb of ["accept", "drop"]) {
    const refused = await run(["inbox", verb, id], { env: AGENT });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Only a person may/);
  }
  assert.match(
    (await run(["inbox"])).stdout,
    /Should I remember this preference in the project's notes: "Short answers"/,
  );
  assert.match((await run(["inbox", "show", id])).stdout, /Tabs, always\./);
  const walked = await run(["inbox"], { terminal: true, stdin: "a\nx\nd\nq\n" });
  assert.match(walked.stdout, /^1 accepted, 1 dropped, 1 question left\.\n$/);
  const { json } = await sageJson(["inbox"], place);
  const [left, ...others] = json["items"] as { id: string }[];
  assert.deepEqual(others, []);
  assert.equal((await run(["inbox", "accept", left?.id ?? ""])).code, 0);
  assert.match((await run(["inbox"])).stdout, /Nothing waits for you/);
  assert.equal((await run(["inbox", "drop", "ffffffff"])).code, 3);
  const { json: known } = await sageJson(["knowledge", "list"], place);
  assert.equal(known["total"], 3);
});

Deno.test("sage inbox says a text once that its question quotes, and breaks lines between words", async () => {
  const { run } = await started();
  const sentence =
    "Never retry a refund more than three times, whatever the provider answers to it";
  await run(["knowledge", "add", "-", "--title", sentence, "--subject", "preference"], {
    stdin: `${sentence}.\n`,
    env: AGENT,
  });
  const { stderr } = await run(["inbox"], { terminal: true, columns: 40, stdin: "q\n" });
  assert.equal(stderr.match(/Never retry/g)?.length, 1, stderr);
  assert.ok(stderr.split("\n").slice(0, -2).every((line) => line.length <= 40), stderr);
  assert.equal(stderr.replace(/\s+/g, " ").includes(sentence), true, stderr);
});

Deno.test("sage inbox shows what concerns this project, and counts what waits in others", async () => {
  const { run, place } = await started();
  const other = { ...place, cwd: scratch().cwd };
  await sage(["init"], other);
  const add = (title: string, at: typeof place, ...more: string[]) =>
    sage(["knowledge", "add", "-", "--title", title, "--subject", "preference", ...more], {
      ...at,
      stdin: `${title}, always.\n`,
      env: AGENT,
    });
  await add("Tabs", other);
  const none = await run(["inbox"]);
  assert.match(none.stdout, /Nothing waits for you/);
  assert.match(none.stderr, /^1 question of other projects: sage inbox --all$/m);
  await add("Short answers", place);
  await add("No emoji", other, "--scope", "user");
  assert.match((await run(["status"])).stdout, /2 questions for you: sage inbox/);
  const here = await sageJson(["inbox"], place);
  assert.deepEqual([here.json.total, here.json.elsewhere], [2, 1]);
  assert.doesNotMatch(JSON.stringify(here.json), /Tabs/);
  const { json } = await sageJson(["inbox", "--all"], place);
  assert.deepEqual([json.total, json.elsewhere], [3, undefined]);
  const walked = await run(["inbox"], { terminal: true, stdin: "a\na\n" });
  assert.match(walked.stdout, /^2 accepted, 0 dropped\.\n$/);
  assert.match(walked.stderr, /1 question of other projects/);
});

Deno.test("an agent's merge waits in the inbox, a person's is asked for", async () => {
  const { run, place, path } = await started();
  put(`${place.cwd}/h.md`, "# Hooks\n\nOf git.\n");
  await run(["knowledge", "add", "h.md"]);
  const merge = ["knowledge", "merge", "git-worktrees", "hooks"];
  const asked = await run(merge, { env: AGENT });
  assert.match(asked.stderr, /May I merge "Hooks" into "Git Worktrees"\?/);
  const refused = await run(merge, { terminal: true, stdin: "n\n" });
  assert.match(refused.stderr, /Nothing was merged/);
  const { json } = await sageJson(["inbox"], place);
  const [question] = json["items"] as { id: string }[];
  const accepted = await run(["inbox", "accept", question?.id ?? ""]);
  assert.match(accepted.stdout, /^Merged into knowledge/);
  assert.match(read(path), /## Hooks \(merged [^]*Of git\./);
});

Deno.test("sage status, and project info, count what the lists show", async () => {
  const { place, run } = await started();
  const note = (kind: string, name: string, front: string): void =>
    put(`${place.cwd}/.sage/${kind}/${name}.md`, `---\nid: ${name}\n${front}---\n# ${name}\n`);
  note("knowledge", "old", "type: knowledge\nstatus: archived\n");
  note("knowledge", "torn", "type: knowledge\nstatus: [\n");
  note("todos", "open", "type: todo\nstatus: blocked\n");
  note("todos", "over", "type: todo\nstatus: done\n");
  note("todos", "away", "type: todo\nstatus: archived\n");
  note("topics", "away-too", "type: topic\nstatus: archived\n");
  note("sessions", "ended", "type: session\nstatus: archived\n");
  note("checkpoints", "torn-too", "type: checkpoint\nstatus: [\n");
  await run(["checkpoint", "save", "-m", "The parser is slow, and why was measured."]);
  const counted = (await sageJson(["status"], place)).json.counts as Record<string, number>;
  const { json: { project } } = await sageJson(["project", "info"], place);
  assert.deepEqual((project as { counts: unknown }).counts, counted);
  for (const kind of ["checkpoint", "knowledge", "todo", "session", "topic"]) {
    const { json } = await sageJson([kind, "list"], place);
    assert.equal(json.total, counted[kind], kind);
  }
  assert.match((await run([])).stdout, /1 checkpoint, 2 knowledge, 1 todo, 1 session/);
});

Deno.test("a date means the day where the person is, wherever one is typed", async () => {
  const { place } = await started();
  const at = "created: 2026-01-13T23:30:00Z\nupdated: 2026-01-13T23:30:00Z\n";
  for (const [kind, folder] of [["checkpoint", "checkpoints"], ["knowledge", "knowledge"]]) {
    put(
      `${place.cwd}/.sage/${folder}/late-${kind}.md`,
      `---\nid: late-${kind}\ntype: ${kind}\n${at}---\n# Late\n\nA late thing.\n`,
    );
  }
  const found = async (...args: string[]): Promise<unknown[]> => {
    const { json: { items } } = await sageJson(args, place);
    return (items as { id: string }[]).map(({ id }) => id).filter((id) => id.startsWith("late"))
      .sort();
  };
  const both = ["late-checkpoint", "late-knowledge"];
  using _ = timeZone("Asia/Tokyo");
  assert.deepEqual(await found("search", "late", "--after", "2026-01-14"), both);
  assert.deepEqual(await found("search", "late after:2026-01-14"), both);
  assert.deepEqual(await found("search", "late before:2026-01-14"), []);
  for (const when of ["today", "yesterday", "last-week", "3m", "12h", "9y"]) {
    const [option, filter] = [["late", "--after", when], [`late after:${when}`]];
    assert.deepEqual(await found("search", ...option), await found("search", ...filter), when);
  }
  assert.deepEqual(await found("graph", "query", "created:2026-01-14"), both);
  assert.deepEqual(await found("checkpoint", "list", "--since", "2026-01-14"), both.slice(0, 1));
  assert.deepEqual(await found("checkpoint", "list", "--until", "2026-01-14"), []);
});

Deno.test("what was removed is listed with the day on which it was where the person is", async () => {
  const { run } = await started();
  await run(["knowledge", "rm", "git-worktrees"]);
  const { items } = JSON.parse((await run(["knowledge", "restore", "--json"])).stdout);
  const [{ removed, restore_until: until }] = items;
  for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    using _ = timeZone(zone);
    const { stdout } = await run(["knowledge", "restore"]);
    const days = [removed, until].map((at) => new Date(at).toLocaleDateString("sv"));
    assert.deepEqual(stdout.match(/\d{4}-\d\d-\d\d/g), days, zone);
  }
});

Deno.test("a list says of each note why not to believe it", async () => {
  const { cwd, home } = scratch();
  const here = { cwd, home };
  for (const [type, folder] of [["knowledge", "knowledge"], ["todo", "todos"]]) {
    put(`${cwd}/.sage/${folder}/a.md`, `---\ntype: ${type}\ntags: [x\n---\n\n# Broken\n`);
  }
  for (const list of ["knowledge", "todo"]) {
    const { stdout } = await sage([list, "list"], here);
    assert.match(stdout, / Broken \(untrusted, unparsable\)\n$/, list);
  }
});

Deno.test("sage inbox accept --user keeps a taste out of the project's notes", async () => {
  const { run, place } = await started();
  const before = filesIn(`${place.cwd}/.sage`);
  const wish = ["knowledge", "add", "Call me Ada", "-m", "Always.", "--subject", "preference"];
  const asked = await run(wish, { env: AGENT });
  const [, id = ""] = /accept ([0-9a-f]{8})/.exec(asked.stderr) ?? [];
  const kept = await run(["inbox", "accept", id, "--user"]);
  assert.equal(kept.code, 0, kept.stderr);
  assert.deepEqual(filesIn(`${place.cwd}/.sage`), before);
  assert.deepEqual(filesIn(`${place.home}/.sage/knowledge`), ["call-me-ada.md"]);
});
