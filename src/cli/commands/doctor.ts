/** `sage doctor`, also `sage admin doctor`: every finding with the way to mend it, and mending by consent. */
import { messageOf, SageError } from "../../base/errors.ts";
import { realFs } from "../../base/fs.ts";
import { count } from "../../base/text/text.ts";
import { diagnose } from "../../memory/doctor/doctor.ts";
import { closedFindings } from "../../memory/doctor/disk.ts";
import type { Finding, Fix } from "../../memory/doctor/finding.ts";
import { applyFix, changeMode } from "../../memory/doctor/mend.ts";
import { type Answer, dim, type Line, type Style, styled, textOfLine } from "../terminal/answer.ts";
import { unlessClosed } from "../closed.ts";
import { defineCommand, type Input } from "../command.ts";
import { program } from "../installed.ts";
import type { Io } from "../io.ts";
import { canAsk, confirm } from "../terminal/prompt.ts";
import { oneLineEach, proseLines } from "../terminal/table.ts";
import { openHere, withMemory } from "../with_memory.ts";

const MARKS: Readonly<Record<"ok" | "warning" | "error", { text: string; style: Style }>> = {
  ok: { text: "ok      ", style: "green" },
  warning: { text: "warning ", style: "yellow" },
  error: { text: "error   ", style: "red" },
};

/** As wide as a mark. */
const INDENT = " ".repeat(MARKS.ok.text.length);

export const command = defineCommand({
  options: {
    fix: { type: "boolean", summary: "fix what Sage may fix, asking before each" },
    yes: { type: "boolean", short: "y", summary: "with --fix: yes to all" },
  },
  details:
    "Checks stores, disk, clock, permissions, notes, index, settings, the editor's settings, whether its hooks run, and the server. Sage starts no process, so it tells whether hooks run from their receipts and from the editor's sessions. --fix changes modes, registers this program with the editor, and rebuilds indexes; everything else is left to you. The exit code is 1 if something is broken.",
  examples: ["sage doctor", "sage doctor --fix"],
  connects: "endpoint",
  async run(input, io) {
    const { fix, yes } = input.options;
    if (fix && !yes && !canAsk(io)) {
      throw new SageError("usage", "--fix asks first, and there is nobody to ask", {
        hint: "sage doctor --fix --yes, after a look at sage doctor",
      });
    }
    const mended = fix ? await mend(input, io, yes) : [];
    // Opened anew: what was mended may be where memory is read from.
    const look = () =>
      withMemory(input, io, async (memory): Promise<Answer> => {
        const findings = [...await diagnose(memory, io.binary), await server(io, input.project)];
        return report(io, findings, mended);
      });
    return await unlessClosed(look, (error) => report(io, findClosed(io, error), mended));
  },
});

/** Asks about each finding that Sage can mend; answers what was mended. */
async function mend(input: Input, io: Io, isAgreed: boolean): Promise<string[]> {
  const asked = new Set<string>();
  const mended: string[] = [];
  const mendAll = async (
    findings: readonly Finding[],
    apply: (fix: Fix) => Promise<void> | void,
  ) => {
    for (const finding of findings) {
      if (finding.level === "ok" || finding.fix === undefined || asked.has(finding.what)) continue;
      const { fix, what } = finding;
      asked.add(what);
      if (!isAgreed && !await confirm(io, `${what}. ${question(fix.kind, finding.mend)}`)) continue;
      await apply(fix);
      mended.push(what);
    }
  };
  const round = async () => {
    const memory = await openHere(input, io, {});
    try {
      const sage = io.binary === undefined ? "" : program(io, undefined);
      await mendAll(await diagnose(memory, io.binary), (fix) => applyFix(memory, fix, sage));
    } finally {
      memory.close();
    }
  };
  // What could not be looked into may hold more of the kind.
  for (let before = -1; before < mended.length;) {
    before = mended.length;
    await unlessClosed(round, (error) =>
      mendAll(findClosed(io, error), (fix) => {
        if (fix.kind === "chmod") changeMode(realFs, fix);
      }));
  }
  return mended;
}

function findClosed(io: Io, error: SageError): Finding[] {
  return closedFindings(realFs, io.env, error);
}

function question(kind: string, command: string): string {
  if (kind === "chmod") return `Change its mode (${command})?`;
  return kind === "install" ? "Register this program there?" : "Derive it from the notes again?";
}

/** In this process: no other may be started. */
async function server(io: Io, project: string | undefined): Promise<Finding> {
  try {
    const { testServer } = await import("../../mcp/self_test.ts");
    const tools = await testServer({ env: io.env, cwd: io.cwd(), project });
    return { level: "ok", what: `MCP server: starts and offers ${count(tools, "tool")}` };
  } catch (error) {
    return {
      level: "error",
      what: `the MCP server does not start: ${messageOf(error)}`,
      mend: "mend the findings above first; if none is left, this is a bug in Sage",
    };
  }
}

function report(io: Io, findings: readonly Finding[], mended: readonly string[]): Answer {
  const errors = findings.filter(({ level }) => level === "error").length;
  const warnings = findings.filter(({ level }) => level === "warning").length;
  const counts = [
    ...(errors === 0 ? [] : [count(errors, "error")]),
    ...(warnings === 0 ? [] : [count(warnings, "warning")]),
  ];
  const fixable = findings.filter((finding) => finding.level !== "ok" && finding.fix !== undefined);
  const verdict = counts.length === 0 ? "Everything is in order." : counts.join(", ") + ".";
  const more = fixable.length === 0
    ? ""
    : ` sage doctor --fix mends ${
      fixable.length < errors + warnings
        ? `${fixable.length} of them`
        : fixable.length > 1
        ? "them"
        : "it"
    }.`;
  const text = findings.flatMap(({ level, what, mend }): Line[] => {
    const [{ text, style }, said] = [MARKS[level], oneLineEach([what]).map(textOfLine).join()];
    return [
      ...proseLines(io, said, INDENT).map((line, i): Line =>
        i === 0 ? [styled(text, style), line.slice(INDENT.length)] : line
      ),
      // A command is copied whole.
      ...(mend === undefined ? [] : oneLineEach([dim(INDENT + mend)])),
    ];
  });
  return {
    json: { healthy: errors === 0, items: findings, mended },
    text: [...mended.map((what) => `mended  ${what}`), ...text, "", verdict + more],
    code: errors === 0 ? 0 : 1,
  };
}
