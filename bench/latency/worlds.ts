/** The scratch homes that the cases run in, and the empty program that is their floor. */
import { renderCheckpoint } from "../../src/note/checkpoint.ts";
import { packAssets } from "../../scripts/build/assets.ts";
import { locateDenort } from "../../scripts/build/denort.ts";
import { renderKnowledge } from "../../src/note/knowledge.ts";
import { MINILM, writeBert } from "../../tests/support/bert_model.ts";
import { grow, TranscriptBuilder } from "../../tests/support/transcript.ts";
import { MARKDOWN_1 } from "../detection/sets/dev/markdown_1.ts";
import { tell } from "../detection/tell.ts";
import { prose, sentences } from "./prose.ts";

export interface World {
  readonly home: string;
  readonly project: string;
  readonly chunks: number;
}

export interface Worlds {
  readonly empty: string;
  readonly sage: string;
  readonly notes200: World;
  /** The same, for the case that changes it. */
  readonly edited200: World;
  readonly chunks1k: World;
  readonly chunks10k: World;
  /** With the built-in model, and with a pulled one of MiniLM's size. */
  readonly notes20: World;
  readonly notes20Model: World;
  readonly binarySize: number;
  readonly assetsSize: number;
  readonly denortSize: number;
}

export async function makeWorlds(folder: string, root: string): Promise<Worlds> {
  const sage = `${folder}/sage`;
  await Deno.copyFile(`${root}dist/sage`, sage);
  const denortPath = await findDenort(root);
  const edited200 = await makeWorld(`${folder}/e200`, sage, 200, 1);
  makeLongConversation(edited200);
  makeHandwrittenConversation(edited200);
  return {
    sage,
    empty: await compileProgram(folder, denortPath, "empty", ""),
    notes200: await makeWorld(`${folder}/n200`, sage, 200, 1),
    edited200,
    chunks1k: await makeWorld(`${folder}/c1k`, sage, 250, 4),
    chunks10k: await makeWorld(`${folder}/c10k`, sage, 2500, 4),
    notes20: await makeWorld(`${folder}/n20`, sage, 20, 1),
    notes20Model: await withModel(await makeWorld(`${folder}/m20`, sage, 20, 1), sage),
    binarySize: (await Deno.stat(sage)).size,
    assetsSize: (await packAssets(0)).blob.length,
    denortSize: (await Deno.stat(denortPath)).size,
  };
}

/** The runtime that programs are compiled into: what the build takes for this machine. */
export async function findDenort(root: string): Promise<string> {
  return Deno.env.get("DENORT_BIN") ??
    await locateDenort(`${root}dist/.cache/`, Deno.build.target);
}

/** A program of one file, compiled; returns its path. */
export async function compileProgram(
  folder: string,
  denort: string,
  name: string,
  source: string,
): Promise<string> {
  await Deno.mkdir(`${folder}/${name}-src`);
  await Deno.writeTextFile(`${folder}/${name}-src/main.js`, source);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      "--quiet",
      "--no-config",
      "--no-code-cache",
      "--no-prompt",
      "--allow-all",
      "--output",
      `${folder}/${name}.raw`,
      "main.js",
    ],
    cwd: `${folder}/${name}-src`,
    env: { DENORT_BIN: denort },
  }).output();
  if (!success) throw new Error(`Cannot compile ${name}`);
  // Written in large blocks, as the program under test was: see scripts/build.ts.
  await Deno.copyFile(`${folder}/${name}.raw`, `${folder}/${name}`);
  return `${folder}/${name}`;
}

/** A home with an indexed project of this many notes. */
export async function makeWorld(
  base: string,
  sage: string,
  notes: number,
  chunksEach: number,
): Promise<World> {
  const world = { home: `${base}/home`, project: `${base}/project`, chunks: notes * chunksEach };
  await Deno.mkdir(`${world.home}/.claude/projects/p`, { recursive: true });
  await Deno.mkdir(world.project, { recursive: true });
  await run(world, sage, ["init"]);
  await Deno.mkdir(`${world.project}/.sage/knowledge`, { recursive: true });
  await Deno.mkdir(`${world.project}/.sage/checkpoints`, { recursive: true });
  for (let i = 0; i < notes; i++) await writeNote(world, i, chunksEach);
  // Stamps younger than two seconds count as racy and would be read again by the first case.
  await new Promise((resolve) => setTimeout(resolve, 2100));
  await run(world, sage, ["admin", "rebuild"]);
  makeTranscripts(world);
  // Explanations have faded and an orientation is prepared: a session like most others.
  for (let i = 0; i < 6; i++) await playSession(world, sage);
  for (const concept of ["checkpoint", "surfacing", "threshold"]) {
    await Deno.writeTextFile(`${world.home}/.sage/state/seen/${concept}.json`, '{"count":9}\n');
  }
  return world;
}

