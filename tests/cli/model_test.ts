/** `sage model` from the outside: pull from a hub on this machine, use, test, rm, and what goes wrong. */
import assert from "node:assert/strict";
import { bertFiles, TINY, writeBert } from "../support/bert_model.ts";
import { COMMIT, type ModelHub, openHub } from "../support/model_hub.ts";
import { fakeIo, sage, sageJson, type SageOptions, scratch } from "../support/sage.ts";
import { main } from "../../src/cli/main.ts";

const FILES = bertFiles(TINY);

function at(hub: ModelHub, more: Partial<SageOptions> = {}): SageOptions {
  return { ...scratch(), env: { SAGE_EMBEDDING_HUB: hub.url }, ...more };
}

Deno.test("sage model pull, use, search, test and rm work together", async () => {
  await using hub = openHub(FILES);
  const options = at(hub);
  assert.equal((await sage(["init"], options)).code, 0);
  await sage(["knowledge", "add", "-", "--title", "Memory"], {
    ...options,
    stdin: "memory search",
  });

  const pulled = await sage(["model", "pull", "some/tiny"], options);
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.match(pulled.stdout, /^Pulled tiny from some\/tiny@0123456789ab: .* 32 dimensions/);
  assert.match(pulled.stderr, /sage model use tiny/);

  const used = await sageJson(["model", "use", "tiny"], options);
  assert.equal(used.code, 0);
  assert.deepEqual([used.json.model, used.json.notes], ["tiny", 1]);
  assert.equal((await sage(["config", "get", "embedding_model"], options)).stdout, "tiny\n");
  assert.match((await sage(["search", "memory"], options)).stdout, /Memory/);

  assert.match(
    (await sage(["status", "--verbose"], options)).stdout,
    /\nindex +1 file, up to date, model tiny@[0-9a-f]{8}\n/,
  );
  assert.match((await sage(["doctor"], options)).stdout, /ok +model tiny: \d+ MB, whole/);

  const { json } = await sageJson(["model", "list"], options);
  const items = json.items as { name: string; state: string }[];
  assert.deepEqual(items.find(({ name }) => name === "tiny")?.state, "in use");

  const tested = await sage(["model", "test"], options);
  assert.match(
    tested.stdout,
    /^tiny\n[\s\S]*cosine [\d.]+, share [\d.]+[\s\S]*\d+ of 32 questions/,
  );

  const refused = await sage(["model", "rm", "tiny"], options);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /in use\n {2}sage model use static/);
  assert.equal((await sage(["model", "use", "static"], options)).code, 0);
  assert.match((await sage(["model", "rm", "tiny"], options)).stdout, /^Removed tiny/);
});

Deno.test("sage model pull takes a folder, an own name and own prefixes", async () => {
  await using hub = openHub(FILES);
  const options = at(hub);
  writeBert(`${options.cwd}/somewhere`, TINY);
  const args = ["./somewhere", "--as", "mine", "--query-prefix", "find: "];
  const { code, json } = await sageJson(["model", "pull", ...args], options);
  assert.equal(code, 0);
  const model = json.model as Record<string, unknown>;
  assert.deepEqual([model.name, model.query_prefix, model.revision], ["mine", "find: ", ""]);
  assert.deepEqual(hub.requests, []);
});

Deno.test("sage model pull of other weights for the model in use says so, and leaves nothing of the old", async () => {
  await using hub = openHub(FILES);
  const options = at(hub);
  await sage(["init"], options);
  await sage(["knowledge", "add", "-", "--title", "Memory"], { ...options, stdin: "of notes" });
  await sage(["model", "pull", "some/tiny"], options);
  await sage(["model", "use", "tiny"], options);
  const index = `${options.home}/.sage/state/index`;
  const before = await Array.fromAsync(Deno.readDir(index), ({ name }) => name);
  hub.publish(bertFiles(TINY, { seed: 2 }), "f".repeat(40));
  const { stderr } = await sage(["model", "pull", "some/tiny"], options);
  // Random weights tell nothing apart.
  assert.match(
    stderr,
    /embeds the notes with it now[\s\S]*hardly tells Sage's English pairs apart/,
  );
  assert.match((await sage(["search", "memory"], options)).stdout, /^Memory/);
  const after = await Array.fromAsync(Deno.readDir(index), ({ name }) => name);
  assert.deepEqual(after.filter((name) => name.includes("@") && before.includes(name)), []);
});

