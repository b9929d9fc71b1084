/**
 * The official conformance suite and the inspector's command line, from the npm registry and pinned in
 * official/. They are large and serve this test alone, so they are installed when it first runs, into
 * dist/.cache; without a network they are missing, and the tests that need them say so.
 */
import { run } from "../support/within.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const PINNED = `${ROOT}tests/mcp/official/`;
const FOLDER = `${ROOT}dist/.cache/mcp-official/`;
const PACKAGES = `${FOLDER}node_modules/@modelcontextprotocol/`;

/** Each a program and its first arguments. */
export interface OfficialTools {
  readonly conformance: readonly string[];
  /** By Node, which it is made for: under Deno it prints its answer over HTTP and does not end. */
  readonly inspector: readonly string[];
}

/** For a registry that answers slowly, or not at all. */
const INSTALL_MS_MAX = 180_000;

/** Undefined where they cannot be installed. */
export async function officialTools(): Promise<OfficialTools | undefined> {
  await Deno.mkdir(FOLDER, { recursive: true });
  for (const name of ["deno.json", "deno.lock"]) await Deno.copyFile(PINNED + name, FOLDER + name);
  const { code, stderr } = await run(Deno.execPath(), {
    args: ["install", "--frozen", "--quiet"],
    cwd: FOLDER,
    msMax: INSTALL_MS_MAX,
    // As the task "setup" does it: the registry may be behind a certificate that only the machine knows.
    env: { DENO_TLS_CA_STORE: "system,mozilla" },
  }).catch((error: Error) => ({ code: 1, stderr: error.message }));
  if (code !== 0) {
    const [why = ""] = stderr.split("\n");
    await Deno.stderr.write(
      new TextEncoder().encode(`the official MCP tools are missing: ${why}\n`),
    );
    return undefined;
  }
  const deno = [Deno.execPath(), "run", "-A", "--no-check", "--config", `${FOLDER}deno.json`];
  return {
    conformance: [...deno, `${PACKAGES}conformance/dist/index.js`],
    inspector: ["node", `${PACKAGES}inspector/clients/launcher/build/index.js`, "--cli"],
  };
}

/** Runs one of them. */
export async function runTool(
  [program = "", ...args]: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return await run(program, {
    args,
    cwd: options.cwd,
    env: { NO_COLOR: "1", ...options.env },
  });
}

export interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** What a scenario of the suite found. */
export async function checksOf(
  { conformance }: OfficialTools,
  scenario: string,
  revision: string,
  url: string,
  folder: string,
): Promise<Check[]> {
  const results = `${folder}/${scenario}-${revision}`;
  const { stdout, stderr } = await runTool([
    ...conformance,
    ...["server", "--url", url, "--scenario", scenario, "--spec-version", revision],
    ...["--output-dir", results],
  ], { cwd: folder });
  for await (const path of walk(results)) {
    if (path.endsWith("/checks.json")) return JSON.parse(await Deno.readTextFile(path));
  }
  throw new Error(`${scenario}: no result\n${stdout}\n${stderr}`);
}

async function* walk(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* walk(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}
