/**
 * Plays the training runs twice with a build that reports what it loads: first with all modules in one
 * pack, to see which modules each call loads; then, packed accordingly, to collect V8's bytecode, which
 * accumulates from run to run.
 */
import type { Module } from "./modules.ts";
import {
  groupModules,
  HOOK_USERS,
  numberOf,
  type Pack,
  type Run,
  scriptOf,
  tableOf,
} from "./packs.ts";
import { type Call, practice } from "./practice.ts";
import { socketPath } from "../../src/memory/session/handover.ts";

/** The packs of the program. `trainer` is trainer.ts, compiled with the flags of the shipped program. */
export async function train(
  trainer: string,
  modules: readonly Module[],
  main: string,
  stage: string,
): Promise<Pack[]> {
  const entry = numberOf(main, modules);
  const runs: Run[] = [];
  const whole = await lay(stage + "seen/", [[...modules.keys()]], modules, entry);
  const counts: number[] = [];
  await play(trainer, whole, async ({ args, weight = 1 }) => {
    const loaded = JSON.parse(await Deno.readTextFile(whole + "loaded.json")) as number[];
    runs.push({ loaded: new Set(loaded), weight });
    counts.push(args[0] === "hook" ? HOOK_USERS : 1);
  });
  const groups = groupModules(modules, runs);
  const packed = await lay(stage + "packed/", groups, modules, entry);
  await play(trainer, packed);
  return await Promise.all(groups.map(async (group, pack) => ({
    modules: group,
    source: await Deno.readFile(`${packed}${pack}.js`),
    bytecode: await Deno.readFile(`${packed}${pack}.bytecode`).catch(() => new Uint8Array()),
    users: runs.reduce(
      (sum, { loaded }, i) =>
        group.some((module) => loaded.has(module)) ? sum + (counts[i] ?? 0) : sum,
      0,
    ),
  })));
}

/** Writes packs and layout to a folder for the trainer. */
async function lay(
  folder: string,
  groups: readonly (readonly number[])[],
  modules: readonly Module[],
  entry: number,
): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  await Promise.all(
    groups.map((group, pack) => Deno.writeFile(`${folder}${pack}.js`, scriptOf(group, modules))),
  );
  const layout = { packOf: tableOf(groups), entry };
  await Deno.writeTextFile(folder + "layout.json", JSON.stringify(layout));
  return folder;
}

async function play(
  trainer: string,
  folder: string,
  after: (call: Call) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  // Outside of the repository, which Sage would take for the project.
  const scratch = await Deno.makeTempDir({ prefix: "sage-build-" });
  try {
    const { home, project, calls } = await practice(scratch);
    const env = { HOME: home, SAGE_TRAINING: folder };
    for (const call of calls) {
      const server = call.isServed === true ? await serve(trainer, project, env) : undefined;
      await run(trainer, call, project, env);
      await after(call);
      // Killed, so that it does not overwrite the report of the call.
      server?.kill("SIGKILL");
      await server?.status;
    }
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

/** How long a server may take to listen on the slowest build machine. */
const SERVER_MS_MAX = 30_000;
const SERVER_POLL_MS = 10;

/** Starts `sage mcp` and waits until hooks can find it; undefined on Windows, where they cannot. */
async function serve(
  trainer: string,
  cwd: string,
  env: Readonly<Record<"HOME" | "SAGE_TRAINING", string>>,
): Promise<Deno.ChildProcess | undefined> {
  if (Deno.build.os === "windows") return undefined;
  const socket = socketPath(`${env.HOME}/.sage/state`, Deno.pid);
  await Deno.remove(socket).catch(() => {});
  const how = { cwd, env, clearEnv: true, stdout: "null", stderr: "null" } as const;
  const server = new Deno.Command(trainer, { args: ["mcp"], ...how, stdin: "piped" }).spawn();
  for (let waited = 0; waited < SERVER_MS_MAX; waited += SERVER_POLL_MS) {
    if (await Deno.lstat(socket).then(() => true, () => false)) return server;
    await new Promise((resolve) => setTimeout(resolve, SERVER_POLL_MS));
  }
  server.kill("SIGKILL");
  throw new Error(`Practice failed: sage mcp did not listen for hooks within ${SERVER_MS_MAX} ms`);
}

async function run(
  trainer: string,
  { args, stdin = "" }: Call,
  cwd: string,
  env: Record<string, string>,
): Promise<void> {
  const child = new Deno.Command(trainer, {
    args: [...args],
    cwd,
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stderr } = await child.output();
  if (code === 0) return;
  const said = new TextDecoder().decode(stderr);
  throw new Error(`Practice failed: sage ${args.join(" ")} (exit code ${code})\n${said}`);
}