Deno.test("sage model pull pins what it knows and takes a revision that is named", async () => {
  await using hub = openHub(FILES);
  const options = at(hub);
  const known = await sage(["model", "pull", "All-MiniLM-L6-v2"], options);
  assert.equal(known.code, 1);
  assert.match(hub.requests[0] ?? "", /sentence-transformers\/all-MiniLM-L6-v2\/revision\/1110a2/);
  hub.misbehave({ commit: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41" });
  const pinned = await sage(["model", "pull", "all-minilm-l6-v2"], options);
  assert.match(pinned.stderr, /other weights .* than known/);
  hub.misbehave({});
  const named = await sage(["model", "pull", `all-MiniLM-L6-v2@${COMMIT}`], options);
  assert.equal(named.code, 0, named.stderr);
});

Deno.test("sage model says what was wrong, and what helps", async () => {
  await using hub = openHub(FILES);
  const options = at(hub);
  const wrong: [string[], number, RegExp][] = [
    [["pull", "unknown"], 3, /No model "unknown" is known\n {2}there are all-MiniLM-L6-v2, bge/],
    [["pull", "e5-smal-v2"], 3, /\n {2}there are e5-small-v2, all-MiniLM-L6-v2, .*owner\/name/],
    [["pull", "../nowhere"], 3, /There is no folder ".*nowhere"\n {2}a model is a folder with/],
    [["pull", "./file"], 1, /file" is no folder/],
    [["pull", "."], 1, /There is no config\.json in/],
    [["pull", "./pointers"], 1, /model\.safetensors" is a pointer of Git LFS.*\n {2}git lfs pull/],
    [["pull", "https://example.org/x"], 3, /is known/],
    [["pull", "some/tiny", "--as", "../x"], 2, /no name for a model/],
    [["pull", "some/tiny", "--as", "static"], 2, /no name for a model/],
    [["use", "nothing"], 3, /"nothing" is not here\n {2}there are static, all-.*ollama:<model>/],
    [["use", "BGE-small"], 3, /is not here\n {2}there are bge-small-en-v1\.5, static, /],
    [["use", "e5-small-v2"], 3, /is not here\n {2}sage model pull e5-small-v2\n/],
    [["use", "some/tiny"], 3, /is not here\n {2}sage model pull some\/tiny\n/],
    [["use", "./pointers"], 3, /is not here\n {2}sage model pull \.\/pointers\n/],
    [["rm", "nothing"], 3, /"nothing" is not here/],
    [["rm", "static"], 1, /part of the program/],
    [["test", "nothing"], 3, /"nothing" is not here/],
    [["pull"], 2, /Too few arguments/],
  ];
  await Deno.writeTextFile(`${options.cwd}/file`, "");
  writeBert(`${options.cwd}/pointers`, TINY);
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 90868376\n";
  await Deno.writeTextFile(`${options.cwd}/pointers/model.safetensors`, pointer);
  for (const [args, code, message] of wrong) {
    const result = await sage(["model", ...args], options);
    assert.equal(result.code, code, `${args.join(" ")}: ${result.stderr}`);
    assert.match(result.stderr, message);
  }
  hub.misbehave({ status: 503 });
  const down = await sageJson(["model", "pull", "some/tiny"], options);
  assert.deepEqual([down.code, (down.json.error as { code: string }).code], [1, "unreachable"]);
});

Deno.test("embedding.hub takes https, and http of this machine only", async () => {
  const options = scratch();
  for (
    const [text, code] of [
      ["https://hub.example.org", 0],
      ["http://127.0.0.1:8080", 0],
      ["http://[::1]:8080", 0],
      ["http://hub.example.org", 2],
      ["https://hub.example.org/path", 2],
      ["https://user@hub.example.org", 2],
      ["http://127.0.0.1.example.org", 2],
      ["file:///etc", 2],
    ] as const
  ) {
    const result = await sage(["config", "set", "embedding.hub", text], options);
    assert.equal(result.code, code, `${text}: ${result.stderr}`);
  }
});

Deno.test("only sage model pull keeps the network", async () => {
  await using hub = openHub(FILES);
  for (
    const [args, kept] of [
      [["model", "pull", "some/tiny"], true],
      [["--json", "model", "pull", "some/tiny"], true],
      [["model", "list"], false],
      [["model", "use", "static"], false],
      [["search", "model", "pull"], false],
      [["status"], false],
    ] as const
  ) {
    const { io } = fakeIo(at(hub));
    let isGivenUp = false;
    const disconnect = (keep?: string): boolean => {
      isGivenUp = keep === undefined;
      return keep !== undefined;
    };
    await main(args, { ...io, disconnect });
    assert.equal(isGivenUp, !kept, args.join(" "));
  }
});

Deno.test("sage model pull says on a terminal how far it is, and takes it back", async () => {
  await using hub = openHub(FILES);
  const { stderr } = await sage(["model", "pull", "some/tiny"], at(hub, { terminal: true }));
  // deno-lint-ignore no-control-regex -- what a terminal acts on is what is looked for
  assert.match(stderr, /^\r\x1b\[Ksome\/tiny: (looking|\d+ % \([\d.]+ MB\))\r/);
  // deno-lint-ignore no-control-regex -- what a terminal acts on is what is looked for
  assert.match(stderr, /\r\x1b\[K {2}sage model use tiny/);
});
