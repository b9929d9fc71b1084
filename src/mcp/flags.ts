/** What stands behind `sage mcp`. The command line has checked it; this only reads it, and forgives. */
import { isProfile, type Profile } from "./profile.ts";

export interface Flags {
  readonly tools: Profile | undefined;
  readonly project: string | undefined;
}

export function readFlags(args: readonly string[]): Flags {
  const tools = valueOf(args, "--tools");
  return {
    tools: tools !== undefined && isProfile(tools) ? tools : undefined,
    project: valueOf(args, "--project"),
  };
}

/** The value of `--name value` or `--name=value`; the last one wins. */
function valueOf(args: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (const [i, arg] of args.entries()) {
    if (arg === name) value = args[i + 1];
    else if (arg.startsWith(`${name}=`)) value = arg.slice(name.length + 1);
  }
  return value;
}
