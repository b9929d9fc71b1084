/** `sage project`: names, pins, folders; and that a moved, copied or forked project is known again. */
import assert from "node:assert/strict";
import { AGENT_VARIABLES } from "../../src/editor/agent_shell.ts";
import { put, read, repository } from "../support/world.ts";
import { binary, hasBinary, sage, sageJson, scratch } from "../support/sage.ts";

function folder(path: string): void {
  Deno.mkdirSync(path, { recursive: true });
}

async function made(name = "project", remote?: string) {
  const place = scratch();
  const cwd = `${place.cwd}/${name}`;
  folder(cwd);
  if (remote !== undefined) repository(cwd, remote);
  const here = { ...place, cwd };
  assert.equal((await sage(["project", "init"], here)).code, 0);
  return here;
}

interface Info {
  readonly id: string;
  readonly name: string;
  readonly other_ids: readonly string[];
  readonly store?: { readonly trust: string };
  readonly checkouts: readonly { readonly root: string }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly pinned: readonly { readonly id: string }[];
  readonly known_by: string;
  readonly forked_from?: string;
  readonly problem?: string;
}

async function info(place: ReturnType<typeof scratch>): Promise<Info> {
  const { json } = await sageJson(["project", "info"], place);
  return json["project"] as Info;
}

async function add(place: ReturnType<typeof scratch>, title: string, text = "Text.") {
  const added = await sage(["knowledge", "add", "-", "--title", title], { ...place, stdin: text });
  assert.equal(added.code, 0, added.stderr);
}

Deno.test("project list has one line for a plain folder that was renamed, here and from elsewhere", async () => {
  const place = scratch();
  const [from, to] = [`${place.cwd}/thesis`, `${place.cwd}/work`];
  folder(from);
  await add({ ...place, cwd: from }, "Waggle dances");
  await Deno.rename(from, to);
  const list = async (cwd: string): Promise<string[]> =>
    (await sage(["project", "list"], { ...place, cwd })).stdout.trim().split("\n").slice(1);
  const [here = "", ...others] = await list(to);
  assert.match(here, /^\* {2}thesis .*\/work$/);
  const [gone = "", ...more] = await list(place.cwd);
  assert.match(gone, /thesis \(gone\): 1 note in your own store$/);
  assert.deepEqual([others, more], [[], []]);
  await add({ ...place, cwd: to }, "Drones");
  assert.match((await list(place.cwd)).join("\n"), /^ +work +\S+ +\S+\/work$/);
});

