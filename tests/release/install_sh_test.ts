/**
 * install.sh as a person runs it, against a server on this machine: it installs what was published, or
 * nothing. Under each shell and with each downloader that is here.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { isOnThisMachine } from "../support/on_this_machine.ts";
import { madeRelease, openReleases, VERSION } from "../support/release_server.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

const release = await madeRelease();
const script = `${release.folder}/install.sh`;
const target = Deno.build.target;
/** What lies beside the program where that cannot carry it. */
const DATA = Deno.build.os === "linux" ? [] : ["sage-0123abcd.assets"];
const isHere = Deno.build.os !== "windows";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Options {
  readonly url: string;
  readonly home: string;
  readonly shell?: string;
  readonly path?: string;
  readonly args?: readonly string[];
  /** The script on stdin, as curl hands it over. */
  readonly input?: string;
}

async function install({ url, home, shell = "sh", path, args = [], input }: Options): Promise<Ran> {
  await Deno.mkdir(`${home}/tmp`, { recursive: true });
  const { code, stdout: out, stderr: err } = await run(shell, {
    args: input === undefined ? [script, ...args] : ["-s", "--", ...args],
    env: {
      HOME: home,
      TMPDIR: `${home}/tmp`,
      PATH: path ?? Deno.env.get("PATH") ?? "/usr/bin:/bin",
      SAGE_RELEASE_URL: url,
    },
    clearEnv: true,
    cwd: home,
    input: input ?? "",
  });
  assert.deepEqual(
    await Array.fromAsync(Deno.readDir(`${home}/tmp`)),
    [],
    "what it worked with is gone",
  );
  return { code, out, err };
}

async function says(program: string): Promise<string> {
  return (await run(program, { args: ["--version"] })).stdout;
}

function test(name: string, fn: () => Promise<void>, needs: readonly string[] = []): void {
  const missing = needs.filter((program) => !isOnThisMachine(program));
  const why = missing.length === 0 ? "" : `: ${missing.join(", ")} is not on this machine`;
  Deno.test({ name: name + why, ignore: !isHere || why !== "", fn });
}

for (const shell of ["sh", "dash", "bash", "zsh"]) {
  test(`install.sh installs what was published, under ${shell}`, async () => {
    await installs(shell);
  }, [shell]);
}

for (
  const [machine, isArm, published] of [
    ["arm64", "1", "aarch64-apple-darwin"],
    ["x86_64", "1", "aarch64-apple-darwin"],
    ["x86_64", undefined, "x86_64-apple-darwin"],
  ] as const
) {
  const silicon = isArm === undefined ? "Intel" : machine === "arm64" ? "Apple" : "translated";
  test(`install.sh takes a Mac's program with the tools that a Mac has: ${silicon}`, async () => {
    await using server = openReleases(release);
    const home = tempDir();
    const path = await toolsOfMac(`${home}/path`, machine, isArm);
    const { code, out, err } = await install({ url: server.url, home, path });
    assert.deepEqual([code, err], [0, ""]);
    assert.ok(out.includes(`-${published}.tar.gz\n`), out);
    assert.deepEqual(filesIn(`${home}/.local/bin`), ["sage", "sage-0123abcd.assets"]);
  }, ["curl", "shasum"]);
}

async function installs(shell: string): Promise<void> {
  await using server = openReleases(release);
  const home = tempDir();
  const { code, out, err } = await install({ url: server.url, home, shell });
  assert.deepEqual([code, err], [0, ""]);
  assert.match(
    out,
    new RegExp(`^Fetching sage-${VERSION}-${target}\\.tar\\.gz\nInstalled sage ${VERSION}: `),
  );
  assert.match(out, /is not on your PATH/);
  assert.equal(await says(`${home}/.local/bin/sage`), `sage ${VERSION}\n`);
  assert.deepEqual(filesIn(home), [
    ".local/bin/sage",
    ...DATA.map((name) => `.local/bin/${name}`),
    ".local/share/bash-completion/completions/sage",
    ".local/share/fish/vendor_completions.d/sage.fish",
    ".local/share/man/man1/sage.1",
    ".local/share/sage/installed",
    ".local/share/zsh/site-functions/_sage",
  ]);
  assert.match(
    await Deno.readTextFile(`${home}/.local/share/sage/installed`),
    /^dir bin\ndir share\ndir share\/man\ndir share\/man\/man1\n[^]*file share\/man\/man1\/sage\.1\n/,
  );
}

