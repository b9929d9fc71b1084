/** Each captured payload through its handler, and the sessions in which hooks do nothing. */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { realFs } from "../../src/base/fs.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { holdLock } from "../../src/base/lock.ts";
import { dirname } from "../../src/base/path.ts";
import { replyWhySilent } from "../../src/hook/why_silent.ts";
import { COACHING, NO_COACHING } from "../../src/memory/coaching/tip.ts";
import { openMemory } from "../../src/memory/memory.ts";
import type { SessionState } from "../../src/memory/session/state/session_state.ts";
import { updateSession } from "../../src/memory/session/state/state.ts";
import { sage } from "../support/sage.ts";
import { filesIn, writeOld } from "../support/temp_store.ts";
import { conversation, put, read } from "../support/world.ts";
import {
  contextOf,
  type Event,
  EVENTS,
  payload,
  type Place,
  place,
  runHook,
  SESSION,
  testHook,
} from "./process.ts";

const TRANSCRIPTS = new URL("../fixture/claude-code/transcripts/", import.meta.url);

const CAPTURES: Readonly<Record<Event, readonly string[]>> = {
  "session-start": ["startup", "resume", "clear", "compact", "fork"].map((s) =>
    `SessionStart.${s}`
  ),
  "user-prompt-submit": ["UserPromptSubmit", "UserPromptSubmit.agent-message"],
  "stop": ["Stop", "Stop.again"],
  "subagent-stop": ["SubagentStop", "SubagentStop.btw", "SubagentStop.compaction"],
  "pre-compact": ["PreCompact.auto", "PreCompact.manual"],
  "pre-tool-use": ["Agent", "Bash", "Read", "ToolSearch", "mcp"].map((tool) =>
    `PreToolUse.${tool}`
  ),
  "session-end": ["clear", "other", "prompt_input_exit", "resume"].map((r) => `SessionEnd.${r}`),
};

async function started(): Promise<Place> {
  const on = place();
  await sage(["init"], on);
  await Deno.writeTextFile(on.transcript, conversation("It stalls.").text());
  return on;
}

/** Changes what is remembered of the session, as other hooks of it would have. */
async function remember(
  on: Place,
  what: Partial<SessionState>,
  session = SESSION,
): Promise<SessionState> {
  const env = (name: string) => ({ HOME: on.home } as Record<string, string>)[name];
  const memory = await openMemory({ cwd: on.cwd, env, holder: "test", light: true });
  try {
    return updateSession(memory, session, (state) => ({ ...state, ...what }));
  } finally {
    memory.close();
  }
}

/** The receipts of hooks, oldest first. */
function receipts(on: Place): Record<string, unknown>[] {
  const state = `${on.home}/.sage/state`;
  const logs = filesIn(state).filter((name) => name.startsWith("log/"));
  return logs.flatMap((name) => read(`${state}/${name}`).trim().split("\n"))
    .map((line) => JSON.parse(line)).filter(({ event }) => event === "hook");
}

for (const event of EVENTS) {
  testHook(
    `sage hook ${event} takes every payload that was captured, and leaves a receipt`,
    async () => {
      const on = await started();
      for (const capture of CAPTURES[event]) {
        const before = receipts(on).length;
        await runHook(event, JSON.stringify(payload(on, event, {}, capture)), on);
        const made = receipts(on).slice(before);
        assert.deepEqual(
          made.map(({ hook, outcome }) => [hook, outcome]),
          [[event, "done"]],
          capture,
        );
      }
    },
  );
}

testHook("sage hook takes a payload as a shell of Windows hands it on", async () => {
  const on = await started();
  const text = JSON.stringify(payload(on, "stop"), undefined, 2).replaceAll("\n", "\r\n");
  await runHook("stop", `\uFEFF${text}\r\n`, on);
  assert.deepEqual(receipts(on).map(({ hook, outcome }) => [hook, outcome]), [["stop", "done"]]);
});

