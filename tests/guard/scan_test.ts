import assert from "node:assert/strict";
import { findSecrets, scanSecrets } from "../../src/guard/scan.ts";
import { benignParagraphs } from "../support/benign.ts";
import { depth } from "../support/depth.ts";
import { assertLinear } from "../support/linear.ts";
import { chars, FIXED_KINDS, GENERIC_KINDS, type Kind, seeded } from "../support/secrets.ts";

const VALUES_PER_KIND = 25;
const SEED = 20260113;

/** The part of the generated secrets that the findings cover whole, and what was missed. */
async function covered(kinds: readonly Kind[]): Promise<{ rate: number; missed: string[] }> {
  const random = seeded(SEED);
  const missed: string[] = [];
  for (const kind of kinds) {
    for (let i = 0; i < VALUES_PER_KIND; i++) {
      const { text, secret } = kind.make(random);
      const start = text.indexOf(secret);
      const findings = await scanSecrets(text);
      const isCovered = findings.some((f) => f.start <= start && f.end >= start + secret.length);
      if (!isCovered) missed.push(`${kind.name}: ${text}`);
    }
  }
  return { rate: 1 - missed.length / (kinds.length * VALUES_PER_KIND), missed };
}

Deno.test("scanSecrets() finds at least 99 % of the secrets with a fixed form", async () => {
  assert.ok(FIXED_KINDS.length + GENERIC_KINDS.length >= 40);
  const { rate, missed } = await covered(FIXED_KINDS);
  assert.ok(rate >= 0.99, `${rate}\n${missed.join("\n")}`);
});

Deno.test("scanSecrets() finds at least 90 % of the secrets that only their name gives away", async () => {
  const { rate, missed } = await covered(GENERIC_KINDS);
  assert.ok(rate >= 0.9, `${rate}\n${missed.join("\n")}`);
});

Deno.test("scanSecrets() raises a false alarm in at most 0.5 % of benign paragraphs", async () => {
  const paragraphs = benignParagraphs(depth(1_000, 10_000), seeded(SEED));
  const alarms: string[] = [];
  for (const paragraph of paragraphs) {
    const [finding] = await scanSecrets(paragraph);
    if (finding === undefined) continue;
    alarms.push(`${finding.rule}: ${paragraph.slice(finding.start, finding.end)}`);
  }
  const rate = alarms.length / paragraphs.length;
  assert.ok(rate <= 0.005, `${rate}\n${alarms.join("\n")}`);
});

