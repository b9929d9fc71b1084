/** A session's parts, of a day as it was played through the real client: nothing is told that was not so. */
import assert from "node:assert/strict";
import { intentsOf } from "../../src/detect/summary/intent.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { tempDir } from "../support/temp_store.ts";
import { exchanged } from "../support/exchanged.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

const CAUSE =
  "The worker dies because `readAll()` in src/import/reader.ts builds one string of the " +
  "whole file, and V8 refuses strings over 512 MB. Three files this week were larger.";
const OPTIONS = "Three ways:\n\n1. **Stream the rows** with a TransformStream. About two days.\n" +
  "2. **Split the files** before the import at 400 MB. Half a day, but quotes break at the seams.\n" +
  "3. **Use a Buffer** and decode per line. One day; memory stays at file size.\n\nI recommend 1.";
const WROTE = [{ name: "Write", input: { file_path: "/p/row_stream.ts" }, result: "written" }];

const summary = (builder: TranscriptBuilder) =>
  summarizeSession(readTranscript(builder.write(tempDir())).turns, { cwd: "/p" });
const day = () =>
  new TranscriptBuilder({ cwd: "/p" }).user(
    "The nightly import stalls on large files, please find out why.",
  )
    .assistant(CAUSE);

Deno.test("summarizeSession() takes no word of going to work for what came out", () => {
  for (
    const last of [
      "I now have everything I need.",
      "Now I have a thorough understanding of the importer.",
      "I'll move the statistics file to the new folder.",
      "Now add the note on the changed module.",
    ]
  ) {
    const { summary } = summarizeSession(
      exchanged("where is the statistics file written, and why there?", last),
    ) ?? {};
    assert.equal(summary, "where is the statistics file written, and why there?", last);
  }
});

Deno.test("summarizeSession() takes nothing that the person may do, or that is seen now, for work done", () => {
  for (
    const said of [
      "You can now import large files by calling `row_stream.ts`.",
      "If you want, I can also move the exporter to streams.",
      "Note: streams make the importer a little longer.",
      "Please try the importer again with the file of Monday.",
      "I can see that the rows are streamed now.",
      "That makes much more sense now.",
    ]
  ) {
    const talk = day().user("stream the rows").assistant("", WROTE).assistant(said);
    assert.deepEqual(summary(talk)?.done.filter((one) => one.includes(said)), [], said);
  }
});

Deno.test("summarizeSession() tells what an answer found that is a table", () => {
  const table = "| Part | What is wrong |\n|---|---|\n" +
    "| Importer | reads the whole file into one string, and dies at 512 MB |\n" +
    "| Exporter | opens a connection for each row that it writes |";
  const asked = "why do the nightly jobs stall on large files?";
  for (const around of [table, `Here is what I found:\n\n${table}\n\nShall I fix the importer?`]) {
    const { summary } = summarizeSession(exchanged(asked, around)) ?? {};
    assert.match(
      summary ?? "",
      /Importer: reads the whole file into one string, and dies at 512 MB/,
    );
  }
  // Where words say it, the table is what they rest on.
  const said =
    "The importer builds one string of the whole file, which is too long for the engine.";
  const { summary } = summarizeSession(exchanged(asked, `${said}\n\n${table}`)) ?? {};
  assert.doesNotMatch(summary ?? "", /Exporter/);
});

Deno.test("summarizeSession() takes no way that was laid out for one that was gone", () => {
  const { done } = summary(
    day().user("what can we do about it?").assistant(OPTIONS)
      .user("stream them").assistant("", WROTE)
      .assistant("Implemented the row stream in row_stream.ts; all 12 tests pass."),
  ) ?? { done: [] };
  assert.deepEqual(done.filter((item) => /Split|Use a Buffer/.test(item)), []);
});

Deno.test("summarizeSession() takes an answer that begins with a trouble for nothing done", () => {
  const { done } = summary(
    day().user("use a buffer then").assistant("", WROTE)
      .assistant("There is a problem: buffers end at 4 GB, and the exports reach 6 GB in January."),
  ) ?? { done: [] };
  assert.deepEqual(done, ["Changed: row_stream.ts"]);
});

Deno.test("summarizeSession() pairs what came out with what was asked for it", () => {
  const two = day().user("start the dev server in the background, on port 8081")
    .assistant("It runs on port 8081.").user("make a list of what is left")
    .assistant("Left: billing/charge.ts first, then export/files.ts.");
  const fixed = "Fixed: src/billing/charge.ts sends a key made of the invoice number, so that a " +
    "repeated request cannot charge a customer twice.";
  const asked = (prompt: string) => summary(two.user(prompt).assistant("", WROTE).assistant(fixed));
  assert.equal(
    asked("go on with the billing one")?.summary,
    `The nightly import stalls on large files, please find out why. → ${fixed}`,
  );
  const design = "design the idempotency key of the billing requests";
  const gone = day().user(design).assistant("It is made of the invoice number.").user(
    "ok, go ahead",
  )
    .assistant("", WROTE).assistant(fixed);
  assert.equal(
    summary(gone)?.summary,
    `The nightly import stalls on large files, please find out why. — then: ${design} → ${fixed}`,
  );
});

Deno.test("summarizeSession() tells no answer as that of another question", () => {
  const cost = "Can we lower the bcrypt cost to 10, so that the tests run faster?";
  const talk = (answer: string) =>
    new TranscriptBuilder({ cwd: "/p" }).user(cost).assistant("No: it stays at 12.")
      .user("what was that about decimal.js?").assistant(answer);
  const because = "It rounds as the ledger does, and adds 32 kB to the bundle of every page.";
  assert.equal(summary(talk(because))?.summary, `what was that about decimal.js? → ${because}`);
  // That something was settled says nothing to who does not know what.
  for (const settled of ["We decided against it.", "Wir haben uns dagegen entschieden."]) {
    const told = summary(talk(settled));
    assert.deepEqual([told?.summary, told?.decisions], [cost, []]);
  }
});

Deno.test("summarizeSession() leads what came out by no request of hours before", () => {
  const long = day();
  for (let n = 0; n < 14; n++) long.user(`and what of case ${n}?`).assistant(`It is case ${n}.`);
  const asked = "why does the passkey login fail on old phones?";
  const found =
    "Their browsers lack the WebAuthn call that attestation needs, so that the login ends " +
    "with an error before the server hears of it at all; 3 percent of the phones are that old.";
  assert.equal(summary(long.user(asked).assistant(found))?.summary, `${asked} → ${found}`);
});

Deno.test("summarizeSession() is known by what it began with while that lasts", () => {
  const asked = "android push notifications don't arrive since we went to the new sdk";
  const worked = (path: string) => [
    { name: "Edit", input: { file_path: `/p/${path}` }, result: "ok" },
  ];
  const titled = (path: string): string | undefined => {
    const long = new TranscriptBuilder({ cwd: "/p" }).user(asked)
      .assistant("The key belongs to another project.");
    for (let n = 0; n < 14; n++) long.user(`and channel ${n}?`).assistant("", worked(path));
    return summary(
      long.user("now bump the version and make the internal build")
        .assistant("The internal build 4.8.1 is queued, it takes fourteen minutes."),
    )?.title;
  };
  assert.equal(titled("src/push/channels.ts"), asked);
  assert.equal(titled("src/cart.ts"), "now bump the version and make the internal build");
});

