/** What the binary may not read is as good as unset, and says nothing of it. */
import assert from "node:assert/strict";
import { COMMAND_ENVIRONMENT, ENVIRONMENT } from "../../src/base/environment.ts";
import { AGENT_VARIABLES } from "../../src/editor/agent_shell.ts";

const root = new URL("../../src/", import.meta.url).pathname;
const READING = /\b(?:env|Deno\.env\.get)\(\s*"([A-Z][A-Z0-9_]*)"|\benv, "([A-Z][A-Z0-9_]*)"/g;

function* sources(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* sources(`${folder}${name}/`);
    else if (name.endsWith(".ts")) yield `${folder}${name}`;
  }
}

Deno.test("every variable that the source reads is one that the binary may read", () => {
  const allowed: readonly string[] = [...ENVIRONMENT, ...COMMAND_ENVIRONMENT, ...AGENT_VARIABLES];
  const read = [...sources(root)].flatMap((path) =>
    [...Deno.readTextFileSync(path).matchAll(READING)].map(([, name, named]) => name ?? named ?? "")
  );
  assert.ok(read.includes("MEMORY_FILE_PATH") && read.includes("CODEX_HOME"));
  const denied = read.filter((name) => !allowed.includes(name) && !/^(SAGE|ANTHROPIC)_/.test(name));
  assert.deepEqual([...new Set(denied)], []);
  assert.deepEqual(COMMAND_ENVIRONMENT.filter((name) => !read.includes(name)), []);
});
