/**
 * R18 and R27: a whole life with an editor, traced. The program connects to nothing, starts nothing,
 * and makes and opens nothing outside the stores and the editor's files; its permissions say the same.
 */
import assert from "node:assert/strict";
import { hasBinary } from "../support/sage.ts";
import { canTrace } from "../support/strace.ts";
import { tempDir } from "../support/temp_store.ts";
import { Scene } from "./session.ts";
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
        ...["--deny-net", "--deny-run", "--deny-ffi", "--deny-import"],
        ...["--no-prompt", "--no-code-cache", "--no-remote", "--cached-only"],
      ]
    ) assert.ok(flags.includes(flag), `${flag} is missing: ${flags.join(" ")}`);
    const allowed = flags.filter((flag) => flag.startsWith("--allow-")).map((flag) =>
      flag.split("=")[0]
    );
    assert.deepEqual(allowed.toSorted(), [
      ...["--allow-env", "--allow-read", "--allow-sys", "--allow-write"],
    ]);
    assert.ok(!flags.includes("--allow-env"), "it may read every variable");
    assert.ok(flags.includes("--allow-sys=uid"));
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
