/**
 * The program where no file can be written any more, as on a full disk; notes that were found before are
 * found still, and nobody is told that what is said is remembered. A bound on the size of files does it
 * without rights: with its signal ignored, each write fails.
 */
import assert from "node:assert/strict";
import { payload, type Place, place, testHook } from "../hook/process.ts";
import { sage } from "../support/sage.ts";
import { type Ended, run } from "../support/within.ts";
import { put } from "../support/world.ts";

const BINARY = new URL("../../dist/sage", import.meta.url).pathname;
const UNWRITTEN = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`;
const isPossible = Deno.build.os !== "windows";

async function unwritten(on: Place, args: readonly string[], stdin: string): Promise<Ended> {
  return await run("sh", {
    args: ["-c", UNWRITTEN, BINARY, ...args],
    cwd: on.cwd,
    env: { HOME: on.home },
    clearEnv: true,
    input: stdin,
  });
}

testHook("a start that cannot be kept says so, and promises nothing", async () => {
  const on = place();
  await sage(["init"], on);
  const { code, stdout, stderr } = await unwritten(
    on,
    ["hook", "session-start"],
    JSON.stringify(payload(on, "session-start")),
  );
  assert.deepEqual([code, stderr], [0, ""]);
  const said = "nothing can be saved in .*/state; run sage doctor";
  const { systemMessage, hookSpecificOutput } = JSON.parse(stdout);
  assert.match(systemMessage, new RegExp(`^I could not keep what was said: ${said}`));
  assert.match(hookSpecificOutput.additionalContext, new RegExp(`- Capture: ${said}`));
}, isPossible);

testHook("an agent finds what was indexed, and is told that no more is", async () => {
  const on = place();
  await sage(["init"], on);
  await sage(["knowledge", "add", "Zebra facts", "-m", "Zebras have stripes against flies."], on);
  put(`${on.cwd}/.sage/knowledge/later.md`, "# Zebras later\n");
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "search_notes", arguments: { query: "zebra stripes" } },
  };
  const { stdout } = await unwritten(on, ["mcp"], JSON.stringify(call) + "\n");
  const { isError, content, structuredContent } = JSON.parse(stdout).result;
  assert.equal(isError ?? false, false, stdout);
  assert.match(content[0].text, /Zebra facts/);
  assert.match(content[0].text, /\nWarning: .*; what changed since is not found\.$/);
  assert.equal(structuredContent.warnings.length, 1);
}, isPossible);
