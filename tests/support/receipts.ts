/** The receipts in a home, one record for each line. */
export function receipts(home: string): Record<string, unknown>[] {
  const log = `${home}/.sage/state/log`;
  try {
    return [...Deno.readDirSync(log)].flatMap(({ name }) =>
      Deno.readTextFileSync(`${log}/${name}`).split("\n").filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line))
    );
  } catch {
    return [];
  }
}
