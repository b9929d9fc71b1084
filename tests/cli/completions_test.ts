/** Completion as a shell gives it: the script is loaded into the shell itself, and asked. */
import assert from "node:assert/strict";
import { COMMANDS } from "../../src/cli/commands.ts";
import { sage } from "../support/sage.ts";

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await sage(["completions", shell], { home: "/nowhere" });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

/** What bash offers for the last of these words. */
async function offered(words: readonly string[]): Promise<string[]> {
  const program = `${await script("bash")}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sage; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { success, stdout, stderr } = await new Deno.Command("bash", {
    args: ["--norc", "-c", program, "bash", "sage", ...words],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

Deno.test("bash is offered every command, and what follows one", async () => {
  const commands = await offered([""]);
  assert.deepEqual(commands.toSorted(), [...COMMANDS.map(({ name }) => name), "help"].toSorted());
  assert.deepEqual((await offered(["che"])).toSorted(), ["check", "checkpoint"]);
  assert.deepEqual(await offered(["todo", "st"]), ["start"]);
  assert.deepEqual(await offered(["help", "todo", "do"]), ["done"]);
  assert.deepEqual(await offered(["install", "c"]), ["claude-code", "cursor", "codex"]);
  assert.deepEqual(await offered(["config", "set", "retrieval.recall"]), [
    "retrieval.recall_threshold",
  ]);
});

Deno.test("bash is offered options of the very command, and their choices", async () => {
  assert.ok((await offered(["search", "--"])).includes("--type"));
  assert.ok(!(await offered(["init", "--"])).includes("--type"));
  assert.deepEqual(await offered(["search", "--type", "che"]), ["checkpoint"]);
  assert.deepEqual(await offered(["search", "--type", "=", "che"]), ["checkpoint"]);
  assert.deepEqual(await offered(["search", "--json", "--type", "che"]), ["checkpoint"]);
  assert.deepEqual(await offered(["search", "--tag", ""]), []);
});

Deno.test("bash is offered nothing for what nobody knows", async () => {
  assert.deepEqual(await offered(["search", "zebra"]), []);
  assert.deepEqual(await offered(["nothing-such"]), []);
});

/** Whether this machine has the shell. One that is missing throws before there is a promise. */
async function runs(shell: string): Promise<boolean> {
  try {
    return (await new Deno.Command(shell, { args: ["-c", ":"] }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

for (const shell of ["bash", "zsh", "fish"]) {
  const isHere = await runs(shell);
  Deno.test({
    name: `${shell} reads its script`,
    ignore: !isHere,
    async fn() {
      const path = await Deno.makeTempFile({ suffix: `.${shell}` });
      await Deno.writeTextFile(path, await script(shell));
      const { success, stderr } = await new Deno.Command(shell, { args: ["-n", path] }).output();
      assert.ok(success, new TextDecoder().decode(stderr));
    },
  });
}

Deno.test("an unknown shell is refused with those that are known", async () => {
  const { code, stderr } = await sage(["completions", "ksh"], { home: "/nowhere" });
  assert.equal(code, 2);
  assert.match(stderr, /bash\|zsh\|fish/);
});

Deno.test("a missing operand is answered with what it may be", async () => {
  const { code, stderr } = await sage(["completions"], { home: "/nowhere" });
  assert.equal(code, 2);
  assert.match(stderr, /one of bash, zsh, fish/);
});
