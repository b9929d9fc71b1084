/**
 * R13 by what the kernel saw: an attack on every place that takes an id, a path or a folder, on a
 * store full of links, pipes and odd names. Every file that was opened lies in an allowed root.
 */
import assert from "node:assert/strict";
import { hasBinary } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import { canTrace } from "../support/strace.ts";
import { tempDir } from "../support/temp_store.ts";
import { put } from "../support/world.ts";
import { shell } from "../crash/lived.ts";
import { Scene } from "./session.ts";
import { outside, readTraces, tracedProgram } from "./traced.ts";

const SECRET = "outside-secret-words";
/** Of the list, the server is asked every so many; in depth all. */
const ASKED_EVERY = depth(40, 1);
/** Attacks by a command of its own. */
const COMMANDS = depth(8, 400);

/** Names that lead out, or would, in some reading of them. */
function attacks(target: string): string[] {
  const up = ["../", "..\\", "%2e%2e/", "..%2f", "....//", ".\u200b./", "\uff0e\uff0e/", "..;/"];
  const before = ["", "/", "knowledge/", "./", "~/", "file://", "C:\\", "knowledge\\", "-", "\0"];
  const after = ["secret.md", "secret", "outside/secret.md", "etc/passwd", "secret.md\0.png"];
  return [
    ...[target, target.replace(/\.md$/, ""), `file://${target}`, `${target}\0`, `[[${target}]]`],
    ...["link", "knowledge/link.md", "folder/secret", "linked/secret.md", "pipe", "loop", "zero"],
    ...[
      "hidden",
      ".history/../../../outside/secret",
      "state/trust.json",
      "/dev/zero",
      "/proc/self/environ",
    ],
    ...[4, 6, 8, 12].map((levels) => "../".repeat(levels) + target.slice(1)),
    ...before.flatMap((one) =>
      up.flatMap((dots) => after.map((end) => one + dots.repeat(5) + end))
    ),
  ];
}

/** A store as a stranger may put it into a clone. */
async function hostileStore(root: string, out: string): Promise<void> {
  put(`${out}/secret.md`, `---\nid: secret\ntype: knowledge\n---\n\n# Secret\n\n${SECRET}\n`);
  put(`${out}/tuning.yaml`, `# ${SECRET}\nretrieval:\n  max_items: 1\n`);
  put(`${out}/.sage/knowledge/other.md`, `# Other\n\n${SECRET}\n`);
  const links: Record<string, string> = {
    "knowledge/link.md": `${out}/secret.md`,
    "knowledge/folder": out,
    "knowledge/zero.md": "/dev/zero",
    "knowledge/loop": ".",
    "knowledge/passwd.md": "/etc/passwd",
    "knowledge/.history/importer": out,
    "knowledge/relative.md": "../../../outside/secret.md",
    "checkpoints": out,
    "todos": "/etc",
    "tuning.yaml": `${out}/tuning.yaml`,
    ".sageignore": `${out}/secret.md`,
    ".inbox": out,
    ".trash": out,
  };
  for (const [path, target] of Object.entries(links)) {
    await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.remove(`${root}/${path}`, { recursive: true }).catch(() => {});
    await Deno.symlink(target, `${root}/${path}`);
  }
  await shell("mkfifo", `${root}/knowledge/pipe.md`);
  // A hard link is a file of the store, so its words are the store's.
  put(`${out}/hard.md`, "# Hard\n\nWords that two names share.\n");
  await Deno.link(`${out}/hard.md`, `${root}/knowledge/hard.md`);
  const source = `---\nid: hidden\ntype: knowledge\nparent: ../../outside/secret\nsources:\n` +
    `  - id: ${out}/secret.md\n    relation: supports\n---\n\n# Hidden\n\n![[${out}/secret.md]]\n`;
  put(`${root}/knowledge/hidden.md`, source);
}

