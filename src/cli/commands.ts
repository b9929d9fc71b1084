/** Every command, once. Each is loaded only when it is called; help and the reference print this table. */
import type { Command, CommandGroup } from "./command.ts";

export interface CommandEntry {
  readonly name: string;
  /** Casual is what `sage help` shows; power is one level deeper. */
  readonly group: "casual" | "power";
  /** Lower case, no full stop. */
  readonly summary: string;
  readonly usage: string;
  load(): Promise<{ readonly command: Command | CommandGroup }>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "init",
    group: "casual",
    summary: "create the memory of this project",
    usage:
      "sage init [--template research|software|writing] [--obsidian <vault>] [--namespace <folder>]",
    load: () => import("./commands/init.ts"),
  },
  {
    name: "install",
    group: "casual",
    summary: "connect an editor: hooks and the MCP server",
    usage: "sage install [<editor>…] [--plugin] [--via mcp] [--scope user|project] [--dry-run]",
    load: () => import("./commands/install.ts"),
  },
  {
    name: "uninstall",
    group: "casual",
    summary: "remove what install added",
    usage: "sage uninstall [<editor>…|--all] [--dry-run]",
    load: () => import("./commands/uninstall.ts"),
  },
  {
    name: "status",
    group: "casual",
    summary: "say whether everything is saved and working",
    usage: "sage status [--verbose]",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "search",
    group: "casual",
    summary: "find anything that was saved",
    usage: "sage search <query> [--type <kind>] [--all]",
    load: () => import("./commands/search.ts"),
  },
  {
    name: "load",
    group: "casual",
    summary: "go on from a checkpoint",
    usage: "sage load [<query>|<id>] [--recent <n>] [--full|--summary|--context]",
    load: () => import("./commands/load.ts"),
  },
  {
    name: "checkpoint",
    group: "casual",
    summary: "save where you are",
    usage: "sage checkpoint [save|list|show|restore|branch|diff|prune|export|rm]",
    load: () => import("./commands/checkpoint.ts"),
  },
  {
    name: "knowledge",
    group: "power",
    summary: "keep what you know, and see what would be recalled",
    usage:
      "sage knowledge <add|list|show|edit|update|history|match|debug|extract|verify|promote|rm|archive|restore|merge>",
    load: () => import("./commands/knowledge.ts"),
  },
  {
    name: "check",
    group: "power",
    summary: "list the notes that a change makes doubtful",
    usage: "sage check [<file>…|-]",
    load: () => import("./commands/check.ts"),
  },
  {
    name: "guard",
    group: "power",
    summary: "keep secrets and personal data from being committed",
    usage: "sage guard <scan|install|uninstall|allow>",
    load: () => import("./commands/guard.ts"),
  },
  {
    name: "todo",
    group: "power",
    summary: "keep what is to be done",
    usage: "sage todo <add|list|show|update|start|block|done|reopen|rm|restore|triage>",
    load: () => import("./commands/todo.ts"),
  },
  {
    name: "session",
    group: "power",
    summary: "look at what happened in each session, and hand it on",
    usage: "sage session <list|show|handoff|compact|rm|restore>",
    load: () => import("./commands/session.ts"),
  },
  {
    name: "project",
    group: "power",
    summary: "look at projects, name and pin, share notes with a team",
    usage: "sage project <init|info|list|pin|unpin|switch|rename|claim>",
    load: () => import("./commands/project.ts"),
  },
  {
    name: "merge-driver",
    group: "power",
    summary: "merge two versions of a note; git calls it",
    usage: "sage merge-driver <base> <ours> <theirs> [<path>]",
    load: () => import("./commands/merge_driver.ts"),
  },
  {
    name: "statusline",
    group: "power",
    summary: "print one line for an editor's status bar",
    usage: "sage statusline",
    load: () => import("./commands/statusline.ts"),
  },
  {
    name: "impact",
    group: "power",
    summary: "show what memory was shown, what was used, and what it cost",
    usage: "sage impact [--since <when>] [--session <id>]",
    load: () => import("./commands/impact.ts"),
  },
  {
    name: "inbox",
    group: "power",
    summary: "answer what agents ask before they write",
    usage: "sage inbox [list|show|accept|later|drop]",
    load: () => import("./commands/inbox.ts"),
  },
  {
    name: "topic",
    group: "power",
    summary: "keep pages of links, and see where one would help",
    usage: "sage topic <list|show|suggest|new|rm|restore>",
    load: () => import("./commands/topic.ts"),
  },
  {
    name: "graph",
    group: "power",
    summary: "see how notes are linked, and query them",
    usage: "sage graph <query|links|backlinks|path|near|orphans|unresolved|draw>",
    load: () => import("./commands/graph.ts"),
  },
  {
    name: "config",
    group: "power",
    summary: "read and change settings",
    usage: "sage config <list|get|set|reset|explain>",
    load: () => import("./commands/config.ts"),
  },
  {
    name: "model",
    group: "power",
    summary: "choose the model that texts are compared with",
    usage: "sage model <list|pull|use|rm|test>",
    load: () => import("./commands/model.ts"),
  },
  {
    name: "ask",
    group: "power",
    summary: "ask the model API, with what memory knows",
    usage: "sage ask <question>",
    load: () => import("./commands/ask.ts"),
  },
  {
    name: "chat",
    group: "power",
    summary: "chat with the model API, without an agent",
    usage: "sage chat [--resume]",
    load: () => import("./commands/chat.ts"),
  },
  {
    name: "trust",
    group: "power",
    summary: "trust a project's memory that came from elsewhere",
    usage: "sage trust [<dir>]",
    load: () => import("./commands/trust.ts"),
  },
  {
    name: "migrate",
    group: "power",
    summary: "import other memories and past sessions as notes",
    usage: "sage migrate --from <source> [<path>]|<path> [--dry-run] [--all]",
    load: () => import("./commands/migrate.ts"),
  },
  {
    name: "forget",
    group: "power",
    summary: "erase a note everywhere, for good",
    usage: "sage forget <id|title|query> [--yes]",
    load: () => import("./commands/forget.ts"),
  },
  {
    name: "undo",
    group: "power",
    summary: "undo what one session wrote",
    usage: "sage undo --session [<id>] [--yes]",
    load: () => import("./commands/undo.ts"),
  },
  {
    name: "admin",
    group: "power",
    summary: "maintain the installation",
    usage:
      "sage admin <export|import|budget|freshness|prune|gc|rebuild|calibrate|patterns|feedback|teaching|doctor>",
    load: () => import("./commands/admin.ts"),
  },
  {
    name: "doctor",
    group: "power",
    summary: "check the whole installation and say how to mend it",
    usage: "sage doctor",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "update",
    group: "power",
    summary: "replace this program with a newer release",
    usage: "sage update [--check]",
    load: () => import("./commands/update.ts"),
  },
  {
    name: "mcp",
    group: "power",
    summary: "serve memory to an agent over stdio",
    usage: "sage mcp [--tools minimal|standard|full]",
    load: () => import("./commands/mcp.ts"),
  },
  {
    name: "serve",
    group: "power",
    summary: "serve memory over HTTP: a page, an API, MCP",
    usage: "sage serve [--port <n>] [--open]",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "completions",
    group: "power",
    summary: "print a shell completion script",
    usage: "sage completions <bash|zsh|fish|powershell>",
    load: () => import("./commands/completions.ts"),
  },
];
