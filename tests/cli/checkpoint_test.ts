import assert from "node:assert/strict";
import { sage, sageJson, scratch } from "../support/sage.ts";

const THESIS = "The token refresh races with logout; a lock per session fixes it.";

async function withCheckpoints(): Promise<{ home: string; cwd: string; ids: string[] }> {
  const place = scratch();
  await sage(["init"], place);
  const theses = [
    THESIS,
    "The token refresh also races with the second tab; the lock covers that.",
    "Backups are encrypted with age before they leave the machine.",
  ];
  const ids: string[] = [];
  for (const thesis of theses) {
    const { json } = await sageJson(["checkpoint", "-m", thesis], place);
    ids.push((json.note as { short_id: string }).short_id);
  }
  return { ...place, ids };
}

Deno.test("sage checkpoint -m saves in one line, and load brings it back", async () => {
  const place = scratch();
  await sage(["init"], place);
  const saved = await sage(["checkpoint", "-m", THESIS], place);
  assert.equal(saved.code, 0);
  assert.equal(saved.stderr, "");
  assert.match(saved.stdout, /^Saved checkpoint [0-9a-f]{8}: The token refresh races .*\n$/);
  const loaded = await sage(["load"], place);
  assert.equal(loaded.code, 0);
  assert.match(loaded.stdout, /^[0-9a-f]{8} · manual · \d{4}-/);
  assert.ok(loaded.stdout.includes(THESIS));
});

Deno.test("what a person saves where .sageignore keeps notes out is kept, and said to be found by nothing", async () => {
  const place = scratch();
  await sage(["init"], place);
  await Deno.writeTextFile(`${place.home}/.sage/.sageignore`, `${place.cwd}/\n`);
  const told = "sage: no search finds it, because .sageignore excludes its path\n";
  const saves = [["checkpoint", "-m", THESIS], ["knowledge", "add", "Tokens", "-m", THESIS], [
    "todo",
    "add",
    "Mend the refresh",
  ]];
  for (const save of saves) {
    const { code, stdout, stderr } = await sage(save, place);
    assert.deepEqual([code, stderr], [0, told], save[0]);
    assert.match(stdout, /^Saved /);
  }
  const own = await sage(["knowledge", "add", "Mine", "-m", "A lock.", "--scope", "user"], place);
  assert.equal(own.stderr, "");
});

Deno.test("sage checkpoint without anything to save says what to type", async () => {
  const place = scratch();
  for (const args of [["checkpoint"], ["checkpoint", "-m", " "]]) {
    assert.deepEqual(await sage(args, place), {
      code: 2,
      stdout: "",
      stderr: 'sage: Nothing to save: say what you concluded\n  sage checkpoint -m "…"\n',
    });
  }
});

Deno.test("sage checkpoint save - leaves out a private part that spans a list, and refuses one that spans fields", async () => {
  const place = scratch();
  const evidence = "- both within 3 ms\n<private>\n- salary 90k\n</private>\n- seen twice";
  const stdin = `# Plan\n\n## Thesis\n\n${THESIS}\n\n## Key Evidence\n\n${evidence}\n`;
  assert.equal((await sage(["checkpoint", "save", "-"], { ...place, stdin })).code, 0);
  const { stdout } = await sage(["load"], place);
  assert.match(stdout, /seen twice/);
  assert.doesNotMatch(stdout, /90k/);
  const json = JSON.stringify({
    core_question: "How much <private>",
    thesis: "salary 90k",
    reasoning_trace: "</private>",
  });
  const refused = await sage(["checkpoint", "save", "-"], { ...place, stdin: json });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /torn-private-tag \(reasoningTrace, line 1\)\n.*close <private>/);
});

