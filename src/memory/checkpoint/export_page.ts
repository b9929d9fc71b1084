/** A checkpoint as one HTML file: no script, nothing loaded, and no way for its text to become either. */
import { escapeHtml } from "../../base/text/escape_html.ts";
import type { Checkpoint } from "../../note/checkpoint.ts";
import { renderHtml } from "../../note/html.ts";
import type { ChainLink } from "./chain.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = `:root{color-scheme:light dark}
body{margin:0;font:1rem/1.6 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{line-height:1.25}h2{margin-top:2rem;font-size:1.15rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;font-size:.9rem;opacity:.8}
dd{margin:0;overflow-wrap:anywhere}p,li{overflow-wrap:anywhere}
pre{overflow-x:auto;padding:.75rem;border:1px solid;border-radius:.3rem}
code{font-family:ui-monospace,monospace;font-size:.9em}
table{display:block;overflow-x:auto;border-collapse:collapse}td,th{padding:.2rem .6rem;border:1px solid}`;

export function renderPage(
  checkpoint: Checkpoint,
  body: string,
  chain: readonly ChainLink[],
): string {
  const facts = factsOf(checkpoint, chain).map(([name, value]) =>
    `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`
  );
  // A body with its own heading needs no title above it.
  const hasHeading = /^\s*# /.test(body);
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(checkpoint.title)}</title>`,
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    "<main>",
    ...(hasHeading ? [] : [`<h1>${escapeHtml(checkpoint.title)}</h1>`]),
    renderHtml(body),
    "<hr>",
    `<dl>${facts.join("")}</dl>`,
    "</main>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function factsOf(
  { id, created, trigger, confidence, git }: Checkpoint,
  chain: readonly ChainLink[],
): [string, string][] {
  const place = [git?.branch, git?.commit?.slice(0, 12)].filter((part) => part !== undefined);
  const facts: [string, string][] = [
    ["saved", created],
    ["cause", trigger],
    ["confidence", String(confidence)],
    ["git", place.join(" ")],
    ["continues", chain.map((link) => link.title ?? link.id).join(" ← ")],
    ["id", id],
  ];
  return facts.filter(([, value]) => value !== "");
}
