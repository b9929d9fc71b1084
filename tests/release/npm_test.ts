/** The npm packages as npm itself packs and installs them, without a registry. */
import assert from "node:assert/strict";
import { npmName } from "../../scripts/release/npm.ts";
import { TARGETS } from "../../scripts/release/targets.ts";
import { isOnThisMachine } from "../support/on_this_machine.ts";
import { madeRelease, VERSION } from "../support/release_server.ts";
import { tempDir } from "../support/temp_store.ts";
import { run as runIn } from "../support/within.ts";

const own = TARGETS.find(({ triple }) => triple === Deno.build.target);
/** npm looks for a registry first, also where it is told not to. */
const INSTALL_MS_MAX = 180_000;
const hasNpm = isOnThisMachine("npm");
const isHere = hasNpm && own !== undefined && Deno.build.os !== "windows";

/** What npm and what it installs may see. */
function environment(home: string): Record<string, string> {
  return {
    HOME: home,
    PATH: Deno.env.get("PATH") ?? "",
    npm_config_cache: `${home}/cache`,
    npm_config_update_notifier: "false",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
}

async function run(home: string, name: string, args: readonly string[]) {
  const how = { args: [...args], cwd: home, env: environment(home), clearEnv: true };
  const { code, stdout: out, stderr: err } = await runIn(name, { ...how, msMax: INSTALL_MS_MAX });
  return { code, out, err };
}

Deno.test({
  name: `npx sage-memory runs the program of this platform${
    hasNpm ? "" : ": npm is not on this machine"
  }`,
  ignore: !isHere,
  async fn() {
    const program = `#!/bin/sh\necho "sage ${VERSION} $*"\n[ "$1" != fail ] || exit 4\n` +
      `[ "$1" != die ] || kill -TERM $$\n`;
    const { folder } = await madeRelease({ program });
    const home = tempDir();
    const packages = [own === undefined ? "" : npmName(own), "sage-memory"];
    const archives: string[] = [];
    for (const name of packages) {
      const { code, out, err } = await run(home, "npm", ["pack", `${folder}/npm/${name}`]);
      assert.equal(code, 0, err);
      archives.push(`./${out.trim().split("\n").at(-1)}`);
    }
    await Deno.writeTextFile(`${home}/package.json`, '{"private": true}\n');
    const installed = await run(home, "npm", ["install", "--offline", ...archives]);
    assert.equal(installed.code, 0, installed.err);
    const npx = (...args: string[]) => run(home, "npx", ["--offline", "sage-memory", ...args]);
    assert.deepEqual(await npx("--version"), {
      code: 0,
      out: `sage ${VERSION} --version\n`,
      err: "",
    });
    assert.equal((await npx("fail", "a b")).code, 4);
    const died = await run(home, "node_modules/.bin/sage", ["die"]);
    assert.equal(died.code, 143);

    await Deno.remove(`${home}/node_modules/${packages[0]}`, { recursive: true });
    const { code, err } = await npx("--version");
    assert.equal(code, 1);
    assert.match(err, /^sage: There is no program for \w+ on \w+ here\n {2}install again/);
  },
});

Deno.test("each package says which machines it is for, and the first needs no other", async () => {
  const { folder } = await madeRelease();
  const read = async (name: string) =>
    JSON.parse(await Deno.readTextFile(`${folder}/npm/${name}/package.json`));
  const main = await read("sage-memory");
  assert.deepEqual(
    main.optionalDependencies,
    Object.fromEntries(TARGETS.map((target) => [npmName(target), VERSION])),
  );
  assert.equal(main.dependencies, undefined);
  assert.equal(main.scripts, undefined, "nothing runs when it is installed");
  for (const target of TARGETS) {
    const { name, version, os, cpu } = await read(npmName(target));
    assert.deepEqual([name, version, os, cpu], [
      npmName(target),
      VERSION,
      [target.os],
      [target.cpu],
    ]);
  }
});
