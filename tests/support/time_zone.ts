/** Where the person is. Each test file is a process of its own, so no other test moves along. */
export function timeZone(name: string): Disposable {
  const before = Intl.DateTimeFormat().resolvedOptions().timeZone;
  Deno.env.set("TZ", name);
  // Only what is set is noticed by the engine, not what is deleted.
  return { [Symbol.dispose]: () => Deno.env.set("TZ", before) };
}
