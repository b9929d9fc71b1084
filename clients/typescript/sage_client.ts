/**
 * A client of `sage serve` for TypeScript, without dependencies. Made by scripts/docs.ts from the OpenAPI
 * document; do not edit. Address and token are in the file that `sage serve` names when it starts.
 */

export type NoteItem = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
};

export type Note = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly author: string;
  readonly hash: string;
  readonly sections: readonly (string)[];
  readonly text: string;
};

export type Hit = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly score: number;
  readonly emb: number;
  readonly kw: number;
  readonly snippet: string;
  readonly heading: string;
  readonly author: string;
  readonly formula: string;
};

export type CheckpointItem = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly trigger: string;
  readonly confidence: number;
  readonly thesis: string;
  readonly session?: string;
  readonly parent?: string;
};

export type CheckpointDiff = {
  readonly conclusions: {
    readonly added: readonly (string)[];
    readonly removed: readonly (string)[];
    readonly changed: readonly ({
      readonly before: string;
      readonly after: string;
    })[];
    readonly same: number;
  };
  readonly evidence: {
    readonly added: readonly (string)[];
    readonly removed: readonly (string)[];
    readonly changed: readonly ({
      readonly before: string;
      readonly after: string;
    })[];
    readonly same: number;
  };
  readonly questions: {
    readonly added: readonly (string)[];
    readonly removed: readonly (string)[];
    readonly changed: readonly ({
      readonly before: string;
      readonly after: string;
    })[];
    readonly same: number;
  };
  readonly tensions: {
    readonly added: readonly (string)[];
    readonly removed: readonly (string)[];
    readonly changed: readonly ({
      readonly before: string;
      readonly after: string;
    })[];
    readonly same: number;
  };
  readonly sources: {
    readonly added: readonly (string)[];
    readonly removed: readonly (string)[];
    readonly changed: readonly ({
      readonly before: string;
      readonly after: string;
    })[];
    readonly same: number;
  };
};

export type KnowledgeItem = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly subject: string;
  readonly keywords: readonly (string)[];
  readonly skills: readonly (string)[];
  readonly tokens: number;
};

export type Knowledge = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly subject: string;
  readonly keywords: readonly (string)[];
  readonly skills: readonly (string)[];
  readonly tokens: number;
  readonly author: string;
  readonly hash: string;
  readonly content: string;
  readonly versions: readonly ({
    readonly title: string;
    readonly updated: string;
    readonly author: string;
    readonly content: string;
  })[];
};

export type TodoItem = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly content: string;
  readonly context?: string;
  readonly priority: string;
  readonly todo_status: string;
  readonly due?: string;
  readonly source?: string;
  readonly completed?: string;
};

export type SessionItem = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly session: string;
  readonly started: string;
  readonly ended?: string;
  readonly end_reason?: string;
  readonly summary: string;
};

export type Setting = {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
  readonly default: unknown;
  readonly summary: string;
};

export type SaveOutcome = {
  readonly outcome: "saved" | "updated" | "removed";
  readonly id: string;
  readonly short_id: string;
  readonly title: string;
};

export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly code: string;
  readonly nearest?: readonly ({
    readonly id: string;
    readonly short_id: string;
    readonly title: string;
  })[];
};

export type ReadStatusAnswer = {
  readonly healthy: boolean;
  readonly line: string;
  readonly next: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly project: {
    readonly id: string;
    readonly name: string;
    readonly dir: string;
  };
};

export type SearchAnswer = {
  readonly items: readonly (Hit)[];
  readonly total: number;
  readonly lexical_only: boolean;
};

export type RecallAnswer = {
  readonly items: readonly ({
    readonly id: string;
    readonly title: string;
    readonly score: number;
  })[];
  readonly near_misses: readonly ({
    readonly id: string;
    readonly score: number;
  })[];
  readonly tokens: number;
  readonly lexical_only: boolean;
};