testHook("sage hook does nothing in a session that Sage or another session started", async () => {
  const on = await started();
  const before = filesIn(on.home);
  const children = [
    { SAGE_CHILD: "1" },
    {
      CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: "99999999-0000-4000-8000-000000000009",
      CLAUDE_CODE_SESSION_ID: "11111111-0000-4000-8000-000000000001",
    },
  ];
  for (const event of EVENTS) {
    for (const env of children) {
      const { reply } = await runHook(event, JSON.stringify(payload(on, event)), { ...on, env });
      assert.equal(reply, undefined, `${event} ${Object.keys(env)}`);
      assert.deepEqual(filesIn(on.home), before, `${event} ${Object.keys(env)}`);
    }
  }
});

testHook("sage hook works in the session that its own environment names", async () => {
  const on = await started();
  const id = "11111111-0000-4000-8000-000000000001";
  const env = {
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_CODE_SESSION_ID: id,
    CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: id,
  };
  const run = await runHook("session-start", JSON.stringify(payload(on, "session-start")), {
    ...on,
    env,
  });
  assert.match(contextOf(run), /^Sage memory of "project"/);
});

testHook("sage hook does nothing inside a subagent, but for its report", async () => {
  const on = await started();
  const before = filesIn(on.home);
  const inside = {
    agent_id: "a0f1",
    agent_type: "Explore",
    prompt: "Why does the importer stall here?",
  };
  for (const event of EVENTS) {
    if (event === "subagent-stop") continue;
    const { reply } = await runHook(event, JSON.stringify(payload(on, event, inside)), on);
    assert.equal(reply, undefined, event);
    assert.deepEqual(filesIn(on.home), before, event);
  }
  const report = payload(on, "subagent-stop", {
    ...inside,
    last_assistant_message: "It was the parser. More.",
  });
  await runHook("subagent-stop", JSON.stringify(report), on);
  await runHook("session-end", JSON.stringify(payload(on, "session-end")), on);
  const [note = ""] = filesIn(`${on.cwd}/.sage/sessions`);
  assert.match(
    read(`${on.cwd}/.sage/sessions/${note}`),
    /## Log\n\n- Explore: It was the parser\.\n/,
  );
});

testHook(
  "a line of an environment file in a subagent's report is known before lines are joined",
  async () => {
    const on = await started();
    const last_assistant_message =
      "It has the key\nTWILIO=Zx81kdQ92mmPqL7vTT91\nof somebody. More.";
    const report = payload(on, "subagent-stop", { agent_id: "a0f1", last_assistant_message });
    await runHook("subagent-stop", JSON.stringify(report), on);
    const { subagents = [] } = await remember(on, {});
    assert.deepEqual(
      subagents.map(({ said }) => said),
      ["It has the key TWILIO=[redacted:generic-env] of somebody."],
    );
  },
);

testHook(
  "a report that a subagent hands back by a call is noted, and one line stays of each",
  async () => {
    const on = await started();
    const file = `${on.transcript.replace(/\.jsonl$/, "")}/subagents/agent-a0000000000000101.jsonl`;
    const stop = async (fields: Record<string, unknown>) => {
      const all = { agent_transcript_path: file, ...fields };
      const report = payload(on, "subagent-stop", all, "SubagentStop.handback");
      await runHook("subagent-stop", JSON.stringify(report), on);
    };
    // It said so in words, and was told to hand it back.
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, "");
    await stop({ last_assistant_message: "I looked at both." });
    await Deno.copyFile(new URL("subagent-handback.jsonl", TRANSCRIPTS), file);
    await stop({ stop_hook_active: true });
    const { subagents } = await remember(on, {});
    assert.deepEqual(subagents, [{
      id: "a0000000000000101",
      type: "general-purpose",
      said:
        "Found two readers of CSV: src/reader.ts, which is ours, and vendor/old.ts, which nobody calls since the move of May.",
    }]);
  },
);

testHook("of a subagent's report one sentence of its own is noted", async () => {
  const on = await started();
  const noted = async (last_assistant_message: string): Promise<string> => {
    const report = payload(on, "subagent-stop", { agent_id: "a0f1", last_assistant_message });
    await runHook("subagent-stop", JSON.stringify(report), on);
    return (await remember(on, {})).subagents?.map(({ said }) => said).join("\n") ?? "";
  };
  const fenced = "<recalled 1a2b3c4d>\nThe vault opens at seven.\n</recalled 1a2b3c4d>\n";
  assert.equal(await noted(`${fenced}It was the parser.`), "It was the parser.");
  const thought = "<think>\nThe lexer may be slow.\n</think>\n";
  assert.equal(await noted(`${thought}It was the writer.`), "It was the writer.");
  const long = await noted(`It was the reader, ${"which reads again, ".repeat(40)}as it seems.`);
  assert.match(long, /^It was the reader, which/);
  assert.ok(long.length <= 200, long);
});