Deno.test("scanSecrets() leaves what only looks random", async () => {
  const harmless = [
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "token: 550e8400-e29b-41d4-a716-446655440000",
    "password: <your-password>",
    "PASSWORD=${DB_PASSWORD}",
    "token.ts:12:34:error:TS2345: Argument of type string",
    "api_key = process.env.API_KEY",
    "secret: changeme",
    "AWS_ACCESS_KEY_ID=AKIA" + "IOSFODNN7EXAMPLE",
    "ghp_" + "x".repeat(36),
    "ghp_" + "x".repeat(8) + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9s",
    "ghp_" + "0".repeat(10) + "d2Ef3Gh4Ij5Kl6Mn7Op8Qr9sTu",
    "ghp_" + "121".repeat(12),
    "xoxb-" + "slack-token-goes-here-please-now",
    "DB_PASSWORD=$DB_PASS_PROD1 and, on Windows,",
    "DB_PASSWORD=%DB_PASS_1%",
    "password=prod-xxxx1234",
    "password=1a1a1a1a",
    "client_secret=lengthsplit2",
    "password: string, token: Token, secret = readSecret(path)",
    "Authorization: Bearer <token>",
    "https://user:password@example.com",
    "mysql -u root -p main; docker run -p 8080:80 nginx; mkdir -p src/part2",
    "machine host login user password ${PASSWORD_1}",
    "https://0123456789abcdef0123456789abcdef@o12.ingest.sentry.io/1",
    "Cookie: _ga=GA1.2.1234567890.1234567890; theme=dark",
    "Proxy-Authorization: Basic YOUR_CREDENTIALS",
    "fields(['password', 'confirmPassword2', 'apiKey2'])",
    "const token: Token2 = await getToken(user1.id)",
    "C:\\\\new\\\\token\\\\readme1.md",
    "http://user:pass@example.com",
    "password=#a1b2c3",
    "password: library/postgres-client:16",
    '"minipass": "^7.1.2", "minipass-fetch": ">=3.0.1", "pass": "~1.2"',
    "BUILD_REF=4f2a9c1e8b7d6a5c3e2f1a0b9c8d7e6f5a4b3c2d\nTENANT=8e03978e-40d5-43e8-bc93-6894a57f9324",
    "postgres://app42:app42@db/main, the header eyJhbGciOiJIUzI1NiJ9.payload.of1",
    "const password =\n  readPassword1",
    "-----BEGIN PRIVATE " + "KEY-----\nMIIEvQIBADANBgkqhkiG9w0B…\n-----END PRIVATE " + "KEY-----",
    "The public key: SIXvRyDmBJSgatgTQRGbInBaAK+hZOQ18UmrSwnDlK8=",
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: Abc123def456",
    "password:\n  type: string2\n  secretKeyRef1:\n    name: db2\nauth:\n  oauth2:\n    x: 1",
    "token:\n  - refresh2\nsecrets:\n  - db_password_v2\nTokens:\n  tokenizer-v2-2024-11-06\n",
    "Password:\n  minimum12 characters\npassword: >\n  The password1 is set",
    "the token is stored in KMS, the API key is sk_test, the secret is https://vault.corp/v1/x12345",
    "the service key is build-linux-x64-2024-node20-cache; use getAccessToken2WithRefresh as the token",
    "Users are identified by 'email1', password - see docs/auth2.md, Password – Auth0Provider2",
    'getPassword("svc42-prod-1"), resetPassword("user42x"), withToken("Bearer"), .key("ArrowDown2")',
    "a request 8e03978e-40d5-43e8-bc93-6894a57f9324, live_demo_of_the_access_token",
    "commit 4f2a9c1e8b7d6a5c3e2f1a0b9c8d7e6f5a4b3c2d is the token refresh, for review",
    "4f2a9c1e8b7d6a5c3e2f1a0b9c8d7e6f5a4b3c2d was the last deploy key rotation",
    "the secret is src/auth/v2/TokenService2.ts, the access token is kv2/prod-stripe-key-2024-11",
    "docker run --name mongo -p 127.0.0.1:27017:27017/tcp mongo:7; mysql -p3306:3306/tcp",
    "CREATE USER app IDENTIFIED BY 'PASSWORD'; IDENTIFIED BY 'NewPassword'",
    "密码：8位以上，包含大写字母A-Z和数字0-9\npassword：见1Password\nPassword: 1Password",
    "token：JWT格式，使用HS256算法签名\n비밀번호: 8자이상영문A-Z포함\nパスワード：英数字8文字以上（A-Z、0-9）",
    "| 密码 | 8位以上，包含大写字母A-Z |\n| 项 | 密码 |\n|---|---|\n| a | 见1Password |",
  ];
  for (const text of harmless) assert.deepEqual(await scanSecrets(text), [], text);
});

Deno.test("scanSecrets() leaves what else stands in a table below such a name", async () => {
  const rows =
    "see 1Password|bcrypt(12)|varchar(255)|~12.345|98.5%|${DB_PASSWORD_1}|<password>|at least 12|v1.2.3|[how](https://x.io/a1)|argon2id"
      .split("|");
  for (const head of ["Password", "Pass", "pass@1", "Token count", "Public key", "API key"]) {
    const table = `| a | ${head} |\n|---|:-:|\n${rows.map((row) => `| b | ${row} |`).join("\n")}`;
    assert.deepEqual(await scanSecrets(table), [], head);
  }
  assert.deepEqual(await scanSecrets("| Pass |\n|---|\n| 3x4Kq7Zm |"), []);
  for (
    const row of [
      "| password | string | required |",
      "| token_type | bearer |",
      "| auth | OAuth2/OIDC |",
      "| Pass rate | 98.5% |",
      "| password reset | 15min |",
      "| secret | kv-v2/data/app1 |",
      "| session_id | sess-2026-01-13-a1b2c3 |",
      "| key | user:123:profile |",
      "| secret | prod/db/password-v2 |",
      "| secret | kv2-prod-stripe-key-2024-11 |",
      "| API key | `OPENAI_API_KEY_V2_PROD` |",
      "| auth | src/http/auth/v2/AccessLog2.ts |",
      "| token | gpt-4o-mini-2024-07-18 |",
      "| password | 1Password |",
    ]
  ) assert.deepEqual(await scanSecrets(row), [], row);
});