export type ListNotesAnswer = {
  readonly items: readonly (NoteItem)[];
  readonly next?: string;
  readonly total: number;
};

export type ReadNoteAnswer = {
  readonly note: Note;
};

export type RemoveNoteAnswer = {
  readonly outcome: "saved" | "updated" | "removed";
  readonly id: string;
  readonly short_id: string;
  readonly title: string;
  readonly restore_until: string;
};

export type ListCheckpointsAnswer = {
  readonly items: readonly (CheckpointItem)[];
  readonly next?: string;
};

export type SaveCheckpointAnswer = {
  readonly outcome: "saved" | "updated" | "removed";
  readonly id: string;
  readonly short_id: string;
  readonly title: string;
};

export type DiffCheckpointsAnswer = {
  readonly diff: CheckpointDiff;
};

export type ListKnowledgeAnswer = {
  readonly items: readonly (KnowledgeItem)[];
  readonly next?: string;
};

export type ShowKnowledgeAnswer = {
  readonly note: Knowledge;
};

export type SaveKnowledgeAnswer = {
  readonly outcome: "saved" | "updated" | "removed";
  readonly id: string;
  readonly short_id: string;
  readonly title: string;
};

export type UpdateKnowledgeAnswer = {
  readonly outcome: "saved" | "updated" | "removed";
  readonly id: string;
  readonly short_id: string;
  readonly title: string;
};

export type ListTodosAnswer = {
  readonly items: readonly (TodoItem)[];
  readonly next?: string;
};

export type AddTodoAnswer = {
  readonly outcome: "saved" | "updated" | "removed";
  readonly id: string;
  readonly short_id: string;
  readonly title: string;
};

export type UpdateTodoAnswer = {
  readonly note: TodoItem;
};

export type ListSessionsAnswer = {
  readonly items: readonly (SessionItem)[];
  readonly next?: string;
  readonly total: number;
};

export type ShowSessionAnswer = {
  readonly note: {
    readonly id: string;
    readonly short_id: string;
    readonly type: string;
    readonly title: string;
    readonly path: string;
    readonly created: string;
    readonly updated: string;
    readonly status: string;
    readonly scope: "project" | "user";
    readonly project?: string;
    readonly tags: readonly (string)[];
    readonly flags: readonly (string)[];
    readonly session: string;
    readonly started: string;
    readonly ended?: string;
    readonly end_reason?: string;
    readonly summary: string;
    readonly text: string;
    readonly hash: string;
  };
  readonly checkpoints: readonly ({
    readonly id: string;
    readonly title: string;
    readonly created: string;
  })[];
};

export type ListProjectsAnswer = {
  readonly items: readonly ({
    readonly id: string;
    readonly name: string;
    readonly root: string;
    readonly last_seen: string;
    readonly current: boolean;
  })[];
  readonly next?: string;
};

export type ListConfigAnswer = {
  readonly items: readonly (Setting)[];
  readonly next?: string;
};

export type ExplainConfigAnswer = {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
  readonly default: unknown;
  readonly summary: string;
  readonly range: string;
  readonly lever: string;
};

export type SetConfigAnswer = {
  readonly key: string;
  readonly changed: boolean;
  readonly file: string;
};

/** What was answered, and the ETag that a change of it has to name. */
export interface Answer<T> {
  readonly data: T;
  readonly etag: string;
}

/** A refusal, with the problem document that says why. */
export class SageProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.name = "SageProblem";
    this.problem = problem;
  }
}

export interface ClientOptions {
  /** As `sage serve` printed it: `http://127.0.0.1:7243`. */
  readonly url: string;
  readonly token: string;
}

interface Sent {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly etag?: string;
}

export type SageClient = ReturnType<typeof createClient>;

