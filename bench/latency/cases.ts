/** What is measured, and what it should cost. */
import { prose } from "./prose.ts";
import type { World, Worlds } from "./worlds.ts";

export interface Case {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly stdin: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** × the empty program's wall time and peak memory. */
  readonly target?: number;
  readonly memoryTarget?: number;
  /** Takes back what the run before left behind. */
  readonly before?: () => Promise<void>;
}

export function makeCases(worlds: Worlds): Case[] {
  const { notes200, chunks1k, chunks10k, sage, empty } = worlds;
  const base = (world: World) => ({
    command: sage,
    stdin: "",
    cwd: world.project,
    env: { HOME: world.home },
  });
  const hook = (world: World, event: string, fields: Record<string, unknown>, file = "small") => ({
    ...base(world),
    args: ["hook", event],
    stdin: JSON.stringify({
      session_id: "bench",
      transcript_path: `${world.home}/.claude/projects/p/${file}.jsonl`,
      cwd: world.project,
      ...fields,
    }),
    before: () => beginAnew(world),
  });
  const search = (world: World) => ({ ...base(world), args: ["search", prose(170, 6), "--json"] });
  const memoryTarget = 1.2;
  return [
    { name: "empty", command: empty, args: [], stdin: "", cwd: notes200.project, env: {} },
    { name: "--version", ...base(notes200), args: ["--version"] },
    {
      name: "hook unknown event",
      ...hook(notes200, "notification", {}),
      target: 1.15,
      memoryTarget,
    },
    {
      name: "hook prompt, gate",
      ...hook(notes200, "user-prompt-submit", { prompt: "thanks, looks good" }),
      target: 1.15,
      memoryTarget,
    },
    {
      name: "hook stop, nothing new",
      ...hook(
        notes200,
        "stop",
        { stop_hook_active: true, last_assistant_message: "Done." },
        "none",
      ),
      target: 1.15,
      memoryTarget,
    },
    {
      name: "hook session-start, 200 notes",
      ...hook(notes200, "session-start", { source: "startup" }),
      target: 1.4,
      memoryTarget,
    },
    {
      name: "hook stop, 10 MB transcript",
      ...hook(
        notes200,
        "stop",
        { stop_hook_active: false, last_assistant_message: "Done." },
        "large",
      ),
      target: 1.5,
      memoryTarget,
    },
    {
      name: "hook prompt, searches 10,000 chunks",
      ...hook(chunks10k, "user-prompt-submit", { prompt: `How did we ${prose(170, 8)}?` }),
      target: 1.4,
      memoryTarget,
    },
    { name: "search, 1,000 chunks", ...search(chunks1k), target: 1.35 },
    { name: "search, 10,000 chunks", ...search(chunks10k), target: 1.5, memoryTarget: 1.5 },
  ];
}

/** A session that began and was told what it should know; what a run adds to it is taken back. */
async function beginAnew({ home }: World): Promise<void> {
  const folder = `${home}/.sage/state/instances`;
  await Deno.mkdir(folder, { recursive: true });
  const state = {
    session: "bench",
    project: "bench",
    cwd: "/",
    started: Date.now(),
    seen: Date.now(),
    topic: "bench",
  };
  await Deno.writeTextFile(`${folder}/bench.json`, JSON.stringify(state));
}
