/**
 * Replaces secrets in a text by markers with the name of the rule. Idempotent, because no rule matches a
 * marker.
 */
import { type Finding, replaceRanges } from "./finding.ts";
import { findSecrets, scanSecrets } from "./scan.ts";

export interface Redacted {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Replaces whatever any rule finds, ours or secretlint's. */
export async function redact(text: string): Promise<Redacted> {
  const findings = await scanSecrets(text);
  return { text: withMarkers(text, findings), findings };
}

/** Like `redact` with our own rules only, for callers that cannot wait for secretlint to load. */
export function redactSync(text: string): Redacted {
  const findings = findSecrets(text);
  return { text: withMarkers(text, findings), findings };
}

/** The text with `[redacted:<rule>]` in place of each finding. */
export function withMarkers(text: string, findings: readonly Finding[]): string {
  return findings.length === 0
    ? text
    : replaceRanges(text, findings, ({ rule }) => `[redacted:${rule}]`);
}
