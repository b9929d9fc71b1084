/** What a note tells of commands: checks and how they came out, commits, pull requests, files. */
import assert from "node:assert/strict";
import { errorLine } from "../../src/detect/checkpoint/evidence.ts";
import { pullRequestsIn } from "../../src/detect/summary/pull_requests.ts";
import {
  commandLine,
  hereTexts,
  isAct,
  isCheck,
  onlyLooks,
  programOf,
  stepsOf,
} from "../../src/detect/summary/shell.ts";
import {
  checkOf,
  checksThatFail,
  commandsThatMattered,
  commitsMade,
  filesChanged,
  lastChecks,
} from "../../src/detect/summary/work.ts";
import type { ToolUse, Turn } from "../../src/editor/editor.ts";

function ran(command: string, result = "", failed = false): ToolUse {
  return { id: "1", name: "Bash", command, result, failed };
}

function turnsOf(...tools: ToolUse[]): Turn[] {
  return tools.map((tool, i) => ({
    uuid: `${i}`,
    role: "assistant",
    at: "",
    text: "",
    tools: [tool],
  }));
}

Deno.test("stepsOf() takes a line apart outside of quotes, brackets and texts that are fed to it", () => {
  for (
    const [command, ...steps] of [
      ["cd app && npm test; ls | wc -l", "cd app", "npm test", "ls", "wc -l"],
      ["bash -c 'cd app && npm test'", "bash -c 'cd app && npm test'"],
      ["n=$(ls | wc -l); echo $n", "n=$(ls | wc -l)", "echo $n"],
      ["cat > a.md <<'EOF'\nnpm test; it's\nEOF\nnpm test", "cat > a.md <<'EOF'", "npm test"],
      ["gh issue create -b @'\nnpm test\n'@\nnpm test", "gh issue create -b @''@", "npm test"],
      ["# don't\nmake \\\n  all", "make    all"],
    ] as const
  ) assert.deepEqual(stepsOf(command), steps, command);
  assert.deepEqual(hereTexts("cat <<A; cat <<'B'\none\nA\n"), ["one\n"]);
  assert.deepEqual(hereTexts("cat <<'EOF'\nis cut o"), ["is cut o"]);
  assert.deepEqual(hereTexts("cat <<< word\nls"), []);
});

Deno.test("programOf() finds the program behind variables, keywords and folders", () => {
  for (
    const [step, program] of [
      ["A=1 B='x y' time npm test", "npm"],
      ["& 'C:\\Program Files\\Go\\bin\\go.exe' test ./...", "go"],
      ["then sudo /usr/bin/make all", "make"],
      ["timeout 60 pytest", "pytest"],
    ] as const
  ) assert.equal(programOf(step), program, step);
});

Deno.test("isCheck() takes what only names a test for no check", () => {
  for (
    const command of [
      "cat tests/a.txt && ls",
      "test -f build.log && echo there",
      'Write-Host "=== npm test ==="\ngit status',
      'eval "$(./till init --config $D/reprint-test.toml)"',
      "cp build/till.bin /tmp && mkdir -p tests",
      "cat > a_test.go <<'EOF'\ngo test\nEOF",
      "out=$(npm test | tail -1)",
      "Test-Path build/out",
      "curl -s https://example.org/check/till.md",
      "git apply --check till.diff && git status",
    ]
  ) assert.ok(!isCheck(command), command);
  for (
    const command of [
      "sed -i s/a/b/ c.py && pytest -q",
      "./scripts/Verify-Till.ps1 | Select-Object -Last 3",
      'wsl -e bash -lc "cd /srv && go test ./..."',
      "mise run till:lint 2>&1 | tail",
      "bash scripts/check.sh",
    ]
  ) assert.ok(isCheck(command), command);
});

Deno.test("isAct() takes no file for something that is done", () => {
  for (const command of ["./deploy.sh", "kubectl apply -f till.yaml", "npm run deploy:web"]) {
    assert.ok(isAct(command), command);
  }
  for (
    const command of [
      "git add .github/workflows/deploy.yml && git commit -m 'Add it'",
      "curl -s https://example.org/publish/till.md | head",
      "git apply till.patch && git status --short",
      "docker run --restart=always till",
    ]
  ) assert.ok(!isAct(command), command);
});

