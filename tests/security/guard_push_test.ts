/**
 * The guard with real git: what was planted by hand, in notes, between private tags, in `local/` and
 * `_PRIVATE`, in transcripts and in code, is neither committed nor, past the first hook, pushed.
 */
import assert from "node:assert/strict";
import { type Canary, plantCanaries } from "../support/canaries.ts";
import { depth } from "../support/depth.ts";
import { binary, hasBinary, scratch } from "../support/sage.ts";
import { orKilled } from "../support/within.ts";

const SEED = depth(500_077, Math.floor(Math.random() * 1e9));
const COUNT = 500;

interface Place {
  readonly home: string;
  readonly cwd: string;
  readonly bare: string;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function git({ home, cwd }: Place, ...args: string[]): Promise<Ran> {
  const child = new Deno.Command("git", {
    args: ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args],
    cwd,
    env: { HOME: home, PATH: "/usr/bin:/bin", GIT_CONFIG_NOSYSTEM: "1" },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { code, stdout, stderr } = await orKilled("the end of git", child, child.output());
  // A character a byte; what calls itself latin1 has other ones for some of them.
  const text = (bytes: Uint8Array): string =>
    Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

async function must(place: Place, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await git(place, ...args);
  assert.equal(code, 0, `git ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

/** A project under git with a remote, its store, and the guard. */
async function guarded(): Promise<Place> {
  const { home, cwd } = scratch();
  const place = { home, cwd, bare: `${home}/remote.git` };
  await must(place, "init", "-q", "--bare", place.bare);
  await must(place, "init", "-q", "-b", "main");
  await must(place, "remote", "add", "origin", place.bare);
  assert.equal((await binary(["init"], place)).code, 0);
  assert.equal((await binary(["guard", "install"], place)).code, 0);
  await put(place, "README.md", "# Project\n");
  await must(place, "add", "-A");
  await must(place, "commit", "-qm", "begin");
  return place;
}

async function put({ cwd }: Place, path: string, text: string): Promise<void> {
  await Deno.mkdir(`${cwd}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
  await Deno.writeTextFile(`${cwd}/${path}`, text);
}

/** Plain words between tags are private in a store only; what has a form is a secret anywhere. */
function pathFor({ kind }: Canary, i: number): string {
  const inStore = [
    `.sage/knowledge/n${i}.md`,
    `.sage/sessions/n${i}.md`,
    `.sage/local/n${i}.md`,
    `.sage/knowledge/_PRIVATE/n${i}.md`,
    `.sage/state/transcripts/n${i}.jsonl`,
  ];
  const anywhere = [...inStore, `src/f${i}.ts`, `transcripts/t${i}.jsonl`, `ü ${i}/"q".txt`];
  const places = kind === "private" ? inStore : anywhere;
  return places[i % places.length] ?? "";
}

function fileOf(path: string, { text }: Canary): string {
  if (path.endsWith(".jsonl")) return JSON.stringify({ type: "user", text }) + "\n";
  return path.endsWith(".md") ? `---\nid: x\n---\n\n# Note\n\n${text}\n` : `// x\n${text}\n`;
}

/** Every object that the remote has, as one text. */
async function atRemote(place: Place): Promise<string> {
  return await must({ ...place, cwd: place.bare }, "cat-file", "--batch-all-objects", "--batch");
}

Deno.test({
  name: `of ${COUNT} canaries that were planted by hand none is pushed (seed ${SEED})`,
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    const canaries = plantCanaries(COUNT, SEED);
    const paths = canaries.map(pathFor);
    for (const [i, canary] of canaries.entries()) {
      await put(place, paths[i] ?? "", fileOf(paths[i] ?? "", canary));
    }
    await must(place, "add", "-A", "-f");

    const refused = await git(place, "commit", "-qm", "all of it");
    assert.equal(refused.code, 1);
    const said = refused.stdout + refused.stderr;
    assert.deepEqual(canaries.filter(({ value }) => said.includes(value)), [], "printed");

    // Each of them by itself, not one for all.
    const stdin = new TextDecoder().decode(
      Uint8Array.from(await must(place, "diff", "--cached"), (c) => c.charCodeAt(0)),
    );
    const scan = await binary(["guard", "scan", "-", "--json"], { ...place, stdin });
    const { items } = JSON.parse(scan.stdout) as { items: { path: string }[] };
    const found = new Set(items.map(({ path }) => path));
    assert.deepEqual(paths.filter((path) => !found.has(path)), []);

    await must(place, "commit", "-qnm", "past the first hook");
    await must(place, "rm", "-rqf", "--cached", ...new Set(paths));
    await must(place, "commit", "-qm", "and out again");
    const pushed = await git(place, "push", "-q", "origin", "main");
    assert.notEqual(pushed.code, 0, "history goes along");
    assert.equal(await atRemote(place), "");

    await must(place, "reset", "-q", "--soft", "HEAD~2");
    await must(place, "reset", "-q");
    for (const path of paths) await Deno.remove(`${place.cwd}/${path}`);
    await put(place, ".sage/local/mine.md", `# Mine\n\n${canaries[0]?.text}\n`);
    await put(place, ".sage/knowledge/fine.md", "# Fine\n\nWorktrees share hooks.\n");
    await must(place, "add", "-A");
    await must(place, "commit", "-qm", "what may be known");
    await must(place, "push", "-q", "origin", "main");
    const carried = await atRemote(place);
    assert.match(carried, /Worktrees share hooks/);
    assert.deepEqual(canaries.filter(({ value }) => carried.includes(value)), []);
  },
});

const SECRET = ["AKIA", "Q3EGRT5XWY7ZBNMP"].join("");

/** Past the first hook. */
async function commitSecret(place: Place): Promise<void> {
  await put(place, "a.ts", `const key = "${SECRET}";\n`);
  await must(place, "add", "-A");
  await must(place, "commit", "-qnm", "past the first hook");
}

Deno.test({
  name: "the message of a tag is scanned before it is pushed, and its commits too",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    await must(place, "push", "-q", "origin", "main");
    await must(place, "tag", "-a", "v1", "-m", "First release\n\ndiff --git a/x b/x");
    await must(place, "push", "-q", "origin", "v1");
    await must(place, "tag", "-a", "v2", "-m", `the key was ${SECRET}`);
    const refused = await git(place, "push", "-q", "origin", "v2");
    assert.equal(refused.code, 1);
    assert.match(
      refused.stdout + refused.stderr,
      /\(commit [0-9a-f]{7}\):6:\d+ {2}aws-access-key-id/,
    );
    await commitSecret(place);
    await must(place, "tag", "-a", "v3", "-m", "Third");
    assert.equal((await git(place, "push", "-q", "origin", "v3")).code, 1);
    assert.equal((await atRemote(place)).includes(SECRET), false);
  },
});

Deno.test({
  name: "what files, branches and tags are called is scanned before it is pushed, and not said",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    await must(place, "push", "-q", "origin", "main");
    await must(place, "tag", `v-${SECRET}`);
    await must(place, "branch", `try/${SECRET}`);
    await put(place, `keys/${SECRET}.txt`, "nothing\n");
    await must(place, "add", "-A");
    const refuses = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await git(place, ...args);
      assert.notEqual(code, 0, args.join(" "));
      // What git says itself is git's: the refs of a push that failed.
      const said = (stdout + stderr).split("\n").filter((line) => !/^error: |^ ! /.test(line));
      assert.equal(said.join("\n").includes(SECRET), false);
      return said.join("\n");
    };
    const file = /keys\/\[redacted:aws-access-key-id\]\.txt {2}aws-access-key-id, in the name/;
    assert.match(await refuses("commit", "-qm", "x"), file);
    assert.match(
      await refuses("push", "-q", "origin", `v-${SECRET}`),
      /refs\/tags\/v-\[redacted:aws-access-key-id\] {2}aws-access-key-id, in the name/,
    );
    const branch = await refuses("push", "-q", "origin", `main:try/${SECRET}`);
    assert.match(branch, /refs\/heads\/try\/\[redacted:[^]*; in a name: <name>:1\n/);
    await must(place, "push", "-q", "origin", `try/${SECRET}:fine`);
    await must(place, "commit", "-qnm", "past the first hook");
    assert.match(await refuses("push", "-q", "origin", "main"), file);
    const allow = ["guard", "allow", `refs/heads/try/${SECRET}:1`, "--reason", "made up"];
    assert.equal((await binary(allow, place)).code, 0);
    await must(place, "push", "-q", "origin", `try/${SECRET}`);
  },
});

Deno.test({
  name: "a push is scanned whatever it is called by, and whatever git shows in its place",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    await must(place, "push", "-q", "origin", "main");
    const clean = (await must(place, "rev-parse", "HEAD")).trim();
    await commitSecret(place);
    const named = await git(place, "push", "-q", "origin", "HEAD^{/the first}:refs/heads/side");
    assert.equal(named.code, 1);
    assert.match(named.stdout + named.stderr, /a\.ts:1:\d+ {2}aws-access-key-id/);

    const bad = (await must(place, "rev-parse", "HEAD")).trim();
    await must(place, "replace", bad, clean);
    assert.equal((await git(place, "push", "-q", "origin", "main")).code, 1, "another commit");
    await must(place, "replace", "-d", bad);

    await must(place, "rm", "-q", "a.ts");
    await must(place, "commit", "-qm", "and out again");
    await must(place, "replace", "--graft", "HEAD", clean);
    assert.equal((await git(place, "push", "-q", "origin", "main")).code, 1, "another parent");
    assert.equal((await atRemote(place)).includes(SECRET), false);
  },
});

