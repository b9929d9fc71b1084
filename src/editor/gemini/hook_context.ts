/** What Gemini CLI puts before or behind a prompt for a hook: in no way the person's words. */
const HOOK_CONTEXT = /(?:(?<!\s)\s+)?<hook_context>[^]*?<\/hook_context>\s*/g;

export function withoutHookContext(prompt: string): string {
  return prompt.includes("<hook_context>") ? prompt.replace(HOOK_CONTEXT, "") : prompt;
}
