/** Choosing with keys: what each means, what is painted, and the same in a terminal of its own. */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { keysOf, press } from "../../src/cli/terminal/keys.ts";
import { choose, chooseSome, letter } from "../../src/cli/terminal/prompt.ts";
import { isOnThisMachine } from "../support/on_this_machine.ts";
import { fakeIo, hasBinary, sage } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { orKilled } from "../support/within.ts";

const [UP, DOWN] = ["\x1b[A", "\x1b[B"];
const LIST = ["one", "two", "three"];
const program = new URL("../../dist/sage", import.meta.url).pathname;

Deno.test("keysOf() tells keys apart, however many came at once", () => {
  assert.deepEqual(keysOf(`${UP}${DOWN}\r`), ["up", "down", "enter"]);
  assert.deepEqual(keysOf("\x1bOAx\x1b"), ["up", "x", "escape"]);
  assert.deepEqual(keysOf("\x1b[3~ä1"), ["\x1b[3~", "ä", "1"]);
  assert.deepEqual(keysOf("\x03"), ["interrupt"]);
});

Deno.test("press() moves around the ends, and takes a number as soon as it can be no other", () => {
  const at = (index: number, digits = "") => ({ at: index, digits });
  assert.deepEqual(press(at(0), "up", 3, false), at(2));
  assert.deepEqual(press(at(2), "j", 3, false), at(0));
  assert.equal(press(at(0), "2", 3, false), 1);
  assert.deepEqual(press(at(0), "1", 12, false), at(0, "1"));
  assert.equal(press(at(0, "1"), "2", 12, false), 11);
  assert.equal(press(at(0, "1"), "enter", 12, false), 0);
  assert.equal(press(at(0, "1"), "5", 12, false), 4);
  for (const key of ["0", "9", "a", "x", "\x1b[3~"]) {
    assert.deepEqual(press(at(1), key, 3, false), at(1), key);
  }
  assert.equal(press(at(0), "a", 3, true), "all");
  assert.equal(press(at(0), "escape", 3, true), "none");
});

async function chosen(keys: readonly string[]): Promise<unknown> {
  const { io, written } = fakeIo({ home: "/nowhere", terminal: true, keys });
  const index = await choose(io, "Which?", LIST);
  const { stdout, stderr } = written();
  assert.equal(stdout, "");
  assert.ok(stderr.endsWith("\x1b[4A\r\x1b[J"), "nothing is left of it");
  return index;
}

Deno.test("choose() takes what the mark stands at, a number, or nothing", async () => {
  assert.equal(await chosen(["\r"]), 0);
  assert.equal(await chosen([DOWN, DOWN, "\r"]), 2);
  assert.equal(await chosen([`${UP}\r`]), 2);
  assert.equal(await chosen(["2"]), 1);
  assert.equal(await chosen(["x", "q"]), undefined);
  await assert.rejects(
    chosen([DOWN, "\x03"]),
    (error) => error instanceof SageError && error.code === "interrupted",
  );
  await assert.rejects(chosen([DOWN]), /no answer was given/);
});

Deno.test("chooseSome() takes all, and letter() one letter", async () => {
  const { io } = fakeIo({ home: "/nowhere", terminal: true, keys: ["a"] });
  assert.deepEqual(await chooseSome(io, "Which?", LIST), [0, 1, 2]);
  const asked = fakeIo({ home: "/nowhere", terminal: true, keys: ["x", DOWN, "D"] });
  assert.equal(await letter(asked.io, "What?", { a: "accept", d: "drop" }), "d");
  assert.equal(asked.written().stderr, "What? [a/d] d\n");
});

Deno.test("a list is painted with what it holds made harmless, and is a list of numbers where it is long", async () => {
  const { io, written } = fakeIo({ home: "/nowhere", terminal: true, keys: ["q"] });
  await choose(io, "Which?", ["a\x1b[2Jb"]);
  assert.ok(!written().stderr.includes("\x1b[2J"));
  const many = Array.from({ length: 30 }, (_, i) => `note ${i}`);
  const long = fakeIo({ home: "/nowhere", terminal: true, keys: ["q"], stdin: "7\n" });
  assert.equal(await choose(long.io, "Which?", many), 6);
});

const hasScript = isOnThisMachine("script");

Deno.test({
  name: `sage load offers what fits in a terminal${
    hasScript ? "" : ": script is not on this machine"
  }`,
  ignore: !hasBinary || !hasScript || Deno.build.os !== "linux",
  async fn() {
    const home = tempDir();
    for (const animal of ["Zebras", "Otters"]) {
      const text = `${animal} are the animals of the quarterly report, because people like them.`;
      await sage(["checkpoint", "save", "-m", text], { home });
    }
    const inTerminal = async (keys: string): Promise<string> => {
      const child = new Deno.Command("script", {
        args: [
          "-qec",
          `stty rows 24 cols 80; ${program} load "animals of the report"`,
          "/dev/null",
        ],
        cwd: home,
        env: { HOME: home, PATH: Deno.env.get("PATH") ?? "", TERM: "xterm" },
        clearEnv: true,
        stdin: "piped",
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      const writer = child.stdin.getWriter();
      let shown = "";
      let isSent = false;
      for (;;) {
        const { value, done } = await orKilled("more in the terminal", child, reader.read());
        if (done) break;
        shown += value;
        if (!isSent && shown.includes("for none)") && shown.includes("2) ")) {
          isSent = true;
          await writer.write(new TextEncoder().encode(keys));
        }
      }
      await writer.close().catch(() => {});
      await orKilled("the end of the terminal", child, child.status);
      return shown;
    };
    const [first = "", second = ""] = await Promise.all(
      ["\r", `${DOWN}\r`].map(async (keys) =>
        /(Zebras|Otters)[^\n]*\n[^]*\b\1\b/.exec(
          (await inTerminal(keys)).split("\x1b[J").at(-1) ?? "",
        )
          ?.[1]
      ),
    );
    assert.deepEqual([first, second].toSorted(), ["Otters", "Zebras"]);
    assert.match(await inTerminal("\x03"), /Stopped: no answer was given/);
  },
});