Deno.test("summarizeSession() concludes with no answer to what the person leaves open", () => {
  const built = new TranscriptBuilder({ cwd: "/p" }).user("build the settings page in radix")
    .assistant("", WROTE)
    .assistant("The settings page is built in Radix and saves each section on its own.");
  const left = "billing waits, the stripe portal or our own ui isn't decided, finance has to say";
  const told = summary(
    built.user(left).assistant(
      "I leave the billing section as it is then, so it keeps its old layout of plain elements.",
    ),
  );
  assert.match(
    told?.summary ?? "",
    /^build the settings page in radix → The settings page is built/,
  );
  assert.deepEqual(told?.openQuestions, [left]);
});

Deno.test("summarizeSession() tells once what is open and ahead", () => {
  const rest = "the prod apply on Thursday, and the open question about the gateways in staging.";
  const committed = summary(day().user("commit it").assistant(`Committed. What remains: ${rest}`));
  assert.deepEqual([committed?.openQuestions, committed?.next], [[], [rest]]);
  const asked = day().user("does batch 3 have the capacitors?").assistant("It is not said there.")
    .user("ok, ill ask dave on monday").assistant("All right.");
  assert.deepEqual([summary(asked)?.openQuestions, summary(asked)?.next], [
    ["does batch 3 have the capacitors? → ill ask dave on monday"],
    [],
  ]);
});

Deno.test("summarizeSession() begins with what was asked, not with where it stood", () => {
  const told = summary(
    new TranscriptBuilder({ cwd: "/p" }).user("good morning! where were we?")
      .assistant("At export/files.ts.").user("right, give export/files.ts an idempotency key too")
      .assistant("", WROTE).assistant("Fixed: src/export/files.ts sends a key as well."),
  )?.summary ?? "";
  assert.match(told, /^right, give export\/files\.ts an idempotency key too → Fixed/);
});

Deno.test("summarizeSession() knows a commit that git was told to be silent about", () => {
  const commits = (command: string, result: string, isError = false) =>
    summary(
      day().user("commit it").assistant("", [{ name: "Bash", input: { command }, result, isError }])
        .assistant("Committed, and nothing else is left to be done here today."),
    )?.commits;
  assert.deepEqual(commits("git add -A && git commit -qm 'import: stream rows'", ""), [
    "import: stream rows",
  ]);
  assert.deepEqual(
    commits("git add a && git commit -qm 'a: one' && git add b && git commit -qm 'b: two'", ""),
    ["a: one", "b: two"],
  );
  assert.deepEqual(
    commits(
      "git commit -q -m \"$(cat <<'EOF'\nimport: stream rows\n\nWhy.\nEOF\n)\"",
      "4f2a import",
    ),
    ["import: stream rows"],
  );
  assert.deepEqual(commits("git commit -m 'a -q b'", "[main 1234567] a -q b\n 1 file changed"), [
    "1234567 a -q b",
  ]);
  assert.deepEqual(commits("git commit -qm 'a b'", "nothing to commit, working tree clean"), []);
  assert.deepEqual(commits("git commit -qm 'a b'", "fatal: empty ident name", true), []);
});

Deno.test("summarizeSession() is known by what was committed, else by what was asked", () => {
  const wrote = day().user("stream the rows then").assistant("", WROTE)
    .assistant("Implemented the row stream in row_stream.ts; all 12 tests pass.");
  const wanted = "The nightly import stalls on large files, please find out why.";
  assert.equal(summary(wrote)?.title, wanted);
  const commit = { name: "Bash", input: { command: "git commit -qm 'import: stream the rows'" } };
  const done = wrote.user("commit").assistant("", [{ ...commit, result: "" }])
    .assistant("Committed.");
  assert.equal(summary(done)?.title, "import: stream the rows");
});

Deno.test("summarizeSession() asks in the person's words, and not in what they pasted", () => {
  const pasted = new TranscriptBuilder({ cwd: "/p" }).user(
    "tracking.test.ts fails in CI since two weeks, never locally. here:\n\n" +
      "FAIL test/tracking.test.ts > groups events by day\nAssertionError: expected 2 to equal 1",
  ).assistant(CAUSE);
  assert.match(
    summary(pasted)?.summary ?? "",
    /^tracking\.test\.ts fails in CI since two weeks, never locally\. → /,
  );
});

Deno.test("summarizeSession() tells what was done, not what was recommended before", () => {
  const done = day().user("what can we do about it?").assistant(OPTIONS).user("stream them")
    .assistant("", WROTE)
    .assistant(
      "Implemented the row stream in row_stream.ts; all 12 tests pass, and memory is flat.",
    );
  assert.match(summary(done)?.summary ?? "", /→ (?:Implemented|The worker dies)/);
});

Deno.test("summarizeSession() leaves a question open in words that are understood alone", () => {
  const open = (answer: string) =>
    summary(day().user("and the replay?").assistant(answer))?.openQuestions;
  assert.deepEqual(
    open(
      "Good idea. Two questions before I build it: should a replay keep the original event id? And how long do we keep dead letters?",
    ),
    ["Should a replay keep the original event id?", "How long do we keep dead letters?"],
  );
  assert.deepEqual(
    open(
      "Options: an estimate from `pg_class`, a counter table, or no total. Which one do you prefer?",
    ),
    ["Options: an estimate from `pg_class`, a counter table, or no total. Which one do you prefer?"],
  );
});

Deno.test("summarizeSession() takes what was put off for what is next", () => {
  const next = (answer: string) =>
    summary(day().user("leave that for later").assistant(answer))?.next;
  assert.deepEqual(next("Fine, the jitter of `poll.ts` is for Monday."), [
    "The jitter of `poll.ts` is for Monday.",
  ]);
});

Deno.test("summarizeSession() tells with what came out what was made of it later", () => {
  const cached = "Forecasts are cached in memory for 10 minutes, because the model runs every 15.";
  const made = () =>
    new TranscriptBuilder({ cwd: "/p" }).user("cache forecasts for 10 minutes, in memory")
      .assistant("", WROTE).assistant(cached);
  const after = (prompt: string, answer: string) =>
    summary(made().user(prompt).assistant("", WROTE).assistant(answer))?.summary;
  const before = `cache forecasts for 10 minutes, in memory → ${cached}`;
  assert.equal(
    after("make it 5 minutes", "5 minutes now instead of 10."),
    `${before} Then: 5 minutes now instead of 10.`,
  );
  // Another 10, of something else, would have to be in what came out; 30 is not: it is where it stopped.
  assert.equal(
    after("wait longer for slow stations", "It is 20 s now instead of 30."),
    `${before} Then: wait longer for slow stations → It is 20 s now instead of 30.`,
  );
});

