/**
 * R26: a model is what was published. A hub on this machine publishes one, and then lies, cuts, sends
 * elsewhere and fills the disk: whatever it does, the model that was there before works on.
 */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { openBertEmbedder } from "../../src/embed/bert_embedder.ts";
import {
  installedNames,
  modelId,
  readInstalled,
  writeInstalled,
} from "../../src/embed/pulled/installed.ts";
import { lockPull, type Pull, pullModel } from "../../src/embed/pulled/pull.ts";
import { bertFiles, TINY, writeBert } from "../support/bert_model.ts";
import { COMMIT, type Misbehaviour, type ModelHub, openHub } from "../support/model_hub.ts";
import { tempDir } from "../support/temp_store.ts";

const FIRST = bertFiles(TINY, { seed: 1 });
const SECOND = bertFiles(TINY, { seed: 2 });
const OTHER = "89abcdef".repeat(5);
const WEIGHTS = FIRST.get("model.safetensors") ?? new Uint8Array();

Deno.test("pullModel() brings a model that embeds, and records what it was made from", async () => {
  await using hub = openHub(FIRST);
  const modelsDir = folder();
  const facts = await pullModel(request(hub, modelsDir));
  assert.equal(facts.revision, COMMIT);
  assert.deepEqual(facts.files.map(({ name }) => name), [
    ...["1_Pooling/config.json", "config.json", "model.safetensors"],
    ...["sentence_bert_config.json", "tokenizer.json"],
  ]);
  assert.ok(facts.files.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)));
  assert.deepEqual(readInstalled(realFs, modelsDir, "tiny"), facts);
  assert.deepEqual(files(modelsDir), ["tiny", `tiny/${facts.weights.name}`, "tiny/model.json"]);
  const embedder = openBertEmbedder(realFs, modelsDir, "tiny", fail);
  assert.equal(embedder.id, modelId(facts));
  assert.equal(embedder.embedQuery("memory")?.length, TINY.width);
  embedder.close();
});

Deno.test("pullModel() takes the same model from a folder, without a network", async () => {
  const [modelsDir, source] = [folder(), folder()];
  writeBert(source, TINY, { seed: 1 });
  await using hub = openHub(FIRST);
  const local = await pullModel(fromFolder(modelsDir, source));
  const fetched = await pullModel({ ...request(hub, modelsDir), name: "fetched" });
  assert.equal(local.weights.sha256, fetched.weights.sha256);
  assert.deepEqual(installedNames(realFs, modelsDir), ["fetched", "tiny"]);
});

Deno.test("pullModel() takes the prompts that a model asks for, unless others are given", async () => {
  const prompts = { prompts: { query: "ask: ", passage: "answer: ", other: 1 } };
  const file = new TextEncoder().encode(JSON.stringify(prompts));
  await using hub = openHub(new Map([...FIRST, ["config_sentence_transformers.json", file]]));
  const own = { ...request(hub, folder()), queryPrefix: undefined, documentPrefix: undefined };
  const asked = await pullModel(own);
  assert.deepEqual([asked.queryPrefix, asked.documentPrefix], ["ask: ", "answer: "]);
  const given = await pullModel({ ...own, queryPrefix: "", documentPrefix: "x" });
  assert.deepEqual([given.queryPrefix, given.documentPrefix], ["", "x"]);
});

Deno.test("pullModel() fetches nothing anew that is here, whole and the same", async () => {
  await using hub = openHub(FIRST);
  const modelsDir = folder();
  const first = await pullModel(request(hub, modelsDir));
  const fetched = hub.requests.length;
  assert.deepEqual(await pullModel({ ...request(hub, modelsDir), now: () => 1e12 }), first);
  assert.equal(hub.requests.length, fetched + 1, "only the list was asked for");
  assert.equal(files(modelsDir).length, 3);
  const path = `${modelsDir}/tiny/${first.weights.name}`;
  await Deno.writeFile(path, (await Deno.readFile(path)).fill(1, 9000, 9001));
  await pullModel(request(hub, modelsDir));
  works(modelsDir, first.weights.sha256);
  const other = await pullModel({ ...request(hub, modelsDir), queryPrefix: "x" });
  assert.equal(other.queryPrefix, "x");
});