Deno.test("sage checkpoint save - reads JSON with the agent's field names", async () => {
  const place = scratch();
  const stdin = JSON.stringify({
    core_question: "Why do sessions vanish?",
    thesis: THESIS,
    confidence: 0.9,
    key_evidence: ["both within 3 ms"],
    open_questions: ["and with two replicas?"],
    sources: ["auth-notes", { id: "rfc-6749", relation: "supports" }],
    trigger: "synthesis",
  });
  assert.equal((await sage(["checkpoint", "save", "-"], { ...place, stdin })).code, 0);
  const { json } = await sageJson(["load"], place);
  const note = json.note as Record<string, unknown> & { checkpoint: Record<string, unknown> };
  assert.equal(note.trigger, "synthesis");
  assert.equal(note.confidence, 0.9);
  assert.equal(note.checkpoint.core_question, "Why do sessions vanish?");
  assert.deepEqual(note.checkpoint.key_evidence, ["both within 3 ms"]);
});

Deno.test("sage checkpoint save - reads Markdown, and options win over it", async () => {
  const place = scratch();
  const stdin =
    `# Sessions\n\n## Core Question\n\nWhy?\n\n## Thesis\n\n${THESIS}\n\n## Open Questions\n\n- two replicas?\n`;
  await sage(["checkpoint", "save", "-", "--question", "Why do they vanish?"], { ...place, stdin });
  const { stdout } = await sage(["checkpoint", "show", "sessions"], place);
  const { json } = await sageJson(["load"], place);
  const { title } = json.note as { title: string };
  assert.equal(title, "Sessions");
  assert.match((await sage(["load"], place)).stdout, /Why do they vanish\?[\s\S]*two replicas\?/);
  assert.ok(stdout.includes(THESIS));
});

Deno.test("sage checkpoint save - takes plain text as the conclusion", async () => {
  const place = scratch();
  await sage(["checkpoint", "save", "-"], { ...place, stdin: THESIS + "\n" });
  assert.ok((await sage(["load"], place)).stdout.includes(THESIS));
});

Deno.test("sage checkpoint save - names the JSON field that is wrong", async () => {
  const place = scratch();
  const bad = await sage(["checkpoint", "save", "-"], { ...place, stdin: '{"thesis": 3}' });
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /"thesis" has to be a string/);
  const torn = await sage(["checkpoint", "save", "-"], { ...place, stdin: '{"thesis": ' });
  assert.match(torn.stderr, /Cannot read stdin as JSON/);
});

Deno.test("sage checkpoint save - drops nothing: what a checkpoint has no place for is named", async () => {
  const place = scratch();
  const save = async (stdin: string): Promise<string> => {
    const { code, stderr } = await sage(["checkpoint", "save", "-"], { ...place, stdin });
    assert.equal(code, 2, stderr);
    return stderr;
  };
  const json = { thesis: "t", open_question: ["lost?"], evidence: ["lost"], next: "x", zzz: 1 };
  const said = await save(JSON.stringify(json));
  assert.match(
    said,
    /"open_question", perhaps "open_questions"; "evidence", perhaps "key_evidence"/,
  );
  assert.match(said, /"next", perhaps "next_step"; "zzz": nothing was saved/);
  assert.match(await save('{"thesis": "t", "trigger": "synthesys"}'), /trigger "synthesys"/);
  assert.match(
    await save('{"thesis": "t", "sources": [{"id": "a", "why": "b"}]}'),
    /"sources" has/,
  );

  const thesis = `## Thesis\n\n${THESIS}\n`;
  assert.match(await save(`${thesis}\n## Risks\n\nOf loss.\n`), /no section "Risks": nothing/);
  assert.match(await save(`${thesis}\n## Evidence\n\n- logs\n`), /perhaps "Key Evidence"/);
  assert.match(
    await save(`# T\n\nFirst words.\n\n${thesis}`),
    /"First words\." is in no section/,
  );
  assert.match(await save(`${thesis}\n${thesis}`), /"Thesis" is there twice/);
  assert.match(await save(`---\nmood: calm\n---\n\n${thesis}`), /no key "mood"/);
  assert.match(await save(`---\ntrigger: whim\n---\n\n${thesis}`), /trigger "whim"/);
  const { json: none } = await sageJson(["checkpoint", "list"], place);
  assert.deepEqual(none.items, []);
});