test("install.sh installs twice, and keeps to what it placed itself", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const page = `${home}/.local/share/man/man1/sage.1`;
  await Deno.mkdir(page.replace(/\/[^/]*$/, ""), { recursive: true });
  await Deno.writeTextFile(page, "somebody's\n");
  for (let i = 0; i < 2; i++) {
    assert.equal((await install({ url: server.url, home })).code, 0);
    assert.equal(await Deno.readTextFile(page), "somebody's\n");
  }
  const list = await Deno.readTextFile(`${home}/.local/share/sage/installed`);
  assert.doesNotMatch(list, /man1|dir share\n/);
  const lines = list.trimEnd().split("\n");
  assert.deepEqual(lines, [...new Set(lines)]);
});

test("install.sh never replaces another program of this name", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const bin = `${home}/.local/bin`;
  const math = "#!/bin/sh\necho SageMath version 10.8\n";
  await Deno.mkdir(bin, { recursive: true });
  await Deno.writeTextFile(`${bin}/sage`, math, { mode: 0o755 });
  const { code, err } = await install({ url: server.url, home });
  assert.equal(code, 1);
  assert.match(err, /^sage: .*bin\/sage is another program\n.* --dir <folder>\n$/);
  assert.equal(await Deno.readTextFile(`${bin}/sage`), math);
  assert.deepEqual(filesIn(bin), ["sage"]);
  await Deno.remove(`${bin}/sage`);
  await Deno.mkdir(`${bin}/sage`);
  assert.match((await install({ url: server.url, home })).err, /is another program/);
  const path = `${bin}:${Deno.env.get("PATH")}`;
  await Deno.remove(`${bin}/sage`);
  await Deno.writeTextFile(`${bin}/sage`, math, { mode: 0o755 });
  const beside = await install({
    url: server.url,
    home,
    path: `${path}:${home}/bin`,
    args: ["--dir", "bin/"],
  });
  assert.equal(beside.code, 0);
  assert.match(
    beside.out,
    /manual page[^]*Another sage comes first on your PATH: .*\.local\/bin\/sage\n/,
  );
  assert.doesNotMatch(beside.out, /not on your PATH/);
});

test("install.sh takes away what an older program left beside it, and nothing else", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const bin = `${home}/.local/bin`;
  await Deno.mkdir(bin, { recursive: true });
  const others = ["sage-notes.assets", "sage-0123ABCD.assets", "sage-0123abcd.assets.mine"];
  for (const name of [...others, "sage-fedcba98.assets", "sage.previous"]) {
    await Deno.writeTextFile(`${bin}/${name}`, "old");
  }
  assert.deepEqual((await install({ url: server.url, home })).code, 0);
  assert.deepEqual(filesIn(bin), [...others, "sage", ...DATA].sort());
});

test("install.sh works with wget alone", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const path = await onlyThese(`${home}/path`, ["wget"]);
  const { code, err } = await install({ url: server.url, home, path });
  assert.deepEqual([code, err], [0, ""]);
  server.misbehave({ missing: [".tar.gz"] });
  const failed = await install({ url: server.url, home, path });
  assert.match(failed.err, /^sage: Cannot fetch http/);
}, ["wget"]);

test("install.sh says what it lacks", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const path = await onlyThese(`${home}/path`, []);
  const { code, err } = await install({ url: server.url, home, path });
  assert.deepEqual([code, err], [1, "sage: Cannot fetch anything: there is no curl and no wget\n"]);
});

/** A folder with the tools that the script may count on, and these. */
async function onlyThese(folder: string, programs: readonly string[]): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  const always = [
    ...["sh", "cat", "chmod", "cp", "cut", "dirname", "grep", "mkdir", "mktemp", "mv", "rm", "sed"],
    ...["tail", "tar", "gzip", "uname", "sha256sum", "shasum"],
  ];
  for (const name of [...always, ...programs]) {
    const from = (Deno.env.get("PATH") ?? "").split(":").map((place) => `${place}/${name}`);
    for (const path of from) {
      if (await Deno.stat(path).then(() => true, () => false)) {
        await Deno.symlink(path, `${folder}/${name}`);
        break;
      }
    }
  }
  return folder;
}

