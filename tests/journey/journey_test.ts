/**
 * Runs every journey of this folder and every page of the guide against the built program, each in a home
 * of its own, as real processes. `JOURNEY=first-use` runs one; `JOURNEY_UPDATE=1` writes what came as expectation, for a
 * person to read before it is committed.
 */
import { compare, difference, outputLines, parseJourney, renew } from "../support/journey.ts";
import { receipts } from "../support/receipts.ts";
import { closeWorld, openWorld, runCommand, type World } from "./world.ts";

const folders = {
  journey: new URL(".", import.meta.url).pathname,
  guide: new URL("../../docs/guide/", import.meta.url).pathname,
};
const binary = Deno.env.get("JOURNEY_SAGE") ??
  new URL("../../dist/sage", import.meta.url).pathname;
const only = Deno.env.get("JOURNEY");
const update = Deno.env.get("JOURNEY_UPDATE") === "1";

const pages = Object.entries(folders).flatMap(([kind, folder]) =>
  [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".md") && (only === undefined || name.startsWith(only)))
    .sort().map((name) => ({ name: `${kind} ${name.replace(/\.md$/, "")}`, path: folder + name }))
);

for (const { name, path } of pages) {
  Deno.test({
    name,
    ignore: !isFile(binary),
    // The MCP client leaves timers behind that end by themselves.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      try {
        await travel(path);
      } catch (error) {
        if (!(error instanceof Slow)) throw error;
        await travel(path);
      }
    },
  });
}

/** A hook had no time for all of its work, which it meets with silence: a machine that stood still, or a fault. */
class Slow extends Error {}
/** From here on a hook leaves out what is not read yet, so that nobody waits for it. */
const SLOW_MS = 250;

async function travel(path: string): Promise<void> {
  const journey = parseJourney(await Deno.readTextFile(path));
  const world = openWorld(binary);
  const differences: string[] = [];
  const expectations: (readonly string[])[] = [];
  let wasSlow = false;
  try {
    for (const { line, command, input, expected } of journey.steps) {
      const actual = await outputOf(world, `${path}:${line}`, command, input);
      const { matches, captured } = compare(expected, actual);
      for (const [name, value] of captured) world.variables.set(name, value);
      expectations.push(matches ? expected : renew(expected, actual));
      if (!matches) {
        differences.push(`${path}:${line}\n  $ ${command}\n${difference(expected, actual)}`);
      }
    }
    wasSlow = receipts(world.home).some(({ error, ms }) =>
      error === "timeout" || Number(ms ?? 0) > SLOW_MS
    );
  } finally {
    await closeWorld(world);
  }
  if (differences.length === 0) return;
  if (update) return await Deno.writeTextFile(path, journey.rewrite(expectations));
  throw new (wasSlow ? Slow : Error)(
    `"${journey.title}" is not what happens (- expected, + came)\n\n${
      differences.join("\n\n")
    }\n\nJOURNEY_UPDATE=1 writes what came.`,
  );
}

async function outputOf(
  world: World,
  place: string,
  command: string,
  input: string | undefined,
): Promise<string[]> {
  try {
    return outputLines(await runCommand(world, command, input));
  } catch (cause) {
    throw new Error(`${place}: cannot run "${command}": ${(cause as Error).message}`, { cause });
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
