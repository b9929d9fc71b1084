// The door: choose a surface, load only that one, leave with its exit code.
// What an editor calls by itself, and waits for.
const isHook = Deno.args[0] === "hook" ||
  Deno.args[0] === "statusline" && Deno.args.length === 1;
// A missing file is an answer to most of us, and a stack for each costs more than the look at the disk.
if (!isDebugging()) Error.stackTraceLimit = 0;
if (isHook) Deno.permissions.revokeSync({ name: "net" });
const surface = isHook ? import("./src/hook/main.ts") : import("./src/cli/main.ts");
surface.then(({ main }) => main(Deno.args)).then((code) => Deno.exit(code));

function isDebugging(): boolean {
  try {
    return Deno.env.get("SAGE_DEBUG") === "1";
  } catch {
    // It is not UTF-8: the command line says so, and a hook has nobody to tell.
    return false;
  }
}
