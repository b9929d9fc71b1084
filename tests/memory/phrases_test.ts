/** The person's own phrases: read, confirmed by detection, handed on without saying whose they are. */
import assert from "node:assert/strict";
import { confirmedTriggers } from "../../src/detect/phrases/trigger_phrases.ts";
import { ownPhrases, readPhrases } from "../../src/memory/phrases/file.ts";
import { applyImport, exportPack, identifies, planImport } from "../../src/memory/phrases/pack.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import { put, read, world } from "../support/world.ts";

const OWN = `# Mine, and they stay as they are.
topic_shift:
  de: [machen wir was anderes, "Themenwechsel, bitte"]
  en:
    - put a pin in that   # a habit
branch_point:
  - it is a fork … in the road
  - 分かれ道だ
`;

const SECRET = KINDS.find(({ isGeneric }) => !isGeneric)?.make(seeded(2)) ??
  { text: "", secret: "" };

Deno.test("readPhrases() takes a list, or one for each language, and packs beside them", async () => {
  const { phrases, packs, problems } = await readPhrases(
    OWN + "team:\n  synthesis:\n    - so the upshot is\n",
  );
  assert.deepEqual(phrases, {
    topic_shift: ["machen wir was anderes", "themenwechsel, bitte", "put a pin in that"],
    branch_point: ["it is a fork … in the road", "分かれ道だ"],
  });
  assert.deepEqual([...packs], [["team", { synthesis: ["so the upshot is"] }]]);
  assert.deepEqual(problems, []);
});

Deno.test("readPhrases() names what is no phrase, and takes the rest", async () => {
  const { phrases, problems } = await readPhrases(
    `topic_shift: [ok, okay, "a … b … c d e f", "${
      "long ".repeat(30)
    }", next matter of business, "… in the end"]
sythesis: [a thing of beauty]
synthesis: {en: {us: [no list here]}}
branch_point: just one phrase
`,
  );
  assert.deepEqual(phrases, {
    topic_shift: ["next matter of business"],
    branch_point: ["just one phrase"],
  });
  assert.equal(problems.length, 7, problems.join("\n"));
  for (
    const [text, problem] of [["- a\n- b\n", /list of triggers/], ["a: [\n", /^\d+:\d+ /]] as const
  ) {
    const broken = await readPhrases(text);
    assert.deepEqual(broken.phrases, {});
    assert.match(broken.problems[0] ?? "", problem);
  }
});

Deno.test("a phrase, or a side of a gap, without letters is refused, as it would match everywhere", async () => {
  const { phrases, problems } = await readPhrases(
    `synthesis: ["\u0301 … settles the matter", "that settles … \u0301", "\u0301\u0302 \u0303\u0304\u0305\u0306\u0307"]\n`,
  );
  assert.deepEqual(phrases, {});
  assert.equal(problems.length, 3);
});

Deno.test("ownPhrases() are what detection takes as confirmation", async () => {
  using on = await world();
  assert.deepEqual(await ownPhrases(on.memory), {});
  put(`${on.home}/.sage/patterns.yaml`, OWN + "team:\n  synthesis: [so the upshot is]\n");
  const phrases = await ownPhrases(on.memory);
  const found = confirmedTriggers("Ok. Put a pin in that. So the upshot is: it works.", phrases);
  assert.equal(found.get("topic_shift"), "put a pin in that");
  assert.equal(found.get("synthesis"), "so the upshot is");
  assert.equal(confirmedTriggers("Nothing of the kind.", phrases).size, 0);
});

Deno.test("patterns.yaml of a project, a link or a folder is not read", async () => {
  using on = await world();
  put(`${on.cwd}/.sage/patterns.yaml`, OWN);
  assert.deepEqual(await ownPhrases(on.memory), {});
  put(`${on.home}/elsewhere.yaml`, OWN);
  await Deno.symlink(`${on.home}/elsewhere.yaml`, `${on.home}/.sage/patterns.yaml`);
  assert.deepEqual(await ownPhrases(on.memory), {});
});

Deno.test("identifies() knows what could say whose a phrase is", () => {
  const names = new Set(["meyer", "orchard"]);
  const refused = [
    "ask meyer about it",
    "back to the orchard project",
    "mail me@example.org then",
    "see https://example.org for it",
    "look into src/main.ts again",
    "open the config.yaml file",
    "ticket 4711 is done",
    "call the do_it function",
    "in the ~ folder again",
    `the key is ${SECRET.text}`,
  ];
  for (const phrase of refused) assert.notEqual(identifies(phrase, names), undefined, phrase);
  const fine = [
    "put a pin in that",
    "machen wir was anderes",
    "it's a fork … in the road",
    "分かれ道だ",
  ];
  for (const phrase of fine) assert.equal(identifies(phrase, names), undefined, phrase);
});

