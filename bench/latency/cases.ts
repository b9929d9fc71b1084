/** What is measured, and what it should cost. */
import { prose } from "./prose.ts";
import type { SessionServer } from "./server.ts";
import { tellAtEnd, type World, type Worlds } from "./worlds.ts";

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
  /** The server of its world, where there is one, and whether the program may find it. */
  readonly server?: SessionServer | undefined;
  readonly isServed?: boolean;
  /** Takes back what the run before left behind. */
  readonly before?: () => Promise<void>;
  /** The receipt of a run that did what the name says. */
  readonly receipt?: string;
}

/** 1.15 × for a hook that refuses, and so on: what design and reference ask for. */
const HOOK_MEMORY = 1.2;

export function makeCases(worlds: Worlds, servers: ReadonlyMap<World, SessionServer>): Case[] {
  const { notes200, edited200, chunks1k, chunks10k, notes20, notes20Model, sage, empty } = worlds;
  const base = (world: World): Pick<Case, "command" | "stdin" | "cwd" | "env"> => ({
    command: sage,
    stdin: "",
    cwd: world.project,
    env: { HOME: world.home },
  });
  const hook = (
    world: World,
    event: string,
    fields: Fields,
    file = "small",
  ): Omit<Case, "name"> => ({
    ...base(world),
    args: ["hook", event],
    stdin: JSON.stringify({
      session_id: SESSION,
      transcript_path: `${world.home}/.claude/projects/p/${file}.jsonl`,
      cwd: world.project,
      ...fields,
    }),
    memoryTarget: HOOK_MEMORY,
    server: servers.get(world),
  });
  /** Without a session's server, and with one. */
  const bothWays = (one: Case): Case[] => [
    one,
    { ...one, name: `${one.name}; the session's server does it`, isServed: true },
  ];
  const search = (world: World) => ({
    ...base(world),
    args: ["search", prose(170, 6), "--json"],
    server: servers.get(world),
  });
  // Sixteen tokens for the model of random weights, its marks included.
  const asked = (world: World) => ({ ...base(world), args: ["search", SIXTEEN, "--json"] });
  const turn = { stop_hook_active: false, last_assistant_message: "Done." };
  return [
    { name: "empty", command: empty, args: [], stdin: "", cwd: notes200.project, env: {} },
    { name: "--version", ...base(notes200), args: ["--version"] },
    { name: "hook: unknown event", ...hook(notes200, "notification", {}), target: 1.15 },
    {
      name: "hook: prompt that a gate refuses",
      ...hook(notes200, "user-prompt-submit", { prompt: "thanks, looks good" }),
      before: () => setState(notes200, {}),
      target: 1.15,
    },
    {
      name: "hook: stop with nothing new",
      ...hook(notes200, "stop", turn),
      before: () => setState(notes200, { readTo: sizeOf(notes200, "small") }),
      target: 1.15,
    },
    {
      name: "hook: session-start, 200 notes, as the last session left them",
      ...hook(notes200, "session-start", { source: "startup" }),
      before: () => endSession(notes200),
      target: 1.4,
    },
    {
      name: "hook: session-start, 200 notes, one changed since",
      ...hook(edited200, "session-start", { source: "startup" }),
      before: () => changeNote(edited200),
    },
    ...bothWays({
      name: "hook: stop on a 10 MB transcript, little since the last save",
      ...hook(notes200, "stop", turn, "large"),
      before: () => setState(notes200, afterSave(notes200)),
      target: 1.5,
    }),
    ...bothWays({
      name: "hook: stop on a 10 MB transcript that saves",
      ...hook(edited200, "stop", turn, "large"),
      before: () => sayAnew(edited200),
      receipt: '"save":"saved"',
    }),
    ...bothWays({
      name: "hook: pre-compact that saves from a conversation of 20 MB",
      ...hook(edited200, "pre-compact", { trigger: "auto" }, "long"),
      before: () => setState(edited200, {}),
      receipt: '"save":"saved"',
    }),
    ...bothWays({
      name: "hook: pre-compact that saves from a conversation as people have them",
      ...hook(edited200, "pre-compact", { trigger: "auto" }, "handwritten"),
      before: () => setState(edited200, {}),
      receipt: '"save":"saved"',
    }),
    ...bothWays({
      name: "hook: prompt that searches 10,000 chunks and finds nothing to show",
      ...hook(chunks10k, "user-prompt-submit", { prompt: UNKNOWN }),
      before: () => setState(chunks10k, {}),
      target: 1.4,
    }),
    ...bothWays({
      name: "hook: prompt of four sentences, 10,000 chunks, nothing to show",
      ...hook(chunks10k, "user-prompt-submit", { prompt: UNKNOWN_IN_FOUR }),
      before: () => setState(chunks10k, {}),
    }),
    ...bothWays({
      name: "hook: prompt that searches 10,000 chunks and shows what it found",
      ...hook(chunks10k, "user-prompt-submit", { prompt: `How did we ${prose(187, 8)}?` }),
      before: () => setState(chunks10k, {}),
      receipt: '"shown":',
    }),
    ...bothWays({ name: "search, 1,000 chunks", ...search(chunks1k), target: 1.35 }),
    ...bothWays({
      name: "search, 10,000 chunks",
      ...search(chunks10k),
      target: 1.5,
      memoryTarget: 1.5,
    }),
    { name: "search, 20 notes", ...asked(notes20) },
    { name: "search, 20 notes, a model of MiniLM's size", ...asked(notes20Model) },
  ];
}

