/**
 * The only module that uses secretlint: a second opinion on fixed formats, maintained by others. It is
 * loaded only for a text that passes the prefilter, which may have false positives but no false negatives.
 */
import type { Match } from "./finding.ts";

/**
 * The literal beginnings of all patterns in the recommended preset (13.0.7), a little wider.
 * tests/guard/secretlint_test.ts fails when the preset gets a rule that is not listed here.
 */
const COULD_MATCH = new RegExp(
  [
    "(?:SECRET|secret|Secret)_?(?:ACCESS|access|Access)_?(?:KEY|key|Key)",
    "PRIVATE KEY",
    "npm_\\w{36}",
    "xox[bpaor]-|xapp-",
    "[hH][oO][oO][kK][sS]\\.[sS][lL][aA][cC][kK]\\.",
    ":\\/\\/[^\\s\\/]{3,520}@",
    "SG\\.\\w",
    "shp(?:pa|ca|at|ss)_\\w{16}",
    "[sr]k_(?:live|test)_\\w{16}",
    "gh[pousr]_\\w",
    "github_pat_\\w{16}",
    "glpat-[\\w-]{16}",
    "glc_[\\w+\\/]{16}|glsa_\\w{16}",
    "sk-[\\w-]{16}",
    "gsk_\\w{16}",
    "hf_\\w{16}",
    "lin_api_\\w{16}",
    "ntn_\\d{11}",
    "ops_ey",
    "hv[sbr]\\.[\\w-]{16}",
    "vc[piark]_\\w{16}",
    "dapi[\\dA-Fa-f]{16}",
    "dckr_pat_",
    "figd_[\\w-]{16}",
    "cf(?:k|ut|at)_\\w{16}",
    "tskey-[a-z]",
  ].join("|"),
);

/** False only when no rule of the preset can match. */
export function couldMatch(text: string): boolean {
  return COULD_MATCH.test(text);
}

/** Lets comments in the text switch rules off; a note must not decide what is scanned. */
const COMMENT_RULE = "@secretlint/secretlint-rule-filter-comments";
const PREFIX = "@secretlint/secretlint-rule-";

/**
 * Its cost is quadratic in the number of findings, so a long text is linted in parts. They overlap by more
 * than the longest match, a private key.
 */
const PART_CHARACTERS = 32 * 1024;
const OVERLAP_CHARACTERS = 12 * 1024;

/** Findings of the recommended preset, unsorted; a finding in the overlap of two parts is there twice. */
export async function lint(text: string): Promise<Match[]> {
  const [{ lintSource }, { rules }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const active = rules.filter((rule) => rule.meta.id !== COMMENT_RULE);
  const config = { rules: active.map((rule) => ({ id: rule.meta.id, rule })) };
  const found: Match[] = [];
  for (let from = 0; from < text.length; from += PART_CHARACTERS) {
    const content = text.slice(from, from + PART_CHARACTERS + OVERLAP_CHARACTERS);
    if (!couldMatch(content)) continue;
    const { messages } = await lintSource({
      source: { filePath: "note.md", content, ext: ".md", contentType: "text" },
      options: { noPhysicFilePath: true, config },
    });
    for (const { ruleId, range } of messages) {
      const rule = ruleId.replace(PREFIX, "");
      found.push({ rule, start: from + range[0], end: from + range[1] });
    }
  }
  return found;
}