Deno.test("commandLine() tells the check behind a text that was fed to something", () => {
  const script = "cat > till_test.go <<'EOF'\nfunc TestTill() {}\nEOF\ngo test ./till";
  assert.equal(commandLine(script), "go test ./till");
});

Deno.test("checkOf() takes no line for the verdict that says nothing of the whole", () => {
  const verdictOf = (command: string, ...lines: string[]): string | undefined =>
    checkOf(ran(command, lines.join("\n")))?.verdict;
  assert.equal(
    verdictOf("go test ./...", "ok  \ttill\t0.4s", "ok  \ttill/drawer\t0.1s [no tests to run]"),
    "ok till 0.4s",
  );
  assert.equal(
    verdictOf(
      "go test ./... -v",
      "ok  \ttill\t0.4s",
      "PASS",
      "ok  \ttill/x\t0.1s [no tests to run]",
    ),
    "ok till 0.4s",
  );
  assert.equal(verdictOf("node --test", "✔ opens (0.2ms)", "ℹ pass 3", "ℹ fail 0"), "ℹ pass 3");
  assert.equal(
    verdictOf("npm test", "Tests  4 passed (4)", "Duration  580ms"),
    "Tests 4 passed (4)",
  );
  assert.equal(verdictOf("cargo test", "running 12 tests"), undefined);
  assert.equal(verdictOf("npm run build", "till starts in 85 ms"), undefined);
  assert.equal(verdictOf("npm run bench", "opens 85 ms"), "opens 85 ms");
  assert.equal(verdictOf("go test -v | grep PASS", "--- PASS: TestTill (0.2s)"), undefined);
  assert.equal(verdictOf("bun run lint", "Checked 12 files in 9ms."), "Checked 12 files in 9ms.");
  const linted = ["All checks passed!", "OK"];
  assert.equal(verdictOf('ruff check && echo "OK"', ...linted), "All checks passed!");
});

Deno.test("checkOf() takes neither a mistyped command nor a diff behind a check for a failure", () => {
  assert.equal(checkOf(ran("rtk bun test", "error: unrecognized subcommand 'bun'")), undefined);
  const diff = ["@@ -1,2 +1,3 @@", '+  t.Fatalf("Failed to open the till: %v", err)'];
  assert.equal(checkOf(ran("make build && git diff", diff.join("\n"))), undefined);
});

Deno.test("checkOf() knows a failure behind a pipe by what is printed", () => {
  const isFailure = (line: string): boolean | undefined =>
    checkOf(ran("mise run lint | tail -3", line))?.isFailure;
  assert.equal(isFailure("[till:lint] ERROR task failed"), true);
  assert.equal(isFailure("warning: build failed, waiting for other jobs"), true);
  assert.equal(isFailure("Tests Passed: 12, Failed: 0, Skipped: 0"), false);
  assert.equal(isFailure("12 passed / 0 failed / 12 total"), false);
});

Deno.test("lastChecks() tells a check once, as it stands, however it was run", () => {
  const checks = (...tools: ToolUse[]): string[] =>
    lastChecks(turnsOf(...tools)).map(({ command, verdict }) => `${command} → ${verdict}`);
  assert.deepEqual(
    checks(
      ran("npm test 2>&1 | tail -20", "9 passed"),
      ran("cd /p && npm test 2>&1 | tail -5", "12 passed"),
    ),
    ["cd /p && npm test 2>&1 | tail -5 → 12 passed"],
  );
  assert.deepEqual(
    checks(ran("cd /p && npm test", "9 passed"), ran("cd /q && npm test", "12 passed")).length,
    2,
  );
  assert.deepEqual(
    checks(
      ran("gofmt -w a.go && go test ./a | tail -3", "FAIL\ttill/a [build failed]"),
      ran("go test ./...", "ok  \ttill/a\t0.1s"),
    ),
    ["go test ./... → ok till/a 0.1s"],
  );
  // What only counts them takes nothing back.
  assert.deepEqual(checks(ran("npm test", "9 passed"), ran("npm test | grep -c x", "4")), [
    "npm test → 9 passed",
  ]);
});