Deno.test({
  name: "the staged content is scanned, not the file beside it",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    await put(place, "a.ts", `const key = "${SECRET}";\n`);
    await must(place, "add", "a.ts");
    await put(place, "a.ts", "const key = 1;\n");
    assert.equal((await git(place, "commit", "-qm", "x")).code, 1);
    await must(place, "add", "a.ts");
    await put(place, "a.ts", `const key = "${SECRET}";\n`);
    await must(place, "commit", "-qm", "x");
    assert.equal((await git(place, "commit", "-qam", "y")).code, 1, "all at once");
    assert.equal((await git(place, "commit", "-qm", "y", "a.ts")).code, 1, "one by name");
  },
});

Deno.test({
  name: "the push looks at messages, at merges, at new branches, and at nothing twice",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    await must(place, "push", "-q", "origin", "main");
    await must(place, "checkout", "-qb", "side");
    await must(place, "commit", "-q", "--allow-empty", "-m", `deploy with ${SECRET}`);
    const refused = await git(place, "push", "-q", "origin", "side");
    assert.notEqual(refused.code, 0);
    assert.match(
      refused.stdout + refused.stderr,
      /\(commit [0-9a-f]{7}\):1:\d+ {2}aws-access-key-id/,
    );
    await must(place, "reset", "-q", "--hard", "main");

    await put(place, "a.txt", "side\n");
    await must(place, "add", "-A");
    await must(place, "commit", "-qm", "side");
    await must(place, "checkout", "-q", "main");
    await put(place, "a.txt", "main\n");
    await must(place, "add", "-A");
    await must(place, "commit", "-qm", "main");
    await git(place, "merge", "side");
    await put(place, "a.txt", `both ${SECRET}\n`);
    await must(place, "add", "-A");
    await must(place, "commit", "-qnm", "merged by hand");
    assert.notEqual((await git(place, "push", "-q", "origin", "main")).code, 0);

    await must(place, "push", "-q", "--no-verify", "origin", "main");
    await must(place, "push", "-q", "origin", "main:again");
    await must(place, "push", "-q", "origin", ":again");
  },
});

