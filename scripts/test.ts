/** Runs every test and closes with one plain line that any reader of logs understands. */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
const args = Deno.args.length > 0 ? Deno.args : ["tests/"];
// Whatever a test leaves behind, also one that was killed, goes with this folder.
const scratch = Deno.makeTempDirSync({ prefix: "sage-tests-" });
// Some tests run the program as another user.
Deno.chmodSync(scratch, 0o755);
const sweep = (): void => Deno.removeSync(scratch, { recursive: true });
Deno.addSignalListener("SIGINT", () => {
  sweep();
  Deno.exit(130);
});
const child = new Deno.Command(Deno.execPath(), {
  args: ["test", "--allow-all", "--parallel", ...args],
  cwd: new URL("..", import.meta.url).pathname,
  env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? "2", NO_COLOR: "1", TMPDIR: scratch },
  stdout: "piped",
  stderr: "inherit",
}).spawn();

const decoder = new TextDecoder();
let tail = "";
for await (const chunk of child.stdout) {
  await Deno.stdout.write(chunk);
  tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4000);
}
const { code } = await child.status;
sweep();
const summary = /\| (\d+) passed.*?\| (\d+) failed(?:.*?\| (\d+) ignored)?/s.exec(
  tail.slice(tail.lastIndexOf("| ") - 200),
);
const [passed, failed, ignored] = [summary?.[1] ?? "0", summary?.[2] ?? "1", summary?.[3]];
console.log(
  `\n${passed} passed, ${failed} failed${ignored === undefined ? "" : `, ${ignored} skipped`}`,
);
Deno.exit(code);
