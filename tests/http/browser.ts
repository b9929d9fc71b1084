/**
 * A real Chromium for the tests of the page: the one that is installed, else one that apt can install.
 * Where there is neither, the tests say so and are skipped.
 */
import { type Browser, chromium } from "playwright-core";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function chromiumPath(): Promise<string | undefined> {
  const found = await installed();
  if (found !== undefined) return found;
  const install = ["install", "-y", "--no-install-recommends", "chromium"];
  // A fresh machine has no lists of packages yet.
  if (await apt(install) || (await apt(["update"]) && await apt(install))) return await installed();
  await Deno.stderr.write(new TextEncoder().encode(
    "the page is not tested: no Chromium here, and none could be installed (apt-get install chromium)\n",
  ));
  return undefined;
}

/** False where it is not this kind of system, or not allowed to. */
async function apt(args: readonly string[]): Promise<boolean> {
  try {
    const command = new Deno.Command("apt-get", {
      args: [...args],
      stdout: "null",
      stderr: "null",
    });
    return (await command.output()).success;
  } catch {
    return false;
  }
}

async function installed(): Promise<string | undefined> {
  for (const path of [Deno.env.get("CHROMIUM") ?? "", ...PATHS]) {
    if (path !== "" && await Deno.stat(path).then(() => true, () => false)) return path;
  }
  return undefined;
}

export async function launch(executablePath: string): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    // Runs as any user, also in a container; the page is our own.
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}
