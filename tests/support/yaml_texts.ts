/**
 * Front matter as people and machines write it, and as nobody should: generators for the property
 * tests of YAML reading and editing. It knows no expectations.
 */
import fc from "fast-check";

const WORD = fc.constantFrom(
  "a",
  "b-c",
  "d_e",
  "title",
  "tags",
  "x.y",
  "Ümlaut",
  "漢字",
  "😀",
  "7",
);

/** Scalars in every style, some of them broken in their place. */
const SCALAR = fc.oneof(
  { weight: 6, arbitrary: WORD },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "2026-01-13T14:30:00Z",
      "007",
      "1.10",
      "no",
      "~",
      "null",
      "a: b",
      "a #b",
      "a # b",
      "a  b",
      "http://x.y/#z",
      "-a",
      "- a",
      "-",
      "? a",
      "?a",
      ":a",
      "a:",
      "'it''s'",
      "''",
      '""',
      '"a\\nb"',
      '"\\u00e9 \\x41"',
      '"a" b',
      '"a" # c',
      "'a'#c",
      "[]",
      "{}",
      "[a, b]",
      "[ a , 'b' , \"c\" ]",
      "[a, [b]]",
      "[a, ]",
      "[a: b, c]",
      "[a:b, ?c, -d]",
      "{a: 1, b: [c]}",
      "[a, # c",
      "&x a",
      "*x",
      "!t a",
      "!!str 5",
      "|",
      ">-",
      "@a",
      "`a",
      "%a",
      "a, b",
      "a]",
      "<<",
      "...",
      "---",
      '"open',
      "'open",
      "a\\",
      "a\tb",
      "\ta",
      "a\u00a0",
      "\u0085",
      "\ufeff",
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
);

const KEY = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("a", "b", "c", "d", "e_f", "g-h", "i.j", "__proto__") },
  { weight: 1, arbitrary: fc.constantFrom("'q k'", '"r"', "漢", "? s", "a b", "[a]", "<<", "1") },
);

const INDENT = fc.constantFrom("", "", "", "", "  ", "  ", "    ", " ");

const LINE = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(INDENT, KEY, SCALAR).map(([i, k, s]) => `${i}${k}: ${s}`) },
  { weight: 4, arbitrary: fc.tuple(INDENT, KEY).map(([i, k]) => `${i}${k}:`) },
  { weight: 4, arbitrary: fc.tuple(INDENT, SCALAR).map(([i, s]) => `${i}- ${s}`) },
  { weight: 2, arbitrary: fc.tuple(INDENT, KEY, SCALAR).map(([i, k, s]) => `${i}- ${k}: ${s}`) },
  { weight: 2, arbitrary: fc.tuple(INDENT, WORD).map(([i, w]) => `${i}# ${w}`) },
  { weight: 1, arbitrary: fc.tuple(INDENT, SCALAR).map(([i, s]) => `${i}${s}`) },
  { weight: 1, arbitrary: fc.constantFrom("", "  ", "\t") },
);

/** Near to what is valid, often not. */
export const anyYaml: fc.Arbitrary<string> = fc.tuple(
  fc.array(LINE, { maxLength: 9 }),
  fc.constantFrom("\n", "\n", "\r\n"),
  fc.boolean(),
).map(([lines, eol, hasEnd]) => lines.join(eol) + (hasEnd ? eol : ""));

/** One top-level entry: its lines without the last line end, with its own comments. */
const ENTRY_VALUE = fc.constantFrom(
  " plain text",
  " plain # with a comment",
  ' "double \\" quoted"   # comment',
  " 'single ''quoted'''",
  "",
  " # only a comment",
  " [a, b]",
  " [a, # inside\n  b]  # after",
  " {x: 1, y: [2, 3]}",
  "\n  - a\n  - b",
  "\n- a\n- b # c",
  " # why\n  # more\n  - a\n  -\n  - c: d\n    e: f",
  "\n  x: 1\n  y:\n    - z",
  " |\n  literal\n    deeper\n  # not a comment\n\n  end",
  " |-\n  stripped",
  " |+\n  kept\n\n",
  " >\n  folded\n  text\n\n  more",
  " several\n  lines\n  of plain",
  ' "quoted\n  over lines"',
  "\n  on its own line",
  " &anchor value",
  " &anchor\n  - a",
  " !!str 007",
  "\n\n  # far\n  - a",
  " 2026-01-13T14:30:00Z",
  " [] # none",
  " {}",
);

const ENTRY_KEY = fc.constantFrom(
  "title",
  "tags",
  '"quoted key"',
  "'single'",
  "two words",
  "id",
  "status",
  "über",
  "__proto__",
  "x-y.z",
);

const BETWEEN = fc.constantFrom(
  "",
  "",
  "",
  "# above\n",
  "\n",
  "  # indented\n",
  "# one\n\n# two\n",
);

export interface FrontText {
  /** With `\n` only. */
  readonly text: string;
  readonly keys: readonly string[];
}

/** Valid block mappings in every style that people use. */
export const validFront: fc.Arbitrary<FrontText> = fc.tuple(
  fc.uniqueArray(fc.tuple(ENTRY_KEY, ENTRY_VALUE, BETWEEN), {
    selector: ([key]) => key,
    maxLength: 6,
  }),
  BETWEEN,
).map(([entries, last]) => ({
  text: entries.map(([key, value, above]) => `${above}${key}:${value}\n`).join("") + last,
  keys: entries.map(([key]) => key.replace(/^(["'])(.*)\1$/, "$2")),
}));

/** Characters that break naive writers. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "a: b",
    "- a",
    "# a",
    "## Thesis",
    "## Thesis\n\nx",
    "\\## Thesis",
    "\\\\# x",
    "---",
    "---\nid: evil\n---",
    "...",
    "a\n---\nb",
    "```",
    "```js\n## Thesis\n```",
    "```\nunclosed\n## Key Evidence",
    "~~~~\n```\n~~~~\n~~~",
    "\\```",
    "    ```",
    "a\n\nb",
    "a\n  b",
    "- a\n- b",
    "1. a\n2. b",
    "* a",
    "a\n- b\n\n  - c",
    "> quote",
    "| a | b |",
    "[[link]]",
    "[x](y)",
    "<!-- sage:begin -->",
    "<!-- sage:end -->",
    "## History",
    "## history ##",
    "### deeper",
    "{a}",
    "[a",
    "'",
    '"',
    "\\",
    "null",
    "true",
    "é漢😀",
    "\u2028",
    "a\u0085b",
    "\ufeff",
    "\u0007",
    "a\r\nb",
    "a\rb",
    "<b>&amp;",
    "__proto__",
  ),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.array(
    fc.constantFrom(
      "#",
      "##",
      " ",
      "\n",
      "`",
      "```",
      "~~~",
      "-",
      ":",
      "\\",
      "a",
      "Thesis",
      "\t",
      "  ",
    ),
    { maxLength: 14 },
  ).map((parts) => parts.join("")),
);