Deno.test("commandsThatMattered() tells a command without a line that says nothing", () => {
  const told = (...lines: string[]): string[] =>
    commandsThatMattered(turnsOf(ran("./deploy.sh", lines.join("\n"))));
  assert.deepEqual(told("deployed 16:09"), ["`./deploy.sh` → deployed 16:09"]);
  assert.deepEqual(told("18"), ["`./deploy.sh` → 18"]);
  for (const line of ["}", '"title": "Till",', " M src/till.ts", "?? src/till.ts", "];"]) {
    assert.deepEqual(told("deployed", line), ["`./deploy.sh` → passed"], line);
  }
  assert.deepEqual(
    commandsThatMattered(
      turnsOf(ran("git add a && git commit -q -F - <<'EOF'\nTest the till\nEOF")),
    ),
    [],
  );
});

Deno.test("checksThatFail() tells nothing that was refused, and no look at things", () => {
  const told = (tool: ToolUse): string[] => checksThatFail(turnsOf(tool));
  assert.deepEqual(told(ran("npm publish", "", true)), []);
  assert.deepEqual(told(ran("ls src && cat till.py", "Exit code 1\nerror: str = None", true)), []);
  assert.deepEqual(told(ran("gh pr checks 4", "Exit code 8\nlint\tfailed", true)), []);
  assert.equal(told(ran("git push", "Exit code 1\nerror: failed to push", true)).length, 1);
  assert.ok(onlyLooks("cd a; test -f b || grep -rn c ."));
  assert.ok(onlyLooks("head=$(git rev-parse HEAD); ls"));
  assert.ok(!onlyLooks("cat a > b"));
  assert.ok(onlyLooks(`ssh root@depot "ss -tlnp | grep berth" 2>/dev/null | head -3`));
  assert.ok(!onlyLooks(`ssh root@depot "systemctl restart berth && tail log"`));
  assert.ok(onlyLooks(`docker exec db psql -U tide -c "SELECT count(*) FROM berths"`));
  assert.ok(onlyLooks(`psql -U tide -c "SELECT count(*) FROM berths" | head`));
  assert.ok(!onlyLooks(`psql -U tide -c "UPDATE berths SET free = true"`));
  const looked = ran("sed -n 1,9p src/till.ts", "sed: can't read src/till.ts: No such file", true);
  assert.equal(errorLine(looked), undefined);
  assert.ok(errorLine(ran("git rebase main", "error: could not apply 1a2b3c4", true)));
});

Deno.test("commitsMade() tells of a commit that was amended the last", () => {
  const made = (...tools: ToolUse[]): string[] => commitsMade(turnsOf(...tools));
  const first = ran("git commit -m 'Open the drawer'", "[main 1111111] Open the drawer");
  assert.deepEqual(
    made(first, ran("git commit --amend --no-edit", "[main 2222222] Open the drawer")),
    ["2222222 Open the drawer"],
  );
  assert.deepEqual(
    made(first, ran("git commit --amend -m 'Open it'", "[main 2222222] Open it")),
    ["2222222 Open it"],
  );
  assert.deepEqual(made(first, ran("git commit -q --amend --no-edit")), ["Open the drawer"]);
  // On another branch it is another one.
  const elsewhere = ran("git commit --amend -m 'Shut it'", "[b 2222222] Shut it");
  assert.deepEqual(made(first, ran("git switch b"), elsewhere).length, 2);
  const folded = ran("git commit --fixup 1111111", "[main 3333333] fixup! Open the drawer");
  assert.deepEqual(made(first, folded), ["1111111 Open the drawer"]);
  const saved = ran("git commit -m 'wip: drawer'", "[main 4444444] wip: drawer");
  assert.deepEqual(made(saved, first), ["1111111 Open the drawer"]);
  assert.deepEqual(made(saved), ["4444444 wip: drawer"]);
});

