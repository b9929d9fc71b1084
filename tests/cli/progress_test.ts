/** The line that says how far long work is: late, short, and gone afterwards. */
import assert from "node:assert/strict";
import { progress, watchedDisk } from "../../src/cli/terminal/progress.ts";
import { fakeIo } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";

const file = `${tempDir()}/note.md`;
Deno.writeTextFileSync(file, "text\n");

function scene({ terminal = true, columns = 80 } = {}) {
  const { io, written } = fakeIo({ home: "/nowhere", terminal, columns });
  let now = 0;
  const clock = (): number => now;
  const [line, fs] = [progress(io, clock), watchedDisk(io, clock)];
  return {
    line,
    open: () => fs.open(file, { read: true }).close(),
    later: (ms: number) => void (now += ms),
    written,
  };
}

/** What a terminal shows in the end. */
function seen(text: string): string {
  return text.split("\r\x1b[K").at(-1) ?? "";
}

Deno.test("progress says nothing before a second, and nothing is left of it", () => {
  const { line, open, later, written } = scene();
  for (let i = 0; i < 9; i++) {
    later(100);
    open();
  }
  line.end();
  assert.equal(written().stderr, "");
  for (let i = 0; i < 15; i++) {
    later(100);
    open();
  }
  assert.equal(seen(written().stderr), "Reading, 15 files");
  line.end();
  assert.equal(seen(written().stderr), "");
  assert.equal(written().stdout, "");
});

Deno.test("progress is painted ten times a second at most, however fast the work is", () => {
  const { open, later, written } = scene();
  for (let i = 0; i < 1500; i++) {
    open();
    later(1);
  }
  assert.equal(written().stderr.split("\r").length - 1, 5);
});

Deno.test("progress tells what the work says of itself before the files that it opens", () => {
  const { line, open, later, written } = scene({ columns: 20 });
  later(2000);
  line.say("3 of 7: a topic that is long\x1b[2J");
  later(2000);
  open();
  assert.match(seen(written().stderr), /^3 of 7: a topic…$/);
});

Deno.test("progress does not count the time in which somebody thinks", () => {
  const { open, later, written } = scene();
  for (let turn = 0; turn < 3; turn++) {
    later(60_000);
    open();
    later(500);
    open();
  }
  assert.equal(written().stderr, "");
});

Deno.test("progress is for terminals", () => {
  const { line, open, later, written } = scene({ terminal: false });
  later(5000);
  line.say("3 of 7");
  open();
  line.end();
  assert.equal(written().stderr, "");
});
