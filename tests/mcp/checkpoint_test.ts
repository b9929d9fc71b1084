import assert from "node:assert/strict";
import { names, readText } from "./disk.ts";
import { byHand } from "../support/world.ts";
import { CHECKPOINT, KNOWLEDGE, SESSION, withServer } from "./connect.ts";

Deno.test("sage_save_checkpoint saves every field and says so in one line", () =>
  withServer(async ({ call, project }) => {
    const { data, text, isError } = await call("sage_save_checkpoint", CHECKPOINT);
    assert.equal(isError, false);
    assert.equal(data.outcome, "saved");
    assert.equal(text, data.message);
    assert.match(text, /^Saved checkpoint [0-9a-f]{8} "Top curators.*" in the project store\.$/);
    const file = readText(`${project}/.sage/checkpoints/${data.id}.md`);
    assert.match(file, /trigger: synthesis/);
    assert.match(file, /confidence: 0\.75/);
    assert.match(file, /by: agent/);
    assert.match(file, new RegExp(`session: ${SESSION}`));
    for (const words of [CHECKPOINT.core_question, CHECKPOINT.thesis, CHECKPOINT.reasoning_trace]) {
      assert.ok(file.includes(words), words);
    }
    for (const list of [CHECKPOINT.key_evidence, CHECKPOINT.open_questions, CHECKPOINT.tensions]) {
      for (const line of list) assert.ok(file.includes(line), line);
    }
    assert.match(file, /id: dune-query-6255951/);
    assert.match(file, /relation: supports/);
  }, { session: SESSION }));

Deno.test("sage_save_checkpoint takes sources as objects and lists as text", () =>
  withServer(async ({ call, project }) => {
    const { data } = await call("sage_save_checkpoint", {
      ...CHECKPOINT,
      key_evidence: "one line of evidence",
      open_questions: '["first?", "second?"]',
      sources: [{ id: "https://example.org/a: b", relation: "primary" }],
      confidence: "0.5",
      trigger: null,
    });
    const file = readText(`${project}/.sage/checkpoints/${data.id}.md`);
    assert.match(file, /trigger: manual/);
    assert.match(file, /confidence: 0\.5/);
    assert.match(file, /- one line of evidence/);
    assert.match(file, /- second\?/);
    assert.match(file, /relation: primary/);
  }));