/** What BSD calls so: it knows letters, and no long options but curl does. */
async function toolsOfMac(folder: string, machine: string, isArm?: string): Promise<string> {
  const real = await onlyThese(`${folder}/real`, ["curl"]);
  await Deno.remove(`${real}/sha256sum`).catch(() => {});
  const write = (name: string, script: string): Promise<void> =>
    Deno.writeTextFile(`${folder}/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  for await (const { name } of Deno.readDir(real)) {
    if (name === "curl" || name === "sh") {
      await Deno.symlink(`${real}/${name}`, `${folder}/${name}`);
    } else {
      await write(
        name,
        `for word; do case $word in --*) echo "$0: illegal option $word" >&2; exit 64 ;; esac; done
PATH=${real} exec ${real}/${name} "$@"`,
      );
    }
  }
  await Deno.remove(`${folder}/uname`);
  await write("uname", `case $1 in -s) echo Darwin ;; -m) echo ${machine} ;; *) exit 1 ;; esac`);
  await write("sysctl", isArm === undefined ? "exit 1" : `echo ${isArm}`);
  return folder;
}

test("install.sh refuses what is not what the sums say, and installs nothing", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  const archive = `sage-${VERSION}-${target}.tar.gz`;
  const right = await Deno.readFile(`${release.folder}/${archive}`);
  const wrong = right.map((byte, i) => i === right.length >> 1 ? byte ^ 1 : byte);
  const sums = await Deno.readTextFile(`${release.folder}/SHA256SUMS`);
  const evil = createHash("sha256").update(wrong).digest("hex");
  const other = `${evil}  sage-9.9.10-${target}.tar.gz\n`;
  for (
    const [how, message] of [
      [{ instead: { [archive]: wrong } }, /not what was published: SHA-256 [0-9a-f]{64}, wanted/],
      [{ instead: { [archive]: new Uint8Array() } }, /not what was published/],
      [{ cutsAt: 5000, alwaysCuts: true }, /Cannot fetch/],
      [{ missing: ["SHA256SUMS"] }, /Cannot fetch .*SHA256SUMS/],
      [{ missing: [".tar.gz"] }, /Cannot fetch .*tar\.gz/],
      [{ instead: { SHA256SUMS: "" } }, /Nothing is published for/],
      [{ instead: { SHA256SUMS: "<html>not here</html>" } }, /Nothing is published for/],
      [{ instead: { SHA256SUMS: sums + other } }, /more than once/],
      [{ instead: { SHA256SUMS: sums.replace(/sage-9/g, "../sage-9") } }, /Nothing is published/],
    ] as const
  ) {
    server.misbehave(how);
    const { code, err } = await install({ url: server.url, home });
    assert.deepEqual([code, message.test(err)], [1, true], err);
    assert.deepEqual(filesIn(home), [], err);
  }
});

test("install.sh that arrives cut short does nothing", async () => {
  await using server = openReleases(release);
  const whole = await Deno.readTextFile(script);
  for (const share of [0.2, 0.5, 0.9, 0.99]) {
    const home = tempDir();
    const input = whole.slice(0, Math.floor(whole.length * share));
    await install({ url: server.url, home, input });
    assert.deepEqual(filesIn(home), [], String(share));
  }
  const home = tempDir();
  const { code } = await install({ url: server.url, home, input: whole, args: ["--dir", "here"] });
  assert.equal(code, 0);
  assert.deepEqual(filesIn(home), ["here/sage", ...DATA.map((name) => `here/${name}`)]);
});

test("install.sh trusts https, and http of this machine only", async () => {
  const home = tempDir();
  for (
    const url of [
      "http://example.org/sage",
      "http://127.0.0.1.example.org/sage",
      "http://localhost@example.org/",
      "ftp://127.0.0.1/x",
      "file:///etc",
    ]
  ) {
    const { code, err } = await install({ url, home });
    assert.deepEqual([code, /^sage: Only https is trusted/.test(err)], [1, true], err);
  }
});

test("install.sh leaves the program that is there where the new one does not run", async () => {
  const broken = await madeRelease({ program: "#!/bin/sh\nexit 126\n" });
  await using server = openReleases(broken);
  const home = tempDir();
  await Deno.mkdir(`${home}/.local/bin`, { recursive: true });
  const old = "#!/bin/sh\necho sage 0.0.1\n";
  await Deno.writeTextFile(`${home}/.local/bin/sage`, old, { mode: 0o755 });
  const { code, err } = await install({ url: server.url, home });
  assert.equal(code, 1);
  assert.match(err, /does not run on this machine/);
  assert.equal(await Deno.readTextFile(`${home}/.local/bin/sage`), old);
});

test("install.sh says where it may not write, and what it does not know", async () => {
  await using server = openReleases(release);
  const home = tempDir();
  await Deno.writeTextFile(`${home}/file`, "");
  for (const dir of [`${home}/file/bin`, "/proc/sage/bin"]) {
    const { code, err } = await install({ url: server.url, home, args: ["--dir", dir] });
    assert.deepEqual([code, /^sage: Cannot (make|write)/.test(err)], [1, true], err);
  }
  const { code, err } = await install({ url: server.url, home, args: ["--prefix", "x"] });
  assert.deepEqual([code, err], [
    1,
    "sage: Unknown option --prefix\n  sh install.sh [--dir <folder>]\n",
  ]);
});

test("install.sh is clean for shellcheck", async () => {
  const { code, stdout } = await run("shellcheck", {
    args: ["-s", "sh", new URL("../../install.sh", import.meta.url).pathname],
  });
  assert.equal(code, 0, stdout);
}, ["shellcheck"]);
