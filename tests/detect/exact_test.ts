/** Commands and names as somebody would run or look them up again. */
import assert from "node:assert/strict";
import { errorLine } from "../../src/detect/checkpoint/evidence.ts";
import { exactStrings } from "../../src/detect/checkpoint/exact.ts";
import { commandLine, isCheck } from "../../src/detect/summary/shell.ts";
import { checkOf } from "../../src/detect/summary/work.ts";
import type { ToolUse, Turn } from "../../src/editor/editor.ts";

Deno.test("commandLine() takes the line of a script that checks something, else the first that acts", () => {
  for (
    const [script, line] of [
      ["npm test -- login", "npm test -- login"],
      ["cd /srv/shop\nnpm test 2>&1 | tail -5", "npm test 2>&1 | tail -5"],
      ["# a run of the suite\nset -e\nexport CI=1\nnpm run build\nnpm test", "npm test"],
      [
        "docker run --rm \\\n  -v .:/app \\\n  shop npm test",
        "docker run --rm -v .:/app shop npm test",
      ],
      ["cat > notes.txt <<'EOF'\nrun npm test\nEOF", "cat > notes.txt <<'EOF'"],
      ["cd app && npm test", "cd app && npm test"],
      ["cd /srv/shop", "cd /srv/shop"],
      ["", ""],
    ] as const
  ) assert.equal(commandLine(script), line);
});

Deno.test("exactStrings() takes no text between two pieces of code for code", () => {
  const text = "`→` opens the reader. The footer shows just `esc back`, and `" + "x ".repeat(80) +
    "` is long. It ends with `ctrl+c quit`.";
  const turn: Turn = { uuid: "1", role: "assistant", at: "", text, tools: [] };
  const names = exactStrings([turn], "/srv/shop").map((thing) => thing.text);
  assert.deepEqual(names.sort(), ["ctrl+c quit", "esc back"]);
});

Deno.test("exactStrings() takes no address of a person, and no line that only begins a script", () => {
  const text = "The key of `ada.lovelace@example.org` signs `till@2.1.0` of `@till/drawer`.";
  const script = { ...ran("python3 - <<'PY'\nprint(1)\nPY", "1"), name: "Bash" };
  const turn: Turn = {
    ...{ uuid: "1", role: "assistant", at: "", text },
    tools: [script, ran("make drawer", "made")],
  };
  const found = exactStrings([turn], "/srv/shop").map((thing) => thing.text).sort();
  assert.deepEqual(found, ["@till/drawer", "make drawer", "till@2.1.0"]);
});

Deno.test("errorLine() takes the line that says what is wrong, not the runner's own", () => {
  for (
    const [told, ...printed] of [
      [
        "× This variable `total` is unused.",
        "$ biome check --error-on-warnings .",
        "src/till.ts:12:9 lint/correctness/noUnusedVariables",
        "  × This variable `total` is unused.",
        "  12 │ const total = Number.parseInt('unexpected');",
        "Found 1 error.",
        'error: script "lint" exited with code 1',
      ],
      [
        "error: expected 12, received 13",
        "[parser] Warning: could not parse the answer as JSON",
        "error: expected 12, received 13",
      ],
      [
        "fatal: pathspec 'src/till.ts' did not match any files",
        "warning: could not open directory 'src/src/': No such file or directory",
        "fatal: pathspec 'src/till.ts' did not match any files",
      ],
      [
        "error: the agent returned no signature",
        "[STARTED] eslint --fix",
        "error: the agent returned no signature",
      ],
      [
        "cmd/till/main.go:71:57: too few values in call to openDrawer",
        "# example.org/till/cmd/till",
        "cmd/till/main.go:71:57: too few values in call to openDrawer",
      ],
      ["Found 1 error.", "Checked 12 files.", "Found 1 error."],
      [undefined, "everything is in its environment", "editing is possible"],
      [
        "not ok 2 the drawer opens: denied",
        "PASS no conflict of drawers",
        "not ok 2 the drawer opens: denied",
      ],
    ]
  ) {
    const tool = ran("npm run lint", `Exit code 1\n${printed.join("\n")}`, true);
    assert.equal(errorLine(tool), told, printed.join("\n"));
  }
  const unread = "File does not exist. Note: your current working directory is /srv/till.";
  assert.equal(errorLine({ ...ran("", unread, true), name: "Read" }), undefined);
  const other = "rg: ./private: Operation not permitted (os error 1)";
  assert.equal(errorLine({ ...ran("", other, true), name: "grep" }), undefined);
  const patch = "apply_patch verification failed: cannot find the expected lines in till.ts";
  assert.equal(errorLine(ran("apply_patch till.patch", patch, true)), undefined);
});

