import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { hasFlag, parseInput, splitWord } from "../../src/cli/args.ts";
import { defineCommand, type NamedCommand } from "../../src/cli/command.ts";

const named: NamedCommand = {
  name: "sage thing do",
  summary: "do a thing",
  usage: "sage thing do <id>",
  command: defineCommand({
    operands: [0, 2],
    options: {
      message: { type: "string", short: "m", value: "text", summary: "" },
      priority: { type: "string", choices: ["high", "low"], summary: "" },
      limit: { type: "number", min: 1, max: 10, summary: "" },
      keywords: { type: "list", summary: "" },
      evidence: { type: "strings", summary: "" },
      vault: { type: "string", value: "vault", summary: "" },
      prefix: { type: "string", value: "text", summary: "" },
      yes: { type: "boolean", short: "y", summary: "" },
    },
    run: () => Promise.resolve(undefined),
  }),
};

function parse(...args: string[]) {
  return parseInput(named, args);
}

function refusal(...args: string[]): { message: string; hint: string | undefined } {
  try {
    parse(...args);
  } catch (error) {
    assert(error instanceof SageError && error.code === "usage");
    return { message: error.message, hint: error.hint };
  }
  assert.fail(`${args.join(" ")} was accepted`);
}

Deno.test("parseInput() gives every option its type, empty ones included", () => {
  assert.deepEqual(
    parse("-ym", "text", "--limit=3", "--keywords", "a, b", "--keywords", "c", "x"),
    {
      name: "sage thing do",
      options: {
        message: "text",
        priority: undefined,
        limit: 3,
        keywords: ["a", "b", "c"],
        evidence: [],
        vault: undefined,
        prefix: undefined,
        yes: true,
        json: false,
        project: undefined,
        help: false,
      },
      rest: ["x"],
      json: false,
      project: undefined,
    },
  );
});

Deno.test("parseInput() keeps commas in options that may be repeated", () => {
  assert.deepEqual(parse("--evidence", "a, b", "--evidence", "c").options.evidence, ["a, b", "c"]);
});

Deno.test("parseInput() drops nothing that was typed: an option that takes one text is given once", () => {
  assert.equal(refusal("-m", "one", "--message", "two").message, "Option --message is given twice");
  assert.equal(refusal("-m", "", "-m", "two").message, "Option -m is given twice");
  assert.equal(parse("--yes", "--yes").options.yes, true);
});

Deno.test("parseInput() takes what stands behind -- as operands", () => {
  assert.deepEqual(parse("--", "--yes", "-m").rest, ["--yes", "-m"]);
  assert.equal(hasFlag(["search", "--", "--json"], "json"), false);
  assert.equal(hasFlag(["config", "set", "k", "v", "--project", "--json"], "json"), true);
  assert.equal(hasFlag(["status", "--project=--json"], "json"), false);
});

Deno.test("parseInput() names the option that was meant", () => {
  assert.deepEqual(refusal("--mesage", "x"), {
    message: "Unknown option --mesage of sage thing do",
    hint: "did you mean --message?",
  });
  assert.match(refusal("-x").hint ?? "", /sage help thing do$/);
  assert.match(refusal("-5").hint ?? "", /^what begins with a minus is written behind --/);
  assert.equal(refusal("--__proto__", "x").message, "Unknown option --__proto__ of sage thing do");
});

Deno.test("parseInput() refuses a value where none belongs, and none where one does", () => {
  assert.match(refusal("--yes=1").message, /--yes takes no value, got "1"/);
  assert.match(refusal("--message").message, /--message needs a value: --message <text>$/);
  assert.match(refusal("--message", "--yes").message, /--message needs a value/);
  assert.equal(parse("-m", "--not an option").options.message, "--not an option");
  assert.equal(parse("-m", "-").options.message, "-");
});

Deno.test("parseInput() takes no empty name for one; a text may be empty", () => {
  for (const nothing of ["", "  "]) {
    assert.equal(refusal("--vault", nothing).message, "Option --vault is empty: --vault <vault>");
  }
  assert.match(refusal("--evidence=").message, /^Option --evidence is empty/);
  assert.equal(parse("--prefix", "").options.prefix, "");
  assert.deepEqual(parse("--keywords", "").options.keywords, []);
});

Deno.test("parseInput() holds numbers and choices to what the option says", () => {
  assert.match(refusal("--limit", "11").message, /a whole number from 1 to 10, got "11"/);
  assert.match(refusal("--limit", "NaN").message, /got "NaN"/);
  assert.match(refusal("--limit", "").message, /needs a whole number/);
  assert.match(refusal("--limit", "1.5").message, /a whole number from 1 to 10, got "1.5"/);
  assert.deepEqual(refusal("--priority", "hig"), {
    message: 'Option --priority knows high, low, got "hig"',
    hint: "did you mean --priority high?",
  });
});

Deno.test("parseInput() counts operands", () => {
  assert.match(refusal("a", "b", "c").message, /Unexpected argument "c"/);
  const strict = { ...named, command: { ...named.command, operands: [1, 1] as const } };
  assert.throws(() => parseInput(strict, []), /Too few arguments: sage thing do <id>/);
  assert.throws(() => parseInput(strict, ["--project", "x"]), {
    hint: '--project took "x" for its folder; sage help thing do',
  });
});

Deno.test("parseInput() tells the project's folder from a flag of the same name", () => {
  const config = {
    ...named,
    command: { ...named.command, options: { project: { type: "boolean", summary: "" } } },
  } as NamedCommand;
  assert.equal(parse("--project", "there").project, "there");
  assert.equal(parseInput(config, ["--project"]).project, undefined);
  assert.equal(parseInput(config, ["--project"]).options.project, true);
  const both = parseInput(config, ["--project=there", "x"]);
  assert.deepEqual([both.project, both.options.project, both.rest], ["there", true, ["x"]]);
});

Deno.test("splitWord() finds the command behind global options, and nowhere else", () => {
  assert.deepEqual(splitWord(["--project", "x", "--json", "todo", "list"]), {
    word: "todo",
    args: ["--project=x", "--json", "list"],
    folder: "x",
  });
  assert.deepEqual(splitWord(["--project", "--json", "todo"]).args, ["--project", "--json"]);
  assert.equal(splitWord(["-m", "list"]).word, undefined);
  assert.equal(splitWord(["--", "list"]).word, undefined);
  assert.equal(splitWord([]).word, undefined);
});

Deno.test("hasFlag() sees no flag in a text that begins with a dash", () => {
  assert.equal(hasFlag(["edit", "x", "-m", "- the hooks"], "help"), false);
  assert.equal(hasFlag(["edit", "-h"], "help"), true);
  assert.equal(hasFlag(["edit", "--help"], "help"), true);
});
