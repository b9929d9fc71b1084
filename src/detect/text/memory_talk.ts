/**
 * Talk about the memory tool itself, which never triggers: otherwise every conversation about Sage would save
 * itself. React hooks, database triggers and model checkpoints are something else, so one such word alone is
 * not enough.
 */
import { fold } from "../../base/text/text.ts";
import { spoken } from "./clean.ts";
import { withUnspaced } from "../phrases/unspaced.ts";

const CERTAIN = withUnspaced(
  "memory_talk.certain",
  /\bsage_\w+|\b(?:topic_shift|branch_point|constraint_discovered|context_threshold|autosave_check)\b|\b(?:stop|sessionstart|session[- ]start|session[- ]end|precompact|pre-compact|prompt)[- ]hooks?\b|\btrigger detect\w*|\binflection points?\b|\bautosaves?\b|\bsave(?:d|s)? (?:a|the|this|that|my|another)? ?checkpoints?\b|\bcheckpoint(?:s)? (?:was|were|is|are|got)? ?saved\b|\bmemory (?:tool|plugin|hook)s?\b/,
);

const WORDS: readonly RegExp[] = [
  /\b(?<!react |git |web|custom |pre-commit |lifecycle )hooks?\b/,
  /\b(?<!model |training |pytorch |weights |wal )checkpoints?\b/,
  /\b(?<!database |sql |db |build |cron )triggers?\b/,
  /\bdetectors?\b/,
  /\bcooldowns?\b/,
];

/** `before` is the previous exchange: if that was about memory, one such word continues it. */
export function isAboutMemory(text: string, before = ""): boolean {
  const folded = fold(spoken(text));
  const words = WORDS.filter((word) => word.test(folded)).length;
  return CERTAIN.test(folded) || words >= 2 ||
    (words === 1 && before !== "" && isAboutMemory(before));
}
