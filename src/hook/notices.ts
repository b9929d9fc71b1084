/** Joins messages to the person into one. */
export function joinNotices(
  ...notices: readonly (string | undefined)[]
): { readonly notice?: string } {
  const said = notices.filter((notice) => notice !== undefined);
  return said.length === 0 ? {} : { notice: said.join("\n") };
}
