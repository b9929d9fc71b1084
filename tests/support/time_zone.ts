/** Sets the person's time zone. Each test file is a process of its own, so others are not affected. */
export function timeZone(name: string): Disposable {
  const before = Intl.DateTimeFormat().resolvedOptions().timeZone;
  Deno.env.set("TZ", name);
  // Only what is set is noticed by the engine, not what is deleted.
  return { [Symbol.dispose]: () => Deno.env.set("TZ", before) };
}
