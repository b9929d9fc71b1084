/**
 * A real Chromium for the tests of the page: the one that is installed, else one that apt can install.
 * Where there is neither, the tests say so and are skipped.
 */
import { type Browser, chromium } from "playwright-core";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function chromiumPath(): Promise<string | undefined> {
  const found = await installed();
  if (found !== undefined) return found;
  try {
    const { success } = await new Deno.Command("apt-get", {
      args: ["install", "-y", "--no-install-recommends", "chromium"],
      stdout: "null",
      stderr: "null",
    }).output();
    if (success) return await installed();
  } catch {
    // Not this kind of system, or not allowed to.
  }
  await Deno.stderr.write(new TextEncoder().encode(
    "the page is not tested: no Chromium here, and none could be installed (apt-get install chromium)\n",
  ));
  return undefined;
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
