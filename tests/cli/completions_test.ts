/** Completion as a shell gives it: the script is loaded into the shell itself, and asked. */
import assert from "node:assert/strict";
import { isGroup } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { isOnThisMachine } from "../support/on_this_machine.ts";
import { sage } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await sage(["completions", shell], { home: "/nowhere" });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

/** What bash offers for the last of these words. */
async function offered(words: readonly string[]): Promise<string[]> {
  const program = `${await script("bash")}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sage; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { code, stdout, stderr } = await run("bash", {
    args: ["--norc", "-c", program, "bash", "sage", ...words],
  });
  assert.equal(code, 0, stderr);
  return stdout.split("\n").filter((line) => line !== "");
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
  assert.deepEqual(await offered(["config", "set", "detection.mode", ""]), [
    "ask",
    "offer",
    "silent",
    "off",
  ]);
  assert.deepEqual(await offered(["config", "set", "teaching.enabled", "f"]), ["false"]);
  assert.deepEqual(await offered(["config", "set", "server.port", ""]), []);
  assert.ok((await offered(["config", "set", "server.port", "--"])).includes("--project"));
});

Deno.test("bash is offered options of the very command, and their choices", async () => {
  assert.ok((await offered(["search", "--"])).includes("--type"));
  assert.ok(!(await offered(["init", "--"])).includes("--type"));
  assert.deepEqual(await offered(["search", "--type", "che"]), ["checkpoint"]);
  assert.deepEqual(await offered(["search", "--type", "=", "che"]), ["checkpoint"]);
  assert.deepEqual(await offered(["search", "--json", "--type", "che"]), ["checkpoint"]);
  assert.deepEqual(await offered(["search", "--tag", ""]), []);
});

Deno.test("bash itself offers files where nothing else is offered", async () => {
  assert.match(await script("bash"), /^complete -o default -F _sage sage$/m);
  assert.deepEqual(await offered(["knowledge", "add", "dist"]), []);
});

Deno.test("bash is offered nothing for what nobody knows", async () => {
  assert.deepEqual(await offered(["search", "zebra"]), []);
  assert.deepEqual(await offered(["nothing-such"]), []);
});

/** The last word of each line typed so far, and what it becomes. */
const FINISHED: readonly (readonly [typed: string, word: string])[] = [
  ["sage todo st", "start"],
  ["sage search --type che", "checkpoint"],
  ["sage help todo do", "done"],
  ["sage config set retrieval.recall", "retrieval.recall_threshold"],
  ["sage config set detection.mode si", "silent"],
  ["sage config set teaching.enabled f", "false"],
  ["sage todo --js", "--json"],
];

/** The same in a folder that holds these; PowerShell offers them by itself, in its own words. */
const FILES: readonly (readonly [typed: string, word: string])[] = [
  ["sage knowledge add dist", "distinct.md"],
  ["sage checkpoint export --output dist", "distinct.md"],
  ["sage trust far", "faraway"],
  ["sage init --obsidian far", "faraway"],
];

/** What a shell answers to a program of its own, fed with the script's path and the line typed. */
async function answerOf(command: string, args: readonly string[], cwd = ""): Promise<string> {
  const { code, stdout, stderr } = await run(command, { args: [...args], ...cwd && { cwd } });
  assert.equal(code, 0, stderr);
  return stdout;
}

/** A terminal inside zsh: Tab is pressed, and what the line became is run. */
const ZSH = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; autoload -Uz compinit; compinit -u -D; source $1"
zpty -w z 'sage() { print -r -- "GOT:$*:END" }; print REA""DY'
zpty -r -m z line '*READY*'
zpty -w -n z "$2"$'\t\n'
zpty -r -m z line '*GOT:*:END*'
print -r -- "\${\${line##*GOT:}%%:END*}"
zpty -d z
`;

const POWERSHELL = `param($script, $typed)
. $script
$found = TabExpansion2 -inputScript $typed -cursorColumn $typed.Length
$found.CompletionMatches | ForEach-Object CompletionText
`;

/** For each shell: what it has to say to be asked, and how its answer is read. */
const ASKING: Readonly<
  Record<string, (script: string, typed: string, cwd?: string) => Promise<string | undefined>>
> = {
  zsh: async (script, typed, cwd) => {
    const args = ["-f", "-c", ZSH, "zsh", script, typed];
    return (await answerOf("zsh", args, cwd)).trim().split(" ").at(-1);
  },
  fish: async (script, typed, cwd) => {
    const program = "source $argv[1]; complete -C $argv[2]";
    const answer = await answerOf("fish", ["--no-config", "-c", program, script, typed], cwd);
    return answer.split(/[\t\n]/)[0];
  },
  powershell: async (script, typed) => {
    const program = script.replace(/sage\.\w+$/, "ask.ps1");
    await Deno.writeTextFile(program, POWERSHELL);
    const args = ["-NoProfile", "-NonInteractive", "-File", program, script, typed];
    return (await answerOf("pwsh", args)).split(/\r?\n/)[0];
  },
};

const PROGRAMS: Readonly<Record<string, string>> = { powershell: "pwsh" };

for (const [shell, ask] of Object.entries(ASKING)) {
  const isHere = isOnThisMachine(PROGRAMS[shell] ?? shell) && isOnThisMachine("timeout");
  Deno.test({
    name: `${shell} finishes what is typed${isHere ? "" : ": it is not on this machine"}`,
    ignore: !isHere,
    async fn() {
      const path = `${tempDir()}/sage.${shell === "powershell" ? "ps1" : shell}`;
      await Deno.writeTextFile(path, await script(shell));
      for (const [typed, word] of FINISHED) assert.equal(await ask(path, typed), word, typed);
      if (shell === "powershell") return;
      const cwd = tempDir();
      await Deno.writeTextFile(`${cwd}/distinct.md`, "");
      await Deno.mkdir(`${cwd}/faraway`);
      for (const [typed, word] of FILES) {
        // zsh takes the slash back when the line ends there.
        assert.equal((await ask(path, typed, cwd))?.replace(/\/$/, ""), word, typed);
      }
    },
  });
}

for (const shell of ["bash", "zsh", "fish"]) {
  const isHere = isOnThisMachine(shell);
  Deno.test({
    name: `${shell} reads its script${isHere ? "" : ": it is not on this machine"}`,
    ignore: !isHere,
    async fn() {
      const path = `${tempDir()}/sage.${shell}`;
      await Deno.writeTextFile(path, await script(shell));
      const { code, stderr } = await run(shell, { args: ["-n", path] });
      assert.equal(code, 0, stderr);
    },
  });
}

Deno.test("PowerShell's script names every command, and leaves no quote or brace open", async () => {
  const text = await script("powershell");
  for (const { name, load } of COMMANDS) {
    const { command } = await load();
    const verbs = isGroup(command) ? Object.keys(command.verbs) : [];
    for (const at of [name, ...verbs.map((verb) => `${name} ${verb}`)]) {
      assert.ok(text.includes(`\n    '${at}' = [ordered]@{`), at);
    }
  }
  const code = text.replace(/'(?:[^']|'')*'/g, "''");
  assert.ok(!code.replaceAll("''", "").includes("'"));
  for (const [open, close] of ["{}", "()", "[]"]) {
    assert.equal(code.split(open ?? "").length, code.split(close ?? "").length, `${open}${close}`);
  }
});

Deno.test("an unknown shell is refused with those that are known", async () => {
  const { code, stderr } = await sage(["completions", "ksh"], { home: "/nowhere" });
  assert.equal(code, 2);
  assert.match(stderr, /bash\|zsh\|fish\|powershell/);
});

Deno.test("a missing operand is answered with what it may be", async () => {
  const { code, stderr } = await sage(["completions"], { home: "/nowhere" });
  assert.equal(code, 2);
  assert.match(stderr, /one of bash, zsh, fish, powershell/);
});
