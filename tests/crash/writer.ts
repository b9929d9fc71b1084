/**
 * A small program for the crash rigs: works on one store as its arguments say and prints one line for
 * each acknowledgement, so that whoever kills it knows what must be there. Until the built binary
 * takes its place.
 *
 *   writer.ts life <root>                     creates and replaces a note, then another
 *   writer.ts tokens <root> <name> <count>    adds `count` tokens to three notes by turns
 *   writer.ts hold <root> <note id>           takes a note's lock and waits
 *   writer.ts flip <root> <path> <ms>         replaces a note again and again
 */
import { realFs } from "../../src/base/fs.ts";
import { sleep } from "../../src/base/clock.ts";
import { openStore, type Store, withNoteLock } from "../../src/store/handle.ts";
import { loadNote } from "../../src/store/load.ts";
import { createNote, updateNote } from "../../src/store/store.ts";

const [task = "", root = "", ...rest] = Deno.args;

function open(): Store {
  const stateDir = `${root}/state`;
  return openStore({ root, scope: "user", stateDir, holder: `writer ${task}`, fs: realFs });
}

function acknowledge(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
}

async function live(store: Store): Promise<void> {
  const front = "type: knowledge\ncreated: 2026-01-13T14:30:00Z\nupdated: 2026-01-13T14:30:00Z";
  const { path } = createNote(store, {
    kind: "knowledge",
    stem: "life",
    text: (stem) => `---\nid: ${stem}\n${front}\n---\n# Life\n\nborn\n`,
  });
  acknowledge(`${path} born`);
  for (const word of ["grown", "old"]) {
    const result = await updateNote(store, path, ({ text }) => `${text}${word}\n`);
    acknowledge(`${path} ${result.kind === "written" ? word : result.kind}`);
  }
  const second = createNote(store, { kind: "checkpoint", stem: "last words", text: "# Bye\n" });
  acknowledge(`${second.path} Bye`);
}

async function addTokens(store: Store, name: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const path = `knowledge/shared-${i % 3}.md`;
    const token = `${name}-${i}`;
    const start = performance.now();
    const result = await updateNote(store, path, ({ text }) => `${text}${token}\n`);
    if (result.kind === "written") acknowledge(`${path} ${token} ${performance.now() - start}`);
    else acknowledge(`! ${token} ${result.kind}`);
  }
}

function hold(store: Store, noteId: string): void {
  withNoteLock(store, noteId, () => {
    acknowledge("held");
    sleep(60_000);
  });
}

async function flip(store: Store, path: string, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  let rounds = 0;
  while (performance.now() < end) {
    const letter = "abcdefgh".charAt(++rounds % 8);
    const size = 10_000 + 1_000 * (rounds % 8);
    await updateNote(
      store,
      path,
      ({ text }) =>
        text.slice(0, text.indexOf("# ")) + `# ${letter}\n` + letter.repeat(size) + "\nend\n",
      { keepVersion: false },
    );
  }
  acknowledge(`${rounds}`);
  await loadNote(store, path);
}

if (task === "life") await live(open());
else if (task === "tokens") await addTokens(open(), rest[0] ?? "", Number(rest[1]));
else if (task === "hold") hold(open(), rest[0] ?? "");
else if (task === "flip") await flip(open(), rest[0] ?? "", Number(rest[1]));
else throw new Error(`Unknown task ${task}`);