Deno.test("commitsMade() reads the message wherever it is, and the hash that is shown behind", () => {
  const made = (command: string, result = "", failed = false): string[] =>
    commitsMade(turnsOf(ran(command, result, failed)));
  const subject = "Open the drawer";
  for (
    const [command, result] of [
      [`git commit -q -m @'\n${subject}\n\nWhy.\n'@`, ""],
      [`git add a\ngit commit -q -F - <<'EOF'\n${subject}\n\nWhy.\nEOF\ngit status`, ""],
      // Cut off before its end.
      [`git commit -q -m "$(cat <<'EOF'\n${subject}\n\nWh`, ""],
      [`git commit -qm '${subject}' && git push`, "To example.org\n   1..2  main -> main"],
    ] as const
  ) assert.deepEqual(made(command, result), [subject], command);
  const log = `1111111 (HEAD -> main) ${subject}\n2222222 Before`;
  assert.deepEqual(made(`git commit -qm '${subject}'; git log --oneline -2`, log), [
    `1111111 ${subject}`,
  ]);
  assert.deepEqual(made("git commit -q -F msg.txt && git log --oneline -2", log), [
    `1111111 ${subject}`,
  ]);
  // What follows it failed.
  assert.deepEqual(
    made(`git commit -m '${subject}' && git push`, `[main 1111111] ${subject}`, true),
    [
      `1111111 ${subject}`,
    ],
  );
  assert.deepEqual(made("git log --grep=commit -q", log), []);
});

Deno.test("pullRequestsIn() tells what was opened, and what of it was merged", () => {
  const address = "https://example.org/shop/till/pull/12";
  const opened = ran('gh pr create --draft --title "Open the drawer" --body x', address);
  const told = (...tools: ToolUse[]): string[] => pullRequestsIn(turnsOf(...tools));
  assert.deepEqual(told(opened), [`${address} Open the drawer`]);
  assert.deepEqual(told(opened, ran("gh pr ready 12 && gh pr merge 12 --squash")), [
    `${address} Open the drawer (merged)`,
  ]);
  assert.deepEqual(told(opened, ran("gh pr merge --squash")), [
    `${address} Open the drawer (merged)`,
  ]);
  assert.deepEqual(told(ran("gh pr merge 9 --merge")), ["#9 (merged)"]);
  assert.deepEqual(told(opened, ran("gh pr merge 12 --auto --squash")), [
    `${address} Open the drawer`,
  ]);
  assert.deepEqual(told(ran("gh pr create -t x", "", true), ran("gh pr view 12", address)), []);
});

Deno.test("filesChanged() leaves out the agent's own files beside others", () => {
  const changed = (...paths: string[]): string[] =>
    filesChanged(
      turnsOf(
        ...paths.map((filePath): ToolUse => ({ id: "1", name: "Write", filePath, failed: false })),
      ),
      "/srv/shop",
    );
  const own = [
    "/home/ana/.claude/plans/calm-otter.md",
    "/home/ana/.claude/projects/-srv-shop/memory/MEMORY.md",
    "/tmp/probe.py",
    "C:/Users/Ana/AppData/Local/Temp/claude/S--shop/1a2b/scratchpad/probe.ps1",
  ];
  assert.deepEqual(changed(...own, "/srv/shop/till.ts"), ["till.ts"]);
  assert.deepEqual(changed(...own), own);
  assert.deepEqual(changed("/srv/shop/.claude/skills/a.md", ...own), [".claude/skills/a.md"]);
  // Where the project is temporary itself, its files are the work.
  const inTemp = filesChanged(
    turnsOf(
      { id: "1", name: "Write", filePath: "/tmp/shop/till.ts", failed: false },
      { id: "1", name: "Write", filePath: "/tmp/other/a.ts", failed: false },
    ),
    "/tmp/shop",
  );
  assert.deepEqual(inTemp, ["till.ts", "/tmp/other/a.ts"]);
});