Deno.test("checkOf() tells of several test programs the one that failed, else the one with the most tests", () => {
  const result = (verdict: string, passed: number, failed = 0): string =>
    `test result: ${verdict}. ${passed} passed; ${failed} failed; 0 ignored`;
  const verdictOf = (...lines: string[]): string | undefined =>
    checkOf(ran("cargo test", lines.join("\n")))?.verdict;
  const most = result("ok", 138);
  assert.equal(verdictOf(result("ok", 12), most, result("ok", 0)), most);
  const broken = result("FAILED", 3, 1);
  assert.equal(verdictOf(most, broken, result("ok", 0)), broken);
});

Deno.test("checkOf() tells how a check came out, not what its runner says of it", () => {
  const failed = checkOf(ran(
    "bun run test",
    '$ bun test src\n 1223 pass\n 3 fail\nRan 1226 tests across 56 files.\nerror: script "test" exited with code 1',
    true,
  ));
  assert.deepEqual(failed, { command: "bun run test", verdict: "3 fail", isFailure: true });
  assert.equal(checkOf(ran("pnpm test", "> till@0.8.0 test /srv/till\n> vitest\n")), undefined);
});

Deno.test("checkOf() counts what passed, and knows the number of failures from that of passes", () => {
  const all = "Total: 193  Pass: 193  Fail: 0";
  const checked = (command: string, result: string, failed = false) => {
    const { verdict, isFailure } = checkOf(ran(command, result, failed)) ?? {};
    return [verdict, isFailure];
  };
  assert.deepEqual(checked("./test.sh", all), ["Total: 193 Pass: 193 Fail: 0", false]);
  const one = "Total: 193 Pass: 192 Fail: 1";
  assert.deepEqual(checked("./test.sh", one), [one, true]);
  // What the runner's host says beside a run that passes.
  const host = "25 passing (4s)\nERROR: Failed parsing extensions";
  assert.deepEqual(checked("pnpm test", host), ["25 passing (4s)", false]);
  assert.deepEqual(checked("pnpm lint && pnpm test 2>&1", host), ["25 passing (4s)", false]);
  const [, broken] = ["25 passing", "3 tests failed."];
  assert.deepEqual(checked("pnpm test", `25 passing\n${broken}`), [broken, true]);
  // Without the check's own exit code its words decide.
  for (const command of ["pnpm test | tail -5", "pnpm test || true", "pnpm test; date"]) {
    assert.deepEqual(checked(command, host), ["ERROR: Failed parsing extensions", true], command);
  }
});

Deno.test("isCheck() takes a linter for a check, and no printing of a test's source", () => {
  for (const command of ["npx eslint src", "shellcheck setup.sh", "ruff check ."]) {
    assert.ok(isCheck(command), command);
  }
  for (const command of ["nl -ba src/till.test.ts | sed -n '1,80p'", "bat till.test.ts"]) {
    assert.ok(!isCheck(command), command);
  }
});

Deno.test("isCheck() takes no commit for a check whose message tells of tests", () => {
  const commits = [
    `git add . && git commit -m "Test the drawer"`,
    `git add . && git commit -m "$(cat <<'EOF'\nOpen the drawer\n\nAll tests pass.\nEOF\n)"`,
  ];
  for (const command of commits) {
    assert.ok(!isCheck(command), command);
    assert.ok(isCheck(`${command} && npm test`), command);
  }
});

function ran(command: string, result: string, failed = false): ToolUse {
  return { id: "1", name: "Bash", command, result, failed };
}
