/** The packed program's worker: many texts for a pulled model are embedded in threads of their own. */
import assert from "node:assert/strict";
import { TINY, writeBert } from "../support/bert_model.ts";
import { binary, hasBinary, type SageOptions, scratch } from "../support/sage.ts";
import { canTrace } from "../support/strace.ts";
import { run } from "../support/within.ts";

Deno.test({
  name: "the built program embeds many texts with workers that read what is packed in it",
  ignore: !hasBinary || !canTrace() || navigator.hardwareConcurrency < 2,
  async fn() {
    const place = scratch();
    assert.equal((await binary(["init"], place)).code, 0);
    const folder = `${place.cwd}/.sage/knowledge`;
    await Deno.mkdir(folder, { recursive: true });
    for (let i = 0; i < 60; i++) {
      await Deno.writeTextFile(
        `${folder}/n${i}.md`,
        `# Note ${i}\n\nIt says ${"word ".repeat(i)}.\n`,
      );
    }
    writeBert(`${place.cwd}/tiny`, TINY);
    assert.equal((await binary(["model", "pull", "./tiny"], place)).code, 0);
    const alone = await opens(place, ["--version"]);
    // Each worker opens the executable for itself.
    assert.ok(await opens(place, ["model", "use", "tiny"]) >= alone + WORKERS);
    const { stdout } = await binary(["status", "--verbose"], place);
    assert.match(stdout, /^index .* model tiny@/m);
    await Deno.remove(place.home, { recursive: true });
  },
});

/** There is work for at most four, and a core for each. */
const WORKERS = Math.min(4, navigator.hardwareConcurrency);

/** How often a call opens the executable. */
async function opens({ home, cwd }: SageOptions, args: readonly string[]): Promise<number> {
  const log = `${home}/strace.txt`;
  const { code, stderr } = await run("strace", {
    args: ["-f", "-o", log, "-e", "trace=openat", BINARY, ...args],
    ...(cwd === undefined ? {} : { cwd }),
    env: { HOME: home },
    clearEnv: true,
  });
  assert.equal(code, 0, stderr);
  const lines = (await Deno.readTextFile(log)).split("\n");
  return lines.filter((line) => line.includes(`"${BINARY}"`) && !line.includes("= -1")).length;
}

const BINARY = new URL("../../dist/sage", import.meta.url).pathname;