Deno.test("summarizeSession() tells where it stopped, where the result was said before", () => {
  const talk = day().user("Rename game_name to in_game_name in the tables").assistant("", WROTE)
    .assistant("The columns have the new name.");
  const result = /→ The worker dies because .+ Then: /;
  assert.match(summary(talk)?.summary ?? "", result);
  assert.match(
    summary(talk)?.summary ?? "",
    / Then: Rename game_name to in_game_name in the tables → The columns have the new name\.$/,
  );
  const more = talk.user("yes").assistant("", WROTE).assistant("The queries have it, too.");
  assert.match(
    summary(more)?.summary ?? "",
    / Then: Rename game_name .+ → The queries have it, too\.$/,
  );
  const code = more.user("Remove the comments of the style sheets").assistant("```css\na {}\n```");
  assert.match(summary(code)?.summary ?? "", / Then: Remove the comments of the style sheets$/);
  const saved = code.user("Remember that decision, please, and save where we are.")
    .assistant("Both are saved.");
  assert.match(summary(saved)?.summary ?? "", / Then: Remove the comments of the style sheets$/);
  const cutOff = code.user("Now the comments of the scripts, too").assistant("Let me look:", WROTE);
  assert.match(summary(cutOff)?.summary ?? "", / Then: Remove the comments of the style sheets$/);
});

Deno.test("summarizeSession() tells no ways as the outcome once the person chose", () => {
  const talk = new TranscriptBuilder({ cwd: "/p" })
    .user("how many subjects do I need for the sleep experiment? two groups, d=0.5, power .8")
    .assistant("64 per group, so 128 in all, for d = 0.5, alpha = .05 two-sided, power = .80.")
    .user("I only get 80 from the pool. options?")
    .assistant(
      "Three ways:\n\n1. **Within subjects**: each sleeps and wakes, n = 34 suffices at r = .5; " +
        "carry-over has to be controlled.\n2. **A one-sided test**: 51 per group, still too many." +
        "\n3. **Bayesian sequential design** with a stop at BF 6: expected n is about 70, and it can " +
        "end undecided.\n\nI recommend within subjects with a gap of a week, because 34 leaves room " +
        "for drop-outs.",
    )
    .user("within subjects, but two weeks gap because Ruth saw carry-over after one")
    .assistant(
      "Within subjects with a gap of two weeks, because Ruth saw carry-over after one week in " +
        "experiment 2. n = 34, I would recruit 42.",
    );
  assert.doesNotMatch(summary(talk)?.summary ?? "", /Options:|I recommend/);
});

const ran = (command: string, result: string, isError = false) => [
  { name: "Bash", input: { command }, result, isError },
];

Deno.test("summarizeSession() tells what failed as the session was cut off, whatever it was for", () => {
  const run = "node scripts/backfill.js --from 2026-10-11";
  const cut = day().user("run the backfill").assistant("", ran("node scripts/backfill.js", "ok"))
    .assistant("", ran(run, "inserted 3 rows\nError: SlowDown: reduce your rate\n    at S3", true));
  const failed = `Failed last: \`${run}\` → Error: SlowDown: reduce your rate`;
  assert.deepEqual(summary(cut)?.openQuestions, [failed]);
  const told = cut.assistant("The bucket throttles us, I wait a minute.");
  assert.deepEqual(summary(told)?.openQuestions, []);
  const looked = day().user("where is it?").assistant("", ran("grep -rn backfill src", "", true));
  assert.deepEqual(summary(looked)?.openQuestions, []);
});

Deno.test("summarizeSession() is not called by files that were given along, nor by the first commit", () => {
  const asked = "Cache the daily forecasts in memory for ten minutes";
  const git = { name: "Bash", input: { command: 'git commit -m "Initial commit"' } };
  const talk = new TranscriptBuilder({ cwd: "/p" }).user(`@src/cache.ts @README.md ${asked}`)
    .assistant("", [{ ...git, result: "[main (root-commit) 0d1e2f3] Initial commit" }])
    .assistant("Forecasts are cached.");
  assert.equal(summary(talk)?.title, asked);
});

Deno.test("summarizeSession() is not called by a commit that was reverted", () => {
  const talk = day().user("batches of 100")
    .assistant("", ran("git commit -am x", "[main 1111aaa] consumer: batches of 100"))
    .assistant("The consumer takes 100 at once.").user("roll back, try 10")
    .assistant(
      "",
      ran("git revert --no-edit HEAD", '[main 2222bbb] Revert "consumer: batches of 100"'),
    )
    .assistant("", ran("git commit -am y", "[main 3333ccc] consumer: batches of 10"))
    .assistant("The consumer takes 10 at once.");
  assert.equal(summary(talk)?.title, "consumer: batches of 10");
  assert.equal(summary(talk)?.commits.length, 3);
});

Deno.test("summarizeSession() tells a check that fails as open, and what passes now as run", () => {
  const fails = "--- FAIL: TestClockSkew (0.01s)\nFAIL\tgateway\t0.398s";
  const left = day().user("use the server's clock").assistant("", WROTE)
    .assistant("", ran("go test ./gateway/...", fails, true));
  const open = "Failed last: `go test ./gateway/...` → FAIL: TestClockSkew (0.01s)";
  assert.deepEqual(summary(left)?.openQuestions, [open]);
  assert.deepEqual(summary(left)?.commands, []);
  const built = left.assistant("", ran("npm run build", "error TS2307: no module 'x'", true))
    .user("mend both").assistant("", ran("npm run build", "\n✓ built in 4.0s\n"))
    .assistant("", ran("cd /p && go test ./gateway/... -run Clock", "ok  \tgateway\t0.4s"));
  assert.deepEqual(summary(built)?.openQuestions, []);
  assert.deepEqual(summary(built)?.commands, [
    "`npm run build` → ✓ built in 4.0s",
    "`cd /p && go test ./gateway/... -run Clock` → ok gateway 0.4s",
  ]);
});

Deno.test("summarizeSession() takes no count of nothing and nothing that was only read for a failure", () => {
  const looked = day().user("use the server's clock")
    .assistant("", ran("make check", "# TOTAL: 12\n# PASS:  12\n# FAIL:  0\n# ERROR: 0"))
    .assistant("", ran("cat tests/clock_test.ts", "expect(state).toBe('FAILED');"))
    .assistant("", ran("cd app && git log --oneline -- tests/", "1a2b3c4 mend 2 failed tests"));
  assert.deepEqual(summary(looked)?.openQuestions, []);
  assert.deepEqual(summary(looked)?.commands, ["`make check` → FAIL: 0"]);
  const both = looked.assistant("", ran("cat tests/a.txt && npm test", "2 failed", true));
  assert.equal(summary(both)?.openQuestions.length, 1);
});

Deno.test("summarizeSession() leaves a failure alone after which the work was committed", () => {
  const reproduced = day().user("reproduce it first")
    .assistant("", ran("SEED=1 faketime 'mon 01:12' pytest weekly", "1 failed in 0.88s", true))
    .user("mend it").assistant("", WROTE)
    .assistant("", ran("git commit -qm 'Cut weeks as the report does'", ""));
  assert.deepEqual(summary(reproduced)?.openQuestions, []);
});

Deno.test("summarizeSession() tells what came of the work, and not what was asked aside at its end", () => {
  const done = "Implemented the row stream in row_stream.ts; all 12 tests pass.";
  const worked = () => day().user("stream the rows then").assistant("", WROTE).assistant(done);
  const aside = worked().user("whats the shortcut for format on save in vscode again").assistant(
    "There is no shortcut: set `editor.formatOnSave` to true. To format once, press Shift+Alt+F.",
  ).user("thx").assistant("You're welcome!");
  assert.match(summary(aside)?.summary ?? "", /→ Implemented the row stream/);
  const noted = worked().user("remind me that the parser of the rows has to be pinned")
    .assistant("Noted: the parser of the rows is pinned first, then the next release follows.");
  assert.match(summary(noted)?.summary ?? "", /→ Implemented the row stream/);
});

