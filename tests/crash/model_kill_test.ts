/**
 * A model that is pulled, taken into use or removed by the built program, which is killed at a system
 * call: a whole model is always there, search always answers, and the next process does it to its end.
 */
import assert from "node:assert/strict";
import { TINY, writeBert } from "../support/bert_model.ts";
import { depth } from "../support/depth.ts";
import { hasBinary } from "../support/sage.ts";
import {
  BOUNDARY_CALLS,
  canTrace,
  type Point,
  runTraced,
  samplePoints,
  surveyPoints,
} from "../support/strace.ts";
import { tempDir } from "../support/temp_store.ts";
import { finish, SAGE } from "./lived.ts";
import { type Ended, run } from "../support/within.ts";

const POINTS = depth(5, 100_000);
const CALLS = Object.values(BOUNDARY_CALLS).join();
const ignore = !canTrace() || !hasBinary;

/** A home with a project of three notes, an old model called tiny, and a newer one to be pulled. */
async function home(isInUse: boolean): Promise<Home> {
  const on = new Home(tempDir());
  await Deno.mkdir(`${on.cwd}/.sage/knowledge`, { recursive: true });
  for (const word of ["memory", "search", "before"]) {
    const path = `${on.cwd}/.sage/knowledge/${word}.md`;
    await Deno.writeTextFile(path, `# ${word}\n\nEverything about ${word}.\n`);
  }
  writeBert(`${on.base}/old`, TINY, { seed: 1 });
  writeBert(`${on.base}/new`, TINY, { seed: 2 });
  await on.must(["init"]);
  await on.must(["model", "pull", `${on.base}/old`, "--as", "tiny"]);
  await on.must(["search", "memory"]);
  if (isInUse) await on.must(["model", "use", "tiny"]);
  await on.keep();
  return on;
}

class Home {
  readonly base: string;
  readonly cwd: string;

  constructor(base: string) {
    this.base = base;
    this.cwd = `${base}/home/project`;
  }

  get env(): Record<string, string> {
    return { HOME: `${this.base}/home`, PATH: "/usr/bin:/bin" };
  }

  async run(args: readonly string[]): Promise<Ended> {
    const how = { cwd: this.cwd, env: this.env, clearEnv: true } as const;
    const piped = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    return await finish(new Deno.Command(SAGE, { args: [...args], ...how, ...piped }).spawn());
  }

  async must(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    assert.equal(code, 0, `sage ${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  }

  async keep(): Promise<void> {
    await copy(`${this.base}/home`, `${this.base}/kept`);
  }

  async restore(): Promise<void> {
    await Deno.remove(`${this.base}/home`, { recursive: true });
    await copy(`${this.base}/kept`, `${this.base}/home`);
  }

  models(): string[] {
    const folder = `${this.base}/home/.sage/models`;
    return [...Deno.readDirSync(folder)].flatMap(({ name }) =>
      [...Deno.readDirSync(`${folder}/${name}`)].map((entry) => `${name}/${entry.name}`)
    ).sort();
  }

  indexes(): string[] {
    return [...Deno.readDirSync(`${this.base}/home/.sage/state/index`)].filter(({ isDirectory }) =>
      isDirectory
    ).map(({ name }) => name);
  }
}

interface Kill {
  readonly args: (on: Home) => readonly string[];
  readonly isInUse: boolean;
  /** What holds whenever it died. */
  readonly meanwhile: (on: Home) => Promise<void>;
  /** Exit codes of the repetition. */
  readonly again: readonly number[];
  /** What holds after the repetition. */
  readonly after: (on: Home) => Promise<void> | void;
}

const answers = async (on: Home): Promise<void> =>
  assert.match(await on.must(["search", "memory"]), /memory/);

const KILLS: Readonly<Record<string, Kill>> = {
  "model pull": {
    args: (on) => ["model", "pull", `${on.base}/new`, "--as", "tiny"],
    isInUse: true,
    async meanwhile(on) {
      await on.must(["model", "test", "tiny"]);
      await answers(on);
    },
    again: [0],
    after(on) {
      const { weights } = JSON.parse(
        Deno.readTextFileSync(`${on.base}/home/.sage/models/tiny/model.json`),
      );
      assert.deepEqual(on.models(), [`tiny/${weights.name}`, "tiny/model.json"]);
    },
  },
  "model use": {
    args: () => ["model", "use", "tiny"],
    isInUse: false,
    async meanwhile(on) {
      await answers(on);
      assert.match(await on.must(["config", "get", "embedding.model"]), /^(static|tiny)\n$/);
    },
    again: [0],
    async after(on) {
      assert.equal(await on.must(["config", "get", "embedding.model"]), "tiny\n");
      assert.ok(on.indexes().every((name) => name.includes(".tiny@")), on.indexes().join(" "));
      await answers(on);
    },
  },
  "model rm": {
    args: () => ["model", "rm", "tiny"],
    isInUse: false,
    async meanwhile(on) {
      await on.must(["model", "list"]);
      await answers(on);
    },
    again: [0, 3],
    after: (on) => assert.deepEqual(on.models(), []),
  },
};

for (const [name, kill] of Object.entries(KILLS)) {
  Deno.test({
    name: `sage ${name} killed at any system call leaves a whole model and an answer`,
    ignore,
    async fn() {
      const on = await home(kill.isInUse);
      const how = { calls: CALLS, env: on.env, cwd: on.cwd, stdin: "" };
      const command = [SAGE, ...kill.args(on)];
      const points = await surveyPoints(command, on.base, how);
      await kill.after(on);
      assert.ok(points.length > 10, `only ${points.length} calls of its own`);
      for (const point of samplePoints(points, POINTS)) await die(on, kill, command, point);
    },
  });
}

async function die(
  on: Home,
  kill: Kill,
  command: readonly string[],
  { call, n, line }: Point,
): Promise<void> {
  await on.restore();
  const how = { calls: CALLS, env: on.env, cwd: on.cwd, stdin: "" };
  await runTraced(command, ["-e", `inject=${call}:signal=SIGKILL:when=${n}`], how);
  try {
    await kill.meanwhile(on);
    const { code, stderr } = await on.run(kill.args(on));
    assert.ok(kill.again.includes(code), `again: ${code} ${stderr}`);
    await kill.after(on);
  } catch (cause) {
    throw new Error(`killed at ${call} ${n}: ${line}`, { cause });
  }
}

async function copy(from: string, to: string): Promise<void> {
  const { code, stderr } = await run("cp", { args: ["-a", from, to] });
  assert.equal(code, 0, stderr);
}