Deno.test("pullModel() of the same model again keeps what a person fitted, and of another does not", async () => {
  const [modelsDir, source] = [folder(), folder()];
  writeBert(source, TINY);
  await using hub = openHub(FIRST);
  const again = { ...request(hub, modelsDir), from: { folder: source } };
  const own = [[0, 0], [0.5, 0.7], [1, 1]] as const;
  const first = await pullModel(again);
  writeInstalled(realFs, modelsDir, { ...first, calibration: own, calibratedBy: "own pairs" });
  assert.deepEqual((await pullModel(again)).calibration, own);
  assert.deepEqual((await pullModel({ ...again, queryPrefix: "x" })).calibratedBy, "pairs");
});

Deno.test("pullModel() of a commit that is here whole needs no hub", async () => {
  await using hub = openHub(FIRST);
  const modelsDir = folder();
  const pinned = { ...request(hub, modelsDir), from: from(hub, COMMIT) };
  const first = await pullModel(pinned);
  const asked = hub.requests.length;
  hub.misbehave({ status: 503 });
  assert.deepEqual(await pullModel(pinned), first);
  assert.equal(hub.requests.length, asked);
  await fails({ ...pinned, queryPrefix: "x" }, "unreachable");
});

Deno.test("pullModel() goes on by itself where the connection was cut", async () => {
  await using hub = openHub(FIRST);
  hub.misbehave({ cutsAt: 50_000 });
  const facts = await pullModel(request(hub, folder()));
  assert.equal(facts.files.find(({ name }) => name === "model.safetensors")?.size, WEIGHTS.length);
  const asked = hub.requests.filter((line) => line.includes("model.safetensors"));
  assert.equal(asked.length, 2);
  assert.match(asked[1] ?? "", / bytes=[1-9]\d*-$/);
});

Deno.test("pullModel() goes on in the next run, and begins anew where a hub sends all", async () => {
  for (const wholeOnly of [false, true]) {
    await using hub = openHub(FIRST);
    const modelsDir = folder();
    hub.misbehave({ cutsAt: 50_000, alwaysCuts: true });
    await fails(request(hub, modelsDir), "unreachable", /broke at .* MB .*model\.safetensors/);
    assert.deepEqual(installedNames(realFs, modelsDir), []);
    assert.ok(files(modelsDir).some((path) => path.endsWith(".part")));
    hub.misbehave({ wholeOnly });
    const before = hub.requests.length;
    await pullModel(request(hub, modelsDir));
    const later = hub.requests.slice(before).filter((line) => !line.includes("/api/"));
    assert.equal(later.filter((line) => / bytes=/.test(line)).length, 1);
    assert.deepEqual(installedNames(realFs, modelsDir), ["tiny"]);
  }
});

