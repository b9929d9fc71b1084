/**
 * The program in a tracer, as one that an editor can start: every path that it opens or makes, every
 * program it starts and every address it connects to, with the real paths behind the descriptors.
 */
import { put } from "../support/world.ts";
import { filesBelow, SAGE } from "../crash/lived.ts";

const CALLS = "execve,execveat,fork,vfork,connect,bind,sendto,sendmsg,open,openat,openat2,creat," +
  "mkdir,mkdirat,mknod,mknodat,symlink,symlinkat,link,linkat,rename,renameat,renameat2,truncate";

/** A program below `base` that is the built one, traced. */
export async function tracedProgram(base: string): Promise<string> {
  const path = `${base}/sage`;
  await Deno.mkdir(`${base}/traces`, { recursive: true });
  const log = `"${base}/traces/$$"`;
  const tracer = `/usr/bin/strace -f -qq -y -s 4096 -o ${log} -e trace=${CALLS} -e signal=none`;
  put(path, `#!/bin/sh\nexec ${tracer} "${SAGE}" "$@"\n`);
  await Deno.chmod(path, 0o755);
  return path;
}

export interface Traced {
  /** How many processes ran. */
  readonly runs: number;
  /** Programs started, the program itself left out. */
  readonly started: readonly string[];
  /** Connections to anything but sockets of this machine. */
  readonly connected: readonly string[];
  /** Real paths of what was opened, whatever it was called. */
  readonly opened: ReadonlySet<string>;
  /** Names under which something was made, linked or renamed to. */
  readonly made: ReadonlySet<string>;
}

/** What the traces below `base` say. */
export function readTraces(base: string): Traced {
  const logs = filesBelow(`${base}/traces`);
  const [started, connected]: string[][] = [[], []];
  const [opened, made] = [new Set<string>(), new Set<string>()];
  for (const log of logs) {
    let isFirst = true;
    for (const line of whole(Deno.readTextFileSync(log))) {
      const call = /^\d+ +(\w+)\(/.exec(line)?.[1] ?? "";
      if (/^(execve|execveat|fork|vfork)$/.test(call)) {
        if (!isFirst) started?.push(line);
        isFirst = false;
      } else if (/^(connect|bind|sendto|sendmsg)$/.test(call)) {
        // What is sent to no address goes where a call before it connected.
        if (!/AF_UNIX|AF_NETLINK|, NULL, 0\) += /.test(line)) connected?.push(line);
      } else if (/^(open|openat|openat2|creat)$/.test(call)) {
        const real = /= \d+<(.*)>$/.exec(line)?.[1];
        if (real !== undefined) opened.add(unescaped(real));
        if (real !== undefined && /O_CREAT/.test(line)) made.add(unescaped(real));
      } else if (/ = 0$/.test(line)) {
        const names = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? "");
        const target = names.at(-1);
        if (target !== undefined) made.add(unescaped(target));
      }
    }
  }
  return { runs: logs.length, started: started ?? [], connected: connected ?? [], opened, made };
}

/** Calls that were interrupted by another thread, put together again. */
function* whole(text: string): Generator<string> {
  const open = new Map<string, string>();
  for (const line of text.split("\n")) {
    const pid = /^\d+/.exec(line)?.[0] ?? "";
    const resumed = /^\d+ +<\.\.\. \w+ resumed>(.*)$/.exec(line)?.[1];
    if (line.endsWith(" <unfinished ...>")) open.set(pid, line.slice(0, -17));
    else if (resumed !== undefined) yield (open.get(pid) ?? "") + resumed;
    else yield line;
  }
}

/** Bytes as `strace` writes them: octal, in a name that is not ASCII. */
function unescaped(name: string): string {
  const bytes = name.replace(
    /\\([0-7]{1,3})/g,
    (_, digits) => String.fromCharCode(parseInt(digits, 8)),
  );
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

/** What the runtime itself reads, wherever it runs. */
const SYSTEM = [
  /^\/(usr\/)?lib(64)?\//,
  /^\/etc\/(ld\.so\.cache|localtime)$/,
  /^\/usr\/share\/zoneinfo\//,
  /^\/(proc|sys)\//,
  /^\/dev\/(null|u?random)$/,
];

/** The paths that lie in none of the roots, and that the runtime has no need of. */
export function outside(paths: Iterable<string>, roots: readonly string[]): string[] {
  return [...paths].filter((path) =>
    path !== SAGE && !SYSTEM.some((form) => form.test(path)) &&
    !roots.some((root) => root.endsWith("/") ? path.startsWith(root) : path === root)
  ).sort();
}
