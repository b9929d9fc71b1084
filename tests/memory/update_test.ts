/**
 * A newer program in the place of the old one, or the old one untouched: with a server on this machine
 * that publishes a release, and then lies, cuts and sends elsewhere.
 */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { holdLock } from "../../src/base/lock.ts";
import { compareVersions } from "../../src/memory/release/published.ts";
import { update, type UpdateRequest } from "../../src/memory/release/update.ts";
import { newKeys, sign } from "../../scripts/release/sign.ts";
import { pages } from "../../scripts/release.ts";
import {
  madeRelease,
  type Misbehaviour,
  openReleases,
  type ReleaseServer,
  VERSION,
} from "../support/release_server.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { world } from "../support/world.ts";
import { run } from "../support/within.ts";

const OLD = "#!/bin/sh\necho old\n";
const release = await madeRelease();

interface Scene extends AsyncDisposable {
  readonly server: ReleaseServer;
  readonly bin: string;
  readonly program: string;
  run(request?: Partial<UpdateRequest>, options?: { fs?: Fs; key?: string }): Promise<unknown>;
}

async function scene(from = release): Promise<Scene> {
  const on = await world({ project: "none" });
  const server = openReleases(from);
  const bin = `${tempDir()}/bin`;
  await Deno.mkdir(bin);
  const program = `${bin}/sage`;
  await Deno.writeTextFile(program, OLD, { mode: 0o755 });
  return {
    server,
    bin,
    program,
    async run(request = {}, { fs = realFs, key = from.publicKey } = {}) {
      on.env.SAGE_UPDATE_URL = `${server.url}/`;
      on.env.SAGE_RELEASE_KEY = key;
      const memory = await on.open({ fs });
      return await update(memory, {
        program,
        version: "1.0.0",
        target: "x86_64-unknown-linux-gnu",
        data: undefined,
        checkOnly: false,
        onProgress: () => {},
        ...request,
      });
    },
    async [Symbol.asyncDispose]() {
      on[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function says(program: string): Promise<string> {
  return (await run(program)).stdout;
}

/** The update fails with this code, and the old program is all that is left. */
async function fails(on: Scene, code: string, message: RegExp): Promise<void> {
  await assert.rejects(on.run(), (error) => {
    assert.ok(error instanceof SageError, String(error));
    assert.deepEqual([error.code, message.test(error.message)], [code, true], error.message);
    return true;
  });
  assert.equal(await Deno.readTextFile(on.program), OLD);
  assert.deepEqual(filesIn(on.bin), ["sage"]);
}

Deno.test("update() puts the published program in place, and keeps the old one beside it", async () => {
  await using on = await scene();
  assert.deepEqual(await on.run(), {
    kind: "updated",
    version: VERSION,
    previous_version: "1.0.0",
    previous: `${on.bin}/sage.previous`,
  });
  assert.equal(await says(on.program), `sage ${VERSION}\n`);
  assert.equal(await says(`${on.bin}/sage.previous`), "old\n");
  assert.deepEqual(filesIn(on.bin), ["sage", "sage.previous"]);
  assert.equal(((await Deno.stat(on.program)).mode ?? 0) & 0o777, 0o755);
});

Deno.test("update() of the new program finds nothing newer, and lets the old one go", async () => {
  await using on = await scene();
  await on.run();
  assert.deepEqual(await on.run({ version: VERSION, checkOnly: true }), {
    kind: "current",
    version: VERSION,
  });
  assert.deepEqual(filesIn(on.bin), ["sage", "sage.previous"]);
  assert.deepEqual(await on.run({ version: VERSION }), {
    kind: "current",
    version: VERSION,
    removed: `${on.bin}/sage.previous`,
  });
  assert.deepEqual(filesIn(on.bin), ["sage"]);
});

Deno.test("update() goes past an older program that still runs, which Windows does not remove", async () => {
  await using on = await scene();
  const previous = `${on.bin}/sage.previous`;
  await Deno.writeTextFile(previous, "runs");
  const held: Fs = {
    ...realFs,
    unlink(path) {
      const isRunning = path === previous || path.endsWith(".old");
      if (isRunning) throw Object.assign(new Error("Access denied."), { code: "EPERM" });
      realFs.unlink(path);
    },
  };
  await on.run({}, { fs: held });
  assert.equal(await says(on.program), `sage ${VERSION}\n`);
  assert.equal(await says(previous), "old\n");
  const [kept = "", lock = ""] = filesIn(on.bin).filter((path) => path.startsWith(".sage-update/"));
  assert.match(`${kept} ${lock}`, /^\.sage-update\/[0-9a-f]+\.old \.sage-update\/update\.lock/);
  await on.run({ version: VERSION });
  assert.deepEqual(filesIn(on.bin), ["sage"]);
});

Deno.test("update() that only looks changes nothing", async () => {
  await using on = await scene();
  assert.deepEqual(await on.run({ checkOnly: true }), {
    kind: "available",
    version: "1.0.0",
    next: VERSION,
  });
  assert.deepEqual([filesIn(on.bin), on.server.requests], [
    ["sage"],
    ["release.json", "release.json.sig"],
  ]);
});

Deno.test("update() brings a program's data beside it, under a name of its own", async () => {
  await using on = await scene();
  await Deno.writeTextFile(`${on.bin}/sage-ffffffff.assets`, "old");
  const target = "aarch64-apple-darwin";
  await on.run({ target });
  const both = ["sage", "sage-0123abcd.assets", "sage-ffffffff.assets", "sage.previous"];
  assert.deepEqual(filesIn(on.bin), both);
  await on.run({ target, version: VERSION, data: "sage-0123abcd.assets" });
  assert.deepEqual(filesIn(on.bin), ["sage", "sage-0123abcd.assets"]);
});

Deno.test("update() renews the pages that the installer placed, and no other", async () => {
  await using on = await scene();
  const prefix = on.bin.slice(0, -"/bin".length);
  const [man, fish] = ["share/man/man1/sage.1", "share/fish/vendor_completions.d/sage.fish"];
  for (const name of [man, fish, "share/sage/installed"]) {
    await Deno.mkdir(`${prefix}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${prefix}/${name}`, "mine\n");
  }
  await Deno.writeTextFile(
    `${prefix}/share/sage/installed`,
    `file ${man}\nfile ../../etc/passwd\n`,
  );
  await on.run();
  assert.deepEqual(await Deno.readFile(`${prefix}/${man}`), (await pages()).get(man));
  assert.equal(await Deno.readTextFile(`${prefix}/${fish}`), "mine\n");
});

Deno.test("update() refuses what no known key has signed", async () => {
  await using on = await scene();
  const strangers = await newKeys();
  await assert.rejects(on.run({}, { key: strangers.publicKey }), /not signed by a key/);
  for (const key of ["", "x", "AAAA"]) {
    await assert.rejects(on.run({}, { key }), /not signed by a key|has no key/);
  }
  const list = await Deno.readFile(`${release.folder}/release.json`);
  const signature = await sign(list, strangers.privateKey);
  const forged = new TextDecoder().decode(list).replace(VERSION, "9.9.8");
  for (
    const instead of [
      { "release.json.sig": signature },
      { "release.json.sig": "" },
      { "release.json.sig": "no base64 at all!" },
      { "release.json.sig": "x".repeat(4096) },
      { "release.json": forged },
      { "release.json": "{}" },
      { "release.json": new Uint8Array(300 * 1024) },
    ]
  ) {
    on.server.misbehave({ instead });
    await fails(on, "refused", /cannot be trusted/);
  }
  assert.ok(on.server.requests.every((name) => !name.endsWith(".tar.gz")), "it fetched a program");
});

Deno.test("update() refuses bytes that are not those that were signed", async () => {
  await using on = await scene();
  const name = `sage-${VERSION}-x86_64-unknown-linux-gnu.tar.gz`;
  const right = await Deno.readFile(`${release.folder}/${name}`);
  const wrong = right.map((byte, i) => i === right.length >> 1 ? byte ^ 1 : byte);
  on.server.misbehave({ instead: { [name]: wrong } });
  await fails(on, "refused", /not what was published/);
  on.server.misbehave({ instead: { [name]: new Uint8Array([...right, 0]) } });
  await fails(on, "refused", /sends more/);
});

Deno.test("update() continues a broken download, and keeps the old program if it stays broken", async () => {
  await using on = await scene();
  on.server.misbehave({ cutsAt: 2000, alwaysCuts: true });
  await assert.rejects(on.run(), /connection broke/);
  assert.equal(await Deno.readTextFile(on.program), OLD);
  assert.ok(filesIn(on.bin).some((name) => name.endsWith(".part")));
  on.server.misbehave({ cutsAt: 30_000 });
  await on.run();
  assert.equal(await says(on.program), `sage ${VERSION}\n`);
  assert.ok(on.server.requests.some((line) => /bytes=2000-$/.test(line)), "it began anew");
  assert.deepEqual(filesIn(on.bin), ["sage", "sage.previous"]);
});

Deno.test("update() goes to no other host, and says what is missing", async () => {
  await using on = await scene();
  for (const redirect of ["http://example.org/x", "https://example.org/x", "file:///etc/passwd"]) {
    on.server.misbehave({ redirect });
    await fails(on, "refused", /it sends to/);
  }
  const missing = (names: readonly string[]): Misbehaviour => ({ missing: names });
  for (const names of [["release.json"], ["release.json.sig"], [".tar.gz"]]) {
    on.server.misbehave(missing(names));
    await fails(on, "not_found", /answered with status 404/);
  }
});

Deno.test("update() without a server leaves the old program", async () => {
  const on = await scene();
  await on.server[Symbol.asyncDispose]();
  await fails(on, "unreachable", /Cannot reach 127\.0\.0\.1\S*: .*refused/);
});

Deno.test("update() beside another one says who is at it, and leaves that alone", async () => {
  await using on = await scene();
  const work = `${on.bin}/.sage-update`;
  realFs.makeDir(work, 0o700);
  const other = holdLock(realFs, `${work}/update.lock`, { deadlineMs: 0, holder: "sage update" });
  await assert.rejects(on.run(), (error) => {
    assert.ok(error instanceof SageError);
    const said = /^Cannot lock "update\.lock": held by sage update \(pid \d+\)$/;
    assert.deepEqual([error.code, said.test(error.message)], ["locked", true], error.message);
    return true;
  });
  other.release();
  assert.equal(await Deno.readTextFile(on.program), OLD);
});

Deno.test("update() never goes back", async () => {
  await using on = await scene();
  await assert.rejects(on.run({ version: "10.0.0" }), (error) => {
    assert.ok(error instanceof SageError);
    assert.equal(error.code, "refused");
    assert.match(error.message, /newest release is 9\.9\.9, and this is 10\.0\.0/);
    return true;
  });
  assert.deepEqual(filesIn(on.bin), ["sage"]);
});

Deno.test("update() leaves what a package manager counts to it", async () => {
  await using on = await scene();
  for (
    const [program, hint] of [
      ["/x/node_modules/sage-memory-linux-x64/bin/sage", /npm install/],
      ["/opt/homebrew/Cellar/sage/1.0.0/libexec/sage", /brew upgrade/],
      ["C:\\Users\\a\\AppData\\Local\\Microsoft\\WinGet\\Packages\\s\\sage.exe", /winget upgrade/],
    ] as const
  ) {
    await assert.rejects(
      on.run({ program }),
      (error) => error instanceof SageError && hint.test(error.hint ?? ""),
    );
  }
  assert.deepEqual(on.server.requests, []);
});

Deno.test("update() that fails at any step of the disk leaves a whole program under the name", async () => {
  const steps = ["makeDir", "open", "chmod", "link", "rename", "syncDir"] as const;
  let failures = 0;
  for (const step of steps) {
    for (let nth = 1; nth < 12; nth++) {
      await using on = await scene();
      const disk = failing(step, nth, on.bin);
      const outcome = await on.run({}, { fs: disk.fs }).catch((error: unknown) => error);
      if (!disk.failed()) break;
      failures++;
      assert.ok(outcome instanceof SageError || disk.isForgiven(outcome), String(outcome));
      const said = await says(on.program);
      assert.ok(["old\n", `sage ${VERSION}\n`].includes(said), `${step} ${nth}: ${said}`);
      // And the next attempt is not in the way of this one.
      await on.run();
      assert.equal(await says(on.program), `sage ${VERSION}\n`);
    }
  }
  assert.ok(failures > 8, `only ${failures} steps failed`);
});

/** The disk, but for the nth call of one kind below a folder, which fails. */
function failing(step: keyof Fs, nth: number, folder: string) {
  let calls = 0;
  const fs: Fs = {
    ...realFs,
    [step]: (...given: unknown[]) => {
      const isHere = given.some((one) => typeof one === "string" && one.startsWith(folder));
      if (isHere && ++calls === nth) throw new Deno.errors.PermissionDenied("no");
      return (realFs[step] as (...all: unknown[]) => unknown)(...given);
    },
  };
  return {
    fs,
    failed: () => calls >= nth,
    // A lock that cannot name its holder, and a page that cannot be renewed, are no failures.
    isForgiven: (outcome: unknown) => (outcome as { kind?: string }).kind === "updated",
  };
}

Deno.test("compareVersions() orders as semantic versions are ordered", () => {
  const inOrder = [
    ...["0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta"],
    ...["1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0"],
  ];
  inOrder.forEach((a, i) =>
    inOrder.forEach((b, j) =>
      assert.equal(Math.sign(compareVersions(a, b)), Math.sign(i - j), `${a} ${b}`)
    )
  );
});