Deno.test("scanSecrets() leaves tokens of parsers, designs, models and limits in tables", async () => {
  const names = [
    ...["IDENTIFIER", "LPAREN", "tok_12", "INT_LITERAL_0x1F", "TK_UTF8_STRING_LITERAL2"],
    ...["NumericLiteralES2021", "punctuation.definition.string.begin.js2", "kw_co_await20"],
    ...["<\\|reserved_special_token_250\\|>", "<0xE2><0x96><0x81>", "Ġhello2World3x"],
    ...["--mdc-theme-primary-bg-dark-2x", "bgSurfaceL2Hover", "colorPaletteRed2Bg3Rest"],
    ...["font/size/2xl/24px/32lh", "eui-size-xxxl-48px", "border-radius-4x4x0x0", "#091E424F"],
    ...["mistral-large-2411-fp8-128k", "mixtral-8x7b-instruct-v0.1", "gpt-oss-120b-mxfp4"],
    ...["Qwen3-235B-A22B-Instruct-2507", "llama3.1:70b-instruct-q4_K_M", "r50k_base/p50k_edit"],
    ...["claude-3-5-sonnet-20241022", "0.0000025USD/tok", "4096/16384tokens/min"],
    ...["40kTPM/50RPM/200RPD", "access:15m/refresh:30d", "rl:user:42:2026-01-13T10"],
    ...["__Host-session_v2", "X-Amz-Security-Token", "personal_access_token_v2"],
  ];
  for (const head of ["Token", "Design token", "Auth token", "API key", "Secret"]) {
    const rows = names.map((name) => `| \`${name}\` | x |`);
    assert.deepEqual(
      await scanSecrets(`| ${head} | Use |\n|---|---|\n${rows.join("\n")}`),
      [],
      head,
    );
    for (const name of names) assert.deepEqual(await scanSecrets(`| ${head} | ${name} |`), []);
  }
});

Deno.test("scanSecrets() finds in such a table what is random", async () => {
  const random = seeded(SEED);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  for (const begin of ["", "sess_", "svc-prod-"]) {
    let found = 0;
    for (let i = 0; i < 100; i++) {
      const cell = begin + chars(random, letters, 32);
      found += (await scanSecrets(`| Name | Token |\n|---|---|\n| x | ${cell} |`)).length;
    }
    assert.ok(found >= 98, `${begin}: ${found}`);
  }
  // Of letters almost alone, in humps that nobody could say.
  for (const cell of ["qXWFmMzjcwrAjxlgztYl" + "oJkTbby8HxDh", "vvCEcxdmcD1" + "Bxbxm"]) {
    const table = `| Name | Token |\n|---|---|\n| x | ${cell} |`;
    assert.equal((await scanSecrets(table)).length, 1, cell);
  }
});

Deno.test("findSecrets() reads a row of any width, and the cells around a name as they are set", () => {
  const value = "Kx9f2LmQ7wZp31";
  for (
    const row of [
      `${"| a ".repeat(1_000)}| Password | ${value} |`,
      `| a \\| b | **Password**${" ".repeat(200)}| \`${value}\` |`,
      `> | Password | ${value}`,
      `| Password |\n|---|\n| ${value} |`,
      `| Of | For | Password |\n|---|---|---|\n| db | CI | \`${value}\` |`,
    ]
  ) {
    const [match, ...others] = findSecrets(row);
    assert.deepEqual([row.slice(match?.start, match?.end), others.length], [value, 0], row);
  }
  for (const row of [`| Password\\| | x ${value} |`, `| ${"Password ".repeat(5)}| ${value} |`]) {
    assert.deepEqual(findSecrets(row), [], row);
  }
});

Deno.test("findSecrets() finds a password alone on the line below its name", () => {
  const value = "Kx9f2LmQ7wZp31";
  for (
    const [before, after] of [["db:\n  password:\n    ", "\n"], ['password:\r\n  "', '",\r\n']]
  ) {
    const [finding, ...more] = findSecrets(`${before}${value}${after}`);
    assert.deepEqual([finding?.start, more], [before?.length, []], before);
  }
});

Deno.test("findSecrets() finds what stands in each row and each table, whatever the one before it was", () => {
  const values = ["Kx9f2LmQ7wZp31", "s9Kq2mZx4Tr0", "Tr0ub4dor3xQ9"];
  const rows = values.map((value) => `| Password | ${value} |`).join("\n");
  const tables = values.map((value) => `| Password | Of |\n|---|---|\n| ${value} | db |`).join(
    "\n\n",
  );
  for (const text of [rows, tables, `| Client secret | Of |\n|---|---|\n| x | y |\n\n${rows}`]) {
    assert.deepEqual(findSecrets(text).map(({ start, end }) => text.slice(start, end)), values);
  }
});

Deno.test("findSecrets() finds in a long text what it finds in a short one", () => {
  const random = seeded(SEED);
  const rest = `\n${"x y\n".repeat(20_000)}`;
  for (const { name, make } of FIXED_KINDS) {
    const { text } = make(random);
    assert.deepEqual(findSecrets(text + rest), findSecrets(`${text}\n`), name);
  }
});

