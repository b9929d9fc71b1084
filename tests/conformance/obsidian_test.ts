/**
 * A vault as Sage fills it: every link of every note leads to one file, and to the one that is meant. Titles
 * are such as people and agents write; the person has notes of their own, some with the same names.
 */
import assert from "node:assert/strict";
import { findNote } from "../../src/memory/find.ts";
import { patchKnowledge } from "../../src/memory/knowledge/patch.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import { writeSessionNote } from "../../src/memory/session/note.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { keepTopic } from "../../src/memory/topic.ts";
import {
  begin,
  byHand,
  checkpoint,
  conversation,
  knowledge,
  PERSON,
  put,
  SESSION,
  transcriptFile,
  type World,
  world,
} from "../support/world.ts";
import { filesOf, idIn, intoVault, inVault, vaultOf } from "../support/vault.ts";
import { FORBIDDEN, linksOf, Vault } from "./obsidian.ts";

const LONG = "A very long title that says everything about the matter at once, ".repeat(6).trim();

/** What people and agents call things. */
const TITLES: readonly string[] = [
  "Git Worktrees",
  "Git worktrees",
  "Why # is no heading here",
  "C# and F#: a comparison",
  "Caret ^ and ^block-like",
  "Brackets [one] and [[two]]",
  "Pipes a|b and \\| too",
  "Colons: and: more",
  "src/memory\\vault/links.ts",
  "Quotes \"double\" and 'single'",
  "What? *Stars* <tags> & 50 % more",
  "Code `x` and `y`",
  "Café au lait",
  "Cafe\u0301 au lait",
  "Straße",
  "日本語のタイトル",
  "שלום עולם",
  "Family 👨‍👩‍👧 and flags 🇫🇷",
  "Half-width ｶﾅ and full-width ＡＢＣ",
  "Chapter 2",
  "Chapter (2)",
  "...dots at both ends...",
  "- begins with a dash",
  "index",
  "README",
  "CON",
  "nul.txt",
  "trailing space ",
  "tab\tinside",
  "$x^2$ and %%comment%%",
  "(parentheses) in a [name](link.md)",
  "Home",
  "note",
  LONG,
  LONG + " Again.",
  "ﬁne ligature",
  "2026-01-13",
];

/** Each line says whom its link means, for the check. */
function links(ids: readonly string[]): string {
  return ids.map((id, i) =>
    [
      `- to ${id}: [[${id}]]`,
      `- to ${id}: [[${id}|shown]]`,
      `- to ${id}: [[${id}#Section]]`,
      `- to ${id}: ![[${id}#^block-1]]`,
      `- to ${id}: [[knowledge/${id}]]`,
      `- to ${id}: [file](${id}.md)`,
    ][i % 6] ?? ""
  ).join("\n") + "\n\n`[[code]]`\n\n```\n[[fence]]\n```\n";
}

const BODY = "## Section\n\nA line. ^block-1\n";

function fillByHand(on: World): string[] {
  const ids = TITLES.map((_, i) => `by-hand-${i}`);
  TITLES.forEach((title, i) => {
    const [at, next] = [ids[(i * 7 + 3) % ids.length] ?? "", ids[(i + 1) % ids.length] ?? ""];
    const all = [at, next, ...ids.slice(i % 5, i % 5 + 6)];
    const front = { id: ids[i] ?? "", type: "knowledge", parent: next };
    byHand(
      `${on.cwd}/.sage`,
      `knowledge/${ids[i]}.md`,
      front,
      `# ${title}\n\n${BODY}\n${links(all)}`,
    );
  });
  return ids;
}

/** The person's own, beside Sage's folder. */
function fillVault(on: World): void {
  const own = {
    "Home.md": "# Home\n",
    "Daily/2026-01-13.md": "x\n",
    "Areas/Git Worktrees.md": "x\n",
  };
  for (const [path, text] of Object.entries(own)) put(`${vaultOf(on)}/${path}`, text);
}

