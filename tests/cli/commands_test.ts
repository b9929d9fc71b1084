/** The commands that are too small for a file of their own, and what all commands have in common. */
import assert from "node:assert/strict";
import { isGroup } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { dirname } from "../../src/base/path.ts";
import { put } from "../support/world.ts";
import { hasBinary, sage, sageJson, type SageOptions, scratch } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

const BINARY = new URL("../../dist/sage", import.meta.url).pathname;
const AGENT = { CLAUDE_CODE_SESSION_ID: "11111111-2222-4333-8444-555555555555" };

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("every verb is in its group's usage line, and every command loads", async () => {
  for (const { name, usage, load } of COMMANDS) {
    const { command } = await load();
    if (!isGroup(command)) continue;
    const listed = /[<[]([a-z|]+)[\]>]$/.exec(usage)?.[1]?.split("|").sort();
    assert.deepEqual(listed, Object.keys(command.verbs).sort(), name);
    assert.ok(command.fallback === undefined || command.fallback in command.verbs);
  }
});

Deno.test("no command keeps the network but the one that pulls and the one that listens", async () => {
  const keeping: string[] = [];
  for (const { name, load } of COMMANDS) {
    const { command } = await load();
    const verbs = isGroup(command) ? Object.entries(command.verbs) : [["", command] as const];
    for (const [verb, { connects }] of verbs) {
      if (connects === "hub" || connects === "listen") keeping.push(`${name} ${verb}`);
    }
  }
  assert.deepEqual(keeping, ["model pull", "serve "]);
});

Deno.test("sage init shows one screen, then says that all is there", async () => {
  const place = scratch();
  const first = await sage(["init"], place);
  assert.equal(first.code, 0);
  assert.ok(first.stdout.split("\n").length <= 24);
  assert.match(first.stdout, /Next: sage install claude-code\n/);
  assert.ok((await Deno.stat(`${place.cwd}/.sage/project.yaml`)).isFile);
  const again = await sage(["init"], place);
  assert.equal(again.stdout, `Already there: ${place.cwd}/.sage, ${place.home}/.sage\n`);
});

Deno.test("sage init --user leaves the project alone", async () => {
  const place = scratch();
  await sage(["init", "--user"], place);
  assert.deepEqual([names(place.cwd), names(place.home)], [[], [".sage", "project"]]);
});

Deno.test("commands that only read create nothing", async () => {
  const place = scratch();
  for (const args of [["status"], ["search", "x"], ["load"], ["todo"], ["config"], ["doctor"]]) {
    await sage(args, place);
    assert.deepEqual(names(place.cwd), [], args.join(" "));
    const made = names(place.home).includes(".sage") ? names(`${place.home}/.sage`) : [];
    assert.deepEqual(made.filter((name) => name !== "state"), [], args.join(" "));
  }
});

Deno.test("sage status is one line when all is well, and says what to run next", async () => {
  const place = scratch();
  await sage(["init"], place);
  const { stdout } = await sage(["status"], place);
  assert.match(stdout, /^healthy · .*\nnext: sage install claude-code\n$/);
  const verbose = await sage(["status", "--verbose"], place);
  assert.match(verbose.stdout, /\nproject .*\n(.*\n)*capture /);
});

Deno.test("sage status and sage doctor say that the project's store is gone", async () => {
  const place = scratch();
  await Deno.mkdir(`${place.cwd}/.git`);
  await sage(["init"], place);
  const store = `${place.cwd}/.sage`;
  await Deno.rename(store, `${place.cwd}/.away`);
  const { stdout } = await sage(["status"], place);
  assert.ok(stdout.startsWith("needs attention · "), stdout);
  const next = "sage doctor (or sage init --user, if you deleted it)";
  assert.ok(stdout.endsWith(` · ${store} is gone\nnext: ${next}\n`), stdout);
  const doctor = (await sage(["doctor"], place)).stdout;
  assert.ok(doctor.includes(`warning ${store} is gone: notes go to your own store\n`), doctor);
  await Deno.rename(`${place.cwd}/.away`, store);
  assert.match((await sage(["status"], place)).stdout, /^healthy /);
});

