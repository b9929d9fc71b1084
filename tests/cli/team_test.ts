/**
 * Notes that two people keep in git: real git, the built program as its merge driver, random histories
 * of both sides. `SAGE_TEST_DEPTH=deep` plays 1,000 of them.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { depth } from "../support/depth.ts";
import { binary, scratch } from "../support/sage.ts";
import { put, read } from "../support/world.ts";
import { assertBoth, played, TWO_SIDES } from "../support/two_sides.ts";

/** Notes of one history; the last one is made on both sides. */
const NOTES = 4;
const HISTORIES = depth(8, 1000);

type Place = ReturnType<typeof scratch>;

function git({ home, cwd }: Place, ...args: string[]): { code: number; said: string } {
  const { code, stdout, stderr } = new Deno.Command("git", {
    args: ["-c", "user.name=n", "-c", "user.email=n@example.org", ...args],
    cwd,
    env: { HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
  }).outputSync();
  const text = new TextDecoder();
  return { code, said: text.decode(stdout) + text.decode(stderr) };
}

function folder(path: string): void {
  Deno.mkdirSync(path, { recursive: true });
}

async function shared(): Promise<Place> {
  const place = scratch();
  git(place, "init", "-q", "-b", "main");
  const made = await binary(["project", "init", "--team", "--yes"], place);
  assert.equal(made.code, 0, made.stderr);
  git(place, "add", ".sage");
  git(place, "commit", "-qm", "store");
  return place;
}

Deno.test(`git merges ${HISTORIES} histories of two sides without a conflict or a lost line`, async () => {
  const place = await shared();
  const notesFolder = `${place.cwd}/.sage/knowledge`;
  folder(notesFolder);
  const samples = fc.sample(TWO_SIDES, { numRuns: HISTORIES * NOTES, seed: 20260113 });
  for (let round = 0; round < HISTORIES; round++) {
    const notes = await Promise.all(Array.from({ length: NOTES }, async (_, k) => {
      const sides = samples[round * NOTES + k];
      assert.ok(sides !== undefined);
      const name = `note-${round}-${k}`;
      const both = k === NOTES - 1 ? { ...sides, base: undefined } : sides;
      return { path: `${notesFolder}/${name}.md`, texts: await played(both, name) };
    }));
    const commit = (side: "base" | "mine" | "theirs"): void => {
      for (const { path, texts } of notes) {
        if (texts[side] !== "") put(path, texts[side]);
      }
      git(place, "add", ".sage");
      git(place, "commit", "-q", "--allow-empty", "-m", side);
    };
    commit("base");
    git(place, "checkout", "-q", "-b", `side-${round}`);
    commit("theirs");
    git(place, "checkout", "-q", "main");
    commit("mine");
    const merge = git(place, "merge", "-q", "-m", "both", `side-${round}`);
    assert.equal(merge.code, 0, merge.said);
    assert.equal(git(place, "ls-files", "-u").said, "");
    for (const { path, texts } of notes) await assertBoth(texts, read(path));
  }
  const list = await binary(["knowledge", "list", "--json", "--limit", "1"], place);
  assert.equal(list.code, 0, list.stderr);
});

Deno.test("a side that cannot be read is a conflict with marks, and a program that is gone no loss", async () => {
  const place = await shared();
  const path = `${place.cwd}/.sage/knowledge/n.md`;
  const text = "---\nid: n\ntype: knowledge\n---\n\n# N\n\none\n\ntwo\n\nthree\n";
  const commit = (content: string): void => {
    put(path, content);
    git(place, "add", ".sage");
    git(place, "commit", "-qm", "c");
  };
  commit(text);
  git(place, "checkout", "-qb", "torn");
  commit(text.replace("type: knowledge", "type: [knowledge").replace("one", "1"));
  git(place, "checkout", "-q", "main");
  commit(text.replace("one", "I").replace("three", "III"));
  const merge = git(place, "merge", "torn", "-m", "m");
  assert.equal(merge.code, 1, merge.said);
  assert.match(merge.said, /sage: Cannot merge '?\.sage\/knowledge\/n\.md'?: its front matter/);
  assert.match(read(path), /<<<<<<< ours\nI\n=======\n1\n>>>>>>> theirs\n/);
  git(place, "merge", "--abort");

  git(place, "checkout", "-q", "-b", "far", "main");
  commit(text.replace("one", "I").replace("three", "3"));
  git(place, "checkout", "-q", "main");
  commit(text.replace("one", "I").replace("three", "drei"));
  const config = `${place.cwd}/.git/config`;
  put(
    config,
    read(config).replaceAll("/sage'", "/sage-that-is-gone'"),
  );
  const gone = git(place, "merge", "far", "-m", "m");
  assert.equal(gone.code, 1, gone.said);
  assert.match(read(path), /<<<<<<<[^]*drei[^]*>>>>>>>/);
});

Deno.test("project init --team asks before it touches git, and uninstall takes it out to the byte", async () => {
  const place = scratch();
  git(place, "init", "-q", "-b", "main");
  const config = `${place.cwd}/.git/config`;
  put(config, `${read(config)}# mine, without an end`);
  const before = read(config);
  put(`${place.home}/profile`, "mine\n");
  folder(`${place.cwd}/.sage`);
  await Deno.symlink(`${place.home}/profile`, `${place.cwd}/.sage/.gitattributes`);
  const link = await binary(["project", "init", "--team"], place);
  assert.match(link.stderr, /it is not a regular file/);
  assert.equal(read(`${place.home}/profile`), "mine\n");
  await Deno.remove(`${place.cwd}/.sage/.gitattributes`);
  const shown = await binary(["project", "init", "--team"], place);
  assert.match(shown.stdout, /Git does not call Sage yet\. It would with this:/);
  assert.equal(read(config), before);
  const agent = {
    ...place,
    env: { CLAUDE_CODE_SESSION_ID: "11111111-0000-4000-8000-000000000001" },
  };
  await binary(["project", "init", "--team", "--yes"], agent);
  assert.equal(read(config), before);

  put(`${config}.lock`, "");
  const held = await binary(["project", "init", "--team", "--yes"], place);
  assert.match(held.stderr, /git holds it/);
  await Deno.remove(`${config}.lock`);
  const told = await binary(["project", "init", "--team", "--yes"], place);
  assert.equal(told.code, 0);
  assert.match(told.stdout, /\nGit calls Sage here now:\n/);
  assert.match(told.stderr, /each of you runs this once/);
  assert.match(git(place, "config", "merge.sage.driver").said, /merge-driver %O %A %B %P/);
  assert.match(
    (await binary(["project", "info"], place)).stdout,
    /team +notes merge by themselves/,
  );
  const again = read(config);
  await binary(["project", "init", "--team", "--yes"], place);
  assert.equal(read(config), again);
  const out = await binary(["uninstall"], place);
  assert.match(out.stdout, /Merge driver of git: .*\.git\/config/);
  assert.equal(read(config).trimEnd(), before);
});