Deno.test("summarizeSession() pairs what came out with the decision that asked for it", () => {
  const decided = day().user("what can we do about it?").assistant(OPTIONS)
    .user("How large do the exports get in January?").assistant("Up to 6 GB.")
    .user("We stream the rows rather than split the files, because quotes break at the seams.")
    .assistant("", WROTE).assistant(
      "Implemented the transform stream in row_stream.ts; memory stays flat at 40 MB, because " +
        "only one row is held at a time, and all 12 tests pass.",
    );
  assert.match(summary(decided)?.summary ?? "", /then: We stream the rows rather .* → Implemented/);
});

Deno.test("summarizeSession() is known by what was done where the request says nothing alone", () => {
  const both = new TranscriptBuilder({ cwd: "/p" }).user("Do it").assistant("Both of them?")
    .user("Yes, both").assistant("", WROTE)
    .assistant("I migrated the 34 icons to one sprite, which cuts 41 kB from the bundle.")
    .user("leave jquery in then").assistant("It is back for `report.ts` only.");
  assert.match(summary(both)?.title ?? "", /^I migrated the 34 icons to one sprite/);
});

Deno.test("summarizeSession() concludes with no next step, and with nothing of a choice that was taken back", () => {
  const plan = "We use Aurora Global for the second region, because it keeps the lag around 1 s.";
  const turned = "Then a read replica instead of Aurora Global, a minute of lag is fine";
  const up = "The read replica in eu-north-1 is up, with 20 to 40 s of lag.";
  const left = "The service, the failover record and the game day are left for next week.";
  const told = summary(
    day().user("use Aurora Global for the second region, because its lag is low").assistant(plan)
      .user(turned).assistant("", WROTE).assistant(up).user("stop here").assistant(left),
  );
  assert.match(told?.summary ?? "", / → The read replica in eu-north-1 is up/);
  assert.deepEqual(told?.next, [left]);
});

Deno.test("summarizeSession() tells what came of a command that changes something outside", () => {
  const rolled = "The rollback to revision 41 went through, all 6 pods run.";
  const done = (fails: boolean, answer: string) =>
    summary(
      day().user("roll back").assistant("", ran("helm rollback api 41", "Error: busy", fails))
        .assistant(answer).user("and now?").assistant("Nothing else is open here, I think."),
    )?.done;
  assert.deepEqual(done(false, rolled), [rolled]);
  assert.deepEqual(done(true, "The rollback failed twice, because the pool is full."), []);
  const mended = "Pods that failed are started again three times.";
  assert.deepEqual(done(false, mended), [mended]);
});

Deno.test("summarizeSession() tells a decision among the decisions alone", () => {
  const { decisions, done } = summary(
    new TranscriptBuilder({ cwd: "/p" })
      .user("The nightly import stalls on files over 2 GB. Please find out why.")
      .assistant("", WROTE)
      .assistant(
        "The cause is `readAll()` in src/reader.ts: it builds one string of the whole file, and V8 " +
          "refuses strings above 512 MB, so the worker dies with `ERR_STRING_TOO_LONG`. Measured: a " +
          "file of 2.1 GB needs 4.6 GB of memory before it fails after 38 seconds.",
      )
      .user("agreed, we stream the rows. keep the chunk at 64 KB, the NAS reads so")
      .assistant("", WROTE)
      .assistant(
        "Decided: rows are streamed in chunks of 64 KB, because the NAS reads in blocks of that " +
          "size; splitting files was rejected because quoted fields span lines. Next I write the " +
          "tests of `src/row_stream.ts`. Open: how are rows reported that fail half-way?",
      ),
  ) ?? { decisions: [], done: [] };
  assert.match(decisions.join(), /rows are streamed in chunks of 64 KB/);
  assert.deepEqual(done.filter((item) => item.startsWith("Decided")), []);
});

Deno.test("summarizeSession() asks in the words below a heading, not in the heading", () => {
  const issue = "fix this:\n\n### Describe the bug\nUploading a file of 3 GB crashes the worker.";
  assert.match(
    summary(new TranscriptBuilder({ cwd: "/p" }).user(issue).assistant(CAUSE))?.summary ?? "",
    /^Uploading a file of 3 GB crashes the worker\. → /,
  );
});

Deno.test("intentsOf() keeps a title, and what is wanted below 'The mail:'", () => {
  const mail = "The mail:\n\nHi Tom,\n\nplease stream the rows of the import.\n\nBest,\nKaren";
  for (const prompt of ["# Stream the rows of the import\n\nUse Node 22.", mail]) {
    const { turns } = readTranscript(
      new TranscriptBuilder({ cwd: "/p" }).user(prompt).assistant(CAUSE).write(tempDir()),
    );
    assert.match(intentsOf(turns)[0]?.text ?? "", /stream the rows of the import/i);
  }
});

Deno.test("intentsOf() takes no code for what is wanted, though nothing else was sent", () => {
  const pasted = "```\nthrow new Error('cannot charge a card twice');\n```";
  const { turns } = readTranscript(
    new TranscriptBuilder({ cwd: "/p" }).user(pasted).assistant(CAUSE).write(tempDir()),
  );
  assert.deepEqual(intentsOf(turns), []);
});

Deno.test("summarizeSession() knows a mail that was sent on without a word by what it asks", () => {
  const mail =
    "Subject: import\nFrom: k@n.example\n\nHi Tom,\n\nwhy does the import stall on large " +
    "files?\n\nBest,\nKaren";
  const told = summary(new TranscriptBuilder({ cwd: "/p" }).user(mail).assistant(CAUSE));
  assert.match(told?.summary ?? "", /import.* → The worker dies/);
});

Deno.test("summarizeSession() keeps what is to be asked again, in German too", () => {
  const open = "Offen ist die Freigabe der Fachabteilung für `TestRabattKette`.";
  const told = summary(
    day().user("gut. und frag mich morgen nochmal wegen der freigabe").assistant(open),
  );
  assert.deepEqual(told?.openQuestions, [open]);
  assert.deepEqual(told?.next, ["und frag mich morgen nochmal wegen der freigabe"]);
});

Deno.test("summarizeSession() leaves a question open that the person put off", () => {
  const question = "Should the cap hold for the sum, or only for the base?";
  const asked = day().user("add a backoff").assistant(`The jitter is added to it. ${question}`);
  const open = (prompt: string) =>
    summary(
      new TranscriptBuilder({ cwd: "/p" }).user("add a backoff").assistant(
        `The jitter is added to it. ${question}`,
      ).user(prompt).assistant("Fine, the test of the jitter stays as it is."),
    )?.openQuestions;
  assert.deepEqual(summary(asked)?.openQuestions, [question]);
  for (const prompt of ["let me think about it, bbl", "das muss ich mir noch überlegen"]) {
    assert.deepEqual(open(prompt), [question]);
  }
  assert.deepEqual(open("for the sum"), []);
  for (
    const settled of [
      "the base, I'll check the totals myself",
      "only the base. ask me later about the rest",
      "base, and I have to check in at the hotel now",
    ]
  ) {
    assert.deepEqual(open(settled), [], settled);
  }
});