Deno.test({
  name: "attributes, filters and settings of git hide nothing",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    await put(place, ".gitattributes", "*.md binary\n*.ts diff=x\n*.env -diff\n");
    for (
      const [key = "", value = ""] of [
        ["diff.x.textconv", "true"],
        ["diff.x.command", "true"],
        ["diff.noprefix", "true"],
        ["diff.renames", "copies"],
        ["color.ui", "always"],
        ["log.showSignature", "true"],
        ["log.showRoot", "false"],
      ]
    ) await must(place, "config", key, value);
    await put(place, ".sage/knowledge/a.md", `# A\n\n${SECRET}\n`);
    await put(place, ".sage/knowledge/b.md", "# B\0\n");
    await put(place, "a.ts", `${SECRET}\n`);
    await put(place, "a.env", `A=1\nKEY=${SECRET}\n`);
    await must(place, "add", "-A");
    const { code, stdout, stderr } = await git(place, "commit", "-qm", "x");
    assert.equal(code, 1);
    const said = stdout + stderr;
    assert.match(said, /^\.sage\/knowledge\/a\.md:3:1 {2}aws-access-key-id/m);
    assert.match(said, /^\.sage\/knowledge\/b\.md:1:1 {2}binary-note/m);
    assert.match(said, /^a\.ts:1:1 {2}aws-access-key-id/m);
    assert.match(said, /^a\.env:2:5 {2}aws-access-key-id/m);
    assert.equal((await git(place, "rm", "-rqf", ".sage/knowledge", "a.ts")).code, 0);
    await must(place, "commit", "-q", "--amend", "--no-verify", "-m", "begins with it");
    const refused = await git(place, "push", "-q", "origin", "main");
    assert.match(refused.stdout + refused.stderr, /^a\.env:2:5 {2}aws-access-key-id/m);
  },
});