Deno.test("sage init --user settles that the project's store was deleted", async () => {
  const place = scratch();
  await Deno.mkdir(`${place.cwd}/.git`);
  await sage(["init"], place);
  await Deno.remove(`${place.cwd}/.sage`, { recursive: true });
  assert.match((await sage(["status"], place)).stdout, /^needs attention .* is gone\n/);
  assert.equal((await sage(["init", "--user"], place)).code, 0);
  assert.match((await sage(["status"], place)).stdout, /^healthy /);
  const doctor = await sage(["doctor"], place);
  assert.doesNotMatch(doctor.stdout, /is gone/);
});

Deno.test("sage status --verbose names a note that cannot be read, with its place", async () => {
  const place = scratch();
  await sage(["init"], place);
  await Deno.mkdir(`${place.cwd}/.sage/knowledge`, { recursive: true });
  const path = `${place.cwd}/.sage/knowledge/bad.md`;
  await Deno.writeTextFile(path, '---\ntags: ["a\n---\n\nstill searchable zebra\n');
  const { stdout } = await sage(["status", "-v"], place);
  assert.match(stdout, /Cannot be read as a note\n {2}.*bad\.md:\d+:\d+ /);
  assert.match((await sage(["search", "zebra"], place)).stdout, /^bad \(unparsable\)\n/);
});

Deno.test("sage search shows title, facts and passage of each hit", async () => {
  const place = scratch();
  await sage(["checkpoint", "-m", "Zebras have stripes against flies."], place);
  const { code, stdout } = await sage(["search", "why", "zebra", "stripes"], place);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Zebras have stripes against flies\n {2}[0-9a-f]{8} · checkpoint · \S+ · [01]\.\d\d\n {2}Zebras /,
  );
  const { json } = await sageJson(["search", "zebra"], place);
  const [item] = json.items as Record<string, unknown>[];
  for (const key of ["id", "type", "title", "path", "created", "updated"]) {
    assert.equal(typeof item?.[key], "string", key);
  }
  for (const key of ["score", "emb", "kw"]) assert.equal(typeof item?.[key], "number", key);
  assert.ok(Array.isArray(item?.flags) && typeof item.snippet === "string" && "scope" in item);
});

Deno.test("sage search shows a session and its checkpoint in one block, two checkpoints in two", async () => {
  const place = scratch();
  await sage(["init"], place);
  const write = async (kind: string, name: string, about: string): Promise<void> => {
    await Deno.mkdir(`${place.cwd}/.sage/${kind}s`, { recursive: true });
    const front =
      `---\nid: ${name}\ntype: ${kind}\ncreated: 2026-07-01T10:00:00Z\nsession: s-1\n---\n`;
    await Deno.writeTextFile(`${place.cwd}/.sage/${kind}s/${name}.md`, `${front}\n${about}\n`);
  };
  await write("checkpoint", "early", "# Zebra stripes\n\nZebra stripes confuse flies.");
  await write("checkpoint", "late", "# Zebra stripes\n\nZebra stripes do not cool the skin.");
  await write("session", "all", "## Summary\n\nZebra stripes, flies and cooling.");
  const text = async (...more: string[]): Promise<string> =>
    (await sage(["search", "zebra stripes", ...more], place)).stdout;
  const blocks = (await text()).trimEnd().split("\n\n");
  assert.equal(blocks.length, 2, "two checkpoints");
  assert.match(blocks.join("\n"), /^ {2}also [0-9a-f]{8} · session · .* · 0\.\d\d/m);
  assert.equal((await text("--explain")).trimEnd().split("\n\n").length, 3);
  const { items } = JSON.parse(await text("--json"));
  assert.deepEqual(items.map((item: { session: string }) => item.session), ["s-1", "s-1", "s-1"]);
});

