/**
 * A person's home after some days of use, and the built program in it: what the rigs of this folder
 * kill, starve and freeze. Made once with the real program; `restore` puts it back in milliseconds.
 */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { recordTrust } from "../../src/store/trust.ts";
import { tempDir } from "../support/temp_store.ts";
import { conversation, put } from "../support/world.ts";
import { type Ended, ended, run } from "../support/within.ts";

/** Another one than that of this folder, so that it can be built anew while tests run. */
export const SAGE = Deno.env.get("SAGE_TEST_BINARY") ??
  new URL("../../dist/sage", import.meta.url).pathname;

export const SESSION = "11111111-0000-4000-8000-000000000001";

const HOOKS = new URL("../fixture/claude-code/hooks/", import.meta.url);

export interface RunHow {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the program: a limit, a tracer. */
  readonly through?: readonly string[];
}

export class Lived {
  readonly base: string;
  readonly home: string;
  readonly cwd: string;
  readonly transcript: string;

  constructor(base: string) {
    this.base = base;
    this.home = `${base}/home`;
    this.cwd = `${base}/home/project`;
    this.transcript = `${this.home}/.claude/projects/-project/${SESSION}.jsonl`;
  }

  get env(): Record<string, string> {
    return { HOME: this.home, PATH: "/usr/bin:/bin" };
  }

  /** The folder of a store. */
  store(scope: "project" | "user"): string {
    return `${scope === "project" ? this.cwd : this.home}/.sage`;
  }

  /** Starts the program. */
  spawn(args: readonly string[], { env, through = [] }: RunHow = {}): Deno.ChildProcess {
    const [program = SAGE, ...rest] = [...through, SAGE, ...args];
    return new Deno.Command(program, {
      args: rest,
      cwd: this.cwd,
      env: { ...this.env, ...env },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  /** Runs it to its end. */
  async run(args: readonly string[], how: RunHow = {}): Promise<Ended> {
    return await finish(this.spawn(args, how), how.stdin);
  }

  /** As `run`; it has to succeed. */
  async must(args: readonly string[], stdin?: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, stdin === undefined ? {} : { stdin });
    assert.equal(code, 0, `sage ${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  }

  /** A captured payload, of this place. */
  payload(capture: string, fields: Readonly<Record<string, unknown>> = {}): string {
    return JSON.stringify({
      ...JSON.parse(Deno.readTextFileSync(new URL(`${capture}.json`, HOOKS))),
      session_id: SESSION,
      transcript_path: this.transcript,
      cwd: this.cwd,
      ...fields,
    });
  }

  /** Keeps what is here now for `restore`. */
  async keep(): Promise<void> {
    await shell("cp", "-a", this.home, `${this.base}/kept`);
  }

  /** Back to what was kept. Trust goes by inode, so it is given anew. */
  async restore(): Promise<void> {
    await shell("rm", "-rf", this.home);
    await shell("cp", "-a", `${this.base}/kept`, this.home);
    this.trust();
  }

  /** The project's store as it lies there now is the person's own. */
  trust(): void {
    recordTrust(realFs, `${this.home}/.sage/state`, `${this.cwd}/.sage`, "own");
  }
}

/** Gives a process its input and waits for its end. */
export async function finish(child: Deno.ChildProcess, stdin = ""): Promise<Ended> {
  return await ended("the end of the program", child, stdin);
}

export async function shell(command: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await run(command, { args });
  assert.equal(code, 0, `${command} ${args.join(" ")}: ${stderr}`);
}

/** The word that is to be forgotten; it stands in a note, its version, the index and the logs. */
export const SECRET_WORD = "peregrinefalcon";

const SETTINGS = '{\n  // mine\n  "model": "opus",\n  "hooks": {}\n}\n';
const EDITOR_STATE = '{"numStartups": 7, "mcpServers": {"other": {"command": "other"}}}';
export const TUNING = "# how I like it\nretrieval:\n  max_items: 5 # enough\n";

/** Some days of use. The folder is below `parent`, a temporary one unless given. */
export async function lived(parent: string = tempDir()): Promise<Lived> {
  const on = new Lived(parent);
  await Deno.mkdir(on.cwd, { recursive: true });
  put(`${on.home}/.claude/settings.json`, SETTINGS);
  put(`${on.home}/.claude.json`, EDITOR_STATE);
  await on.must(["init"]);
  put(`${on.home}/.sage/tuning.yaml`, TUNING);
  const add = (title: string, text: string, ...more: string[]): Promise<string> =>
    on.must(["knowledge", "add", "-", "--title", title, ...more], text);
  await add("Importer", "The importer stalls on large files, because it collects all rows.\n");
  await add("Kettle", "Tea water needs three minutes in the small kettle.\n", "--scope", "user");
  await add("Merger", `The merger has the name ${SECRET_WORD} until the end of March.\n`);
  const next = `The merger has the name ${SECRET_WORD} until the end of April.\n`;
  await add("Merger", next, "--id", "merger", "--on-conflict", "update");
  await add("Gone", "The old importer was written in another language.\n");
  await on.must(["knowledge", "rm", "gone"]);
  await on.must(["todo", "add", "Stream the rows"]);
  await on.must(["checkpoint", "save", "-m", "Batches of 1,000 rows need one connection each."]);
  put(on.transcript, conversation("It stalls.").text());
  await on.must(["hook", "session-start"], on.payload("SessionStart.startup"));
  await on.must(["hook", "stop"], on.payload("Stop"));
  const prompt = on.payload("UserPromptSubmit", { prompt: "What is the name of the merger?" });
  await on.must(["hook", "user-prompt-submit"], prompt);
  await on.keep();
  return on;
}

/** Every note that a person would see, by its path in the scratch; versions and trash are not. */
export function notesOf(on: Lived): Map<string, string> {
  const found = new Map<string, string>();
  for (const scope of ["project", "user"] as const) {
    const root = on.store(scope);
    for (const kind of ["checkpoints", "knowledge", "todos", "sessions", "topics"]) {
      for (const path of filesBelow(`${root}/${kind}`)) {
        const name = path.slice(root.length + 1);
        if (path.endsWith(".md") && !name.split("/").some((part) => part.startsWith("."))) {
          found.set(`${scope}/${name}`, Deno.readTextFileSync(path));
        }
      }
    }
  }
  return found;
}

/** Every regular file below a folder. */
export function filesBelow(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory, isFile }) =>
      isDirectory ? filesBelow(`${folder}/${name}`) : isFile ? [`${folder}/${name}`] : []
    ).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** A note that begins and ends as Sage writes them. */
export function assertWhole(text: string, context: string): void {
  assert.match(text, /^---\nid: [^\n]+\n[^]*?\n---\n[^]*\S\n$/, context);
}
