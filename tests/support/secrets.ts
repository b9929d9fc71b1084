/**
 * Secrets that were never issued, made at run time from parts so that no scanner objects to this
 * repository: one generator for each kind that the guard knows. Deterministic by seed.
 */

/** Numbers in [0, 1), always the same for the same seed. */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A secret with the text around it that makes it one; `secret` occurs in `text` once. */
export interface Sample {
  readonly text: string;
  readonly secret: string;
}

export interface Kind {
  readonly name: string;
  /** Generic kinds have no form of their own: only the name beside them gives them away. */
  readonly isGeneric: boolean;
  readonly make: (random: Random) => Sample;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const HEX = DIGITS + "abcdef";
const WORD = UPPER + LOWER + DIGITS;
const URL_SAFE = WORD + "-_";
const BASE64 = WORD + "+/";

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

export function chars(random: Random, alphabet: string, length: number): string {
  let text = "";
  for (let i = 0; i < length; i++) text += alphabet[Math.floor(random() * alphabet.length)];
  return text;
}

/** A kind made of a head and random parts, shown in one of several everyday contexts. */
function form(name: string, ...parts: Part[]): Kind {
  return {
    name,
    isGeneric: false,
    make: (random) => {
      const secret = parts.map((part) =>
        typeof part === "string" ? part : chars(random, part[0], part[1])
      ).join("");
      return { text: inContext(random, secret), secret };
    },
  };
}

function inContext(random: Random, secret: string): string {
  return pick(random, [
    secret,
    `I used ${secret} for the call.`,
    `- found \`${secret}\` in the log`,
    `value: "${secret}",`,
    `<${secret}>`,
    `see (${secret}) above`,
    `X=${secret}`,
    `\`\`\`\n${secret}\n\`\`\``,
    `{"v":"${secret}"}`,
  ]);
}

function context(
  name: string,
  isGeneric: boolean,
  secretOf: (random: Random) => string,
  texts: readonly string[],
): Kind {
  return {
    name,
    isGeneric,
    make: (random) => {
      const secret = secretOf(random);
      return { text: pick(random, texts).replace("%", () => secret), secret };
    },
  };
}

function base64Json(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

type Part = string | [alphabet: string, length: number];
const UUID: readonly Part[] = [8, 4, 4, 4, 12].flatMap((length, i): Part[] => [
  ...(i === 0 ? [] : ["-"]),
  [HEX, length],
]);

const BEGIN = "-----" + "BEGIN ";
const END = "-----" + "END ";

function keyBlock(label: string, head: string): Kind {
  return {
    name: `key block ${label}`,
    isGeneric: false,
    make: (random) => {
      const lines = [head + chars(random, BASE64, 64 - head.length)];
      for (let i = 0; i < 12; i++) lines.push(chars(random, BASE64, 64));
      const glue = pick(random, ["\n", "\r\n", "\\n", "\n  "]);
      const body = lines.join(glue);
      const closing = random() < 0.8 ? `${glue}${END}${label}-----` : "";
      return { text: `key:\n${BEGIN}${label}-----${glue}${body}${closing}\nafter`, secret: body };
    },
  };
}

/** Kinds with a form that is theirs alone. */
export const FIXED_KINDS: readonly Kind[] = [
  form("aws access key id", "AK" + "IA", [UPPER + "234567", 16]),
  context("aws secret access key", false, (r) => chars(r, BASE64, 40), [
    "aws_secret_access_key = %",
    "AWS_SECRET_ACCESS_KEY=%\n",
    '"SecretAccessKey": "%"',
  ]),
  form("google api key", "AI" + "za", [URL_SAFE, 35]),
  form("google api key of 2025", "AQ" + ".Ab", [URL_SAFE, 49]),
  form("bedrock key", "AB" + "SKQmVkcm9ja0FQSUtleS", [WORD, 100]),
  form("azure key", [WORD, 52], "JQQJ" + "99", [WORD, 26]),
  form("google oauth token", "ya" + "29.", [URL_SAFE, 60]),
  form("google oauth secret", "GOC" + "SPX-", [URL_SAFE, 28]),
  context("azure storage key", false, (r) => chars(r, BASE64, 86) + "==", [
    "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=%;EndpointSuffix=core.windows.net",
  ]),
  form("asana token", "2/", [DIGITS, 16], "/", [DIGITS, 16], ":", [HEX, 32]),
  form("convex deploy key", "pr" + "od:", [LOWER, 9], "-123|", [WORD, 64]),
  form("trigger key", "tr" + "_prod_", [WORD, 20]),
  form("x bearer token", "A".repeat(21), [WORD, 90]),
  form("digitalocean token", "do" + "p_v1_", [HEX, 64]),
  form("github token", "gh" + "p_", [WORD, 36]),
  form("github app token", "gh" + "s_", [WORD, 36]),
  form("github fine-grained token", "github" + "_pat_", [WORD, 22], "_", [WORD, 59]),
  form("gitlab token", "gl" + "pat-", [URL_SAFE, 20]),
  form("bitbucket token", "AT" + "BB", [WORD, 32]),
  form("atlassian token", "ATA" + "TT3", [URL_SAFE, 180], "=", [HEX, 8]),
  form("npm token", "np" + "m_", [WORD, 36]),
  form("pypi token", "py" + "pi-AgEIcHlwaS5vcmc", [URL_SAFE, 90]),
  form("rubygems key", "ruby" + "gems_", [HEX, 48]),
  form("docker token", "dckr" + "_pat_", [URL_SAFE, 27]),
  form("slack bot token", "xo" + "xb-", [DIGITS, 12], "-", [DIGITS, 12], "-", [WORD, 24]),
  form("slack app token", "xa" + "pp-1-", [UPPER, 11], "-", [DIGITS, 13], "-", [HEX, 64]),
  context("slack webhook", false, (r) => chars(r, WORD, 24), [
    "https://hooks.slack" + ".com/services/T0AB12CD3/B0EF45GH6/%",
  ]),
  form("stripe key", "sk" + "_live_", [WORD, 24]),
  form("stripe restricted key", "rk" + "_live_", [WORD, 60]),
  form("sendgrid key", "SG" + ".", [URL_SAFE, 22], ".", [URL_SAFE, 43]),
  form("twilio key", "S" + "K", [HEX, 32]),
  form("mailgun key", "ke" + "y-", [HEX, 32]),
  form("mailchimp key", [HEX, 32], "-u" + "s", [DIGITS, 2]),
  form("telegram token", [DIGITS, 10], ":A" + "A", [URL_SAFE, 33]),
  form("discord token", "M", [WORD, 25], ".", [WORD, 6], ".", [URL_SAFE, 38]),
  form("huggingface token", "h" + "f_", [UPPER + LOWER, 34]),
  form("openai project key", "sk" + "-proj-", [URL_SAFE, 74], "T3Blbk" + "FJ", [URL_SAFE, 74]),
  form("openai key", "sk" + "-", [WORD, 20], "T3Blbk" + "FJ", [WORD, 20]),
  form("anthropic key", "sk" + "-ant-api03-", [URL_SAFE, 93], "AA"),
  form("groq key", "gs" + "k_", [WORD, 52]),
  form("linear key", "lin" + "_api_", [WORD, 40]),
  form("notion token", "nt" + "n_", [DIGITS, 11], [WORD, 35]),
  form("figma token", "fi" + "gd_", [URL_SAFE, 43]),
  form("shopify token", "shp" + "at_", [HEX, 32]),
  form("square token", "sq0" + "atp-", [URL_SAFE, 22]),
  form("databricks token", "da" + "pi", [HEX, 32]),
  form("cloudflare token", "cf" + "ut_", [WORD, 40], [HEX, 8]),
  form("tailscale key", "ts" + "key-auth-", [WORD, 17], "-", [WORD, 32]),
  form("vault token", "hv" + "s.", [URL_SAFE, 95]),
  form("vercel token", "vc" + "p_", [WORD, 56]),
  form("grafana token", "gl" + "sa_", [WORD, 32], "_", [HEX, 8]),
  form("newrelic key", "NR" + "AK-", [UPPER + DIGITS, 27]),
  form("sentry token", "sntr" + "yu_", [HEX, 64]),
  form("airtable token", "pa" + "t", [WORD, 14], ".", [HEX, 64]),
  form("postman key", "PM" + "AK-", [HEX, 24], "-", [HEX, 34]),
  form("nuget key", "oy" + "2", [LOWER + DIGITS, 43]),
  form("artifactory token", "AK" + "Cp", [WORD, 69]),
  form("sourcegraph token", "sg" + "p_", [HEX, 16], "_", [HEX, 40]),
  form("neon key", "na" + "pi_", [LOWER + DIGITS, 64]),
  form("nvidia key", "nv" + "api-", [URL_SAFE, 64]),
  form("langfuse key", "sk" + "-lf-", ...UUID),
  form("launchdarkly key", "sd" + "k-", ...UUID),
  form("stripe key of an organisation", "sk" + "_org_live_", [WORD, 60]),
  form("mapbox token", "sk" + ".eyJ1Ijoi", [WORD, 40], ".", [URL_SAFE, 22]),
  context(
    "private key in base64",
    false,
    (r) => "LS0tLS1CRUdJ" + "TiBSU0EgUFJJ" + chars(r, BASE64, 300),
    [
      "tls.key: %\n",
      "echo % | base64 -d > id_rsa",
    ],
  ),
  context("jwk", false, (r) => chars(r, URL_SAFE, 43), ['{"kty":"EC","crv":"P-256","d":"%"}']),
  context("netrc", false, (r) => chars(r, WORD, 20), [
    "machine api.x.io login me password %",
    "machine api.x.io\n  login me\n  password %\n",
  ]),
  context("flag of one letter", false, (r) => chars(r, WORD, 18) + "q7", [
    "mysql -u root -p% main",
    "sshpass -p '%' ssh x",
    "docker login -u me -p % r.io",
    "redis-cli -h x -a %",
    "curl -s -uadmin:% https://x.io",
    "sqlcmd -S db -U sa -P %",
    "az login -u app -p %",
    "CREATE USER app IDENTIFIED BY '%';",
    "echo 'root:%' | sudo chpasswd",
    "requirepass %",
    "mongosh -u root -p % db.internal",
    "unzip -P % backup.zip",
    "setx DB_PASSWORD %",
    '$p = ConvertTo-SecureString "%" -AsPlainText -Force',
  ]),
  context("address of a data server", false, (r) => chars(r, WORD, 6) + "/" + chars(r, WORD, 7), [
    "postgres" + "ql://app:%@db.internal:5432/app",
  ]),
  context("token before a host", false, (r) => chars(r, HEX, 40), [
    "https" + "://%@github.com/a/b.git",
  ]),
  form("gitlab trigger token", "gl" + "rtr-", [URL_SAFE, 20]),
  form("test pypi token", "py" + "pi-AgENdGVzdC5weXBpLm9yZw", [URL_SAFE, 90]),
  form("vercel blob token", "vercel" + "_blob_rw_", [WORD, 16], "_", [WORD, 30]),
  form("sonar token", "sq" + "p_", [HEX, 40]),
  form("deno deploy token", "dd" + "p_", [WORD, 36]),
  form("packagist token", "packagist" + "_uut_", [HEX, 68]),
  form("slack workflow token", "xw" + "fp-", [DIGITS, 12], "-", [WORD, 30]),
  form("shopify delegate token", "shp" + "ltka_", [HEX, 32]),
  form("plaid token", "access" + "-production-", ...UUID),
  form("mailgun key of 2024", [HEX, 32], "-", [HEX, 8], "-", [HEX, 8]),
  form("tencent key", "AK" + "ID", [WORD, 32]),
  form("openshift token", "sha256" + "~", [URL_SAFE, 43]),
  form("salesforce session", "00" + "D", [WORD, 12], "!", [WORD + "._", 96]),
  form("facebook token", "EA" + "A", [WORD, 180]),
  context("ngrok token", false, (r) => `${chars(r, WORD, 27)}_${chars(r, WORD, 21)}`, [
    "ngrok config add-authtoken %",
    "authtoken: %",
  ]),
  context("okta token", false, (r) => "00" + chars(r, URL_SAFE, 40), ["send SSWS % in the header"]),
  context("signed address of azure", false, (r) => chars(r, URL_SAFE, 43), [
    "https://prod-12.westeurope.logic.azure.com/workflows/x?sv=1.0&sig=%",
    "https://x.azurewebsites.net/api/f?name=a&code=%==",
  ]),
  form("age key", "AGE-" + "SECRET-KEY-1", [UPPER + DIGITS, 58]),
  {
    name: "jwt",
    isGeneric: false,
    make: (random) => {
      const payload = { sub: chars(random, DIGITS, 10), iat: Math.floor(random() * 1e9) };
      const secret = [base64Json({ alg: "HS256", typ: "JWT" }), base64Json(payload)]
        .concat(chars(random, URL_SAFE, 43)).join(".");
      return { text: inContext(random, secret), secret };
    },
  },
  keyBlock("RSA PRIVATE " + "KEY", "MIIEpAIBAAKCAQEA"),
  keyBlock("OPENSSH PRIVATE " + "KEY", "b3BlbnNzaC1rZXktdjEAAAAA"),
  keyBlock("PGP PRIVATE " + "KEY BLOCK", "lQOYBF"),
  context("connection string", false, (r) => chars(r, WORD + "!*_-", 14), [
    "postgres" + "://app:%@db.internal:5432/app",
    "DATABASE_URL=mysql" + "://root:%@10.0.0.4/main",
    "mongodb+srv" + "://svc:%@cluster0.ab1cd.mongodb.net/?w=majority",
    "redis" + "://:%@cache:6379/0",
    "amqps" + "://worker:%@mq.internal/vhost",
  ]),
  context("basic-auth url", false, (r) => chars(r, WORD, 16), [
    "https" + "://deploy:%@git.internal.net/repo.git",
    "clone http" + "://ci:%@registry.corp.net/x first",
  ]),
  context("authorization header", false, (r) => chars(r, WORD + "-._", 40), [
    "Authorization: Bear" + "er %",
    '-H "Authorization: Bear' + 'er %"',
    '{ Authorization: "Bear' + 'er %" }',
  ]),
  context("basic authorization", false, (r) => btoa(`admin:${chars(r, WORD, 14)}`), [
    "Authorization: Bas" + "ic %",
    'authorization = "Bas' + 'ic %"',
  ]),
];

const PASSWORD = (random: Random): string =>
  pick(random, [
    () => chars(random, WORD + "!@#%^*", 12),
    () => chars(random, WORD, 10),
    () => chars(random, LOWER, 7) + chars(random, DIGITS, 3),
    () =>
      UPPER[Math.floor(random() * 26)] + chars(random, LOWER, 6) + chars(random, DIGITS, 4) + "!",
    () => chars(random, LOWER, 4) + "$" + chars(random, WORD, 8) + chars(random, DIGITS, 1),
  ])();

const SECRET = (random: Random): string =>
  pick(random, [
    () => chars(random, WORD, 32),
    () => chars(random, HEX, 40),
    () => chars(random, URL_SAFE, 43),
    () => chars(random, BASE64, 42) + "==",
    () => chars(random, LOWER + DIGITS, 24),
    () =>
      chars(random, HEX, 8) + "-" + [4, 4, 4].map((n) => chars(random, HEX, n)).join("-") + "-" +
      chars(random, HEX, 12),
  ])();

const TOKEN = (random: Random): string =>
  pick(random, [() => chars(random, WORD, 32), () => chars(random, HEX, 40)])();

/** Kinds that only the name beside the value gives away. */
export const GENERIC_KINDS: readonly Kind[] = [
  context("password assignment", true, PASSWORD, [
    'password = "%"',
    "password: %",
    "DB_PASSWORD=%",
    '"password": "%",',
    "pwd: '%'",
    "const dbPassword = '%';",
    "The admin password: `%`",
    "**Password:** %",
    "- name: DB_PASSWORD\n  value: %",
    '{"name": "DB_PASSWORD", "value": "%"}',
    "| host | user | password |\n|---|---|---|\n| db1 | root | % |",
    "password：%",
    "密码: %",
    "senha: %",
    "пароль: %",
    "| Setting | Value |\n|---|---|\n| Password | `%` |",
    "password:\n  %\nuser: app",
    'client.setPassword("%")',
  ]),
  context("secret assignment", true, SECRET, [
    'client_secret = "%"',
    "API_KEY=%",
    '"apiKey": "%"',
    "secret: %",
    "x-api-key: %",
    "SECRET_KEY = '%'",
    "signing_key: %",
    'const apiKey: string = "%";',
    'const apiKey = process.env.KEY ?? "%";',
    'os.getenv("API_KEY", "%")',
    '<add key="ApiSecret" value="%" />',
    'clientSecret: "%",',
    '- name: API_KEY\n  value: "%"\n- name: X',
    "API key | owner\n--- | ---\n`%` | ops",
    "| API key | % |",
  ]),
  context("token assignment", true, TOKEN, [
    "access_token=%",
    'authToken: "%"',
    "--token %",
    "https://api.internal.net/v1/items?token=%&page=2",
    'export SERVICE_TOKEN="%"',
    '{"refresh_token":"%"}',
    "my API key is %, I think",
    "use % as the access token",
  ]),
  context("env line", true, (r) => chars(r, WORD, 32), [
    "# .env\nMAILER=%\n",
    "export INTEGRATION=%",
    "PORT=3000\nSTRIPE='%'\nHOST=x",
  ]),
  context("ado connection string", true, PASSWORD, [
    "Server=tcp:db.internal,1433;User Id=app;Password=%;Encrypt=true",
    "host=db user=app password=% dbname=main",
  ]),
];

export const KINDS: readonly Kind[] = [...FIXED_KINDS, ...GENERIC_KINDS];
