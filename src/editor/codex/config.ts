/** Codex's `config.toml`: `[mcp_servers.sage]` as a table of its own at the end. */
import { isObject } from "../../base/fields.ts";
import type { JsonObject } from "../jsonc.ts";
import { SERVER_NAME, serverProgram, takenName, wrongShape } from "../own.ts";
import type { Format } from "../setup.ts";
import { appendTable, parseTomlObject, removeTable, setInTable } from "../toml.ts";

const SERVERS = "mcp_servers";
const TABLE = [SERVERS, SERVER_NAME];
const REMARK = "Sage: sage uninstall codex takes these lines out";

export const tomlFormat: Format = {
  parse: parseTomlObject,
  own(text, file) {
    const server = serverProgram(serversOf(text, file)[SERVER_NAME]);
    return { hooks: new Map(), server, hasStatusLine: false };
  },
  containers: () => [],
  remove(text, file) {
    return serverProgram(serversOf(text, file)[SERVER_NAME]) === undefined
      ? text
      : removeTable(text, TABLE, REMARK);
  },
};

export function withTomlServer(text: string, file: string, command: string): string {
  const present = serversOf(text, file)[SERVER_NAME];
  if (present === undefined) {
    const added = appendTable(text, TABLE, { command, args: ["mcp"] }, REMARK);
    // Fails if the servers are in an inline table, which cannot be extended.
    parseTomlObject(added, file);
    return added;
  }
  const program = serverProgram(present);
  if (program === undefined) throw takenName(file, SERVERS);
  return program === command ? text : setInTable(text, [...TABLE, "command"], command);
}

function serversOf(text: string, file: string): JsonObject {
  const servers = parseTomlObject(text, file)[SERVERS];
  if (servers === undefined) return {};
  if (!isObject(servers)) throw wrongShape(file, SERVERS, "a table");
  return servers;
}
