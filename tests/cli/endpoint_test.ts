/** `sage model use` with an embeddings server from the outside, in the built program where there is one. */
import assert from "node:assert/strict";
import { CALIBRATION_ROWS } from "../../src/embed/calibration/texts.ts";
import { openEmbeddings } from "../support/embeddings_server.ts";
import { binary, hasBinary, sage, sageJson, scratch } from "../support/sage.ts";
import { assertInTime } from "../support/quick.ts";

const ADD = ["knowledge", "add", "-", "--title", "Heron"];
const HERON = "The heron import runs in batches.";

Deno.test("sage model use takes an embeddings server, and search goes on when it is down", async () => {
  const server = openEmbeddings();
  const options = scratch();
  await sage(["init"], options);
  await sage(ADD, { ...options, stdin: HERON });
  const used = await sage(["model", "use", server.base], options);
  assert.equal(used.code, 0, used.stderr);
  assert.match(used.stdout, /^Using http:\/\/127\.0\.0\.1:\d+\/v1#words: 1 note/);
  const list = await sage(["model", "list"], options);
  assert.match(list.stdout, /#words +in use/);
  assert.match((await sage(["doctor"], options)).stdout, /ok +model http.*#words answers; hooks/);
  await server[Symbol.asyncDispose]();

  const found = await sage(["search", "heron", "--explain"], options);
  assert.equal(found.code, 0);
  assert.match(found.stdout, /^Heron/);
  assert.match(found.stderr, /^sage: warning: Cannot ask .*; the built-in model serves/);
  const { json } = await sageJson(["status"], options);
  assert.equal(json.model, "static");
  assert.match(String(json.warnings), /the built-in model serves/);
  assert.match((await sage(["doctor"], options)).stdout, /warning +.*the built-in model serves/);
});

Deno.test("sage search says whom it waits for, gives a slow server up, and says why", async () => {
  await using server = openEmbeddings();
  const options = { ...scratch(), terminal: true };
  await sage(["init"], options);
  await sage(ADD, { ...options, stdin: HERON });
  await sage(["model", "use", server.base], options);
  server.behave({ waitMs: 1300 });
  const waited = await sage(["search", "heron"], options);
  assert.match(waited.stdout, /^Heron/);
  assert.match(waited.stderr, /Waiting for 127\.0\.0\.1:\d+, 1 text to embed/);
  assert.ok(waited.stderr.endsWith("\r\x1b[K"), "the line stays");
  server.behave({ waitMs: 9000 });
  const start = performance.now();
  const given = await sage(["search", "heron"], options);
  await assertInTime(performance.now() - start, 8000, "a search of a slow server");
  assert.match(given.stdout, /^Heron/);
  assert.match(
    given.stderr,
    /Cannot ask [\d.:]+: no answer within 4(?:\.\d)? s; the built-in model/,
  );
});

Deno.test("sage model use says what is wrong with a server's name", async () => {
  const options = scratch();
  const wrong: [string[], number, RegExp][] = [
    [
      ["http://example.org/v1#x"],
      2,
      /not an embeddings server on this machine\n {2}ollama:<model>/,
    ],
    [["http://127.0.0.1:9/v1#x"], 1, /Cannot ask 127\.0\.0\.1:9: the connection was refused/],
    [
      ["static", "--query-prefix", "ask: "],
      2,
      /The prefixes of "static" are set when it is pulled/,
    ],
  ];
  for (const [args, code, message] of wrong) {
    const result = await sage(["model", "use", ...args], options);
    assert.equal(result.code, code, `${args.join(" ")}: ${result.stderr}`);
    assert.match(result.stderr, message);
  }
  for (const name of ["http://example.org/v1#x", "http://10.0.0.1:80#x", "ftp:x", "ollama:"]) {
    assert.equal((await sage(["config", "set", "embedding_model", name], options)).code, 2, name);
  }
  // What nobody has learnt yet, and what no address is, leave the built-in model, and say so.
  for (const name of ["ollama:x", "http://127.0.0.1:99999/v1#x"]) {
    const env = { SAGE_EMBEDDING_MODEL: name };
    const { code, stderr } = await sage(["status"], { ...options, env });
    assert.deepEqual([code, /the built-in model serves/.test(stderr)], [0, true], stderr);
  }
});

Deno.test("sage admin calibrate prints what it measured, and keeps what it may", async () => {
  await using server = openEmbeddings();
  const options = scratch();
  const builtIn = await sage(["admin", "calibrate"], options);
  assert.equal(builtIn.code, 0, builtIn.stderr);
  assert.match(builtIn.stdout, /^static\n[\s\S]*0\.70 +0\.340 +0\.\d{3}\n[\s\S]*held out/);
  assert.match(builtIn.stderr, /nothing was stored: the built-in model's mapping is part of/);
  await sage(["model", "use", server.base], options);
  const { json } = await sageJson(["admin", "calibrate", "--dry-run"], options);
  // A sum of words sees nothing in other words.
  assert.match(String((json.error as Error).message), /Only \d of 32 questions .* no mapping can/);
  const pairs = CALIBRATION_ROWS.map(({ note, edited }) => ({
    note,
    question: edited.split(" ").slice(0, 5).join(" "),
    edited,
  }));
  const path = `${options.cwd}/pairs.jsonl`;
  await Deno.writeTextFile(path, pairs.map((pair) => JSON.stringify(pair)).join("\n"));
  const kept = await sage(["admin", "calibrate", "--pairs", "pairs.jsonl"], options);
  assert.match(kept.stderr, /stored; it holds from the next question on/);
  const unknown = await sage(["admin", "calibrate", "nothing"], options);
  assert.equal(unknown.code, 3);
});

Deno.test({
  name: "the built program reaches the server whatever proxy is set, and again after it was down",
  ignore: !hasBinary,
  async fn() {
    await using server = openEmbeddings();
    const proxy = "http://127.0.0.1:9";
    const env = { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy };
    const options = { ...scratch(), env };
    await binary(["init"], options);
    await binary(ADD, { ...options, stdin: HERON });
    const used = await binary(["model", "use", server.base], options);
    assert.equal(used.code, 0, used.stderr);
    server.behave({ status: 500 });
    assert.match((await binary(["search", "heron"], options)).stderr, /the built-in model serves/);
    server.behave({});
    const found = await binary(["search", "heron"], options);
    assert.deepEqual([found.stderr, found.stdout.slice(0, 5)], ["", "Heron"]);
  },
});
