/** Options of a bench's command line. */

/** What stands behind `--name`; undefined without it. */
export function option(name: string, args: readonly string[] = Deno.args): string | undefined {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args[at + 1];
}
