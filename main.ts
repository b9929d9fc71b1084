// The door: choose a surface, load only that one, leave with its exit code.
const { main } = Deno.args[0] === "hook"
  ? await import("./src/hook/main.ts")
  : await import("./src/cli/main.ts");
Deno.exit(await main(Deno.args));
