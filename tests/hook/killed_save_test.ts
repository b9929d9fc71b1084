/**
 * A save that is killed half-way, at many moments of one stop of the built program: whatever was written
 * by then, the next stop leaves one whole checkpoint.
 */
import assert from "node:assert/strict";
import { depth } from "../support/depth.ts";
import { filesIn } from "../support/temp_store.ts";
import { BINARY, converse, payload, type Place, place, runHook, testHook } from "./process.ts";
import { killAfter } from "../support/kill_after.ts";

const KILLS = depth(8, 32);

testHook("a save that was killed is made by the next stop, whole and once", async () => {
  const first = ready();
  const whole = await runHook("stop", told(first), { home: first.home });
  assert.equal(checkpoints(first).length, 1);
  let halfWay = 0;
  for (let n = 1; n <= KILLS; n++) {
    const on = ready();
    await stopUntil(whole.milliseconds * n / KILLS, on);
    const left = checkpoints(on);
    await runHook("stop", told(on), { home: on.home });
    const found = checkpoints(on);
    assert.equal(found.length, 1, `kill ${n}, which left ${left.length}: ${found.join()}`);
    const text = await Deno.readTextFile(`${on.home}/.sage/checkpoints/${found[0]}`);
    assert.match(text, /^---\n[^]*\ntrigger: synthesis\n[^]*\n## Thesis\n\n\S[^]*\n$/, `kill ${n}`);
    if (left.length === 0) halfWay++;
  }
  assert.ok(halfWay > 0, "no kill came before the save was done");
});

/** A home in which a stop saves, quietly. */
function ready(): Place {
  const on = place();
  Deno.mkdirSync(`${on.home}/.sage/state`, { recursive: true });
  Deno.writeTextFileSync(`${on.home}/.sage/tuning.yaml`, "detection:\n  mode: silent\n");
  converse(on, "findings that come together");
  return on;
}

function told(on: Place): string {
  return JSON.stringify(payload(on, "stop", { last_assistant_message: undefined }));
}

async function stopUntil(milliseconds: number, on: Place): Promise<void> {
  const child = new Deno.Command(BINARY, {
    args: ["hook", "stop"],
    env: { HOME: on.home },
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(told(on))).then(() => writer.close()).catch(() => {});
  const spare = killAfter(child, milliseconds);
  await child.status;
  spare();
}

function checkpoints({ home }: Place): string[] {
  try {
    return filesIn(`${home}/.sage/checkpoints`).filter((name) => name.endsWith(".md"));
  } catch {
    return [];
  }
}
