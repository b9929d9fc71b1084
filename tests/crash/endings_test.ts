/**
 * Sessions that end in every way there is, one after the other in two projects of one home, with the
 * built program and its real hooks: whatever the last one came to, the next is told of it, within its
 * budget, and of nothing of the other project. A run is made again by its seed.
 */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/base/text/tokens.ts";
import { depth } from "../support/depth.ts";
import { Editor } from "../support/editor.ts";
import { binary, hasBinary } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { canMount, PowerDisk } from "./ext4.ts";
import { shell } from "./lived.ts";

const SESSIONS = depth(16, 100);
const SEED = Number(
  Deno.env.get("SAGE_TEST_SEED") ?? crypto.getRandomValues(new Uint16Array(1))[0],
);
const TOKENS_MAX = 200;
const IMAGE_MB = 96;
const PROJECTS = ["alpha", "beta"] as const;

const hasPower = hasBinary && await canMount();

Deno.test({
  name: `after ${SESSIONS} sessions that ended in every way the next was told right (seed ${SEED})`,
  ignore: !hasBinary,
  async fn() {
    const disk = hasPower ? await PowerDisk.open(IMAGE_MB) : undefined;
    const days = new Days(disk?.at ?? tempDir(), disk);
    try {
      await days.prepare();
      while (days.count < SESSIONS) await days.next();
      const met = Object.entries(days.met).map(([ending, times]) => `${ending} ${times}`);
      assert.equal(Object.keys(days.met).length, days.endings.length, met.join(", "));
    } finally {
      await days.editor.close();
      await disk?.close();
    }
  },
});

type Ending = (days: Days) => Promise<readonly string[]>;

/** What a session may come to; answers the words by which it is known again. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  async exit(days) {
    const key = await days.session();
    await days.work(key, days.random(3) + 1);
    await days.run("exit");
    return [key];
  },
  async "kill -9 between turns"(days) {
    const key = await days.session();
    await days.work(key, days.random(3) + 1);
    await days.run("kill");
    return [key];
  },
  async "kill -9 in the middle of a turn"(days) {
    const key = await days.session();
    await days.work(key, days.random(2));
    await days.run("prompt", `Make the ${key} importer read gzip files as well.`);
    await days.run("tool", "Edit", `src/${key}.ts`);
    await days.run("kill", ...(days.random(2) === 0 ? ["--torn"] : []));
    return [key];
  },
  async "kill -9 of the editor and its hook"(days) {
    const key = await days.session();
    await days.work(key, days.random(2));
    await days.run("prompt", `Make the ${key} importer read zip files as well.`);
    await days.run("tool", "Edit", `src/${key}.ts`);
    await days.run("reply", report(key), "--hook-killed", String(days.random(60)));
    await days.run("kill");
    return [key];
  },
  async "power cut"(days) {
    const key = await days.session();
    await days.work(key, days.random(2) + 1);
    await days.cutPower();
    return [key];
  },
  async "compaction, then exit"(days) {
    const key = await days.session();
    await days.work(key, 2);
    await days.compact(key);
    await days.work(key, 1);
    await days.run("exit");
    return [key];
  },
  async "compaction, then kill -9"(days) {
    const key = await days.session();
    await days.work(key, 2);
    await days.compact(key);
    await days.run("kill");
    return [key];
  },
  async clear(days) {
    const key = await days.session();
    await days.work(key, 1);
    const told = await days.run("start", "clear", "--session", days.name());
    days.judge(told, [key]);
    await days.run("exit");
    return [key];
  },
  async fork(days) {
    const key = await days.session();
    await days.work(key, 1);
    const told = await days.run("start", "fork", "--session", days.name());
    assert.doesNotMatch(told, new RegExp(key), "a branch holds what it comes from");
    const other = days.key();
    await days.work(other, 1);
    await days.run(days.random(2) === 0 ? "exit" : "kill");
    return [key, other];
  },
  async resume(days) {
    const key = await days.session();
    await days.work(key, 1);
    await days.run(days.random(2) === 0 ? "exit" : "kill");
    const told = await days.run("start", "resume");
    assert.doesNotMatch(told, /Last session/, "a resumed conversation knows what it said");
    await days.work(key, 1);
    await days.run(days.random(2) === 0 ? "exit" : "kill");
    return [key];
  },
  async "two at once"(days) {
    const [one, two] = [days.name(), days.name()];
    const key = await days.session(one);
    await days.work(key, 1, one);
    const other = days.key();
    const told = await days.run("start", "--session", two);
    assert.match(told, new RegExp(`Another session works here now on ".*${key}`));
    days.judgeBounds(told);
    await days.work(other, 1, two);
    await days.run(days.random(2) === 0 ? "exit" : "kill", "--session", one);
    await days.run(days.random(2) === 0 ? "exit" : "kill", "--session", two);
    return [key, other];
  },
  async "nothing said"(days) {
    await days.session();
    await days.run(days.random(2) === 0 ? "exit" : "kill");
    return [];
  },
};

function report(key: string): string {
  return `The ${key} importer streams its rows now, and memory stays at 40 MB where it was 900 MB. I ` +
    `decided to stream the ${key} rows rather than to cache them, because the cache would need 3 GB. ` +
    `Next step: measure the ${key} importer with a file of 2 GB on staging.`;
}

/** Two projects and who works in them, day after day. */
class Days {
  readonly editor: Editor;
  readonly met: Record<string, number> = {};
  readonly endings: readonly string[];
  count = 0;
  readonly #home: string;
  readonly #disk: PowerDisk | undefined;
  #cwd = "";
  #named = 0;
  #keyed = 0;
  #state = SEED + 1;
  #what = "";
  /** By project: how the last session that said something is known. */
  readonly #last = new Map<string, readonly string[]>();