function check(on: World): { readonly links: number; readonly meant: number } {
  const vault = new Vault(filesOf(vaultOf(on)));
  let [count, meant] = [0, 0];
  for (const source of vault.paths.filter((path) => path.startsWith("Sage/"))) {
    for (const line of vault.text(source).split("\n")) {
      for (const { linktext } of linksOf(line)) {
        // In code, or what a title says that is no note.
        if (/^(code|fence|two|link\.md)$/.test(linktext)) continue;
        count++;
        const found = vault.resolve(linktext, source);
        assert.ok(found !== undefined, `${source}: [[${linktext}]] leads nowhere`);
        assert.ok(!found.isAmbiguous, `${source}: [[${linktext}]] is the name of several files`);
        assert.ok(found.hasSubpath, `${source}: [[${linktext}]] has no such place`);
        const id = /to (\S+): /.exec(line)?.[1];
        if (id === undefined) continue;
        meant++;
        assert.equal(idIn(vault.text(found.path)), id, `${source}: [[${linktext}]]`);
      }
    }
  }
  return { links: count, meant };
}

function checkNames(on: World): void {
  const seen = new Set<string>();
  for (const path of new Vault(filesOf(vaultOf(on))).paths) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!path.startsWith("Sage/") || name === "_index.md") continue;
    assert.doesNotMatch(name, FORBIDDEN);
    assert.ok(new TextEncoder().encode(name).length <= 120, name);
    assert.equal(name, name.normalize("NFC"));
    const folded = name.normalize("NFKC").toLowerCase();
    assert.ok(!seen.has(folded), `two files are called ${name}`);
    seen.add(folded);
  }
}

Deno.test("every link of a store that moved into a vault leads where it led", async () => {
  using on = await world();
  fillVault(on);
  const ids = fillByHand(on);
  const report = await intoVault(on);
  assert.equal(report.moved.find(({ scope }) => scope === "project")?.files, ids.length);
  const checked = check(on);
  assert.ok(checked.meant >= 8 * ids.length, JSON.stringify(checked));
  // Each note stands in its map.
  assert.ok(checked.links >= checked.meant + ids.length, JSON.stringify(checked));
  checkNames(on);
  const memory = await on.open();
  for (const [i, id] of ids.entries()) {
    const found = await findNote(memory, id);
    assert.equal(found.kind, "one", id);
    const title = TITLES[i]?.trim() ?? "";
    if (found.kind === "one" && !/[`\t]/.test(title)) assert.equal(found.item.note.title, title);
  }
});

Deno.test("every link of what is written in a vault leads to the note that is meant", async () => {
  using on = await world();
  fillVault(on);
  await intoVault(on);
  const ids: string[] = [];
  await inVault(on, async (memory) => {
    for (const [i, title] of TITLES.entries()) {
      const words = `${WORDS[i % WORDS.length]} ${WORDS[(i * 5 + 1) % WORDS.length]} ${i}`;
      const text = `${BODY}\nIt is about ${words}.\n\n${links(ids.slice(-6))}`;
      const saved = await knowledge(memory, title, text, { onConflict: "keep_both" });
      ids.push(saved.id);
    }
    await rest(on, memory, ids);
  });
  const checked = check(on);
  assert.ok(checked.meant > 150, JSON.stringify(checked));
  checkNames(on);
});

/** The other kinds, and a note that grows. */
async function rest(on: World, memory: Memory, ids: readonly string[]): Promise<void> {
  const [first = "", second = ""] = ids;
  const sources = ids.slice(0, 5).map((id) => ({ id, relation: "supports" }));
  const saved = await checkpoint(memory, { sources });
  await checkpoint(memory, { thesis: "Something else altogether is true of the queue.", sources });
  assert.equal(
    (await addTodo(memory, { content: "Look: is [it] #done?", source: saved.id }, PERSON)).kind,
    "saved",
  );
  assert.equal((await keepTopic(memory, "All / of it", ids.slice(0, 12), PERSON)).kind, "saved");
  assert.equal((await keepTopic(memory, "All / of it", ids.slice(8, 20), PERSON)).kind, "updated");
  const found = await findNote(memory, first);
  const stored = found.kind === "one" ? found.item : assert.fail(found.kind);
  const patch = { kind: "append", text: `- to ${second}: [[${second}]]` } as const;
  const patched = await patchKnowledge(memory, stored, [patch], PERSON, { reason: "more" });
  assert.equal(patched.kind, "patched", JSON.stringify(patched));
  begin(memory, on);
  const turns = await readTurns(memory, transcriptFile(on, conversation("It holds.")));
  assert.ok(turns !== undefined);
  assert.equal((await writeSessionNote(memory, SESSION, turns)).kind, "written");
}

const WORDS = ["queues", "bees", "locks", "rivers", "inodes", "violins", "ports", "maps", "clocks"];