// deno-lint-ignore explicit-module-boundary-types explicit-function-return-type
export function createClient({ url, token }: ClientOptions) {
  async function send(method: string, path: string, { query = {}, body, etag }: Sent) {
    const address = new URL(path, url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const headers = new Headers({ authorization: `Bearer ${token}` });
    if (etag !== undefined) headers.set("if-match", etag);
    if (body !== undefined) headers.set("content-type", "application/json");
    return await fetch(address, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function ask<T>(method: string, path: string, sent: Sent): Promise<Answer<T>> {
    const response = await send(method, path, sent);
    const data = await response.json();
    if (!response.ok) throw new SageProblem(data as Problem);
    return { data: data as T, etag: response.headers.get("etag") ?? "" };
  }

  return {
    /** Whether memory works here, what there is, and what to do next. */
    readStatus: (): Promise<Answer<ReadStatusAnswer>> =>
      ask("GET", `/api/v1/status`, {}),

    /** Search every note by words and meaning, best first. */
    search: (query: { query: string; type?: "checkpoint" | "knowledge" | "todo" | "session" | "topic" | "note"; tag?: string; project?: string; after?: string; limit?: number; all?: "true" | "false" }): Promise<Answer<SearchAnswer>> =>
      ask("GET", `/api/v1/search`, { query }),

    /** What would be recalled for a question, what nearly, and the settings that decide. */
    recall: (query: { query: string; max_items?: number; skill?: string; scope?: "project" | "user" }): Promise<Answer<RecallAnswer>> =>
      ask("GET", `/api/v1/recall`, { query }),

    /** Every note in reach, newest first. */
    listNotes: (query: { limit?: number; cursor?: string; type?: "checkpoint" | "knowledge" | "todo" | "session" | "topic" | "note"; tag?: string; all?: "true" | "false" } = {}): Promise<Answer<ListNotesAnswer>> =>
      ask("GET", `/api/v1/notes`, { query }),

    /** One note, or a section of it. */
    readNote: (id: string, query: { section?: string } = {}): Promise<Answer<ReadNoteAnswer>> =>
      ask("GET", `/api/v1/notes/${encodeURIComponent(id)}`, { query }),

    /** Move a note to the trash, from where a person can bring it back for 30 days. */
    removeNote: (id: string, etag: string): Promise<Answer<RemoveNoteAnswer>> =>
      ask("DELETE", `/api/v1/notes/${encodeURIComponent(id)}`, { etag }),

    /** The timeline, newest first. */
    listCheckpoints: (query: { limit?: number; cursor?: string; session?: string; skill?: string; all?: "true" | "false" } = {}): Promise<Answer<ListCheckpointsAnswer>> =>
      ask("GET", `/api/v1/checkpoints`, { query }),

    /** Save where the thinking stands. */
    saveCheckpoint: (body: {
      readonly core_question: string;
      readonly thesis: string;
      readonly confidence: number;
      readonly trigger?: string;
      readonly key_evidence?: readonly (string)[];
      readonly reasoning_trace?: string;
      readonly open_questions?: readonly (string)[];
      readonly tensions?: readonly (string)[];
      readonly sources?: readonly (string)[];
      readonly title?: string;
      readonly skill?: string;
      readonly parent?: string;
    }): Promise<Answer<SaveCheckpointAnswer>> =>
      ask("POST", `/api/v1/checkpoints`, { body }),

    /** What changed from one to the other, by meaning. */
    diffCheckpoints: (id: string, other: string): Promise<Answer<DiffCheckpointsAnswer>> =>
      ask("GET", `/api/v1/checkpoints/${encodeURIComponent(id)}/diff/${encodeURIComponent(other)}`, {}),

    /** What is known, newest first. */
    listKnowledge: (query: { limit?: number; cursor?: string; skill?: string; scope?: "project" | "user"; archived?: "true" | "false" } = {}): Promise<Answer<ListKnowledgeAnswer>> =>
      ask("GET", `/api/v1/knowledge`, { query }),

    /** Keep something; what is there already is told, and a contradiction is a conflict. */
    saveKnowledge: (body: {
      readonly title: string;
      readonly content: string;
      readonly keywords?: readonly (string)[];
      readonly subject?: "fact" | "decision" | "entity" | "pattern" | "preference" | "troubleshooting";
      readonly skills?: readonly (string)[];
      readonly sources?: readonly (string)[];
      readonly scope?: "project" | "user";
      readonly on_conflict?: "update" | "keep_both" | "contradicts";
    }): Promise<Answer<SaveKnowledgeAnswer>> =>
      ask("POST", `/api/v1/knowledge`, { body }),

    /** One of them, with the versions that were replaced. */
    showKnowledge: (id: string): Promise<Answer<ShowKnowledgeAnswer>> =>
      ask("GET", `/api/v1/knowledge/${encodeURIComponent(id)}`, {}),

    /** New title and content; the version before is kept. */
    updateKnowledge: (id: string, body: {
      readonly title: string;
      readonly content: string;
      readonly keywords?: readonly (string)[];
      readonly subject?: "fact" | "decision" | "entity" | "pattern" | "preference" | "troubleshooting";
      readonly skills?: readonly (string)[];
      readonly sources?: readonly (string)[];
    }, etag: string): Promise<Answer<UpdateKnowledgeAnswer>> =>
      ask("PATCH", `/api/v1/knowledge/${encodeURIComponent(id)}`, { body, etag }),

    /** Open todos by priority, then age; all of them, or those of one status. */
    listTodos: (query: { limit?: number; cursor?: string; status?: "pending" | "in_progress" | "blocked" | "done"; all?: "true" | "false" } = {}): Promise<Answer<ListTodosAnswer>> =>
      ask("GET", `/api/v1/todos`, { query }),

    /** Keep a task. */
    addTodo: (body: {
      readonly content: string;
      readonly context?: string;
      readonly priority?: "high" | "medium" | "low";
      readonly due?: string;
      readonly source?: string;
    }): Promise<Answer<AddTodoAnswer>> =>
      ask("POST", `/api/v1/todos`, { body }),

    /** Set a task's status, priority, due date or source. */
    updateTodo: (id: string, body: {
      readonly status?: "pending" | "in_progress" | "blocked" | "done";
      readonly priority?: "high" | "medium" | "low";
      readonly due?: string;
      readonly source?: string;
    }, etag: string): Promise<Answer<UpdateTodoAnswer>> =>
      ask("PATCH", `/api/v1/todos/${encodeURIComponent(id)}`, { body, etag }),

    /** Sessions, the last at work first. */
    listSessions: (query: { limit?: number; cursor?: string; all?: "true" | "false" } = {}): Promise<Answer<ListSessionsAnswer>> =>
      ask("GET", `/api/v1/sessions`, { query }),

    /** One session: its note, and the checkpoints saved in it. */
    showSession: (id: string): Promise<Answer<ShowSessionAnswer>> =>
      ask("GET", `/api/v1/sessions/${encodeURIComponent(id)}`, {}),

    /** The projects that Sage has seen, the last seen first. */
    listProjects: (): Promise<Answer<ListProjectsAnswer>> =>
      ask("GET", `/api/v1/projects`, {}),

    /** Every setting, its value and where the value comes from. */
    listConfig: (): Promise<Answer<ListConfigAnswer>> =>
      ask("GET", `/api/v1/config`, {}),

    /** One setting: what it takes and what moving it does. */
    explainConfig: (key: string): Promise<Answer<ExplainConfigAnswer>> =>
      ask("GET", `/api/v1/config/${encodeURIComponent(key)}`, {}),

    /** Set it for this person; only the page may. */
    setConfig: (key: string, body: {
      readonly value: unknown;
    }, etag: string): Promise<Answer<SetConfigAnswer>> =>
      ask("PATCH", `/api/v1/config/${encodeURIComponent(key)}`, { body, etag }),

    /** Changes as they happen, whoever makes them: `note` events, and `reload` for too many. */
    events: (): Promise<Response> => send("GET", `/api/v1/events`, {}),

  };
}
