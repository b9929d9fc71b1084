/**
 * R4 and R5 on the built program: commands at the same time lose nothing of each other, and one that
 * is frozen while it holds a lock is named to the others in time; hooks do not wait for it at all.
 */
import assert from "node:assert/strict";
import { hasBinary } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import { assertInTime } from "../support/quick.ts";
import { canTrace } from "../support/strace.ts";
import { type Lived, lived, notesOf } from "./lived.ts";

import { conversation, put } from "../support/world.ts";
import { orKilled, until } from "../support/within.ts";

const ROUNDS = depth(2, 100);
/** What others wait for a lock, and what a process takes beside it. */
const OTHERS_MS_MAX = 5000 + 900;
const HOOK_MS_MAX = 1500 + 900;

Deno.test({
  name: `four commands at once all save, and each note is whole, ${ROUNDS} times`,
  ignore: !hasBinary,
  async fn() {
    const on = await lived();
    for (let round = 0; round < ROUNDS; round++) {
      const words = [0, 1, 2, 3].map(() => crypto.randomUUID());
      const runs = await Promise.all(
        words.map((word) =>
          on.run(["knowledge", "add", "-", "--title", word], { stdin: `${word} ${round}.\n` })
        ),
      );
      for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
      const texts = [...notesOf(on).values()].join("\n");
      for (const word of words) assert.ok(texts.includes(`\n${word} ${round}.\n`), word);
    }
  },
});

Deno.test({
  name: `four commands that replace one note leave the text of one and the versions of all`,
  ignore: !hasBinary,
  async fn() {
    const on = await lived();
    const words = [0, 1, 2, 3].map(() => crypto.randomUUID());
    const runs = await Promise.all(
      words.map((word) => on.run(replace(word), { stdin: `${word}.` })),
    );
    const saved = words.filter((_, n) => runs[n]?.code === 0);
    for (const { code, stderr } of runs) assert.ok([0, 4].includes(code), stderr);
    assert.ok(saved.length >= 1);
    const folder = `${on.store("project")}/knowledge`;
    const history = [...Deno.readDirSync(`${folder}/.history/importer`)].map(({ name }) => name);
    assert.equal(history.length, saved.length, "a version for each text that was replaced");
    const texts = [
      `${folder}/importer.md`,
      ...history.map((name) => `${folder}/.history/importer/${name}`),
    ].map((path) => Deno.readTextFileSync(path)).join("\n");
    for (const word of saved) assert.ok(texts.includes(word), "a text is nowhere");
  },
});

function replace(title: string): string[] {
  return ["knowledge", "add", "-", "--title", title, "--id", "importer", "--on-conflict", "update"];
}

/** A command stopped at its first such call, which it makes with a lock held. */
async function frozenAt(on: Lived, call: string, args: readonly string[], stdin: string) {
  const inject = `inject=${call}:signal=SIGSTOP:when=1`;
  const through = ["/usr/bin/strace", "-f", "-qq", "-o", `${on.base}/log`];
  const child = on.spawn(args, { through: [...through, "-e", `trace=${call}`, "-e", inject] });
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  let pid = 0;
  const isStopped = async (): Promise<boolean> => {
    const log = await Deno.readTextFile(`${on.base}/log`).catch(() => "");
    pid = Number(/^(\d+) +--- stopped by SIGSTOP/m.exec(log)?.[1] ?? 0);
    return pid > 0;
  };
  await orKilled("the stop at the call", child, until("the stop at the call", isStopped));
  const ended = () => orKilled("the end of who was frozen", child, child.output());
  return { ended, pid };
}

Deno.test({
  name: "a frozen holder of a note is named in five seconds, and hooks keep their time",
  ignore: !hasBinary || !canTrace(),
  async fn() {
    const on = await lived();
    const holder = await frozenAt(on, "linkat", replace("Frozen"), "Frozen in the middle.");
    try {
      const start = performance.now();
      const waiting = on.run(replace("Other"), { stdin: "Somebody else." })
        .then((outcome) => ({ ...outcome, ms: performance.now() - start }));
      for (const [event, capture] of EVENTS) {
        const begun = performance.now();
        const { code, stderr } = await on.run(["hook", event], { stdin: on.payload(capture) });
        assert.equal(code, 0, stderr);
        await assertInTime(performance.now() - begun, HOOK_MS_MAX, event);
      }
      const other = await on.run(["knowledge", "add", "-", "--title", "Free"], {
        stdin: "Another note has another lock.",
      });
      assert.equal(other.code, 0, other.stderr);
      const { code, stderr, ms } = await waiting;
      assert.equal(code, 1, stderr);
      assert.match(stderr, new RegExp(`^sage: Cannot lock .*sage knowledge.*pid ${holder.pid}\\)`));
      await assertInTime(ms, OTHERS_MS_MAX + 2000, "who waits");
      const text = notesOf(on).get("project/knowledge/importer.md") ?? "";
      assert.match(text, /because it collects all rows\.\n$/);
    } finally {
      Deno.kill(holder.pid, "SIGCONT");
    }
    const { code, stdout, stderr } = await holder.ended();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    assert.match(new TextDecoder().decode(stdout), /^Updated/);
    const text = notesOf(on).get("project/knowledge/importer.md") ?? "";
    assert.match(text, /Frozen in the middle\./);
  },
});

const EVENTS = [
  ["session-start", "SessionStart.startup"],
  ["user-prompt-submit", "UserPromptSubmit"],
  ["stop", "Stop"],
  ["pre-compact", "PreCompact.auto"],
  ["session-end", "SessionEnd.other"],
] as const;

Deno.test({
  name: "a frozen forget holds the store: who replaces is told, and hooks save all the same",
  ignore: !hasBinary || !canTrace(),
  async fn() {
    const on = await lived();
    put(
      on.transcript,
      conversation("It stalls.").user("And what of the parser?").assistant(
        "The parser holds no rows: it hands each one on as soon as its line ends, as the trace shows.",
      ).text(),
    );
    const holder = await frozenAt(on, "rmdir", ["forget", "merger", "--yes"], "");
    try {
      const waiting = on.run(replace("Other"), { stdin: "Somebody else." });
      const begun = performance.now();
      const { code } = await on.run(["hook", "pre-compact"], {
        stdin: on.payload("PreCompact.auto"),
      });
      assert.equal(code, 0);
      await assertInTime(performance.now() - begun, HOOK_MS_MAX, "pre-compact");
      const saved = [...notesOf(on)].filter(([, text]) => /^trigger: precompact$/m.test(text));
      assert.equal(saved.length, 1, "the compaction was saved");
      const told = await waiting;
      assert.equal(told.code, 1, told.stderr);
      assert.match(told.stderr, new RegExp(`held by sage forget.*pid ${holder.pid}\\)`));
    } finally {
      Deno.kill(holder.pid, "SIGKILL");
      await holder.ended();
    }
    assert.equal((await on.run(["forget", "merger", "--yes"])).code, 0);
  },
});