/** The first words of a note: what random weights find, its words must. */
const SIXTEEN = `${prose(17, 4)} memory`;

/** Nothing in the world of the bench is about this. */
const UNKNOWN = "Which colour should the garden fence have next spring, and who will paint it?";
const UNKNOWN_IN_FOUR =
  `${UNKNOWN} The neighbour's dog digs under the left corner every evening. ` +
  "Lisbon has steep streets and yellow trams in summer. Should the piano be tuned before Christmas?";

type Fields = Readonly<Record<string, unknown>>;
const SESSION = "bench";

/** A session that began and was told what it should know; what a run adds to it is taken back. */
export async function setState({ home, project }: World, fields: Fields): Promise<void> {
  const state = {
    session: SESSION,
    project: "p",
    cwd: project,
    dir: project,
    started: Date.now(),
    seen: Date.now(),
    topic: "bench",
  };
  await Deno.mkdir(`${home}/.sage/state/instances`, { recursive: true });
  await Deno.writeTextFile(
    `${home}/.sage/state/instances/${SESSION}.json`,
    JSON.stringify({ ...state, ...fields }),
  );
}

/** A checkpoint was saved one exchange ago, and the living note a minute ago. */
function afterSave(world: World): Fields {
  const size = sizeOf(world, "large");
  const note = { id: "bench", path: `${world.home}/bench.md`, hash: "", scope: "user" };
  const lastSave = { at: Date.now(), turn: "", hash: "", id: "bench", offset: size - 8192 };
  return { readTo: size - 8192, lastSave, note, noteAt: Date.now() };
}

/** The same conversation in other words: what was saved once is not saved again. */
async function sayAnew(world: World): Promise<void> {
  await setState(world, {});
  tellAtEnd(world, saidAnew++);
}

let saidAnew = 1;

function sizeOf({ home }: World, transcript: string): number {
  return Deno.statSync(`${home}/.claude/projects/p/${transcript}.jsonl`).size;
}

async function endSession({ home }: World): Promise<void> {
  for (const folder of ["instances", "ended"]) {
    await Deno.remove(`${home}/.sage/state/${folder}/${SESSION}.json`).catch(() => {});
  }
}

/** As an editor does it: a new file under the same name, which invalidates what was prepared. */
async function changeNote(world: World): Promise<void> {
  await endSession(world);
  const path = `${world.project}/.sage/knowledge/note-1.md`;
  const text = await Deno.readTextFile(path);
  // With other words, so that it is embedded again.
  await Deno.writeTextFile(path + ".new", text.slice(0, -80) + prose(saidAnew++, 12).padEnd(80));
  await Deno.rename(path + ".new", path);
}
