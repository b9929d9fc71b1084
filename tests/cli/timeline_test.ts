/** The timeline on the command line: list, restore, branch, diff, prune, export and rm, by the built program. */
import assert from "node:assert/strict";
import { filesIn } from "../support/temp_store.ts";
import { read } from "../support/world.ts";
import { binary, builtTest as test, sage, sageJson, scratch } from "../support/sage.ts";

interface Place {
  readonly home: string;
  readonly cwd: string;
}

type Json = Record<string, unknown>;

const AGENT = { CLAUDE_CODE_SESSION_ID: "11111111-2222-4333-8444-555555555555" };

/** In this process: what a scene is made of, and what stands in it afterwards. */
async function json(args: readonly string[], place: Place, stdin = ""): Promise<Json> {
  return (await sageJson(args, { ...place, stdin })).json;
}

/** Saves a checkpoint; returns its short id. */
async function save(place: Place, fields: Json, ...flags: string[]): Promise<string> {
  const answer = await json(["checkpoint", "save", "-", ...flags], place, JSON.stringify(fields));
  return (answer.note as { short_id: string }).short_id;
}

/** Before a ruling, and after it. */
async function research(): Promise<Place & { before: string; after: string }> {
  const place = scratch();
  await sage(["init"], place);
  const before = await save(place, {
    title: "Initial research",
    core_question: "Can AI training on user data be lawful under GDPR?",
    thesis: "It is unclear if legitimate interest applies. Consent is the safe way.",
    key_evidence: ["GDPR Article 6 requires a legal basis", "Latency was 40 ms at the median"],
    open_questions: ["Does legitimate interest suffice?"],
    sources: ["gdpr-text"],
  });
  const after = await save(
    place,
    {
      title: "After the ruling",
      core_question: "Can training of AI on user data be lawful under the GDPR?",
      thesis:
        "Legitimate interest is likely insufficient per recent ECJ ruling. The safe way is consent. Found 3 academic sources that support the opt-out model.",
      key_evidence: [
        "A legal basis is required by GDPR Article 6",
        "Latency was 140 ms at the median",
      ],
      sources: ["gdpr-text", { id: "https://curia.europa.eu/C-252/21", relation: "supports" }],
      trigger: "synthesis",
    },
    "--parent",
    before,
  );
  return { ...place, before, after };
}

/** A note as somebody's hand left it. */
function put(place: Place, name: string, text: string): void {
  Deno.writeTextFileSync(`${place.cwd}/.sage/checkpoints/${name}.md`, text);
}

test("list shows what each goes on from, and filters by cause, skill, session and time", async () => {
  const place = await research();
  const { stdout } = await binary(["checkpoint", "list"], place);
  const [heading = "", first = "", second = ""] = stdout.split("\n");
  assert.match(heading, /^id +date +trigger +messages +tokens +from +title$/);
  assert.match(first, new RegExp(`^${place.after} .* ${place.before} +After the ruling$`));
  assert.match(second, new RegExp(`^${place.before} .* - +Initial research$`));

  const titles = async (...filter: string[]): Promise<string[]> => {
    const { items } = await json(["checkpoint", "list", ...filter], place);
    return (items as { title: string }[]).map(({ title }) => title);
  };
  assert.deepEqual(await titles("--trigger", "synthesis"), ["After the ruling"]);
  assert.deepEqual(await titles("--since", "1h"), ["After the ruling", "Initial research"]);
  assert.deepEqual(await titles("--since", "yesterday"), ["After the ruling", "Initial research"]);
  assert.deepEqual(await titles("--until", "last week"), []);
  assert.deepEqual(await titles("--until", "1h"), []);
  assert.deepEqual(await titles("--since", "2999-01-01"), []);
  assert.deepEqual(await titles("--since", "2999-01"), []);
  assert.deepEqual(await titles("--until", "2999"), ["After the ruling", "Initial research"]);
  assert.deepEqual(await titles("--skill", "law"), []);
  assert.deepEqual(await titles("--session", "1111"), []);
  const none = await binary(["checkpoint", "list", "--skill", "law"], place);
  assert.match(none.stdout, /^No checkpoint matches\./);
  const bad = await binary(["checkpoint", "list", "--since", "soon"], place);
  assert.deepEqual([bad.code, bad.stdout], [2, ""]);
  assert.match(bad.stderr, /12h, 30d, 8w/);
  assert.equal((await binary(["checkpoint", "list", "--since", "2026-13"], place)).code, 2);
});

