/** What tokens are spent for (`Cost.what`), in words. It imports nothing: the page shows them too. */
export const SPENT: Readonly<Record<string, string>> = {
  start: "at starts",
  compaction: "after compactions",
  prompt: "beside prompts",
  ask: "in asks to save",
  tool: "in answers to the agent",
};
