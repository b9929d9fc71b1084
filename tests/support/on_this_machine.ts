/** Whether a program can be started here; a test that needs one that cannot says so in its name and is skipped. */
export function isOnThisMachine(program: string): boolean {
  try {
    new Deno.Command(program, {
      args: ["--version"],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    })
      .outputSync();
    return true;
  } catch {
    return false;
  }
}
