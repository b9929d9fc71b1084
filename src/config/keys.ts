/**
 * The table of settings: the only place that knows their names, defaults, ranges and effects. Help,
 * validation, `config explain` and the reference are generated from it. Limits on input from outside
 * are not settings; they are in base/limits.ts.
 */

interface Common {
  readonly summary: string;
  /** The effect of changing it. */
  readonly lever: string;
  /** Whether a trusted project may set it. Never true of a path, a model or a mode. */
  readonly projectMay: boolean;
  /**
   * The project may only lower the value of the user's file or the default: a repository must not
   * raise what Sage spends of the user's tokens or time.
   */
  readonly projectOnlyLowers?: boolean;
  /** Its name in the first version of Sage, still accepted. */
  readonly short?: string;
  /** A second environment variable that is read. */
  readonly env?: string;
}

export interface NumberSetting extends Common {
  readonly kind: "number" | "integer";
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** How far from the default learning may move the value; never, if absent. */
  readonly learnsWithin?: number;
}

export interface BooleanSetting extends Common {
  readonly kind: "boolean";
  readonly default: boolean;
}

export interface ChoiceSetting extends Common {
  readonly kind: "choice";
  readonly default: string;
  readonly choices: readonly string[];
}

export interface TextSetting extends Common {
  readonly kind: "text";
  readonly default: string;
  readonly form: RegExp;
  /** What `form` accepts, in words. */
  readonly wants: string;
}

export type Setting = NumberSetting | BooleanSetting | ChoiceSetting | TextSetting;

const SHARE = { kind: "number", min: 0, max: 1 } as const;
const COUNT = { kind: "integer" } as const;
const MACHINE = { projectMay: false } as const;
const PROJECT = { projectMay: true } as const;
const LOWER = { projectMay: true, projectOnlyLowers: true } as const;