/** Random weights: the speed is real, what they find is not. */
async function withModel(world: World, sage: string): Promise<World> {
  writeBert(`${world.home}/minilm`, MINILM);
  await run(world, sage, ["model", "pull", `${world.home}/minilm`]);
  await run(world, sage, ["model", "use", "minilm"]);
  return world;
}

async function playSession(world: World, sage: string): Promise<void> {
  const payload = {
    session_id: "earlier",
    transcript_path: `${world.home}/.claude/projects/p/none.jsonl`,
    cwd: world.project,
    source: "startup",
    reason: "other",
  };
  await run(world, sage, ["hook", "session-start"], JSON.stringify(payload));
  await run(world, sage, ["hook", "session-end"], JSON.stringify(payload));
}

async function writeNote(world: World, i: number, chunksEach: number): Promise<void> {
  const created = new Date(Date.UTC(2026, 0, 1) + i * 3_600_000).toISOString().slice(0, 19) + "Z";
  const sections = Array.from({ length: chunksEach }, (_, part) => prose(i * 17 + part, 150));
  if (i % 10 === 0) {
    const id = `${created.replaceAll(":", "-").slice(0, 19)}_checkpoint-${i}`;
    const text = renderCheckpoint({
      coreQuestion: prose(i, 12),
      thesis: sections.join("\n\n"),
      confidence: 0.7,
      trigger: "synthesis",
      keyEvidence: [],
      reasoningTrace: "",
      openQuestions: [],
      tensions: [],
      sources: [],
    }, { id, created });
    return await Deno.writeTextFile(`${world.project}/.sage/checkpoints/${id}.md`, text);
  }
  const id = `note-${i}`;
  const content = sections.map((text, part) => `## Part ${part}\n\n${text}`).join("\n\n");
  const draft = {
    title: prose(i, 5),
    content,
    subject: "fact",
    keywords: [],
    patterns: [],
    skills: [],
    always: false,
    sources: [],
  };
  await Deno.writeTextFile(
    `${world.project}/.sage/knowledge/${id}.md`,
    renderKnowledge(draft, { id, created }),
  );
}

function makeTranscripts(world: World): void {
  const folder = `${world.home}/.claude/projects/p`;
  Deno.writeTextFileSync(`${folder}/small.jsonl`, conversation(world, 0));
  grow(`${folder}/large.jsonl`, DUMP_BYTES);
  tellAtEnd(world, 0);
}

/** Tool dumps and request records, then a conversation: hooks read from the end. */
export function tellAtEnd(world: World, seed: number): void {
  const path = `${world.home}/.claude/projects/p/large.jsonl`;
  Deno.truncateSync(path, DUMP_BYTES);
  Deno.writeTextFileSync(path, "\n" + conversation(world, seed), { append: true });
}

function conversation({ project }: World, seed: number): string {
  const builder = new TranscriptBuilder({ sessionId: "bench", cwd: project });
  for (let i = 0; i < 12; i++) {
    builder.user(`Why does the importer stall on batch ${i}?`);
    builder.assistant(sentences(seed * 12 + i + 900, 120));
  }
  return builder.text();
}

const DUMP_BYTES = 10 * 1024 * 1024;

/** A session of a day, 20 MB: words of both sides, and three calls with much output each time. */
function makeLongConversation({ home, project }: World): void {
  const builder = new TranscriptBuilder({ sessionId: "bench", cwd: project });
  for (let i = 0; i < LONG_EXCHANGES; i++) {
    builder.user(`Why does the importer stall on batch ${i}? ${sentences(i, 20)}`);
    for (let call = 0; call < 3; call++) {
      const result = prose(i * 3 + call, OUTPUT_WORDS);
      builder.assistant("", [{ name: "Bash", input: { command: `show ${i}` }, result }]);
    }
    builder.assistant(sentences(i + 900, 120));
  }
  Deno.writeTextFileSync(`${home}/.claude/projects/p/long.jsonl`, builder.text());
}

/** One as people have them, of four tasks: lists, tables, code, dashes, a plan, and a part in German. */
function makeHandwrittenConversation({ home, project }: World): void {
  const builder = new TranscriptBuilder({ sessionId: "bench", cwd: project });
  for (const conversation of MARKDOWN_1) tell(builder, conversation, project);
  Deno.writeTextFileSync(`${home}/.claude/projects/p/handwritten.jsonl`, builder.text());
}

const LONG_EXCHANGES = 150;
const OUTPUT_WORDS = 3000;

async function run(world: World, command: string, args: string[], stdin = ""): Promise<void> {
  const child = new Deno.Command(command, {
    args,
    cwd: world.project,
    env: { HOME: world.home },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  const { success, stderr } = await child.output();
  if (!success) throw new Error(`${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
