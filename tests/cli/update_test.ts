/** `sage update` as the built program does it to itself, against a server on this machine. */
import assert from "node:assert/strict";
import { hasBinary, sage } from "../support/sage.ts";
import {
  madeRelease,
  openReleases,
  type ReleaseServer,
  VERSION,
} from "../support/release_server.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

const dist = new URL("../../dist/sage", import.meta.url).pathname;
const release = await madeRelease();

/** The built program under a name of its own, in a home of its own. */
async function installed() {
  const home = tempDir();
  const bin = `${home}/bin`;
  await Deno.mkdir(bin);
  // A second name is as good as a copy of it, and quicker; an update gives the name away.
  await Deno.link(dist, `${bin}/sage`).catch(() => Deno.copyFile(dist, `${bin}/sage`));
  return {
    bin,
    async run(args: readonly string[], env: Record<string, string> = {}) {
      const { code, stdout: out, stderr: err } = await run(`${bin}/sage`, {
        args: [...args],
        cwd: home,
        env: { HOME: home, ...env },
        clearEnv: true,
      });
      return { code, out, err };
    },
  };
}

function env({ url }: ReleaseServer): Record<string, string> {
  return { SAGE_UPDATE_URL: url, SAGE_RELEASE_KEY: release.publicKey };
}

Deno.test({
  name: "sage update replaces itself, and says how to go back",
  ignore: !hasBinary || Deno.build.os !== "linux",
  async fn() {
    await using server = openReleases(release);
    const { bin, run } = await installed();
    const looked = await run(["update", "--check", "--json"], env(server));
    assert.equal(looked.code, 0, looked.err);
    assert.deepEqual(JSON.parse(looked.out).kind, "available");
    assert.deepEqual(filesIn(bin), ["sage"]);

    const { code, out, err } = await run(["update"], env(server));
    assert.equal(code, 0, err);
    assert.match(out, new RegExp(`^Updated \\S+ to ${VERSION}: ${bin}/sage\n$`));
    assert.match(err, new RegExp(`mv "${bin}/sage.previous" "${bin}/sage"`));
    assert.equal((await run(["--version"])).out, `sage ${VERSION}\n`);
    await Deno.rename(`${bin}/sage.previous`, `${bin}/sage`);
    assert.match((await run(["--version"])).out, /^sage .*\ncommit /);
  },
});

Deno.test({
  name: "sage update asks nobody else, and nothing else asks for an update",
  ignore: !hasBinary,
  async fn() {
    await using server = openReleases(release);
    const { bin, run } = await installed();
    for (const args of [[], ["status"], ["doctor"], ["--version"], ["init"]]) {
      await run(args, env(server));
    }
    assert.deepEqual(server.requests, []);
    const elsewhere = await run(["update"], {
      ...env(server),
      SAGE_UPDATE_URL: "https://example.org/sage",
    });
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.err, /may not connect to example\.org/);
    const nowhere = await run(["update"]);
    assert.deepEqual([nowhere.code, /without a server to update from/.test(nowhere.err)], [
      2,
      true,
    ]);
    const keyless = await run(["update"], { SAGE_UPDATE_URL: server.url });
    assert.match(keyless.err, /has no key to verify a release with/);
    assert.deepEqual(filesIn(bin), ["sage"]);
  },
});

Deno.test("sage update has nothing to replace when it runs from the sources", async () => {
  const { code, stderr } = await sage(["update"], { home: tempDir() });
  assert.equal(code, 2);
  assert.match(stderr, /^sage: Cannot update the sources/);
});

Deno.test("update.url takes https, and http of this machine only", async () => {
  const home = tempDir();
  for (
    const [url, code] of [
      ["https://example.org/sage/latest", 0],
      ["http://127.0.0.1:8080", 0],
      ["http://[::1]:80/a", 0],
      ["https://example.org/sage/", 0],
      ["http://example.org", 2],
      ["https://example.org/a?b", 2],
      ["https://user@example.org", 2],
      ["file:///x", 2],
    ] as const
  ) {
    assert.equal((await sage(["config", "set", "update.url", url], { home })).code, code, url);
  }
});