Deno.test("sage checkpoint save - takes a checkpoint's own file, and any text without its sections", async () => {
  const place = await withCheckpoints();
  const folder = `${place.cwd}/.sage/checkpoints`;
  const [file] = (await Array.fromAsync(Deno.readDir(folder))).filter(({ isFile }) => isFile);
  const own = (await Deno.readTextFile(`${folder}/${file?.name}`)).replace(
    "## Thesis\n\n",
    "$&Yes. ",
  );
  const saved = await sage(["checkpoint", "save", "-"], { ...place, stdin: own });
  assert.equal(saved.code, 0, saved.stderr);
  const stdin = "# Plans\n\nTwo of them.\n\n## The first\n\nWait for the audit of the vendor.\n";
  assert.equal((await sage(["checkpoint", "save", "-"], { ...place, stdin })).code, 0);
  assert.match((await sage(["load"], place)).stdout, /Two of them\.[^]*The first[^]*the vendor\./);
});

Deno.test("sage checkpoint refuses a secret with its place, never its value", async () => {
  const place = scratch();
  const secret = "AKIA" + "QWERTYUIOPASDFGH";
  const { code, stdout, stderr } = await sage(
    ["checkpoint", "-m", `the key is ${secret} and works`],
    place,
  );
  assert.equal(code, 1);
  assert.match(stderr, /^sage: Not saved, it holds .* \(thesis, line 1\)/);
  assert.ok(!(stdout + stderr).includes(secret));
  assert.equal((await sage(["load"], place)).code, 3);
});

Deno.test("sage checkpoint list has a line for each, and says so when there is none", async () => {
  const place = await withCheckpoints();
  const { stdout } = await sage(["checkpoint", "list"], place);
  const [heading, ...rows] = stdout.trimEnd().split("\n");
  assert.match(heading ?? "", /^id +date +trigger +messages +tokens +title$/);
  assert.equal(rows.length, 3);
  const { json } = await sageJson(["checkpoint", "list", "--limit", "2"], place);
  const [item] = json.items as Record<string, unknown>[];
  assert.deepEqual([(json.items as unknown[]).length, json.total], [2, 3]);
  const cut = await sage(["checkpoint", "list", "--limit", "1", "--trigger", "manual"], place);
  assert.equal(cut.stderr, "2 more checkpoints: --limit 3 shows all\n");
  const whole = await sage(["checkpoint", "list", "--limit", "3"], place);
  assert.equal(whole.stderr, "");
  for (const key of ["id", "type", "title", "path", "created", "updated", "trigger", "tokens"]) {
    assert.ok(item !== undefined && key in item, key);
  }
  assert.match((await sage(["checkpoint", "list"], scratch())).stdout, /^No checkpoints yet\./);
});

Deno.test("sage load takes an id, a short id and the beginning of one", async () => {
  const place = await withCheckpoints();
  const [first = ""] = place.ids;
  for (const ref of [first, first.slice(0, 5)]) {
    const { code, stdout } = await sage(["load", ref], place);
    assert.equal(code, 0);
    assert.ok(stdout.includes(THESIS));
  }
});

Deno.test("sage load lists what fits and exits 4 where nobody can choose", async () => {
  const place = await withCheckpoints();
  const { code, stdout, stderr } = await sage(["load", "token", "refresh", "races"], place);
  assert.equal(code, 4);
  assert.equal(stdout.trimEnd().split("\n").length, 2);
  assert.match(
    stderr,
    /^sage: "token refresh races" matches 2 notes\n {2}repeat with one of the ids/,
  );
  const asJson = await sageJson(["load", "token refresh races"], place);
  assert.equal(asJson.code, 4);
  assert.equal((asJson.json.items as unknown[]).length, 2);
  assert.equal((asJson.json.error as { code: string }).code, "ambiguous");
});

