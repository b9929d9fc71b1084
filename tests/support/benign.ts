/**
 * Paragraphs without secrets, as a note or a transcript has them: the documentation in this
 * repository and in its packages, and generated prose with everything that looks random and is not.
 */
import { chars, pick, type Random } from "./secrets.ts";

const ROOT = new URL("../../", import.meta.url);
const FILES_MAX = 2_000;
const DEPTH_MAX = 8;
/** These may contain secrets on purpose. */
const LEFT_OUT = [".git", "tests"];

/** At least `count` paragraphs; documentation first, generated prose for the rest. */
export function benignParagraphs(count: number, random: Random): string[] {
  const paragraphs: string[] = [];
  for (const path of markdownFiles()) {
    for (const paragraph of Deno.readTextFileSync(path).split(/\n\s*\n/)) {
      if (paragraph.trim() !== "") paragraphs.push(paragraph);
    }
  }
  // Half of them generated, so that each look-alike occurs often enough to be counted.
  const documented = paragraphs.slice(0, Math.ceil(count / 2));
  const step = Math.max(1, Math.floor(paragraphs.length / documented.length));
  for (const [i] of documented.entries()) documented[i] = paragraphs[i * step] ?? "";
  while (documented.length < count) documented.push(generated(random));
  return documented;
}

function markdownFiles(): string[] {
  const found: string[] = [];
  const walk = (folder: URL, depth: number): void => {
    for (const entry of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)) {
      if (found.length >= FILES_MAX) return;
      const url = new URL(encodeURIComponent(entry.name), folder);
      if (entry.isFile && /\.(?:md|markdown)$/i.test(entry.name)) found.push(url.pathname);
      else if (entry.isDirectory && depth < DEPTH_MAX && !LEFT_OUT.includes(entry.name)) {
        walk(new URL(`${url.href}/`), depth + 1);
      }
    }
  };
  walk(ROOT, 0);
  return found.map(decodeURIComponent);
}

const HEX = "0123456789abcdef";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const NOUNS = ["password", "secret", "token", "key", "credential", "API key", "login", "session"];
const VERBS = [
  "is stored",
  "was rotated",
  "expires",
  "is read",
  "must not be logged",
  "is optional",
];
const PLACES = [
  "in the vault",
  "by the client",
  "at start",
  "after 30 days",
  "in memory",
  "on disk",
];

/** One paragraph that a careless rule would take for a secret. */
function generated(random: Random): string {
  const hex = (length: number): string => chars(random, HEX, length);
  const word = (): string =>
    chars(random, "abcdefghijklmnopqrstuvwxyz", 3 + Math.floor(random() * 8));
  const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join("-");
  const base64 = (length: number): string => chars(random, BASE64, length);
  const sentence = (): string =>
    `The ${pick(random, NOUNS)} ${pick(random, VERBS)} ${pick(random, PLACES)}.`;
  return pick(random, [
    () => [sentence(), sentence(), sentence()].join(" "),
    () => `Merged ${hex(40)} into main, reverts ${hex(7)}. ${sentence()}`,
    () => `commit: ${hex(40)}\ntree: ${hex(40)}\nAuthor: ${word()} <${word()}@${word()}.org>`,
    () => `id: ${uuid()}\nsession: ${uuid()}\nparent: ${uuid()}`,
    () => `sha256: ${hex(64)}\n\`${word()}.tar.gz\` checksum ${hex(64)}`,
    () => `"integrity": "sha512-${base64(86)}==",\n"resolved": "https://r.org/${word()}-1.0.2.tgz"`,
    () => `![${word()}](data:image/png;base64,iVBORw0KGgo${base64(200)})`,
    () =>
      `password: <your-password>, token: $TOKEN, secret: \${{ secrets.${word().toUpperCase()} }}`,
    () =>
      `const token = process.env.${word().toUpperCase()}_TOKEN ?? config.get("${word()}.token");`,
    () => `PASSWORD=changeme\nAPI_KEY=your-api-key-here\nSECRET=xxxxxxxxxxxxxxxx`,
    () =>
      `if (password === undefined || password.length < 12) throw new ${word()}Error("password");`,
    () => `function readToken(text: string, key: Key): Token { return parser.token(text, key); }`,
    () => `The cache key: \`${word()}-${word()}-v2\`, sort key = created_at, primary key: user_id`,
    () => `max_tokens: 4096, total_tokens=18234, tokenizer: cl100k_base, input_tokens: 1200`,
    () => `token: string; password?: string; secret: boolean; apiKey: string | undefined;`,
    () => `Image: ${word()}.io/${word()}/${word()}@sha256:${hex(64)}`,
    () => `see https://${word()}.com/${word()}/${hex(12)}?page=2&ref=${word()} and file.ts:120:4`,
    () =>
      `password_hash: bcrypt, key_size = 2048, secret_name: prod/${word()}/db, token_type: bearer`,
    () => `- [ ] rotate the ${pick(random, NOUNS)} (${word()})\n- [x] ${sentence()}`,
    () =>
      `trace ${hex(32)} span ${hex(16)} took ${Math.floor(random() * 900)} ms, etag "${hex(32)}"`,
    () => `key: ${word()}\nkeys: [${word()}, ${word()}]\nauth: ${word()}-${word()}\nsalt: random`,
    () => `Authorization: Bearer <token> or \`Authorization: Basic $CREDENTIALS\` — ${sentence()}`,
    () => `postgres://user:password@localhost:5432/${word()} and http://localhost:3000/${word()}`,
    () => `The password is at least 12 characters. The secret: keep it simple. Token: a lexeme.`,
  ])();
}
