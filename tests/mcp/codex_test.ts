/** Codex starts its servers for no session; each call says which conversation it is of. */
import assert from "node:assert/strict";
import { register } from "../../src/memory/session/begin.ts";
import { readSession } from "../../src/memory/session/state/state.ts";
import { CHECKPOINT, type Connected, withServer } from "./connect.ts";
import { filesEnding, readText } from "./disk.ts";

const SESSION = "01a22322-4521-7171-8160-2e726bb7b559";

/** As Codex 0.171.0 sends it. */
const meta = (session_id: unknown) => ({
  callId: "call_5",
  "x-codex-turn-metadata": {
    session_id,
    thread_id: "01a22322-4521-7171-8160-2e726bb7b559",
    model: "gpt-x",
    turn_id: "01a22322-d7e8-7e50-8a2c-636775adcc76",
    turn_started_at_unix_ms: 1795885815815,
    thread_source: "user",
    turn_trigger: "user",
    sandbox: "seccomp",
    sandbox_mode: "read-only",
    auto_review_enabled: false,
    codex_version: "0.171.0",
  },
  threadId: session_id,
  sessionId: session_id,
  windowId: `${session_id}:0`,
  itemId: "fc_5",
});

async function save({ client, project }: Connected, session: unknown): Promise<string> {
  const call = { name: "sage_save_checkpoint", arguments: CHECKPOINT, _meta: meta(session) };
  const { isError } = await client.callTool(call);
  assert.notEqual(isError, true);
  const [note = ""] = filesEnding(`${project}/.sage/checkpoints`, ".md");
  return readText(note);
}

Deno.test("what an agent of Codex saves is of the session that the call names", () =>
  withServer(async (server) => {
    const { project: cwd, use } = server;
    await use((memory) =>
      Promise.resolve(
        register(memory, {
          event: "session-start",
          sessionId: SESSION,
          cwd,
          transcriptPath: undefined,
          source: "startup",
        }),
      )
    );
    assert.match(await save(server, SESSION), new RegExp(`^session: ${SESSION}$`, "m"));
    const state = await use((memory) => Promise.resolve(readSession(memory, SESSION)));
    assert.equal(state?.checkpoints?.length, 1);
  }));

Deno.test("a session that no hook began, or that is no name of one, is nobody's", async () => {
  for (const session of [SESSION, "../../etc/passwd", 7, undefined]) {
    await withServer(async (server) => {
      assert.doesNotMatch(await save(server, session), /^session:/m);
    });
  }
});