Deno.test("exportPack() leaves out names of the person, of git's identity and of the project", async () => {
  using on = await world();
  on.env.USER = "jmeyer";
  put(
    `${on.home}/.gitconfig`,
    "[user]\n\tname = Johanna Zwiebel\n\temail = hanna.berg@example.org\n",
  );
  put(
    `${on.home}/.sage/patterns.yaml`,
    "synthesis:\n  - so says jmeyer again\n  - as johanna would say\n  - hanna said it first\n  - so the upshot is\n",
  );
  const { phrases, refused, text } = await exportPack(on.memory);
  assert.deepEqual(phrases, { synthesis: ["so the upshot is"] });
  assert.equal(refused.length, 3, JSON.stringify(refused));
  for (const absent of ["jmeyer", "johanna", "hanna", on.home]) assert.ok(!text.includes(absent));
  assert.match(
    text,
    /^# Phrases for Sage, exported 2026-01-13\..*\nsynthesis: \[so the upshot is\]\n$/,
  );
});

Deno.test("an import adds only new phrases, as a pack below the person's own text, which stays byte for byte", async () => {
  using on = await world();
  const path = `${on.home}/.sage/patterns.yaml`;
  put(path, OWN);
  const pack = "topic_shift: [put a pin in that, next matter of business]\n";
  const plan = await planImport(on.memory, pack, "/tmp/My Team.yaml");
  assert.deepEqual([plan.name, plan.phrases], ["my-team", {
    topic_shift: ["next matter of business"],
  }]);
  await applyImport(on.memory, plan);
  assert.equal(read(path), OWN + "my-team:\n  topic_shift: [next matter of business]\n");
  assert.ok((await ownPhrases(on.memory)).topic_shift?.includes("next matter of business"));
  // Again: nothing is new; other phrases under the same name stand beside it.
  assert.deepEqual((await planImport(on.memory, pack, "My Team.yaml")).phrases, {});
  const more = await planImport(on.memory, "synthesis: [so the upshot is]\n", "my-team.yml");
  await applyImport(on.memory, more);
  assert.match(read(path), /\nmy-team-2:\n {2}synthesis: \[so the upshot is\]\n$/);
});

Deno.test("an import leaves an unreadable file alone, and takes no phrase that could identify somebody", async () => {
  using on = await world();
  const path = `${on.home}/.sage/patterns.yaml`;
  put(path, "topic_shift: [\n");
  const plan = await planImport(on.memory, "synthesis: [so the upshot is]\n", "x.yaml");
  await assert.rejects(applyImport(on.memory, plan), /Cannot add to .*patterns\.yaml:\d+:\d+/);
  assert.equal(read(path), "topic_shift: [\n");
  // To a mapping in braces nothing can be added below.
  put(path, "{topic_shift: [put a pin in that]}\n");
  await assert.rejects(applyImport(on.memory, plan), /Cannot add to .*patterns\.yaml:\d+:\d+/);
  assert.equal(read(path), "{topic_shift: [put a pin in that]}\n");
  const hostile = await planImport(
    on.memory,
    `synthesis: ["visit https://evil.example now", "run \`curl x\` for it"]\n`,
    "../../etc/passwd",
  );
  assert.deepEqual(hostile.phrases, {});
  assert.equal(hostile.refused.length, 2);
  assert.equal(hostile.name, "passwd");
});

Deno.test("an import keeps bytes that are not text, and does not replace a link by a file", async () => {
  using on = await world();
  const path = `${on.home}/.sage/patterns.yaml`;
  const latin = new Uint8Array([0xef, 0xbb, 0xbf, 0x23, 0x20, 0xe9, 0x0a]);
  await Deno.writeFile(path, latin);
  const plan = await planImport(on.memory, "synthesis: [so the upshot is]\n", "x.yaml");
  await applyImport(on.memory, plan);
  assert.deepEqual((await Deno.readFile(path)).slice(0, latin.length), latin);
  await Deno.rename(path, `${on.home}/dotfiles.yaml`);
  await Deno.symlink(`${on.home}/dotfiles.yaml`, path);
  await assert.rejects(applyImport(on.memory, plan), /is not a file/);
  assert.ok((await Deno.lstat(path)).isSymlink);
});

Deno.test("a phrase with a gap matches what stands on both sides of it, in upper and lower case", () => {
  const own = { synthesis: ["Kurz … gesagt"] };
  const said = (text: string) => confirmedTriggers(text, own).get("synthesis");
  assert.equal(said("KURZ und gut gesagt: es liegt am Worker."), "Kurz … gesagt");
  assert.equal(said("Kurz. Dann hat er es gesagt."), undefined);
});
