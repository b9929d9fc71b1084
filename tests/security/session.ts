/**
 * A whole life with an editor, played through the built program: sessions with prompts, tools, stops,
 * a compaction, a kill and its recovery, and commands beside them. The tests of this folder give it
 * the words and look at what it left behind.
 */
import { Editor } from "../support/editor.ts";
import { tempDir } from "../support/temp_store.ts";
import { filesBelow, finish, SAGE } from "../crash/lived.ts";
import type { Ended } from "../support/within.ts";

/** What is said in one turn; every part may hold anything. */
export interface Turn {
  readonly prompt: string;
  readonly command: string;
  readonly result: string;
  readonly edit: string;
  readonly reply: string;
  /** What the person calls the session from then on. */
  readonly title?: string;
}

export class Scene {
  readonly home: string;
  readonly cwd: string;
  readonly editor: Editor;
  readonly #program: string;

  /** `program` is what the editor runs: the built one, or a tracer around it. */
  constructor(program: string = SAGE, base: string = tempDir()) {
    this.home = `${base}/home`;
    this.cwd = `${base}/home/project`;
    this.#program = program;
    this.editor = new Editor({ home: this.home, cwd: () => this.cwd });
  }

  async sage(args: readonly string[], stdin = ""): Promise<Ended> {
    const child = new Deno.Command(this.#program, {
      args: [...args],
      cwd: this.cwd,
      env: { HOME: this.home, PATH: "/usr/bin:/bin" },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    return await finish(child, stdin);
  }

  async must(args: readonly string[], stdin = ""): Promise<string> {
    const { code, stdout, stderr } = await this.sage(args, stdin);
    if (code !== 0) throw new Error(`sage ${args.join(" ")} ended with ${code}: ${stderr}`);
    return stdout;
  }

  async setUp(): Promise<void> {
    await Deno.mkdir(this.cwd, { recursive: true });
    await this.must(["init"]);
    await this.must(["install", "claude-code", "--binary", this.#program]);
  }

  async turn(turn: Turn): Promise<void> {
    await this.editor.run(["prompt", turn.prompt]);
    await this.editor.run(["tool", "Bash", `run ${turn.command}`, "--result", turn.result]);
    const input = { file_path: `${this.cwd}/a.ts`, old_string: "a", new_string: turn.edit };
    await this.editor.run(["tool", "Edit", JSON.stringify(input), "--fails", turn.result]);
    if (turn.title !== undefined) await this.#rename(turn.title);
    await this.editor.run(["reply", turn.reply]);
  }

  /** Of the newest session, as the client notes it. */
  async #rename(customTitle: string): Promise<void> {
    const path = filesBelow(`${this.home}/.claude/projects`).at(-1) ?? "";
    const sessionId = path.replace(/^.*\/|\.jsonl$/g, "");
    const line = JSON.stringify({ type: "custom-title", customTitle, sessionId }) + "\n";
    await Deno.writeTextFile(path, line, { append: true });
  }

  /** The turns over three sessions: one that is compacted and ends, one that is killed, one after. */
  async live(turns: readonly Turn[]): Promise<void> {
    const [first, second] = [Math.ceil(turns.length / 2), Math.ceil(turns.length * 0.9)];
    await this.editor.run(["start", "--session", "a"]);
    for (const turn of turns.slice(0, first)) await this.turn(turn);
    const summary = turns[0]?.reply ?? "";
    await this.editor.run(["compact", "auto", "--summary", summary]);
    await this.editor.run(["exit"]);
    await this.editor.run(["start", "--session", "b"]);
    for (const turn of turns.slice(first, second)) await this.turn(turn);
    await this.editor.run(["kill"]);
    await this.editor.run(["start", "--session", "c"]);
    for (const turn of turns.slice(second)) await this.turn(turn);
    await this.editor.run(["exit"]);
  }
}
