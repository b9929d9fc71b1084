/** The extractive checkpoint over made-up sessions: right parts, word for word, within its budget. */
import assert from "node:assert/strict";
import { extractCheckpoint } from "../../src/detect/checkpoint/extract.ts";
import { type Extract, tokensOf } from "../../src/detect/checkpoint/fill.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { SESSIONS } from "../support/sessions.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { tempDir } from "../support/temp_store.ts";

const folder = tempDir();
const embedder = openStaticEmbedder();
embedder.embedQuery("opens the model once, outside of any test");
const turnsOf = (builder: TranscriptBuilder): readonly Turn[] =>
  readTranscript(builder.write(folder)).turns;
const session = (name: string): readonly Turn[] => {
  const make = SESSIONS[name];
  assert.ok(make);
  return turnsOf(make());
};
function extractOf(name: string, tokensMax?: number): Extract {
  const extract = extractCheckpoint(session(name), {
    embedder,
    cwd: "/home/user/project",
    ...(tokensMax === undefined ? {} : { tokensMax }),
  });
  assert.ok(extract);
  return extract;
}

/** Everything that somebody said or a tool printed, white space aside. */
function source(turns: readonly Turn[]): string {
  return turns.flatMap((turn) => [
    turn.text,
    ...turn.tools.flatMap((tool) => [
      tool.command ?? "",
      tool.result ?? "",
      tool.filePath ?? "",
      tool.question ?? "",
      tool.answer ?? "",
      ...(tool.items ?? []).map((item) => item.text),
    ]),
  ]).join("\n").replace(/^\s*(?:[-*]|\d+\.)\s/gm, "").replace(/\s+/g, " ");
}

/** The pieces of a line that must each stand somewhere: our own joints and labels taken off. */
function pieces(line: string): string[] {
  return line.replace(
    /^(?:Approved plan|Changed|Named|Ran|Decided|Options): |^Commit /,
    "",
  ).split(
    / → | — then: | — |(?<=`), (?=`)|, (?=\S+\.\w+(?:,|$))/,
  )
    .map((piece) => piece.replace(/^`|`$/g, "").replace(/…$/, ""));
}

