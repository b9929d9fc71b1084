/**
 * Takes secrets out of a text. A marker names the rule, so that a reader knows what stood there.
 * Redacting twice changes nothing: markers are no secrets.
 */
import { type Finding, locate } from "./finding.ts";
import { originalOffset, stripPrivate } from "./private.ts";
import { findSecrets, scanSecrets } from "./scan.ts";

export interface Redacted {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Replaces everything that any rule finds by `[redacted:<rule>]`. */
export async function redact(text: string): Promise<Redacted> {
  const findings = await scanSecrets(text);
  return { text: withMarkers(text, findings), findings };
}

/** The same with our own rules only, for where nothing may be loaded. */
export function redactSync(text: string): Redacted {
  const findings = findSecrets(text);
  return { text: withMarkers(text, findings), findings };
}

function withMarkers(text: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, rule } of findings) {
    parts.push(text.slice(from, start), `[redacted:${rule}]`);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** What became of a text on its way to a file. */
export type GuardOutcome =
  | { readonly kind: "clean"; readonly text: string }
  | { readonly kind: "redacted"; readonly text: string; readonly findings: readonly Finding[] }
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

/**
 * The one gate before a text is stored: private parts go, then secrets. Explicit saves refuse, so
 * that a person decides; automatic ones redact. Findings are placed in the text as it was given.
 */
export async function guardText(text: string, mode: "refuse" | "redact"): Promise<GuardOutcome> {
  const open = stripPrivate(text);
  const findings = await scanSecrets(open);
  if (findings.length === 0) return { kind: "clean", text: open };
  const placed = open === text ? findings : locate(
    text,
    findings.map((finding) => ({
      rule: finding.rule,
      start: originalOffset(text, finding.start),
      end: originalOffset(text, finding.end - 1) + 1,
    })),
  );
  if (mode === "refuse") return { kind: "refused", findings: placed };
  return { kind: "redacted", text: withMarkers(open, findings), findings: placed };
}
