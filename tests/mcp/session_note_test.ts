import assert from "node:assert/strict";
import { updateSession } from "../../src/memory/session/state/state.ts";
import { SESSION, withServer } from "./connect.ts";

Deno.test("sage_session_note writes what the agent says, and reads it back", () =>
  withServer(async ({ call }) => {
    const none = await call("sage_session_note", { action: "read" });
    assert.equal(none.data.outcome, "none");
    const written = await call("sage_session_note", {
      action: "write",
      summary: "The importer streams now.",
      next: ["Measure it with a large file."],
      open_questions: ["Does it hold on Windows?"],
    });
    assert.equal(written.data.outcome, "written", written.text);
    const read = await call("sage_session_note", { action: "read" });
    assert.match(String(read.data.notes), /## Next\s+- Measure it with a large file\./);
    const again = await call("sage_session_note", { action: "read", id: SESSION.slice(0, 8) });
    assert.match(String(again.data.notes), /Does it hold on Windows\?/);
  }, { profile: "full", session: SESSION }));

Deno.test("sage_session_note says what it still needs, and what it cannot do", () =>
  withServer(async ({ call }) => {
    const empty = await call("sage_session_note", { action: "write" });
    assert.match(empty.text, /give summary, done, decisions, open_questions or next/);
    const nobody = await call("sage_session_note", { action: "write", next: ["x"] });
    assert.match(nobody.text, /names no session; sage_save_checkpoint/);
    const missing = await call("sage_session_note", { action: "read", id: "nothing-like-it" });
    assert.match(missing.text, /No session/);
  }, { profile: "full" }));

Deno.test("a server goes on with the session that came after its own in the same client", () =>
  withServer(async ({ use }) => {
    await use((memory) => {
      for (const session of [SESSION, "after-clear"]) {
        updateSession(memory, session, (state) => ({ ...state, pid: 4711 }));
      }
      updateSession(memory, SESSION, (state) => ({ ...state, ended: memory.now() }));
      return Promise.resolve();
    });
    assert.equal(await use(({ session }) => Promise.resolve(session)), "after-clear");
  }, { session: SESSION }));