Deno.test("sage load offers the earlier of two moments, too", async () => {
  const place = scratch();
  for (const animal of ["Zebras", "Otters"]) {
    const text = `${animal} are the animals of the quarterly report, because people like them.`;
    const { stdout } = await sage(["checkpoint", "save", "-m", text, "--json"], place);
    const { path } = (JSON.parse(stdout) as { note: { path: string } }).note;
    const day = animal === "Zebras" ? "2026-01-02" : "2026-01-05";
    const saved = await Deno.readTextFile(path);
    await Deno.writeTextFile(
      path,
      saved.replaceAll(/"?\d{4}-\d\d-\d\dT[\d:]+Z"?/g, `${day}T10:00:00Z`),
    );
  }
  assert.equal((await sage(["load", "animals of the report"], place)).code, 4);
  const { stdout } = await sage(["search", "animals of the report"], place);
  const [later = "", earlier = ""] = [...stdout.matchAll(/ · checkpoint · 2026-01-\S+ · (\S+)/g)]
    .map(([, score = ""]) => score);
  assert.ok(stdout.startsWith("Otters") && Number(earlier) < Number(later) / 2, stdout);
});

Deno.test("sage load asks on a terminal and loads the choice", async () => {
  const place = await withCheckpoints();
  const args = ["load", "token", "refresh", "races"];
  const chosen = await sage(args, { ...place, terminal: true, stdin: "2\n" });
  assert.equal(chosen.code, 0);
  assert.match(chosen.stderr, /^1\) [0-9a-f]{8} .*\n2\) [0-9a-f]{8} /);
  const second = /\n2\) ([0-9a-f]{8})/.exec(chosen.stderr)?.[1] ?? "none";
  assert.ok(chosen.stdout.startsWith(second));
  const none = await sage(args, { ...place, terminal: true, stdin: "\n" });
  assert.deepEqual([none.code, none.stdout], [4, ""]);
  const ended = await sage(args, { ...place, terminal: true });
  assert.equal(ended.code, 130);
});

Deno.test("sage load exits 3 where nothing was meant, and in an empty store without", async () => {
  const place = await withCheckpoints();
  const missing = await sageJson(["load", "zzzz"], place);
  assert.equal(missing.code, 3);
  assert.deepEqual(missing.json.nearest, []);
  const { stderr } = await sage(["load", "zzzz"], place);
  assert.match(stderr, /^sage: No checkpoint matches "zzzz"\n {2}sage checkpoint list shows/);
  await sage(["knowledge", "add", "Limits", "-m", "Ten requests a second."], place);
  const other = await sage(["load", "Limits"], place);
  assert.equal(other.code, 3);
  assert.match(
    other.stderr,
    /is a knowledge note, not a checkpoint note\n {2}sage knowledge show /,
  );
  // The trash has it, which a question about it does not find.
  for (const id of place.ids) {
    assert.equal((await sage(["checkpoint", "rm", id], place)).code, 0);
    assert.match((await sage(["load", id], place)).stderr, new RegExp(`restore ${id} brings it`));
  }
  const empty = await sage(["load"], scratch());
  assert.deepEqual(empty, {
    code: 3,
    stdout: "",
    stderr: 'sage: There is no checkpoint yet\n  sage checkpoint -m "…" saves one\n',
  });
});

Deno.test("sage load says of a store from elsewhere that nobody vouches for it, and no author", async () => {
  const place = scratch();
  await Deno.mkdir(`${place.cwd}/.sage/checkpoints`, { recursive: true });
  const note =
    "---\nid: c-1\ntype: checkpoint\ngenerated: {by: person}\n---\n\n# Deploy\n\nBy curl.\n";
  await Deno.writeTextFile(`${place.cwd}/.sage/checkpoints/c-1.md`, note);
  const env = { CLAUDE_CODE_SESSION_ID: "11111111-2222-4333-8444-555555555555" };
  for (const args of [["load"], ["checkpoint", "restore", "c-1"]]) {
    const { stdout } = await sage(args, { ...place, env });
    assert.match(stdout, /Deploy · \S+ · unknown · untrusted · /);
  }
  const { stdout } = await sage(["load"], place);
  assert.match(stdout, /^[0-9a-f]{8} · .* · untrusted\n/, "a person is told as well");
});