Deno.test("sage search says how far --all reaches, and reaches it", async () => {
  const { home, cwd } = scratch();
  const at = async (name: string) => {
    await Deno.mkdir(`${cwd}/${name}`);
    return { home, cwd: `${cwd}/${name}` };
  };
  const [here, plain, other] = [await at("here"), await at("plain"), await at("other")];
  await sage(["init"], other);
  await sage(["checkpoint", "-m", "Zebras have stripes against flies."], plain);
  await sage(["checkpoint", "-m", "Backups are encrypted before they leave the machine."], other);
  const zebra = await sage(["search", "zebras", "stripes"], here);
  assert.equal(zebra.code, 3);
  assert.match(zebra.stderr, /--all adds what other projects know\n$/);
  assert.match((await sage(["search", "zebras", "stripes", "--all"], here)).stdout, /^Zebras/);
  assert.equal((await sage(["search", "backups", "encrypted"], here)).code, 3);
  const backups = await sage(["search", "backups", "encrypted", "--all"], here);
  assert.match(backups.stdout, /^Backups[^\n]*\n[^\n]* checkpoint of other /);
  const named = await sage(["search", "project:other", "backups"], here);
  assert.match(named.stdout, /^Backups/);
  const args = ["search", "backups", "encrypted", "--project", other.cwd];
  assert.match((await sage(args, here)).stdout, /^Backups/);
});

Deno.test("sage search shows the passages of the first three alone where nothing matches well", async () => {
  const place = scratch();
  const notes = [
    "Jobs: A job is tried again after ten seconds, then after a minute, and given up at the fifth time.",
    "Backups: Every night the database is dumped, encrypted and copied to two machines in other cities.",
    "Steps: Tag the commit, wait for the pipeline, then publish the packages and write the notes.",
    "Login: A session lasts a day; the cookie is strict and carries a random token of thirty bytes.",
    "Importer: The importer reads rows in batches of a thousand, for the whole file would not fit.",
    "Errors: What fails in the server is shown as a page with a number that support can look up.",
    "Zones: Everything is kept in UTC and shown where the person lives, as the browser says.",
    "Index: The index is derived from the notes and may be deleted while the server is running.",
  ];
  for (const note of notes) {
    const stdin = `# ${note.replace(": ", "\n\n")}\n`;
    await sage(["knowledge", "add", "-"], { ...place, stdin });
  }
  const query =
    "the cookie of cities that a browser of packages gave to the rows of the pipeline each minute";
  const { stdout, stderr } = await sage(["search", query], place);
  assert.equal(
    stderr,
    "nothing matches well: these are the nearest; --also asks in other words as well\n",
  );
  const titles = stdout.match(/^\w+$/gm) ?? [];
  const passages = stdout.match(/^ {2}\w+ \w+ \w+/gm);
  assert.ok(titles.length > 3, stdout);
  assert.equal(passages?.length, 3, stdout);
});

Deno.test("sage search takes what narrows alone, and wants words or that", async () => {
  const place = scratch();
  await sage(["todo", "add", "count the zebras"], place);
  for (const args of [["--type", "todo"], ["type:todo"]]) {
    assert.match((await sage(["search", ...args], place)).stdout, /^count the zebras\n/);
  }
  const { code, stderr } = await sage(["search"], place);
  assert.equal(code, 2);
  assert.match(stderr, /^sage: The query is missing\n/);
});

Deno.test("sage search exits 3 when there is nothing, with an empty list in JSON", async () => {
  const { code, json } = await sageJson(["search", "x"], scratch());
  assert.equal(code, 3);
  assert.deepEqual(json.items, []);
  const bad = await sage(["search", "x", "--after", "whenever"], scratch());
  assert.deepEqual([bad.code, bad.stdout], [2, ""]);
});

Deno.test("sage search says how to see more only where that may be typed", async () => {
  const place = scratch();
  for (let i = 0; i < 1001; i++) {
    put(`${place.home}/.sage/knowledge/n${i}.md`, `---\ntype: knowledge\n---\n\n# Zebra ${i}\n`);
  }
  const shown = async (limit: string): Promise<string> =>
    (await sage(["search", "zebra", "--limit", limit], place)).stderr;
  assert.equal(await shown("600"), "more hits: --limit 1000 shows them\n");
  assert.equal(await shown("1000"), "");
});

