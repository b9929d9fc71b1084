/** Commands and names as somebody would run or look them up again. */
import assert from "node:assert/strict";
import { exactStrings } from "../../src/detect/checkpoint/exact.ts";
import { commandLine } from "../../src/detect/summary/work.ts";
import type { Turn } from "../../src/editor/editor.ts";

Deno.test("commandLine() takes the line of a script that checks something, else the first that acts", () => {
  for (
    const [script, line] of [
      ["npm test -- login", "npm test -- login"],
      ["cd /srv/shop\nnpm test 2>&1 | tail -5", "npm test 2>&1 | tail -5"],
      ["# a run of the suite\nset -e\nexport CI=1\nnpm run build\nnpm test", "npm run build"],
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