Deno.test("scanSecrets() finds passwords as people say them", async () => {
  const value = "Tr0ub4dor" + "&3xQ9";
  const said = [
    "the password is %",
    "I logged in with the password %, and it works.",
    "The password for the staging database is %.",
    "The root password of db-2 was changed to `%`!",
    "Das Passwort für den Server lautet %",
    "Das Kennwort ist jetzt **%**.",
    "La contraseña de admin es %",
    "La password è %",
    "A senha do servidor é %",
    "% is the staging password",
    'Use "%" as password.',
    "my passphrase: %",
    "the password for the database on the old server\nis %",
    "the password of the deploy user is\n  %",
    "Set the password to %",
    "Next: changing the root password for the staging database to `%`.",
    "Setze das Passwort auf %.",
    "Which password? → %",
  ];
  for (const text of said) {
    for (const secret of [value, "Winter" + "2025!", "s0m" + "merRegen"]) {
      const whole = text.replace("%", () => secret);
      const findings = await scanSecrets(whole);
      const [finding] = findings;
      assert.equal(findings.length, 1, whole);
      assert.equal(finding?.rule, "generic-password");
      assert.equal(
        whole.slice(finding?.start, finding?.end).replace(/!$/, ""),
        secret.replace(/!$/, ""),
      );
    }
  }
});

Deno.test("scanSecrets() finds a key that something is set to", async () => {
  const key = chars(seeded(7), "abcdefghijkmnpqrstuvwxyz0123456789ABCDEF", 28);
  for (
    const text of [
      `Next I will set the token to ${key} there.`,
      `set the API key for CI to "${key}"`,
    ]
  ) {
    const [finding, ...more] = await scanSecrets(text);
    assert.deepEqual([text.slice(finding?.start, finding?.end), more], [key, []], text);
  }
});

Deno.test("scanSecrets() finds what stands behind a dash, where no name is made like that", async () => {
  for (const dash of ["-", "–", "—"]) {
    const text = `- Password ${dash} Tr0ub4dor${"&3xQ9"}`;
    const [finding, ...more] = await scanSecrets(text);
    assert.deepEqual([finding?.start, finding?.end, more], [13, text.length, []]);
    assert.deepEqual(await scanSecrets(`- Password ${dash} Auth0Provider2 handles it`), []);
  }
});

Deno.test("scanSecrets() leaves what is said about passwords", async () => {
  const harmless = [
    "The password is required, at least 12 characters, and was rotated!",
    "The password is hashed with PBKDF2-HMAC-SHA256, later Argon2id-hashed.",
    "the password argon2id; a password SHA-256 digest; password is 256-bit",
    "password for user1@example.com, password in config.v2.json, password v2.1.0",
    "The password is in section4.2 and at src/auth/login2.ts:12",
    "password is validated by auth0-spa-js; password reset PR-1234",
    "with the password field2, the password 1Password8 generates, the password Base64Encoder uses",
    "the password is https://vault.corp/v1/x, ${DB_PASSWORD_1} or {{ pw1 }}",
    "commit a1b2c3d4e5 is the password fix; release v1.2.3 is the password release",
    "use OAuth2Client as password provider; see #1234 as password",
    "A boarding pass is B12XK9qq. The tests pass is Abc123xyz. By-pass is Xy77zzQQ.",
    "password:\n  secretKeyRef1:\n    name: database2",
    "- password\n- Cluster7Nodes",
    "the password is [redacted:generic-password], 2026-01-13, ISO27001-compliant",
    "it went to the password version2!",
    "We pass the password to login2Handler and set the password field to required in v2.",
    "Change the password to 12 characters; update the password to use argon2id; set it to a UUID.",
    "We set the token to expire after 30 days, and the API key to the value of process.env.KEY_2.",
  ];
  for (const text of harmless) assert.deepEqual(await scanSecrets(text), [], text);
});

Deno.test("findSecrets() reads lines of an environment as tools print them", () => {
  const value = chars(seeded(5), "abcdefghijkmnpqrstuvwxyz0123456789ABCDEF", 32);
  for (
    const line of [
      `X_MINE=${value}`,
      `\ufeffX_MINE=${value}\r`,
      `+X_MINE=${value}`,
      `-X_MINE="${value}"`,
      `> export X_MINE=${value}`,
      `     3→X_MINE=${value}`,
      `12:X_MINE=${value}`,
      `  - X_MINE=${value}`,
    ]
  ) {
    const text = `above\n${line}\nbelow`;
    const [finding, ...more] = findSecrets(text);
    assert.deepEqual([text.slice(finding?.start, finding?.end), more], [value, []], line);
  }
});

