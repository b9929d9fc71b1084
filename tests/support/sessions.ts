/**
 * Made-up sessions that read like real ones: what people ask, how agents answer, what tools print. For
 * extraction and detection. Every test that needs a conversation takes one of these.
 */
import { TranscriptBuilder } from "./transcript.ts";

const read = (path: string, result = "1\timport x\n2\t…") => ({
  name: "Read",
  input: { file_path: `/home/user/project/${path}` },
  result,
});
const edit = (path: string) => ({
  name: "Edit",
  input: { file_path: `/home/user/project/${path}`, old_string: "a", new_string: "b" },
  result: `The file /home/user/project/${path} has been updated.`,
});
const bash = (command: string, result: string, isError?: boolean) => ({
  name: "Bash",
  input: { command, description: "Run it" },
  result,
  ...(isError === undefined ? {} : { isError }),
});

export const SESSIONS: Readonly<Record<string, () => TranscriptBuilder>> = {
  debugging,
  designChoice,
  blockedByLicence,
  refactor,
  chatOnly,
  german,
};

function debugging(): TranscriptBuilder {
  return new TranscriptBuilder()
    .user(
      "The login test fails on CI about one run in five, but never on my machine. Can you find out why?",
    )
    .assistant("Let me look at the test first.", [
      read("tests/login_test.ts"),
      bash(
        "npm test -- login",
        "FAIL tests/login_test.ts\n  ● login › rejects an expired token\n    TokenError: token used before issued: iat is 1764230402, now is 1764230401\n      at verify (/home/user/project/src/auth/verify.ts:41:11)\nTests: 1 failed, 11 passed, 12 total",
        true,
      ),
    ])
    .assistant(
      "The failing case is `rejects an expired token`. The token's issue time lies one second in the future, so the clock that signs and the clock that verifies disagree.\n\nLet me check where the two clocks come from.",
      [read("src/auth/sign.ts"), read("src/auth/verify.ts")],
    )
    .assistant(
      "`sign.ts` rounds the time up with `Math.ceil(Date.now() / 1000)`, `verify.ts` rounds down with `Math.floor`. Within the same second the verifier is up to one second behind the signer.",
    )
    .user("ok, and why only on CI?")
    .assistant(
      "On CI signing and verification run in the same process within 3 ms, so in 18% of runs both fall before the half-second mark. On your machine the database start in between takes 1.4 s, which hides the difference.",
    )
    .user("Please fix it, and make sure that it cannot come back.")
    .assistant("I'll change the rounding and add a test with a fixed clock.", [
      edit("src/auth/sign.ts"),
      edit("tests/login_test.ts"),
      bash("npm test -- login", "PASS tests/login_test.ts\nTests: 14 passed, 14 total"),
    ])
    .assistant(
      "## Root cause\n\nThe flaky login test was caused by two rounding rules: `sign.ts` rounded the issue time up and `verify.ts` rounded it down, so a token could be one second in the future.\n\n## Fix\n\n- Both now use `Math.floor`, and `verify.ts` allows 5 seconds of clock skew.\n- A new test pins the clock at x.999 s and fails without the fix.\n\nI ran the login tests 200 times without a failure. It is not yet verified whether the refresh-token path has the same rounding.",
    );
}

