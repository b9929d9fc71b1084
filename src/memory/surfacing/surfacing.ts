/**
 * Recall for a prompt, without being asked, behind a chain of gates: cheap ones first, and the first that
 * matches keeps Sage silent. What passes is shown once a session, fenced, within a budget.
 */
import { hasQuestionMark } from "../../base/text/text.ts";
import { type Gate, jaccard, passGates } from "./gates.ts";
import { gatherCandidates } from "../knowledge/candidates.ts";
import { continuesPrompt, termHash } from "./last_prompt.ts";
import type { Memory } from "../memory.ts";
import type { SessionState } from "../session/state/session_state.ts";
import { readSession, updateSession } from "../session/state/state.ts";
import type { showSurfaced } from "./surfaced.ts";

export type Surfacing =
  | { readonly kind: "silent"; readonly gate: Gate }
  | {
    readonly kind: "shown";
    readonly text: string;
    readonly ids: readonly string[];
    /** What was shown and why, in a line. */
    readonly account: string;
  };

/**
 * `charactersTaken`: what stands in front of it in the answer. The fence must fit whole: one that
 * is cut protects nothing.
 */
export async function surface(
  memory: Memory,
  session: string,
  prompt: string,
  charactersTaken = 0,
): Promise<Surfacing> {
  if (!memory.config.get("surfacing.enabled")) return { kind: "silent", gate: "off" };
  const passed = passGates(prompt, true);
  if ("gate" in passed) return { kind: "silent", gate: passed.gate };
  const before = readSession(memory, session);
  const state = await stillHeld(memory, before);
  const last = state?.lastTerms;
  const { isShort } = passed;
  if (isShort && last === undefined) return { kind: "silent", gate: "short" };
  const terms = passed.terms.map(termHash);
  const isSameTopic = last !== undefined &&
    jaccard(terms, last) >= memory.config.get("surfacing.topic_change");
  const shown = state?.shown ?? {};
  // Nothing new is found then, but what was shown may say something else by now.
  const isRepeated = isSameTopic && !await asksAnew(memory, prompt, last);
  if (isRepeated && Object.keys(shown).length === 0) return { kind: "silent", gate: "same_topic" };
  const going = { last, isShort, isQuestion: hasQuestionMark(prompt) };
  const gathered = await gatherCandidates(memory, prompt, {
    forHook: true,
    except: madeIn(state),
    accepts: (candidate) =>
      (!isRepeated || shown[candidate.note.id] !== undefined) && continuesPrompt(candidate, going),
  });
  const surfaced = gathered.scored.length === 0
    ? { isRelevant: false, text: "", versions: {}, account: "" }
    : await show(memory, prompt, gathered, heldBy(state), charactersTaken);
  if (isRepeated && surfaced.text === "") return { kind: "silent", gate: "same_topic" };
  const withdrawn = state === before ? [] : before?.lastShown?.ids ?? [];
  const { text, versions, account } = surfaced;
  const ids = Object.keys(versions);
  let isShownMeanwhile = false;
  updateSession(memory, session, (now) => {
    const held = without(now.shown, withdrawn);
    // By another hook for the same prompt, if two settings have one.
    isShownMeanwhile = ids.length > 0 && ids.every((id) => held[id] === versions[id]);
    return {
      ...now,
      // The next question may continue the same prompt.
      lastTerms: isShort ? [...new Set([...last ?? [], ...terms])] : terms,
      // Keep what was shown meanwhile beside an edit of the same session.
      shown: { ...held, ...versions },
      lastShown: { ids, readTo: now.readTo ?? 0 },
    };
  });
  if (text === "" || isShownMeanwhile) {
    return { kind: "silent", gate: surfaced.isRelevant ? "shown_before" : "nothing_relevant" };
  }
  return { kind: "shown", text, ids, account };
}

function heldBy({ shown = {}, wrote = {}, told = [] }: Partial<SessionState> = {}) {
  return { shown, wrote, told };
}

/** Whether only what was pasted is like the last prompt: two logs have most words in common. */
async function asksAnew(memory: Memory, prompt: string, last: readonly string[]): Promise<boolean> {
  if (!prompt.includes("\n")) return false;
  const { askedIn } = await import("./prompt_parts.ts");
  const { first } = askedIn(prompt);
  const typed = passGates(first);
  if (first === prompt || "gate" in typed) return false;
  const known = typed.terms.filter((term) => last.includes(termHash(term))).length;
  return known / typed.terms.length < memory.config.get("surfacing.topic_change");
}

/**
 * The state without notes shown beside a prompt that was withdrawn, because the conversation does not have
 * it. After the end of a turn nothing is withdrawn, and nothing is read.
 */
async function stillHeld(
  memory: Memory,
  state: SessionState | undefined,
): Promise<SessionState | undefined> {
  const { ids = [], readTo } = state?.lastShown ?? {};
  if (state === undefined || ids.length === 0 || readTo !== (state.readTo ?? 0)) return state;
  const { wasWithdrawn } = await import("../session/withdrawn.ts");
  if (!await wasWithdrawn(memory, state)) return state;
  const { lastTerms: _terms, shown, ...rest } = state;
  return { ...rest, shown: without(shown, ids) };
}

function without(shown: SessionState["shown"] = {}, ids: readonly string[]) {
  return Object.fromEntries(Object.entries(shown).filter(([id]) => !ids.includes(id)));
}

/**
 * Notes that the conversation itself wrote or took up: they would outrank everything else about
 * their subject.
 */
function madeIn(state: SessionState | undefined): ReadonlySet<string> {
  const made = [state?.note?.id, state?.restored, ...state?.checkpoints ?? []];
  return new Set(made.filter((id) => id !== undefined));
}

/** Loads what showing needs only when there is something to show. */
const show: typeof showSurfaced = async (...given) => {
  const { showSurfaced } = await import("./surfaced.ts");
  return await showSurfaced(...given);
};
