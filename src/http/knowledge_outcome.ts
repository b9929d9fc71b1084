/** The outcomes of saving, patching and restoring knowledge, for an HTTP client. */
import { defined } from "../base/defined.ts";
import type { KnowledgeOutcome } from "../memory/knowledge/outcome.ts";
import type { PatchOutcome } from "../memory/knowledge/patch.ts";
import { edited, saved, stop, unknown } from "./outcome.ts";
import { done, type Reply } from "./route.ts";

export function knowledgeReply(outcome: KnowledgeOutcome): Reply {
  switch (outcome.kind) {
    case "updated": {
      const { kind, ...note } = outcome;
      return done({ outcome: kind, ...note });
    }
    case "conflict": {
      const { reason, existing, choices, diff } = outcome;
      return stop(409, "conflict", reason, { existing, choices, diff });
    }
    case "proposed": {
      const { id, question, text, diff } = outcome;
      const reason = `This is the person's to decide: sage inbox accept ${id}, or drop`;
      return stop(409, "conflict", reason, { question_id: id, question, text, diff });
    }
    case "edited":
      return edited(outcome.reason);
    case "none":
      return unknown(outcome.id, outcome);
    default:
      return saved(outcome);
  }
}

/** `said`: the outcome to report if the note was written. */
export function patchReply(outcome: PatchOutcome, said: string): Reply {
  switch (outcome.kind) {
    case "patched": {
      const { id, short_id, title, path, scope, notArchived: not_archived } = outcome;
      const left = defined({ not_archived });
      return done({ outcome: said, id, short_id, title, path, scope, ...left });
    }
    case "unchanged":
      return done({ outcome: "unchanged", id: outcome.id, title: outcome.title });
    case "conflict":
      return edited(outcome.reason);
    case "no_section":
      return stop(404, "not_found", `"${outcome.title}" has no such section`);
    default:
      return saved(outcome);
  }
}
