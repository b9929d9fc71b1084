/** `sage knowledge extract`: proposals with their source; kept only when somebody said yes. */
import assert from "node:assert/strict";
import { binary, builtTest as test, sage, scratch } from "../support/sage.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import { age, filesIn } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { put, read } from "../support/world.ts";

interface Place {
  readonly home: string;
  readonly cwd: string;
}

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly subjective: boolean;
  readonly source: { readonly turn: string };
}

const SESSION = "abcdef01-1111-4000-8000-000000000001";
const SECRET = KINDS.find(({ isGeneric }) => !isGeneric)?.make(seeded(9)) ??
  { text: "", secret: "" };
const EXTRACT = ["knowledge", "extract"];
const AGENT = { CLAUDE_CODE_SESSION_ID: "11111111-2222-4333-8444-555555555555" };

function talk(place: Place): string {
  return new TranscriptBuilder({ sessionId: SESSION, cwd: place.cwd })
    .user("How long is a reset link valid? I prefer short answers with the file named.")
    .assistant(
      "A reset link expires after 30 minutes. <private>The Meyer plan allows 2 hours.</private>",
    )
    .user("And the queue?")
    .assistant(
      `We chose Postgres over Redis because invoices and jobs are written in one transaction. The admin token is at most 40 characters: ${SECRET.text}.`,
      [{
        name: "Bash",
        input: { command: "cat limits" },
        result: "The api allows 7 requests a day.",
      }],
    )
    .assistant("The api allows 7 requests a day.").text();
}

async function started(): Promise<Place & { file: string }> {
  const place = scratch();
  await binary(["init"], place);
  const folder = `${place.home}/.claude/projects/${place.cwd.replace(/[^A-Za-z0-9]/g, "-")}`;
  const file = `${folder}/${SESSION}.jsonl`;
  put(file, talk(place));
  age(file, 60_000);
  return { ...place, file };
}

async function items(place: Place, ...args: string[]): Promise<Item[]> {
  const { stdout, stderr } = await binary([...EXTRACT, ...args, "--json"], place);
  assert.ok(stdout !== "", stderr);
  return JSON.parse(stdout).items;
}

const knowledge = (place: Place): string[] =>
  filesIn(`${place.cwd}/.sage`).filter((name) => /^knowledge\/.*\.md$/.test(name));

test("proposals are listed with their source, and nothing is written", async () => {
  const place = await started();
  const found = await items(place);
  assert.deepEqual(found.map(({ kind }) => kind).toSorted(), [
    "decision",
    "preference",
    "quantity",
  ]);
  for (const { source } of found) assert.match(source.turn, /^[0-9a-f-]{36,}$/);
  const { stdout, stderr, code } = await binary(EXTRACT, place);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^[0-9a-f]{8} {2}\S.*\n {10}\w+(?:, an opinion or a guess)?, said by the /,
  );
  assert.match(stderr, /nothing was saved; to keep some: sage knowledge extract … --accept/);
  for (const absent of ["Meyer", SECRET.secret, "7 requests"]) assert.ok(!stdout.includes(absent));
  assert.deepEqual(knowledge(place), []);
});

test("the source is the latest session, one by its id, a file, or a checkpoint", async () => {
  const place = await started();
  const all = await items(place);
  assert.deepEqual(await items(place, "session", SESSION.slice(0, 8)), all);
  assert.deepEqual(await items(place, "--transcript", place.file), all);
  // As every other command names it.
  put(
    `${place.cwd}/.sage/sessions/2026-01-13-reset-links.md`,
    `---\nid: 2026-01-13-reset-links\ntype: session\ncreated: 2026-01-13T10:00:00Z\nsession: ${SESSION}\n---\n`,
  );
  const listed = await binary(["session", "list", "--json"], place);
  const [{ short_id }] = JSON.parse(listed.stdout).items;
  assert.deepEqual(await items(place, "session", short_id), all);
  const thesis =
    "A vault holds at most 50 markets. The licence does not permit the use on a server.";
  await binary(["checkpoint", "-m", thesis, "--evidence", "The file says 99 rows per page"], place);
  const { note } = JSON.parse((await binary(["load", "--json"], place)).stdout);
  const found = await items(place, "checkpoint", note.short_id);
  assert.deepEqual(await items(place, "checkpoint"), found);
  assert.deepEqual(found.map(({ kind }) => kind).toSorted(), ["constraint", "quantity"]);
});

test("--accept keeps those that are named, with the turn as their source, and proposes them no more", async () => {
  const place = await started();
  const found = await items(place);
  const limit = found.find(({ kind }) => kind === "quantity");
  const taste = found.find(({ kind }) => kind === "preference");
  assert.ok(limit !== undefined && taste !== undefined);
  const kept = await binary([...EXTRACT, "--accept", `${limit.id},${taste.id}`], place);
  assert.equal(kept.code, 0, kept.stderr);
  assert.equal(kept.stdout.match(/^Saved knowledge /gm)?.length, 2);
  const texts = knowledge(place).map((name) => read(`${place.cwd}/.sage/${name}`));
  const text = texts.find((one) => one.includes("30 minutes")) ?? "";
  assert.match(text, new RegExp(`id: "?session:${SESSION}#${limit.source.turn}"?\n`));
  assert.ok(texts.some((one) => one.includes("subject: preference")));
  const left = await items(place);
  assert.deepEqual(left.map(({ kind }) => kind), ["decision"]);
});

