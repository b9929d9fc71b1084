/** `sage checkpoint`: the verbs. Each is told in a file of its own. */
import { branch } from "../checkpoint/branch.ts";
import { diff } from "../checkpoint/diff.ts";
import { exportVerb } from "../checkpoint/export.ts";
import { list } from "../checkpoint/list.ts";
import { prune } from "../checkpoint/prune.ts";
import { restore } from "../checkpoint/restore.ts";
import { save } from "../checkpoint/save.ts";
import type { CommandGroup } from "../command.ts";
import { removeVerb } from "../remove.ts";
import { showVerb } from "../show.ts";

export const command: CommandGroup = {
  verbs: {
    save,
    list,
    show: showVerb("checkpoint"),
    restore,
    branch,
    diff,
    prune,
    export: exportVerb,
    rm: removeVerb("checkpoint"),
  },
  fallback: "save",
  sentence: 'sage checkpoint -m "…"',
};
