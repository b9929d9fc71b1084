/** `sage check` as a pipeline sees it: which notes, and the exit code. */
import assert from "node:assert/strict";
import { sage, sageJson, scratch } from "../support/sage.ts";

async function anchored() {
  const place = scratch();
  await sage(["init"], place);
  await Deno.writeTextFile(`${place.cwd}/auth.ts`, "one\n");
  const stdin = "Tokens are refreshed behind a mutex.\n";
  const args = ["knowledge", "add", "-", "--title", "Refresh", "--source", "auth.ts"];
  assert.equal((await sage(args, { ...place, stdin })).code, 0);
  return place;
}

Deno.test("sage check says with 4 that a note is in doubt, until somebody vouches for it", async () => {
  const place = await anchored();
  const quiet = await sage(["check"], place);
  assert.deepEqual([quiet.code, quiet.stdout], [0, "No note is in doubt.\n"]);
  await Deno.writeTextFile(`${place.cwd}/auth.ts`, "two\n");
  const found = await sage(["check", "-"], { ...place, stdin: "auth.ts\n" });
  assert.equal(found.code, 4);
  assert.match(found.stdout, /^[0-9a-f]{8} {2}Refresh\n {10}"auth\.ts" changed\n$/);
  assert.match(found.stderr, /^sage: 1 note in doubt\n {2}sage knowledge verify <id> /);
  assert.equal((await sage(["check", "other.ts"], place)).code, 0);
  assert.equal((await sage(["check", "auth.ts"], place)).code, 4);
  // What should have named files may have failed before it.
  const nothing = await sage(["check", "-"], { ...place, stdin: "" });
  assert.deepEqual([nothing.code, nothing.stdout], [
    0,
    "No file of this project was named: no note was checked.\n",
  ]);
  assert.equal((await sage(["knowledge", "verify", "refresh"], place)).code, 0);
  assert.equal((await sage(["check", "auth.ts"], place)).code, 0);
});

Deno.test("sage check --json names the files of each note", async () => {
  const place = await anchored();
  await Deno.remove(`${place.cwd}/auth.ts`);
  const { code, json } = await sageJson(["check"], place);
  assert.equal(code, 4);
  const [item] = json.items as { id: string; stale: unknown }[];
  assert.deepEqual([item?.id, item?.stale], ["refresh", [{ path: "auth.ts", change: "gone" }]]);
  assert.equal(json.total, 1);
  assert.equal((json.error as { code: string }).code, "conflict");
});

Deno.test("sage knowledge list and show mark a stale note", async () => {
  const place = await anchored();
  await Deno.writeTextFile(`${place.cwd}/auth.ts`, "two\n");
  assert.match((await sage(["knowledge", "list"], place)).stdout, /Refresh \(stale\)\n/);
  assert.match(
    (await sage(["knowledge", "show", "refresh"], place)).stdout,
    /^Stale: "auth\.ts" changed\n\n/,
  );
});
