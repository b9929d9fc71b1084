/** The loop through the real Claude Code, whose model is a script: what the model is told, and what stays. */
import assert from "node:assert/strict";
import {
  type Block,
  claudeCode,
  converse,
  type ModelRequest,
  runClaude,
  scriptedApi,
} from "../support/claude_code.ts";
import { binary } from "../support/sage.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { read } from "../support/world.ts";

const claude = await claudeCode();
const ignore = claude === undefined;

const CAUSE =
  "The cause is `readAll()` in src/import/reader.ts: it builds one string of the whole file, and V8 " +
  "refuses strings above 512 MB, so the worker dies with `ERR_STRING_TOO_LONG`. Measured: a file of " +
  "2.1 GB needs 4.6 GB of memory before it fails after 38 seconds; files below 500 MB pass. ";
const WAYS =
  "There are three options.\n\n1. **Stream rows** with a TransformStream: constant memory, about two " +
  "days of work, the parser must become incremental.\n2. **Split files** before the import: half a " +
  "day, but quotes that span lines break at the seams.\n3. **Raise the heap**: one line, and no help, " +
  "because the limit is on strings.\n\nI recommend 1, because it removes the limit instead of moving it. ";
const DECIDED =
  "Decided: rows are streamed in chunks of 64 KB, because the NAS reads in blocks of that size; " +
  "splitting files was rejected because quoted fields span lines. Next I write " +
  "`src/import/row_stream.ts`. Open: how are rows reported that fail half-way? ";
/** What an agent says besides; a turning point has some length. */
const CHECKED =
  "I checked this twice, with the sample of March and with the export of last night, and both runs " +
  "agree within two seconds; the numbers stand in the runbook, beside those of the older machine.";

interface Place {
  readonly home: string;
  readonly cwd: string;
}

async function connected(via: string): Promise<Place> {
  const home = tempDir();
  const cwd = `${home}/importer`;
  await Deno.mkdir(cwd);
  for (const args of [["init"], ["install", "claude-code", "--via", via]]) {
    const { code, stderr } = await binary(args, { home, cwd });
    assert.equal(code, 0, stderr);
  }
  return { home, cwd };
}

/** With a person before it, as at a terminal: the client runs without one here, and says so. */
async function attended({ home }: Place): Promise<void> {
  const change = async (path: string, edit: (value: Json) => void): Promise<void> => {
    const value = JSON.parse(await Deno.readTextFile(path));
    edit(value);
    await Deno.writeTextFile(path, JSON.stringify(value));
  };
  const name = "CLAUDE_CODE_SESSION_ATTENDED";
  await change(`${home}/.claude/settings.json`, ({ hooks }) => {
    const [hook] = hooks.Stop[0].hooks;
    if (hook.type !== "command") return;
    hook.args = [`${name}=1`, hook.command, ...hook.args];
    hook.command = "/usr/bin/env";
  });
  await change(`${home}/.claude.json`, ({ mcpServers }) => {
    mcpServers.sage.env = { ...mcpServers.sage.env, [name]: "1" };
  });
}

// deno-lint-ignore no-explicit-any -- settings of another program
type Json = any;

/** Says `text` to what a person said, and nothing of weight to the client's own requests. */
function saying(text: string): readonly Block[] {
  return [{ type: "text", text }];
}

/** What the model was sent last, as one text. */
function lastSent(requests: readonly ModelRequest[]): string {
  const told = requests.findLast(({ tools = [] }) => tools.length > 0);
  return JSON.stringify(told?.messages.at(-1));
}

/** A process for each event, which hands over to the server where there is one; and the server at once. */
const VIAS = ["process", "mcp"] as const;

for (const via of VIAS) {
  Deno.test({
    name:
      `Claude Code, by ${via}: a session that is killed is told to the next, and before a compaction is a save`,
    ignore,
    async fn() {
      const on = await connected(via);
      let answer = "";
      await using api = scriptedApi(() => saying(answer));
      const who = { ...on, env: api.env };
      {
        await using first = converse(claude ?? "", who);
        answer = CAUSE + CHECKED;
        await first.say("The nightly import stalls on files over 2 GB. Please find out why.");
        assert.match(JSON.stringify(api.requests), /no earlier session to go on from/);
        answer = DECIDED + CHECKED;
        await first.say("agreed, we stream the rows. keep the chunk at 64 KB, the NAS reads so");
        await first.kill();
      }
      await using second = converse(claude ?? "", who);
      answer = "We were at the importer.";
      await second.say("where were we?");
      const told = lastSent(api.requests);
      assert.match(told, /cut off and recovered/);
      assert.match(told, /The nightly import stalls on files over 2 GB/);
      assert.match(told, /Decided: .{0,5}rows are streamed in chunks of 64 KB/);
      const before = new Set(saved(on));
      answer = "<summary>The importer streams its rows.</summary>";
      await second.say("/compact");
      assert.deepEqual(
        saved(on).filter((path) => !before.has(path))
          .map((path) => /trigger: precompact/.test(read(path))),
        [true],
      );
      answer = "On with it.";
      await second.say("go on");
      assert.match(
        JSON.stringify(api.requests.at(-1)),
        /Before this compaction: .{0,9}We were at the imp/,
      );
    },
  });

  Deno.test({
    name:
      `Claude Code, by ${via}: asked at a turning point, the agent saves by one call, and is not asked again`,
    ignore,
    async fn() {
      const on = await connected(via);
      const thesis = "Rows are streamed in 64 KB chunks, since the limit is on strings.";
      let answer = "";
      await using api = scriptedApi(({ messages }) => {
        const last = JSON.stringify(messages.at(-1));
        const asked = /Stop hook additional[^]*trigger \\+"(\w+)\\+"/.exec(last)?.[1];
        if (asked === undefined) return saying(answer);
        const input = {
          trigger: asked,
          confidence: 0.85,
          core_question: "How does the importer survive files over 2 GB?",
          thesis,
          key_evidence: ["2.1 GB needs 4.6 GB of memory and dies with ERR_STRING_TOO_LONG"],
          open_questions: ["How are rows reported that fail half-way?"],
        };
        return [{ type: "tool_use", name: "mcp__sage__sage_autosave_check", input }];
      });
      await attended(on);
      await using session = converse(claude ?? "", { ...on, env: api.env });
      answer = CAUSE + CHECKED;
      await session.say("The nightly import stalls on files over 2 GB. Please find out why.");
      answer = WAYS + CHECKED;
      await session.say("what are our options?");
      answer = "Nothing else.";
      await session.say("anything else?");
      const asks = api.requests.filter(({ messages }) =>
        /Stop hook additional/.test(JSON.stringify(messages.at(-1)))
      );
      assert.equal(asks.length, 1);
      const [note = "", ...more] = saved(on);
      assert.deepEqual(more, []);
      assert.match(read(note), new RegExp(`## Thesis\n\n${thesis}`));
      // The model sees no tool that is for the client, and no line that says that nothing was said.
      for (const { tools, messages } of api.requests) {
        const seen = JSON.stringify([tools, messages]).replaceAll("sage/sage_hook", "");
        assert.doesNotMatch(seen, /sage_hook|hook success/);
      }
    },
  });
}

