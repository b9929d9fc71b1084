/**
 * R18 and R27: a whole life with an editor, traced. The program connects to nothing, starts nothing,
 * and makes and opens nothing outside the stores and the editor's files; its permissions say the same.
 */
import assert from "node:assert/strict";
import { bertFiles, TINY } from "../support/bert_model.ts";
import { openEmbeddings } from "../support/embeddings_server.ts";
import { openHub } from "../support/model_hub.ts";
import { hasBinary } from "../support/sage.ts";
import { canTrace } from "../support/strace.ts";
import { NETWORK } from "../../src/base/network.ts";
import { tempDir } from "../support/temp_store.ts";
import { Scene } from "./session.ts";
import { run } from "../support/within.ts";
import { outside, readTraces, tracedProgram } from "./traced.ts";

Deno.test({
  name: "sage --version says what the program may not do",
  ignore: !hasBinary,
  async fn() {
    const scene = new Scene();
    await Deno.mkdir(scene.cwd, { recursive: true });
    const flags = /^flags (.+)$/m.exec(await scene.must(["--version"]))?.[1]?.split(" ") ?? [];
    for (
      const flag of [
        ...["--deny-run", "--deny-ffi", "--deny-import"],
        ...["--no-prompt", "--no-code-cache", "--no-remote", "--cached-only"],
      ]
    ) assert.ok(flags.includes(flag), `${flag} is missing: ${flags.join(" ")}`);
    const allowed = flags.filter((flag) => flag.startsWith("--allow-")).map((flag) =>
      flag.split("=")[0]
    );
    assert.deepEqual(allowed.toSorted(), [
      ...["--allow-env", "--allow-net", "--allow-read", "--allow-sys", "--allow-write"],
    ]);
    assert.ok(!flags.includes("--allow-env"), "it may read every variable");
    assert.ok(flags.includes("--allow-sys=uid,statfs"));
    // The hub, the machines it sends large files from, the model API, and this machine by all its names.
    const outside = "huggingface.co:443,*.hf.co:443,api.anthropic.com:443";
    const here = "127.0.0.1,localhost,[::1],0.0.0.0,[::]";
    assert.ok(flags.includes(`--allow-net=${outside},${here}`));
  },
});

Deno.test({
  name: "what the program may reach, and that it cannot be taken back once given up",
  ignore: !hasBinary,
  async fn() {
    const scene = new Scene();
    await Deno.mkdir(scene.cwd, { recursive: true });
    const flags = /^flags (.+)$/m.exec(await scene.must(["--version"]))?.[1]?.split(" ") ?? [];
    const probe = `${scene.cwd}/probe.ts`;
    await Deno.writeTextFile(probe, PROBE);
    const { stdout, stderr } = await run(Deno.execPath(), {
      args: [
        "run",
        "--no-config",
        ...flags.filter((flag) => /^--(allow|deny|no-p)/.test(flag)),
        probe,
      ],
    });
    assert.notEqual(stdout, "", stderr);
    const { before, after } = JSON.parse(stdout);
    assert.deepEqual(before, [
      ...["0.0.0.0:80", "127.0.0.1:80", "[::1]:80", "api.anthropic.com:443", "huggingface.co:443"],
      ...["localhost:80", "us.aws.cdn.hf.co:443"],
    ]);
    assert.deepEqual(after, []);
  },
});

const PROBE = `
const hosts = ["huggingface.co:443", "api.anthropic.com:443", "anthropic.com:443", "huggingface.co:80", "us.aws.cdn.hf.co:443", "evilhf.co:443",
  "hf.co.example.org:443", "example.org:443", "127.0.0.1:80", "localhost:80", "[::1]:80", "10.0.0.1:80",
  "169.254.169.254:80", "0.0.0.0:80"];
const granted = () => hosts.filter((host) =>
  Deno.permissions.querySync({ name: "net", host }).state === "granted").sort();
const before = granted();
Deno.permissions.revokeSync({ name: "net" });
for (const host of hosts) Deno.permissions.requestSync({ name: "net", host });
Deno.permissions.requestSync({ name: "net" });
console.log(JSON.stringify({ before, after: granted() }));
`;

