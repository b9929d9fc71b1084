/**
 * The server that a session has begun with opens, while nobody asks, what the first prompt would wait
 * for; and does nothing of it where no session has begun. It writes nothing.
 */
import assert from "node:assert/strict";
import { sage } from "../support/sage.ts";
import { filesIn } from "../support/temp_store.ts";
import { pause, payload, type Place, place, runHook, testHook } from "./process.ts";
import { serve } from "./server.ts";
import { until } from "../support/within.ts";

/** Which files a process holds open can be read here. */
const isLinux = Deno.build.os === "linux";

testHook(
  "a server opens the index before the session's first prompt, and writes nothing",
  async () => {
    const on = await ready();
    await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
    await using server = await serve(on);
    const before = bytesOf(on);
    await until("the index is opened", () => holdsIndex(server.pid));
    await pause(300);
    assert.deepEqual(bytesOf(on), before);
  },
  isLinux,
);

testHook("a server that no session has begun with opens nothing", async () => {
  const on = await ready();
  await using server = await serve(on);
  await pause(2000);
  assert.equal(holdsIndex(server.pid), false);
}, isLinux);

testHook("a server in an excluded project opens nothing of it", async () => {
  const on = await ready();
  await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
  await Deno.writeTextFile(`${on.home}/.sage/.sageignore`, `${on.cwd}\n`);
  await using server = await serve(on);
  await pause(2000);
  assert.equal(holdsIndex(server.pid), false);
}, isLinux);

async function ready(): Promise<Place> {
  const on = place();
  await sage(["init"], on);
  const text = "We chose SQLite for the offline notes: nothing else comes along with it.";
  await sage(["knowledge", "add", "-", "--title", "Offline notes"], { ...on, stdin: text });
  return on;
}

function holdsIndex(pid: number): boolean {
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].some(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/${pid}/fd/${name}`).includes("/state/index/");
    } catch {
      // Closed meanwhile.
      return false;
    }
  });
}

function bytesOf({ home, cwd }: Place): Record<string, string> {
  return Object.fromEntries(
    [home, cwd].flatMap((folder) =>
      filesIn(folder).filter((name) => !/\.sock$|\/lives\//.test(name)).map((name) => {
        const path = `${folder}/${name}`;
        return [path, `${Deno.statSync(path).size} ${Deno.statSync(path).mtime?.getTime()}`];
      })
    ),
  );
}
