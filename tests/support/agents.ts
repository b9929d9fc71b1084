/**
 * The real programs of the agents besides Claude Code, for one prompt without a person: where each comes
 * from, and what it needs to ask a model on this machine instead of its maker's.
 */
import { type NpmProgram, npmProgram } from "./npm_program.ts";
import { run, until } from "./within.ts";

/** A first start unpacks what the program brings along, and downloads a model's list in vain. */
const TURN_MS_MAX = 240_000;

export interface Agent {
  /** As `sage install` calls its editor. */
  readonly editor: string;
  /** Undefined where its maker builds none for this machine. */
  readonly npm: NpmProgram | undefined;
  /** Writes its settings below `home`, for a model at `address`. */
  settings(home: string, address: string): readonly { path: string; text: string }[];
  readonly args: (prompt: string) => string[];
  env(address: string): Record<string, string>;
  /** The package holds a script for Node, and no program. */
  readonly script?: true;
}

const { os, arch } = Deno.build;
const CPU = arch === "aarch64" ? "arm64" : "x64";
const VENDOR = `${arch}-unknown-linux-musl`;

/** Versions are pinned, so that a run says the same on every machine; raised by hand. */
export const AGENTS: readonly Agent[] = [
  {
    editor: "codex",
    npm: os !== "linux" ? undefined : {
      name: "@openai/codex",
      version: `0.171.0-linux-${CPU}`,
      path: `vendor/${VENDOR}/bin/codex`,
    },
    settings: (home, address) => [{
      path: `${home}/.codex/config.toml`,
      text: `model = "m"\nmodel_provider = "scripted"\n\n[model_providers.scripted]\n` +
        `name = "scripted"\nbase_url = "${address}/v1"\nwire_api = "responses"\n`,
    }],
    // A person is asked once, at a terminal.
    args: (prompt) => ["exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check", prompt],
    env: () => ({}),
  },
  {
    editor: "gemini",
    npm: { name: "@google/gemini-cli", version: "0.61.0", path: "bundle/gemini.js" },
    script: true,
    settings: (home) => [{
      path: `${home}/.gemini/settings.json`,
      text: `{\n  "security": { "auth": { "selectedType": "gemini-api-key" } }\n}\n`,
    }],
    args: (prompt) => ["-m", "gemini-2.5-flash", "-p", prompt],
    env: (address) => ({
      GEMINI_API_KEY: "none",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GOOGLE_GEMINI_BASE_URL: address,
    }),
  },
  {
    editor: "opencode",
    npm: os !== "linux" ? undefined : {
      name: `opencode-linux-${CPU}${CPU === "x64" ? "-baseline" : ""}`,
      version: "1.18.33",
      path: "bin/opencode",
    },
    settings: (home, address) => [{
      path: `${home}/.config/opencode/opencode.json`,
      text: JSON.stringify({
        // Without it opencode writes it.
        $schema: "https://opencode.ai/config.json",
        model: "scripted/m",
        small_model: "scripted/m",
        autoupdate: false,
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${address}/v1`, apiKey: "none" },
            models: { m: { name: "m", limit: { context: 100_000, output: 8_000 } } },
          },
        },
      }),
    }],
    args: (prompt) => ["run", prompt],
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  },
  {
    // Copilot CLI runs the hooks that are VS Code's.
    editor: "vscode",
    npm: { name: `@github/copilot-${os}-${CPU}`, version: "1.0.102", path: "copilot" },
    settings: () => [],
    args: (prompt) => ["-p", prompt, "--allow-all-tools"],
    env: (address) => ({
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_MODEL: "m",
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${address}/v1`,
    }),
  },
];

/** How to start it here, or in `missing` why it cannot be. */
export async function startOf(
  { npm, script }: Agent,
): Promise<{ readonly command: readonly string[] } | { readonly missing: string }> {
  if (npm === undefined) return { missing: "there is none for this system" };
  const found = await npmProgram(npm);
  if ("missing" in found) return found;
  return { command: script === true ? ["node", found.at] : [found.at] };
}

interface Where {
  readonly home: string;
  readonly cwd: string;
  readonly address: string;
}

/** One prompt, as somebody who lives in `home` and in nothing else; what the program printed. */
export async function prompted(
  agent: Agent,
  command: readonly string[],
  prompt: string,
  where: Where,
): Promise<{ readonly code: number; readonly out: string }> {
  const [program = "", ...before] = command;
  const { code, stdout, stderr } = await run(program, {
    args: [...before, ...agent.args(prompt)],
    ...surroundings(agent, where),
    msMax: TURN_MS_MAX,
  });
  return { code, out: stdout + stderr };
}

/** One prompt, in the middle of which the program and what it started are killed, once `isTime`. */
export async function killedAt(
  agent: Agent,
  command: readonly string[],
  prompt: string,
  where: Where,
  isTime: () => boolean,
): Promise<void> {
  const [program = "", ...before] = command;
  const child = new Deno.Command(program, {
    args: [...before, ...agent.args(prompt)],
    ...surroundings(agent, where),
    stdin: "null",
    stdout: "null",
    stderr: "null",
    // A group of its own: some start themselves once more.
    detached: true,
  }).spawn();
  try {
    await until(`the time to kill ${program}`, isTime, TURN_MS_MAX);
  } finally {
    Deno.kill(-child.pid, "SIGKILL");
    await child.status;
  }
}

function surroundings(agent: Agent, { home, cwd, address }: Where): Deno.CommandOptions {
  const env = {
    HOME: home,
    PATH: Deno.env.get("PATH") ?? "",
    NO_COLOR: "1",
    TMPDIR: home,
    ...agent.env(address),
  };
  return { cwd, clearEnv: true, env };
}
