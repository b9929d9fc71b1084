/**
 * A person's editor as a process of its own: adds a line to one of some notes again and again, in place or
 * by a file put over it, and prints the token of each line that it saved.
 *
 *   person.ts <folder> <in-place|atomic|both> <edits> <ms least> <ms most> [old] [careful]
 *
 * `old`: files get a time long ago, as from a program that syncs; Sage then cannot see that somebody is at
 * work. `careful`: it looks whether its file has changed before it saves, as editors do, and now and then
 * moves a note to another folder.
 */
// deno-lint-ignore-file no-console -- what it prints is what it saved
const [folder = "", how = "both", edits = "0", least = "0", most = "0", ...rest] = Deno.args;
const [isOld, isCareful] = [rest.includes("old"), rest.includes("careful")];
const LONG_AGO = new Date(Date.now() - 86_400_000);
const MOVES_EVERY = 40;

/** In a row: then the note is not one any more, and that is what is to be told. */
const FAILURES_MAX = 5000;

let [saved, failures] = [0, 0];
while (saved < Number(edits)) {
  const notes = notesIn(folder);
  const path = notes[Math.floor(Math.random() * notes.length)] ?? "";
  const token = `p${saved}-${how}`;
  const isMove = isCareful && saved % MOVES_EVERY === MOVES_EVERY - 1;
  if (isMove ? move(path, token) : edit(path, token)) {
    console.log(token);
    saved++;
    failures = 0;
  } else if (++failures > FAILURES_MAX) throw new Error(`${path} is no note any more`);
  const pause = Number(least) + Math.random() * (Number(most) - Number(least));
  await new Promise((resolve) => setTimeout(resolve, pause));
}

/** False where the note was changed under its hands, or is half written: it reads it again. */
function edit(path: string, token: string): boolean {
  const before = Deno.readTextFileSync(path);
  const lines = before.split("\n");
  const first = lines.indexOf("---", 1) + 2;
  if (first < 2) return false;
  lines.splice(first + Math.floor(Math.random() * (lines.length - first)), 0, `Mine: ${token} .`);
  const text = lines.join("\n");
  const isInPlace = how === "in-place" || (how === "both" && saved % 2 === 0);
  if (!isInPlace) put(`${path}~`, text);
  if (isCareful && Deno.readTextFileSync(path) !== before) {
    if (!isInPlace) Deno.removeSync(`${path}~`);
    return false;
  }
  if (isInPlace) put(path, text);
  else Deno.renameSync(`${path}~`, path);
  return true;
}

function put(path: string, text: string): void {
  Deno.writeTextFileSync(path, text);
  if (isOld) Deno.utimeSync(path, LONG_AGO, LONG_AGO);
}

/** Into the folder below, or out of it; what it says goes with it. */
function move(path: string, token: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const target = path === `${folder}/${name}` ? `${folder}/Moved/${name}` : `${folder}/${name}`;
  Deno.mkdirSync(`${folder}/Moved`, { recursive: true });
  if (!edit(path, token)) return false;
  Deno.renameSync(path, target);
  return true;
}

function notesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (name.startsWith(".") || name.includes("conflict")) return [];
    if (isDirectory) return notesIn(`${folder}/${name}`);
    return name.endsWith(".md") ? [`${folder}/${name}`] : [];
  });
}
