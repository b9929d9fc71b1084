/**
 * R2 on a real file system: writers work on an ext4 image in memory, are frozen, the image is copied as
 * a power cut would leave it, and the copy is mounted: everything acknowledged is there, nothing is
 * torn, nothing went back to an older text, and a fresh process works on. Needs root and loop devices.
 */
import assert from "node:assert/strict";
import { hasBinary } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import { canMount, makeImage, mount } from "./ext4.ts";
import { assertWhole, finish, Lived, notesOf, shell } from "./lived.ts";
import { until } from "../support/within.ts";

const ROUNDS = depth(3, 60);
const WRITERS = 3;
const IMAGE_MB = 48;

/** One writer: adds notes and renews its own, until it is stopped for good. */
class Writer {
  readonly added: string[] = [];
  /** Texts of its note, in the order in which they were acknowledged. */
  readonly renewed: string[] = [];
  child: Deno.ChildProcess | undefined;
  isOver = false;
  readonly #on: Lived;
  readonly #name: string;

  constructor(on: Lived, name: string) {
    this.#on = on;
    this.#name = name;
  }

  get path(): string {
    return `project/knowledge/${this.#name}.md`;
  }

  async work(): Promise<void> {
    for (let n = 0; !this.isOver; n++) {
      const token = `${this.#name}${n}x${crypto.randomUUID().slice(0, 8)}`;
      const isNew = n > 0 && n % 2 === 0;
      const title = isNew ? token : this.#name;
      // Nothing is replaced by an id that no note has yet.
      const own = this.renewed.length === 0 ? [] : ["--id", this.#name];
      const more = isNew ? [] : [...own, "--on-conflict", "update"];
      this.child = this.#on.spawn(["knowledge", "add", "-", "--title", title, ...more]);
      const { stdout } = await finish(this.child, `${token} ${crypto.randomUUID()}.\n`);
      if (!/^(Saved|Updated) knowledge [^\n]*\n$/.test(stdout)) continue;
      (isNew ? this.added : this.renewed).push(token);
    }
  }
}

function signal(writers: readonly Writer[], name: Deno.Signal): void {
  for (const { child } of writers) {
    try {
      child?.kill(name);
    } catch {
      // Between two commands.
    }
  }
}

const isPossible = hasBinary && await canMount();
const skipped = isPossible ? "" : " (skipped: needs root, loop devices and a binary)";

Deno.test({
  name: `a power cut on ext4 loses nothing acknowledged, ${ROUNDS} times${skipped}`,
  ignore: !isPossible,
  async fn() {
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round++) acknowledged += await cutPower(`round ${round}`);
    assert.ok(acknowledged > ROUNDS * 2, `only ${acknowledged} acknowledged`);
  },
});

async function cutPower(context: string): Promise<number> {
  const base = await Deno.makeTempDir({ dir: "/dev/shm", prefix: "sage-ext4-" });
  // The program may not read below /dev, so the image is mounted elsewhere.
  const at = await Deno.makeTempDir({ prefix: "sage-ext4-" });
  const mounted: string[] = [];
  const writers: Writer[] = [];
  const work: Promise<void>[] = [];
  try {
    await makeImage(`${base}/image`, IMAGE_MB);
    await mount(`${base}/image`, at);
    mounted.push(at);
    const on = new Lived(at);
    await Deno.mkdir(on.cwd, { recursive: true });
    await on.must(["init"]);
    await shell("sync", "-f", at);
    for (let n = 0; n < WRITERS; n++) writers.push(new Writer(on, `writer${n}`));
    work.push(...writers.map((writer) => writer.work()));
    // On a busy machine the first one takes its time, and without any nothing would be proven.
    await until("the first notes", () => acknowledgedBy(writers) >= WRITERS);
    await sleep(300 + Math.random() * 600);
    signal(writers, "SIGSTOP");
    // What was acknowledged by now was so before the copy; what comes later may be there or not.
    const promised = writers.map(({ added, renewed }) => ({
      added: [...added],
      renewed: [...renewed],
    }));
    await shell("cp", "--sparse=always", `${base}/image`, `${base}/copy`);
    writers.forEach((writer) => (writer.isOver = true));
    signal(writers, "SIGKILL");
    await Promise.all(work);
    await shell("umount", at);
    mounted.pop();

    // At the same place, because trust goes by path.
    await mount(`${base}/copy`, at);
    mounted.push(at);
    await assertSurvived(on, writers, promised, context);
    return acknowledgedBy(promised);
  } finally {
    writers.forEach((writer) => (writer.isOver = true));
    signal(writers, "SIGKILL");
    await Promise.allSettled(work);
    for (const path of mounted) await shell("umount", path);
    await Deno.remove(base, { recursive: true });
    await Deno.remove(at);
  }
}

function acknowledgedBy(writers: readonly Pick<Writer, "added" | "renewed">[]): number {
  return writers.reduce((sum, { added, renewed }) => sum + added.length + renewed.length, 0);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function assertSurvived(
  on: Lived,
  writers: readonly Writer[],
  promised: readonly { readonly added: string[]; readonly renewed: string[] }[],
  context: string,
): Promise<void> {
  const notes = notesOf(on);
  for (const [path, text] of notes) assertWhole(text, `${context}: ${path}`);
  const texts = [...notes.values()].join("\n");
  for (const [n, { added, renewed }] of promised.entries()) {
    for (const token of added) assert.ok(texts.includes(`\n${token} `), `${context}: ${token}`);
    const last = renewed.at(-1);
    const text = notes.get(writers[n]?.path ?? "") ?? "";
    if (last === undefined) continue;
    // The last acknowledged text, or the one that was being written when the power went.
    const older = renewed.slice(0, -1);
    assert.ok(!older.some((token) => text.includes(`\n${token} `)), `${context}: went back`);
    assert.match(text, new RegExp(`\\nwriter${n}\\d+x`), `${context}: ${last} is lost`);
  }
  await on.must(["knowledge", "add", "-", "--title", "After"], "Words after the power cut.");
  assert.match(await on.must(["search", "power cut"]), /After/);
}
