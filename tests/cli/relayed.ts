/** A session's server that a search may ask, behind a socket that counts what goes through. */
import { type Place } from "../hook/process.ts";
import { folder, serve } from "../hook/server.ts";
import { binary, type SageOptions, type SageResult } from "../support/sage.ts";
import { within } from "../support/within.ts";
import { ownSocketPath } from "../support/mcp_server.ts";

/** A machine that is busy makes a server late, and then the process answers: no proof of anything. */
export const TRIES = 20;

export async function search(args: readonly string[], options: SageOptions): Promise<SageResult> {
  return await binary(["search", ...args], options);
}

/** Runs it until the server has answered; the count starts anew each time. */
export async function untilServed(
  relay: Relay,
  run: () => Promise<SageResult>,
  tries = TRIES,
): Promise<SageResult> {
  for (;;) {
    relay.forget();
    const result = await run();
    if (relay.answers() > 0 || --tries === 0) return result;
  }
}

/** Each fence has a mark of its own, and time goes on. */
export function unmarked({ stdout, ...rest }: SageResult): SageResult {
  return { ...rest, stdout: stdout.replace(/(?<=recalled )\w+|\[\w{4}\]/g, "") };
}

export interface Relay extends AsyncDisposable {
  /** Answers that went through since the last `forget()`. */
  answers(): number;
  forget(): void;
  /** While it runs no socket can be found. */
  hidden<T>(run: () => Promise<T>): Promise<T>;
}

/** A server behind a socket that looks at what goes through, and may change what is asked. */
export async function relayed(on: Place, change = (line: string): string => line): Promise<Relay> {
  const server = await serve(on);
  const [shown, real] = [`${folder(on)}/0.sock`, `${folder(on)}/server`];
  await Deno.rename(ownSocketPath(on), real);
  const listener = Deno.listen({ transport: "unix", path: shown });
  let answers = 0;
  const relay = async (from: Deno.UnixConn): Promise<void> => {
    const to = await Deno.connect({ transport: "unix", path: real });
    const asked = pass(from, to, (text) => change(text));
    await pass(to, from, (text) => {
      if (/^\{"out":/m.test(text)) answers++;
      return text;
    });
    for (const end of [from, to]) end.close();
    await asked;
  };
  const all: Promise<void>[] = [];
  const done = (async () => {
    for await (const connection of listener) all.push(relay(connection).catch(() => {}));
  })();
  return {
    answers: () => answers,
    forget: () => void (answers = 0),
    async hidden(run) {
      await Deno.rename(shown, `${shown}.not`);
      try {
        return await run();
      } finally {
        await Deno.rename(`${shown}.not`, shown);
      }
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      await within("the end of the relay", done.then(() => Promise.all(all)));
      await server[Symbol.asyncDispose]();
    },
  };
}

async function pass(
  from: Deno.UnixConn,
  to: Deno.UnixConn,
  change: (text: string) => string,
): Promise<void> {
  const bytes = new Uint8Array(1 << 20);
  for (;;) {
    const count = await from.read(bytes).catch(() => null);
    if (count === null) break;
    await to.write(
      new TextEncoder().encode(change(new TextDecoder().decode(bytes.subarray(0, count)))),
    )
      .catch(() => {});
  }
  await to.closeWrite().catch(() => {});
}
