/** What several parts of Sage have to tell the person, in one message. */
export function joinNotices(
  ...notices: readonly (string | undefined)[]
): { readonly notice?: string } {
  const said = notices.filter((notice) => notice !== undefined && notice !== "");
  return said.length === 0 ? {} : { notice: said.join("\n") };
}