Deno.test("summarizeSession() calls a file that was moved by its name of now", () => {
  const moved = day().user("call it rows.ts").assistant("", WROTE)
    .assistant("", ran("git mv row_stream.ts src/rows.ts && git mv a.ts b.ts", ""));
  assert.deepEqual(summary(moved)?.filesTouched, ["src/rows.ts"]);
});

Deno.test("summarizeSession() names no file as changed that was removed since", () => {
  const touched = (command: string, isError = false) =>
    summary(
      day().user("stream the rows").assistant("", WROTE)
        .assistant("", [{ name: "Write", input: { file_path: "/p/old/a.ts" }, result: "written" }])
        .assistant("", ran(command, "", isError)),
    )?.filesTouched;
  for (
    const removes of [
      "rm old/a.ts",
      "rm -f ./old/a.ts tmp.bin",
      "rm -rf old/ && npm run build",
      "git rm -q 'old/a.ts'",
      "npm test; rm /p/old/a.ts 2>/dev/null",
      "cd old && rm a.ts",
      "rm old/a.ts && head -n 3 b.ts",
      "cd /p/old; rm a.ts",
    ]
  ) {
    assert.deepEqual(touched(removes), ["row_stream.ts"], removes);
  }
  for (
    const leaves of [
      "docker run --rm old/a.ts",
      "git rm --cached old/a.ts",
      "git rm -n old/a.ts",
      "git rm -r --dry-run old",
      "cd /tmp && rm old/a.ts",
      "cd /tmp && rm -rf old",
      "rm old/a.tsx a.ts",
      "rm -rf ol",
      "npm rm old",
      "grep -rn rm old/a.ts",
      "echo rm old/a.ts",
      "rm b.ts && cat old/a.ts",
      "rm b.ts > old/a.ts",
      "cat > clean.sh <<'EOF'\nrm old/a.ts\nEOF",
    ]
  ) {
    assert.deepEqual(touched(leaves), ["row_stream.ts", "old/a.ts"], leaves);
  }
  assert.deepEqual(touched("rm old/a.ts", true), ["row_stream.ts", "old/a.ts"]);
  const anew = day().user("stream the rows").assistant("", WROTE)
    .assistant("", ran("rm row_stream.ts", "")).assistant("", WROTE);
  assert.deepEqual(summary(anew)?.filesTouched, ["row_stream.ts"]);
});

Deno.test("summarizeSession() leaves no question open that was answered in the same breath", () => {
  const told = summary(
    day().user("deploy it").assistant(
      "Is it merged into the deploy branch? Not yet: PR 771 still needs one approval before that.",
    ),
  );
  assert.deepEqual(told?.openQuestions, []);
  assert.deepEqual(told?.next, ["Not yet: PR 771 still needs one approval before that."]);
});

Deno.test("summarizeSession() tells what came out also where its file was changed once more", () => {
  const found = "`row_stream.ts` fails as wanted: 0.125 is rounded to 0.12, because the rounding " +
    "goes to the even number by default.";
  const told = summary(
    new TranscriptBuilder({ cwd: "/p" }).user("write a test that shows the rounding of VAT")
      .assistant("", WROTE).assistant(found).user("commit it").assistant("", WROTE)
      .assistant("Committed as 1a2b3c4."),
  );
  assert.ok(told?.summary.endsWith(`→ ${found}`), told?.summary);
});

Deno.test("summarizeSession() leaves open what the person has to ask somebody else", () => {
  const open = (prompt: string, ...then: string[]) => {
    const talk = day().user("load the table").assistant("It has 184,302 rows.").user(prompt)
      .assistant("Noted: before the calibration, ask Priya which threshold is used.");
    for (const one of then) talk.user("and?").assistant(one);
    return summary(talk)?.openQuestions;
  };
  const asked = "which threshold does marketing use for the calibration?";
  const told = [`${asked} need to ask Priya`];
  assert.deepEqual(open(`stop here. ${asked} need to ask Priya`), told);
  const later = "Marketing has no threshold for the calibration, Priya said.";
  assert.deepEqual(open(`${asked} need to ask Priya`, later), []);
  const labelled = "noch offen: was wird aus den alten apps mit 30 tage sessions";
  assert.deepEqual(open(labelled), ["was wird aus den alten apps mit 30 tage sessions"]);
  assert.deepEqual(open(asked), []);
  for (
    const whom of [
      "Ich muss Priya fragen.",
      "da muss ich erst die Buchhaltung fragen",
      "I'll ask marketing on monday",
      "I have to discuss that with legal",
      "tengo que preguntarle a Priya",
    ]
  ) {
    assert.deepEqual(open(`${asked} ${whom}`), [`${asked} ${whom}`]);
  }
  for (
    const stated of [
      "Das mit den 31 Duplikaten muss ich erst mit der Buchhaltung klären, bitte noch nichts löschen!",
      "I have to check the retention with legal first, please delete nothing yet",
      "we need to ask Claire whether PayPal stays",
      "il faut demander à Claire si on garde PayPal",
      "tengo que aclarar los precios con ventas",
    ]
  ) {
    assert.deepEqual(open(stated), [stated], stated);
  }
  for (const here of ["I have to check that with you", "we need to ask for the token"]) {
    assert.deepEqual(open(here), [], here);
  }
  for (
    const here of [
      "I need to ask something else first",
      "I want to ask whether it is the same",
      "muss ich dich noch mal fragen",
      "Da muss ich mich fragen, wozu das gut ist.",
      "I want to ask you",
      "I have to ask again",
      "sorry that I need to ask",
      "I have to ask because I am new",
      "Ich muss dich das fragen.",
    ]
  ) {
    assert.deepEqual(open(`${asked} ${here}`), [], here);
  }
});

Deno.test("summarizeSession() is named by the work where a prompt is a log or the client's own line", () => {
  for (
    const pasted of [
      "Nov 29 13:23:30 web-1 systemd[1]: nginx.service: Main process exited, code=exited\n" +
      "Nov 29 13:23:31 web-1 systemd[1]: Failed to start a high performance web server.",
      "2026-11-02 10:11:12,123 ERROR worker-3 failed to read frame 1144: connection reset by peer",
      "I0602 10:11:12.123456   1 main.go:44] starting the controller with its second config",
      'time="2026-11-29T10:00:00Z" level=error msg="cannot pull the image from the registry"',
      'web-1  | 172.18.0.1 - - "GET /api/orders HTTP/1.1" 500 1123\nweb-1  | cannot read the orders',
      'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      "API Error (Connection error.) · Retrying in 4 seconds… (attempt 3/10)",
      '@agent Continue: "Continue to iterate?"',
    ]
  ) {
    const work = new TranscriptBuilder({ cwd: "/p" }).user(pasted).assistant("", WROTE)
      .assistant("The reader waits 30 seconds now, because the broker closes idle connections.");
    const named = "The reader waits 30 seconds now, because the broker closes idle connections.";
    assert.equal(summary(work)?.title, named, pasted);
    work.user("split the importer into two files").assistant("Both files are there.");
    assert.equal(summary(work)?.title, "split the importer into two files", pasted);
  }
});