Deno.test({
  name: "of the network one address is kept, or none, whatever is asked for afterwards",
  async fn() {
    const probe = `${tempDir()}/probe.ts`;
    const module = new URL("../../src/base/network.ts", import.meta.url);
    await Deno.writeTextFile(probe, KEEPING.replace("NETWORK_MODULE", module.href));
    const keeping = async (keep: string, own = ""): Promise<unknown> => {
      const args = ["run", "--no-config", "--no-prompt", `--allow-net=${NETWORK.join(",")}`];
      const { stdout, stderr } = await run(Deno.execPath(), { args: [...args, probe, keep, own] });
      assert.notEqual(stdout, "", stderr);
      return JSON.parse(stdout);
    };
    for (const host of ["127.0.0.1:80", "[::1]:80"]) {
      assert.deepEqual(await keeping(host), { reached: true, after: [host] });
    }
    // Where it listens, to do so again.
    assert.deepEqual(await keeping("", "[::1]:81"), { reached: false, after: ["[::1]:81"] });
    assert.deepEqual(await keeping("127.0.0.1:80", "127.0.0.1:81"), {
      reached: true,
      after: ["127.0.0.1:80", "127.0.0.1:81"],
    });
    for (const host of ["", "10.0.0.1:80", "example.org:443"]) {
      assert.deepEqual(await keeping(host), { reached: false, after: [] }, host);
    }
  },
});

const KEEPING = `
import { giveUpNetwork } from "NETWORK_MODULE";
const hosts = ["huggingface.co:443", "us.aws.cdn.hf.co:443", "x.hf.co:443", "example.org:443",
  "127.0.0.1:80", "127.0.0.1:81", "127.0.0.1", "localhost:80", "[::1]:80", "[::1]:81", "10.0.0.1:80"];
const reached = giveUpNetwork(...Deno.args.map((host) => host || undefined));
for (const host of hosts) Deno.permissions.requestSync({ name: "net", host });
Deno.permissions.requestSync({ name: "net" });
const after = hosts.filter((host) =>
  Deno.permissions.querySync({ name: "net", host }).state === "granted");
console.log(JSON.stringify({ reached, after }));
`;

Deno.test({
  name: "with a model, nothing but its pull connects, and only to the hub",
  ignore: !hasBinary || !canTrace(),
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const [base, other] = [tempDir(), tempDir()];
    const scene = new Scene(await tracedProgram(base), base);
    const puller = new Scene(await tracedProgram(other), base);
    await using hub = openHub(bertFiles(TINY));
    try {
      await scene.setUp();
      await scene.must(["config", "set", "embedding.hub", hub.url]);
      await puller.must(["model", "pull", "some/tiny"]);
      for (const args of [["list"], ["use", "tiny"], ["test"], ["pull", `${base}/none`]]) {
        await scene.sage(["model", ...args]);
      }
      await scene.sage(["search", "model pull"]);
      await scene.live([{
        prompt: "Why does the import of heron fail in row 113?",
        command: "node import.js",
        result: "Error: timeout at row 113",
        edit: "const heron = 1;",
        reply: "We decided to import heron in batches because that needs one connection for each.",
      }]);
      await scene.editor.run(["start", "--session", "d"]);
      await scene.editor.run(["mcp", "search_notes", '{"query":"import"}']);
      assert.match(await scene.must(["model", "list"]), /tiny +in use/);
    } finally {
      await scene.editor.close();
    }
    const { port } = new URL(hub.url);
    const pulled = readTraces(other);
    assert.ok(pulled.connected.length > 0, "the pull was not traced");
    const elsewhere = pulled.connected.filter((line) =>
      !(line.includes(`htons(${port})`) && line.includes('"127.0.0.1"')) && !/^\d+ +send/.test(line)
    );
    assert.deepEqual(elsewhere, [], "it connected elsewhere");
    assert.deepEqual(pulled.started, []);
    const { runs, connected, started } = readTraces(base);
    assert.ok(runs > 10, `only ${runs} runs were traced`);
    assert.deepEqual([connected, started], [[], []]);
  },
});

