/**
 * A person works in their editor while two agents write into the same notes: every edit of all three is
 * in a note, a conflict copy or the history. R6 of docs/RELIABILITY.md, with notes that grow by patches.
 */
import assert from "node:assert/strict";
import { depth } from "../support/depth.ts";
import { filesIn, writeOld } from "../support/temp_store.ts";
import { put, read, world } from "../support/world.ts";
import { orKilled, WAIT_MS_MAX } from "../support/within.ts";

const AGENT = new URL("agent.ts", import.meta.url).pathname;
const DURATION_MS = depth(8_000, 600_000);
const NOTES = depth(6, 60);
/** Fewer edits would prove nothing; a slow machine takes longer for them. */
const LEAST = 5;
/** Between two edits: every note comes to rest for the two seconds that Sage waits for. */
const PAUSE_MS = depth(550, 55);

Deno.test("a person edits while two agents write: no edit of the three is lost", async () => {
  using on = await world();
  const folder = `${on.cwd}/.sage/knowledge`;
  for (let n = 0; n < NOTES; n++) {
    const front = `---\nid: note-${n}\ntype: knowledge\nmood: mine # kept\n---\n`;
    const body =
      `# Note ${n}\n\nBegun.\n\n## Gotchas\n\n- none\n\n## Recent Changes\n\n## Related\n`;
    writeOld(`${folder}/note-${n}.md`, front + body);
  }
  const agents = ["ann", "bob"].map((name) => spawn(on.home, on.cwd, name));
  const told = Promise.all(agents.map(tokensOf));
  const mine: string[] = [];
  const end = performance.now() + DURATION_MS;
  while (
    performance.now() < end || (mine.length < LEAST && performance.now() < end + WAIT_MS_MAX)
  ) {
    const token = `person-${mine.length}-token`;
    const path = `${folder}/note-${Math.floor(Math.random() * NOTES)}.md`;
    if (save(path, token, mine.length % 2 === 0)) mine.push(token);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())));
  }
  const acknowledged = (await told).flat();
  const store = `${on.cwd}/.sage`;
  const kept = filesIn(store).filter((path) => path.endsWith(".md")).map((path) =>
    read(`${store}/${path}`)
  );
  const all = kept.join("\n");
  const lost = [...mine, ...acknowledged].filter((token) => !all.includes(token));
  const edits = mine.length + acknowledged.length;
  assert.ok(
    mine.length >= LEAST && acknowledged.length >= LEAST,
    `${mine.length} and ${acknowledged.length}`,
  );
  // Two of a thousand, as R6 has it; of few edits chance may take one, and broken merging takes most.
  const lostMax = Math.max(1, Math.floor(edits * 0.002));
  assert.ok(lost.length <= lostMax, `${lost.join(", ")} of ${edits}`);
  for (let n = 0; n < NOTES; n++) {
    const text = read(`${folder}/note-${n}.md`);
    assert.match(text, /^---\nid: note-\d+\ntype: knowledge\nmood: mine # kept\n/);
    assert.match(text, /\n# Note \d+\n/);
  }
});

function spawn(home: string, cwd: string, name: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", AGENT, home, cwd, name, String(DURATION_MS), String(NOTES)],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

async function tokensOf(child: Deno.ChildProcess): Promise<string[]> {
  const told = orKilled("the end of an agent", child, child.output(), DURATION_MS + WAIT_MS_MAX);
  const { stdout, code } = await told;
  assert.equal(code, 0);
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

/** An editor that looks whether its file has changed before it saves, as they do. */
function save(path: string, token: string, inPlace: boolean): boolean {
  const before = read(path);
  const lines = before.split("\n");
  const first = lines.indexOf("---", 1) + 2;
  lines.splice(first + Math.floor(Math.random() * (lines.length - first)), 0, `Mine: ${token}`);
  if (read(path) !== before) return false;
  const text = lines.join("\n");
  if (inPlace) put(path, text);
  else {
    put(`${path}~`, text);
    Deno.renameSync(`${path}~`, path);
  }
  return true;
}