Deno.test({
  name:
    "Claude Code: a conversation that --continue and --fork-session take up is one session, told once",
  ignore,
  async fn() {
    const on = await connected("process");
    await using api = scriptedApi(({ messages }) => {
      const last = JSON.stringify(messages.at(-1));
      if (!/save where we are/.test(last) || /tool_result/.test(last)) return saying(DECIDED);
      const input = {
        core_question: "Where are we?",
        thesis: "Rows are streamed.",
        confidence: 0.9,
      };
      return [{ type: "tool_use", name: "mcp__sage__sage_save_checkpoint", input }];
    });
    const say = async (prompt: string, ...how: string[]): Promise<string> => {
      const allowed = ["--model", "claude-sonnet-4-5", "--allowedTools", "mcp__sage"];
      const args = ["-p", prompt, ...how, ...allowed];
      const { code, out } = await runClaude(claude ?? "", args, { ...on, env: api.env });
      assert.equal(code, 0, out);
      const told = api.requests.findLast(({ tools = [] }) => tools.length > 0);
      return JSON.stringify(told?.messages);
    };
    const timesTold = (told: string): number => told.split("Sage memory of").length - 1;

    assert.equal(timesTold(await say("agreed, we stream the rows, 64 KB each")), 1);
    assert.equal(timesTold(await say("save where we are", "--continue")), 1);
    const [note = ""] = filesIn(`${on.cwd}/.sage/sessions`);
    const session = /^session: (.+)$/m.exec(read(`${on.cwd}/.sage/sessions/${note}`))?.[1] ?? "";
    const [checkpoint = ""] = saved(on);
    assert.match(read(checkpoint), new RegExp(`^session: ${session}$`, "m"));

    const next = await say("where were we?");
    assert.match(next, /Rows are streamed/);
    assert.doesNotMatch(next, /Another session works here/);
    const forked = await say("and the other way?", "--continue", "--fork-session");
    assert.equal(timesTold(forked), 1, forked);
  },
});

Deno.test({
  name: "Claude Code: what is the person's to decide is put before them, and done as they say",
  ignore,
  async fn() {
    const on = await connected("process");
    await using api = scriptedApi(({ messages }) => {
      if (/tool_result/.test(JSON.stringify(messages.at(-1)))) return saying("Noted.");
      const input = { title: "Tabs", content: "Tabs, not spaces.", subject: "preference" };
      return [{ type: "tool_use", name: "mcp__sage__sage_save_knowledge", input }];
    });
    // In the person's place, who would see a form.
    const said = {
      hookSpecificOutput: {
        hookEventName: "Elicitation",
        action: "accept",
        content: { answer: "yes" },
      },
    };
    const path = `${on.home}/answer.json`;
    await Deno.writeTextFile(path, JSON.stringify(said));
    const hooks = { Elicitation: [{ hooks: [{ type: "command", command: `cat ${path}` }] }] };
    const args = ["-p", "tabs, always", "--model", "claude-sonnet-4-5"];
    const allowed = ["--allowedTools", "mcp__sage", "--settings", JSON.stringify({ hooks })];
    const { code, out } = await runClaude(claude ?? "", [...args, ...allowed], {
      ...on,
      env: api.env,
    });
    assert.equal(code, 0, out);
    assert.match(lastSent(api.requests), /The person was asked, and said yes: it is done/);
    const { stdout } = await binary(["knowledge", "list"], on);
    assert.match(stdout, /Tabs/);
  },
});

/** The checkpoints, by path. */
function saved({ cwd }: Place): string[] {
  return filesIn(`${cwd}/.sage/checkpoints`).map((name) => `${cwd}/.sage/checkpoints/${name}`);
}