for (const name of Object.keys(SESSIONS)) {
  Deno.test(`extractCheckpoint() of '${name}' stands word for word in the session`, () => {
    const turns = session(name);
    const text = source(turns);
    const extract = extractOf(name);
    const lines = [
      extract.coreQuestion,
      ...extract.keyEvidence,
      ...extract.decisions,
      ...extract.openQuestions,
      extract.nextStep ?? "",
    ].flatMap(pieces);
    const sentences = `${extract.thesis} ${extract.reasoningTrace.replace(/[“”]/g, "")}`.split(
      /(?<=[.!?]) (?=[A-ZÄÖÜ`])/,
    );
    for (const piece of [...lines, ...sentences]) {
      const wanted = piece.trim().replace(/^([0-9a-f]{7}) /, "$1] ");
      assert.ok(text.includes(wanted), `not in the session: ${wanted}`);
    }
  });

  Deno.test(`extractCheckpoint() of '${name}' fits 500 tokens, and 200`, () => {
    assert.ok(tokensOf(extractOf(name)) <= 500);
    assert.ok(tokensOf(extractOf(name, 200)) <= 260, `${tokensOf(extractOf(name, 200))}`);
  });

  Deno.test(`extractCheckpoint() of '${name}' holds no code, no tool talk, no fragments`, () => {
    const extract = extractOf(name);
    const all = [
      extract.thesis,
      extract.reasoningTrace,
      ...extract.keyEvidence,
      ...extract.openQuestions,
    ];
    for (const line of all) {
      assert.doesNotMatch(line, /```|\|\s*---|^\s*at \S+ \(|<system|Let me|I'll /);
      assert.doesNotMatch(line, /:$/);
    }
    assert.notEqual(extract.thesis, "");
  });
}

Deno.test("extractCheckpoint() cuts a question that somebody made a page of", () => {
  const asked = `Why does the importer stall on large files${", as it did on monday".repeat(40)}?`;
  const [first, ...rest] = session("debugging");
  assert.ok(first?.role === "user");
  const extract = extractCheckpoint([{ ...first, text: asked }, ...rest]);
  const { coreQuestion } = extract ?? assert.fail();
  assert.match(coreQuestion, /^Why does the importer stall on large files, as/);
  assert.ok(coreQuestion.length <= 360 + 10, `${coreQuestion.length}`);
});

Deno.test("extractCheckpoint() finds cause, error and open point of a debugging session", () => {
  const extract = extractOf("debugging");
  assert.match(extract.coreQuestion, /^The login test fails on CI/);
  assert.match(extract.thesis, /two rounding rules/);
  assert.ok(
    extract.keyEvidence.some((line) => line.startsWith("TokenError: token used before issued")),
  );
  assert.ok(extract.keyEvidence.some((line) => line.endsWith("Tests: 14 passed, 14 total")));
  assert.ok(extract.keyEvidence.includes("Changed: src/auth/sign.ts, tests/login_test.ts"));
  assert.match(extract.openQuestions[0] ?? "", /refresh-token path/);
});

Deno.test("extractCheckpoint() keeps decisions with their reasons", () => {
  const design = extractOf("designChoice");
  assert.ok(design.decisions.some((line) => /Postgres over Redis because/.test(line)));
  assert.ok(design.decisions.includes("Where should background jobs be kept? → Postgres"));
  assert.ok(
    design.decisions.some((line) => line.startsWith("Approved plan: Job queue in Postgres")),
  );
  const blocked = extractOf("blockedByLicence");
  assert.match(blocked.thesis, /licence forbids server use/);
  assert.ok(blocked.decisions.some((line) => line.startsWith("Then use Chromium instead")));
  assert.ok(extractOf("german").decisions.some((line) => line.startsWith("Dann nehmen wir COPY")));
});

Deno.test("extractCheckpoint() knows commits and the next step", () => {
  const refactor = extractOf("refactor");
  assert.ok(refactor.keyEvidence.includes("Commit 4f1c2aa Move sessions out of server.ts"));
  assert.ok(refactor.keyEvidence.includes("Commit 9bd07e1 Move uploads out of server.ts"));
  assert.match(refactor.nextStep ?? "", /mail is the next step/);
  assert.match(extractOf("german").nextStep ?? "", /Lieferantenimport/);
  assert.match(extractOf("designChoice").nextStep ?? "", /migration for `jobs` and `dead_jobs`/);
});

Deno.test("extractCheckpoint() names the last commit, however much else there is to name", () => {
  const call = (name: string, input: Record<string, unknown>, result: string, isError = false) => ({
    name,
    input,
    result,
    isError,
  });
  const deep = "packages/backend/services/importer";
  const dense = new TranscriptBuilder()
    .user("Make the import of large files faster and rename the errors, please.")
    .assistant("Batches of 500 rows take 2.3 s, because one statement now inserts them all.", [
      call("Bash", { command: "git commit -am x" }, "[main 4f1c2aa] importer: write in batches"),
    ]);
  for (const part of ["first", "second", "third"]) {
    dense
      .user(`Now the ${part} part: see \`${deep}/src/${part}_writer_options.ts\` for its bounds.`)
      .assistant("", [
        ...["a", "b", "c", "d"].map((name) =>
          call("Edit", { file_path: `/home/user/project/${deep}/src/${part}_${name}.ts` }, "ok")
        ),
        call(
          "Bash",
          { command: `npm run test:integration -- --filter ${deep} --reporter verbose ${part}` },
          `FAIL ${deep}/${part}_test.ts\nError: the pool had no free connection for 30000 ms (${part})`,
          true,
        ),
      ])
      .assistant(
        `The ${part} part waits for a connection that nobody gives back, because the pool of ` +
          `\`${deep}/src/pool_of_${part}.ts\` holds 10 and the batch takes 12. ` +
          `\`retryDelayInMilliseconds_${part}\` is 500 ms, \`maximumRowsPerStatement_${part}\` is 2,000. ` +
          `I rejected a second pool for the ${part} part, because the database allows 20 connections. ` +
          `Open: should \`ConnectionPoolExhaustedError_${part}\` be retried after 30 s?`,
      );
  }
  for (const tokensMax of [300, 400, 500]) {
    const found = extractCheckpoint(turnsOf(dense), { embedder, tokensMax });
    const commits = found?.keyEvidence.filter((line) => line.startsWith("Commit "));
    assert.deepEqual(commits, ["Commit 4f1c2aa importer: write in batches"], String(tokensMax));
  }
});

Deno.test("extractCheckpoint() is undefined when little happened", () => {
  const of = (builder: TranscriptBuilder) => extractCheckpoint(turnsOf(builder), { embedder });
  assert.equal(of(new TranscriptBuilder()), undefined);
  assert.equal(
    of(new TranscriptBuilder().user("hi").assistant("Hello! How can I help?")),
    undefined,
  );
  assert.equal(
    of(new TranscriptBuilder().user("thanks, great").assistant("You're welcome.")),
    undefined,
  );
  for (
    const { name } of Deno.readDirSync(
      new URL("../fixture/claude-code/transcripts", import.meta.url),
    )
  ) {
    const path = new URL(`../fixture/claude-code/transcripts/${name}`, import.meta.url).pathname;
    const { decisions } = extractCheckpoint(readTranscript(path).turns) ?? {};
    // In this one a person says with their approval how it is always to be.
    const isSettled = name === "allowed-with-words.jsonl";
    assert.equal(/export it as default/.test(decisions?.join() ?? ""), isSettled, name);
    assert.equal(decisions !== undefined, isSettled, name);
  }
});

Deno.test("extractCheckpoint() works without a model", () => {
  for (const name of Object.keys(SESSIONS)) {
    const extract = extractCheckpoint(session(name));
    assert.ok(extract !== undefined && extract.thesis !== "", name);
  }
});

Deno.test("extractCheckpoint() asks what was asked last when nobody answered", () => {
  const turns = turnsOf(
    SESSIONS.debugging?.().user("Can you now check the refresh tokens for the same rounding?") ??
      new TranscriptBuilder(),
  );
  const extract = extractCheckpoint(turns, { embedder });
  assert.match(extract?.coreQuestion ?? "", /— then: Can you now check the refresh tokens/);
  assert.match(extract?.nextStep ?? "", /refresh tokens/);
});

Deno.test("extractCheckpoint() stays within its budget on a long session", () => {
  const builder = new TranscriptBuilder();
  for (let i = 0; i < 300; i++) {
    builder.user(`Step ${i}: please look into module number ${i} and its ${i * 7} open warnings.`)
      .assistant(
        `The problem in module ${i} was caused by ${
          i * 7
        } stale imports, because the generator of version ${i} keeps them. We decided to drop generator ${i} instead of patching it because nobody uses it. Is module ${
          i + 1
        } affected too?`,
      );
  }
  const extract = extractCheckpoint(turnsOf(builder), { embedder });
  assert.ok(extract);
  assert.ok(tokensOf(extract) <= 500, `${tokensOf(extract)}`);
});

Deno.test("findDecisions() takes neither questions nor suppositions nor offers", () => {
  const turns = turnsOf(
    new TranscriptBuilder().user("Should we go with Redis instead of Postgres?").assistant(
      'If we chose Redis, we would need a second service. You could go with SQS rather than Redis. The manual says "we chose Kafka over Pulsar because of its logs". We have not decided on the broker.',
    ),
  );
  assert.deepEqual(findDecisions(turns), []);
});

Deno.test("findDecisions() pairs a question with its short answer", () => {
  const turns = turnsOf(
    new TranscriptBuilder().user("Store the avatars.")
      .assistant("Both work. Do you want the avatars in the database or on disk?")
      .user("On disk, please."),
  );
  assert.deepEqual(findDecisions(turns).map((decision) => decision.text), [
    "Do you want the avatars in the database or on disk? → On disk, please.",
  ]);
});

Deno.test("summarizeSession() keeps no remark beside a question once there is an answer", () => {
  const turns = turnsOf(
    new TranscriptBuilder({ bare: true })
      .user(
        "Which store should the client use for notes while it is offline? Nothing is decided yet.",
      )
      .assistant("We chose SQLite over Realm, because Realm locks us into its sync service."),
  );
  const summary = summarizeSession(turns, { embedder })?.summary ?? "";
  assert.match(summary, /^Which store .* offline\? .*SQLite over Realm/);
  assert.doesNotMatch(summary, /Nothing is decided/);
});

Deno.test("summarizeSession() gives the parts of a session note", () => {
  const summary = summarizeSession(session("refactor"), { embedder, cwd: "/home/user/project" });
  assert.ok(summary);
  assert.match(summary.summary, /^src\/server\.ts has 1,900 lines\. .*1,912 to 1,190 lines/);
  assert.equal(summary.commits.length, 2);
  assert.ok(summary.done.includes("Changed: src/sessions.ts, src/server.ts, src/uploads.ts"));
  assert.match(summary.next[0] ?? "", /mail is the next step/);
  assert.deepEqual(summary.filesTouched, ["src/sessions.ts", "src/server.ts", "src/uploads.ts"]);
  const german = summarizeSession(session("german"), { embedder });
  assert.match(german?.openQuestions[0] ?? "", /Noch offen ist/);
  assert.equal(summarizeSession([]), undefined);
});

Deno.test("extractCheckpoint() quotes what the person said where both voices stand in one paragraph", () => {
  const { reasoningTrace } = extractOf("blockedByLicence");
  assert.match(reasoningTrace, /“We can rewrite that one\.”/);
  assert.match(reasoningTrace, /(?<!“)That rules out the plan as it was\.(?!”)/);
});
