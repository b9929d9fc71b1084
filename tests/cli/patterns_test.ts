/** `sage admin patterns` on the command line: shown before anything is written. */
import assert from "node:assert/strict";
import { binary, builtTest as test, sage, scratch } from "../support/sage.ts";
import { put, read } from "../support/world.ts";

const PATTERNS = ["admin", "patterns"];

function started(text: string): { home: string; cwd: string; file: string } {
  const place = scratch();
  const file = `${place.home}/.sage/patterns.yaml`;
  put(file, text);
  return { ...place, file };
}

test("list shows the phrases, and names what was left out", async () => {
  const place = started(
    "topic_shift: [put a pin in that, ok]\nteam:\n  synthesis: [so the upshot is]\n",
  );
  const { stdout, stderr, code } = await binary(PATTERNS, place);
  assert.equal(code, 0);
  assert.equal(
    stdout,
    "topic_shift\n  put a pin in that\nsynthesis (pack team)\n  so the upshot is\n",
  );
  assert.match(stderr, /left out of .*patterns\.yaml: "ok" \(topic_shift\) is too short/);
  const none = await binary(PATTERNS, scratch());
  assert.match(none.stdout, /^No phrases of your own yet: they would stand in /);
});

test("a file behind export or list is refused, and not taken for what was written", async () => {
  const place = started("topic_shift: [put a pin in that]\n");
  const { code, stdout, stderr } = await binary([...PATTERNS, "export", "team.yaml"], place);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /export --output team\.yaml writes it/);
  assert.equal((await binary([...PATTERNS, "list", "team.yaml"], place)).code, 2);
});

test("export is refused as a whole when one phrase could say whose it is", async () => {
  const place = started("topic_shift: [put a pin in that, see src/main.ts for that]\n");
  const { code, stdout, stderr } = await binary([...PATTERNS, "export"], place);
  assert.equal(code, 1);
  assert.equal(stdout, "  see src/main.ts for that: it holds the name of a file or a host\n");
  assert.match(stderr, /Not exported: 1 phrase could identify you\n {2}change them/);
  const rest = await binary([...PATTERNS, "export", "--leave-out"], place);
  assert.match(
    rest.stdout,
    /^# Phrases for Sage, exported \S+\. .*\ntopic_shift: \[put a pin in that\]\n$/,
  );
});

test("export to a file asks where somebody can answer, and needs --yes where nobody can", async () => {
  const place = started("topic_shift: [put a pin in that]\n");
  const args = [...PATTERNS, "export", "-o", "team.yaml"];
  const unasked = await binary(args, place);
  assert.equal(unasked.code, 1);
  assert.match(unasked.stderr, /put a pin in that\nNothing was written: repeat with --yes/);
  const no = await sage(args, { ...place, terminal: true, stdin: "n\n" });
  assert.equal(no.code, 1);
  const yes = await sage(args, { ...place, terminal: true, stdin: "y\n" });
  assert.match(yes.stdout, /^Wrote 1 phrase to .*team\.yaml\n$/);
  assert.match(read(`${place.cwd}/team.yaml`), /put a pin in that/);
  assert.equal((await binary([...args, "--yes"], place)).code, 4, "nothing is replaced");
});

test("what one exports another imports, once", async () => {
  const giver = started("topic_shift: [put a pin in that]\n");
  const { stdout: pack } = await binary([...PATTERNS, "export"], giver);
  const taker = scratch();
  const dry = await binary([...PATTERNS, "import", "-"], { ...taker, stdin: pack });
  assert.equal(dry.code, 1);
  assert.match(dry.stderr, /Nothing was added: repeat with --yes/);
  const done = await binary([...PATTERNS, "import", "-", "--yes"], { ...taker, stdin: pack });
  assert.match(done.stdout, /^Added 1 phrase to .*patterns\.yaml\n$/);
  assert.equal(
    read(`${taker.home}/.sage/patterns.yaml`),
    "pack:\n  topic_shift: [put a pin in that]\n",
  );
  const again = await binary([...PATTERNS, "import", "-", "--yes"], { ...taker, stdin: pack });
  assert.equal(again.stdout, "Nothing new in it.\n");
  const whole = JSON.parse((await binary([...PATTERNS, "--json"], taker)).stdout);
  assert.deepEqual(whole.packs, { pack: { topic_shift: ["put a pin in that"] } });
});

test("what is no pack is refused with what to do", async () => {
  const place = scratch();
  for (
    const [args, code] of [
      [["import"], 2],
      [["import", "missing.yaml"], 2],
      [["import", "."], 2],
      [["nonsense"], 2],
    ] as const
  ) {
    const run = await binary([...PATTERNS, ...args], place);
    assert.deepEqual([run.code, run.stdout], [code, ""], args.join(" "));
  }
  const torn = await binary([...PATTERNS, "import", "-", "--yes"], { ...place, stdin: "a: [\n" });
  assert.equal(torn.stdout, "Nothing new in it.\n");
  assert.match(torn.stderr, /left out: \d+:\d+ /);
});

test("import takes no text that is not UTF-8, from - as from a pipe", async () => {
  const place = scratch();
  const stdinBytes = Uint8Array.from(
    "synthesis:\n  - the caf\xe9 is closed\n",
    (character) => character.charCodeAt(0),
  );
  for (const from of [["-"], []]) {
    const run = await binary([...PATTERNS, "import", ...from, "--yes"], { ...place, stdinBytes });
    assert.deepEqual([run.code, run.stdout], [1, ""]);
    assert.match(run.stderr, /not UTF-8/);
  }
});
