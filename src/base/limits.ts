/** Every bound on outside data, each with its unit and its reason. Nothing here is a setting. */

/** A larger note is indexed by its first `NOTE_INDEXED_BYTES_MAX` bytes and never rewritten. */
export const NOTE_BYTES_MAX = 1024 * 1024;
/** What is read of an oversized note: enough for a title and the first sections. */
export const NOTE_INDEXED_BYTES_MAX = 256 * 1024;
/** Longer front matter is an error: nobody writes so much by hand. */
export const FRONT_MATTER_BYTES_MAX = 64 * 1024;
export const FRONT_MATTER_KEYS_MAX = 256;
export const FRONT_MATTER_DEPTH_MAX = 16;
/** Names of new files, far below the limit of file systems (255), with room for suffixes. */
export const FILE_NAME_BYTES_MAX = 120;
/** A name in a path, the limit of most file systems. */
export const SEGMENT_BYTES_MAX = 255;
/** How many numbered names (`-2`, `-3`, …) are tried before giving up. */
export const NAME_TRIES_MAX = 1000;
/** Files of a store; a walk ends there and reports it. */
export const STORE_FILES_MAX = 100_000;
export const STORE_DEPTH_MAX = 12;

/** A hook's payload; the largest of Claude Code is well below 1 MiB. */
export const HOOK_INPUT_BYTES_MAX = 4 * 1024 * 1024;
/** A hook waits this long for more of its payload: some clients forget to close stdin. */
export const HOOK_INPUT_MS_MAX = 500;
/** A hook answers by itself before the client would kill it. */
export const HOOK_DEADLINE_MS = 1500;
/** The client gives all hooks of a session's end 1.5 s together. */
export const HOOK_SESSION_END_DEADLINE_MS = 1000;
/** Of a database that a hook copies to read it: nothing interrupts a copy. */
export const HOOK_DATABASE_BYTES_MAX = 256 * 1024 * 1024;
/** The client cuts hook context at 10,000 characters. */
export const HOOK_OUTPUT_CHARACTERS_MAX = 9900;

/** How long a hook waits for a lock before it writes to the inbox instead. */
export const LOCK_HOOK_MS_MAX = 250;
/** How long others wait for a lock before they fail, naming the holder. */
export const LOCK_MS_MAX = 5000;
/** Lock files that the notes of a store share. */
export const LOCK_STRIPES = 256;
/** How long a note is not rewritten after somebody else has changed it. */
export const QUIET_MS = 2000;
/** The age from which temporary files of a dead process are removed. */
export const TEMP_AGE_MS_MAX = 10 * 60 * 1000;
/** How long trash is kept. */
export const TRASH_DAYS = 30;

/** A longer line of a transcript is skipped (a pasted image, a tool's dump). */
export const TRANSCRIPT_LINE_BYTES_MAX = 16 * 1024 * 1024;
/** How much of the end of a transcript a hook reads. */
export const TRANSCRIPT_TAIL_BYTES = 4 * 1024 * 1024;
/** Turns kept in memory from one transcript. */
export const TRANSCRIPT_TURNS_MAX = 20_000;

/** MCP: a line, a string and an array of a request. */
export const MCP_LINE_BYTES_MAX = 4 * 1024 * 1024;
export const MCP_STRING_BYTES_MAX = 256 * 1024;
export const MCP_ARRAY_ITEMS_MAX = 256;
/** Nesting of a request; the protocol itself needs fewer than ten levels. */
export const MCP_DEPTH_MAX = 64;
/** Requests in progress; further ones stay in the pipe. */
export const MCP_PENDING_MAX = 64;
/** Answers that a slow client has not read yet; with more, no requests are read. */
export const MCP_UNSENT_BYTES_MAX = 16 * 1024 * 1024;
/** A title, name or id in a tool's arguments; anything longer is a text in the wrong place. */
export const MCP_NAME_CHARACTERS_MAX = 200;
/** Keywords, skills and the like of a note: more of them do not describe it any better. */
export const MCP_NAMES_MAX = 32;
/** A line of evidence, a question, a field of prose. */
export const MCP_PROSE_CHARACTERS_MAX = 8000;
/** How long requests in progress may go on when the client is gone. */
export const MCP_FINISH_MS_MAX = 2000;
/** The client stores larger results in a file and shows a preview instead. */
export const MCP_RESULT_CHARACTERS_MAX = 50_000;