Deno.test("sage load without a checkpoint names the session that ended last", async () => {
  const place = scratch();
  await sage(["init"], place);
  const note = "---\nid: s-1\ntype: session\nsession: abc\n---\n\n# What we did\n\nMuch.\n";
  await Deno.mkdir(`${place.cwd}/.sage/sessions`, { recursive: true });
  await Deno.writeTextFile(`${place.cwd}/.sage/sessions/s-1.md`, note);
  const { stderr } = await sage(["load"], place);
  const command = /what the last session did: sage (session show [0-9a-f]{8})\n$/.exec(stderr)?.[1];
  assert.match((await sage((command ?? "").split(" "), place)).stdout, /What we did/);
});

Deno.test("sage load refuses what cannot be meant together", async () => {
  const place = await withCheckpoints();
  const both = await sage(["load", "token", "refresh", "--recent", "2"], place);
  assert.deepEqual([both.code, both.stdout], [2, ""]);
  assert.match(
    both.stderr,
    /different checkpoints\n {2}sage load token refresh, or sage load --rec/,
  );
  const id = place.ids[0] ?? "";
  for (const args of [["load"], ["load", id], ["checkpoint", "restore", id]]) {
    const { code, stdout, stderr } = await sage([...args, "--full", "--summary"], place);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /--full and --summary exclude each other/);
  }
});

Deno.test("sage load --recent gives the last ones, --summary their gist", async () => {
  const place = await withCheckpoints();
  const { json } = await sageJson(["load", "--recent", "2"], place);
  assert.equal((json.items as unknown[]).length, 2);
  const { stdout } = await sage(["load", place.ids[0] ?? "", "--summary"], place);
  assert.match(stdout, /\nThesis: The token refresh races/);
});

Deno.test("sage checkpoint show prints a section, or says which there are", async () => {
  const place = await withCheckpoints();
  const [first = ""] = place.ids;
  const section = await sage(["checkpoint", "show", first, "--section", "thesis"], place);
  assert.equal(section.stdout, THESIS + "\n");
  const none = await sage(["checkpoint", "show", first, "--section", "tensions"], place);
  assert.equal(none.code, 3);
  assert.match(none.stderr, /it has: .*Thesis/);
  const other = await sage(["knowledge", "show", first], place);
  assert.match(other.stderr, new RegExp(`sage checkpoint show ${first}`));
});

Deno.test("an agent's shell is known by its session, and what it saves is the agent's", async () => {
  const id = "11111111-2222-4333-8444-555555555555";
  for (const name of ["CLAUDE_CODE_SESSION_ID", "CODEX_SESSION_ID"]) {
    const place = scratch();
    await sage(["checkpoint", "-m", THESIS], { ...place, env: { [name]: id } });
    const { json } = await sageJson(["load"], place);
    const { session, checkpoint } = json.note as {
      session: string;
      checkpoint: { generated: { by: string } };
    };
    assert.equal(session, id);
    assert.equal(checkpoint.generated.by, "agent");
  }
});

Deno.test("what an agent's shell gets to see of a note stands inside the fence", async () => {
  const place = await withCheckpoints();
  const [first = ""] = place.ids;
  const env = { CLAUDE_CODE_SESSION_ID: "11111111-2222-4333-8444-555555555555" };
  const commands = [["load", first], ["checkpoint", "show", first], ["search", "token", "refresh"]];
  for (const args of commands) {
    const { stdout } = await sage(args, { ...place, env });
    assert.match(stdout, /^<recalled ([0-9a-f]+)> [^]*\n<\/recalled \1>\n$/, args.join(" "));
    assert.doesNotMatch((await sage(args, place)).stdout, /<recalled/);
  }
});
