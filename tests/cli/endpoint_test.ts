/** `sage model use` with an embeddings server from the outside, in the built program where there is one. */
import assert from "node:assert/strict";
import { openEmbeddings } from "../support/embeddings_server.ts";
import { binary, hasBinary, sage, sageJson, scratch } from "../support/sage.ts";

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

Deno.test("sage model use says what is wrong with a server's name", async () => {
  const options = scratch();
  const wrong: [string[], number, RegExp][] = [
    [["http://example.org/v1#x"], 2, /no embeddings server on this machine\n {2}ollama:<model>/],
    [["http://127.0.0.1:9/v1#x"], 1, /Cannot ask 127\.0\.0\.1:9/],
    [["static", "--query-prefix", "ask: "], 2, /has its prefixes from when it was pulled/],
  ];
  for (const [args, code, message] of wrong) {
    const result = await sage(["model", "use", ...args], options);
    assert.equal(result.code, code, `${args.join(" ")}: ${result.stderr}`);
    assert.match(result.stderr, message);
  }
  const set = ["config", "set", "embedding_model", "http://example.org/v1"];
  assert.equal((await sage(set, options)).code, 2);
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