/** One server is asked by everything that takes a name. */
async function ask(scene: Scene, names: readonly string[]): Promise<string> {
  const calls: [string, Record<string, unknown>][] = names.flatMap((name) => [
    ["get_note", { id: name }],
    ["sage_load_checkpoint", { id: name }],
    ["sage_remove_knowledge", { id: name }],
    ["find_similar_notes", { id: name }],
    ["sage_todo", { action: "done", id: name }],
  ]);
  const clientInfo = { name: "attack", version: "0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const messages = [
    { id: 0, method: "initialize", params },
    { method: "notifications/initialized" },
    ...calls.map(([name, args], n) => (
      { id: n + 1, method: "tools/call", params: { name, arguments: args } }
    )),
    ...names.map((name, n) => (
      { id: n + 100_000, method: "resources/read", params: { uri: `sage://note/${name}` } }
    )),
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join("");
  const { stdout } = await scene.sage(["mcp", "--tools", "full"], messages);
  const answers = stdout.split("\n").filter((line) => line !== "").length;
  assert.ok(answers >= calls.length, `${answers} answers to ${calls.length} calls`);
  return stdout;
}

/** Each surface of the command line, one name each. */
const SURFACES: readonly ((name: string, out: string) => string[])[] = [
  (name) => ["load", name],
  (name) => ["checkpoint", "show", name],
  (name) => ["knowledge", "show", name],
  (name) => ["knowledge", "rm", name, "--yes"],
  (name) => ["todo", "done", name],
  (name) => ["forget", name, "--yes"],
  (name) => ["knowledge", "add", "-", "--title", name, "--id", name],
  (name) => ["knowledge", "add", "-", "--title", name, "--source", name, "--skill", name],
  (name) => ["checkpoint", "save", "-m", "A thesis.", "--parent", name, "--source", name],
  (name) => ["todo", "add", name, "--source", name],
  (name) => ["search", name],
  (name) => ["knowledge", "match", name],
];

Deno.test({
  name: "no name, reference or hostile store makes the program open a file outside the stores",
  ignore: !hasBinary || !canTrace(),
  async fn() {
    const base = tempDir();
    const scene = new Scene(await tracedProgram(base), base);
    const out = `${base}/outside`;
    await Deno.mkdir(scene.cwd, { recursive: true });
    await scene.must(["init"]);
    await scene.must(["knowledge", "add", "-", "--title", "Importer"], "It stalls.");
    await hostileStore(`${scene.cwd}/.sage`, out);
    const names = attacks(`${out}/secret.md`);
    assert.ok(names.length > 400, `${names.length} names`);
    const offset = Math.floor(Math.random() * ASKED_EVERY);
    let said = await ask(scene, names.filter((_, n) => n < 16 || n % ASKED_EVERY === offset));
    const plain = names.filter((name) => !name.includes("\0"));
    for (let n = 0; n < COMMANDS; n++) {
      const surface = SURFACES[n % SURFACES.length];
      const name = plain[Math.floor(n * plain.length / COMMANDS)];
      if (surface === undefined || name === undefined) continue;
      const { stdout, stderr } = await scene.sage(surface(name, out), "Words.");
      said += stdout + stderr;
    }
    for (const args of [["status"], ["doctor"], ["admin", "rebuild"], ["knowledge", "list"]]) {
      said += (await scene.sage(args)).stdout;
    }
    const at = said.indexOf(SECRET);
    assert.equal(
      at,
      -1,
      `it told what lies outside: ${said.slice(Math.max(0, at - 400), at + 40)}`,
    );
    assertInside(base, scene, [`${base}/outside`]);
    // The tracer sees what is opened: a file that the person names.
    await scene.sage(["knowledge", "add", `${out}/.sage/knowledge/other.md`]);
    assert.ok(readTraces(base).opened.has(`${out}/.sage/knowledge/other.md`));
  },
});

/** What was opened lies in the stores; a hard link in one is in it, under that name. */
function assertInside(base: string, scene: Scene, never: readonly string[]): void {
  const { opened, made, started } = readTraces(base);
  const roots = [`${scene.home}/.sage/`, `${scene.cwd}/.sage/`];
  const folders = [scene.home, scene.cwd, ...roots.map((root) => root.slice(0, -1))];
  assert.deepEqual(started, []);
  assert.deepEqual(outside(made, [...roots, ...folders]), []);
  assert.deepEqual(outside(opened, [...roots, ...folders]), []);
  for (const path of [...opened, ...made]) {
    assert.ok(!never.some((one) => path.startsWith(one)), `${path} was opened`);
  }
}