/** How a secret is packed where programs hand texts to each other; each keeps its letters. */
const PACKED: readonly (readonly [name: string, pack: (secret: string) => string])[] = [
  ["a string of JSON in a string of JSON", (s) => `{"c":"A=1\\n${s}\\nB=2"}`],
  ["three strings deep", (s) => `A=1\\\\\\\\n${s}\\\\\\\\n`],
  ["behind a tab that is written", (s) => `name\\t${s}`],
  ["a part of an address", (s) => `https://x.io/?q=token%3D${s}%26a%3D1`],
  ["an attribute of XML", (s) => `<a v="x=&quot;${s}&quot;"/>`],
  ["a line that goes on", (s) => `export A=${s.slice(0, 12)}\\\n  ${s.slice(12)}`],
  ["characters without a width", (s) => `${s.slice(0, 12)}\u200B${s.slice(12)}`],
  ["a line that was broken", (s) => `the token ${s.slice(0, 12)}\n${s.slice(12)} is old`],
  ["a quoted line that was broken", (s) => `> ${s.slice(0, 14)}\r\n> ${s.slice(14)}`],
  ["two strings", (s) => `const key = "${s.slice(0, 9)}" + '${s.slice(9)}';`],
  ["strings line by line", (s) => `(\n  "${s.slice(0, 12)}"\n  "${s.slice(12)}"\n)`],
  ["strings with a dot", (s) => `'${s.slice(0, 12)}' .\n  "${s.slice(12)}"`],
  ["strings that are cut in its name", (s) => `key = "${s.slice(0, 2)}" + "${s.slice(2)}"`],
  ["Markdown, escaped", (s) => `the token ${s.replaceAll("_", "\\_").replaceAll("-", "\\-")}`],
  [
    "the colours of a terminal",
    (s) => `key:\x1b[01;31m\x1b[K${s.slice(0, 4)}\x1b[m\x1b[K${s.slice(4)}`,
  ],
  ["colours that are written", (s) => `"key: \\u001b[32m${s}\\u001b[0m" or '\\033[1m${s}\\e[0m'`],
  ["marks of direction", (s) => `the token \u2066${s.slice(0, 12)}\u200E${s.slice(12)}\u2069`],
  ["tags and variants", (s) => `${s.slice(0, 12)}\uFE0F\u{E0041}${s.slice(12)}`],
  [
    "an address, letter by letter",
    (s) => s.replace(/\w/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  ],
  ["letters by number", (s) => s.replace(/\w/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`)],
  ["entities", (s) => s.replace(/\w/g, (c) => `&#${c.charCodeAt(0)};`)],
  ["a part of a path", (s) => `https://x.io/t/${s}/20260113/get`],
  ["a line that a diff adds", (s) => `@@ -0,0 +1 @@\n+${s}\n`],
  ["strings in a string", (s) => `{"c":"k = \\"${s.slice(0, 9)}\\" +\\n \\"${s.slice(9)}\\""}`],
];

for (const [name, pack] of PACKED) {
  Deno.test(`findSecrets() covers a token in ${name}`, () => {
    const random = seeded(SEED);
    for (const kind of ["github token", "aws access key id", "stripe key", "jwt"]) {
      const secret = FIXED_KINDS.find((known) => known.name === kind)?.make(random).secret ?? "";
      const text = pack(secret);
      const found = findSecrets(text);
      const left = found.toReversed().reduce(
        (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
        text,
      );
      assert.ok(found.length > 0 && !left.includes(secret.slice(-8)), `${kind}: ${text}`);
    }
  });
}

Deno.test("findSecrets() covers a token of parts with dots at the end of a sentence", () => {
  const secret = FIXED_KINDS.find(({ name }) => name === "discord token")?.make(seeded(3)).secret ??
    "";
  for (const end of [".", ". It is old.", "...", ".\n"]) {
    assert.equal(findSecrets(`the bot has ${secret}${end}`)[0]?.end, 12 + secret.length, end);
  }
});

Deno.test("findSecrets() covers a token in base64, whole", () => {
  const random = seeded(SEED);
  for (const kind of ["github token", "aws access key id", "anthropic key", "stripe key"]) {
    const secret = FIXED_KINDS.find(({ name }) => name === kind)?.make(random).secret ?? "";
    assert.notEqual(secret, "", kind);
    for (
      const plain of [
        secret,
        `{"auth": "${secret}"}\n`,
        `user:${secret}`,
        `a ${btoa(secret)}`,
        `# für den Rest\nA=${secret}\n`,
      ]
    ) {
      const packed = new TextEncoder().encode(plain).toBase64();
      const inLines = packed.replace(/.{64}(?=.)/g, "$&\n");
      const forAddresses = packed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
      for (const value of [packed, inLines, forAddresses]) {
        const text = `it is ${value}, today`;
        const [finding, ...more] = findSecrets(text);
        assert.deepEqual(more, [], text);
        assert.equal(text.slice(finding?.start, finding?.end), value, kind);
      }
    }
  }
});

Deno.test("findSecrets() follows a token whose lines are long numbers, or letters only", () => {
  const parts = ["xox" + "b-837690408144-24", "7289412944-GZi1qfC4W", "QwTvaTyQiMwwYgvK"];
  const [finding, ...more] = findSecrets(`token: ${parts.join("\n")}\nuseEffectOnce is the hook`);
  assert.deepEqual([finding?.end, more], [7 + parts.join("\n").length, []]);
});

Deno.test("findSecrets() covers a token in as many lines as a narrow window makes of it, and no more", () => {
  const secret = "gh" + "p_" + "aB3dE5fG7hI9".repeat(3);
  for (const width of [6, 8, 10]) {
    const lines = secret.replace(new RegExp(`.{${width}}(?=.)`, "g"), "$&\n");
    const [finding, ...more] = findSecrets(`it is ${lines}. It is old`);
    assert.deepEqual([finding?.start, finding?.end, more], [6, 6 + lines.length, []]);
  }
  const [head, tail] = ["AKI" + "AQ3EGRT", "5XWY7ZBNMP"];
  assert.equal(findSecrets(`${head}\n${tail} and`).length, 1);
  // A part of a longer word is the beginning of none.
  assert.deepEqual(findSecrets(`x${head}\n${tail} and`), []);
});

Deno.test("findSecrets() takes no next line for the rest of a token", () => {
  const secret = FIXED_KINDS.find(({ name }) => name === "github token")?.make(seeded(3)).secret ??
    "";
  for (const next of ["This is the token", "2026-01-13", "- src/main.ts", "internationalization"]) {
    const [finding, ...more] = findSecrets(`${secret}\n${next}`);
    assert.deepEqual([finding?.end, more], [secret.length, []], next);
  }
  for (
    const text of [
      "the package sk-\nlearn-contrib-extensions-for-everybody",
      "a branch glpat-\nrotation-of-the-deploy-tokens-2026",
      '"token-" + "of-the-deploy-user-and-others"',
      btoa("nothing but a sentence that somebody packed for no reason"),
      btoa(`{"alg":"none","n":[1,2,3,4,5,6,7,8,9,10,11,12]}`),
    ]
  ) assert.deepEqual(findSecrets(text), [], text);
});

Deno.test("findSecrets() covers what is packed itself, and little more", () => {
  const password = "Kd83" + "mzQ1xR4v";
  for (
    const [before, after] of [
      ["DATABASE_URL=postgres%3A%2F%2Fapp%3A", "%40db.io%2Fmain"],
      ['{"c":"A=1\\nDB_PASSWORD=', '\\nB=2"}'],
      ['"{\\"password\\": \\"', '\\"}"'],
      ["Cookie: theme=dark; sid=s%3Aq8Zr2Lm5Vt", "; lang=en"],
    ] as const
  ) {
    const text = before + password + after;
    const [finding] = findSecrets(text);
    const end = before.length + password.length;
    assert.ok((finding?.start ?? 0) >= before.length - 24, text);
    assert.ok((finding?.start ?? end) <= before.length && (finding?.end ?? 0) >= end, text);
    assert.ok((finding?.end ?? 0) <= end + 6, text);
  }
});

Deno.test("findSecrets() finds the end of a private key whose beginning was cut off", () => {
  const lines = [1, 2, 3].map((seed) => chars(seeded(seed), "ABCDabcd0123456789+/xyzXYZ", 64));
  const end = "-----" + "END RSA PRIVATE " + "KEY-----";
  const begin = "-----" + "BEGIN RSA PRIVATE " + "KEY-----";
  for (
    const text of [
      `above\n${lines.join("\n")}\n${end}\nit is below`,
      `above\n${[begin, ...lines].map((line, i) => `     ${i}→${line}`).join("\n")}\nit is below`,
    ]
  ) {
    const [finding, ...more] = findSecrets(text);
    const left = text.slice(0, finding?.start) + text.slice(finding?.end);
    assert.deepEqual(more, []);
    assert.ok(lines.every((line) => !left.includes(line)), left);
    assert.match(left, /^above\n[\s\S]*it is below$/);
  }
});

Deno.test("findSecrets() covers the longest private key there is, and no words between two", () => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, n) => chars(seeded(n), "ABCDabcd0123456789+/xyzXYZ", 64))
      .join("\n");
  const end = "-----" + "END RSA PRIVATE " + "KEY-----";
  const begin = "-----" + "BEGIN RSA PRIVATE " + "KEY-----";
  const key = `${begin}\n${lines(198)}\n${end}`;
  const [whole, ...more] = findSecrets(`it is\n${key}\nit is below`);
  assert.deepEqual([whole?.start, whole?.end, more], [6, 6 + key.length, []]);
  const torn = `${begin}\n${lines(10)}\n`;
  const found = findSecrets(`${torn}These words stay.\n\n${begin}\n${lines(10)}\n${end}`);
  assert.equal(found.length, 2);
  assert.ok((found[0]?.end ?? 0) <= torn.length);
});

Deno.test("findSecrets() covers a token that is encrypted, in its five parts", () => {
  const part = (seed: number, length: number): string =>
    chars(seeded(seed), "abcdefghijkmnpqrstuvwxyz0123456789ABCDEF_-", length);
  const token = "ey" + "J" +
    [part(1, 60), part(2, 40), part(3, 16), part(4, 50), part(5, 22)].join(".");
  const [finding, ...more] = findSecrets(`it is ${token}, today`);
  assert.deepEqual([finding?.start, finding?.end, more], [6, 6 + token.length, []]);
});

Deno.test("findSecrets() says where and which rule, and never the value", () => {
  const secret = "gh" + "p_" + "aB3dE5fG7hI9".repeat(3);
  const findings = findSecrets(`first\r\nthe token ${secret}\n`);
  assert.deepEqual(findings, [
    { rule: "github-token", line: 2, column: 11, start: 17, end: 57 },
  ]);
});

Deno.test("findSecrets() takes base64 that begins with a sign for a value", () => {
  const value = "+" + chars(seeded(9), "abcdefghijkmnpqrstuvwxyz0123456789ABCDEF", 39) + "==";
  assert.equal(findSecrets(`x-api-key: ${value}`).length, 1);
  assert.deepEqual(findSecrets("secret = +offset12, token: -1, password: -p1234567"), []);
});

Deno.test("findSecrets() covers no words behind a value that has no space before them", () => {
  for (
    const text of ["password：Kz94bXq7，请勿外传", "密码: Kz94bXq7。", "| 密码 | Kz94bXq7（旧） |"]
  ) {
    const [finding, ...more] = findSecrets(text);
    assert.deepEqual([text.slice(finding?.start, finding?.end), more], ["Kz94bXq7", []]);
  }
});

Deno.test("findSecrets() takes a random value with a stroke in it for no image", () => {
  const value = "acme/" + chars(seeded(9), "abcdefghijkmnpqrstuvwxyz0123456789ABCDEF", 24);
  assert.equal(findSecrets(`secret: ${value}`).length, 1);
});

Deno.test("findSecrets() takes what nobody calls a thing for a value, though it has few signs or long runs", () => {
  for (
    const line of [
      "password=" + "Ab1!cAb1!cAb",
      "auth_token=" + "xkcdwqrtplmnvbzs7",
      "auth_token=" + "abelian3cadmium7oxide42",
    ]
  ) assert.equal(findSecrets(line).length, 1, line);
});

Deno.test("scanSecrets() is not switched off by a comment in the text", async () => {
  const secret = "dap" + "i" + "0123456789abcdef".split("").reverse().join("") + "5ea1b2c3d4e5f607";
  const text = `<!-- secretlint-disable -->\nnote_${secret} 1${secret}`;
  assert.equal((await scanSecrets(text)).length, 2);
});

Deno.test("findSecrets() finds the shortest that each kind of name gives away, and none that is shorter", () => {
  for (
    const [before, value] of [
      ["password = ", "a1b2" + "c3"],
      ["client_secret = ", "q7Zk2" + "Lm9Xv"],
      ["client_secret: ", "4f2a9c1e8b7d" + "6a5c3e2f1a0b"],
      ["MY_TOKEN=", "q7Zk2" + "Lm9Xv"],
      ["token = ", "q7Zk2Lm9" + "XvBn4RtY"],
      ["the password is ", "k9dm" + "1xqz"],
      ["the API key is ", "q7Zk2Lm9Xv" + "Bn4RtYw3Pd"],
    ] as const
  ) {
    const [finding, ...more] = findSecrets(before + value);
    assert.deepEqual([finding?.start, finding?.end], [before.length, before.length + value.length]);
    assert.deepEqual([more, findSecrets(before + value.slice(0, -1))], [[], []], before);
  }
});

Deno.test("findSecrets() knows the name of a key however its words are joined", () => {
  const value = "q8Zt4Wm2vKx6";
  const kinds = [
    "access",
    "private",
    "signing",
    "encryption",
    "master",
    "account",
    "shared",
    "auth",
  ]
    .concat("service", "license", "admin", "deploy", "session", "cookie", "webhook", "storage")
    .concat("consumer", "subscription", "secret", "crypto", "root", "api");
  for (const kind of kinds) {
    const upper = kind.toUpperCase();
    for (
      const name of [`${kind}_key`, `${kind}-key`, `${kind}Key`, `${kind}key`, `${upper}_KEY`]
        .concat(`my_${kind}_key`, `${upper}KEY`)
    ) assert.equal(findSecrets(`${name} = "${value}"`).length, 1, name);
  }
});

Deno.test("findSecrets() takes what stands quoted behind a secret's name with all its signs", () => {
  for (const value of ["k(9)" + "d1!xz", "550e8400-e29b-41d4" + "-a716-446655440000"]) {
    const [finding] = findSecrets(`client_secret_password: "${value}"`);
    assert.equal((finding?.end ?? 0) - (finding?.start ?? 0), value.length, value);
  }
  const id = "550e8400-e29b-41d4" + "-a716-446655440000";
  assert.equal(findSecrets(`client_secret: ${id}`).length, 1);
  assert.equal(findSecrets(`| Client secret | ${id} |`).length, 1);
});

Deno.test("findSecrets() finds a token that stands right behind another", () => {
  const make = (name: string): string => {
    const kind = FIXED_KINDS.find((one) => one.name === name);
    assert(kind !== undefined, name);
    return kind.make(seeded(3)).secret;
  };
  // Until the first is covered, it hides the second from its rule.
  const pairs = [
    ["databricks token", "github token"],
    ["digitalocean token", "shopify token"],
    ["rubygems key", "twilio key"],
  ] as const;
  for (const [one, two] of pairs) {
    const [first, second] = [make(one), make(two)];
    const places = findSecrets(first + second).map(({ start, end }) => [start, end]);
    const ends = [[0, first.length], [first.length, first.length + second.length]];
    assert.deepEqual(places, ends, `${one}, ${two}`);
  }
});

Deno.test("findSecrets() finds a password that begins or ends like a placeholder or a plain value", () => {
  const parts = [
    "<",
    "<key>",
    "%NAME%",
    "{x}",
    "***",
    "&anchor",
    "env.",
    "ENV[",
    "secret",
    "vault:",
  ]
    .concat("op://", "ref+", "!ref", "#abc123", "^1.2", "/", "sha256-", "1:2:error", "2026-01-01")
    .concat("C:\\x", "~/x", "v1.2.3");
  for (const part of parts) {
    assert.equal(findSecrets(`password = "q8Zt4Wm2vK${part}"`).length, 1, part);
  }
  const whole = ["#abc123", "1.2.3", "2026-01-01", "/usr/lib", "a@b.io", "ns/name:tag", "12px"]
    .concat("%NAME%", "{x}", "***", "&x", "a.b.c", "48px-128k", "pass1!", "12345678", "aaaaaaaa")
    .concat("550e8400-e29b-41d4" + "-a716-446655440000", "0123456789abcdef0", "bgSurfaceL2Hover");
  for (const part of whole) {
    assert.equal(findSecrets(`password = "${part}!q8Zt4Wm2vK"`).length, 1, part);
  }
});

Deno.test("findSecrets() finds a random value in a cookie of any name, and that alone", () => {
  const value = chars(seeded(5), "abcdefghijkmnpqrstuvwxyzABCDEFGH0123456789", 24);
  for (
    const [before, after] of [
      ["Set-Cookie: app.x=", "; Path=/; HttpOnly"],
      ["cookie: theme=dark; _x=", "; lang=en"],
      [`'Cookie': 'a=necessary-analytics-marketing; b=`, "'"],
    ] as const
  ) {
    const found = findSecrets(before + value + after).map(({ start, end }) => [start, end]);
    assert.deepEqual(found, [[before.length, before.length + value.length]], before);
  }
  for (const plain of ["necessary-analytics-marketing", "${COOKIE_OF_ANY_NAME}", "9".repeat(24)]) {
    assert.deepEqual(findSecrets(`Cookie: a=${plain}; b=${plain.toLowerCase()}`), [], plain);
  }
});

Deno.test("findSecrets() takes a long secret to its end", () => {
  const value = chars(seeded(7), "abcdefghijkmnpqrstuvwxyz0123456789ABCDEF", 3_000);
  for (const text of [`password = "${value}"`, `secret: ${value}`]) {
    assert.equal(findSecrets(text)[0]?.end, text.indexOf(value) + value.length);
  }
});

Deno.test("findSecrets() and scanSecrets() cost in proportion to a hostile megabyte", async () => {
  await assertLinear(findSecrets, [
    "password for a ",
    "is the password ",
    "password is now ",
    "ghp_a\nb1",
    "sk-\n",
    '"a" + ',
    "'\\n",
    "IAAA",
    "|password|\n|---|\n",
    "| password | a ",
    "token:\n  a\n",
    "the token is a ",
    "create user a ",
    "| a | secret |\n|-|-|\n| b",
    "Z2hwXzEyMzQ1Njc4 ",
    `${"IAAA".repeat(16)}\n`,
  ]);
  await assertLinear(scanSecrets, SLOW_FOR_PACKAGES);
});

/** Where a pattern of secretlint has to look furthest before it gives up. */
const SLOW_FOR_PACKAGES = ["ghs_1_a.", "http://a:", "MONGODB://a:b@c/", "sk-proj-aaaaa", "xoxb-1-"]
  .concat(
    "SG.a.",
    "-----BEGIN PRIVATE KEY-----\nMII",
    "secretlint-disable-line\n",
    "http:" + "//ab:cd1ef@h.com ",
  );