  constructor(base: string, disk: PowerDisk | undefined) {
    this.#home = Deno.realPathSync(base);
    this.#disk = disk;
    this.endings = Object.keys(ENDINGS).filter((name) =>
      disk !== undefined || name !== "power cut"
    );
    this.editor = new Editor({ home: this.#home, cwd: () => this.#cwd });
  }

  async prepare(): Promise<void> {
    for (const project of PROJECTS) {
      const cwd = `${this.#home}/${project}`;
      await Deno.mkdir(cwd);
      assert.equal((await binary(["init"], { home: this.#home, cwd })).code, 0);
    }
    const install = { home: this.#home, cwd: `${this.#home}/alpha` };
    assert.equal((await binary(["install", "claude-code"], install)).code, 0);
  }

  /** One more session, and what the next one is told. */
  async next(): Promise<void> {
    // Every ending comes at least once, the rest as it comes.
    const at = this.count < this.endings.length ? this.count : this.random(this.endings.length);
    const ending = this.endings[at] ?? "exit";
    const project = PROJECTS[this.random(2)] ?? "alpha";
    this.#cwd = `${this.#home}/${project}`;
    this.#what = `seed ${SEED}, session ${this.count} in ${project}: ${ending}`;
    this.count++;
    this.met[ending] = (this.met[ending] ?? 0) + 1;
    const keys = await ENDINGS[ending]?.(this) ?? [];
    if (keys.length > 0) this.#last.set(project, keys);
    const told = await this.run("start", "--session", this.name());
    this.judge(told, this.#last.get(project) ?? []);
    await this.run(this.random(2) === 0 ? "exit" : "kill");
  }

  judge(told: string, keys: readonly string[]): void {
    this.judgeBounds(told);
    if (keys.length === 0) return;
    // Of a request that nobody answered, the line after it tells the words.
    const [last = ""] = /^- Last session(?:.*UTC.*\.\n- Next: | ).*$/m.exec(told) ?? [];
    assert.ok(keys.some((key) => last.includes(key)), `${this.#what}: wanted ${keys}\n${told}`);
  }

  judgeBounds(told: string): void {
    const project = this.#cwd.slice(this.#cwd.lastIndexOf("/") + 1);
    const others = PROJECTS.filter((name) => name !== project);
    assert.ok(estimateTokens(told) <= TOKENS_MAX, `${this.#what}: too long\n${told}`);
    for (const other of others) assert.ok(!told.includes(other), `${this.#what}:\n${told}`);
  }

  async run(...args: string[]): Promise<string> {
    try {
      return await this.editor.run(args);
    } catch (error) {
      throw new Error(`${this.#what}: ${args.join(" ")}`, { cause: error });
    }
  }

  /** Begins a session; the word by which it will be known. */
  async session(name = this.name()): Promise<string> {
    this.judgeBounds(await this.run("start", "--session", name));
    return this.key();
  }

  async work(key: string, turns: number, name?: string): Promise<void> {
    const of = name === undefined ? [] : ["--session", name];
    for (let turn = 0; turn < turns; turn++) {
      await this.run(
        "prompt",
        `Make the ${key} importer stream its rows, part ${turn + 1}.`,
        ...of,
      );
      await this.run("tool", "Edit", `src/${key}.ts`, ...of);
      const late = this.random(4) === 0 ? ["--late"] : [];
      const said = await this.run("reply", report(key), ...late, ...of);
      if (said.startsWith("asked")) await this.run("reply", `${report(key)} Done.`, ...of);
    }
  }

  async compact(key: string): Promise<void> {
    const told = await this.run("compact", this.random(2) === 0 ? "auto" : "manual");
    assert.match(told, new RegExp(`Before this compaction: ".*${key}`), this.#what);
    this.judgeBounds(told);
  }

  async cutPower(): Promise<void> {
    if (this.random(2) === 0) await shell("sync", "-f", this.#home);
    await this.run("kill");
    await this.#disk?.cut();
  }

  name(): string {
    return `n${++this.#named}`;
  }

  /** Of the project, so that it is known where it must not be. */
  key(): string {
    const project = this.#cwd.slice(this.#cwd.lastIndexOf("/") + 1);
    return `${project}key${String(++this.#keyed).padStart(3, "0")}`;
  }

  random(below: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor(this.#state / 2 ** 32 * below);
  }
}