test("show and load name the chain; a parent that is gone or leads in a circle ends it", async () => {
  const place = await research();
  for (const verb of [["load"], ["checkpoint", "show"]]) {
    const { stdout } = await binary([...verb, place.after], place);
    assert.match(stdout, new RegExp(`continues from ${place.before} "Initial research"\n`));
  }
  put(place, "a", "---\nid: a\ntype: checkpoint\nparent: b\n---\n# A\n\n## Thesis\n\nOne.\n");
  put(place, "b", "---\nid: b\ntype: checkpoint\nparent: a\n---\n# B\n\n## Thesis\n\nTwo.\n");
  put(place, "c", "---\nid: c\ntype: checkpoint\nparent: long-gone\n---\n# C\n\n## Thesis\n\nX.\n");
  const circle = await json(["load", "a"], place);
  const chain = (circle.note as { chain: { id: string }[] }).chain.map(({ id }) => id);
  assert.deepEqual(chain, ["b", "a"]);
  const gone = await binary(["load", "c"], place);
  assert.match(gone.stdout, /continues from [0-9a-f]{8} \(no longer here\)/);
});

test("diff tells what was added, removed and changed by meaning", async () => {
  const place = await research();
  const { stdout, code } = await binary(["checkpoint", "diff", place.before, place.after], place);
  assert.equal(code, 0);
  assert.equal(
    stdout.split("\n").slice(1).join("\n"),
    `
Conclusions
  + Found 3 academic sources that support the opt-out model.
  ~ before: It is unclear if legitimate interest applies.
    now:    Legitimate interest is likely insufficient per recent ECJ ruling.

Evidence
  ~ before: Latency was 40 ms at the median
    now:    Latency was 140 ms at the median

Questions
  - Does legitimate interest suffice?

Sources
  + https://curia.europa.eu/C-252/21 (supports)
`,
  );
  const parts = (await json(["checkpoint", "diff", place.after], place)).diff as Record<
    string,
    Json
  >;
  assert.deepEqual(parts.sources?.added, ["https://curia.europa.eu/C-252/21 (supports)"]);
  assert.equal(parts.conclusions?.same, 1);
  const same = await binary(["checkpoint", "diff", place.after, place.after], place);
  assert.match(same.stdout, /They say the same\.\n$/);
});

test("diff says what is wrong with its operands", async () => {
  const place = await research();
  const alone = await binary(["checkpoint", "diff", place.before], place);
  assert.deepEqual([alone.code, alone.stdout], [2, ""]);
  assert.match(alone.stderr, /continues no other checkpoint\n {2}name the other one/);
  const unknown = await binary(["checkpoint", "diff", place.before, "nothing-like-it"], place);
  assert.equal(unknown.code, 3);
  assert.match(unknown.stderr, /No checkpoint matches "nothing-like-it"/);
  put(place, "broken", "---\nid: broken\ntype: [\n---\n# Broken\n");
  const broken = await binary(["checkpoint", "diff", place.before, "broken"], place);
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /Cannot read .*broken\.md:\d+:\d+: .*\n {2}mend the file by hand/);
});

