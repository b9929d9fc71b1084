/**
 * A vault in which a person works with an editor while two agents, each with an MCP server of the built
 * program, change the same notes: every edit of the three is in a note, a conflict copy or the history, each
 * note is there once, and every link leads where it led.
 */
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { linksOf, Vault } from "../conformance/obsidian.ts";
import { depth } from "../support/depth.ts";
import { binary, hasBinary } from "../support/sage.ts";
import { filesIn, tempDir, writeOld } from "../support/temp_store.ts";
import { filesOf, idIn } from "../support/vault.ts";
import { read } from "../support/world.ts";
import { orKilled, WAIT_MS_MAX } from "../support/within.ts";

const BINARY = new URL("../../dist/sage", import.meta.url).pathname;
const PERSON = new URL("person.ts", import.meta.url).pathname;
const OPERATIONS = depth(150, 10_000);
const AGENTS = Math.floor(OPERATIONS * 0.35);
const PERSONS = OPERATIONS - 2 * AGENTS;
const NOTES = depth(60, 400);
/** Each note rests long enough between two saves that the agents get at it. */
const PAUSE_MS = 120;
/** What one session may write without asking is 64 KiB; then another begins. */
const CALLS_A_SESSION = 1500;
/** A person who finds the note changed under their hands tries again. */
const PERSON_MS_MAX = OPERATIONS * 1000 + WAIT_MS_MAX;
const HEADINGS = ["Gotchas", "Recent Changes", "Related"];

Deno.test({
  name: `a person and two agents in one vault: ${OPERATIONS} operations, and no edit is lost`,
  ignore: !hasBinary,
  // The client's transport leaves its own timer behind when it closes.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const home = tempDir();
    const cwd = `${home}/project`;
    Deno.mkdirSync(cwd);
    const vault = `${home}/Vault`;
    const { code, stderr } = await binary(["init", "--obsidian", vault], { home, cwd });
    assert.equal(code, 0, stderr);
    const folder = `${vault}/Sage/projects/project/knowledge`;
    for (let n = 0; n < NOTES; n++) writeOld(`${folder}/Topic ${n} of many.md`, noteText(n));

    const person = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", PERSON, folder, "both", String(PERSONS)]
        .concat([String(PAUSE_MS), String(PAUSE_MS), "careful"]),
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const [mine, ...theirs] = await Promise.all([
      tokensOf(person),
      agent(home, cwd, "ann"),
      agent(home, cwd, "bob"),
    ]);
    const all = filesIn(`${vault}/Sage`).filter((path) => path.endsWith(".md"))
      .map((path) => read(`${vault}/Sage/${path}`)).join("\n");
    const isLost = (token: string): boolean => !all.includes(`${token} .`);
    const acknowledged = theirs.flat();
    assert.equal(mine.length + acknowledged.length, OPERATIONS);
    // deno-lint-ignore no-console -- the number is the result: docs/RELIABILITY.md has it
    console.log(
      `${mine.length} edits of the person, ${mine.filter(isLost).length} lost; ` +
        `${acknowledged.length} of the agents, ` +
        `${acknowledged.filter(isLost).length} lost`,
    );
    assert.deepEqual(mine.filter(isLost), []);
    assert.deepEqual(acknowledged.filter(isLost), []);
    assertWhole(new Vault(filesOf(vault)));
    const { stdout } = await binary(["search", "Topic 7 of many"], { home, cwd });
    assert.match(stdout, /Topic 7 of many/);
  },
});

function noteText(n: number): string {
  const next = `Topic ${(n + 1) % NOTES} of many`;
  return `---\nid: topic-${n}\ntype: knowledge\nmood: mine # kept\n---\n# Topic ${n} of many\n\n` +
    `Begun, see [[${next}]].\n\n## Gotchas\n\n- none\n\n## Recent Changes\n\n## Related\n`;
}

/** Each id once, what a person put into the front matter as it was, every link where it led. */
function assertWhole(vault: Vault): void {
  const ids: string[] = [];
  for (const path of vault.paths) {
    const text = vault.text(path);
    if (path.includes("conflict") || !/\/Topic \d+ of many\.md$/.test(path)) continue;
    ids.push(idIn(text) ?? path);
    assert.match(text, /^---\nid: topic-\d+\ntype: knowledge\nmood: mine # kept\n/, path);
    for (const { linktext } of linksOf(text)) {
      const found = vault.resolve(linktext, path);
      assert.ok(found !== undefined && !found.isAmbiguous, `${path}: [[${linktext}]]`);
    }
  }
  assert.equal(ids.length, NOTES);
  assert.equal(new Set(ids).size, NOTES);
}

async function tokensOf(child: Deno.ChildProcess): Promise<string[]> {
  const { stdout, code } = await orKilled(
    "the end of the person",
    child,
    child.output(),
    PERSON_MS_MAX,
  );
  assert.equal(code, 0);
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

/** Reads a note, then changes it in every way there is; gives the tokens, once acknowledged. */
async function agent(home: string, cwd: string, name: string): Promise<string[]> {
  const told: string[] = [];
  for (let i = 0; i < AGENTS;) {
    const client = new Client({ name, version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: BINARY,
        args: ["mcp", "--tools", "full"],
        cwd,
        env: { HOME: home, CLAUDE_PROJECT_DIR: cwd },
        stderr: "ignore",
      }),
    );
    try {
      for (const end = Math.min(AGENTS, i + CALLS_A_SESSION); i < end;) {
        const token = `${name}${i}`;
        // The person was at the note: another one, then.
        if (!await change(client, i, token)) continue;
        told.push(token);
        i++;
      }
    } finally {
      await client.close();
    }
  }
  return told;
}

async function change(client: Client, i: number, token: string): Promise<boolean> {
  const id = `topic-${Math.floor(Math.random() * NOTES)}`;
  const note = await call(client, "get_note", { id });
  const [item] = (note.structured["items"] ?? []) as { hash?: string }[];
  if (item?.hash === undefined) return false;
  const expected = { expected_hash: item.hash };
  const heading = HEADINGS[i % HEADINGS.length];
  const ways = [
    { action: "append", text: `${token} .` },
    { action: "replace", heading, text: `- ${token} .`, on_conflict: "append" },
    { action: "insert", heading, text: `- ${token} .` },
    { action: "insert", heading, text: `- ${token} .` },
  ];
  const answer = await call(client, "sage_update_note", { id, ...expected, ...ways[i % 4] });
  return !answer.isError && answer.structured["hash"] !== undefined;
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<{ readonly isError: boolean; readonly structured: Record<string, unknown> }> {
  const answer = await client.callTool({ name, arguments: args });
  const structured = (answer.structuredContent ?? {}) as Record<string, unknown>;
  return { isError: answer.isError === true, structured };
}
