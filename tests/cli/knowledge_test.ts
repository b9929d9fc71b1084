import assert from "node:assert/strict";
import { sage, sageJson, scratch } from "../support/sage.ts";

const WORKTREES =
  "# Worktrees share hooks\n\nA git worktree shares the hooks of its main checkout, since hooks live in the common folder.\n";

async function withKnowledge() {
  const place = scratch();
  await sage(["init"], place);
  await Deno.writeTextFile(`${place.cwd}/worktrees.md`, WORKTREES);
  await sage(["knowledge", "add", "worktrees.md", "--keywords", "git,worktree"], place);
  return place;
}

Deno.test("sage knowledge add takes a file, and says when nothing is new", async () => {
  const place = await withKnowledge();
  const { json } = await sageJson(["knowledge", "list"], place);
  const [item] = json.items as { title: string; keywords: string[]; tokens: number }[];
  assert.equal(item?.title, "Worktrees share hooks");
  assert.deepEqual(item?.keywords, ["git", "worktree"]);
  const again = await sage(["knowledge", "add", "worktrees.md"], place);
  assert.equal(again.code, 0);
  assert.match(again.stdout, /^Nothing new: knowledge [0-9a-f]{8} says the same /);
});

Deno.test("sage knowledge add - makes a title of the first sentence", async () => {
  const place = scratch();
  const stdin = "The API allows 10 requests a second. More are refused with 429.\n";
  const { stdout } = await sage(["knowledge", "add", "-", "--subject", "fact"], {
    ...place,
    stdin,
  });
  assert.match(stdout, /^Saved knowledge [0-9a-f]{8}: The API allows 10 requests a second\n$/);
});

Deno.test("sage knowledge add leaves out a private part that begins in the heading", async () => {
  const place = scratch();
  const stdin = "# Deploy <private>\nthe door code is 4711\n</private>\n\nPush the tag.\n";
  const { code } = await sage(["knowledge", "add", "-"], { ...place, stdin });
  assert.equal(code, 0);
  await Deno.writeTextFile(`${place.cwd}/x.md`, stdin.replace("Deploy", "Again"));
  assert.equal((await sage(["knowledge", "add", "x.md", "--on-conflict", "both"], place)).code, 0);
  const shown = (await sage(["knowledge", "list"], place)).stdout +
    (await sage(["knowledge", "show", "deploy"], place)).stdout +
    (await sage(["knowledge", "show", "again"], place)).stdout;
  assert.match(shown, /Push the tag\./);
  assert.doesNotMatch(shown, /4711|door/);
});

Deno.test("sage knowledge add keeps the fields of a note's front matter", async () => {
  const place = scratch();
  const text =
    "---\ntype: knowledge\nsubject: decision\nkeywords: [orm]\n---\n\n# No ORM\n\nPlain SQL.\n";
  await Deno.writeTextFile(`${place.cwd}/x.md`, text);
  await sage(["knowledge", "add", "x.md"], place);
  const { json } = await sageJson(["knowledge", "list"], place);
  const [item] = json.items as { subject: string; keywords: string[] }[];
  assert.deepEqual([item?.subject, item?.keywords], ["decision", ["orm"]]);
});

Deno.test("sage knowledge add says what is wrong with a file", async () => {
  const place = scratch();
  await Deno.writeTextFile(`${place.cwd}/bad.md`, '---\ntags: ["a\n---\n\ntext\n');
  await Deno.writeFile(`${place.cwd}/bytes.md`, new Uint8Array([0x61, 0xff, 0xfe]));
  await Deno.mkdir(`${place.cwd}/folder`);
  const said = async (name: string): Promise<string> =>
    (await sage(["knowledge", "add", name], place)).stderr;
  assert.match(await said("none.md"), /^sage: Cannot read "none\.md": there is no such file\n/);
  assert.match(await said("folder"), /it is no file/);
  assert.match(await said("bytes.md"), /it is not UTF-8 text/);
  assert.match(await said("bad.md"), /^sage: Cannot read bad\.md:\d+:\d+: /);
});

