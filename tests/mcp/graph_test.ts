import assert from "node:assert/strict";
import { enterVault } from "../../src/memory/vault/move.ts";
import { put } from "../support/world.ts";
import { withServer } from "./connect.ts";

Deno.test("sage_graph walks and asks, with titles in the fence and numbers outside", () =>
  withServer(async ({ call }) => {
    const save = (title: string, content: string) =>
      call("sage_save_knowledge", { title, content });
    await save("Git worktrees", "They share hooks: [[hooks-in-git]]. And [[nothing-there]].");
    await save("Hooks in git", "Scripts that git runs, see [[Lock files]].");
    await save("Lock files", "One each.");
    await save("Weather", "It rains.");
    const ids = async (args: Record<string, unknown>): Promise<string[]> => {
      const { data, text } = await call("sage_graph", args);
      assert.match(text, /note|No/);
      return (data.items as { id: string }[]).map(({ id }) => id);
    };
    assert.deepEqual(await ids({ action: "links", note: "git-worktrees" }), ["hooks-in-git"]);
    assert.deepEqual(await ids({ action: "backlinks", note: "Hooks in git" }), ["git-worktrees"]);
    assert.deepEqual(await ids({ action: "path", note: "git-worktrees", to: "lock-files" }), [
      "git-worktrees",
      "hooks-in-git",
      "lock-files",
    ]);
    assert.deepEqual(await ids({ action: "orphans" }), ["weather"]);
    assert.deepEqual(await ids({ action: "unresolved" }), ["git-worktrees"]);
    assert.deepEqual((await ids({ action: "near", note: "lock-files", depth: 2 })).sort(), [
      "git-worktrees",
      "hooks-in-git",
    ]);
    assert.deepEqual(
      await ids({ action: "query", query: "type:knowledge links:>0 sort:id", limit: 1 }),
      ["git-worktrees"],
    );
    const { data } = await call("sage_graph", { action: "query", query: "rains" });
    assert.match(String(data.notes), /<recalled [^]*Weather/);
    for (
      const [args, said] of [
        [{ action: "path", note: "weather" }, /give "note" and "to"/],
        [{ action: "links" }, /give "note"/],
        [{ action: "query" }, /give "query"/],
        [{ action: "query", query: "is:lost" }, /is:lost/],
        [{ action: "links", note: "Wether" }, /^No note "Wether"\. Nearest:/],
        [{ action: "path", note: "weather", to: "nobody" }, /^No note "nobody"/],
      ] as const
    ) {
      const { isError, text } = await call("sage_graph", args);
      assert.ok(isError);
      assert.match(text, said);
    }
  }, { profile: "full" }));

Deno.test("sage_graph takes the beginning of an id, and says which notes it may be", () =>
  withServer(async ({ call }) => {
    await call("sage_save_knowledge", { title: "Git worktrees", content: "They share hooks." });
    await call("sage_save_knowledge", {
      title: "Git workflows",
      content: "See [[git-worktrees]].",
    });
    const { text } = await call("sage_graph", { action: "backlinks", note: "git-workt" });
    assert.match(text, /^1 note linking to it\.[^]*Git workflows/);
    const several = await call("sage_graph", { action: "links", note: "git" });
    assert.ok(several.isError);
    assert.match(several.text, /^"git" names 2 notes: git-work.* Call again with one full id\.$/);
  }, { profile: "full" }));

Deno.test("sage_graph says of a note that somebody else promoted that it left", () =>
  withServer(async ({ call, project }) => {
    await call("sage_save_knowledge", { title: "Git worktrees", content: "They share hooks." });
    put(
      `${project}/.sage/redirects/index-locks.md`,
      "---\ntype: redirect\nid: index-locks\nto: index-locks\npath: knowledge/index-locks.md\n" +
        "title: Index locks\nmoved: 2026-01-01T00:00:00Z\n---\n\nKept.\n",
    );
    for (
      const args of [
        { action: "backlinks", note: "Index locks" },
        { action: "path", note: "git-worktrees", to: "index-locks" },
      ]
    ) {
      const { isError, text } = await call("sage_graph", args);
      assert.ok(isError);
      assert.match(text, /Index locks" left this project on "2026-01-01"/);
    }
  }, { profile: "full" }));

Deno.test("sage_graph says where links lead that lead to no note of Sage's", () =>
  withServer(async ({ call, home, use }) => {
    put(`${home}/Vault/Bees.md`, "Bees dance.\n");
    await use((memory) => enterVault(memory, { project: true, dir: `${home}/Vault` }));
    await call("sage_save_knowledge", { title: "Dances", content: "See [[Bees]], [[Wasps]]." });
    const { text } = await call("sage_graph", { action: "links", note: "Dances" });
    assert.equal(
      text,
      'No note it links to. It names "Bees": in the vault, and no note of Sage\'s. ' +
        'It names "Wasps": no note has that name.',
    );
  }, { profile: "full" }));