testHook("what names an excluded path is no report of a subagent and no topic", async () => {
  const on = await started();
  await Deno.writeTextFile(`${on.cwd}/.sageignore`, "vault/\n");
  const said = "The rates of Kestrel stand in vault/rates.md.";
  const report = payload(on, "subagent-stop", { agent_id: "a0f1", last_assistant_message: said });
  await runHook("subagent-stop", JSON.stringify(report), on);
  const prompt = "Compare the rates of Kestrel in vault/rates.md with the invoice.";
  const asked = payload(on, "user-prompt-submit", { prompt });
  await runHook("user-prompt-submit", JSON.stringify(asked), on);
  const { subagents, topic } = await remember(on, {});
  assert.deepEqual([subagents, topic], [undefined, undefined]);
  const other = payload(on, "user-prompt-submit", {
    prompt: "Compare the invoice with the order.",
  });
  await runHook("user-prompt-submit", JSON.stringify(other), on);
  assert.match((await remember(on, {})).topic ?? "", /^Compare the invoice/);
});

testHook("a subagent's report does not bring back what was forgotten", async () => {
  const on = await started();
  const said = "The vault of the blue office opens at seven.";
  await sage(["knowledge", "add", "-", "--title", "Vault"], { ...on, stdin: said });
  assert.equal((await sage(["forget", "vault", "--yes"], on)).code, 0);
  const report = payload(on, "subagent-stop", { agent_id: "a0f1", last_assistant_message: said });
  await runHook("subagent-stop", JSON.stringify(report), on);
  assert.equal((await remember(on, {})).subagents, undefined);
});

testHook(
  "what the client asks beside the conversation is no report and no compaction, whoever leads it",
  async () => {
    const on = await started();
    const folder = `${on.transcript.replace(/\.jsonl$/, "")}/subagents`;
    const file = `${folder}/agent-a0000000000000001.jsonl`;
    const stop = async (fields: Record<string, unknown>): Promise<SessionState> => {
      const all = { agent_transcript_path: file, ...fields };
      const ended = payload(on, "subagent-stop", all, "SubagentStop.btw");
      await runHook("subagent-stop", JSON.stringify(ended), on);
      return await remember(on, {});
    };
    // With `--agent` all that the client asks is of that agent's type.
    for (const agent_type of ["", "reviewer"]) {
      const { subagents, compaction } = await stop({ agent_type });
      assert.deepEqual([subagents, compaction], [undefined, undefined]);
    }
    const summary = "<analysis>n/a</analysis>\n<summary>\nIt stalls.\n</summary>";
    const compacted = await stop({ agent_type: "reviewer", last_assistant_message: summary });
    assert.equal(compacted.subagents, undefined);
    assert.ok(compacted.compaction !== undefined);
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(file, "");
    const { subagents = [] } = await stop({ agent_type: "reviewer" });
    assert.deepEqual(subagents.map(({ type, said }) => [type, said]), [
      ["reviewer", "The chunk is 64 KB."],
    ]);
  },
);

testHook(
  "a compaction empties the window, and the thresholds with it, once it was made",
  async () => {
    const on = await started();
    const offer = { id: "c", trigger: "synthesis", hash: "0", told: false };
    const asked = { at: 1, trigger: "synthesis", confidence: 0.8 };
    await remember(on, { contextSteps: [70, 80], pendingAsk: asked, offer });
    await runHook("pre-compact", JSON.stringify(payload(on, "pre-compact")), on);
    const { contextSteps, pendingAsk, offer: left, lastSave } = await remember(on, {});
    // Nothing may come of it, and then a stop at the same size has nothing to save.
    assert.deepEqual([contextSteps, pendingAsk, left], [[70, 80], undefined, undefined]);
    assert.ok(lastSave !== undefined);
    const made = { ...payload(on, "session-start"), source: "compact" };
    await runHook("session-start", JSON.stringify(made), on);
    assert.equal((await remember(on, {})).contextSteps, undefined);
  },
);

