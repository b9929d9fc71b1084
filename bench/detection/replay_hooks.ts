/**
 * Plays labelled conversations through the built program's installed hooks and prints what somebody
 * would find the next day: asks, checkpoints, the session's note. `deno run -A bench/detection/replay_hooks.ts
 * NAME…`; a name may be a part of one. Nobody answers the asks, so every checkpoint is Sage's own.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { closeWorld, openWorld, runCommand } from "../../tests/journey/world.ts";
import type { Conversation } from "./conversation.ts";
import { DEVELOPMENT, EAST_ASIAN } from "./sets.ts";
import { repliesBefore } from "./tell.ts";

const BINARY = new URL("../../dist/sage", import.meta.url).pathname;

for (const conversation of [...DEVELOPMENT, ...EAST_ASIAN.development]) {
  if (Deno.args.some((name) => conversation.name.includes(name))) await read(conversation);
}

async function read({ name, steps }: Conversation): Promise<void> {
  const world = openWorld(BINARY);
  const { editor } = world;
  try {
    await runCommand(world, "sage init", undefined);
    await runCommand(world, "sage install claude-code", undefined);
    // Conversations of a day are replayed in seconds.
    for (const key of ["ask_minutes", "cooldown_seconds"]) {
      await runCommand(world, `sage config set detection.${key} 0`, undefined);
    }
    console.log(`\n######## ${name}`);
    await editor.run(["start"]);
    for (const [turn, step] of steps.entries()) {
      await editor.run(["prompt", step.prompt]);
      for (const { text, tools } of repliesBefore(step, world.cwd)) editor.add(text, tools);
      const said = await editor.run(["reply", step.answer]);
      if (said === "(silent)") continue;
      console.log(`turn ${turn + 1}${step.label === undefined ? "" : ` [${step.label}]`}: ${said}`);
      await editor.run(["reply", "Saved."]);
    }
    await editor.run(["exit"]);
    for (const kind of ["checkpoints", "sessions"]) {
      const folder = `${world.cwd}/.sage/${kind}`;
      // Without checkpoints there is no folder.
      await Deno.mkdir(folder, { recursive: true });
      const files = (await Array.fromAsync(Deno.readDir(folder))).map((file) => file.name);
      for (const file of files.filter((name) => name.endsWith(".md")).sort()) {
        console.log(`\n---- ${kind}/${file}\n${await Deno.readTextFile(`${folder}/${file}`)}`);
      }
    }
  } finally {
    await closeWorld(world);
  }
}