export const SETTINGS = {
  "retrieval.recall_threshold": {
    ...SHARE,
    ...PROJECT,
    default: 0.7,
    short: "recall_threshold",
    summary: "score from which a knowledge note is recalled",
    lever: "lower recalls more and less certain notes",
  },
  "retrieval.dedup_threshold": {
    ...SHARE,
    ...PROJECT,
    default: 0.9,
    short: "dedup_threshold",
    summary: "likeness from which two texts count as the same",
    lever: "lower treats more saves as duplicates",
  },
  "retrieval.embedding_weight": {
    ...SHARE,
    ...PROJECT,
    default: 0.7,
    short: "embedding_weight",
    summary: "how much meaning counts in a score, 0 not at all",
    lever: "higher finds other words for the same thing",
  },
  "retrieval.keyword_weight": {
    ...SHARE,
    ...PROJECT,
    default: 0.3,
    short: "keyword_weight",
    summary: "how much words count in a score, 0 not at all",
    lever: "higher favours names, codes and exact terms",
  },
  "retrieval.synonyms": {
    ...PROJECT,
    kind: "boolean",
    default: true,
    summary: "words are answered by others that mean the same: `sign in` by `login`",
    lever: "false takes words as they are",
  },
  "retrieval.max_items": {
    ...COUNT,
    ...PROJECT,
    default: 3,
    min: 1,
    max: 50,
    summary: "notes in one recall at most",
    lever: "higher shows more of the list",
  },
  "retrieval.user_scope_priority": {
    ...SHARE,
    ...PROJECT,
    default: 0.8,
    summary: "weight of your own notes against the project's (1 is equal)",
    lever: "lower puts the project's notes first",
  },
  "rank.relevance": {
    ...SHARE,
    ...PROJECT,
    default: 0.6,
    summary: "share of relevance in the order of hits",
    lever: "higher orders by score alone",
  },
  "rank.recency": {
    ...SHARE,
    ...PROJECT,
    default: 0.25,
    summary: "share of recency in the order of hits",
    lever: "higher puts new notes first",
  },
  "rank.recall_frequency": {
    ...SHARE,
    ...PROJECT,
    default: 0.15,
    summary: "share of use in the order of hits",
    lever: "higher puts often used notes first",
  },
  "embedding.model": {
    ...MACHINE,
    kind: "text",
    default: "static",
    form:
      /^(?:[A-Za-z0-9][\w.-]{0,79}|(?:ollama:|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?[\w./-]{0,160}#)[\w.:/-]{1,100})$/,
    wants: "static, the name of a model that was pulled, or an embeddings server on this machine",
    short: "embedding_model",
    summary: "model that texts are compared with",
    lever: "sage model use builds its index first, then sets it; static needs no download",
  },
  "embedding.hub": {
    ...MACHINE,
    kind: "text",
    default: "https://huggingface.co",
    form: /^(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(?::\d{1,5})?$/,
    wants: "an https address without a path, or http on this machine",
    summary: "where models are pulled from",
    lever: "another address takes them from a mirror with the same paths",
  },
  "update.url": {
    ...MACHINE,
    kind: "text",
    default: "",
    form:
      /^(?:|(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(?::\d{1,5})?(?:\/[\w.~-]+)*\/?)$/,
    wants: "an https address, or http on this machine; empty is where this program came from",
    summary: "where sage update looks for a newer program, when it is run",
    lever: "another address takes it from a mirror, signed by the same key",
  },
  "search.builtin_memory": {
    ...MACHINE,
    kind: "boolean",
    default: true,
    summary: "the editor's own memory and CLAUDE.md are searched too, and never written",
    lever: "false leaves them to the editor",
  },
  "chat.model": {
    ...MACHINE,
    kind: "text",
    default: "claude-sonnet-5-5",
    form: /^[A-Za-z0-9][\w.:@/-]{0,99}$/,
    wants: "the name of a model",
    summary: "model that sage ask and sage chat talk to",
    lever: "another one answers otherwise, and at another price",
  },
  "chat.address": {
    ...MACHINE,
    kind: "text",
    default: "https://api.anthropic.com",
    form:
      /^(?:https:\/\/api\.anthropic\.com|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?)\/?$/,
    wants: "https://api.anthropic.com, or http on this machine",
    summary: "where sage ask and sage chat find the model",
    lever: "a gateway on this machine may stand in between",
  },
  "chat.max_tokens": {
    ...COUNT,
    ...MACHINE,
    default: 4096,
    min: 64,
    max: 64000,
    summary: "tokens of one answer at most",
    lever: "higher lets answers be longer, and cost more",
  },
  "chat.price_input": {
    ...MACHINE,
    kind: "number",
    min: 0,
    max: 10000,
    default: 0,
    summary: "price of a million tokens that the model reads",
    lever: "with a price, sage chat shows what a conversation has cost",
  },
  "chat.price_output": {
    ...MACHINE,
    kind: "number",
    min: 0,
    max: 10000,
    default: 0,
    summary: "price of a million tokens that the model writes",
    lever: "with a price, sage chat shows what a conversation has cost",
  },
  "budget.context_tokens": {
    ...COUNT,
    ...LOWER,
    default: 15000,
    min: 500,
    max: 200000,
    summary: "tokens that loading context may use",
    lever: "higher loads more notes",
  },
  "budget.orientation_tokens": {
    ...COUNT,
    ...LOWER,
    default: 200,
    min: 0,
    max: 2000,
    summary: "tokens that a session starts with",
    lever: "higher tells more at the start of a session, 0 nothing",
  },
  "budget.surfacing_tokens": {
    ...COUNT,
    ...LOWER,
    default: 800,
    min: 0,
    max: 4000,
    summary: "tokens that one prompt may be given from memory",
    lever: "higher surfaces more notes, 0 none",
  },
  "surfacing.enabled": {
    ...MACHINE,
    kind: "boolean",
    default: true,
    summary: "notes are put beside a prompt that they answer",
    lever: "false stays silent until asked",
  },
  "surfacing.topic_change": {
    ...SHARE,
    ...MACHINE,
    default: 0.35,
    summary: "overlap of terms from which a prompt is still on the last topic",
    lever: "higher surfaces more often",
  },
  "surfacing.before_edits": {
    ...MACHINE,
    kind: "boolean",
    default: false,
    summary: "before a file is edited, the note that rests on it is named, once a session",
    lever: "true names it once sage install was run again: it registers a hook more",
  },
  "detection.mode": {
    ...MACHINE,
    kind: "choice",
    default: "ask",
    choices: ["ask", "offer", "silent", "off"],
    summary:
      "what happens at a point worth keeping: ask the agent at once, save and ask beside the " +
      "next prompt, save silently, nothing",
    lever:
      "offer takes no extra turn, silent never asks, off saves only when the window fills, before compaction and at the end",
  },
  "detection.cooldown_seconds": {
    ...COUNT,
    ...PROJECT,
    default: 30,
    min: 0,
    max: 3600,
    env: "SAGE_SEMANTIC_COOLDOWN",
    summary: "seconds between two detections of one trigger",
    lever: "lower detects more often",
  },
  "detection.context_threshold": {
    ...PROJECT,
    kind: "number",
    default: 0.7,
    min: 0.3,
    max: 0.95,
    summary: "share of the context window from which a checkpoint is saved",
    lever: "lower saves earlier",
  },
  "detection.structural_alone": {
    ...SHARE,
    ...PROJECT,
    default: 0.8,
    learnsWithin: 0.05,
    summary: "structural confidence that triggers by itself",
    lever: "lower detects more and less certain points",
  },
  "detection.structural_confirmed": {
    ...SHARE,
    ...PROJECT,
    default: 0.5,
    learnsWithin: 0.05,
    summary: "structural confidence that triggers when words confirm it",
    lever: "lower lets words decide more",
  },
  "detection.min_messages": {
    ...COUNT,
    ...PROJECT,
    default: 2,
    min: 0,
    max: 200,
    summary: "messages since the last save before anything is detected",
    lever: "lower detects in short exchanges",
  },
  "detection.min_tokens": {
    ...COUNT,
    ...PROJECT,
    default: 75,
    min: 0,
    max: 100000,
    summary: "tokens since the last save before anything is detected",
    lever: "lower detects in short exchanges",
  },
  "detection.dedup_window": {
    ...COUNT,
    ...PROJECT,
    default: 20,
    min: 1,
    max: 1000,
    summary: "latest checkpoints that a new one is compared with",
    lever: "higher finds older duplicates",
  },
  "detection.max_turns": {
    ...COUNT,
    ...PROJECT,
    default: 10,
    min: 1,
    max: 1000,
    summary: "turns without a save after which the next pause saves",
    lever: "lower saves more often in quiet work",
  },
  "detection.max_tokens": {
    ...COUNT,
    ...PROJECT,
    default: 8000,
    min: 500,
    max: 1000000,
    summary: "tokens without a save after which the next pause saves",
    lever: "lower saves more often in quiet work",
  },
  "detection.ask_minutes": {
    ...COUNT,
    ...PROJECT,
    default: 15,
    min: 0,
    max: 1440,
    summary: "minutes between two questions to the agent",
    lever: "higher asks less and saves more by itself",
  },
  "detection.asks_per_session": {
    ...COUNT,
    ...PROJECT,
    default: 3,
    min: 0,
    max: 100,
    summary: "questions to the agent in one session",
    lever: "lower asks less and saves more by itself",
  },
  "freshness.half_life_days": {
    ...COUNT,
    ...PROJECT,
    default: 90,
    min: 1,
    max: 3650,
    summary: "days without an update after which knowledge is half as fresh",
    lever: "lower proposes younger notes for the archive",
  },
  "freshness.archive_below": {
    ...SHARE,
    ...PROJECT,
    default: 0.3,
    summary: "freshness below which knowledge is proposed for the archive",
    lever: "higher proposes younger notes, 0 none",
  },
  "session.compact_lines": {
    ...COUNT,
    ...PROJECT,
    default: 500,
    min: 50,
    max: 100000,
    summary: "lines of all session notes from which sage session compact takes the oldest",
    lever: "lower keeps fewer session notes beside their knowledge",
  },
  "session.compact_days": {
    ...COUNT,
    ...PROJECT,
    default: 3,
    min: 1,
    max: 3650,
    summary: "days after which sage session compact takes a session's note",
    lever: "lower archives session notes sooner",
  },
  "promotion.recalls": {
    ...COUNT,
    ...MACHINE,
    default: 3,
    min: 1,
    max: 100,
    summary: "uses of a note in other projects before keeping it for all is proposed",
    lever: "lower proposes sooner",
  },
  "mcp.tools": {
    ...MACHINE,
    kind: "choice",
    default: "standard",
    choices: ["minimal", "standard", "full"],
    summary: "tools that an agent sees",
    lever: "minimal costs fewer tokens in every session, full offers everything",
  },
  "server.port": {
    ...COUNT,
    ...MACHINE,
    default: 7243,
    min: 1,
    max: 65535,
    summary: "port of sage serve; the next free one where it is taken",
    lever: "another one keeps addresses apart that you have noted",
  },
  "privacy.redact": {
    ...MACHINE,
    kind: "boolean",
    default: true,
    summary: "secrets are blacked out in automatic saves; mail addresses and phone numbers stay",
    lever: "false keeps them as they are",
  },
  "privacy.keep_conversations": {
    ...MACHINE,
    kind: "boolean",
    default: false,
    summary: "what was said behind each checkpoint is kept on this machine, without secrets",
    lever: "true lets sage checkpoint restore --conversation print it",
  },
  "output.level": {
    ...MACHINE,
    kind: "choice",
    default: "subtle",
    choices: ["silent", "subtle", "transparent", "educational"],
    summary: "how much of Sage's work you see",
    lever:
      "silent says only what is broken, transparent says what was shown and why, educational never stops explaining",
  },
  "teaching.enabled": {
    ...MACHINE,
    kind: "boolean",
    default: true,
    summary: "concepts are explained the first times they are met",
    lever: "false never explains",
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type Key = keyof typeof SETTINGS;

type ValueOfSetting<S extends Setting> = S extends { choices: readonly (infer C)[] } ? C
  : S extends NumberSetting ? number
  : S extends BooleanSetting ? boolean
  : string;

/** The type of a setting's value. */
export type ValueOf<K extends Key> = ValueOfSetting<typeof SETTINGS[K]>;
export type SettingValue = number | boolean | string;

export const KEYS = Object.keys(SETTINGS) as Key[];

export function setting(key: Key): Setting {
  return SETTINGS[key];
}
