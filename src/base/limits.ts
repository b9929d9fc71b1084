/** Every bound on outside data, each with its unit and its reason. Nothing here is a setting. */

/** A note above this is indexed by its first `NOTE_INDEXED_BYTES_MAX` and never rewritten. */
export const NOTE_BYTES_MAX = 1024 * 1024;
/** What is read of an oversized note: enough for a title and the first sections. */
export const NOTE_INDEXED_BYTES_MAX = 256 * 1024;
/** Front matter beyond this is an error: nobody writes it by hand. */
export const FRONT_MATTER_BYTES_MAX = 64 * 1024;
export const FRONT_MATTER_KEYS_MAX = 256;
export const FRONT_MATTER_DEPTH_MAX = 16;
/** File names stay below what every file system and sync tool takes (255) with room for suffixes. */
export const FILE_NAME_BYTES_MAX = 120;
/** One name in a path, as most file systems take it. */
export const SEGMENT_BYTES_MAX = 255;
/** How many `-2`, `-3` … names are tried before giving up. */
export const NAME_TRIES_MAX = 1000;
/** One store's files; a walk past this is reported and cut. */
export const STORE_FILES_MAX = 100_000;
export const STORE_DEPTH_MAX = 12;

/** A hook's payload; the client's largest is well under 1 MiB. */
export const HOOK_INPUT_BYTES_MAX = 4 * 1024 * 1024;
/** A hook waits this long for its payload: some clients forget to close stdin. */
export const HOOK_INPUT_MS_MAX = 500;
/** A hook answers by itself before the client would kill it. */
export const HOOK_DEADLINE_MS = 1500;
/** Session end has 1.5 s in the client, shared by all hooks. */
export const HOOK_SESSION_END_DEADLINE_MS = 1000;
/** The client cuts hook context at 10,000 characters. */
export const HOOK_OUTPUT_CHARACTERS_MAX = 9900;

/** A hook that cannot have a lock by then writes to the inbox instead. */
export const LOCK_HOOK_MS_MAX = 250;
/** Everybody else waits this long, then names the holder. */
export const LOCK_MS_MAX = 5000;
/** Locks are striped, so that different notes do not wait for each other. */
export const LOCK_STRIPES = 256;
/** A note that somebody else changed less than this ago is not rewritten yet. */
export const QUIET_MS = 2000;
/** Temporary files older than this, of a dead process, are swept. */
export const TEMP_AGE_MS_MAX = 10 * 60 * 1000;
/** Trash is kept this long. */
export const TRASH_DAYS = 30;

/** A line of a transcript beyond this is skipped (a pasted image, a tool's dump). */
export const TRANSCRIPT_LINE_BYTES_MAX = 16 * 1024 * 1024;
/** What is read from the end of a transcript in a hook. */
export const TRANSCRIPT_TAIL_BYTES = 4 * 1024 * 1024;
/** Turns kept in memory from one transcript. */
export const TRANSCRIPT_TURNS_MAX = 20_000;

/** MCP: one line, one string, one array of a request. */
export const MCP_LINE_BYTES_MAX = 4 * 1024 * 1024;
export const MCP_STRING_BYTES_MAX = 256 * 1024;
export const MCP_ARRAY_ITEMS_MAX = 256;
/** Nesting of a request; the protocol's own needs fewer than ten. */
export const MCP_DEPTH_MAX = 64;
/** Requests under way at once; more stay in the pipe until one is answered. */
export const MCP_PENDING_MAX = 64;
/** Answers that a slow client has not read yet; beyond it no more requests are read. */
export const MCP_UNSENT_BYTES_MAX = 16 * 1024 * 1024;
/** A title, a name, an id in a tool's arguments; longer ones are text in the wrong place. */
export const MCP_NAME_CHARACTERS_MAX = 200;
/** Keywords, skills and the like: a note with more says nothing by them. */
export const MCP_NAMES_MAX = 32;
/** One line of evidence, one question, one field of prose. */
export const MCP_PROSE_CHARACTERS_MAX = 8000;
/** What is under way when the client is gone may still finish for this long. */
export const MCP_FINISH_MS_MAX = 2000;
/** The client stores larger results in a file and shows a preview instead. */
export const MCP_RESULT_CHARACTERS_MAX = 50_000;

