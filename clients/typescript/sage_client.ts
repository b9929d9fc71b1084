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
  readonly author: string;
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
  readonly author: string;
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
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
  readonly author: string;
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly score: number;
  readonly emb: number;
  readonly kw: number;
  readonly snippet: string;
  readonly heading: string;
  readonly formula: string;
  readonly phrasing?: string;
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
  readonly author: string;
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
  readonly author: string;
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
  readonly author: string;
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly subject: string;
  readonly keywords: readonly (string)[];
  readonly skills: readonly (string)[];
  readonly tokens: number;
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
  readonly author: string;
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
  readonly author: string;
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly session: string;
  readonly started: string;
  readonly ended?: string;
  readonly end_reason?: string;
  readonly summary: string;
};

export type RemovedItem = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly author: string;
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly removed: string;
  readonly restore_until: string;
};

export type GraphItem = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly author: string;
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly links: number;
  readonly backlinks: number;
};

export type GraphPart = {
  readonly items: readonly (GraphItem)[];
  readonly links: readonly ({
    readonly from: number;
    readonly to: number;
    readonly relation: string;
  })[];
  readonly left: number;
};

export type Statement = {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly author: string;
  readonly project?: string;
  readonly tags: readonly (string)[];
  readonly flags: readonly (string)[];
  readonly content: string;
  readonly hash: string;
};

export type Related = {
  readonly id: string;
  readonly short_id: string;
  readonly title: string;
  readonly updated: string;
};

export type Version = {
  readonly number: number;
  readonly updated: string;
  readonly author: string;
  readonly hash: string;
  readonly title: string;
  readonly reason: string;
  readonly path: string;
  readonly diff: string;
};

export type Question = {
  readonly id: string;
  readonly asked: string;
  readonly project: {
    readonly name: string;
    readonly dir: string;
  };
  readonly why: string;
  readonly question: string;
  readonly title: string;
  readonly text: string;
  readonly diff: string;
  readonly later?: string;
};

