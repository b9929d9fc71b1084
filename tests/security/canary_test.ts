/**
 * R17 and R19 through the whole program: 500 canaries go in wherever words can, and none is found in
 * anything that Sage wrote, in what git carries elsewhere, or, for what was forgotten, anywhere.
 */
import assert from "node:assert/strict";
import { type Canary, plantCanaries, searchRoots } from "../support/canaries.ts";
import { hasBinary } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import { Scene, type Turn } from "./session.ts";
import { filesBelow } from "../crash/lived.ts";
import { run } from "../support/within.ts";

const SEED = depth(500_026, Math.floor(Math.random() * 1e9));
const COUNT = 500;
const TURNS = 8;
/** What commands get; the rest goes through the editor. */
const EXPLICIT = 100;
const EXPLICIT_A_TIME = 10;

/** Plain words that are to be found before forgetting, and not after. */
const MARKS = Array.from({ length: TURNS }, (_, n) => `zibeline${n}q${n * 7919}`);

/** So much that what stands between two of them is where a long result is cut. */
const FILLER = "built one more of the files\n".repeat(34);

/** Words around canaries, so that turns are about something and worth saving. */
function turns(canaries: readonly Canary[]): Turn[] {
  const share = Math.ceil(canaries.length / TURNS);
  return MARKS.map((mark, n) => {
    const mine = canaries.slice(n * share, (n + 1) * share).map(({ text }) => text);
    const part = (i: number): string => mine.filter((_, at) => at % 6 === i).join("\n");
    return {
      prompt: `Why does the import of ${mark} fail in row ${n * 113}? The settings are:\n${
        part(0)
      }\n\nFrom now on always use ${mine[0]} for ${mark}.`,
      command: `node import.js ${mark} ${part(1)}`,
      result: `${FILLER}<private>\n${part(2)}\n</private>\n${part(2)}\n${FILLER}` +
        `Error: timeout of ${n + 3} s at row ${n * 113} of ${mark}\n${part(2)}\nfailed`,
      edit: `const limit = ${n};\n${part(3)}\n`,
      reply: `The import of ${mark} fails because each row opens a connection of its own. ` +
        `We decided to import ${mark} in batches of ${n + 100} rows because that needs one ` +
        `connection for each batch.\n\n${part(4)}\n\nNext I will measure ${mark} again.`,
      title: `Import ${n} ${part(5)}`,
    };
  });
}

/** Commands are handed canaries too: a secret is refused, what is private is left out. */
async function hand(scene: Scene, canaries: readonly Canary[]): Promise<void> {
  for (let at = 0; at < canaries.length; at += EXPLICIT_A_TIME) {
    const few = canaries.slice(at, at + EXPLICIT_A_TIME);
    const text = `The valley ${at} floods.\n\n${few.map((one) => one.text).join("\n\n")}\n`;
    const last = `The ridge ${at} is dry, ${few.at(-1)?.text}`;
    const runs = [
      await scene.sage(["knowledge", "add", "-", "--title", `Valley ${at}`], text),
      await scene.sage(["checkpoint", "save", "-"], `# Ridge ${at}\n\n## Thesis\n\n${text}`),
      await scene.sage(["todo", "add", `Look at ${last}`]),
      await scene.sage(["checkpoint", "save", "-m", last, "--title", last]),
    ];
    for (const { code, stdout, stderr } of runs) {
      assert.ok(
        code === 0 || /Not saved|nothing was saved/.test(stderr),
        `${code}: ${stdout}${stderr}`,
      );
      assert.deepEqual(canaries.filter(({ value }) => (stdout + stderr).includes(value)), []);
    }
  }
}

/** Where anything of it remains, the editor's own transcripts left out. */
async function remains(scene: Scene, values: readonly (Canary | string)[]): Promise<string[]> {
  const found = await searchRoots([scene.home], values);
  return found.filter((line) => !line.startsWith(`${scene.home}/.claude/projects/`));
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run("git", {
    args: ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args],
    cwd,
    env: { HOME: cwd, PATH: "/usr/bin:/bin", GIT_CONFIG_NOSYSTEM: "1" },
    clearEnv: true,
  });
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Everything that a push carries, as one text. */
async function pushed(scene: Scene): Promise<string> {
  const bare = `${scene.home}.git`;
  await git(scene.home, "init", "-q", "--bare", bare);
  await git(scene.cwd, "init", "-q");
  await git(scene.cwd, "add", "-A");
  await git(scene.cwd, "commit", "-qm", "all");
  await git(scene.cwd, "push", "-q", bare, "HEAD:main");
  return await git(bare, "log", "-p", "--text", "main");
}

Deno.test({
  name: `of ${COUNT} canaries none is stored, pushed or printed (seed ${SEED})`,
  ignore: !hasBinary,
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const canaries = plantCanaries(COUNT, SEED);
    const scene = new Scene();
    try {
      await scene.setUp();
      await scene.live(turns(canaries.slice(EXPLICIT)));
      await hand(scene, canaries.slice(0, EXPLICIT));
      const transcripts = await searchRoots([`${scene.home}/.claude/projects`], canaries);
      assert.ok(transcripts.length > COUNT / 2, "nothing was planted");
      assert.ok((await remains(scene, MARKS)).length > MARKS.length, "nothing was saved");
      assert.deepEqual(await remains(scene, canaries), []);

      const carried = await pushed(scene);
      assert.ok(MARKS.some((mark) => carried.includes(mark)), "nothing was pushed");
      assert.deepEqual(canaries.filter(({ value }) => carried.includes(value)), []);
      await Deno.remove(`${scene.cwd}/.git`, { recursive: true });

      await forgetAll(scene);
      assert.deepEqual(await remains(scene, [...canaries, ...MARKS]), [], "after forgetting");
      await scene.editor.run(["start", "--session", "d"]);
      await scene.editor.run(["exit"]);
      assert.deepEqual(await remains(scene, [...canaries, ...MARKS]), [], "in the next session");
    } finally {
      await scene.editor.close();
    }
  },
});

/** Every note by its id, sessions and topics included. */
async function forgetAll(scene: Scene): Promise<void> {
  const ids = [scene.home, scene.cwd].flatMap((root) => filesBelow(`${root}/.sage`))
    .filter((path) => path.endsWith(".md") && !/\/\.sage\/.*\/\./.test(path))
    .map((path) => /^id: (.+)$/m.exec(Deno.readTextFileSync(path))?.[1]);
  assert.ok(ids.length > TURNS / 4, `${ids.length} notes`);
  for (const id of new Set(ids)) {
    if (id !== undefined) await scene.must(["forget", id, "--yes"]);
  }
}
