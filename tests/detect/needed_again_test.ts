/** What somebody will need again of what a conversation says exactly. */
import assert from "node:assert/strict";
import type { ExactDetail } from "../../src/detect/checkpoint/exact.ts";
import { asTyped, weighed } from "../../src/detect/checkpoint/needed_again.ts";
import { withoutOutput } from "../../src/detect/summary/shell.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { assertQuick } from "../support/quick.ts";

const thing = (kind: ExactDetail["kind"], text: string, mark = text) => ({ kind, text, mark });
const texts = (things: readonly { readonly text: string }[]) => things.map(({ text }) => text);

function turn(text: string, command = "", result = "", failed = false): Turn {
  const tools = command === "" ? [] : [{ id: "1", name: "Bash", command, result, failed }];
  return { uuid: "", role: "assistant", at: "", text, tools };
}

const talk = (turns: number): Turn[] => Array.from({ length: turns }, () => turn("On it goes."));

/** What is told of things after a conversation. */
function told(things: Parameters<typeof weighed>[0], turns: readonly Turn[]): string[] {
  return texts(weighed(things, turns).filter(({ isUnlikely }) => isUnlikely !== true));
}

Deno.test("withoutOutput() takes off what is done with a command's output, and nothing of the command", async () => {
  for (
    const [command, bare] of [
      ["make tide 2>&1 | tail -20", "make tide"],
      ["make tide > /tmp/tide.log 2>&1", "make tide"],
      ["make tide 2>&1 | grep -E 'FAIL|ok' | head -30", "make tide"],
      ["make tide || true", "make tide"],
      ["make dev &>/tmp/dev.log &", "make dev"],
      ["make fmt && make tide 2>&1 | tail -3", "make fmt && make tide"],
      [`ssh tide 'journalctl -u tide | tail -5'`, `ssh tide 'journalctl -u tide | tail -5'`],
      ["cat tides.csv | sort", "cat tides.csv"],
      ["| tail -5", "| tail -5"],
      ["", ""],
    ] as const
  ) assert.equal(withoutOutput(command), bare);
  await assertQuick(() => withoutOutput(`make ${"| tail ".repeat(2_000)}`), 50);
});

Deno.test("asTyped() keeps each command once, and none that cannot be run as it stands", () => {
  const commands = [
    "make tide 2>&1 | tail -20",
    "make lint && make tide",
    "make tide",
    "make lint 2>&1",
    `ssh tide "psql -c \\"`,
    `gh pr edit 7 --body "$(cat <<'EOF'`,
    "gh api graphql -f query='",
    "make fmt && make tide",
  ].map((text) => thing("command", text));
  const name = thing("name", "make tide");
  assert.deepEqual(texts(asTyped([...commands, name])), [
    "make tide",
    "make lint",
    "make fmt && make tide",
    "make tide",
  ]);
});

Deno.test("weighed() tells of long ago only what came up again and again", () => {
  const turns = [
    turn("", "make chart"),
    turn("`lowWater` and `highWater`, 40 ms.", "make tide"),
    turn("`lowWater` again.", "make tide 2>&1 | tail -5"),
    turn("`lowWater` it is."),
    ...talk(50),
    turn("`springTide` comes 12 % earlier."),
  ];
  const things = [
    thing("command", "make chart"),
    thing("command", "make tide"),
    thing("name", "highWater"),
    thing("name", "lowWater"),
    thing("name", "springTide"),
    thing("number", "highWater, 40 ms", "40 ms"),
    thing("number", "12 % earlier", "12 %"),
    thing("number", "springTide is on line 12", "line 12"),
    thing("file", "tides.ts"),
    thing("commit", "c0ffee1 Add tides"),
    thing("decision", "We keep the tables."),
  ];
  assert.deepEqual(told(things, turns), [
    "We keep the tables.",
    "make tide",
    "lowWater",
    "tides.ts",
    "springTide",
    "12 % earlier",
  ]);
  assert.equal(weighed(things, turns).length, things.length, "the others are listed");
});

Deno.test("weighed() tells an error while it stands", () => {
  const error = "Error: no table for Cuxhaven";
  const failed = turn("", "make tide 2>&1", error, true);
  const things = [thing("error", error)];
  assert.deepEqual(told(things, [failed, ...talk(2)]), [error]);
  assert.deepEqual(told(things, [failed, turn("", "make tide | tail -5", "ok")]), []);
  assert.deepEqual(told(things, [failed, turn("", "make lint", "ok")]), [error]);
  assert.deepEqual(told(things, [failed, ...talk(20)]), []);
});