testHook(
  "a session that ends takes away what was made for folders that nobody works in",
  async () => {
    const on = await started();
    const expired = `${on.home}/.sage/state/prepared/0123.json`;
    writeOld(expired, "{}\n");
    await Deno.utime(expired, 0, 0);
    await runHook("session-end", JSON.stringify(payload(on, "session-end")), on);
    assert.ok(!filesIn(`${on.home}/.sage/state/prepared`).includes("0123.json"));
  },
);

testHook("a prompt of no words that count is told of all the same what waits for it", async () => {
  const on = await started();
  const prompt = JSON.stringify(payload(on, "user-prompt-submit", { prompt: "ok, thanks" }));
  const told = async (what: Partial<SessionState>): Promise<string> => {
    await remember(on, what);
    const { reply } = await runHook("user-prompt-submit", prompt, on);
    return JSON.stringify(reply ?? {});
  };
  const offer = { id: "c", trigger: "synthesis", hash: "0", told: false };
  assert.match(await told({ offer }), /call sage_autosave_check once/);
  assert.equal(await told({}), "{}");
  await remember(on, {}, "other");
  const overlaps = [{ session: "other", files: ["src/a.ts"], isSaid: false }];
  assert.match(await told({ overlaps }), /src\/a\.ts/);
});

testHook(
  "a subagent's report leaves no secret and no private word, not even in the state",
  async () => {
    const on = await started();
    const token = "gh" + "p_" + "aB3dE5fG7hI9".repeat(3);
    for (
      const said of [
        `The deploy key is ${token}.`,
        "<private>Kestrel Aviation</private> is the customer.",
      ]
    ) {
      const inside = { agent_id: "a0f1", agent_type: "Explore", last_assistant_message: said };
      const report = payload(on, "subagent-stop", inside);
      await runHook("subagent-stop", JSON.stringify(report), on);
    }
    const state = filesIn(`${on.home}/.sage`).map((name) => read(`${on.home}/.sage/${name}`))
      .join();
    assert.match(state, /The deploy key is \[redacted:github-token\]/);
    assert.ok(!state.includes(token) && !state.includes("Kestrel"));
  },
);

testHook("sage hook captures nothing of a project that is excluded", async () => {
  const on = await started();
  await Deno.writeTextFile(`${on.home}/.sage/.sageignore`, `${on.cwd}\n`);
  for (const event of EVENTS) {
    const { reply } = await runHook(event, JSON.stringify(payload(on, event)), on);
    assert.equal(reply, undefined, event);
  }
  assert.deepEqual(filesIn(`${on.cwd}/.sage`).filter((name) => name.endsWith(".md")), []);
  for (const name of filesIn(`${on.home}/.sage/state`)) {
    assert.doesNotMatch(read(`${on.home}/.sage/state/${name}`), /importer/, name);
  }
});

testHook(
  "a session is told when a .sageignore that cannot be used stops capture, and why",
  async () => {
    const on = await started();
    await Deno.writeFile(`${on.cwd}/.sageignore`, Uint8Array.of(0xff, 0xfe, 0x2a, 0));
    const run = (event: typeof EVENTS[number]) =>
      runHook(event, JSON.stringify(payload(on, event)), on);
    const { reply } = await run("session-start");
    const told =
      /^Sage captures and recalls nothing here: Cannot use ".*\.sageignore": it is not UTF-8/;
    const said = reply?.hookSpecificOutput as { additionalContext?: string } | undefined;
    assert.match(said?.additionalContext ?? "", told);
    assert.match(String(reply?.systemMessage), told);
    assert.match(String(reply?.systemMessage), /put a text file in its place/);
    assert.equal(receipts(on).at(-1)?.["error"], "invalid_config");
    for (const event of EVENTS.filter((event) => event !== "session-start")) {
      assert.equal((await run(event)).reply, undefined, event);
    }
    assert.deepEqual(filesIn(`${on.cwd}/.sage`).filter((name) => name.endsWith(".md")), []);
  },
);

