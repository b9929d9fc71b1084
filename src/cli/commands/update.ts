/** `sage update`: a newer program in the place of this one. Nothing looks for one unless this is run. */
import { dataName } from "../../base/assets.ts";
import { buildInfo } from "../../base/build_info.ts";
import { SageError } from "../../base/errors.ts";
import { native } from "../../base/path.ts";
import { update, type UpdateOutcome } from "../../memory/release/update.ts";
import type { Answer } from "../terminal/answer.ts";
import { defineCommand } from "../command.ts";
import { progress } from "../terminal/progress.ts";
import { withMemory } from "../with_memory.ts";

export const command = defineCommand({
  options: { check: { type: "boolean", summary: "say whether there is one, and change nothing" } },
  details:
    "Looks for a newer release at update.url, only when you run it. The download must be signed with a key that is built in; an older release is refused. Until the last step, and after any failure, this program is untouched. Sage may not start processes, so it cannot test the new one: the old one stays beside it as sage.previous until the next sage update.",
  examples: ["sage update --check", "sage update"],
  connects: "release",
  run(input, io) {
    const { binary } = io;
    if (buildInfo === undefined || binary === undefined) {
      throw new SageError("usage", "Cannot update the sources: there is no program to replace", {
        hint: "git pull, then deno task build",
      });
    }
    const { version, target } = buildInfo;
    return withMemory(
      input,
      io,
      async (memory): Promise<Answer> => {
        const outcome = await update(memory, {
          program: memory.fs.realPath(binary),
          version,
          target,
          data: dataName(),
          checkOnly: input.options.check,
          onProgress: (share) => progress(io).say(`Fetching, ${Math.floor(share * 100)} %`),
        });
        return { json: { ...outcome }, ...told(outcome, binary) };
      },
      // The server of the releases is left.
      { confine: () => false },
    );
  },
});

/** As the shell that people have there knows it; its `mv` replaces nothing. */
const MOVE = Deno.build.os === "windows" ? "Move-Item -Force" : "mv";

function told(outcome: UpdateOutcome, program: string): Pick<Answer, "text" | "notices"> {
  switch (outcome.kind) {
    case "current":
      return {
        text: [`${outcome.version} is the newest.`],
        notices: outcome.removed === undefined ? [] : [`  removed ${outcome.removed}`],
      };
    case "available":
      return {
        text: [`${outcome.next} is there; this is ${outcome.version}.`],
        notices: ["  sage update installs it"],
      };
    case "updated":
      return {
        text: [`Updated ${outcome.previous_version} to ${outcome.version}: ${program}`],
        notices: [
          "  sage --version says whether it runs; if it does not:",
          `  ${MOVE} "${native(outcome.previous)}" "${native(program)}"`,
          "  Editors that run keep the old one until they are started again.",
        ],
      };
  }
}
