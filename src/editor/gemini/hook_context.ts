/** Removes what Gemini CLI adds to a prompt for a hook; it is not the person's words. */
const HOOK_CONTEXT = /(?:(?<!\s)\s+)?<hook_context>[^]*?<\/hook_context>\s*/g;

export function withoutHookContext(prompt: string): string {
  return prompt.includes("<hook_context>") ? prompt.replace(HOOK_CONTEXT, "") : prompt;
}