const LIES: readonly (readonly [string, Misbehaviour, string])[] = [
  ["another SHA-256", { sha256: "0".repeat(64) }, "refused"],
  ["no SHA-256", { sha256: "none" }, "refused"],
  ["a smaller size", { size: WEIGHTS.length - 64 }, "refused"],
  ["a larger size", { size: WEIGHTS.length + 64 }, "refused"],
  ["an impossible size", { size: 2 ** 45 }, "disk_full refused"],
  ["a negative size", { size: -1 }, "refused"],
  ["one flipped byte in the weights", { change: flipped("model.safetensors") }, "refused"],
  ["one flipped byte in the tokenizer", { change: flipped("tokenizer.json") }, "refused"],
  ["one flipped byte in the settings", { change: flipped("config.json") }, "refused"],
  ["another revision", { commit: "f".repeat(40) }, "refused"],
  ["no revision", { commit: "main" }, "refused"],
  ["a list that is no JSON", { list: "<html>" }, "refused"],
  ["a list of nothing", { list: `{"sha":"${OTHER}"}` }, "invalid_model"],
  ["a list without an end", { list: " ".repeat(5_000_000) }, "refused"],
  ["plain http elsewhere", { redirect: "http://example.org/model" }, "refused"],
  ["https elsewhere", { redirect: "https://example.org/model" }, "refused"],
  ["another port of this machine", { redirect: "http://127.0.0.1:1/model" }, "refused"],
  ["a file of this machine", { redirect: "file:///etc/hosts" }, "refused"],
  ["no address", { redirect: "http://" }, "refused"],
  ["a circle", { redirect: "/x/y/resolve/" + COMMIT + "/model.safetensors" }, "refused"],
  ["no such model", { status: 404 }, "not_found"],
  ["an account", { status: 401 }, "not_found"],
  ["a failure of its own", { status: 503 }, "unreachable"],
];

for (const [what, how, codes] of LIES) {
  Deno.test(`pullModel() leaves the old model at work when the hub has ${what}`, async () => {
    await using hub = openHub(FIRST);
    const modelsDir = folder();
    const old = await pullModel(request(hub, modelsDir));
    hub.publish(SECOND, OTHER);
    hub.misbehave(how);
    await fails({ ...request(hub, modelsDir), from: from(hub, OTHER) }, codes);
    works(modelsDir, old.weights.sha256);
    hub.misbehave({});
    const next = await pullModel(request(hub, modelsDir));
    assert.notEqual(next.weights.sha256, old.weights.sha256);
    assert.equal(files(modelsDir).length, 3, "something was left behind");
  });
}

Deno.test("pullModel() refuses a part that was not asked for", async () => {
  await using hub = openHub(FIRST);
  const modelsDir = folder();
  hub.misbehave({ cutsAt: 50_000, alwaysCuts: true });
  await fails(request(hub, modelsDir), "unreachable");
  hub.misbehave({ wrongPart: true });
  await fails(request(hub, modelsDir), "refused", /another part/);
});

Deno.test("pullModel() finds out when what lies there of a file was changed", async () => {
  await using hub = openHub(FIRST);
  const modelsDir = folder();
  hub.misbehave({ cutsAt: 50_000, alwaysCuts: true });
  await fails(request(hub, modelsDir), "unreachable");
  const part = files(modelsDir).find((path) => path.endsWith(".part")) ?? "";
  const bytes = await Deno.readFile(`${modelsDir}/${part}`);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  await Deno.writeFile(`${modelsDir}/${part}`, bytes);
  hub.misbehave({});
  await fails(request(hub, modelsDir), "refused", /not what was published/);
  await pullModel(request(hub, modelsDir));
});

Deno.test("pullModel() refuses other weights than the known ones, whatever the hub says", async () => {
  await using hub = openHub(FIRST);
  const modelsDir = folder();
  const known = { ...from(hub, COMMIT), weightsSha256: "1".repeat(64) };
  await fails({ ...request(hub, modelsDir), from: known }, "refused", /other weights/);
  assert.deepEqual(hub.requests.filter((line) => line.includes("/resolve/")), []);
});

Deno.test("pullModel() says so when nobody answers, and leaves no folder", async () => {
  const gone = openHub(FIRST);
  const { url } = gone;
  await gone[Symbol.asyncDispose]();
  const modelsDir = folder();
  await fails(
    { ...request(gone, modelsDir), from: { ...from(gone, "main"), hub: url } },
    "unreachable",
  );
  await assert.rejects(Deno.stat(modelsDir), Deno.errors.NotFound);
});

