// Sage's hooks for opencode: written by `sage install opencode`, removed by `sage uninstall`.
// Tells the agent what Sage knows and has Sage save; a failure is silence.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SAGE = "sage";
/** Milliseconds, after which opencode goes on without the answer; a hook gives up after 1,500. */
const PATIENCE = 5000;
/**
 * What one copy of this file was given. It may be installed for the person and in the project: opencode loads
 * both, and gives each the same objects.
 */
const given = globalThis[Symbol.for("sage.given")] ??= new WeakSet();

export const SagePlugin = ({ client, directory }) => {
  /** What is known of each session, by its id. */
  const sessions = new Map();
  /** Ids of sessions that began in this process; all others go on from an earlier one. */
  const begun = new Set();
  const here = fileURLToPath(import.meta.url);

  const isFirst = (what) => existsSync(here) && !given.has(what) && given.add(what) === given;

  const payload = (id, fields) => JSON.stringify({ session_id: id, cwd: directory, ...fields });

  /** One event for `sage hook`; its answer, or nothing. */
  function call(event, id, fields) {
    return new Promise((resolve) => {
      // Sage was uninstalled while opencode runs.
      if (!existsSync(here)) return resolve({});
      const child = spawn(SAGE, ["hook", event, "opencode"], {
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      });
      const timer = setTimeout(resolve, PATIENCE, {});
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (part) => text += part);
      child.on("error", () => resolve({}));
      child.on("close", () => {
        clearTimeout(timer);
        try {
          resolve(JSON.parse(text));
        } catch {
          resolve({});
        }
      });
      child.stdin.on("error", () => {});
      child.stdin.end(payload(id, fields));
    }).catch(() => ({}));
  }

  /** At once, because opencode does not wait for a plugin when it ends. */
  function end(id) {
    if (!existsSync(here)) return;
    spawnSync(SAGE, ["hook", "session-end", "opencode"], {
      cwd: directory,
      input: payload(id, { reason: "other" }),
      stdio: ["pipe", "ignore", "ignore"],
      timeout: PATIENCE,
      windowsHide: true,
    });
  }

  async function tell(event, id, fields) {
    const { context = "", notice = "" } = await call(event, id, fields) ?? {};
    if (notice !== "") {
      client.tui.showToast({ body: { message: notice, variant: "info" } }).catch(() => {});
    }
    return context;
  }

  /** A session that a person talks in; undefined for one of a subagent. */
  async function sessionOf(id) {
    if (!sessions.has(id)) {
      const { data } = await client.session.get({ path: { id } });
      if (data === undefined) return undefined;
      sessions.set(id, data.parentID ? undefined : {});
    }
    return sessions.get(id);
  }

  async function onPrompt(id, message, parts) {
    // What a plugin shows to the person only; the model is sent nothing of it.
    if (parts.every((part) => part.ignored)) return;
    const session = await sessionOf(id);
    if (session === undefined) return;
    const texts = [session.waiting ?? ""];
    session.waiting = undefined;
    if (!session.isTold) {
      session.isTold = true;
      texts.push(await tell("session-start", id, { source: begun.has(id) ? "startup" : "resume" }));
    }
    const typed = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
      .map((part) => part.text).join("\n");
    if (typed.trim() !== "") texts.push(await tell("user-prompt-submit", id, { prompt: typed }));
    const text = texts.filter((each) => each !== "").join("\n\n");
    if (text === "") return;
    parts.push({
      // Parts are in the order of their ids; opencode's own have hexadecimal digits there.
      id: "prt_zz" + crypto.randomUUID().replaceAll("-", ""),
      sessionID: id,
      messageID: message.id,
      type: "text",
      synthetic: true,
      text,
    });
  }

  async function onEvent({ type, properties }) {
    if (type === "session.created" && !properties.info.parentID) begun.add(properties.info.id);
    const id = properties?.sessionID;
    if (type !== "session.idle" && type !== "session.compacted") return;
    const session = await sessionOf(id);
    if (session === undefined) return;
    if (type === "session.idle") await tell("stop", id, { context_window: session.window });
    // Told with the next prompt: nothing can be added here.
    else session.waiting = await tell("session-start", id, { source: "compact" });
  }

  return Promise.resolve({
    event: async ({ event }) => {
      if (isFirst(event)) await onEvent(event).catch(() => {});
    },
    "chat.message": async ({ sessionID }, output) => {
      if (!isFirst(output)) return;
      await onPrompt(sessionID, output.message, output.parts).catch(() => {});
    },
    "chat.params": ({ sessionID, model }) => {
      const session = sessions.get(sessionID);
      if (session !== undefined) session.window = model?.limit?.context;
      return Promise.resolve();
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      if (!isFirst(output)) return;
      const session = await sessionOf(sessionID).catch(() => undefined);
      if (session !== undefined) await tell("pre-compact", sessionID, { trigger: "auto" });
    },
    dispose: () => {
      for (const [id, session] of sessions) if (session?.isTold) end(id);
      return Promise.resolve();
    },
  });
};