test("branch copies the thinking under a name, with the old one as its parent", async () => {
  const place = await research();
  const name = "<b>opt-out</b> only";
  const answer = await json(["checkpoint", "branch", place.before, "--name", name], place);
  const { short_id: id, title } = answer.note as { short_id: string; title: string };
  assert.equal(title, name);
  const { note } = await json(["load", id], place);
  const { parent_short_id: parent, checkpoint } = note as Json & { checkpoint: Json };
  assert.equal(parent, place.before);
  assert.equal(checkpoint.trigger, "manual");
  assert.match(String(checkpoint.thesis), /^It is unclear if legitimate interest applies\./);
  const unknown = await binary(["checkpoint", "branch", "zzzz"], place);
  assert.equal(unknown.code, 3);
});

test("what a session saves after a branch or a restore goes on from it", async () => {
  const place = await research();
  const env = { CLAUDE_CODE_SESSION_ID: "99999999-0000-4000-8000-000000000001" };
  await binary(["checkpoint", "-m", "A first conclusion of this very session."], { ...place, env });
  await binary(["checkpoint", "restore", place.before], { ...place, env });
  const saved = await binary(
    ["checkpoint", "-m", "Going back was right: consent is enough.", "--json"],
    { ...place, env },
  );
  const id = (JSON.parse(saved.stdout).note as { short_id: string }).short_id;
  const { note } = await json(["load", id], place);
  assert.equal((note as Json).parent_short_id, place.before);
});

test("restore prints what is needed to go on, and says where a conversation could be", async () => {
  const place = await research();
  const { stdout, stderr, code } = await binary(
    ["checkpoint", "restore", place.before, "--conversation"],
    place,
  );
  assert.equal(code, 0);
  assert.match(stdout, /^Restoring [0-9a-f]{8}: Initial research\nsaved +.* · manual\n/);
  assert.match(stdout, new RegExp(`went on to +${place.after} "After the ruling"\n`));
  assert.match(stdout, /## Open Questions\n\n- Does legitimate interest suffice\?/);
  assert.match(stderr, /no conversation was kept: sage config explain privacy\.keep_conversations/);
  const short = await binary(["checkpoint", "restore", place.before, "--summary"], place);
  assert.match(short.stdout, /\nThesis: It is unclear/);
  const fenced = await binary(["checkpoint", "restore", place.before], { ...place, env: AGENT });
  assert.match(fenced.stdout, /^<recalled ([0-9a-f]+)> [^]*\n<\/recalled \1>\n$/);
});

test("prune says what it would do, and does it only with --yes", async () => {
  const place = await research();
  const rule = await binary(["checkpoint", "prune"], place);
  assert.deepEqual([rule.code, rule.stdout], [2, ""]);
  const dry = await binary(["checkpoint", "prune", "--keep", "1"], place);
  assert.equal(dry.code, 0);
  assert.match(dry.stdout, /^Would move 1 checkpoint to the trash:\n.*Initial research\n$/);
  assert.match(dry.stderr, /nothing was done yet; to do it: sage checkpoint prune --keep 1 --yes/);
  const both = await binary(["checkpoint", "prune", "--keep", "1", "--older-than", "1d"], place);
  assert.equal(both.stdout, "Nothing to prune.\n");
  const stillDry = ["checkpoint", "prune", "--keep", "1", "--yes", "--dry-run"];
  assert.match((await binary(stillDry, place)).stdout, /^Would move/);
  const done = await json(["checkpoint", "prune", "--keep", "1", "--yes"], place);
  assert.deepEqual((done.removed as Json[]).map(({ title }) => title), ["Initial research"]);
  const left = (await json(["checkpoint", "list"], place)).items as Json[];
  assert.deepEqual(left.map(({ title }) => title), ["After the ruling"]);
  const bad = await binary(["checkpoint", "prune", "--older-than", "soon"], place);
  assert.equal(bad.code, 2);
});

test("prune leaves pinned and unreadable notes where they are", async () => {
  const place = await research();
  put(
    place,
    "pin",
    "---\nid: pin\ntype: checkpoint\ncreated: 2020-01-01\npinned: true\n---\n# Pin\n",
  );
  put(place, "old", "---\nid: old\ntype: checkpoint\ncreated: 2020-01-01\n---\n# Old\n");
  put(place, "undated", "---\nid: undated\ntype: checkpoint\n---\n# Undated\n");
  put(
    place,
    "broken",
    "---\nid: broken\ntype: checkpoint\ncreated: 2020-01-01\ntags: [\n---\n# No\n",
  );
  const done = await json(["checkpoint", "prune", "--older-than", "365d", "--yes"], place);
  assert.deepEqual((done.removed as Json[]).map(({ id }) => id), ["old"]);
  assert.deepEqual((done.pinned as Json[]).map(({ id }) => id), ["pin"]);
  const names = filesIn(`${place.cwd}/.sage/checkpoints`);
  for (const name of ["pin.md", "undated.md", "broken.md"]) assert.ok(names.includes(name), name);
});

test("two prunes at once remove each note once, and neither fails", async () => {
  const place = await research();
  for (let n = 0; n < 12; n++) {
    put(
      place,
      `old-${n}`,
      `---\nid: old-${n}\ntype: checkpoint\ncreated: 2020-01-01\n---\n# Old ${n}\n`,
    );
  }
  const args = ["checkpoint", "prune", "--older-than", "365d", "--yes", "--json"];
  const runs = await Promise.all([binary(args, place), binary(args, place), binary(args, place)]);
  const removed = runs.flatMap(({ code, stdout, stderr }) => {
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout).removed as Json[]).map(({ id }) => String(id));
  });
  assert.deepEqual(removed.toSorted(), [...new Set(removed)].toSorted());
  assert.equal(removed.length, 12);
});

