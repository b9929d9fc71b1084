/**
 * The page of a real server in a real Chromium: the one that is installed, else one that apt can install.
 * Where there is neither, the tests say so and are skipped.
 */
import assert from "node:assert/strict";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { alone } from "../support/alone.ts";
import { hasBinary, sage } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { type ServeProcess, serveProcess } from "./server.ts";
import { run, until, WAIT_MS_MAX, within } from "../support/within.ts";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Nothing waits for this long but what hangs. */
const PAGE_MS_MAX = WAIT_MS_MAX;
/** The longest shows every view of a full store. */
const TEST_MS_MAX = 4 * WAIT_MS_MAX;
/** For 100 MB of packages. */
const INSTALL_MS_MAX = 300_000;

async function chromiumPath(): Promise<string | undefined> {
  const found = await installed();
  if (found !== undefined) return found;
  // A new machine may be at its own updates, which hold the lock.
  const patient = ["-o", "DPkg::Lock::Timeout=120"];
  const install = [...patient, "install", "-y", "--no-install-recommends", "chromium"];
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
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const { code } = await run("apt-get", { args: [...args], env, msMax: INSTALL_MS_MAX });
    return code === 0;
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

/**
 * One for all tests of a file, because a start costs seconds of processor time. Each has a context of its own,
 * which shares no cookie, storage or cache with another.
 */
let running: Promise<Browser> | undefined;

Deno.test.afterAll(async () => {
  if (running !== undefined) await within("the end of the browser", (await running).close());
});

async function browser(): Promise<Browser> {
  if (running !== undefined && !(await running).isConnected()) running = undefined;
  return await (running ??= launch());
}

async function launch(): Promise<Browser> {
  return await chromium.launch({
    executablePath: executable ?? "",
    timeout: PAGE_MS_MAX,
    // Runs as any user, also in a container; the page is our own.
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}

// While it is being installed its file is there, and what it needs is not.
const executable = hasBinary ? await alone("chromium", chromiumPath) : undefined;
export const hasBrowser = executable !== undefined;

/** A test in a browser, in which not everything that is waited for has an end of its own. */
export function testPage(name: string, body: () => Promise<void>): void {
  Deno.test({
    name,
    ignore: !hasBrowser,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => unlessCrashed(() => within(name, body(), TEST_MS_MAX)),
  });
}

/**
 * A system that is short of something ends a browser's page before anything else. Once, that says nothing
 * of what the page does; what it does to itself it does again.
 */
async function unlessCrashed(body: () => Promise<void>): Promise<void> {
  const before = crashes;
  try {
    await body();
  } catch (error) {
    if (crashes === before) throw error;
    await body();
  }
}

/** Pages that were taken down. */
let crashes = 0;

/** In the page: by how much it is wider than the window. */
export const OVERFLOW =
  "document.documentElement.scrollWidth - document.documentElement.clientWidth";

export interface Opened extends AsyncDisposable {
  readonly server: ServeProcess;
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page asked for beyond its own server, errors, and dialogs: all of it is wrong. */
  readonly wrong: string[];
  go(view: string): Promise<void>;
}

interface OpenOptions {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  /** Where the person is. */
  readonly zone?: string;
  readonly fill?: (home: string, cwd: string) => Promise<void>;
  /** Whether the test will hold requests back: what is sent while a browser is told so slips by unseen. */
  readonly holds?: boolean;
}

export async function open(
  { scheme = "light", width = 1200, zone, fill, holds = false }: OpenOptions = {},
): Promise<Opened> {
  const home = tempDir();
  const cwd = `${home}/project`;
  await Deno.mkdir(`${cwd}/.git`, { recursive: true });
  await sage(["init"], { home, cwd });
  await fill?.(home, cwd);
  const server = await serveProcess({ home, cwd, args: ["--port", "0", "--open"] });
  const context = await (await browser()).newContext({
    colorScheme: scheme,
    viewport: { width, height: 800 },
    ...(zone === undefined ? {} : { timezoneId: zone }),
  });
  context.setDefaultTimeout(PAGE_MS_MAX);
  const page = await context.newPage();
  page.on("crash", () => {
    crashes++;
    // Not every call to a page hears that it is gone: page.title() waits on.
    running = undefined;
    void context.browser()?.close().catch(() => {});
  });
  const wrong: string[] = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("dialog", (dialog) => {
    wrong.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !url.startsWith("data:")) wrong.push(url);
  });
  if (holds) await page.route("**/api/**", (route) => route.continue());
  await page.goto(server.open ?? "");
  await page.waitForSelector("nav");
  return {
    server,
    context,
    page,
    wrong,
    async go(view) {
      await page.goto(`${server.url}/#/${view}`);
      // Until then the view before it may stand there, whole.
      const [title = ""] = view.split("/");
      await until(view, async () => (await page.title()).toLowerCase().startsWith(title));
      await page.waitForSelector("[aria-busy]", { state: "detached" });
    },
    async [Symbol.asyncDispose]() {
      try {
        await within("the end of the page", context.close());
      } finally {
        await server[Symbol.asyncDispose]();
      }
    },
  };
}

export async function accessible(page: Page, what: string): Promise<void> {
  // As large as it is, it is given to a document once.
  if (!await page.evaluate("'axe' in globalThis")) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    // deno-lint-ignore no-explicit-any -- put there by the line above
    const { violations } = await (globalThis as any).axe.run();
    return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
      `${id}: ${nodes[0]?.html}`
    );
  });
  assert.deepEqual(violations, [], what);
}
