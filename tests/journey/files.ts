/**
 * The file commands of journeys: what a person does to files with an editor and a file manager. As
 * small as the journeys need them; no shell is started.
 */
import { createHash } from "node:crypto";
import type { Shown, World } from "./world.ts";
import { run } from "../support/within.ts";

type FileCommand = (
  world: World,
  args: readonly string[],
  input: string | undefined,
) => Shown | Promise<Shown>;

export const FILE_COMMANDS: Readonly<Record<string, FileCommand>> = {
  append(world, [path = ""], input) {
    Deno.writeTextFileSync(find(world, path), input ?? "", { append: true });
    return done();
  },
  cat: (world, args) => done(args.map((path) => Deno.readTextFileSync(find(world, path))).join("")),
  cd(world, [path = "~"]) {
    world.cwd = Deno.realPathSync(find(world, path));
    return done();
  },
  cp(world, args) {
    const [from = "", to = ""] = args.filter((arg) => arg !== "-r");
    copy(find(world, from), world.path(to));
    return done();
  },
  edit,
  git,
  grep,
  ls,
  mkdir(world, [path = ""]) {
    Deno.mkdirSync(world.path(path), { recursive: true });
    return done();
  },
  mv(world, [from = "", to = ""]) {
    Deno.renameSync(find(world, from), world.path(to));
    return done();
  },
  rm(world, args) {
    const recursive = args.includes("-r");
    for (const path of args.filter((arg) => arg !== "-r")) {
      Deno.removeSync(find(world, path), { recursive });
    }
    return done();
  },
  async sleep(_world, [seconds = "1"]) {
    await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
    return done();
  },
  snapshot(world, [typed = ""]) {
    world.snapshots.set(typed, tree(find(world, typed)));
    return done();
  },
  unchanged,
  write,
};

function done(text = ""): Shown {
  return { text, code: 0 };
}

/** Git itself, for what people share: of this world's home, and nothing of the machine's settings. */
async function git(world: World, args: readonly string[]): Promise<Shown> {
  const { code, stdout, stderr } = await run("git", {
    args: [
      ...["user.name=user", "user.email=user@example.org"].flatMap((set) => ["-c", set]),
      ...args.map((arg) => arg.startsWith("~/") ? world.path(arg) : arg),
    ],
    cwd: world.cwd,
    env: { HOME: world.home, PATH: "/usr/bin:/bin", GIT_CONFIG_NOSYSTEM: "1" },
    clearEnv: true,
  });
  return { text: stdout + stderr, code };
}

/** `write FILE <<EOF`; `--crlf` and `--bom` as an editor on Windows writes it. */
function write(world: World, args: readonly string[], input = ""): Shown {
  const [typed = ""] = args.filter((arg) => !arg.startsWith("--"));
  const text = args.includes("--crlf") ? input.replaceAll("\n", "\r\n") : input;
  const path = world.path(typed);
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(path, (args.includes("--bom") ? "\ufeff" : "") + text);
  return done();
}

/** `edit FILE s/a/b/`: the first occurrence of the literal text, as a person types over it. */
function edit(world: World, [typed = "", change = ""]: readonly string[]): Shown {
  const [, from = "", to = ""] = change.split(change[1] ?? "/");
  const path = find(world, typed);
  const text = Deno.readTextFileSync(path);
  if (!text.includes(from)) throw new Error(`"${from}" is not in ${typed}`);
  Deno.writeTextFileSync(path, text.replace(from, () => to.replaceAll("\\n", "\n")));
  return done();
}

/** `grep -rl TEXT DIR…`: names the files that hold the text, also in their own name. Sockets hold none. */
function grep(world: World, args: readonly string[]): Shown {
  const [text = "", ...folders] = args.filter((arg) => !/^-[rl]+$/.test(arg));
  const textIn = (path: string): string =>
    Deno.statSync(path).isFile ? new TextDecoder().decode(Deno.readFileSync(path)) : "";
  const found = folders.flatMap((folder) =>
    [...files(find(world, folder))].filter((path) =>
      path.includes(text) || textIn(path).includes(text)
    )
  );
  return { text: found.map((path) => path + "\n").join(""), code: found.length === 0 ? 1 : 0 };
}

/** Names, one a line; with `-R` the files of the whole tree. */
function ls(world: World, args: readonly string[]): Shown {
  const recursive = args.includes("-R");
  const [typed = "."] = args.filter((arg) => arg !== "-R");
  const folder = find(world, typed);
  const names = recursive
    ? [...files(folder)].map((path) => path.slice(folder.length + 1))
    : [...Deno.readDirSync(folder)].map(({ name, isDirectory }) => name + (isDirectory ? "/" : ""));
  return done(names.sort().map((name) => name + "\n").join(""));
}

/** `unchanged DIR [--but DIR…]`: byte for byte as at its snapshot, but for what lies in these. */
function unchanged(world: World, args: readonly string[]): Shown {
  const [typed = "", ...rest] = args;
  const but = rest.filter((arg) => arg !== "--but").map((path) => world.path(path));
  const before = world.snapshots.get(typed);
  if (before === undefined) throw new Error(`there is no snapshot of ${typed}`);
  const after = tree(find(world, typed));
  const changes = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => !but.some((other) => path === other || path.startsWith(other + "/")))
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => {
      const what = !before.has(path) ? "new" : after.has(path) ? "changed" : "gone";
      return `${what}: ${path}\n`;
    });
  return { text: changes.sort().join(""), code: changes.length === 0 ? 0 : 1 };
}

/** The hash and mode of every file below, and every folder. */
function tree(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of files(folder, true)) {
    const info = Deno.lstatSync(path);
    const mode = ((info.mode ?? 0) & 0o777).toString(8);
    const content = info.isFile
      ? createHash("sha256").update(Deno.readFileSync(path)).digest("hex")
      : "folder";
    found.set(path, `${mode} ${content}`);
  }
  return found;
}

function* files(path: string, folders = false): Generator<string> {
  if (!Deno.lstatSync(path).isDirectory) return yield path;
  if (folders) yield path;
  for (const { name } of Deno.readDirSync(path)) yield* files(`${path}/${name}`, folders);
}

function copy(from: string, to: string): void {
  if (!Deno.statSync(from).isDirectory) return Deno.copyFileSync(from, to);
  Deno.mkdirSync(to, { recursive: true });
  for (const { name } of Deno.readDirSync(from)) copy(`${from}/${name}`, `${to}/${name}`);
}

/** The path; a `*` in its last part stands for any text, and must leave exactly one. */
function find(world: World, typed: string): string {
  const path = world.path(typed);
  const at = path.lastIndexOf("/");
  const [folder, name] = [path.slice(0, at), path.slice(at + 1)];
  if (!name.includes("*")) return path;
  const wanted = new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  const found = [...Deno.readDirSync(folder)].filter((entry) => wanted.test(entry.name));
  if (found.length !== 1) throw new Error(`${typed} fits ${found.length} files`);
  return `${folder}/${found[0]?.name}`;
}