Deno.test("summarizeSession() takes none of what the client prints into an answer for what came out", () => {
  const rule = "─".repeat(37);
  const asked = "why do two requests get each other's answers?";
  const cause = "The parser keeps one buffer for each connection, so that two requests share it.";
  for (
    const answer of [
      `\`★ Insight ${rule}\`\n${cause}\n\`${rule}${rule}\``,
      `${cause}\n\nAPI Error: Connection closed mid-response. The response above may be incomplete.`,
    ]
  ) assert.equal(summarizeSession(exchanged(asked, answer))?.summary, `${asked} → ${cause}`);
  assert.equal(
    summarizeSession(exchanged(asked, "API Error: Request was aborted by the user."))?.summary,
    asked,
  );
});

Deno.test("summarizeSession() knows what somebody pasted by what went wrong in it", () => {
  const trace = "java.lang.OutOfMemoryError: Java heap space\n" +
    "\tat java.base/java.util.Arrays.copyOf(Arrays.java:3537)\n\tat app.Job.run(Job.java:41)";
  const alone = summary(
    new TranscriptBuilder({ cwd: "/p" }).user(trace)
      .assistant("The renderer builds the whole document in memory.").user("do that")
      .assistant("", WROTE).assistant("It streams into a file now, in parts of 64 KB."),
  );
  assert.equal(alone?.title, "java.lang.OutOfMemoryError: Java heap space");
  const asked = summary(
    new TranscriptBuilder({ cwd: "/p" }).user(
      `getting this\n\n\`\`\`\n${trace}\n\`\`\`\n\nany idea?`,
    )
      .assistant("The renderer builds the whole document in memory."),
  );
  assert.match(asked?.summary ?? "", /^java\.lang\.OutOfMemoryError: Java heap space — any idea\?/);
  assert.equal(summary(new TranscriptBuilder().user("thanks").assistant("Gladly.")), undefined);
});

Deno.test("summarizeSession() tells the deed for done, and not the reason in front of it", () => {
  const done = (answer: string) =>
    summary(day().user("it still overlaps").assistant("", WROTE).assistant(answer))?.done[0];
  const why = "On the small one the bar wraps to two lines, so it is 96 px high.";
  assert.equal(
    done(`${why} I lowered its gap below 380 px.`),
    "I lowered its gap below 380 px.",
  );
  assert.equal(done(`${why} Nobody knew that.`), why);
});

Deno.test("summarizeSession() tells what was done since about what came out", () => {
  const told = summary(
    new TranscriptBuilder({ cwd: "/p" }).user("can the queue listen instead of polling?")
      .assistant(
        "pg-boss has no LISTEN, so a job starts 2 seconds late, because it polls; graphile-worker " +
          "listens and starts jobs in 3 ms.",
      )
      .user("then graphile-worker").assistant("", WROTE)
      .assistant("The queue now runs on graphile-worker instead of pg-boss."),
  )?.summary ?? "";
  assert.ok(told.endsWith("The queue now runs on graphile-worker instead of pg-boss."), told);
});