Deno.test("sage todo goes from open to done and back", async () => {
  const place = scratch();
  const added = await sage(["todo", "add", "test", "under load", "--due", "2026-01-31"], place);
  const id = /^Saved todo ([0-9a-f]{8}): test under load\n$/.exec(added.stdout)?.[1] ?? "";
  const never = await sage(["todo", "add", "x", "--due", "2026-02-31"], place);
  assert.deepEqual([never.code, never.stdout], [2, ""]);
  assert.match(
    never.stderr,
    /due on a date, not "2026-02-31"\n {2}write it as 2026-01-31, today, tomorrow, friday, 3d or in 2 weeks\n$/,
  );
  await sage(["todo", "add", "first of all", "--priority", "high"], place);
  const open = await sage(["todo"], place);
  assert.match(open.stdout, /pending +high +- +first of all\n.*pending +medium +2026-01-31 +test/);
  const done = await sage(["todo", "done", id, "first-of-all"], place);
  assert.equal(done.stdout.split("\n")[0], `${id} is done: test under load`);
  assert.equal((await sage(["todo"], place)).stdout, "Nothing to do.\n");
  await sage(["todo", "reopen", id], place);
  const words = await sage(["todo", "reopen", "first", "of", "all"], place);
  assert.match(words.stdout, /^[0-9a-f]{8} is pending: first of all\n$/);
  const cut = await sage(["todo", "list", "--limit", "1"], place);
  assert.match(cut.stdout, /first of all\n$/);
  assert.equal(cut.stderr, "1 more todo: --limit 2 shows all\n");
  await sage(["todo", "done", "first-of-all"], place);
  const { json } = await sageJson(["todo", "list"], place);
  assert.equal(json.total, 1);
  assert.equal((json.items as { short_id: string }[])[0]?.short_id, id);
  const missing = await sage(["todo", "start", id, "nope"], place);
  assert.equal(missing.code, 3);
  assert.match(missing.stdout, /is in progress/);
  put(`${place.home}/.sage/todos/torn.md`, "---\ntype: todo\ntype: todo\n---\n# Torn\n");
  const torn = await sageJson(["todo", "done", id, "torn"], place);
  assert.equal(torn.code, 1);
  assert.deepEqual((torn.json.done as { short_id: string }[]).map((one) => one.short_id), [id]);
});