function utf16(text: string, isBig: boolean): Uint8Array {
  const codes = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  const view = new DataView(new ArrayBuffer(2 * codes.length));
  codes.forEach((code, i) => view.setUint16(2 * i, code, !isBig));
  return new Uint8Array(view.buffer);
}

Deno.test({
  name: "text in UTF-16 is read: new, changed, staged and as a file; an image is not",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    const image = Uint8Array.from([0x89, 0x50, 0, 0, ...new TextEncoder().encode(SECRET)]);
    await Deno.writeFile(`${place.cwd}/logo.png`, image);
    for (const isBig of [false, true]) {
      const path = isBig ? "big.txt" : "little.txt";
      await Deno.writeFile(
        `${place.cwd}/${path}`,
        utf16(`\ufeff上密码\r\nhere: ${SECRET}\r\n`, isBig),
      );
    }
    await must(place, "add", "-A");
    const found = ["big.txt:2:7  aws-access-key-id", "little.txt:2:7  aws-access-key-id"];
    const lines = (said: string): string[] =>
      said.split("\n").filter((line) => line.includes("aws-")).sort();
    const refused = await git(place, "commit", "-qm", "x");
    assert.equal(refused.code, 1);
    assert.deepEqual(lines(refused.stdout + refused.stderr), found);
    assert.deepEqual(lines((await binary(["guard", "scan", "--staged"], place)).stdout), found);
    const files = ["guard", "scan", "big.txt", "little.txt", "logo.png"];
    assert.deepEqual(lines((await binary(files, place)).stdout), found);

    await must(place, "reset", "-q", "--hard");
    for (const isBig of [false, true]) {
      const path = isBig ? "big.txt" : "little.txt";
      const text = (second: string): Uint8Array =>
        utf16(`\ufeffone\r\n${second}\r\nthree\r\n`, isBig);
      await Deno.writeFile(`${place.cwd}/${path}`, text("two"));
      await must(place, "add", "-A");
      await must(place, "commit", "-qm", "without");
      await Deno.writeFile(`${place.cwd}/${path}`, text(`here: ${SECRET}`));
      await must(place, "add", "-A");
      const { code, stdout, stderr } = await git(place, "commit", "-qm", "with");
      assert.equal(code, 1);
      assert.deepEqual(lines(stdout + stderr), [`${path}:2:7  aws-access-key-id`]);
      await must(place, "reset", "-q", "--hard");
    }
  },
});

Deno.test({
  name: "what a ref points at is read before it is pushed, commit or not",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    await must(place, "push", "-q", "origin", "main");
    const push = async (what: string): Promise<string> => {
      const { code, stdout, stderr } = await git(place, "push", "origin", `+${what}:refs/x/y`);
      assert.equal(code !== 0, /aws-access-key-id/.test(stdout), stdout + stderr);
      return stdout;
    };
    await put(place, "a.txt", `diff --git a/x b/x\ndeleted file mode 100644\n${SECRET}\n`);
    const blob = (await must(place, "hash-object", "-w", "a.txt")).trim();
    assert.match(await push(blob), new RegExp(`^${blob}/-:3:1  aws-access-key-id`, "m"));
    await Deno.writeFile(`${place.cwd}/a.txt`, utf16(`\ufeff${SECRET}`, false));
    const wide = (await must(place, "hash-object", "-w", "a.txt")).trim();
    assert.match(await push(wide), new RegExp(`^${wide}/-:1:1  aws-access-key-id`, "m"));

    await put(place, "a.txt", `${SECRET}\n`);
    await must(place, "add", "-A");
    const tree = (await must(place, "write-tree")).trim();
    assert.match(await push(tree), /^a\.txt:1:1 {2}aws-access-key-id/m);
    await must(place, "tag", "-a", "of-blob", "-m", "x", blob);
    assert.match(await push("of-blob"), /-:3:1 {2}aws-access-key-id/);
    await must(place, "tag", "-a", "inner", "-m", `the key was ${SECRET}`);
    await must(place, "tag", "-a", "outer", "-m", "x", "inner");
    assert.match(await push("outer"), /\(commit [0-9a-f]{7}\):6:\d+ {2}aws-access-key-id/);

    assert.equal((await atRemote(place)).includes(SECRET), false);
    assert.equal(await push("main^{tree}"), "");
    assert.equal(await push("main:README.md"), "");
  },
});

