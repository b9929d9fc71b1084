/**
 * A program from the npm registry, downloaded for this machine into deno's cache, once for each machine. The
 * version is exact, so that every run sees the same.
 */
import { alone } from "./alone.ts";
import { tempDir } from "./temp_store.ts";
import { run } from "./within.ts";

/** For some 170 MB. */
const FETCH_MS_MAX = 300_000;

export interface NpmProgram {
  /** The package of this machine's build. */
  readonly name: string;
  readonly version: string;
  /** The program in it, without what Windows adds. */
  readonly path: string;
}

/** Its path, or in `missing` the reason why there is none. */
export async function npmProgram(
  program: NpmProgram,
): Promise<{ readonly at: string } | { readonly missing: string }> {
  const failure = await alone(program.name.replaceAll("/", "-"), () => fetched(program));
  if (failure !== undefined) return { missing: failure };
  const at = await cached(program);
  return at === undefined ? { missing: "not in deno's cache" } : { at };
}

/** Why it could not be had; undefined when it is there. */
async function fetched({ name, version }: NpmProgram): Promise<string | undefined> {
  const flags = ["--quiet", "--no-lock", "--no-config", "--node-modules-dir=none"];
  const { code, stderr } = await deno(["cache", ...flags, `npm:${name}@${version}`]);
  return code === 0 ? undefined : stderr.trim().split("\n")[0] ?? "";
}

/** Below the folder of whichever registry it came from. */
async function cached({ name, version, path }: NpmProgram): Promise<string | undefined> {
  const { npmCache } = JSON.parse((await deno(["info", "--json"])).stdout);
  const file = path + (Deno.build.os === "windows" ? ".exe" : "");
  for await (const registry of Deno.readDir(npmCache)) {
    const at = `${npmCache}/${registry.name}/${name}/${version}/${file}`;
    if (await Deno.stat(at).then(() => true, () => false)) return at;
  }
  return undefined;
}

async function deno(args: string[]) {
  // As the task "setup" does: the registry may use a certificate that only this machine knows.
  const env = { DENO_TLS_CA_STORE: "system,mozilla", NO_COLOR: "1" };
  return await run(Deno.execPath(), { args, env, cwd: tempDir(), msMax: FETCH_MS_MAX });
}