Deno.test("sage knowledge add puts a contradiction before the person", async () => {
  const place = await withKnowledge();
  await Deno.writeTextFile(
    `${place.cwd}/other.md`,
    "# Worktrees share hooks\n\nSince version 3 every worktree has hooks of its own.\n",
  );
  const add = ["knowledge", "add", "other.md"];
  const refused = await sage(add, place);
  assert.equal(refused.code, 4);
  assert.match(refused.stdout, /shares the hooks of its main checkout/);
  assert.match(refused.stderr, /--on-conflict update to replace its text, or --on-conflict both/);
  const asJson = await sageJson(add, place);
  assert.deepEqual(asJson.json.choices, ["update", "keep_both", "discard"]);

  const discarded = await sage(add, { ...place, terminal: true, stdin: "\n" });
  assert.deepEqual([discarded.code, discarded.stdout], [4, ""]);
  assert.match(discarded.stderr, /there .*[\s\S]*yours .*[\s\S]*Nothing was saved\./);
  const updated = await sage(add, { ...place, terminal: true, stdin: "1\n" });
  assert.match(updated.stdout, /^Updated knowledge /);
  const shown = await sage(["knowledge", "show", "worktrees-share-hooks"], place);
  assert.match(shown.stdout, /every worktree has hooks of its own/);
});

Deno.test("sage knowledge match shows what would be recalled and its tokens", async () => {
  const place = await withKnowledge();
  const { code, stdout } = await sage(["knowledge", "match", "do worktrees share hooks"], place);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^[0-9a-f]{8} {2}[01]\.\d\d {2}\d+ tokens {2}Worktrees share hooks\n1 note, /,
  );
  const none = await sageJson(["knowledge", "match", "sourdough starter feeding"], place);
  assert.equal(none.code, 3);
  assert.deepEqual(none.json.items, []);
  assert.equal((none.json.error as { code: string }).code, "not_found");
});

Deno.test("sage knowledge debug shows scores, and --threshold tries another", async () => {
  const place = await withKnowledge();
  const query = "do worktrees share hooks";
  const plain = await sage(["knowledge", "debug", query], place);
  assert.match(plain.stdout, /Would retrieve \(at or above 0\.70\):\n {2}✓ worktrees-share-hooks /);
  const strict = await sage(["knowledge", "debug", query, "--threshold", "1"], place);
  assert.match(strict.stdout, /recall_threshold=1\.00/);
  assert.match(strict.stdout, /Would retrieve \(at or above 1\.00\):\n {2}nothing/);
});

Deno.test("sage knowledge debug --why explains a note that did not even nearly pass", async () => {
  const place = await withKnowledge();
  const stdin = "# Hooks of React\n\nA hook may only be called at the top of a component.\n";
  await sage(["knowledge", "add", "-"], { ...place, stdin });
  const args = ["knowledge", "debug", "do worktrees share hooks", "--why", "hooks-of-react"];
  const { code, stdout } = await sage(args, place);
  assert.equal(code, 0);
  assert.match(stdout, /^hooks-of-react {2}"Hooks of React"\n/);
  assert.match(stdout, /against a threshold of 0\.70/);
  assert.equal((await sage([...args.slice(0, -1), "zzz"], place)).code, 3);
});

Deno.test("sage knowledge rm asks on a terminal, and moves to the trash", async () => {
  const place = await withKnowledge();
  const rm = ["knowledge", "rm", "worktrees-share-hooks"];
  const kept = await sage(rm, { ...place, terminal: true, stdin: "n\n" });
  assert.deepEqual([kept.code, kept.stdout], [1, ""]);
  assert.match(kept.stderr, /^Remove "Worktrees share hooks"\? \[y\/N\] Nothing was removed\.\n$/);
  const removed = await sage(rm, place);
  assert.match(
    removed.stdout,
    /^Removed [0-9a-f]{8}: .* \(in the trash until \d{4}-\d\d-\d\d\)\n$/,
  );
  assert.equal((await sage(rm, place)).code, 3);
});