/** A file that a note rests on; a larger one is named, and not held against anything. */
export const SOURCE_BYTES_MAX = 8 * 1024 * 1024;
/** What one hook reads of such files; of the others nothing is said this time. */
export const SOURCES_HOOK_BYTES_MAX = 1024 * 1024;

/** Patterns of a note (RE2 syntax). */
export const PATTERN_CHARACTERS_MAX = 200;
export const PATTERNS_PER_NOTE_MAX = 16;
export const PATTERNS_PER_STORE_MAX = 500;

/** What one session may write without asking. */
export const SESSION_NOTES_MAX = 20;
export const SESSION_BYTES_MAX = 64 * 1024;

/** The most that one query may be: longer text is cut, it is a document and not a question. */
export const QUERY_CHARACTERS_MAX = 4000;
/** Each costs as much as the question, and more of them find nothing new. */
export const QUERY_PHRASINGS_MAX = 4;
/** Recovery at session start may take this long; the rest is left to the next process. */
export const RECOVERY_MS_MAX = 200;
/** Refreshing the index in a hook. */
export const REFRESH_HOOK_MS_MAX = 250;

/** A file above this is no note; it is listed as skipped and never opened. */
export const NOTE_WALK_BYTES_MAX = 16 * 1024 * 1024;

/** HTTP: one request's body. A note may be that large, and nothing else comes near. */
export const HTTP_BODY_BYTES_MAX = 1024 * 1024;
/** A body that takes longer comes from nobody who means to send it. */
export const HTTP_BODY_MS_MAX = 10_000;
/** Requests under way at once; more are told to come again. */
export const HTTP_PENDING_MAX = 64;
/** Streams of events, each of which keeps the server looking at the disk. */
export const HTTP_STREAMS_MAX = 16;
/** Nobody asked anything for this long: the process ends by itself. */
export const HTTP_IDLE_MS_MAX = 30 * 60 * 1000;
/** The one-time code that opens the page in a browser. */
export const HTTP_CODE_MS_MAX = 60 * 1000;
/** Browsers that are let in at once; the oldest has to ask for a new address. */
export const HTTP_COOKIES_MAX = 16;
/** MCP clients with a session; the one that was silent longest has to begin again. */
export const HTTP_MCP_SESSIONS_MAX = 32;
/** One page of a list. */
export const HTTP_PAGE_ITEMS_MAX = 200;
/** Where a page goes on from: the path of a note, which systems take no longer. */
export const HTTP_CURSOR_CHARACTERS_MAX = 4096;
/** What is under way when the server is told to go may still finish for this long. */
export const HTTP_FINISH_MS_MAX = 2000;
/** A reader sees what other processes wrote at most this much later. */
export const HTTP_SETTLED_MS_MAX = 250;
/** How long before it is due the next look begins, in small steps, so that a request need not wait for it. */
export const HTTP_AHEAD_MS = 50;
/** Whom a look lets pass takes longer than this only where more is asked than can be answered. */
export const HTTP_CROWD_MS = 10;
/** The same for the page while it listens: it is told of a change, and asks again. */
export const HTTP_TOLD_MS_MAX = 5000;
/** A model that failed is tried again after so long; an embeddings server rests as long by itself. */
export const HTTP_MODEL_MS_MIN = 30 * 1000;
/** Answers kept for those who ask the same again, and for how long: some depend on the time of day. */
export const HTTP_ANSWERS_MAX = 512;
export const HTTP_ANSWERS_BYTES_MAX = 8 * 1024 * 1024;
export const HTTP_ANSWER_MS_MAX = 60 * 1000;
/** Changes told one by one; more at once are told as one: look at everything again. */
export const HTTP_EVENTS_MAX = 200;
