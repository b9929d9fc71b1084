/**
 * Our own rules for secrets of a fixed format, as a table. Always loaded; a rule is tried only if one of
 * its needles occurs in the text. Every pattern is a literal followed by bounded or greedy runs of one
 * character class, so none backtracks. What needs more is in structured_secrets.ts; secrets without a
 * format are in assignments.ts.
 */

/** The secret is group 1 of the pattern if it has one, else the whole match. */
export interface Rule {
  readonly id: string;
  /** The text must contain one of these, or the pattern is not tried. */
  readonly needles: readonly string[];
  readonly pattern: RegExp;
}

const WORD = "A-Za-z0-9";
const URL_SAFE = "A-Za-z0-9_-";
const LOWER_HEX = "0-9a-f";

/** A rule for one of the prefixes, at the start of a word, and at least `min` characters of a class. */
function token(id: string, prefixes: readonly string[], chars: string, min: number): Rule {
  const heads = prefixes.map((prefix) => prefix.replace(/[.+]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${heads})[${chars}]{${min},}`, "dg");
  return { id, needles: prefixes, pattern };
}

export const RULES: readonly Rule[] = [
  // Clouds
  {
    id: "aws-access-key-id",
    needles: ["AKIA", "ASIA", "ABIA", "ACCA"],
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])/dg,
  },
  {
    id: "aws-secret-access-key",
    needles: ["ecret", "ECRET"],
    pattern:
      /secret_?(?:access)?_?key["'`*\]]{0,3}[ \t]{0,8}(?::|=>|=)[ \t]{0,8}["'`]{0,2}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/dgi,
  },
  {
    id: "aws-secret-access-key",
    needles: ["AKIA", "ASIA"],
    pattern:
      /(?<![A-Za-z0-9+/])(?:AKIA|ASIA)[A-Z2-7]{16}["'`]{0,2}[,;:|\t ]{1,3}["'`]{0,2}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dg,
  },
  token("aws-bedrock-key", ["ABSK", "bedrock-api-key-"], "A-Za-z0-9+/=", 80),
  token("google-api-key", ["AIza"], URL_SAFE, 35),
  token("google-api-key", ["AQ.Ab"], URL_SAFE, 40),
  token("google-oauth-token", ["ya29."], URL_SAFE, 20),
  token("google-oauth-secret", ["GOCSPX-"], URL_SAFE, 24),
  {
    id: "google-refresh-token",
    needles: ["1//0"],
    pattern: /(?<![A-Za-z0-9/:])1\/\/0[A-Za-z0-9_-]{40,}/dg,
  },
  {
    id: "azure-storage-key",
    needles: ["AccountKey=", "SharedAccessKey="],
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})/dg,
  },
  { id: "azure-sas", needles: ["sig="], pattern: /[?&]sig=([A-Za-z0-9%+/_-]{40,}={0,2})/dg },
  {
    id: "azure-function-key",
    needles: [".azurewebsites.net/"],
    pattern:
      /\.azurewebsites\.net\/[^\s?"'`]{0,200}\?(?:[^\s"'`&]{1,80}&){0,4}code=([A-Za-z0-9%/+_-]{40,}={0,2})/dg,
  },
  {
    id: "azure-client-secret",
    needles: ["Q~"],
    pattern:
      /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/dg,
  },
  {
    id: "azure-key",
    needles: ["JQQJ99", "AZDO"],
    pattern:
      /(?<![A-Za-z0-9])(?:[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9])/dg,
  },
  token("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], LOWER_HEX, 64),
  token("heroku-key", ["HRKU-"], URL_SAFE, 36),
  token("fly-token", ["fo1_", "fm1_", "fm1a_", "fm2_"], "A-Za-z0-9+/=_-", 40),
  token("cloudflare-token", ["cfk_", "cfut_", "cfat_"], WORD, 40),
  token("cloudflare-origin-key", ["v1.0-"], "0-9a-f-", 120),
  token("vercel-token", ["vcp_", "vci_", "vca_", "vcr_", "vck_"], WORD, 20),
  token("vercel-token", ["vercel_blob_rw_"], "A-Za-z0-9_", 30),
  token("netlify-token", ["nfp_", "nfc_", "nfo_", "nfu_"], WORD, 36),
  token("planetscale-token", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], "A-Za-z0-9_.=-", 32),
  token("supabase-key", ["sbp_", "sb_secret_"], "A-Za-z0-9_-", 20),
  token("neon-key", ["napi_"], "a-z0-9", 60),
  token("render-key", ["rnd_"], WORD, 28),
  token("databricks-token", ["dapi"], LOWER_HEX, 32),
  token("alibaba-key", ["LTAI"], WORD, 20),
  token("tencent-key", ["AKID"], WORD, 32),
  token("volcengine-key", ["AKLT"], WORD, 40),
  token("yandex-key", ["AQVN"], URL_SAFE, 35),
  token("aiven-password", ["AVNS_"], URL_SAFE, 16),
  token("cockroach-key", ["CCDB1_"], "A-Za-z0-9_", 60),
  token("openshift-token", ["sha256~"], URL_SAFE, 43),
  token("scaleway-key", ["SCW"], "A-Z0-9", 17),

  // Code hosts, packages, builds
  token("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], WORD, 36),
  token("github-app-token", ["ghs_"], "A-Za-z0-9_.-", 60),
  token("github-fine-grained-token", ["github_pat_"], "A-Za-z0-9_", 60),
  token(
    "gitlab-token",
    ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-"]
      .concat("glsoat-", "glffct-", "glwt-", "glrtr-", "GR1348941"),
    "A-Za-z0-9_.-",
    20,
  ),
  token("bitbucket-token", ["ATBB", "ATCTT3"], "A-Za-z0-9_=-", 28),
  token("atlassian-token", ["ATATT3", "ATSTT3"], "A-Za-z0-9_=-", 60),
  token("npm-token", ["npm_"], WORD, 36),
  {
    id: "npm-auth-token",
    needles: ["_authToken=", "_auth=", "_password="],
    pattern: /_(?:authToken|auth|password)=["']?([A-Za-z0-9+/=_.-]{16,})/dg,
  },
  token("pypi-token", ["pypi-AgEI", "pypi-AgEN"], URL_SAFE, 50),
  token("rubygems-key", ["rubygems_"], LOWER_HEX, 48),
  token("crates-token", ["cio"], WORD, 32),
  token("nuget-key", ["oy2"], "a-z0-9", 43),
  token("artifactory-token", ["AKCp", "cmVmdGtu"], WORD, 56),
  token("sourcegraph-token", ["sgp_"], "0-9a-z_", 40),
  token("docker-token", ["dckr_pat_", "dckr_oat_"], URL_SAFE, 24),
  token("circleci-token", ["CCIPAT_", "CCIPRJ_"], "A-Za-z0-9_", 40),
  token("buildkite-token", ["bkua_", "bkct_"], LOWER_HEX, 40),
  {
    id: "terraform-cloud-token",
    needles: [".atlasv1."],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}/dg,
  },
  token("pulumi-token", ["pul-"], LOWER_HEX, 40),
  token("sonar-token", ["sqp_", "squ_", "sqa_"], LOWER_HEX, 40),
  token("deno-deploy-token", ["ddp_", "ddo_", "ddw_"], WORD, 36),
  token("packagist-token", ["packagist_ort_", "packagist_uut_"], LOWER_HEX, 60),
  token("clojars-token", ["CLOJARS_"], LOWER_HEX, 60),
  token("prefect-key", ["pnu_", "pnb_"], "a-z0-9", 36),
  {
    id: "launchdarkly-key",
    needles: ["sdk-"],
    pattern: /(?<![A-Za-z0-9])sdk-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/dg,
  },
  {
    id: "ngrok-token",
    needles: ["authtoken"],
    pattern: /authtoken[ \t:=]{1,4}["']?([A-Za-z0-9]{20,32}_[A-Za-z0-9]{18,24})(?![A-Za-z0-9_])/dg,
  },
  token("vault-token", ["hvs.", "hvb.", "hvr."], URL_SAFE, 24),
  token("doppler-token", ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim."], "A-Za-z0-9_.-", 32),
  token("tailscale-key", ["tskey-"], URL_SAFE, 24),

  // Models
  token("anthropic-key", ["sk-ant-"], URL_SAFE, 24),
  token("openrouter-key", ["sk-or-v1-"], LOWER_HEX, 48),
  token("openai-key", ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], URL_SAFE, 32),
  token("openai-key", ["sk-"], WORD, 32),
  token("huggingface-token", ["hf_", "api_org_"], WORD, 30),
  token("groq-key", ["gsk_"], WORD, 40),
  token("perplexity-key", ["pplx-"], WORD, 40),
  token("replicate-token", ["r8_"], WORD, 32),
  token("xai-key", ["xai-"], WORD, 60),
  token("langsmith-key", ["lsv2_pt_", "lsv2_sk_"], "0-9a-f_", 32),
  token("fireworks-key", ["fw_"], WORD, 22),
  token("tavily-key", ["tvly-"], URL_SAFE, 24),
  token("elevenlabs-key", ["sk_"], LOWER_HEX, 48),
  token("cerebras-key", ["csk-"], "a-z0-9", 40),
  token("nvidia-key", ["nvapi-"], URL_SAFE, 60),
  token("together-key", ["tgp_v1_"], URL_SAFE, 40),
  token("jina-key", ["jina_"], WORD, 56),
  token("voyage-key", ["pa-"], "A-Za-z0-9_", 42),
  token("langfuse-key", ["sk-lf-"], "0-9a-f-", 36),
  token("firecrawl-key", ["fc-"], LOWER_HEX, 32),
  token("e2b-key", ["e2b_"], LOWER_HEX, 40),
  token("anyscale-key", ["esecret_"], WORD, 32),
  token("wandb-key", ["wandb_v1_"], "A-Za-z0-9_", 60),
  token("cursor-key", ["key_"], LOWER_HEX, 64),
  token("runpod-key", ["rpa_"], WORD, 40),
  token("pinecone-key", ["pcsk_"], "A-Za-z0-9_", 40),

  // Money
  token(
    "stripe-key",
    ["sk_live_", "rk_live_", "sk_test_", "rk_test_"]
      .concat("sk_prod_", "rk_prod_", "sk_org_live_", "sk_org_test_"),
    WORD,
    20,
  ),
  token("stripe-webhook-secret", ["whsec_"], "A-Za-z0-9+/=", 28),
  token("square-token", ["sq0atp-", "sq0csp-", "sq0idp-"], URL_SAFE, 22),
  token("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_", "shpltka_"], WORD, 32),
  token("razorpay-key", ["rzp_live_", "rzp_test_"], WORD, 14),
  {
    id: "mollie-key",
    needles: ["live_"],
    pattern: /(?<![A-Za-z0-9_])live_(?=[A-Za-z]{0,24}\d)[A-Za-z0-9]{30,40}(?![A-Za-z0-9_])/dg,
  },
  token("shippo-token", ["shippo_live_", "shippo_test_"], LOWER_HEX, 40),
  token("duffel-token", ["duffel_live_", "duffel_test_"], URL_SAFE, 43),
  token("easypost-key", ["EZAK", "EZTK"], WORD, 54),
  {
    id: "plaid-token",
    needles: ["access-"],
    pattern:
      /(?<![A-Za-z0-9])access-(?:production|development|sandbox)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/dg,
  },
  token("flutterwave-key", ["FLWSECK_TEST-", "FLWSECK-"], "A-Za-z0-9-", 12),
  {
    id: "paypal-braintree-token",
    needles: ["access_token$production$"],
    pattern: /access_token\$production\$[0-9a-z]{16}\$[0-9a-f]{32}/dg,
  },

  // Messages and mail
  token(
    "slack-token",
    ["xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxr-", "xoxs-", "xoxc-", "xoxd-"]
      .concat("xoxe-", "xoxe.xoxp-", "xoxe.xoxb-", "xapp-", "xwfp-"),
    "A-Za-z0-9%-",
    16,
  ),
  {
    id: "slack-webhook",
    needles: ["hooks.slack.com/"],
    pattern:
      /hooks\.slack\.com\/((?:services|workflows|triggers)\/[A-Za-z0-9]{1,40}\/[A-Za-z0-9]{1,40}\/[A-Za-z0-9]{8,80})/dg,
  },
  {
    id: "discord-webhook",
    needles: ["/api/webhooks/"],
    pattern: /\/api\/webhooks\/\d{15,22}\/([A-Za-z0-9_-]{40,})/dg,
  },
  {
    id: "discord-token",
    needles: ["."],
    pattern:
      /(?<![A-Za-z0-9_.-])[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40}(?![A-Za-z0-9_-]|\.\w)/dg,
  },
  {
    id: "teams-webhook",
    needles: [".webhook.office.com/"],
    pattern: /\.webhook\.office\.com\/(webhookb2\/[A-Za-z0-9@/-]{60,300})/dg,
  },
  {
    id: "telegram-token",
    needles: [":AA"],
    pattern: /(?<![0-9]|(?<!\/bo)[a-z]|[A-Z])\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])/dg,
  },
  { id: "twilio-key", needles: ["SK"], pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/dg },
  {
    id: "sendgrid-key",
    needles: ["SG."],
    pattern: /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}(?![A-Za-z0-9_-])/dg,
  },
  {
    id: "mailgun-key",
    needles: ["key-"],
    pattern: /(?<![A-Za-z0-9])key-[0-9a-f]{32}(?![A-Za-z0-9])/dg,
  },
  {
    id: "mailgun-key",
    needles: ["-"],
    pattern: /(?<![A-Za-z0-9-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])/dg,
  },
  {
    // Base64 of zero bytes contains such runs of A.
    id: "facebook-token",
    needles: ["EAA"],
    pattern: /(?<![A-Za-z0-9+/])EAA(?![A-Za-z0-9]{0,20}AAA)[A-Za-z0-9]{100,}(?![A-Za-z0-9+/=])/dg,
  },
  {
    // More A's, or a longer token, are base64 of zero bytes.
    id: "x-bearer-token",
    needles: ["A".repeat(20)],
    pattern: /(?<![A-Za-z0-9+/])A{20,22}(?!A)[A-Za-z0-9%]{78,96}(?![A-Za-z0-9+/=%])/dg,
  },
  {
    id: "mailchimp-key",
    needles: ["-us"],
    pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/dg,
  },
  token("brevo-key", ["xkeysib-", "xsmtpsib-"], "A-Za-z0-9-", 40),
  {
    id: "resend-key",
    needles: ["re_"],
    pattern: /(?<![A-Za-z0-9])re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![A-Za-z0-9])/dg,
  },

  // Work tools
  token("notion-token", ["ntn_"], WORD, 40),
  {
    id: "notion-token",
    needles: ["secret_"],
    pattern: /(?<![A-Za-z0-9])secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])/dg,
  },
  {
    id: "asana-token",
    needles: [":"],
    pattern: /(?<![A-Za-z0-9/])[12]\/\d{13,19}(?:\/\d{13,19})?:[0-9a-f]{32}(?![A-Za-z0-9])/dg,
  },
  token("linear-key", ["lin_api_", "lin_oauth_"], WORD, 32),
  token("figma-token", ["figd_", "figo_", "figu_"], URL_SAFE, 36),
  {
    id: "airtable-token",
    needles: ["pat"],
    pattern: /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])/dg,
  },
  token("hubspot-token", ["pat-na1-", "pat-eu1-", "pat-na2-"], "0-9a-f-", 36),
  token("postman-key", ["PMAK-"], "0-9a-f-", 40),
  {
    id: "salesforce-session",
    needles: ["00D"],
    pattern: /(?<![A-Za-z0-9])00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,120}/dg,
  },
  token("readme-key", ["rdme_"], "a-z0-9", 60),
  token("frameio-token", ["fio-u-"], URL_SAFE, 60),
  {
    id: "convex-deploy-key",
    needles: ["|"],
    pattern: /(?<![A-Za-z0-9])(?:prod|dev|preview):[a-z0-9:-]{3,60}\|[A-Za-z0-9+/=_-]{40,}/dg,
  },
  token("trigger-key", ["tr_prod_", "tr_dev_", "tr_pat_", "tr_stg_"], WORD, 20),
  token("inngest-key", ["signkey-prod-", "signkey-test-"], LOWER_HEX, 32),
  token("typeform-token", ["tfp_"], "A-Za-z0-9_.=-", 40),
  token("contentful-token", ["CFPAT-"], URL_SAFE, 40),
  token("dropbox-token", ["sl."], URL_SAFE, 100),
  token("1password-token", ["ops_ey"], "A-Za-z0-9+/=_-", 80),
  {
    id: "1password-secret-key",
    needles: ["A3-"],
    pattern:
      /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/dg,
  },

  // Monitoring
  token("grafana-token", ["glc_", "glsa_", "eyJrIjoi"], "A-Za-z0-9+/=_", 32),
  token("datadog-key", ["ddapp_"], WORD, 30),
  token("newrelic-key", ["NRAK-", "NRJS-", "NRII-", "NRSP-"], URL_SAFE, 19),
  token("dynatrace-token", ["dt0c01.", "dt0s01."], "A-Z0-9.", 60),
  token("sentry-token", ["sntrys_", "sntryu_"], "A-Za-z0-9+/=_", 40),
  token("honeycomb-key", ["hcaik_", "hcbik_", "hcxik_"], WORD, 40),
  token("posthog-key", ["phx_", "phs_"], WORD, 32),

  {
    id: "mapbox-token",
    needles: ["sk.eyJ"],
    pattern: /(?<![A-Za-z0-9])sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/dg,
  },

  // Private keys, headers and commands
  {
    // `-----BEGIN … PRIVATE KEY` in base64, with the line ends of its encoder.
    id: "private-key",
    needles: ["LS0tLS1CRUdJTi"],
    pattern:
      /LS0tLS1CRUdJTi(?:BSU0EgUFJJ|BQUklWQVRF|BPUEVOU1NI|BFQyBQUkl|BFTkNSWVBU|BEU0Eg|BQR1AgUFJJ)(?:[A-Za-z0-9+/=]|\\?\r?\n[ \t]{0,16}(?=[A-Za-z0-9+/=]{20}))*/dg,
  },
  {
    id: "private-key",
    needles: ['"kty"'],
    pattern: /"(?:d|p|q|dp|dq|qi|k)"[ \t]{0,4}:[ \t]{0,4}"([A-Za-z0-9_-]{40,})"/dg,
  },
  {
    id: "seed-phrase",
    needles: ["nemonic", "NEMONIC", "phrase", "PHRASE"],
    pattern:
      /(?:mnemonic|(?:seed|recovery)[ _-]?phrase)[^\n:=]{0,20}[:=][ \t]{0,4}["'`]{0,2}((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/dgi,
  },
  token("age-key", ["AGE-SECRET-KEY-1"], "A-Z0-9", 50),
  token("wallet-key", ["xprv", "zprv", "nsec1"], WORD, 58),
  {
    id: "authorization-header",
    needles: ["uthorization", "UTHORIZATION"],
    pattern:
      /authorization["'`*\]]{0,3}[ \t]{0,8}[:=][ \t]{0,8}["'`]{0,2}(?:bearer|basic|token|apikey|digest|bot|ssws|negotiate|geniekey|splunk)[ \t]{1,8}([A-Za-z0-9._~+/=:-]{12,})/dgi,
  },
  {
    id: "okta-token",
    needles: ["SSWS "],
    pattern: /(?<![A-Za-z0-9])SSWS[ \t]{1,4}(00[A-Za-z0-9_-]{36,44})/dg,
  },
  {
    id: "command-password",
    needles: ["ConvertTo-SecureString"],
    pattern: /ConvertTo-SecureString(?:[ \t]{1,4}-String)?[ \t]{1,4}["']([^"'$\n]{6,128})["']/dg,
  },
  {
    id: "command-password",
    needles: ["IDENTIFIED", "identified", "requirepass", "masterauth"],
    pattern:
      /(?:(?:(?:create|alter)[ \t]{1,4}user[ \t][^\n;]{0,160}?identified|IDENTIFIED)(?:[ \t]{1,4}(?:with|WITH)[ \t]{1,4}\w{1,32})?[ \t]{1,4}(?:by|BY)[ \t]{1,4}["']|(?:requirepass|masterauth)[ \t]{1,4}["']?)(?![$<{])(?=[^\s"']{0,64}[\d!@#%^&*])([^\s"'`]{6,128})/dg,
  },
  {
    id: "command-password",
    needles: ["chpasswd"],
    pattern:
      /["'][\w.-]{1,32}:([^\s"':$]{6,128})["'][ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd/dg,
  },
  {
    id: "command-password",
    needles: ["setx "],
    pattern:
      /setx[ \t]{1,4}\w{0,48}(?:TOKEN|SECRET|KEY|PASS(?:WORD|WD)?|PWD)[ \t]{1,4}["']?(?=[^\s"']{0,64}\d)([^\s"'%$]{8,256})/dgi,
  },
  {
    id: "bearer-token",
    needles: ["earer ", "EARER "],
    pattern: /(?<![A-Za-z0-9])bearer[ \t]{1,8}([A-Za-z0-9._~+/=-]{24,})/dgi,
  },
  {
    id: "curl-credentials",
    needles: ["curl"],
    pattern:
      /(?:[ \t]-u|[ \t]--user)[ \t=]{0,4}["']?[A-Za-z0-9_.@-]{1,64}:([^\s"'`:@/<>]{6,128})(?=["'\s]|$)/dg,
  },
  {
    id: "vault-token",
    needles: ["ault", "AULT"],
    pattern: /vault[-_]token["'`]?[ \t]{0,4}[:=][ \t]{0,4}["'`]?([sb]\.[A-Za-z0-9]{24,})/dgi,
  },
  {
    id: "netrc-password",
    needles: ["machine"],
    pattern:
      /(?<![A-Za-z0-9])machine[ \t]{1,8}[^\s]{1,128}\s{1,8}login\s{1,8}[^\s]{1,128}\s{1,8}password\s{1,8}(?![$<{])([^\s"'`]{6,256})/dg,
  },
  {
    id: "pgpass-password",
    needles: [":543", ":*:"],
    pattern:
      /(?:^|\n)[\w.*-]{1,128}:(?:543\d|\*):[\w*-]{1,64}:[\w*-]{1,64}:([^\s"'`]{6,128})(?=\s|$)/dg,
  },
  {
    id: "oracle-password",
    needles: ["sqlplus", "jdbc:oracle:"],
    pattern:
      /(?:sqlplus[ \t]{1,4}(?:-\w{1,2}[ \t]{1,4}){0,3}|jdbc:oracle:\w{1,8}:)["']?\w{1,64}\/([^\s"'`@\/]{6,128})@/dg,
  },
  {
    // A one-letter flag means a password only after its command, and `-p` may also be a port.
    id: "command-password",
    needles: ["mysql", "mariadb", "sshpass", "login", "redis-cli", "ldap", "htpasswd", "curl"]
      .concat("sqlcmd", "bcp ", "zip ", "mongo"),
    pattern:
      /(?:(?:mysql(?:dump|admin|import)?|mariadb)[ \t][^\n|;&]{0,160}?(?<=[ \t])-p|mongo(?:sh|dump|restore|export|import)?[ \t][^\n|;&]{0,160}?(?<=[ \t])-p[ \t]{0,4}|sshpass[ \t]{1,4}-p[ \t]{0,4}|(?:sqlcmd|bcp|(?:un)?zip)[ \t][^\n|;&]{0,160}?(?<=[ \t])-P[ \t]{0,4}|(?:docker|podman|helm registry|oc|az)[ \t]{1,4}login[ \t][^\n|;&]{0,160}?(?<=[ \t])-p[ \t]{1,4}|redis-cli[ \t][^\n|;&]{0,160}?(?<=[ \t])-a[ \t]{1,4}|ldap(?:search|add|modify|whoami)[ \t][^\n|;&]{0,160}?(?<=[ \t])-w[ \t]{1,4}|htpasswd[ \t]{1,4}-\w{0,6}b\w{0,6}[ \t][^\n|;& ]{1,128}[ \t][^\s]{1,64}[ \t]|curl[ \t](?:[^\n|;&]{0,160}?[ \t])?-u["']?[\w.@-]{1,64}:)["']?(?![\d.:]{3,24}\/(?:tcp|udp))(?=[^\s"'`]{0,64}\d)(?=[^\s"'`]{0,64}[A-Za-z])([^\s"'`$<{:\/][^\s"'`]{5,128})(?=["'\s]|$)/dg,
  },
];
