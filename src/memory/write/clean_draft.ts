/**
 * What may be written of a draft: private text out, secrets refused or redacted, forgotten sentences
 * dropped. Works on the draft's strings before anything is rendered, so that a secret cannot reach a
 * file name or front matter either. What a person accepted as no secret is saved where somebody asks.
 */
import { makeInert } from "../../guard/inert.ts";
import { originalOffset, stripPrivate, unpairedTag } from "../../guard/private.ts";
import { redact } from "../../guard/redact.ts";
import { scanSecrets } from "../../guard/scan.ts";
import { allowances } from "../guard/allowed.ts";
import { withoutForgotten } from "./forgotten.ts";
import type { Memory } from "../memory.ts";
import { type Author, type FieldFinding, TORN_TAG, type Unasked } from "./outcome.ts";

interface Clean<T> {
  readonly kind: "clean";
  readonly draft: T;
  readonly redactions: number;
}

type CleanDraft<T> =
  | Clean<T>
  | { readonly kind: "refused"; readonly findings: readonly FieldFinding[] };

export async function cleanDraft<T extends object>(
  memory: Memory,
  draft: T,
  author: Unasked,
): Promise<Clean<T>>;
export async function cleanDraft<T extends object>(
  memory: Memory,
  draft: T,
  author: Author,
): Promise<CleanDraft<T>>;
export async function cleanDraft<T extends object>(
  memory: Memory,
  draft: T,
  author: Author,
): Promise<CleanDraft<T>> {
  const findings: FieldFinding[] = author.explicit ? tornFields(draft) : [];
  let redactions = 0;
  let isAllowed: ReturnType<typeof allowances> | undefined;
  const forget = withoutForgotten(memory);
  const mayRedact = memory.config.get("privacy.redact");

  const cleaned = await mapStrings(draft, "", async (text, field) => {
    const open = stripPrivate(text);
    if (author.explicit) {
      for (const { rule, start, end } of await scanSecrets(open)) {
        isAllowed ??= allowances(memory);
        if (isAllowed(rule, open.slice(start, end))) continue;
        findings.push({ field, rule, line: lineAt(text, originalOffset(text, start)) });
      }
      return open;
    }
    const inert = makeInert(open);
    const safe = mayRedact ? await redact(inert) : { text: inert, findings: [] };
    redactions += safe.findings.length;
    return forget === undefined ? safe.text : forget(safe.text);
  });
  if (findings.length > 0) return { kind: "refused", findings };
  return { kind: "clean", draft: cleaned as T, redactions };
}

/**
 * Fields in which private text may continue from or into another: it ends there and began elsewhere, or it
 * begins in a title or list item and does not end there. Only its author knows what lies between.
 */
function tornFields(value: unknown, field = "", isFollowed = false): FieldFinding[] {
  if (typeof value === "string") {
    const torn = unpairedTag(value);
    if (torn === undefined || torn.kind === "open" && !isFollowed) return [];
    return [{ field, rule: TORN_TAG, line: lineAt(value, torn.offset) }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => tornFields(item, `${field}[${i}]`, i < value.length - 1));
  }
  return Object.entries(value ?? {}).flatMap(([key, item]) =>
    tornFields(item, field === "" ? key : `${field}.${key}`, key === "title")
  );
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

async function mapStrings(
  value: unknown,
  field: string,
  change: (text: string, field: string) => Promise<string>,
): Promise<unknown> {
  if (typeof value === "string") return await change(value, field);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [i, item] of value.entries()) {
      items.push(await mapStrings(item, `${field}[${i}]`, change));
    }
    return items.filter((item) => item !== "");
  }
  if (typeof value === "object" && value !== null) {
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value)) {
      entries.push([key, await mapStrings(item, field === "" ? key : `${field}.${key}`, change)]);
    }
    return Object.fromEntries(entries);
  }
  return value;
}