Deno.test({
  name: "with an embeddings server, only what compares texts connects, and only to it",
  ignore: !hasBinary || !canTrace(),
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const [asking, other] = [tempDir(), tempDir()];
    const scene = new Scene(await tracedProgram(asking), asking);
    const quiet = new Scene(await tracedProgram(other), asking);
    await using server = openEmbeddings();
    try {
      await scene.setUp();
      const note = `${scene.cwd}/heron.txt`;
      await Deno.writeTextFile(note, "The heron import runs in batches.");
      await scene.must(["knowledge", "add", note, "--title", "Heron"]);
      await scene.must(["model", "use", server.base]);
      const before = server.requests.length;
      await scene.must(["search", "heron"]);
      await scene.must(["knowledge", "debug", "heron"]);
      assert.match(await scene.must(["status", "--verbose"]), /model 127\.0\.0\.1-\d+-v1-words@/);
      await scene.editor.run(["start", "--session", "d"]);
      await scene.editor.run(["mcp", "search_notes", '{"query":"heron"}']);
      assert.ok(server.requests.length >= before + 4, server.requests.join("\n"));

      const asked = server.requests.length;
      await quiet.setUp();
      await quiet.live([{
        prompt: "Why does the import of heron fail in row 113?",
        command: "node import.js",
        result: "Error: timeout at row 113",
        edit: "const heron = 1;",
        reply: "We decided to import heron in batches because that needs one connection for each.",
      }]);
      for (
        const args of [["model", "list"], ["todo", "list"], ["checkpoint", "list"], ["version"]]
      ) {
        await quiet.sage(args);
      }
      assert.equal(server.requests.length, asked);
    } finally {
      await scene.editor.close();
      await quiet.editor.close();
    }
    const seen = readTraces(asking);
    assert.ok(seen.connected.length > 0, "nothing was traced");
    const elsewhere = seen.connected.filter((line) =>
      !(line.includes(`htons(${server.port})`) && line.includes('"127.0.0.1"')) &&
      !/^\d+ +send/.test(line)
    );
    assert.deepEqual([elsewhere, seen.started], [[], []], "it connected elsewhere");
    const { runs, connected, started } = readTraces(other);
    assert.ok(runs > 5, `only ${runs} runs were traced`);
    assert.deepEqual([connected, started], [[], []]);
  },
});

Deno.test({
  name: "a whole life connects to nothing, starts nothing and stays in its folders",
  ignore: !hasBinary || !canTrace(),
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const base = tempDir();
    const scene = new Scene(await tracedProgram(base), base);
    const turns = ["okapi", "heron"].map((word) => ({
      prompt: `Why does the import of ${word} fail in row 113?`,
      command: `node import.js ${word}`,
      result: `Error: timeout at row 113 of ${word}`,
      edit: `const ${word} = 1;`,
      reply: `The import of ${word} fails because each row opens a connection. We decided to ` +
        `import ${word} in batches because that needs one connection for each.`,
    }));
    try {
      await scene.setUp();
      await scene.live(turns);
      await scene.editor.run(["start", "--session", "d"]);
      await scene.editor.run(["mcp", "search_notes", '{"query":"import"}']);
      await scene.editor.run(["mcp", "sage_save_knowledge", KNOWLEDGE]);
      await scene.must(["search", "import"]);
      await scene.must(["status"]);
      await scene.sage(["doctor"]);
      await scene.must(["forget", "okapi-batches", "--yes"]);
      await scene.must(["uninstall"]);
    } finally {
      await scene.editor.close();
    }
    const { runs, started, connected, opened, made } = readTraces(base);
    assert.ok(runs > 20, `only ${runs} runs were traced`);
    assert.deepEqual(started, [], "it started a program");
    assert.deepEqual(connected, [], "it connected");
    assert.ok([...made].some((path) => path.includes("/knowledge/")), "nothing was made");
    const roots = [`${scene.home}/.sage/`, `${scene.home}/.claude/`, `${scene.cwd}/.sage/`];
    const files = [`${scene.home}/.claude.json`, ...roots.map((root) => root.slice(0, -1))];
    const temporary = `${scene.home}/..claude.json.sage-`;
    const isTemporary = (path: string): boolean => path.startsWith(temporary);
    assert.deepEqual(outside(made, [...roots, ...files]).filter((one) => !isTemporary(one)), []);
    // Folders are opened to be synced.
    const folders = [scene.home, scene.cwd];
    const all = [...roots, ...files, ...folders];
    assert.deepEqual(outside(opened, all).filter((one) => !isTemporary(one)), []);
  },
});

const KNOWLEDGE = JSON.stringify({
  title: "Okapi batches",
  content: "Batches of 100 rows are the fastest for the okapi import.",
});