Deno.test({
  name: "a hook that was there is called first, and decides as before",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    assert.equal((await binary(["guard", "uninstall"], place)).code, 0);
    const hook = `${place.cwd}/.git/hooks/pre-push`;
    await Deno.writeTextFile(
      hook,
      '#!/bin/sh\nread -r line\necho "theirs $1 $line"\nexit ${RC:-0}\n',
    );
    await Deno.chmod(hook, 0o755);
    assert.equal((await binary(["guard", "install"], place)).code, 0);
    const { stdout, stderr } = await git(place, "push", "origin", "main");
    assert.match(
      stdout + stderr,
      /theirs origin refs\/heads\/main [0-9a-f]{40} refs\/heads\/main 0{40}/,
    );
    await Deno.writeTextFile(`${hook}.before-sage`, "#!/bin/sh\nexit 3\n");
    await must(place, "commit", "-q", "--allow-empty", "-m", "two");
    assert.notEqual((await git(place, "push", "origin", "main")).code, 0);
  },
});

Deno.test({
  name: "a sage that is gone stops nobody, and is missed aloud",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    const hook = `${place.cwd}/.git/hooks/pre-commit`;
    const text = (await Deno.readTextFile(hook)).replace(/sage='.*'/, "sage='/nowhere/sage'");
    await Deno.writeTextFile(hook, text);
    const { code, stderr } = await git(place, "commit", "-q", "--allow-empty", "-m", "x");
    assert.equal(code, 0);
    assert.match(stderr, /sage guard: \/nowhere\/sage is gone, nothing was scanned/);
  },
});

Deno.test({
  name: "sage guard scan --staged reads what git keeps, in every form of the index",
  ignore: !hasBinary,
  async fn() {
    for (const version of ["2", "3", "4"]) {
      const place = await guarded();
      const paths = ["a.ts", "a/b.ts", "a/b/c.ts", "a/bé.ts", `${"long".repeat(40)}.ts`, "z.ts"];
      for (const path of paths) await put(place, path, `// ${path}\nconst key = "${SECRET}";\n`);
      await put(place, "fine.ts", "const key = 1;\n");
      await put(place, ".sage/local/x.md", "x\n");
      await must(place, "add", "-A", "-f");
      await put(place, "later.ts", "");
      await must(place, "add", "-N", "later.ts");
      if (version === "3") await must(place, "update-index", "--skip-worktree", "fine.ts");
      await must(place, "update-index", "--index-version", version);
      for (const path of paths) await put(place, path, "gone\n");
      const { code, stdout } = await binary(["guard", "scan", "--staged", "--json"], place);
      assert.equal(code, 1, version);
      const { items } = JSON.parse(stdout) as { items: { path: string; line: number }[] };
      assert.deepEqual(
        items.map(({ path, line }) => `${path}:${line}`).sort(),
        [...paths.map((path) => `${path}:2`), ".sage/local/x.md:1"].sort(),
        version,
      );
    }
  },
});

Deno.test({
  name: "sage guard scan --staged says of what it cannot read that it cannot",
  ignore: !hasBinary,
  async fn() {
    const place = await guarded();
    await must(place, "update-index", "--split-index");
    await put(place, "b.ts", "x\n");
    await must(place, "add", "b.ts");
    const split = await binary(["guard", "scan", "--staged"], place);
    assert.deepEqual([split.code, split.stdout], [1, ""]);
    assert.match(
      split.stderr,
      /Cannot read what is staged.*\n {2}git diff --cached --text \| sage guard scan -/,
    );
    for (const bytes of ["", "DIRC", "DIRC\0\0\0\x02\0\0\xff\xff", "x".repeat(500)]) {
      await Deno.writeTextFile(`${place.cwd}/.git/index`, bytes);
      assert.equal((await binary(["guard", "scan", "--staged"], place)).code, 1);
    }
    await Deno.remove(`${place.cwd}/.git/index`);
    assert.equal((await binary(["guard", "scan", "--staged"], place)).code, 0);
    const nowhere = await binary(["guard", "scan", "--staged"], { home: place.home });
    assert.deepEqual(nowhere.code, 3);
    assert.equal((await binary(["guard", "scan", "--staged", "x"], place)).code, 2);
  },
});
