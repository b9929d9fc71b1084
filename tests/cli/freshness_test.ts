/** Old knowledge put away: shown first, asked for on a terminal, and brought back. */
import { sha256Hex } from "../../src/base/hash.ts";
import assert from "node:assert/strict";
import { sage, sageJson, scratch } from "../support/sage.ts";
import { put, read } from "../support/world.ts";

type Place = ReturnType<typeof scratch>;

async function withOld(...ids: readonly string[]): Promise<Place> {
  const place = scratch();
  await sage(["init"], place);
  for (const [n, id] of ids.entries()) {
    const at = `2024-01-${String(n + 1).padStart(2, "0")}T10:00:00Z`;
    put(
      `${place.cwd}/.sage/knowledge/${id}.md`,
      `---\nid: ${id}\ntype: knowledge\ncreated: ${at}\nupdated: ${at}\n---\n# The ${id}\n\nIt stalls.\n`,
    );
  }
  return place;
}

const PRUNE = ["admin", "prune", "--stale"];
const archived = async (place: Place): Promise<unknown[]> => {
  const { json } = await sageJson(["knowledge", "list", "--archived"], place);
  return (json.items as { id: string }[]).map(({ id }) => id).sort();
};

Deno.test("admin freshness lists knowledge, the least fresh first, and what may go", async () => {
  const place = await withOld("importer", "exporter");
  const fresh = ["knowledge", "add", "-", "--title", "New"];
  await sage(fresh, { ...place, stdin: "A fresh thing, said today." });
  const { stdout } = await sage(["admin", "freshness"], place);
  assert.match(stdout, /0\.00 +The importer\n.*0\.00 +The exporter\n.*1\.00 +/);
  assert.match(stdout, /2 of 3 may go into the archive: sage admin prune --stale\n$/);
  const { json } = await sageJson(["admin", "freshness", "--limit", "1"], place);
  const [item] = json.items as { id: string; proposed: boolean }[];
  assert.deepEqual([item?.id, item?.proposed, json.total, json.below], ["importer", true, 3, 2]);
  const status = await sage(["status", "--verbose"], place);
  assert.match(status.stdout, /freshness +2 notes may be archived: sage admin prune --stale/);
});

Deno.test("admin prune --stale only says what would go, until it is told to", async () => {
  const place = await withOld("importer", "exporter");
  for (const more of [[], ["--dry-run"], ["--dry-run", "--yes"]]) {
    const { code, stdout, stderr } = await sage([...PRUNE, ...more], place);
    assert.equal(code, 0);
    assert.match(stdout, /Would archive 2 notes:\n(?:.*\n)*.*The importer\n/);
    assert.match(stderr, /nothing was archived yet/);
    assert.deepEqual(await archived(place), []);
  }
  const done = await sage([...PRUNE, "--yes"], place);
  assert.match(done.stdout, /^Archived 2 notes/);
  assert.deepEqual(await archived(place), ["exporter", "importer"]);
  assert.match((await sage([...PRUNE, "--yes"], place)).stdout, /^Nothing is old enough/);
  assert.equal((await sage(["knowledge", "restore", "importer"], place)).code, 0);
  assert.deepEqual(await archived(place), ["exporter"]);
});

Deno.test("admin prune without a rule, or with a note to keep that is not there, does nothing", async () => {
  const place = await withOld("importer");
  const none = await sage(["admin", "prune"], place);
  assert.deepEqual([none.code, none.stdout], [2, ""]);
  const odd = await sage([...PRUNE, "--keep", "exporter", "--yes"], place);
  assert.equal(odd.code, 3);
  assert.match(odd.stderr, /No note that would go is called "exporter"/);
  assert.deepEqual(await archived(place), []);
});