Deno.test("replyWhySilent() explains what stops every hook, not what failed once", async () => {
  const env = () => undefined;
  const once = new SageError("locked", "Cannot write: it is locked");
  await assert.rejects(replyWhySilent(once, env), once);
  const denied = new Deno.errors.PermissionDenied("Permission denied (os error 13)");
  const { notice } = await replyWhySilent(denied, env);
  assert.match(notice ?? "", /^Sage captures and recalls nothing here: /);
});

testHook("a session leaves a note, is found again by the next one, and blocks nobody", async () => {
  const on = await started();
  for (
    const event of [
      "session-start",
      "user-prompt-submit",
      "stop",
      "pre-compact",
      "session-end",
    ] as const
  ) {
    const { reply } = await runHook(event, JSON.stringify(payload(on, event)), on);
    if (event !== "session-start") assert.equal(reply, undefined, event);
  }
  const [note = ""] = filesIn(`${on.cwd}/.sage/sessions`);
  assert.match(read(`${on.cwd}/.sage/sessions/${note}`), /\nended: .*\nend_reason: other\n/);
  assert.equal(filesIn(`${on.cwd}/.sage/checkpoints`).length, 1, "the compaction was saved");
  const next = payload(on, "session-start", { session_id: "22222222-0000-4000-8000-000000000002" });
  const run = await runHook("session-start", JSON.stringify(next), on);
  assert.match(contextOf(run), /\n- Last session \(20\d\d-\d\d-\d\d \d\d:\d\d UTC\): "/);
  assert.match(contextOf(run), /sage_load_checkpoint \{"id":"[0-9a-f]{8}"\}/);
});

testHook("what a start says is made ready when the session before it ends", async () => {
  const on = await started();
  await Deno.writeTextFile(`${on.home}/.sage/tuning.yaml`, "teaching:\n  enabled: false\n");
  await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
  await runHook("session-end", JSON.stringify(payload(on, "session-end")), on);
  const next = payload(on, "session-start", { session_id: "22222222-0000-4000-8000-000000000002" });
  const run = await runHook("session-start", JSON.stringify(next), on);
  assert.match(contextOf(run), /\n- Last session /);
  assert.equal(receipts(on).at(-1)?.["prepared"], true);
  assert.match(String(run.reply?.systemMessage), /^I remember where we stopped/);
});

testHook("a start that cannot be registered is told all the same what was made ready", async () => {
  const on = await started();
  await Deno.writeTextFile(`${on.home}/.sage/tuning.yaml`, "teaching:\n  enabled: false\n");
  await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
  await runHook("session-end", JSON.stringify(payload(on, "session-end")), on);
  const folder = `${on.home}/.sage/state/instances`;
  await Deno.remove(folder, { recursive: true });
  await Deno.writeTextFile(folder, "A file where the folder was.");
  const next = payload(on, "session-start", { session_id: "22222222-0000-4000-8000-000000000002" });
  assert.match(contextOf(await runHook("session-start", JSON.stringify(next), on)), /Last session/);
});

testHook("a tip that waits is told at the next start, made ready or not, and once", async () => {
  for (const isReady of [false, true]) {
    const on = await started();
    await Deno.writeTextFile(`${on.home}/.sage/tuning.yaml`, "teaching:\n  enabled: false\n");
    const run = (event: Event, fields = {}) =>
      runHook(event, JSON.stringify(payload(on, event, fields)), on);
    if (isReady) {
      for (const event of ["session-start", "session-end"] as const) await run(event);
    }
    const next = { pattern: "pin", about: "ports", text: "Pin that note." };
    const path = `${on.home}/.sage/state/${COACHING}`;
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, JSON.stringify({ ...NO_COACHING, next }));
    const session = { session_id: "22222222-0000-4000-8000-000000000002" };
    const told = await run("session-start", session);
    assert.equal(receipts(on).at(-1)?.["prepared"], isReady || undefined);
    const message = isReady ? /^I remember .*\nPin that note\.$/ : /^Pin that note\.$/;
    assert.match(String(told.reply?.systemMessage), message);
    const again = await run("session-start", session);
    assert.doesNotMatch(String(again.reply?.systemMessage), /Pin/);
    if (!isReady) assert.equal(again.reply?.systemMessage, undefined);
  }
});

