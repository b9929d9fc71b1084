/**
 * Where a journey takes place: a scratch home with a project in it, the built program, and an editor.
 * Splits a command into words and hands it to who runs it. Nothing outside the scratch is written.
 */
import { Editor } from "../support/editor.ts";
import { FILE_COMMANDS } from "./files.ts";
import { tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

/** What a shell would show of one command. */
export interface Shown {
  readonly text: string;
  readonly code: number;
}

export interface World {
  readonly root: string;
  readonly home: string;
  readonly binary: string;
  /** The folder that commands run in. */
  cwd: string;
  readonly variables: Map<string, string>;
  readonly snapshots: Map<string, ReadonlyMap<string, string>>;
  readonly editor: Editor;
  /** The absolute path of one as typed. */
  path(typed: string): string;
}

/** Stands in the transcripts for the program, wherever it was built. */
const BINARY_SHOWN = "/usr/local/bin/sage";

export function openWorld(binary: string): World {
  // Tokens are counted in them: paths of another length are others.
  const root = tempDir("sage-journey-");
  const home = `${root}/home`;
  Deno.mkdirSync(`${home}/project`, { recursive: true });
  const world: World = {
    root,
    home,
    binary,
    cwd: `${home}/project`,
    variables: new Map(),
    snapshots: new Map(),
    editor: new Editor({ home, cwd: () => world.cwd }),
    path(typed) {
      if (typed === "~" || typed.startsWith("~/")) return home + typed.slice(1);
      return typed.startsWith("/") ? typed : `${world.cwd}/${typed}`.replace(/\/\.$/, "");
    },
  };
  return world;
}

export async function closeWorld(world: World): Promise<void> {
  await world.editor.close();
  await Deno.remove(world.root, { recursive: true });
}

/** Runs one command line and answers what it printed, with the scratch's paths made plain. */
export async function runCommand(
  world: World,
  command: string,
  input: string | undefined,
): Promise<string> {
  const [name = "", ...args] = splitWords(command, world.variables);
  const { text, code } = await dispatch(world, name, args, input);
  const shown = plain(world, text);
  if (code === 0) return shown;
  return `${shown}${shown === "" || shown.endsWith("\n") ? "" : "\n"}(exit ${code})`;
}

async function dispatch(
  world: World,
  name: string,
  args: readonly string[],
  input: string | undefined,
): Promise<Shown> {
  if (name === "sage") return await runSage(world, args, input);
  if (name === "editor") return { text: await world.editor.run(args), code: 0 };
  const run = FILE_COMMANDS[name];
  if (run === undefined) throw new Error(`there is no command "${name}"`);
  return await run(world, args, input);
}

/** The built program, as a person at a shell runs it; what it says on stderr comes last. */
async function runSage(
  world: World,
  args: readonly string[],
  input: string | undefined,
): Promise<Shown> {
  const { code, stdout, stderr } = await run(world.binary, {
    args: args.map((arg) => arg.startsWith("~/") ? world.home + arg.slice(1) : arg),
    cwd: world.cwd,
    env: { HOME: world.home, PATH: "/usr/bin:/bin" },
    clearEnv: true,
    input: input ?? "",
  });
  return { text: stdout + stderr, code };
}

function plain(world: World, text: string): string {
  const encoded = (path: string): string => path.replace(/[^A-Za-z0-9]/g, "-");
  return text
    .replaceAll(world.binary, BINARY_SHOWN)
    .replaceAll(world.home, "~")
    .replaceAll(encoded(world.home), "-home-user");
}

/** Words as a shell splits them: quotes of both kinds, `\"` in the double ones, and `$name` everywhere. */
export function splitWords(line: string, variables: ReadonlyMap<string, string>): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    const name = /^\$(\w+)/.exec(line.slice(at))?.[1] ?? "";
    const value = variables.get(name);
    if (value !== undefined) {
      word = (word ?? "") + value;
      at += name.length;
    } else if (quote === '"' && character === "\\" && /["\\$]/.test(line[at + 1] ?? "")) {
      word = (word ?? "") + line[++at];
    } else if (character === quote) quote = "";
    else if (quote === "" && /["']/.test(character)) {
      quote = character;
      word ??= "";
    } else if (quote === "" && character === " ") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== "") throw new Error(`a quote ${quote} is not closed`);
  if (word !== undefined) words.push(word);
  return words;
}