Deno.test("summarizeSession() concludes with no failure that was overcome, and no proposal that was taken", () => {
  const shipped = summary(
    new TranscriptBuilder({ cwd: "/p" }).user("can we ship a web build to the store tonight")
      .assistant("", ran("godot --export Web", "ERROR: template not found", true))
      .assistant("The export fails because the templates for 4.3 aren't installed here.")
      .user("done").assistant("", ran("godot --export Web", "export done"))
      .assistant("Exported and pushed to the store as me/slime:web."),
  )?.summary ?? "";
  assert.ok(shipped.endsWith("→ Exported and pushed to the store as me/slime:web."), shipped);
  const raised = summary(
    day().user("stack watermark of the can task is 38 words btw")
      .assistant("38 words is thin. I'd raise the stack of the task from 128 to 256 words.")
      .user("yes do that too").assistant("", WROTE).assistant("The stack is 256 words now."),
  )?.summary ?? "";
  assert.doesNotMatch(raised, /I'd raise/);
});

Deno.test("summarizeSession() tells nothing for done that the next prompt took back", () => {
  const told = summary(
    day().user("the jump is stiff").assistant("", WROTE).assistant("Coyote time is 0.1 s now.")
      .user("try .15").assistant("", WROTE).assistant("Coyote time is 0.15 s now.")
      .user("too floaty. back to .1").assistant("", WROTE).assistant("Back to 0.1 s."),
  );
  assert.doesNotMatch(JSON.stringify(told), /0\.15/);
});

Deno.test("summarizeSession() tells what stands after a person changed their mind, in any language", () => {
  const told = (after: string, said: string) =>
    summary(
      new TranscriptBuilder({ cwd: "/p" }).user("aligne le bouton Valider avec le total du panier")
        .assistant("", WROTE).assistant("Le bouton est aligné à droite, sous le total.")
        .user("mets-le fixe en bas de la page").assistant("", WROTE)
        .assistant("Le bouton est fixe en bas de l'écran sur mobile (`position: fixed`).")
        .user(after).assistant("", WROTE).assistant(said),
    )?.summary ?? "";
  const sticky = "Revenu à `position: sticky`, avec `will-change: transform` sur Safari.";
  assert.ok(
    told("finalement non, fixe ça cache le code promo. remets sticky", sticky)
      .endsWith(sticky),
  );
});

Deno.test("summarizeSession() tells nothing for what came out that was dropped right after", () => {
  const told = (prompt: string, answer: string) =>
    summary(
      new TranscriptBuilder({ cwd: "/p" }).user("try the letterhead with a fixed height of 3 cm")
        .assistant("", WROTE)
        .assistant("The letterhead has a fixed height of 3 cm; the measuring is gone.")
        .user(prompt).assistant(answer),
    );
  for (
    const [prompt, answer] of [
      ["no that breaks tall logos, drop this branch", "Dropped: nothing of it is committed."],
      ["nope, scrap it, tall logos overflow", "Reverted, the logo is measured again."],
      ["undo that", "Rolled back: the file is as it was before."],
    ] as const
  ) {
    assert.doesNotMatch(JSON.stringify(told(prompt, answer)), /measuring is gone/, prompt);
  }
  const kept = told("drop the old branch on the server", "The branch is deleted on the server.");
  assert.match(JSON.stringify(kept), /measuring is gone/);
});

Deno.test("summarizeSession() pairs an answer with a question in a hurry, and not with what was asked before", () => {
  const told = summary(
    new TranscriptBuilder({ cwd: "/p" }).user(
      "Claire a dit qu'on enlève PayPal de la page de paiement",
    )
      .assistant("", WROTE).assistant("PayPal est retiré de `Paiement.vue`.")
      .user("c'est quoi cette erreur")
      .assistant("C'est la CSP : `connect-src` n'autorise pas `api.stripe.com`."),
  )?.summary ?? "";
  assert.doesNotMatch(told, /PayPal[^→]*→ C'est la CSP/);
});

Deno.test("summarizeSession() keeps a reminder until it is done, and one step of two that say it", () => {
  const reminded = (...then: string[]) => {
    const talk = day().user("remind me to bump the version code before the play upload")
      .assistant("Will do: the version code before the Play upload.");
    for (const one of then) talk.user("and?").assistant(one);
    return summary(talk)?.next.filter((step) => step.startsWith("remind"));
  };
  assert.equal(reminded("The queue drains.")?.length, 1);
  assert.deepEqual(reminded("The version code is bumped to 42 for the play upload."), []);
  const rule = "What remains is the lint rule that forbids knex outside of the repositories.";
  const next = summary(
    day().user("flags then").assistant(rule).user("good. rule tomorrow")
      .assistant("Okay, the lint rule tomorrow."),
  )?.next;
  assert.deepEqual(next, [rule]);
});

Deno.test("summarizeSession() leaves no question open that is asked for effect", () => {
  const open = (answer: string) =>
    summary(day().user("erasing stalls the CPU").assistant(answer))?.openQuestions;
  assert.deepEqual(
    open("Run the handler from CCM memory? CCM memory is not executable on this chip."),
    [],
  );
  const asked = "Should the handler run from CCM memory on this chip?";
  assert.deepEqual(open(`${asked} CCM memory is fast.`), [asked]);
});

Deno.test("summarizeSession() tells no way for the outcome that was laid out by its letter and not taken", () => {
  const talk = new TranscriptBuilder({ cwd: "/p" })
    .user("p99 of the search is 8 s since 02:10, please have a look")
    .assistant(
      "One pod does everything: the client takes the first address of the headless service.",
    )
    .user("what can we do right now?")
    .assistant(
      "Three ways:\n\nA. Restart the busy pod, which helps until the next turn of the addresses.\n" +
        "B. Switch the service to ClusterIP, one line, spreads by itself.\n" +
        "C. Switch the client to round robin, clean, needs a release.\n\nI'd do B now and C later.",
    )
    .user("B now. C as a ticket").assistant("", WROTE).assistant("B is rolled out: p99 is 210 ms.");
  const told = summary(talk);
  assert.doesNotMatch(told?.summary ?? "", /Restart the busy pod|round robin/);
  assert.deepEqual(told?.decisions, [
    "B: Switch the service to ClusterIP — B now. C as a ticket (C: Switch the client to round robin)",
  ]);
});

Deno.test("summarizeSession() tells nothing that still was, of a file called as people call it", () => {
  const changed = (file: string) => [{ name: "Edit", input: { file_path: file }, result: "ok" }];
  const told = summary(
    day().user("revert 815").assistant("", ran("git revert 9f8e7d6", "[main 1122aab] Revert"))
      .assistant("Reverted #815 as 1122aab; all tests pass. The changelog still lists #815.")
      .user("remove it there").assistant("", changed("/p/CHANGELOG.md")).assistant("Removed."),
  );
  assert.doesNotMatch(JSON.stringify(told), /still lists/);
});

Deno.test("summarizeSession() keeps what was put off, however much was said since", () => {
  const put = "The other two packages are left for the next sprint.";
  const talk = day().user("patch ws, the others next sprint").assistant(`It is patched. ${put}`)
    .user("did anybody use it?").assistant("The log of 30 days shows no such request.")
    .user("since when is the log kept?").assistant("It goes back to the 24th of October.")
    .user("fine").assistant("Good.");
  assert.deepEqual(summary(talk)?.next, [put]);
});

const LOOKED_AT = [
  "I asked the registry for the version and it answered 1.4.",
  "I stepped through the loader with the debugger.",
  "I walked through the three call sites.",
  "I scanned the logs of the last week.",
  "I queried the table and found 12 duplicates.",
  "I tested it with Safari, and it does not happen there.",
  "I matched the timestamps with the deploys.",
  "I checked the config, it is fine.",
  "I printed the value right before the call.",
  "I profiled it, and most time is spent in JSON.parse.",
  "I ended up in the same place as yesterday.",
  "I received a 403 from the registry.",
  "I replayed the request with curl.",
  "I grepped for it and found nothing.",
  "I fetched the page and it is empty.",
  "I parsed the log, 14 % of lines are errors.",
  "I doubted that at first, but it is true.",
  "I assumed that the cache is warm.",
  "I visited the page, it redirects to login.",
  "I joined both tables, 12 rows are missing.",
  "I compared both versions of it.",
  "I took a look at the pool settings.",
  "I made sure that the file exists.",
  "I made an assumption about the order.",
  "I set a breakpoint there and it is never hit.",
  "I gave it three tries, all of them failed.",
  "I built it locally and saw the same error.",
  "I proposed that above, it still holds.",
  "It is now clear where the time goes.",
  "What we know is now enough to decide.",
  "The question is now which of them you want.",
  "The error is now a different one: ECONNREFUSED.",
  "The job now uses 3 GB and is killed.",
  "It now returns 500 for every id.",
  "The import is now at 41 %.",
  "Bisher habe ich nur die Logs gelesen.",
  "Die Ursache sind jetzt zwei Zeilen.",
  "Es ist jetzt klar, woran es liegt.",
  "Created in 2019, the table has no index.",
  "Moved files are not seen by the watcher.",
  "Added latency comes from the proxy, 40 ms.",
  "Deployed versions differ: 1.4 on a, 1.5 on b.",
  "Removed users still have their sessions.",
  "Installed packages are not the cause.",
  "Updated entries are evicted first by this cache.",
  "Split brains are not possible with one writer.",
];

Deno.test("summarizeSession() tells no look at things, and nothing that is so, as work that was done", () => {
  const told = (said: string) =>
    summary(
      day().user("the importer is slow since the update, why?").assistant(
        "The root cause is the pool: it waits for a connection that nobody gives back.\n\n" +
          `${said}\n\nThe second replica answers within twelve milliseconds.`,
      ),
    );
  const changed = told("I raised the pool to 16 connections.");
  assert.match([changed?.summary, ...changed?.done ?? []].join("\n"), /16 connections/);
  assert.deepEqual(LOOKED_AT.filter((said) => told(said)?.done.length !== 0), []);
});

const ONE_FILE = [{ name: "Edit", input: { file_path: "/p/main.py" }, result: "updated" }];
const changed = (...said: string[]) =>
  summary(said.reduce(
    (builder, text, i) =>
      i % 2 === 0 ? builder.user(text) : builder.assistant("", ONE_FILE).assistant(text),
    new TranscriptBuilder({ cwd: "/p" }),
  ));

Deno.test("summarizeSession() tells what was made otherwise right after, however shortly it was said", () => {
  const sends = "It sends a Telegram message when the soil is dry.";
  const otherwise = "nah use ntfy → It uses ntfy now.";
  const refused = changed("telegram message when dry", sends, "nah use ntfy", "It uses ntfy now.");
  assert.equal(refused?.summary, `telegram message when dry. Then: ${otherwise}`);
  assert.equal(JSON.stringify(refused).includes(sends), false);
  const cup = changed(
    "cups to millilitres please",
    "A cup is 240 ml in this script.",
    "250",
    "Changed.",
  );
  assert.match(cup?.summary ?? "", / Then: 250 → Changed\.$/);
});

Deno.test("summarizeSession() tells the last of two figures, whatever the reason", () => {
  const told = (first: string, answer: string, second: string, then: string) => {
    const { summary = "", done = [] } = changed(first, answer, second, then) ?? {};
    return [summary, ...done].join("\n");
  };
  const hits = "It shows 50 hits on a page.";
  for (
    const [said, then] of [
      ["hm the reading room pcs are slow, 25", "25 hits."],
      ["actually 25, anything above that is a screen that nobody scrolls on those pcs", "25 now."],
      ["too much on the small ones. make it 10% of them", "A tenth."],
    ] as const
  ) {
    const all = told("page size 50", hits, said, then);
    assert.ok(all.includes(`${said} → ${then}`), all);
  }
  for (
    const said of [
      "give up after 24 hours. no hang on, some are out for 3 days. 72",
      "give up after 24... nah, weekends. 72",
      "24 hours, no 72",
    ]
  ) {
    const all = told("it retries", "It does.", said, "It gives up after 72 hours.");
    assert.ok(all.includes(" → It gives up after 72 hours."), all);
  }
  // The first figure there is for what was done before.
  const box = "Backups go to the storage box, nightly.";
  assert.ok(told("9 days no thanks. the box", box, "at 3. hmm no. 4:30", "04:30.").includes(box));
});

Deno.test("summarizeSession() tells the last figure, whatever was done in between", () => {
  const { summary = "", done = [] } = summarizeSession(exchanged(
    "shared_buffers 32GB on the new one",
    ["shared_buffers is 32GB.", "/p/pg.conf"],
    "then work_mem 48MB",
    ["work_mem is 48MB for each of the connections.", "/p/pg.conf"],
    "huge pages on",
    ["huge_pages is on for the whole server.", "/p/pg.conf"],
    "scratch the 32GB btw, the new box only has 96. 24GB",
    ["shared_buffers is 24GB.", "/p/pg.conf"],
    "cap frames at 16M",
    ["Frames above 16 MiB close the connection.", "/p/frame.cpp"],
    "add tests",
    ["Two tests are added and 88 pass.", "/p/frame.cpp"],
    "8M. mobile carriers",
    ["The cap is 8 MiB.", "/p/frame.cpp"],
  )) ?? {};
  const told = [summary, ...done].join("\n");
  for (const one of ["shared_buffers is 24GB.", "work_mem is 48MB", "The cap is 8 MiB."]) {
    assert.ok(told.includes(one), `${one} in ${told}`);
  }
  assert.ok(!told.includes("shared_buffers is 32GB"), told);
  assert.ok(!told.includes("16 MiB"), told);
});

Deno.test("summarizeSession() takes how it is 'as now' for nothing done", () => {
  const { done = [] } = summarizeSession(exchanged(
    "which acceptor, and what work_mem?",
    "Two ways: epoll with edge triggering as now; or io_uring, which needs a new kernel.",
    "epoll. and work_mem?",
    "It takes 64 MB as now; with 400 connections the worst case is 25 GB.",
  )) ?? {};
  assert.deepEqual(done, []);
});

Deno.test("summarizeSession() tells once what was made otherwise", () => {
  const told = changed(
    "telegram message when dry",
    "It sends a Telegram message when the soil is dry.",
    "nah use ntfy",
    "It uses ntfy now.",
  );
  assert.deepEqual(told?.done, ["Changed: main.py"]);
});

Deno.test("summarizeSession() takes an order for no correction of what was done before it", () => {
  const waits = "The retry waits 30 seconds and gives up after 5 tries.";
  for (
    const said of [
      "no problem, now the header",
      "wait for the tests, then commit",
      "pump 3 seconds",
      "also 3 workers",
      "30 seconds is fine, now cap the queue at 200",
      "test it with 100 rows",
      "rather nice! now the other one",
      "better error message for the 404 please",
      "non-blocking please",
      "no one uses the old route, delete it",
    ]
  ) {
    const { summary = "", done = [] } = changed("make the retry wait", waits, said, "Done.") ?? {};
    assert.ok([summary, ...done].some((text) => text.includes(waits)), said);
    assert.doesNotMatch([summary, ...done].join(), / → Done\./, said);
  }
});

Deno.test("summarizeSession() takes what was ripped out for nothing done", () => {
  const { done = [] } = changed(
    "let's try an inventory",
    "Implemented a first inventory with eight slots.",
    "a moss creature has no pockets. rip it out",
    "Removed.",
  ) ?? {};
  assert.deepEqual(done, ["Changed: main.py"]);
});

Deno.test("summarizeSession() takes an answer to a command that failed for nothing done", () => {
  const failed = [...ONE_FILE, {
    name: "Bash",
    input: { command: "node --test" },
    result: "SyntaxError: Cannot use import statement outside a module",
    isError: true,
  }];
  const { done = [] } = summary(
    day().user("start with the exports map").assistant("", failed)
      .assistant("The cjs tests break, of course. They have to be renamed."),
  ) ?? {};
  assert.deepEqual(done, ["Changed: main.py"]);
});

Deno.test("summarizeSession() keeps the commands that deploy, and those that a person typed", () => {
  const ran = (prompt: string, command: string, result: string, isError = false) =>
    summary(
      day().user(prompt).assistant("", [{ name: "Bash", input: { command }, result, isError }])
        .assistant("That is what came of it."),
    )?.commands;
  const push = "butler push build lena/mossling:web";
  assert.deepEqual(ran(`put it on itch: \`${push}\``, push, "Build is processing"), [
    `\`${push}\` → Build is processing`,
  ]);
  assert.deepEqual(ran("try again", "./deploy.sh", "deployed 16:09"), [
    "`./deploy.sh` → deployed 16:09",
  ]);
  assert.deepEqual(ran("restart it", "systemctl restart api", ""), [
    "`systemctl restart api` → passed",
  ]);
  for (
    const [command, isError] of [
      ["./deploy.sh", true],
      ["kubectl logs deploy/api --tail=3", false],
      ["kubectl get deploy", false],
      ["cat deploy/api.yaml", false],
      ['git commit -m "deploy on friday"', false],
      ["ls", false],
    ] as const
  ) assert.deepEqual(ran("look at it, ls", command, "x", isError), [], command);
});

Deno.test("summarizeSession() tells the answer to a prompt, and not what a background task woke the agent to say", () => {
  const cause =
    "The importer stalls because it collects all rows before the first write. I decided to stream the rows in batches of 500, because memory then stays at 40 MB.";
  const told = summary(
    new TranscriptBuilder().user("Why does the importer stall on large files?")
      .assistant(`${cause} The benchmark runs in the background.`)
      .user("<task-notification>\n<task-id>b1</task-id>\n</task-notification>")
      .assistant("", ran("cat bench.log", "3 s"))
      .assistant("The benchmark is through in 3 s."),
  );
  assert.equal(told?.summary, `Why does the importer stall on large files? → ${cause}`);
});

Deno.test("summarizeSession() names the files that were changed last", () => {
  const edits = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "a"].map((name) => ({
    name: "Edit",
    input: { file_path: `/p/${name}.ts` },
    result: "updated",
  }));
  const { done = [], filesTouched = [] } =
    summary(day().user("split the importer").assistant("It is split.", edits)) ?? {};
  assert.equal(
    done.find((one) => one.startsWith("Changed: ")),
    "Changed: d.ts, e.ts, f.ts, g.ts, h.ts, i.ts, j.ts, a.ts and 2 more",
  );
  assert.equal(filesTouched.length, 10);
});

Deno.test("summarizeSession() tells work that waits for its last step as next, and not as done too", () => {
  const waits = "Committed the order of the lockers as `4f1c2aa` on the branch (not pushed).";
  const told = changed("sort the lockers by floor", `The lockers are sorted by floor. ${waits}`);
  assert.deepEqual(told?.next, [waits]);
  assert.equal(told?.done.includes(waits), false);
});