Deno.test("admin prune --keep leaves notes where they are, and does not propose them again", async () => {
  const place = await withOld("importer", "exporter");
  const before = read(`${place.cwd}/.sage/knowledge/importer.md`);
  assert.equal((await sage([...PRUNE, "--keep", "importer", "--yes"], place)).code, 0);
  assert.deepEqual(await archived(place), ["exporter"]);
  assert.equal(read(`${place.cwd}/.sage/knowledge/importer.md`), before);
  assert.match((await sage(PRUNE, place)).stdout, /^Nothing is old enough/);
});

for (
  const [stdin, gone, said] of [
    ["y\n", ["a", "b", "c"], /^Archived 3 notes/],
    ["n\n", [], /^Nothing was archived\.\n$/],
    ["r\na\nk\ns\n", ["a"], /^Archived 1 note:/],
    ["r\na\nq\n", ["a"], /^Archived 1 note:/],
    ["perhaps\ny\n", ["a", "b", "c"], /^Archived 3 notes/],
  ] as const
) {
  Deno.test(`on a terminal ${JSON.stringify(stdin)} archives ${gone.length} of three`, async () => {
    const place = await withOld("a", "b", "c");
    const answered = await sage(PRUNE, { ...place, terminal: true, stdin });
    assert.equal(answered.code, 0, answered.stderr);
    assert.match(answered.stderr, /Archive 3 notes\? yes, no or review \[y\/n\/r\]/);
    assert.match(answered.stdout, said);
    assert.deepEqual(await archived(place), gone);
  });
}

Deno.test("whoever leaves before the end of a review has archived nothing", async () => {
  const place = await withOld("a", "b");
  const left = await sage(PRUNE, { ...place, terminal: true, stdin: "r\na\n" });
  assert.equal(left.code, 130);
  assert.deepEqual(await archived(place), []);
});

Deno.test("admin gc says what would go, then removes it, and no note", async () => {
  const place = await withOld("importer");
  const nothing = await sage(["admin", "gc"], place);
  assert.deepEqual([nothing.code, nothing.stdout], [0, "Nothing to remove.\n"]);
  const entry = "2024-01-01T00-00-00-0123abcd";
  const trash = `${place.cwd}/.sage/.trash/${entry}/knowledge/long-gone.md`;
  put(trash, "# Long gone\n");
  const young = await sage(["admin", "gc", "--dry-run"], place);
  assert.equal(young.stdout, "Nothing to remove.\n", "the clock alone empties no trash");
  const since = { [sha256Hex(`${place.cwd}/.sage`).slice(0, 16)]: { [entry]: 1 } };
  put(
    `${place.home}/.sage/state/trash.json`,
    JSON.stringify({ days: 40, lately: [], since }) + "\n",
  );
  const dry = await sage(["admin", "gc", "--dry-run", "--verbose"], place);
  assert.match(dry.stdout, /in the trash for more than 30 days +1 file +1 kB\n/);
  assert.ok(dry.stdout.includes(trash));
  assert.match(dry.stdout, /Would remove 1 file, 1 kB\. Nothing was removed\.\n$/);
  assert.equal(read(trash), "# Long gone\n");
  const { json } = await sageJson(["admin", "gc"], place);
  assert.deepEqual([json.files, json.dry_run], [1, false]);
  assert.throws(() => read(trash));
  assert.equal((await sage(["knowledge", "show", "importer"], place)).code, 0);
});

Deno.test("admin prune --keep keeps nothing for longer where nothing is done", async () => {
  const place = await withOld("importer", "exporter");
  for (const more of [[], ["--dry-run", "--yes"]]) {
    const { json } = await sageJson([...PRUNE, "--keep", "importer", ...more], place);
    assert.equal(json.dry_run, true);
    assert.match((await sage(PRUNE, place)).stdout, /^Would archive 2 notes/);
  }
  const all = await sageJson([...PRUNE, "--keep", "importer,exporter", "--yes"], place);
  assert.equal(all.json.dry_run, false);
  assert.match((await sage(PRUNE, place)).stdout, /^Nothing is old enough/);
});