test("an agent keeps facts, but a matter of taste only a person", async () => {
  const place = await started();
  const found = await items(place);
  const by = (kind: string): string => found.find((one) => one.kind === kind)?.id ?? "";
  const fact = await binary([...EXTRACT, "--accept", by("quantity")], { ...place, env: AGENT });
  // The agent's own session has no transcript here; the latest one is meant.
  assert.equal(fact.code, 0, fact.stderr);
  const taste = await binary([...EXTRACT, "--accept", by("preference")], { ...place, env: AGENT });
  assert.equal(taste.code, 1);
  assert.match(taste.stderr, /only a person may keep\n {2}ask them to run sage knowledge extract/);
  assert.equal(knowledge(place).length, 1);
});

test("an id that was not proposed saves nothing at all", async () => {
  const place = await started();
  const [first] = await items(place);
  const { code, stderr } = await binary([...EXTRACT, "--accept", `${first?.id},deadbeef`], place);
  assert.equal(code, 3);
  assert.match(stderr, /No proposal is called "deadbeef"; nothing was saved/);
  assert.deepEqual(knowledge(place), []);
});

Deno.test("on a terminal each is asked for; a no keeps nothing, an end of input keeps what was kept", async () => {
  const place = scratch();
  await sage(["init"], place);
  const folder = `${place.home}/.claude/projects/${place.cwd.replace(/[^A-Za-z0-9]/g, "-")}`;
  put(`${folder}/${SESSION}.jsonl`, talk(place));
  const none = await sage(EXTRACT, { ...place, terminal: true, stdin: "n\n\nno\n" });
  assert.equal(none.stdout, "Nothing was saved.\n");
  assert.match(none.stderr, /1 of 3[^]*2 of 3[^]*3 of 3/);
  assert.deepEqual(knowledge(place), []);
  const ended = await sage(EXTRACT, { ...place, terminal: true, stdin: "y\n" });
  assert.equal(ended.code, 130);
  assert.equal(knowledge(place).length, 1);
  const rest = await sage(EXTRACT, { ...place, terminal: true, stdin: "y\nn\n" });
  assert.equal(rest.stdout, "Kept 1 proposal of 2.\n");
  const done = await sage(EXTRACT, { ...place, terminal: true, stdin: "y\n" });
  assert.equal(done.stdout, "Kept 1 proposal of 1.\n");
  const nothing = await sage(EXTRACT, { ...place, terminal: true });
  assert.equal(nothing.stdout, "Nothing new: 3 statements known already.\n");
});

test("what cannot be a source is refused with what to do", async () => {
  const place = await started();
  const refused: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["session", "nobody"], 3, /has a session "nobody"\n {2}sage migrate/],
    [["--transcript", "missing.jsonl"], 2, /there is no such file/],
    [["--transcript", place.cwd], 2, /is not a session file/],
    [["checkpoint"], 3, /no checkpoint yet/],
    [["checkpoint", "zzzz"], 3, /./],
    [["checkpoint", "a", "--transcript", "b"], 2, /name one of them/],
    [["nobody"], 2, /from "nobody"\n {2}sage knowledge extract session nobody, or: /],
    [["--limit", "0"], 2, /limit/],
  ];
  for (const [args, code, message] of refused) {
    const run = await binary([...EXTRACT, ...args], place);
    assert.deepEqual([run.code, run.stdout], [code, ""], args.join(" "));
    assert.match(run.stderr, message);
  }
  const empty = scratch();
  const none = await binary(EXTRACT, empty);
  assert.equal(none.code, 3);
  assert.match(none.stderr, /has a session of this project\n {2}sage knowledge extract checkpoint/);
  put(`${place.cwd}/torn.jsonl`, "{\nnot json");
  const torn = await binary([...EXTRACT, "--transcript", "torn.jsonl"], place);
  assert.equal(torn.stdout, "Nothing in it asks to be kept.\n");
  put(`${place.cwd}/.sageignore`, "*\n");
  assert.match((await binary(EXTRACT, place)).stderr, /\.sageignore excludes this project/);
});

test("the latest session is read whichever editor had it, and any by its id", async () => {
  const place = await started();
  const id = "00000003-0000-4000-8000-000000000000";
  const at = new Date(Date.now() + 60_000);
  const line = (type: string, payload: object) =>
    JSON.stringify({ timestamp: at.toISOString(), type, payload }) + "\n";
  const path = `${place.home}/.codex/sessions/2026/01/13/rollout-2026-01-13T14-30-00-${id}.jsonl`;
  put(
    path,
    line("session_meta", { id, cwd: place.cwd }) +
      line("response_item", {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "A session cookie expires after 12 hours." }],
      }),
  );
  await Deno.utime(path, at, at);
  for (const args of [[], ["session", id], ["session", "00000003"]]) {
    const { stdout } = await binary([...EXTRACT, ...args], place);
    assert.match(stdout, /expires after 12 hours[^]*said by the agent/, args.join(" "));
  }
});

test("a beginning that fits two sessions is said to fit two", async () => {
  const place = await started();
  put(place.file.replace("abcdef01", "abcdef02"), talk(place));
  const { code, stderr } = await binary([...EXTRACT, "session", "abcdef"], place);
  assert.equal(code, 4);
  assert.match(stderr, /"abcdef" matches 2 sessions/);
});