testHook("a tip is not told where a conversation goes on", async () => {
  const on = await started();
  const next = { pattern: "pin", about: "ports", text: "Pin that note." };
  const path = `${on.home}/.sage/state/${COACHING}`;
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, JSON.stringify({ ...NO_COACHING, next }));
  const told = async (source: string): Promise<string> => {
    const start = payload(on, "session-start", { source });
    return JSON.stringify((await runHook("session-start", JSON.stringify(start), on)).reply ?? {});
  };
  for (const source of ["resume", "compact"]) {
    assert.doesNotMatch(await told(source), /Pin/, source);
  }
  assert.match(await told("clear"), /Pin that note/);
});

testHook("what a start told the agent is told in numbers to those who want to see it", async () => {
  const on = await started();
  const tuned = (budget: number): Promise<void> =>
    Deno.writeTextFile(
      `${on.home}/.sage/tuning.yaml`,
      `output:\n  level: transparent\nbudget:\n  orientation_tokens: ${budget}\n`,
    );
  const pin = (name: string): void =>
    put(
      `${on.cwd}/.sage/knowledge/${name}.md`,
      `---\nid: ${name}\ntype: knowledge\npinned: true\n---\n\n# The ${name} is locked\n\nYes.\n`,
    );
  let n = 0;
  const told = async (): Promise<string> => {
    const session = { session_id: `33333333-0000-4000-8000-00000000000${n++}` };
    const start = JSON.stringify(payload(on, "session-start", session));
    return String((await runHook("session-start", start, on)).reply?.systemMessage);
  };
  await tuned(200);
  assert.doesNotMatch(await told(), /told the agent/);
  pin("gate");
  assert.match(await told(), /Sage: told the agent of 1 note in \d+ tokens\./);
  for (const name of ["door", "shed", "barn", "dock"]) pin(name);
  assert.match(await told(), /told the agent of \d notes in \d+ tokens\./);
  await tuned(60);
  assert.match(
    await told(),
    /told the agent of \d notes? in \d+ tokens, and left out \d+ for the budget\./,
  );
});

testHook("a session that ends looks for a tip, and takes a step of what is learned", async () => {
  const on = await started();
  await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
  const { project } = receipts(on).at(-1) ?? {};
  const path = `${on.home}/.sage/state/${COACHING}`;
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, JSON.stringify({ ...NO_COACHING, sessions: 9 }));
  const at = `${new Date().toISOString().slice(0, 19)}Z`;
  const log = `${on.home}/.sage/state/log/${at.slice(0, 10)}.jsonl`;
  for (const session of ["a", "a", "b", "b", "c", "c"]) {
    const line = { at, event: "hook", hook: "pre-compact", outcome: "done", session, project };
    await Deno.writeTextFile(log, JSON.stringify(line) + "\n", { append: true });
  }
  await runHook("session-end", JSON.stringify(payload(on, "session-end")), on);
  assert.ok(filesIn(`${on.home}/.sage/state`).includes("feedback/learned.json"));
  const next = payload(on, "session-start", { session_id: "22222222-0000-4000-8000-000000000002" });
  const { reply } = await runHook("session-start", JSON.stringify(next), on);
  assert.match(String(reply?.systemMessage), /3 sessions were compacted more than once/);
});

testHook(
  "a save that another process is making is left to it, as long as it may live",
  async () => {
    const on = await started();
    await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
    const owed = { at: Date.now(), trigger: "synthesis", confidence: 0.8, isOwed: true } as const;
    const stop = async (at: number): Promise<readonly unknown[]> => {
      await remember(on, { pendingAsk: { ...owed, at } });
      await runHook("stop", JSON.stringify(payload(on, "stop")), on);
      return [receipts(on).at(-1)?.["gate"] === "being saved", checkpoints(on).length];
    };
    const locks = `${on.home}/.sage/state/locks`;
    const lock = `${locks}/session-${sha256Hex(SESSION).slice(0, 2)}.lock`;
    const held = holdLock(realFs, lock, { deadlineMs: 0 });
    try {
      assert.deepEqual(await stop(Date.now()), [true, 0]);
      await runHook("session-end", JSON.stringify(payload(on, "session-end")), on);
      assert.deepEqual(checkpoints(on), []);
      assert.deepEqual(await stop(Date.now() - 60_000), [false, 1]);
    } finally {
      held.release();
    }
  },
);