Deno.test("sage config moves a setting, keeps comments, and says what still decides", async () => {
  const place = scratch();
  await Deno.mkdir(`${place.home}/.sage`);
  await Deno.writeTextFile(
    `${place.home}/.sage/tuning.yaml`,
    "# mine\nretrieval:\n  max_items: 5\n",
  );
  const set = await sage(["config", "set", "recall_threshold", "0.65"], place);
  assert.match(set.stdout, /^retrieval\.recall_threshold = 0\.65 \(.*tuning\.yaml\)\n$/);
  assert.match(await Deno.readTextFile(`${place.home}/.sage/tuning.yaml`), /^# mine\n/);
  assert.equal((await sage(["config", "get", "recall_threshold"], place)).stdout, "0.65\n");
  const env = { SAGE_RETRIEVAL_RECALL_THRESHOLD: "0.5" };
  const shadowed = await sage(["config", "set", "recall_threshold", "0.6"], { ...place, env });
  assert.match(shadowed.stderr, /SAGE_RETRIEVAL_RECALL_THRESHOLD still decides: .* = 0\.5/);
  const changed = await sage(["config", "list", "--changed"], place);
  assert.equal(changed.stdout.trimEnd().split("\n").length, 2);
  const reset = await sage(["config", "reset", "--all"], {
    ...place,
    env: { SAGE_RETRIEVAL_MAX_ITEMS: "7" },
  });
  assert.equal(reset.stdout, "2 settings reset\n");
  assert.match(reset.stderr, /^ {2}SAGE_RETRIEVAL_MAX_ITEMS still decides: .* = 7\n$/);
});

Deno.test("sage config refuses what is out of range, unknown, or half said", async () => {
  const place = scratch();
  const range = await sage(["config", "set", "recall_threshold", "2"], place);
  assert.equal(range.code, 2);
  assert.match(range.stderr, /it takes a number from 0 to 1/);
  const typo = await sage(["config", "get", "recal_threshold"], place);
  assert.match(typo.stderr, /did you mean retrieval\.recall_threshold\?/);
  assert.equal((await sage(["config", "reset"], place)).code, 2);
});

Deno.test("sage config --project writes the project's file, of another project by its folder", async () => {
  const place = scratch();
  await sage(["init"], place);
  const set = ["config", "set", "max_items", "7"].with(2, "retrieval.max_items");
  await sage([...set, "--project"], place);
  assert.match(await Deno.readTextFile(`${place.cwd}/.sage/tuning.yaml`), /max_items: 7/);
  const other = await sage([...set.with(3, "9"), "--project=project"], { home: place.home });
  assert.equal(other.code, 0);
  assert.match(await Deno.readTextFile(`${place.cwd}/.sage/tuning.yaml`), /max_items: 9/);
});

Deno.test("sage forget wants a yes, and leaves nothing", async () => {
  const place = scratch();
  await sage(["checkpoint", "-m", "Zebras have stripes against flies."], place);
  const { json } = await sageJson(["load"], place);
  const { short_id: id } = json.note as { short_id: string };
  const none = await sage(["forget", "nope"], place);
  assert.equal(none.code, 3);
  assert.match(none.stderr, /^sage: No note matches "nope"\n {2}sage search finds notes/);
  const almost = await sage(["forget", "zebra"], place);
  assert.equal(almost.code, 4);
  assert.match(almost.stderr, /^sage: No note is called "zebra", but one may be meant\n/);
  const mute = await sage(["forget", id], place);
  assert.equal(mute.code, 2);
  assert.match(mute.stderr, new RegExp(`nobody to ask\\n {2}sage forget ${id} --yes\\n$`));
  assert.equal((await sageJson(["forget", id], { ...place, terminal: true })).code, 2);
  const kept = await sage(["forget", id], { ...place, terminal: true, stdin: "n\n" });
  assert.equal(kept.code, 1);
  assert.match(
    kept.stderr,
    /^Erase checkpoint "Zebras .*" everywhere, for good\? \[y\/N\] Nothing/,
  );
  for (const env of [AGENT, { AI_AGENT: "codex" }]) {
    for (const yes of [[], ["--yes"]]) {
      const { code, stderr } = await sage(["forget", id, ...yes], { ...place, env });
      assert.equal(code, 1);
      assert.equal(
        stderr,
        "sage: Only a person may forget a note: it cannot be undone\n" +
          "  ask them to run it in a terminal of their own\n",
      );
    }
  }
  const gone = await sage(["forget", id, "--yes"], place);
  assert.match(gone.stdout, /^Forgot [0-9a-f]{8}: Zebras .* \(\d+ places?\)\n$/);
  assert.equal((await sage(["load"], place)).code, 3);
});

Deno.test("what removes or moves a note takes no beginning of an id unasked", async () => {
  const place = scratch();
  const add = ["knowledge", "add", "Deploy steps of the shop", "-m", "Build, push, restart."];
  await sage(add, place);
  await sage(["knowledge", "add", "Herons", "-m", "They stand in water."], place);
  await sage(["todo", "add", "Deploy the shop again"], place);
  const list = async () => (await sage(["knowledge", "list"], place)).stdout;
  const before = await list();
  for (
    const args of [
      ["forget", "deploy-st", "--yes"],
      ["knowledge", "rm", "deploy-st", "--yes"],
      ["knowledge", "archive", "deploy-st"],
      ["knowledge", "promote", "deploy-st"],
      ["knowledge", "merge", "herons", "deploy-st", "--yes"],
    ]
  ) {
    const refused = await sage(args, place);
    assert.equal(refused.code, 4, args.join(" "));
    assert.match(refused.stdout, /Deploy steps of the shop/);
    assert.match(
      refused.stderr,
      /^sage: "deploy-st" is only a prefix of a note's id\n {2}repeat with the whole id\n$/,
    );
  }
  assert.equal(await list(), before);
  assert.equal((await sage(["todo", "rm", "deploy-the"], place)).code, 4);
  assert.match((await sage(["knowledge", "show", "deploy-st"], place)).stdout, /Build, push/);
  const asked = { ...place, terminal: true, stdin: "1\n" };
  const gone = await sage(["knowledge", "rm", "deploy-st", "--yes"], asked);
  assert.match(gone.stderr, /Which one is "deploy-st"\?/);
  assert.match(gone.stdout, /^Removed /m);
  assert.equal((await sage(["forget", "Herons", "--yes"], place)).code, 0, "a title is whole");
});

Deno.test("a topic goes to the trash and comes back like any other note", async () => {
  const place = scratch();
  assert.equal((await sage(["topic", "new", "Caches"], place)).code, 0);
  const removed = await sage(["topic", "rm", "caches", "--yes", "--json"], place);
  assert.equal(removed.code, 0, removed.stderr);
  const { short_id } = JSON.parse(removed.stdout).removed;
  assert.equal((await sage(["topic", "show", "caches"], place)).code, 3);
  assert.equal((await sage(["topic", "restore", short_id], place)).code, 0);
  assert.equal((await sage(["topic", "show", "caches"], place)).code, 0);
});

Deno.test("sage forget asks about what lies in the trash, too", async () => {
  const place = { ...scratch(), stdin: "Zebras have stripes against flies.\n" };
  await sage(["knowledge", "add", "-", "--title", "Zebras"], place);
  await sage(["knowledge", "rm", "zebras"], place);
  assert.equal((await sage(["forget", "zebras"], { ...place, stdin: "" })).code, 2);
  const kept = await sage(["forget", "zebras"], { ...place, terminal: true, stdin: "n\n" });
  assert.match(kept.stderr, /^Erase knowledge "Zebras" everywhere, for good\? \[y\/N\] Nothing/);
  assert.equal((await sage(["forget", "zebras", "--yes"], place)).code, 0);
  assert.equal((await sage(["knowledge", "restore", "zebras"], place)).code, 3);
});

const NOBODY = 65534;
const isRoot = Deno.uid() === 0;

Deno.test({
  name: `sage trust does not promise what it cannot keep: a store of another account${
    isRoot ? "" : " (skipped: giving a folder away needs root)"
  }`,
  ignore: !isRoot || !hasBinary,
  async fn() {
    const place = scratch();
    await sage(["init"], place);
    for (const path of [dirname(place.home), dirname(place.cwd)]) await Deno.chmod(path, 0o755);
    const home = tempDir();
    await Deno.chown(home, NOBODY, NOBODY);
    const { code, stdout, stderr } = await run(BINARY, {
      args: ["trust"],
      cwd: place.cwd,
      env: { HOME: home },
      clearEnv: true,
      uid: NOBODY,
      gid: NOBODY,
    });
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(
      stderr,
      /^sage: Cannot trust .*\.sage: it belongs to account 0\n {2}that account can change it/,
    );
  },
});

Deno.test("sage trust is a person's to give", async () => {
  const place = scratch();
  await Deno.mkdir(`${place.cwd}/.sage`);
  const agent = await sage(["trust"], { ...place, env: AGENT });
  assert.equal(agent.code, 1);
  assert.match(agent.stderr, /^sage: Only a person may trust a store/);
  assert.equal((await sage(["trust"], place)).stdout, `Trusted ${place.cwd}/.sage\n`);
  assert.match((await sage(["trust", place.cwd], { home: place.home })).stdout, /^Already trusted/);
  assert.equal((await sage(["trust"], scratch())).code, 3);
});

Deno.test("sage doctor and sage admin doctor are one", async () => {
  const place = scratch();
  await sage(["init"], place);
  const said = async (...args: string[]): Promise<string> =>
    (await sage(args, place)).stdout.replace(/clock: .*/, "clock");
  const short = await said("doctor");
  assert.equal(short, await said("admin", "doctor"));
  assert.match(short, /^ok /);
});

Deno.test("sage admin rebuild derives the index again", async () => {
  const place = scratch();
  await sage(["checkpoint", "-m", "Zebras have stripes against flies."], place);
  assert.match(
    (await sage(["admin", "rebuild"], place)).stdout,
    /^Indexed 1 note anew \(\d+ ms\)\n$/,
  );
  const shown = await sage(["admin", "rebuild"], { ...place, terminal: true });
  assert.equal(shown.stderr, "", "nobody waited for it");
});

Deno.test("every command answers --json with one document and the same exit code", async () => {
  const place = scratch();
  await sage(["init"], place);
  await sage(["checkpoint", "-m", "Zebras have stripes against flies."], place);
  await sage(["todo", "add", "look at zebras"], place);
  const reads: string[][] = [
    ["status"],
    ["search", "zebra"],
    ["load"],
    ["load", "qqqq"],
    ["checkpoint", "list"],
    ["checkpoint", "show", "qqqq"],
    ["checkpoint"],
    ["knowledge", "list"],
    ["knowledge", "match", "qqqq"],
    ["knowledge", "debug", "qqqq"],
    ["knowledge"],
    ["todo", "list"],
    ["todo", "done", "qqqq"],
    ["config", "list"],
    ["config", "get", "qqqq"],
    ["config", "explain", "max_turns"],
    ["doctor"],
    ["trust"],
    ["forget", "qqqq", "--yes"],
    ["help"],
    ["help", "todo", "add"],
    ["install", "qqqq"],
    ["init"],
    [],
  ];
  for (const args of reads) {
    const human = await sage(args, place);
    const machine = await sage([...args, "--json"], place);
    assert.equal(machine.code, human.code, args.join(" "));
    const document = JSON.parse(machine.stdout);
    assert.ok(typeof document === "object" && !Array.isArray(document));
    assert.equal("error" in document, human.stderr.startsWith("sage: "), args.join(" "));
    assert.doesNotMatch(machine.stdout, /^ *"[a-z_]*[A-Z]\w*": /m, args.join(" "));
  }
});

Deno.test("nothing that a note holds can drive the terminal", async () => {
  const place = scratch();
  await sage(["init"], place);
  const hostile = "\x1b[2J\x1b]0;owned\x07 \x9b31m \b\b zebra \r overwritten \u0001\u007f";
  const id = "hostile";
  const body = `# ${hostile}\n\n## Thesis\n\n${hostile}\n`;
  const kinds = { knowledge: "knowledge", checkpoints: "checkpoint", todos: "todo" };
  for (const [folder, type] of Object.entries(kinds)) {
    await Deno.mkdir(`${place.cwd}/.sage/${folder}`, { recursive: true });
    const front =
      `---\nid: ${id}-${type}\ntype: ${type}\ntags: ["\\e[31m"]\nkeywords: [zebra]\n---\n\n`;
    await Deno.writeTextFile(`${place.cwd}/.sage/${folder}/${id}-${type}.md`, front + body);
  }
  const asks: SageOptions = { ...place, terminal: true, stdin: "n\n" };
  const prints: [string[], SageOptions][] = [
    [["search", "zebra"], place],
    [["load"], place],
    [["load", "--summary"], place],
    [["load", "hostile"], place],
    [["load", "qq\x1b[31mq"], place],
    [["checkpoint", "list"], place],
    [["checkpoint", "show", "hostile-checkpoint"], place],
    [["knowledge", "list"], place],
    [["knowledge", "show", "hostile-knowledge"], place],
    [["knowledge", "match", "zebra"], place],
    [["knowledge", "debug", "zebra"], place],
    [["knowledge", "debug", "zebra", "--why", "hostile-knowledge"], place],
    [["knowledge", "rm", "hostile-knowledge"], asks],
    [["todo", "list"], place],
    [["status", "-v"], place],
    [["doctor"], place],
    [["forget", "hostile-todo"], asks],
    [["todo", "start", "hostile-todo"], place],
    [["todo", "done", "nothing-like-it"], place],
  ];
  let shown = 0;
  for (const [args, options] of prints) {
    for (const form of [args, [...args, "--json"]]) {
      const { stdout, stderr } = await sage(form, options);
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(stdout + stderr, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/, form.join(" "));
      if ((stdout + stderr).includes("owned") || stdout.includes("overwritten")) shown++;
    }
  }
  assert.ok(shown >= 20, `only ${shown} of the outputs hold the notes' text`);
});

Deno.test("sage install shows what it changes, is done once, and is taken out to the byte", async () => {
  const place = scratch();
  const settings = `${place.home}/.claude/settings.json`;
  const before = '{\n  // mine\n  "model": "opus"\n}\n';
  await Deno.mkdir(`${place.home}/.claude`);
  await Deno.writeTextFile(settings, before);
  await Deno.mkdir(`${place.cwd}/other`);
  for (const path of ["sage", "other/sage"]) await Deno.writeTextFile(`${place.cwd}/${path}`, "");
  const install = ["install", "claude-code", "--binary", "sage"];

  const planned = await sage([...install, "--dry-run"], place);
  assert.match(
    planned.stdout,
    /settings\.json\n@@ [^]*\n\+ .*"hooks"[^]*\nNothing was changed\.\n$/,
  );
  assert.equal(await Deno.readTextFile(settings), before);

  const { code, stdout } = await sage(install, place);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^ {2}\S*\/\.claude\/settings\.json +\+6 hooks\n {2}\S*\/\.claude\.json +\+1 MCP server\nConnected Claude Code\. Restart running sessions/,
  );
  assert.ok((await Deno.readTextFile(settings)).includes(`"${place.cwd}/sage"`));
  assert.equal((await sage(install, place)).stdout, "Claude Code is connected already.\n");
  assert.match((await sage(["doctor"], place)).stdout, /Claude Code: hooks and MCP server/);

  const { json } = await sageJson(["uninstall", "--dry-run"], place);
  assert.equal(json.outcome, "planned");
  const moved = await sage([...install.slice(0, -1), "./other/sage", "--verbose"], place);
  assert.match(moved.stdout, /^\S*settings\.json\n@@ [^]*\n\+ .*other\/sage"[^]*\nConnected/);
  const back = await sage(install, place);
  assert.match(back.stdout, /\+?6 hooks changed\n.*1 MCP server changed\n/);
  const narrow = await sage(["uninstall"], { ...place, terminal: true, columns: 60 });
  assert.match(narrow.stdout.replace(/\n +/g, " "), /the file is deleted, it held nothing else/);
  await sage(install, place);
  assert.match(
    (await sage(["uninstall"], place)).stdout,
    /^ {2}\S*settings\.json +-6 hooks\n {2}\S*\.claude\.json +-1 MCP server; the file is deleted, it held nothing else\nRemoved\.\n/,
  );
  assert.equal(await Deno.readTextFile(settings), before);
  assert.equal((await sage(["uninstall"], place)).stdout, "Nothing to remove.\n");
});

Deno.test("sage install says what it cannot do", async () => {
  const place = scratch();
  const said = async (...args: string[]): Promise<string> =>
    (await sage(["install", ...args], place)).stderr;
  assert.match(await said("claude-code"), /^sage: Cannot install from the sources/);
  assert.match(await said("claude-code", "--binary", "nope"), /there is no such program/);
  assert.match(await said("emacs"), /Unknown editor "emacs"\n {2}Sage knows claude-code, cursor/);
  assert.match(await said("zedd"), /did you mean zed\?/);
  assert.match(await said("zed", "--statusline"), /Zed has nothing like --statusline/);
});

Deno.test("what is proposed for a name may have been meant, and stands in a command that there is", async () => {
  const place = scratch();
  for (const title of ["Redis cache", "Deploy steps"]) {
    await sage(["knowledge", "add", title], { ...place, stdin: `About ${title}: it is so.` });
  }
  const of = async (...args: string[]): Promise<string> => (await sage(args, place)).stderr;
  assert.match(await of("knowledge", "history", "nonsense"), /\n {2}sage knowledge list shows/);
  assert.match(
    await of("knowledge", "show", "redis-cahce"),
    /nearest: [0-9a-f]{8} "Redis cache"\n/,
  );
  assert.match(await of("knowledge", "restore", "nonsense"), /\n {2}sage knowledge restore shows/);
});

Deno.test("sage search names the filters that may be why nothing was found", async () => {
  const place = scratch();
  await sage(["todo", "add", "Rotate the token"], place);
  const search = async (...args: string[]) =>
    (await sage(["search", ...args], place)).stderr.split("\n")[1]?.trim();
  assert.match(
    await search("token", "--type", "knowledge", "--after", "2999") ?? "",
    /^leave out --type and --after, or try other words/,
  );
  assert.match(
    await search("token after:2030 before:2020 type:foo project:elsewhere", "--tag", "x") ?? "",
    /^"type:foo" counts as words: type: takes .*; leave out --tag and after:2030 and before:2020 and project:elsewhere, or try other words/,
  );
  assert.match(await search("zebra") ?? "", /^try other words/);
});
