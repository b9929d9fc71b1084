/**
 * Takes secrets out of a text. A marker names the rule, so that a reader knows what stood there.
 * Redacting twice changes nothing: markers are no secrets.
 */
import { type Finding, replaceRanges } from "./finding.ts";
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

/** The text with a marker in place of each finding. */
export function withMarkers(text: string, findings: readonly Finding[]): string {
  return findings.length === 0
    ? text
    : replaceRanges(text, findings, ({ rule }) => `[redacted:${rule}]`);
}