test("export gives the file, a JSON document and a page that loads and runs nothing", async () => {
  const place = await research();
  put(
    place,
    "hostile",
    "---\nid: hostile\ntype: checkpoint\ncreated: 2026-01-13\n---\n# </title><script>alert(1)</script>\n\n## Thesis\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) <private>never</private>\nAKIA" +
      "QWERTYUIOPASDFGH\n",
  );
  const html = await binary(["checkpoint", "export", "hostile", "--format", "html"], place);
  assert.doesNotMatch(html.stdout, /<(?:script|img|iframe|link|object|svg)/);
  assert.doesNotMatch(html.stdout, /never|QWERTYUIOP|href="javascript/);
  assert.match(html.stdout, /Content-Security-Policy" content="default-src 'none'/);
  assert.match(html.stderr, /1 secret redacted/);

  const md = await binary(["checkpoint", "export", place.after], place);
  assert.match(md.stdout, /^---\nid: .*after-the-ruling\n[^]*\n## Sources\n/);
  const fenced = await binary(["checkpoint", "export", place.after], { ...place, env: AGENT });
  assert.match(fenced.stdout, /^<recalled /);
  const data = JSON.parse(
    (await binary(["checkpoint", "export", place.after, "--format", "json"], place)).stdout,
  );
  assert.equal(data.checkpoint.key_evidence.length, 2);
  assert.equal(data.checkpoint.chain[0].title, "Initial research");
});

test("export --output writes a new file and replaces none", async () => {
  const place = await research();
  const args = ["checkpoint", "export", place.after, "--format", "html", "-o", "out.html"];
  assert.match((await binary(args, place)).stdout, /^Wrote .*\/out\.html\n$/);
  const before = read(`${place.cwd}/out.html`);
  const again = await binary(args, place);
  assert.equal(again.code, 4);
  assert.match(again.stderr, /it is there already/);
  assert.equal(read(`${place.cwd}/out.html`), before);
  const nowhere = await binary([...args.slice(0, -1), "no/such/page.html"], place);
  assert.equal(nowhere.code, 1, "nothing was looked for");
  assert.match(nowhere.stderr, /there is no such folder\n {2}make .*\/no\/such first, or name/);
});

test("rm moves one to the trash; an id of another kind or of nothing removes nothing", async () => {
  const place = await research();
  const removed = await binary(["checkpoint", "rm", place.before], place);
  assert.match(
    removed.stdout,
    /^Removed [0-9a-f]{8}: Initial research \(in the trash at least until /,
  );
  assert.match(removed.stderr, /to bring it back: sage checkpoint restore /);
  const again = await binary(["checkpoint", "rm", place.before], place);
  assert.equal(again.code, 3);
  const { items } = await json(["checkpoint", "list"], place);
  assert.equal((items as Json[]).length, 1);
});

test("an id that is gone loads no other checkpoint, whatever its digits are like", async () => {
  const place = await research();
  for (const gone of ["40c5a1f0", "140e252a", "21a40d", "2026-01-02T03-04-05_initial-research"]) {
    assert.equal((await binary(["load", gone], place)).code, 3, gone);
  }
  assert.equal((await binary(["load", "what did the ruling say about consent"], place)).code, 0);
});

test("restore brings back what lies in the trash, and not what was forgotten", async () => {
  const place = await research();
  await binary(["checkpoint", "rm", place.before], place);
  assert.equal((await binary(["load", place.before], place)).code, 3);
  const back = await binary(["checkpoint", "restore", place.before], place);
  assert.equal(back.code, 0);
  assert.match(back.stdout, /^Restoring [0-9a-f]{8}: Initial research\n/);
  assert.match(back.stderr, /it was in the trash and is back/);
  assert.equal((await binary(["load", place.before], place)).code, 0);
  await binary(["checkpoint", "rm", place.before], place);
  await binary(["forget", place.before, "--yes"], place);
  assert.equal((await binary(["checkpoint", "restore", place.before], place)).code, 3);
});

test("a prefix that fits several is listed, and changes nothing", async () => {
  const place = await research();
  for (const name of ["same-one", "same-two"]) {
    put(place, name, `---\nid: ${name}\ntype: checkpoint\n---\n# ${name}\n\n## Thesis\n\nX.\n`);
  }
  for (const verb of ["restore", "branch", "export", "rm", "diff"]) {
    const { code, stdout } = await binary(["checkpoint", verb, "same"], place);
    assert.equal(code, 4, verb);
    assert.equal(stdout.trimEnd().split("\n").length, 2, verb);
  }
  assert.equal(((await json(["checkpoint", "list"], place)).items as Json[]).length, 4);
});

test("every verb answers in an empty store, and says what is missing", async () => {
  const place = scratch();
  for (const verb of ["restore", "branch", "export", "rm", "diff", "show"]) {
    const { code, stdout } = await binary(["checkpoint", verb, "x"], place);
    assert.deepEqual([verb, code, stdout], [verb, 3, ""]);
    assert.equal((await binary(["checkpoint", verb], place)).code, 2, verb);
  }
  assert.equal((await binary(["checkpoint", "prune", "--keep", "1"], place)).code, 0);
});

Deno.test("sage load can take all of what fits, and shows how well each does", async () => {
  const place = scratch();
  await sage(["init"], place);
  for (const end of ["a lock fixes it.", "the lock covers a second tab."]) {
    await sage(["checkpoint", "-m", `The token refresh races with logout; ${end}`], place);
  }
  const args = ["load", "token", "refresh", "races"];
  const all = await sage(args, { ...place, terminal: true, stdin: "all\n" });
  assert.match(all.stderr, /^1\) [0-9a-f]{8} +\S+ \S+ +[01]\.\d\d +The token/);
  assert.match(all.stderr, /\[1-2, a for all, Enter for none\]/);
  assert.equal(all.stdout.match(/^# The token refresh/gm)?.length, 2);
  const listed = await sageJson(args, place);
  assert.equal(listed.code, 4);
  assert.ok((listed.json.items as { score: number }[]).every(({ score }) => score > 0.35));
});
