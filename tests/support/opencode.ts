/**
 * opencode as a plugin sees it: rows in its database, with the tables of 1.18.33, and calls of the plugins that
 * are installed for the person and in the project, in the order in which that version makes them. A process of its own, so
 * that hooks find its environment and it can be killed. One command a line on stdin, one answer a line:
 *
 *   {"open": "ses_…", "parent": "ses_…"}  a new session, or one of a subagent
 *   {"prompt": "…", "in": "ses_…"}        what somebody types; answers with what the plugin added to it
 *   {"prompt": "…", "ignored": true, …}   what another plugin shows to the person as a message of theirs
 *   {"reply": "…", "in": "ses_…", "tokens": 1000, "tools": […]}   the agent's answer, and the end of the turn
 *   {"compact": "…", "in": "ses_…"}       a compaction, with its summary
 *   {"revert": 2, "in": "ses_…"}          a person takes the last two messages back
 *   {"quit": true}
 */
import { DatabaseSync } from "node:sqlite";

const TABLES = `
  create table if not exists session (id text primary key, parent_id text, directory text not null,
    revert text, time_created integer not null, time_updated integer not null);
  create table if not exists message (id text primary key, session_id text not null,
    time_created integer not null, time_updated integer not null, data text not null);
  create table if not exists part (id text primary key, message_id text not null,
    session_id text not null, time_created integer not null, time_updated integer not null,
    data text not null);`;

/** Every field that a command may have; which one it is tells what it does. */
interface Command {
  readonly open: string;
  readonly parent?: string;
  readonly in: string;
  readonly prompt: string;
  readonly ignored?: boolean;
  readonly reply: string;
  readonly tokens?: number;
  readonly tools?: readonly object[];
  readonly compact: string;
  readonly revert: number;
}

interface Part {
  readonly id: string;
  readonly type: string;
  readonly text?: string;
  readonly synthetic?: boolean;
  readonly ignored?: boolean;
}

interface Hooks {
  event(input: { event: unknown }): Promise<void>;
  dispose(): Promise<void>;
  "chat.message"(
    input: { sessionID: string },
    output: { message: { id: string }; parts: Part[] },
  ): Promise<void>;
  "chat.params"(
    input: { sessionID: string; model: { limit: { context: number } } },
    output: object,
  ): Promise<void>;
  "experimental.session.compacting"(input: { sessionID: string }, output: object): Promise<void>;
}

export const WINDOW_TOKENS = 100_000;

if (import.meta.main) await main();

async function main(): Promise<void> {
  const home = Deno.env.get("HOME") ?? "";
  const folder = `${home}/.local/share/opencode`;
  await Deno.mkdir(folder, { recursive: true });
  const rows = new DatabaseSync(`${folder}/opencode.db`);
  rows.exec(`pragma journal_mode = wal; ${TABLES}`);
  const notices: string[] = [];
  const plugins = [`${home}/.config/opencode`, `${Deno.cwd()}/.opencode`]
    .map((folder) => `${folder}/plugins/sage.js`);
  const input = {
    directory: Deno.cwd(),
    client: {
      session: {
        get({ path: { id } }: { path: { id: string } }) {
          const [row] = rows.prepare("select id, parent_id from session where id = ?").all(id);
          const parentID = row?.parent_id ?? undefined;
          return Promise.resolve(row === undefined ? {} : { data: { id, parentID } });
        },
      },
      tui: {
        showToast({ body }: { body: { message: string } }) {
          notices.push(body.message);
          return Promise.resolve();
        },
      },
    },
  };
  const loaded: Hooks[] = [];
  for (const plugin of plugins) {
    const isThere = await Deno.stat(plugin).then(() => true, () => false);
    if (!isThere) continue;
    const { SagePlugin } = await import(`file://${plugin}`) as {
      SagePlugin(input: object): Promise<Hooks>;
    };
    loaded.push(await SagePlugin(input));
  }
  const each = async (call: (hooks: Hooks) => Promise<void>): Promise<void> => {
    for (const hooks of loaded) await call(hooks);
  };
  let n = Date.now();
  const newId = (kind: string): string => `${kind}_${(n++).toString(16).padStart(16, "0")}`;
  const write = (session: string, data: object, parts: readonly object[]): void => {
    const id = newId("msg");
    rows.prepare("insert into message values (?, ?, ?, ?, ?)")
      .run(id, session, Date.now(), Date.now(), JSON.stringify(data));
    for (const part of parts) {
      rows.prepare("insert into part values (?, ?, ?, ?, ?, ?)")
        .run(newId("prt"), id, session, Date.now(), Date.now(), JSON.stringify(part));
    }
  };
  const emit = (type: string, properties: object) => {
    const event = { type, properties };
    return each((hooks) => hooks.event({ event }));
  };
  const time = () => ({ created: Date.now(), completed: Date.now() });

  const commands: Record<string, (command: Command) => Promise<unknown>> = {
    async open({ open, parent }) {
      rows.prepare("insert into session values (?, ?, ?, null, ?, ?)")
        .run(open, parent ?? null, Deno.cwd(), Date.now(), Date.now());
      await emit("session.created", { sessionID: open, info: { id: open, parentID: parent } });
    },
    async prompt({ prompt, ignored, in: session }) {
      const part = { id: newId("prt"), type: "text", text: prompt };
      const parts: Part[] = [ignored === undefined ? part : { ...part, ignored }];
      const output = { message: { id: "msg_next" }, parts };
      await each((hooks) => hooks["chat.message"]({ sessionID: session }, output));
      const model = { limit: { context: WINDOW_TOKENS } };
      await each((hooks) => hooks["chat.params"]({ sessionID: session, model }, {}));
      write(session, { role: "user", time: time() }, parts);
      return parts.slice(1).map(({ text }) => text);
    },
    async reply({ reply, in: session, tokens, tools = [] }) {
      const used = {
        input: tokens ?? 1000,
        output: 20,
        reasoning: 0,
        cache: { read: 0, write: 0 },
      };
      write(session, { role: "assistant", modelID: "m-1", tokens: used, time: time() }, [
        ...tools,
        { type: "text", text: reply },
      ]);
      await emit("session.idle", { sessionID: session });
      return notices.splice(0);
    },
    async compact({ compact, in: session }) {
      const output = { context: [] };
      await each((hooks) =>
        hooks["experimental.session.compacting"]({ sessionID: session }, output)
      );
      const part = { type: "text", text: compact };
      write(session, { role: "assistant", summary: true, time: time() }, [part]);
      await emit("session.compacted", { sessionID: session });
    },
    revert({ revert, in: session }) {
      const [row] = rows.prepare(
        "select id from message where session_id = ? order by id desc limit 1 offset ?",
      ).all(session, revert - 1);
      rows.prepare("update session set revert = ? where id = ?")
        .run(JSON.stringify({ messageID: row?.id }), session);
      return Promise.resolve();
    },
    quit: () => each((hooks) => hooks.dispose()),
  };

  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
  let text = "";
  for await (const part of lines) {
    text += part;
    for (let end; (end = text.indexOf("\n")) >= 0; text = text.slice(end + 1)) {
      const command = JSON.parse(text.slice(0, end));
      const name = Object.keys(commands).find((key) => key in command) ?? "";
      const answer = await commands[name]?.(command) ?? null;
      // deno-lint-ignore no-console -- the answer to whoever drives this process
      console.log(JSON.stringify(answer));
      if (name !== "quit") continue;
      rows.close();
      Deno.exit(0);
    }
  }
}