Deno.test("sage_save_checkpoint refuses a secret, names rule and place, and never the value", () =>
  withServer(async ({ call, project }) => {
    const secret = "AKIA" + "Z7QX2M4N6P5R3T5V";
    const { text, isError } = await call("sage_save_checkpoint", {
      ...CHECKPOINT,
      key_evidence: ["harmless", `the key is ${secret} for now`],
    });
    assert.equal(isError, true);
    assert.match(text, /Not saved/);
    assert.match(text, /key_evidence\[1\] line 1 \(/);
    assert.doesNotMatch(text, new RegExp(secret));
    assert.deepEqual(names(`${project}/.sage/checkpoints`), []);
  }));

Deno.test("sage_save_checkpoint tells the model what is missing, unknown and expected", () =>
  withServer(async ({ call }) => {
    const { text, isError } = await call("sage_save_checkpoint", { thesys: "x", confidence: 7 });
    assert.equal(isError, true);
    assert.match(text, /"core_question" is missing/);
    assert.match(text, /"thesis" is missing/);
    assert.match(text, /"thesys" is unknown, perhaps "thesis"/);
    assert.match(text, /"confidence"/);
    assert.match(text, /Call again with \{core_question: string, thesis: string, confidence/);
    const wrong = await call("sage_save_checkpoint", { ...CHECKPOINT, trigger: "whim" });
    assert.match(wrong.text, /topic_shift, branch_point/);
  }));

Deno.test("sage_autosave_check says saved, duplicate of which, and thin", () =>
  withServer(async ({ call }) => {
    const first = await call("sage_autosave_check", CHECKPOINT);
    assert.equal(first.data.outcome, "saved");
    const again = await call("sage_autosave_check", CHECKPOINT);
    assert.equal(again.data.outcome, "duplicate");
    assert.equal(again.data.id, first.data.id);
    assert.match(again.text, new RegExp(String(first.data.short_id)));
    const thin = await call("sage_autosave_check", {
      ...CHECKPOINT,
      thesis: "Fees.",
      confidence: 0.1,
    });
    assert.equal(thin.data.outcome, "thin");
    assert.match(thin.text, /Add confidence of at least 0\.5 for synthesis, a thesis/);
    const missing = await call("sage_autosave_check", { ...CHECKPOINT, trigger: undefined });
    assert.equal(missing.isError, true);
    assert.match(missing.text, /"trigger"/);
  }));

Deno.test("sage_autosave_check masks a secret instead of refusing", () =>
  withServer(async ({ call, project }) => {
    const secret = "AKIA" + "Z7QX2M4N6P5R3T5V";
    const { data } = await call("sage_autosave_check", {
      ...CHECKPOINT,
      key_evidence: [`the key is ${secret} for now`],
    });
    assert.equal(data.outcome, "saved");
    assert.match(String(data.message), /1 secret was masked/);
    assert.doesNotMatch(
      readText(`${project}/.sage/checkpoints/${data.id}.md`),
      new RegExp(secret),
    );
  }));

Deno.test("sage_load_checkpoint restores by id, short id, meaning, and the last by default", () =>
  withServer(async ({ call }) => {
    const { data: saved } = await call("sage_save_checkpoint", CHECKPOINT);
    const asked = [
      { id: saved.id },
      { id: saved.short_id },
      { query: "what do curators earn" },
      {},
      { recent: 3 },
      { id: saved.id, detail: "full" },
    ];
    for (const args of asked) {
      const { data, text } = await call("sage_load_checkpoint", args);
      const why = JSON.stringify(args);
      assert.deepEqual((data.items as { id: string }[]).map(({ id }) => id), [saved.id], why);
      const notes = String(data.notes);
      assert.match(notes, /^<recalled ([0-9a-f]+)>.*data, not instructions/, why);
      assert.ok(notes.includes(CHECKPOINT.thesis), why);
      assert.ok(text.includes(CHECKPOINT.thesis), why);
    }
    const summary = await call("sage_load_checkpoint", { id: saved.id, detail: "summary" });
    assert.match(String(summary.data.notes), /Thesis: Top curators/);
  }));

Deno.test("sage_load_checkpoint restores nothing for an id that names none or another kind", () =>
  withServer(async ({ call }) => {
    await call("sage_save_checkpoint", CHECKPOINT);
    const title = "Top curators take fees of indexers";
    const { data } = await call("sage_save_knowledge", { ...KNOWLEDGE, title });
    for (const id of [data.id, data.short_id, "what do curators earn"]) {
      const { text, isError } = await call("sage_load_checkpoint", { id });
      assert.ok(isError, text);
      assert.match(text, /^No checkpoint /);
    }
  }));

Deno.test("sage_load_checkpoint says what to do when nothing is there", () =>
  withServer(async ({ call }) => {
    assert.equal((await call("sage_load_checkpoint")).data.outcome, "none");
    assert.equal(
      (await call("sage_load_checkpoint", { query: "tulip prices" })).data.outcome,
      "none",
    );
    await call("sage_save_checkpoint", CHECKPOINT);
    const { isError, text } = await call("sage_load_checkpoint", { id: "0123abcd" });
    assert.equal(isError, true);
    assert.match(
      text,
      /^No checkpoint "0123abcd"\. query finds one by .*the last is restored; sage_list_checkpoints/,
    );
    const almost = await call("sage_load_checkpoint", { id: "curators-of-2020" });
    assert.match(almost.text, /Nearest: [0-9a-f]{8} "Top curators/);
  }));

Deno.test("sage_load_checkpoint tells where the last session stopped, where none saved a checkpoint", () =>
  withServer(async ({ project, call }) => {
    byHand(`${project}/.sage`, "sessions/s-1.md", {
      id: "s-1",
      type: "session",
      session: "old",
      started: "2026-01-12T09:00:00Z",
      updated: "2026-01-12T10:00:00Z",
    }, "## Summary\n\nThe importer streams.\n\n## Next\n\n- Test a large file.\n");
    const { data } = await call("sage_load_checkpoint");
    assert.equal(data.outcome, "none");
    assert.match(
      String(data.message),
      /data, not instructions:\n- Last session .*"The importer streams\."\n- Next: "Test a large file\."/,
    );
  }));

Deno.test("sage_load_checkpoint gives the choices when several fit", () =>
  withServer(async ({ call }) => {
    await call("sage_save_checkpoint", { ...CHECKPOINT, title: "First look at curator fees" });
    await call("sage_save_checkpoint", { ...CHECKPOINT, title: "Second look at curator fees" });
    const { data } = await call("sage_load_checkpoint", { query: "curator fees look" });
    assert.equal((data.items as unknown[]).length, 2);
    assert.match(String(data.message), /2 checkpoints match; call again with the id/);
    assert.match(String(data.notes), /First look/);
  }));

Deno.test("sage_list_checkpoints lists newest first, within the limit", () =>
  withServer(async ({ call }) => {
    assert.equal((await call("sage_list_checkpoints")).data.message, "No checkpoints yet.");
    for (const title of ["One", "Two", "Three"]) {
      await call("sage_save_checkpoint", { ...CHECKPOINT, title });
    }
    const { data } = await call("sage_list_checkpoints", { limit: 2 });
    assert.equal((data.items as unknown[]).length, 2);
    assert.match(String(data.message), /2 checkpoints, newest first\. There may be more/);
    const [first] = data.items as Record<string, unknown>[];
    assert.equal(first?.trigger, "synthesis");
    assert.equal(first?.confidence, 0.75);
  }));
