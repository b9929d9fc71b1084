// The door: choose a surface, load only that one, leave with its exit code.
const isHook = Deno.args[0] === "hook";
if (isHook) Deno.permissions.revokeSync({ name: "net" });
const { main } = isHook ? await import("./src/hook/main.ts") : await import("./src/cli/main.ts");
Deno.exit(await main(Deno.args));
