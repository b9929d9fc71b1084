/** The page as it is served: one file, and the policy that lets exactly its own script and style run. */
import { readAsset } from "../base/assets.ts";
import { sha256Base64 } from "../base/hash.ts";

/** `place`: identifies the notes, as in gate.ts. */
export async function pageResponse(place: string): Promise<Response> {
  const packed = new Blob([readAsset("page.html.gz")]).stream();
  const made = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
  const page = made.replace('data-place=""', `data-place="${place}"`);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(page, "script")}'`,
    `style-src '${hashOf(page, "style")}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
    },
  });
}

/** The hash of the exact bytes between the tags. */
function hashOf(page: string, tag: string): string {
  const start = page.indexOf(`<${tag}>`) + tag.length + 2;
  return `sha256-${sha256Base64(page.slice(start, page.indexOf(`</${tag}>`, start)))}`;
}