function designChoice(): TranscriptBuilder {
  const question = "Where should background jobs be kept?";
  return new TranscriptBuilder()
    .user(
      "We need background jobs for sending invoices. What are our options, given that we already run Postgres?",
    )
    .assistant(
      "There are three realistic ways to run background jobs here:\n\n| | Postgres queue | Redis + BullMQ | SQS |\n|---|---|---|---|\n| New parts | none | Redis | AWS account |\n| Throughput | 2,000 jobs/s | 20,000 jobs/s | unlimited |\n| Transactional with data | yes | no | no |\n\nA Postgres queue with `SKIP LOCKED` writes the job in the same transaction as the invoice, so no invoice is lost when the process dies. Redis is ten times faster, at the price of one more service to run and back up. SQS needs network access from the test environment, which you do not have today.\n\nYour volume is about 40 invoices per minute, far below what Postgres can do.",
    )
    .user("How would retries work with Postgres?")
    .assistant(
      "Each job row has `attempts` and `run_at`; a failed job is put back with exponential backoff up to 1 hour. After 8 attempts it moves to `dead_jobs`, where a person can look at it.",
    )
    .user("And monitoring?")
    .assistant(
      "One gauge for the age of the oldest waiting job is enough to begin with. I have a question before I plan this.",
      [{
        name: "AskUserQuestion",
        input: {
          questions: [{
            question,
            header: "Queue",
            options: [
              { label: "Postgres", description: "no new service" },
              { label: "Redis", description: "faster, one more service" },
            ],
          }],
        },
        result: `User has answered your questions: "${question}"="Postgres". You can now continue.`,
        details: { answers: { [question]: "Postgres" } },
      }],
    )
    .user(
      "Let's go with Postgres, because the operations team already backs it up and we are far below its limits.",
    )
    .assistant("Here is the plan.", [{
      name: "ExitPlanMode",
      input: {
        plan:
          "# Job queue in Postgres with SKIP LOCKED\n\n1. Migration for `jobs` and `dead_jobs`\n2. Worker loop\n3. Gauge for the oldest job",
      },
      result: "User has approved your plan. You can now start coding.",
    }])
    .assistant(
      "We chose Postgres over Redis because invoices and jobs are written in one transaction and no new service has to be run. The worker will poll every 500 ms. Next step is the migration for `jobs` and `dead_jobs`.",
      [{
        name: "TodoWrite",
        input: {
          todos: [
            {
              content: "Migration for jobs and dead_jobs",
              status: "in_progress",
              activeForm: "Writing",
            },
            { content: "Worker loop with backoff", status: "pending", activeForm: "Writing" },
          ],
        },
        result: "Todos have been modified successfully.",
      }],
    );
}

function blockedByLicence(): TranscriptBuilder {
  return new TranscriptBuilder()
    .user("Let's render the reports to PDF with the Prince library that the design team uses.")
    .assistant("I'll check how it is installed.", [
      bash("npm install prince", "added 12 packages in 3s"),
      bash(
        "npx prince --version",
        "Error: Prince: license key not found, output will be watermarked",
        true,
      ),
    ])
    .assistant("It runs, but it wants a licence key. Let me try with the environment variable.", [
      bash(
        "PRINCE_LICENSE=none npx prince report.html",
        "prince: warning: non-commercial license, watermark added\nError: license does not permit server use",
        true,
      ),
    ])
    .user("Is there no free way to use it on the server?")
    .assistant("I looked at the terms.", [{
      name: "WebFetch",
      input: { url: "https://www.princexml.com/license/", prompt: "server use" },
      result:
        "The non-commercial license does not permit use on a server. A server license is $3,800.",
    }])
    .assistant(
      "We cannot use Prince on the server: its free licence forbids server use, and a server licence costs $3,800 per machine (https://www.princexml.com/license/). That rules out the plan as it was.\n\nChromium's print-to-PDF covers everything in your three templates except footnotes, and its licence allows server use.",
    )
    .user(
      "Then use Chromium instead, since footnotes appear in one template only. We can rewrite that one.",
    )
    .assistant("I switched the renderer.", [
      edit("src/report/render_pdf.ts"),
      bash("npm test -- report", "PASS tests/report_test.ts\nTests: 9 passed, 9 total"),
    ])
    .assistant(
      "The reports are now rendered by Chromium instead of Prince because Prince's licence does not permit server use. All 9 report tests pass; rendering takes 1.2 s per report instead of 0.4 s.\n\n## Open questions\n\n- Who rewrites the footnotes of the audit template?",
    );
}

