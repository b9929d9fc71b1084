/** Prints fitted weights as the source of their table, and with `--write` puts them there. */
// deno-lint-ignore-file no-console -- for scripts that speak to the terminal they were called from

/** `weights`: the constant first, then one for each name. */
export async function tellWeights(
  table: URL,
  names: readonly string[],
  weights: ArrayLike<number>,
): Promise<void> {
  const lines = ["always", ...names].map((name, i) =>
    `  ${JSON.stringify(name)}: ${weights[i]?.toFixed(2)},\n`
  ).join("");
  console.log(lines);
  if (!Deno.args.includes("--write")) return;
  const text = await Deno.readTextFile(table);
  await Deno.writeTextFile(table, text.replace(/= \{[^}]*\}/, `= {\n${lines}}`));
}
