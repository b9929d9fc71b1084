#!/usr/bin/env node
// Hands everything over to the program that came with this package for this machine.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import process from "node:process";

const name = `sage-memory-${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "sage.exe" : "sage";

function fail(message, hint) {
  process.stderr.write(`sage: ${message}\n${hint === undefined ? "" : `  ${hint}\n`}`);
  process.exit(1);
}

let path;
try {
  path = createRequire(import.meta.url).resolve(`${name}/bin/${program}`);
} catch {
  fail(
    `There is no program for ${process.platform} on ${process.arch} here`,
    "install again without --omit=optional; other machines than those of the packages are not supported",
  );
}

const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
// Ctrl-C reaches the program by itself; whoever stops this process means the program.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", ({ code, message }) => fail(`Cannot start ${path}: ${code ?? message}`));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