Deno.test("pullModel() survives a full disk at any point, and a repeat succeeds", async () => {
  await using hub = openHub(FIRST);
  for (let n = 1; n < 200; n++) {
    const modelsDir = folder();
    const old = await pullModel({ ...request(hub, modelsDir), onProgress: () => {} });
    hub.publish(SECOND, OTHER);
    const { fs, wasHit } = fullAfter(n);
    if (await isDone({ ...request(hub, modelsDir), fs })) {
      assert.ok(!wasHit());
      assert.ok(n > 10, `only ${n} writes`);
      return;
    }
    works(modelsDir, old.weights.sha256);
    const next = await pullModel(request(hub, modelsDir));
    assert.notEqual(next.weights.sha256, old.weights.sha256);
    assert.equal(files(modelsDir).length, 3, `something was left behind after write ${n}`);
    hub.publish(FIRST, COMMIT);
  }
  assert.fail("it writes without an end");
});

Deno.test("pullModel() refuses a second process at the same model", async () => {
  await using hub = openHub(FIRST);
  const modelsDir = folder();
  hub.misbehave({ cutsAt: 1000, alwaysCuts: true });
  await fails(request(hub, modelsDir), "unreachable");
  using lock = await Deno.open(`${modelsDir}/tiny/.pull/lock`, { read: true, write: true });
  await lock.lock(true);
  await fails(request(hub, modelsDir), "locked");
});

Deno.test("pullModel() refuses what it cannot compute before it fetches the weights", async () => {
  const files = new Map([...FIRST, ["2_Dense/config.json", new Uint8Array(3)]]);
  await using hub = openHub(files);
  const modelsDir = folder();
  await fails(request(hub, modelsDir), "invalid_model", /layer/);
  await fails({ ...request(hub, modelsDir), name: "../x" }, "usage");
  assert.deepEqual(hub.requests.filter((line) => line.includes("/resolve/")), []);
});

Deno.test("pullModel() refuses a model whose vectors are none", async () => {
  const bytes = WEIGHTS.slice();
  const view = new DataView(bytes.buffer);
  const from = 8 + Number(view.getBigUint64(0, true));
  // Each of them is a number; their sum is none.
  for (let at = from; at < bytes.length; at += 4) view.setFloat32(at, 3e38, true);
  await using hub = openHub(new Map([...FIRST, ["model.safetensors", bytes]]));
  const modelsDir = folder();
  await fails(request(hub, modelsDir), "invalid_model", /no directions/);
  await assert.rejects(Deno.stat(modelsDir), Deno.errors.NotFound);
});

Deno.test("pullModel() lets nobody in while it tidies up", async () => {
  await using hub = openHub(FIRST);
  const modelsDir = folder();
  let others = 0;
  const fs: Fs = {
    ...realFs,
    unlink(path) {
      if (path.endsWith("/lock")) {
        others++;
        assert.throws(() => lockPull(realFs, `${modelsDir}/tiny/.pull`, "tiny"), {
          code: "locked",
        });
      }
      realFs.unlink(path);
    },
  };
  await pullModel({ ...request(hub, modelsDir), fs });
  assert.equal(others, 1);
});

Deno.test("readInstalled() takes no facts of another model or another form", async () => {
  await using hub = openHub(FIRST);
  const modelsDir = folder();
  await pullModel(request(hub, modelsDir));
  const path = `${modelsDir}/tiny/model.json`;
  const text = await Deno.readTextFile(path);
  const changes = [
    ['"format": 1', '"format": 2'],
    ['"name": "tiny"', '"name": "other"'],
    ['"dimensions"', '"languages": "german", "dimensions"'],
  ];
  for (const [from, to] of changes) {
    await Deno.writeTextFile(path, text.replace(from ?? "", to ?? ""));
    assert.throws(() => readInstalled(realFs, modelsDir, "tiny"), { code: "invalid_model" }, to);
  }
});

