/**
 * What a key of the phrase tables is worth: every bench of detection once as it is and once with the tables
 * read without the key, in all languages, and the lines in which they differ. `deno run -A
 * bench/detection/ablate.ts KEY… [--tests]`; with `--tests` also the tests that fail without it.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { relative } from "node:path";
import { ASSET_FILES } from "../../src/base/assets.ts";

const WITHOUT = "SAGE_ABLATED_KEY";
const ROOT = `${import.meta.dirname}/../..`;
const BENCHES = [
  ["run.ts", "--quiet"],
  ["long.ts", "--misses"],
  ["languages.ts", "--test"],
  ["east_asian.ts", "--test"],
].map(([file, ...args]) => ["run", "-A", "--no-check", `bench/detection/${file}`, ...args]);
const TESTS = ["test", "-A", "--no-check", "--reporter=dot", "tests/detect"];

const ablated = Deno.env.get(WITHOUT);
if (ablated === undefined) await compare();
else leaveOut(ablated);

async function compare(): Promise<void> {
  const keys = Deno.args.filter((arg) => !arg.startsWith("-"));
  const commands = Deno.args.includes("--tests") ? [...BENCHES, TESTS] : BENCHES;
  for (const [command = "", ...args] of commands) {
    const whole = new Set(await linesOf([command, ...args]));
    for (const key of keys) {
      const lines = await linesOf([command, `--preload=${import.meta.filename}`, ...args], key);
      const said = [
        ...whole.difference(new Set(lines)),
      ].map((line) => `- ${line}`).concat(
        [...new Set(lines).difference(whole)].map((line) => `+ ${line}`),
      );
      console.log([`${key}: ${args.find((arg) => !arg.startsWith("-"))}`, ...said].join("\n  "));
    }
  }
}

async function linesOf(args: readonly string[], key?: string): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...(key === undefined ? {} : { [WITHOUT]: key }) },
    stderr: "null",
  }).output();
  // How long a test took is no difference.
  return new TextDecoder().decode(stdout).replaceAll(/ \(\d[\d.]*m?s\)/g, "").split("\n");
}

/** Before anything reads a table: in its place there is a copy without the lines of the key. */
function leaveOut(key: string): void {
  const folder = Deno.makeTempDirSync({ prefix: "sage-ablated-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  for (const [name, file] of Object.entries(ASSET_FILES)) {
    if (!file.startsWith("src/detect/phrases/")) continue;
    const copy = `${folder}/${name}`;
    let isLeftOut = false;
    const lines = Deno.readTextFileSync(`${ROOT}/${file}`).split("\n").filter((line) => {
      if (/^[^#\t]+\t/.test(line)) isLeftOut = line.startsWith(`${key}\t`);
      return !isLeftOut;
    });
    Deno.writeTextFileSync(copy, lines.join("\n"));
    Object.assign(ASSET_FILES, { [name]: relative(ROOT, copy) });
  }
}