testHook(
  "a save that was left undone is made before a compaction, as what it was to be",
  async () => {
    const on = await started();
    await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
    const owed = { at: Date.now(), trigger: "synthesis", confidence: 0.8, isOwed: true } as const;
    await remember(on, { pendingAsk: owed });
    await runHook("pre-compact", JSON.stringify(payload(on, "pre-compact")), on);
    const [made = assert.fail("nothing is saved"), ...more] = checkpoints(on);
    assert.match(read(`${on.cwd}/.sage/checkpoints/${made}`), /\ntrigger: synthesis\n/);
    assert.deepEqual(more, []);
  },
);

function checkpoints({ cwd }: Place): string[] {
  return filesIn(`${cwd}/.sage`).filter((path) => path.startsWith("checkpoints/"))
    .map((path) => path.slice("checkpoints/".length));
}

testHook("an answer that nobody reads is no failure", async () => {
  const on = await started();
  const start = JSON.stringify(payload(on, "session-start"));
  await runHook("session-start", start, { ...on, closesStdout: true });
  assert.deepEqual(receipts(on).map(({ outcome }) => outcome), ["done"]);
});

testHook("a session's note is renewed every few minutes", async () => {
  const on = await started();
  await Deno.writeTextFile(`${on.home}/.sage/tuning.yaml`, "detection:\n  mode: off\n");
  const said = conversation("It stalls.");
  const stop = async (): Promise<unknown> => {
    const part = said.lines.length;
    said.user(`And part ${part}?`).assistant(`Part ${part} holds no rows. `.repeat(300));
    await Deno.writeTextFile(on.transcript, said.text());
    const told = payload(on, "stop", { last_assistant_message: undefined });
    await runHook("stop", JSON.stringify(told), on);
    return receipts(on).at(-1)?.["note"];
  };
  assert.deepEqual([await stop(), await stop()], ["written", "later"]);
  await remember(on, { noteAt: Date.now() - 6 * 60_000 });
  assert.deepEqual([await stop(), await stop()], ["written", "later"]);
});

testHook(
  "before an edit the note that rests on the file is named, once, where that is on",
  async () => {
    const on = await started();
    await Deno.writeTextFile(`${on.cwd}/auth.ts`, "one\n");
    const args = ["knowledge", "add", "-", "--title", "Token refresh", "--source", "auth.ts"];
    await sage(args, { ...on, stdin: "Tokens are refreshed behind a mutex.\n" });
    const edit = async (tool: string, input: Record<string, unknown>): Promise<string> => {
      const fields = { tool_name: tool, tool_input: input };
      const run = await runHook(
        "pre-tool-use",
        JSON.stringify(payload(on, "pre-tool-use", fields)),
        on,
      );
      const own = run.reply?.hookSpecificOutput as Record<string, unknown> | undefined;
      assert.deepEqual([own?.permissionDecision, run.reply?.decision], [undefined, undefined]);
      return contextOf(run);
    };
    const input = { file_path: `${on.cwd}/auth.ts`, old_string: "one", new_string: "two" };
    assert.equal(await edit("Edit", input), "", "off by default");
    await sage(["config", "set", "surfacing.before_edits", "true"], on);
    assert.equal(await edit("Read", input), "");
    assert.equal(await edit("Edit", { file_path: `${on.cwd}/other.ts` }), "");
    assert.equal(await edit("Edit", { file_path: "auth.ts" }), "");
    assert.match(
      await edit("Write", input),
      /^Sage: a note of \S+ rests on this file: "Token refresh" \(get_note \{"id":"[0-9a-f]{8}"\}\)$/,
    );
    assert.equal(await edit("Edit", input), "", "once a session");
    assert.deepEqual(
      receipts(on).filter(({ hook }) => hook === "pre-tool-use").map(({ gate }) => gate),
      ["off", "no_edit", "no_note", "no_edit", "passed", "shown_before"],
    );
  },
);