Deno.test("a pulled model says which languages it understands, if that was measured", async () => {
  await using hub = openHub(FIRST);
  const modelsDir = folder();
  // Without training it understands nothing.
  const facts = await pullModel(request(hub, modelsDir));
  const understood = (): ReadonlySet<string> | undefined => {
    const embedder = openBertEmbedder(realFs, modelsDir, "tiny", () => {});
    embedder.close();
    return embedder.languages;
  };
  assert.equal(understood(), undefined);
  writeInstalled(realFs, modelsDir, { ...facts, languages: ["german"] });
  assert.deepEqual(understood(), new Set(["german"]));
});

Deno.test("lockPull() takes no lock that another process has taken away meanwhile", () => {
  const work = folder();
  const fs: Fs = {
    ...realFs,
    open(path, options) {
      const file = realFs.open(path, options);
      realFs.unlink(path);
      return file;
    },
  };
  assert.throws(() => lockPull(fs, work, "tiny"), { code: "locked" });
});

Deno.test("pullModel() leaves nothing of a model that cannot be used", async () => {
  const modelsDir = folder();
  await using hub = openHub(bertFiles(TINY, { config: { model_type: "gpt2" } }));
  await fails(request(hub, modelsDir), "invalid_model", /model_type/);
  await assert.rejects(Deno.stat(modelsDir), Deno.errors.NotFound);
  assert.ok(hub.requests.every((line) => !line.includes("model.safetensors")), "for nothing");
});

function request(hub: ModelHub, modelsDir: string): Pull {
  return {
    fs: realFs,
    modelsDir,
    name: "tiny",
    from: from(hub, "main"),
    queryPrefix: "query: ",
    documentPrefix: "",
    now: () => 0,
    onProgress: () => {},
  };
}

function from(hub: ModelHub, revision: string) {
  return { hub: hub.url, repository: "x/y", revision };
}

function fromFolder(modelsDir: string, source: string): Pull {
  const { from: _, ...rest } = request({ url: "" } as ModelHub, modelsDir);
  return { ...rest, from: { folder: source } };
}

async function fails(pull: Pull, codes: string, message = /./): Promise<void> {
  await assert.rejects(pullModel(pull), (error) => {
    assert.ok(error instanceof SageError, String(error));
    assert.ok(codes.split(" ").includes(error.code), `${error.code}: ${error.message}`);
    assert.match(error.message, message);
    return true;
  });
}

async function isDone(pull: Pull): Promise<boolean> {
  try {
    await pullModel(pull);
    return true;
  } catch (error) {
    assert.ok(error instanceof SageError, String(error));
    assert.equal(error.code, "disk_full");
    return false;
  }
}

function works(modelsDir: string, sha256: string): void {
  const embedder = openBertEmbedder(realFs, modelsDir, "tiny", fail);
  assert.equal(embedder.facts.weights.sha256, sha256);
  assert.ok(embedder.embedQuery("memory") !== undefined);
  embedder.close();
}

function flipped(file: string) {
  return (name: string, bytes: Uint8Array): Uint8Array => {
    if (name !== file) return bytes;
    const changed = bytes.slice();
    const at = bytes.length - 7;
    changed[at] = (changed[at] ?? 0) ^ 4;
    return changed;
  };
}

/** The disk, full from its n-th write on. */
function fullAfter(n: number): { fs: Fs; wasHit: () => boolean } {
  let writes = 0;
  const fs: Fs = {
    ...realFs,
    open(path, options) {
      const file = realFs.open(path, options);
      return {
        ...file,
        write(bytes) {
          if (++writes >= n) throw Object.assign(new Error("full"), { code: "ENOSPC" });
          file.write(bytes);
        },
      };
    },
  };
  return { fs, wasHit: () => writes >= n };
}

function files(dir: string, prefix = ""): string[] {
  return [...Deno.readDirSync(dir)].flatMap(({ name, isDirectory }) => [
    prefix + name,
    ...(isDirectory ? files(`${dir}/${name}`, `${prefix}${name}/`) : []),
  ]).sort();
}

function folder(): string {
  return tempDir();
}

function fail(warning: string): never {
  throw new Error(warning);
}
