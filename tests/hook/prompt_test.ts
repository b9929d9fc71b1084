/** A prompt of a session that nobody registered: it begins with it, or goes on after its state was deleted. */
import assert from "node:assert/strict";
import { sage } from "../support/sage.ts";
import { put } from "../support/world.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { payload, place, runHook, SESSION, testHook } from "./process.ts";

testHook("a session is told where it begins, and not in its middle", async () => {
  const on = place();
  const prompt = JSON.stringify(payload(on, "user-prompt-submit", { prompt: "hello" }));
  const told = async () => (await runHook("user-prompt-submit", prompt, { home: on.home })).reply;
  assert.match(JSON.stringify(await told()), /no earlier session to go on from/);
  assert.equal(await told(), undefined);

  const said = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd, bare: true });
  said.user("Why does the importer stall?").assistant("It builds one string of the whole file.");
  await Deno.writeTextFile(on.transcript, said.user("hello").text());
  await Deno.remove(`${on.home}/.sage/state`, { recursive: true });
  assert.equal(await told(), undefined);
});

testHook(
  "what a first prompt was told is not told again where the session is resumed",
  async () => {
    const on = place();
    await sage(["init"], { home: on.home, cwd: on.cwd });
    await sage(["todo", "add", "Measure the cache"], { home: on.home, cwd: on.cwd });
    const ask = JSON.stringify(payload(on, "user-prompt-submit", { prompt: "hello" }));
    const { reply } = await runHook("user-prompt-submit", ask, { home: on.home });
    assert.match(JSON.stringify(reply), /Measure the cache/);
    const resume = JSON.stringify(payload(on, "session-start", { source: "resume" }));
    const resumed = (await runHook("session-start", resume, { home: on.home })).reply ?? {};
    assert.doesNotMatch(JSON.stringify(resumed), /Measure the cache/);
  },
);

testHook(
  "what is recalled for a first prompt is whole, beside all that a session is told",
  async () => {
    const on = place();
    await sage(["init"], { home: on.home, cwd: on.cwd });
    const settings =
      "budget:\n  orientation_tokens: 2000\n  surfacing_tokens: 4000\nretrieval:\n  max_items: 50\n";
    await Deno.writeTextFile(`${on.home}/.sage/tuning.yaml`, settings);
    const note = (id: string, front: string, text: string): void => {
      const head = `---\nid: ${id}\ntype: knowledge\n${front}---`;
      put(`${on.cwd}/.sage/knowledge/${id}.md`, `${head}\n\n# ${text}\n`);
    };
    for (let n = 0; n < 60; n++) {
      const title = `The gate of hall ${n} is locked at night, and who is late calls the porter`;
      note(`gate-${n}`, "pinned: true\n", `${title}\n\nYes.`);
    }
    // Nine of them alone fill an answer.
    for (let n = 0; n < 60; n++) {
      const text = `The importer of plant ${n} stalls on large files, as it collects all rows. `
        .repeat(13);
      note(`importer-${n}`, "", `The importer of plant ${n}\n\n${text}`);
    }
    await sage(["admin", "rebuild"], { home: on.home, cwd: on.cwd });
    const prompt = "Why does the importer of the plant stall on large files?";
    const ask = JSON.stringify(payload(on, "user-prompt-submit", { prompt }));
    const { reply } = await runHook("user-prompt-submit", ask, { home: on.home });
    const own = reply?.hookSpecificOutput as { additionalContext?: string } | undefined;
    const told = own?.additionalContext ?? "";
    assert.match(told, /hall \d+[^]*Knowledge recalled/);
    assert.match(told, /<\/recalled \w+>\s*$/, told);
  },
);

testHook("what stands between private tags of a prompt brings no note", async () => {
  const on = place();
  await sage(["init"], { home: on.home, cwd: on.cwd });
  const text = "The importer stalls on large files, because it collects all rows before it writes.";
  const add = ["knowledge", "add", "-", "--title", "The importer stalls"];
  await sage(add, { home: on.home, cwd: on.cwd, stdin: text });
  const ask = async (prompt: string): Promise<string> => {
    const told = JSON.stringify(payload(on, "user-prompt-submit", { prompt }));
    return JSON.stringify((await runHook("user-prompt-submit", told, { home: on.home })).reply);
  };
  const question = "why does the importer stall on large files";
  const other = "Write a limerick about the weather of Lisbon in April, please.";
  assert.doesNotMatch(await ask(`${other} <private>${question}</private>`), /recalled/i);
  assert.match(await ask(`${question}?`), /Knowledge recalled/);
});

testHook("a short question is asked behind a prompt that it goes on from", async () => {
  const on = place();
  await sage(["init"], { home: on.home, cwd: on.cwd });
  const add = async (title: string, text: string) =>
    await sage(["knowledge", "add", "-", "--title", title], {
      home: on.home,
      cwd: on.cwd,
      stdin: text,
    });
  await add("Deploying to staging", "Any green branch may be deployed there.");
  await add(
    "Deploying to production",
    "Deploy by a tag that two people approve, not from a branch.",
  );
  const ask = async (prompt: string): Promise<string> => {
    const told = JSON.stringify(payload(on, "user-prompt-submit", { prompt }));
    return JSON.stringify((await runHook("user-prompt-submit", told, { home: on.home })).reply) ??
      "";
  };
  assert.doesNotMatch(await ask("and for production?"), /Knowledge recalled/);
  assert.match(await ask("how do I deploy my branch to staging?"), /Deploying to staging/);
  assert.match(await ask("and for production?"), /Deploying to production/);
});