function refactor(): TranscriptBuilder {
  return new TranscriptBuilder()
    .user(
      "src/server.ts has 1,900 lines. Split it into modules without changing behaviour, in small commits.",
    )
    .assistant("I'll read it first.", [
      read("src/server.ts"),
      bash("wc -l src/server.ts", "1912 src/server.ts"),
    ])
    .assistant(
      "The file has four concerns: routing, sessions, uploads and mail. Sessions and uploads share only the `User` type, so they can move without touching each other.",
    )
    .user("Sounds good, go ahead.")
    .assistant("Moving the sessions.", [
      {
        name: "Write",
        input: { file_path: "/home/user/project/src/sessions.ts" },
        result: "File created successfully",
      },
      edit("src/server.ts"),
      bash("npm test", "Test Files  31 passed (31)\nTests  204 passed (204)"),
      bash(
        'git commit -am "Move sessions out of server.ts"',
        "[main 4f1c2aa] Move sessions out of server.ts\n 2 files changed, 310 insertions(+), 305 deletions(-)",
      ),
    ])
    .assistant("Now the uploads.", [
      {
        name: "Write",
        input: { file_path: "/home/user/project/src/uploads.ts" },
        result: "File created successfully",
      },
      edit("src/server.ts"),
      bash(
        "npm test",
        "Tests  1 failed, 203 passed (204)\n  TypeError: Cannot read properties of undefined (reading 'maxBytes')",
        true,
      ),
      edit("src/uploads.ts"),
      bash("npm test", "Test Files  31 passed (31)\nTests  204 passed (204)"),
      bash(
        'git commit -am "Move uploads out of server.ts"',
        "[main 9bd07e1] Move uploads out of server.ts\n 2 files changed, 420 insertions(+), 411 deletions(-)",
      ),
    ])
    .assistant(
      "`server.ts` went from 1,912 to 1,190 lines in two commits, and all 204 tests pass after each. One test failed on the way because `uploads.ts` read its configuration at import time; it now reads it on first use. Mail and routing still have to be moved; mail is the next step, since routing depends on it.",
    );
}

function chatOnly(): TranscriptBuilder {
  return new TranscriptBuilder({ bare: true })
    .user(
      "What is the difference between optimistic and pessimistic locking, and when would I use which?",
    )
    .assistant(
      "Optimistic locking lets everybody read and checks at write time that nobody wrote in between, usually with a version column. Pessimistic locking takes the row before working on it and makes others wait.\n\nOptimistic locking is the better default for web applications, because conflicts are rare and no lock is held while a person thinks. Pessimistic locking pays where conflicts are common and repeating the work is expensive, such as booking the last seat.",
    )
    .user("So for our inventory with many concurrent decrements?")
    .assistant(
      "For many decrements of the same row neither is ideal: use one atomic `UPDATE … SET stock = stock - 1 WHERE stock > 0`, which needs no version and no explicit lock. That handles about 3,000 updates per second on one row before the row itself becomes the bottleneck.",
    );
}

function german(): TranscriptBuilder {
  return new TranscriptBuilder()
    .user(
      "Der Import der Kundendaten dauert inzwischen 40 Minuten. Woran liegt das, und wie bekommen wir ihn unter 5 Minuten?",
    )
    .assistant("Ich schaue mir den Import an.", [
      read("import/kunden.py"),
      bash("python -m cProfile import/kunden.py", "2410 s in total, 2290 s in execute()"),
    ])
    .assistant(
      "Die Ursache ist das Einfügen: Jede der 180.000 Zeilen wird mit einem eigenen `INSERT` und eigenem Commit geschrieben. Das Lesen der Datei braucht nur 25 Sekunden.",
    )
    .user("Würde COPY helfen, oder reichen größere Transaktionen?")
    .assistant(
      "Mit Transaktionen zu je 5.000 Zeilen dauert der Import 6 Minuten, mit `COPY` 48 Sekunden. `COPY` kann allerdings keine vorhandenen Zeilen aktualisieren, deshalb braucht es eine Zwischentabelle.",
    )
    .user(
      "Dann nehmen wir COPY mit Zwischentabelle, weil der Import nachts nicht mehr ins Backup laufen darf.",
    )
    .assistant("Ich baue das um.", [
      edit("import/kunden.py"),
      bash("pytest import", "============ 17 passed in 3.21s ============"),
      bash(
        'git commit -am "Kundenimport mit COPY"',
        "[main 77ab012] Kundenimport mit COPY\n 1 file changed",
      ),
    ])
    .assistant(
      "Der Import läuft jetzt in 52 Sekunden statt 40 Minuten: Wir verwenden `COPY` in eine Zwischentabelle und gleichen danach ab, weil einzelne `INSERT`s mit eigenem Commit die Ursache waren. Noch offen ist, ob die Zwischentabelle im Backup ausgenommen werden soll. Als nächstes sollte der Lieferantenimport genauso umgestellt werden.",
    );
}