/** A file that a note rests on; the content of a larger one is not checked. */
export const SOURCE_BYTES_MAX = 8 * 1024 * 1024;
/** How much of such files a hook reads; the others are not checked this time. */
export const SOURCES_HOOK_BYTES_MAX = 1024 * 1024;

/** Trigger patterns (RE2 syntax). */
export const PATTERN_CHARACTERS_MAX = 200;
export const PATTERNS_PER_NOTE_MAX = 16;
export const PATTERNS_PER_STORE_MAX = 500;

/** What a session may write without asking. */
export const SESSION_NOTES_MAX = 20;
export const SESSION_BYTES_MAX = 64 * 1024;

/** A longer query is cut: it is a document and not a question. */
export const QUERY_CHARACTERS_MAX = 4000;
/** Further phrasings of a query. Each costs as much as the query, and more of them find nothing new. */
export const QUERY_PHRASINGS_MAX = 4;
/** How long recovery at a session's start may take; the rest is left to the next process. */
export const RECOVERY_MS_MAX = 200;
/** How long a hook may refresh the index. */
export const REFRESH_HOOK_MS_MAX = 250;

/** A larger file is no note; it is reported as skipped and never opened. */
export const NOTE_WALK_BYTES_MAX = 16 * 1024 * 1024;

/** HTTP: a request's body, as large as the largest note. */
export const HTTP_BODY_BYTES_MAX = 1024 * 1024;
/** How long a body may take to arrive. */
export const HTTP_BODY_MS_MAX = 10_000;
/** Requests in progress; further ones are told to come again. */
export const HTTP_PENDING_MAX = 64;
/** Open streams of events, each of which keeps the server checking the disk. */
export const HTTP_STREAMS_MAX = 16;
/** The server ends after this time without a request. */
export const HTTP_IDLE_MS_MAX = 30 * 60 * 1000;
/** How long the one-time code that opens the page in a browser is valid. */
export const HTTP_CODE_MS_MAX = 60 * 1000;
/** Browsers that are logged in; beyond it the oldest has to get a new address. */
export const HTTP_COOKIES_MAX = 16;
/** MCP clients with a session; beyond it the one that was silent longest has to begin again. */
export const HTTP_MCP_SESSIONS_MAX = 32;
/** Items on a page of a list. */
export const HTTP_PAGE_ITEMS_MAX = 200;
/** The cursor of a page, which is a note's path; systems allow no longer paths. */
export const HTTP_CURSOR_CHARACTERS_MAX = 4096;
/** How long requests in progress may go on when the server is told to end. */
export const HTTP_FINISH_MS_MAX = 2000;
/** How old the view of a store that a request is answered from may be: other processes write too. */
export const HTTP_SETTLED_MS_MAX = 250;
/** How long before that the next look at the disk begins, in small steps, so that no request waits for it. */
export const HTTP_AHEAD_MS = 50;
/** Requests that are let in between two steps take longer than this only under too much load. */
export const HTTP_CROWD_MS = 10;
/** Like `HTTP_SETTLED_MS_MAX`, for a page that is told of changes and then asks again. */
export const HTTP_TOLD_MS_MAX = 5000;
/** When a model that failed is tried again; an embeddings server has the same pause itself. */
export const HTTP_MODEL_MS_MIN = 30 * 1000;
/** Answers that are cached, and how long, because some depend on the time of day. */
export const HTTP_ANSWERS_MAX = 512;
export const HTTP_ANSWERS_BYTES_MAX = 8 * 1024 * 1024;
export const HTTP_ANSWER_MS_MAX = 60 * 1000;
/** Changes that are sent one by one; more at once are sent as one event: reload everything. */
export const HTTP_EVENTS_MAX = 200;
