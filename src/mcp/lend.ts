/**
 * Memory for one call at a time. Opened anew for each, because hooks, other servers and people
 * change notes, settings and trust meanwhile, and opening costs less than asking what changed.
 */
import type { Env } from "../base/environment.ts";
import { SageError } from "../base/errors.ts";
import { defined } from "../base/defined.ts";
import { type Confine, type Opened, openMemory, type Where } from "../memory/memory.ts";
import { settleVault } from "../memory/vault/keep.ts";
import { isInUse, locateState } from "../memory/session/state/peek.ts";
import { currentSession } from "../memory/session/instances.ts";
import type { UseMemory } from "./methods.ts";
import type { Profile } from "./profile.ts";

export interface Client {
  readonly env: Env;
  /** The client's project folder; a function if it may change between calls. */
  readonly cwd: string | (() => Promise<string>);
  /** `--project`. */
  readonly project: string | undefined;
  readonly confine?: Confine;
  /** Stays open from one call to the next. */
  readonly opened?: Opened;
}

export function lendMemory({ env, cwd, project, confine, opened }: Client): UseMemory {
  const session = env("CLAUDE_CODE_SESSION_ID") || undefined;
  const where: Omit<Where, "cwd"> = {
    env,
    holder: "sage mcp",
    warns: true,
    opened,
    ...defined({ confine, session, projectDir: project }),
  };
  let wasInUse = false;
  return async (body) => {
    const isThere = isInUse(locateState(env));
    if (wasInUse && !isThere) throw takenOut();
    wasInUse = isThere;
    const memory = await openMemory({ ...where, cwd: typeof cwd === "string" ? cwd : await cwd() });
    try {
      await settleVault(memory);
      const session = currentSession(memory);
      return await body(session === undefined ? memory : { ...memory, session });
    } finally {
      memory.close();
    }
  };
}

/** After `sage uninstall --all` this server still runs, and must not write anything again. */
function takenOut(): SageError {
  return new SageError("not_found", "Sage was taken out of this machine while this session ran", {
    hint: "end the session: the next one begins without Sage",
  });
}

/** The profile in the settings. Broken settings must not keep the tools from being offered. */
export async function profileOf(use: UseMemory): Promise<Profile> {
  try {
    return await use((memory) => Promise.resolve(memory.config.get("mcp.tools")));
  } catch {
    return "standard";
  }
}
