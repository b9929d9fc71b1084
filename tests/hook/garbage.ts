/** What may come on a hook's stdin: whole, bent and hostile. Each is made from a good payload. */
import { seeded } from "../support/secrets.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Garbage {
  readonly name: string;
  readonly bytes: string | Uint8Array;
}

const MIB = 1024 * 1024;
const encoder = new TextEncoder();

/** Values of the wrong kind, or of the right kind and no use. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  " ",
  [],
  {},
  [[[]]],
  { a: { b: [] } },
  "\u0000",
  "\ud800",
  "../../../etc/passwd",
  "/dev/zero",
  "/dev/stdin",
  "/proc/self/mem",
  "~/.ssh/id_rsa",
  "a\nb",
  "\u202egnp.exe",
  "x".repeat(5000),
  "__proto__",
  "constructor",
  "CON",
  "<private>",
  "</recalled>",
];

/** The fixed ones; `others` are good payloads of other events. */
export function garbage(good: Fields, others: readonly Fields[]): Garbage[] {
  const text = JSON.stringify(good);
  const bytes = encoder.encode(text);
  const all = (value: unknown) => Object.fromEntries(Object.keys(good).map((key) => [key, value]));
  const with_ = (fields: Fields) => JSON.stringify({ ...good, ...fields });
  const long = "word ".repeat(MIB / 5);
  return [
    { name: "nothing", bytes: "" },
    { name: "white space", bytes: " \r\n\t " },
    { name: "an opening brace", bytes: "{" },
    { name: "half of it", bytes: text.slice(0, text.length >> 1) },
    { name: "all but its end", bytes: text.slice(0, -1) },
    { name: "null, a number, a string", bytes: ["null", "17", '"text"'][text.length % 3] ?? "" },
    { name: "a list", bytes: `[${text}]` },
    { name: "two objects", bytes: text + text },
    { name: "an object and more", bytes: `${text} and then` },
    { name: "a BOM before it", bytes: "\ufeff" + text },
    {
      name: "UTF-16",
      bytes: new Uint8Array(new Uint16Array([...text].map((c) => c.charCodeAt(0))).buffer),
    },
    { name: "a NUL in it", bytes: text.replace(":", ":\0") },
    {
      name: "invalid UTF-8 in it",
      bytes: concat(bytes.subarray(0, -2), new Uint8Array([0xff, 0xc0, 0x22, 0x7d])),
    },
    { name: "brackets 200,000 deep", bytes: "[".repeat(200_000) },
    {
      name: "objects 50,000 deep in it",
      bytes: with_({ prompt: 0 }).replace(
        /0(?=[^0]*$)/,
        '{"a":'.repeat(50_000) + "1" + "}".repeat(50_000),
      ),
    },
    { name: "5 MiB", bytes: with_({ prompt: "y".repeat(5 * MIB), last_assistant_message: "z" }) },
    { name: "4 MiB of braces", bytes: "}".repeat(4 * MIB - 1) },
    {
      name: "1 MB in every field",
      bytes: with_({ ...all(long), session_id: good.session_id, cwd: good.cwd }),
    },
    { name: "every field an object", bytes: JSON.stringify(all({ a: 1 })) },
    { name: "every field null", bytes: JSON.stringify(all(null)) },
    { name: "no field but one", bytes: JSON.stringify({ session_id: good.session_id }) },
    {
      name: "keys of the prototype",
      bytes: text.replace("{", '{"__proto__":{"session_id":"p"},"constructor":1,'),
    },
    { name: "a path for a session", bytes: with_({ session_id: "../../../../tmp/escaped" }) },
    {
      name: "a device for a transcript",
      bytes: with_({ transcript_path: "/dev/zero", agent_transcript_path: "/dev/zero" }),
    },
    { name: "a folder that is none", bytes: with_({ cwd: "/dev/null/nowhere" }) },
    {
      name: "a lone surrogate",
      bytes: with_({
        prompt: "\ud800 what of the \udfff importer",
        reason: "\ud800",
        source: "\udfff",
      }),
    },
    ...others.map((other) => ({
      name: `the payload of ${other.hook_event_name}`,
      bytes: JSON.stringify(other),
    })),
  ];
}

/** One bent payload; the same for the same seed. */
export function bent(good: Fields, seed: number): Garbage {
  const random = seeded(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const fields: Record<string, unknown> = { ...good };
  for (let n = Math.floor(random() * 4); n >= 0; n--) {
    const key = pick([...Object.keys(good), "agent_id", "agent_type", "prompt", "source", "extra"]);
    if (random() < 0.2) delete fields[key];
    else fields[key] = pick(VALUES);
  }
  const bytes = encoder.encode(JSON.stringify(fields));
  const kind = random();
  if (kind < 0.2) {
    return { name: `seed ${seed}`, bytes: bytes.subarray(0, random() * bytes.length) };
  }
  for (let n = kind < 0.4 ? 1 + random() * 8 : 0; n >= 1; n--) {
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  }
  return { name: `seed ${seed}`, bytes };
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
