/** The whole way: install.sh, a life with the built program, `sage uninstall --all`, and the home again. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { hasBinary } from "../support/sage.ts";
import { madeRelease, openReleases } from "../support/release_server.ts";
import { tempDir } from "../support/temp_store.ts";
import { run as runIn } from "../support/within.ts";

const dist = new URL("../../dist/sage", import.meta.url).pathname;

/** Path → mode and hash of each file below, and each folder. */
async function tree(folder: string, prefix = ""): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    const mode = (((await Deno.lstat(path)).mode ?? 0) & 0o777).toString(8);
    const content = isDirectory
      ? "folder"
      : createHash("sha256").update(await Deno.readFile(path)).digest("hex");
    found.set(prefix + name, `${mode} ${content}`);
    if (isDirectory) {
      for (const [at, what] of await tree(path, `${prefix}${name}/`)) found.set(at, what);
    }
  }
  return found;
}

Deno.test({
  name: "what install.sh and a life with Sage left, sage uninstall --all takes away",
  ignore: !hasBinary || Deno.build.os !== "linux",
  async fn() {
    const release = await madeRelease();
    await using server = openReleases(release);
    const home = tempDir();
    // A folder that others use, too, and a page that is somebody's.
    await Deno.mkdir(`${home}/.local/share/man/man1`, { recursive: true });
    await Deno.mkdir(`${home}/project`);
    await Deno.mkdir(`${home}/.local/share/zsh/site-functions`, { recursive: true });
    await Deno.writeTextFile(`${home}/.local/share/zsh/site-functions/_sage`, "somebody's\n");
    const before = await tree(home);

    const run = async (program: string, args: readonly string[], env = {}): Promise<string> => {
      const { code, stdout, stderr } = await runIn(program, {
        args: [...args],
        cwd: `${home}/project`,
        env: { HOME: home, PATH: Deno.env.get("PATH") ?? "", ...env },
        clearEnv: true,
      });
      const said = stdout + stderr;
      assert.equal(code, 0, `${args.join(" ")}: ${said}`);
      return said;
    };
    const from = { SAGE_RELEASE_URL: server.url };
    await run("sh", [`${release.folder}/install.sh`], from);
    const program = `${home}/.local/bin/sage`;
    await Deno.remove(program);
    await Deno.link(dist, program).catch(() => Deno.copyFile(dist, program));
    await run(program, ["install", "claude-code"]);
    await run(program, [
      "checkpoint",
      "save",
      "-m",
      "Otters hold hands, so that none drifts away.",
    ]);
    await run(program, ["config", "set", "retrieval.max_items", "4"]);
    await run(program, ["search", "otters"]);
    const updates = { SAGE_UPDATE_URL: server.url, SAGE_RELEASE_KEY: release.publicKey };
    await run(program, ["update"], updates);
    await Deno.rename(`${program}.previous`, program);
    await Deno.writeTextFile(`${program}.previous`, "the one before");
    await Deno.writeTextFile(`${home}/.local/bin/sage-fedcba98.assets`, "its data");

    const said = await run(program, ["uninstall", "--all", "--yes"]);
    const stays = /^The program itself: rm "(.*)"$/m.exec(said)?.[1];
    assert.equal(stays, program);
    await Deno.remove(program);
    const after = await tree(home);
    const kept = [...after.keys()].filter((path) => !before.has(path));
    assert.ok(
      kept.every((path) => /^\.sage(\/checkpoints(\/.*)?)?$|^\.local\/bin$/.test(path)),
      said + kept.join("\n"),
    );
    assert.ok(kept.some((path) => path.endsWith(".md")), "the note is gone");
    for (const [path, what] of before) assert.equal(after.get(path), what, path);
  },
});
