/** `Cost.what` in words. Imports nothing, because the page uses it too. */
export const SPENT: Readonly<Record<string, string>> = {
  start: "at starts",
  compaction: "after compactions",
  prompt: "beside prompts",
  ask: "in asks to save",
  tool: "in answers to the agent",
};