Deno.test("project rename keeps id, notes, links and what a person wrote in the file", async () => {
  const place = await made();
  await add(place, "Hooks");
  await add(place, "Worktrees", "They share [[hooks]].");
  const before = await info(place);
  const path = `${place.cwd}/.sage/project.yaml`;
  put(path, `# ours\n${read(path)}collaborators: [ann] # kept\n`);
  const renamed = await sage(["project", "rename", "Morpho", "research"], place);
  assert.equal(renamed.stdout, "project is called Morpho research now.\n");
  const after = await info(place);
  assert.deepEqual([after.id, after.name, after.counts], [
    before.id,
    "Morpho research",
    before.counts,
  ]);
  assert.match(read(path), /^# ours\nid: [^]*\nname: Morpho research\n[^]*\[ann\] # kept\n$/);
  const links = await sageJson(["graph", "backlinks", "hooks"], place);
  assert.equal((links.json["items"] as unknown[]).length, 1);
  assert.equal((await sage(["knowledge", "show", "worktrees"], place)).code, 0);
  const { json } = await sageJson(["project", "list"], place);
  assert.deepEqual((json["items"] as Info[]).map(({ name }) => name), ["Morpho research"]);

  put(path, "id: [torn\n");
  const torn = await sage(["project", "rename", "x"], place);
  assert.equal(torn.code, 1);
  assert.match(torn.stderr, /Cannot change \/.*\/\.sage\/project\.yaml: /);
  assert.equal(read(path), "id: [torn\n");
  assert.match((await info(place)).problem ?? "", /cannot be read/);
  assert.equal((await sage(["project", "rename", " "], place)).code, 2);
  const secret = "gh" + "p_" + "aB3dE5fG7hI9".repeat(3);
  const refused = await sage(["project", "rename", `tool ${secret}`], place);
  assert.deepEqual([refused.code, refused.stderr.includes(secret)], [1, false]);
  assert.match(refused.stderr, /github-token/);
  const none = scratch();
  const home = await sage(["project", "init", "--team"], { ...none, cwd: none.home });
  assert.match(home.stderr, /Your home folder is not a project/);
  assert.match((await sage(["project", "rename", "x"], none)).stderr, /no store of its own/);
});

Deno.test("project pin marks a note of any kind by itself, its text and time as they were", async () => {
  const place = await made();
  await add(place, "Hooks");
  const path = `${place.cwd}/.sage/knowledge/hooks.md`;
  const before = read(path);
  assert.equal((await sage(["project", "pin", "hooks"], place)).stdout, "Hooks is pinned.\n");
  assert.equal(read(path).replace("pinned: true\n", ""), before);
  assert.deepEqual((await info(place)).pinned.map(({ id }) => id), ["hooks"]);
  assert.match((await sage(["project", "pin", "hooks"], place)).stdout, /already pinned/);
  assert.equal((await sage(["project", "unpin", "hooks"], place)).code, 0);
  assert.equal(read(path), before);
  for (const name of ["CLAUDE_CODE_SESSION_ID", ...AGENT_VARIABLES]) {
    const asked = await sage(["project", "pin", "hooks"], { ...place, env: { [name]: "1" } });
    assert.match(asked.stderr, /Only a person may/, name);
  }
  assert.equal((await sage(["project", "pin", "nothing"], place)).code, 3);
});

Deno.test({
  name: "the program knows the shell of every agent",
  ignore: !hasBinary,
  async fn() {
    const place = scratch();
    for (const name of AGENT_VARIABLES) {
      const { stderr } = await binary(["project", "pin", "x"], { ...place, env: { [name]: "1" } });
      assert.match(stderr, /Only a person may/, name);
    }
  },
});

Deno.test("project switch answers with a folder that is there, and never guesses", async () => {
  const place = await made("tool");
  const other = { ...place, cwd: `${place.home}/elsewhere` };
  folder(other.cwd);
  assert.equal((await sage(["project", "switch", "tool"], other)).stdout, `${place.cwd}\n`);
  assert.equal((await sage(["project", "switch", "TO"], other)).stdout, `${place.cwd}\n`);
  const wrong = await sage(["project", "switch", "toll"], other);
  assert.equal(wrong.code, 3);
  assert.match(wrong.stderr, /did you mean "tool"\?/);
  const clone = { ...place, cwd: `${place.home}/b/tool` };
  folder(clone.cwd);
  await sage(["project", "init"], clone);
  const several = await sage(["project", "switch", "tool"], other);
  assert.equal(several.code, 4);
  assert.deepEqual(several.stdout.trim().split("\n").sort(), [clone.cwd, place.cwd].sort());
  await Deno.remove(clone.cwd, { recursive: true });
  assert.equal((await sage(["project", "switch", "tool"], other)).code, 0);
});

Deno.test("a moved project stays trusted and known; a stranger's at its old place does not become it", async () => {
  const place = await made();
  await add(place, "Hooks");
  const before = await info(place);
  const moved = { ...place, cwd: `${place.home}/moved` };
  await Deno.rename(place.cwd, moved.cwd);
  const after = await info(moved);
  assert.deepEqual([after.id, after.store?.trust, after.counts], [before.id, "own", before.counts]);
  await add(moved, "More");
  const { json } = await sageJson(["project", "list"], moved);
  assert.deepEqual((json["items"] as { root: string }[]).map(({ root }) => root), [moved.cwd]);

  // A copy is another folder: whoever made it may have changed it.
  const copy = { ...place, cwd: `${place.home}/copy` };
  put(`${copy.cwd}/.sage/.gitignore`, read(`${moved.cwd}/.sage/.gitignore`));
  put(`${copy.cwd}/.sage/project.yaml`, read(`${moved.cwd}/.sage/project.yaml`));
  assert.equal((await info(copy)).store?.trust, "unknown");
  put(`${place.cwd}/.sage/project.yaml`, `id: ${before.id}\n`);
  assert.equal((await info(place)).store?.trust, "unknown");
});

Deno.test("two checkouts of one remote are one project, a fork knows what it is forked from", async () => {
  const a = await made("a", "git@host:team/tool.git");
  const b = { ...a, cwd: `${a.home}/b` };
  folder(b.cwd);
  repository(b.cwd, "https://host/team/tool");
  await sage(["project", "init"], b);
  const [first, second] = [await info(a), await info(b)];
  assert.equal(first.id, second.id);
  assert.deepEqual(second.checkouts.map(({ root }) => root), [a.cwd]);

  const fork = { ...a, cwd: `${a.home}/fork` };
  folder(fork.cwd);
  repository(fork.cwd, "git@host:me/tool.git");
  put(
    `${fork.cwd}/.git/config`,
    `${read(`${fork.cwd}/.git/config`)}[remote "upstream"]\n\turl = git@host:team/tool.git\n`,
  );
  const known = await info(fork);
  assert.notEqual(known.id, first.id);
  assert.ok(known.other_ids.includes(first.id));
  assert.equal(known.forked_from, "host/team/tool");
  assert.equal(known.known_by, "git remote");
});

Deno.test("knowledge promote moves there and back, a person's alone", async () => {
  const place = await made();
  await add(place, "Hooks", "A hook runs once.");
  const env = { CLAUDE_CODE_SESSION_ID: "11111111-0000-4000-8000-000000000001" };
  const agent = await sage(["knowledge", "promote", "hooks"], { ...place, env });
  assert.match(agent.stderr, /Only a person may/);
  const there = await sageJson(["knowledge", "promote", "hooks"], place);
  assert.equal(there.json["outcome"], "promoted");
  assert.match((await sage(["knowledge", "promote", "hooks"], place)).stdout, /already\.\n$/);
  assert.match((await sage(["knowledge", "show", "hooks"], place)).stdout, /A hook runs once\./);
  const back = await sage(["knowledge", "promote", "hooks", "--back"], place);
  assert.equal(
    back.stdout,
    `Hooks is of this project again: ${place.cwd}/.sage/knowledge/hooks.md\n`,
  );
  const again = await sage(["knowledge", "promote", "hooks", "--back"], place);
  assert.deepEqual([again.code, again.stdout], [0, "Hooks is of this project already.\n"]);
  const own = ["knowledge", "add", "Mine", "-m", "It holds everywhere.", "--scope", "user"];
  assert.equal((await sage(own, place)).code, 0);
  const never = await sage(["knowledge", "promote", "mine", "--back"], place);
  assert.match(never.stderr, /was never promoted/);
  assert.equal((await sage(["knowledge", "promote", "none"], place)).code, 3);
});

Deno.test("load --context prints what is known, and says on stderr what it left out", async () => {
  const place = await made();
  await add(place, "Hooks", "A hook runs once.");
  await add(place, "Story", "It began with somebody who could not log in. ".repeat(80));
  const { code, stdout, stderr } = await sage(["load", "--context", "--tokens", "100"], place);
  assert.equal(code, 0);
  assert.match(stdout, /^Hooks {2}[0-9a-f]{8} · knowledge · project\n\nA hook runs once\.\n$/);
  assert.match(stderr, /^1 note loaded, \d+ of 100 tokens\n1 left out:\n {2}\S+ Story: \d+ tokens/);
  const { json } = await sageJson(["load", "--context"], place);
  assert.equal((json["items"] as unknown[]).length, 2);
  assert.equal(json["left_total"], 0);
  assert.equal((await sage(["load", "--context", "hooks"], place)).code, 2);
  assert.equal((await sage(["load", "--context", "--recent", "2"], place)).code, 2);
});