export type Finding = {
  readonly level: "ok" | "warning" | "error";
  readonly what: string;
  readonly mend?: string;
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
  readonly choices?: readonly (string)[];
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
  readonly weak: boolean;
  readonly lexical_only: boolean;
  readonly hints: readonly (string)[];
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

export type ListTrashAnswer = {
  readonly items: readonly (RemovedItem)[];
  readonly next?: string;
};

export type RestoreRemovedAnswer = {
  readonly restored: NoteItem;
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

export type ListVersionsAnswer = {
  readonly note: NoteItem;
  readonly versions: readonly (Version)[];
  readonly replaces: readonly (Related)[];
  readonly replaced_by: readonly (Related)[];
  readonly contradicts: readonly (Related)[];
};

export type RestoreVersionAnswer = {
  readonly outcome: string;
  readonly id: string;
  readonly title: string;
};

export type ArchiveKnowledgeAnswer = {
  readonly outcome: string;
  readonly id: string;
  readonly title: string;
};

export type ListContradictionsAnswer = {
  readonly items: readonly ({
    readonly older: Statement;
    readonly newer: Statement;
  })[];
  readonly next?: string;
  readonly total: number;
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
    readonly author: string;
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

export type QueryGraphAnswer = {
  readonly items: readonly (GraphItem)[];
  readonly total: number;
  readonly groups?: readonly ({
    readonly key: string;
    readonly count: number;
    readonly ids: readonly (string)[];
  })[];
};

export type DrawGraphAnswer = {
  readonly items: readonly (GraphItem)[];
  readonly links: readonly ({
    readonly from: number;
    readonly to: number;
    readonly relation: string;
  })[];
  readonly left: number;
};

export type ListLinksAnswer = {
  readonly note: GraphItem;
  readonly items: readonly ({
    readonly id: string;
    readonly short_id: string;
    readonly type: string;
    readonly title: string;
    readonly path: string;
    readonly created: string;
    readonly updated: string;
    readonly status: string;
    readonly scope: "project" | "user";
    readonly author: string;
    readonly project?: string;
    readonly tags: readonly (string)[];
    readonly flags: readonly (string)[];
    readonly links: number;
    readonly backlinks: number;
    readonly relation: string;
  })[];
  readonly total: number;
  readonly unresolved: readonly (string)[];
  readonly vault?: readonly (string)[];
};

export type ListBacklinksAnswer = {
  readonly note: GraphItem;
  readonly items: readonly ({
    readonly id: string;
    readonly short_id: string;
    readonly type: string;
    readonly title: string;
    readonly path: string;
    readonly created: string;
    readonly updated: string;
    readonly status: string;
    readonly scope: "project" | "user";
    readonly author: string;
    readonly project?: string;
    readonly tags: readonly (string)[];
    readonly flags: readonly (string)[];
    readonly links: number;
    readonly backlinks: number;
    readonly relation: string;
  })[];
  readonly total: number;
};

export type ListNearAnswer = {
  readonly note: GraphItem;
  readonly items: readonly ({
    readonly id: string;
    readonly short_id: string;
    readonly type: string;
    readonly title: string;
    readonly path: string;
    readonly created: string;
    readonly updated: string;
    readonly status: string;
    readonly scope: "project" | "user";
    readonly author: string;
    readonly project?: string;
    readonly tags: readonly (string)[];
    readonly flags: readonly (string)[];
    readonly links: number;
    readonly backlinks: number;
    readonly distance: number;
  })[];
  readonly total: number;
};

export type FindPathAnswer = {
  readonly items: readonly ({
    readonly id: string;
    readonly short_id: string;
    readonly type: string;
    readonly title: string;
    readonly path: string;
    readonly created: string;
    readonly updated: string;
    readonly status: string;
    readonly scope: "project" | "user";
    readonly author: string;
    readonly project?: string;
    readonly tags: readonly (string)[];
    readonly flags: readonly (string)[];
    readonly links: number;
    readonly backlinks: number;
    readonly relation?: string;
    readonly direction?: string;
  })[];
};

export type ListOrphansAnswer = {
  readonly items: readonly (GraphItem)[];
  readonly total: number;
};

export type ListUnresolvedAnswer = {
  readonly items: readonly ({
    readonly target: string;
    readonly relation: string;
    readonly from: {
      readonly id: string;
      readonly title: string;
    };
    readonly removed?: {
      readonly short_id: string;
      readonly removed: string;
    };
  })[];
  readonly total: number;
};

export type ListInboxAnswer = {
  readonly items: readonly (Question)[];
  readonly next?: string;
  readonly total: number;
  readonly elsewhere: number;
};

export type AcceptQuestionAnswer = {
  readonly outcome: string;
};

export type PutOffQuestionAnswer = {
  readonly id: string;
  readonly later: string;
};

export type DropQuestionAnswer = {
  readonly dropped: string;
};

export type ReadDoctorAnswer = {
  readonly healthy: boolean;
  readonly items: readonly (Finding)[];
};

export type ReadImpactAnswer = {
  readonly since: string;
  readonly tokens: {
    readonly told: number;
    readonly by: Readonly<Record<string, number>>;
    readonly per_session_median: number;
    readonly held: number;
    readonly share?: number;
  };
  readonly prompts: {
    readonly total: number;
    readonly silent: number;
    readonly gates: Readonly<Record<string, number>>;
  };
  readonly sessions: readonly ({
    readonly session: string;
    readonly started: string;
    readonly prompts: number;
    readonly silent: number;
    readonly told: number;
    readonly held?: number;
  })[];
  readonly notes: readonly ({
    readonly id: string;
    readonly short_id: string;
    readonly title?: string;
    readonly shown: readonly ({
      readonly at: string;
    })[];
    readonly used: readonly ({
      readonly at: string;
    })[];
    readonly overridden: readonly ({
      readonly at: string;
    })[];
  })[];
  readonly unknown: readonly (string)[];
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
  readonly query?: Readonly<
    Record<string, string | number | boolean | readonly string[] | undefined>
  >;
  readonly body?: unknown;
  readonly etag?: string;
}

export type SageClient = ReturnType<typeof createClient>;

// deno-lint-ignore explicit-module-boundary-types explicit-function-return-type
export function createClient({ url, token }: ClientOptions) {
  async function send(method: string, path: string, { query = {}, body, etag }: Sent) {
    const address = new URL(path, url);
    for (const [name, value] of Object.entries(query)) {
      const values = value === undefined ? [] : [value].flat();
      for (const one of values) address.searchParams.append(name, String(one));
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
    search: (query: { query: string; also?: readonly (string)[]; type?: "checkpoint" | "knowledge" | "todo" | "session" | "topic" | "note"; tag?: string; project?: string; after?: string; limit?: number; all?: "true" | "false" }): Promise<Answer<SearchAnswer>> =>
      ask("GET", `/api/v1/search`, { query }),

    /** What would be recalled for a question, what nearly, and the settings that decide. */
    recall: (query: { query: string; also?: readonly (string)[]; max_items?: number; skill?: string; scope?: "project" | "user" }): Promise<Answer<RecallAnswer>> =>
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

    /** What was removed and can be brought back, the last removed first. */
    listTrash: (query: { limit?: number; cursor?: string; type?: "checkpoint" | "knowledge" | "todo" | "session" | "topic" | "note" } = {}): Promise<Answer<ListTrashAnswer>> =>
      ask("GET", `/api/v1/trash`, { query }),

    /** Bring a note back from the trash, as it was when it was last removed. */
    restoreRemoved: (id: string, body: Readonly<Record<string, unknown>>): Promise<Answer<RestoreRemovedAnswer>> =>
      ask("POST", `/api/v1/trash/${encodeURIComponent(id)}/restore`, { body }),

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
    listKnowledge: (query: { limit?: number; cursor?: string; skill?: string; scope?: "project" | "user"; archived?: "true" | "false"; stale?: "true" | "false" } = {}): Promise<Answer<ListKnowledgeAnswer>> =>
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

    /** Every version that is kept, newest first, with what each changed; what it replaces. */
    listVersions: (id: string): Promise<Answer<ListVersionsAnswer>> =>
      ask("GET", `/api/v1/knowledge/${encodeURIComponent(id)}/versions`, {}),

    /** Its text becomes what it was in a version; without one, it comes back from the archive. */
    restoreVersion: (id: string, body: {
      readonly version?: number;
    }, etag: string): Promise<Answer<RestoreVersionAnswer>> =>
      ask("POST", `/api/v1/knowledge/${encodeURIComponent(id)}/restore`, { body, etag }),

    /** Put it away: search finds it, recall does not. */
    archiveKnowledge: (id: string, body: Readonly<Record<string, unknown>>, etag: string): Promise<Answer<ArchiveKnowledgeAnswer>> =>
      ask("POST", `/api/v1/knowledge/${encodeURIComponent(id)}/archive`, { body, etag }),

    /** Statements that contradict each other while both stand, as dated pairs. */
    listContradictions: (query: { limit?: number; all?: "true" | "false" } = {}): Promise<Answer<ListContradictionsAnswer>> =>
      ask("GET", `/api/v1/contradictions`, { query }),

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

    /** Which notes match a query by key, tag, time, link and words, as `sage graph query` asks. */
    queryGraph: (query: { query: string; all?: "true" | "false" }): Promise<Answer<QueryGraphAnswer>> =>
      ask("GET", `/api/v1/graph/query`, { query }),

    /** Notes around one, those that a query finds, or the most linked; and the links between. */
    drawGraph: (query: { of?: string; depth?: number; limit?: number; all?: "true" | "false" } = {}): Promise<Answer<DrawGraphAnswer>> =>
      ask("GET", `/api/v1/graph/part`, { query }),

    /** What a note links to, and its links that lead nowhere. */
    listLinks: (id: string, query: { limit?: number; all?: "true" | "false" } = {}): Promise<Answer<ListLinksAnswer>> =>
      ask("GET", `/api/v1/graph/${encodeURIComponent(id)}/links`, { query }),

    /** What links to a note. */
    listBacklinks: (id: string, query: { limit?: number; all?: "true" | "false" } = {}): Promise<Answer<ListBacklinksAnswer>> =>
      ask("GET", `/api/v1/graph/${encodeURIComponent(id)}/backlinks`, { query }),

    /** The notes around one, by how many links they are away. */
    listNear: (id: string, query: { limit?: number; all?: "true" | "false"; depth?: number } = {}): Promise<Answer<ListNearAnswer>> =>
      ask("GET", `/api/v1/graph/${encodeURIComponent(id)}/near`, { query }),

    /** How two notes hang together: a shortest way, empty where none leads there. */
    findPath: (id: string, other: string, query: { all?: "true" | "false" } = {}): Promise<Answer<FindPathAnswer>> =>
      ask("GET", `/api/v1/graph/${encodeURIComponent(id)}/path/${encodeURIComponent(other)}`, { query }),

    /** Knowledge and topics that no link leads to or from. */
    listOrphans: (query: { limit?: number; all?: "true" | "false" } = {}): Promise<Answer<ListOrphansAnswer>> =>
      ask("GET", `/api/v1/graph/orphans`, { query }),

    /** Links that lead to no note. */
    listUnresolved: (query: { limit?: number; all?: "true" | "false" } = {}): Promise<Answer<ListUnresolvedAnswer>> =>
      ask("GET", `/api/v1/graph/unresolved`, { query }),

    /** Questions that wait for the person, oldest first, with the text and what it would change; all: also preferences that are for another project alone. */
    listInbox: (query: { all?: "true" | "false" } = {}): Promise<Answer<ListInboxAnswer>> =>
      ask("GET", `/api/v1/inbox`, { query }),

    /** Say yes: it is written now, where it was asked; only the page may. */
    acceptQuestion: (id: string, body: {
      readonly on_conflict?: "update" | "keep_both" | "contradicts";
    }): Promise<Answer<AcceptQuestionAnswer>> =>
      ask("POST", `/api/v1/inbox/${encodeURIComponent(id)}/accept`, { body }),

    /** Not now: it waits, and no session is told of it until then; only the page may. */
    putOffQuestion: (id: string, body: Readonly<Record<string, unknown>>): Promise<Answer<PutOffQuestionAnswer>> =>
      ask("POST", `/api/v1/inbox/${encodeURIComponent(id)}/later`, { body }),

    /** Say no: its words go, and it is not asked again; only the page may. */
    dropQuestion: (id: string, body: Readonly<Record<string, unknown>>): Promise<Answer<DropQuestionAnswer>> =>
      ask("POST", `/api/v1/inbox/${encodeURIComponent(id)}/drop`, { body }),

    /** The whole installation looked over, each finding with how to mend it. */
    readDoctor: (): Promise<Answer<ReadDoctorAnswer>> =>
      ask("GET", `/api/v1/doctor`, {}),

    /** What was shown, used and overridden, and the tokens of it, counted from receipts. */
    readImpact: (query: { since?: string; session?: string } = {}): Promise<Answer<ReadImpactAnswer>> =>
      ask("GET", `/api/v1/impact`, { query }),

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

    /** Changes as they happen, whoever makes them: `note`, `inbox`, and `reload` for too many. */
    events: (): Promise<Response> => send("GET", `/api/v1/events`, {}),

  };
}
