/** The first screen: right in every state a memory can be in, and never longer than a glance. */
import assert from "node:assert/strict";
import { binary, hasBinary, sage, type SageOptions, scratch } from "../support/sage.ts";
import { filesIn, writeOld } from "../support/temp_store.ts";

const LINES_MAX = 12;

async function home(options: SageOptions): Promise<string> {
  const { code, stdout, stderr } = await sage([], options);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.ok(stdout.split("\n").length - 1 <= LINES_MAX, stdout);
  return stdout;
}

async function json(options: SageOptions): Promise<Record<string, unknown>> {
  return JSON.parse((await sage(["--json"], options)).stdout);
}

function sessionNote(
  cwd: string,
  name: string,
  { updated = "2026-01-12T10:00:00Z", more = "", body = "" } = {},
): void {
  writeOld(
    `${cwd}/.sage/sessions/${name}.md`,
    `---\nid: ${name}\ntype: session\ncreated: 2026-01-12T09:00:00Z\nupdated: ${updated}\ntitle: About ${name}\nsession: s-${name}\nstarted: 2026-01-12T09:00:00Z\n${more}---\n\n## Summary\n\nThe importer streams now.\n\n${body}`,
  );
}

Deno.test("sage says what to begin with where there is nothing, and makes nothing", async () => {
  const on = scratch();
  const text = await home(on);
  assert.match(
    text,
    /^sage: don't lose your thinking\.\n\nNothing is kept here yet\.\nnext: sage init/,
  );
  assert.match(text, /\n {2}sage search <query> {2}find anything/);
  assert.deepEqual(filesIn(on.home), []);
  assert.equal((await json(on)).begun, false);
});

Deno.test("sage says that all is well in an empty store, and what is next", async () => {
  const on = scratch();
  await sage(["init"], on);
  const text = await home(on);
  assert.match(text, /^healthy · 0 checkpoints/);
  assert.match(text, /\nnext: sage install claude-code\n/);
  assert.doesNotMatch(text, /last session/);
});

Deno.test("sage says where the last session stopped", async () => {
  const on = scratch();
  await sage(["init"], on);
  sessionNote(on.cwd, "older", { updated: "2026-01-11T10:00:00Z" });
  sessionNote(on.cwd, "newer", {
    more: "ended: 2026-01-12T10:00:00Z\nend_reason: recovered\n",
    body: "## Open Questions\n\n- Does the night job stream?\n\n## Next\n\n- Write the test\n",
  });
  const text = await home(on);
  assert.match(
    text,
    /last session \(2026-01-12T10:00:00Z, cut off and recovered\): About newer\n {2}next step: Write the test\n {2}open: Does the night job stream\?\n/,
  );
  const told = (await json(on)).last_session as Record<string, unknown>;
  const { short_id: shortId } = told;
  assert.match(String(shortId), /^[0-9a-f]{8}$/);
  assert.deepEqual(told, {
    short_id: shortId,
    title: "About newer",
    updated: "2026-01-12T10:00:00Z",
    state: "recovered",
    next: "Write the test",
    question: "Does the night job stream?",
  });
});

Deno.test("sage shows nothing of a session that is private, and cuts what is long", async () => {
  const on = scratch();
  await sage(["init"], on);
  const long = "word ".repeat(80).trim();
  sessionNote(on.cwd, "one", { body: `## Next\n\n- <private>the heron key</private>${long}\n` });
  const narrow = await home({ ...on, terminal: true, columns: 60 });
  assert.doesNotMatch(narrow, /heron/);
  assert.deepEqual(
    narrow.split("\n").filter((line) => /next step/.test(line) && line.length > 60),
    [],
  );
  assert.ok((await home(on)).includes(long), "what is piped is whole");
});

Deno.test("sage quotes nothing of a store that came from elsewhere", async () => {
  const on = scratch();
  sessionNote(on.cwd, "foreign");
  const text = await home(on);
  assert.doesNotMatch(text, /About foreign/);
  assert.match(text, /needs attention[^\n]*\n[^]*next: sage trust/);
});

Deno.test("sage says what is wrong where nothing can be saved, and does not fail", async () => {
  const on = scratch();
  await sage(["init"], on);
  writeOld(`${on.cwd}/.sage/knowledge/torn.md`, "---\nid: [\n---\n");
  assert.match(await home(on), /^needs attention[^]*next: mend .*torn\.md/);
  await Deno.remove(`${on.home}/.sage`, { recursive: true });
  await Deno.writeTextFile(`${on.home}/.sage`, "a file\n");
  const text = await home(on);
  assert.match(
    text,
    /^needs attention · [^\n]*nothing can be saved in [^\n]+\nnext: sage doctor\n/,
  );
  assert.match(text, /\n {2}sage help {12}the other commands\n$/);
});

Deno.test("sage without a command refuses options that it does not know, and takes --project", async () => {
  const on = scratch();
  await sage(["init"], on);
  const refused = await sage(["--jsn"], on);
  assert.deepEqual([refused.code, refused.stderr], [
    2,
    "sage: Unknown option --jsn of sage\n  did you mean --json?\n",
  ]);
  const elsewhere = await sage(["--project", on.cwd, "--json"], { ...on, cwd: on.home });
  assert.equal(JSON.parse(elsewhere.stdout).project.dir, on.cwd);
});

Deno.test({
  name: "the built program shows it without a terminal, and with stdin closed",
  ignore: !hasBinary,
  async fn() {
    const { code, stdout } = await binary([], scratch());
    assert.equal(code, 0);
    assert.match(stdout, /next: sage init/);
  },
});
