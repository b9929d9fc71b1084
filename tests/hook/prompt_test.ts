/** A prompt of a session that nobody registered: it begins with it, or goes on after its state was deleted. */
import assert from "node:assert/strict";
import { sage } from "../support/sage.ts";
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
