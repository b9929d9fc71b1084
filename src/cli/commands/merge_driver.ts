/** `sage merge-driver`: what git calls for a note that two people changed. Opens no memory. */
import { realFs } from "../../base/fs.ts";
import { mapEach } from "../../base/map_each.ts";
import { mergeFile } from "../../memory/team/merge_file.ts";
import { failed } from "../terminal/answer.ts";
import { defineCommand } from "../command.ts";
import { absolute } from "../folder.ts";

export const command = defineCommand({
  operands: [3, 4],
  details:
    'Called by git, after sage project init --team. The merged note is written over <ours>. Keys are merged by meaning, text by lines; where both sides changed the same place, ours stays, and theirs is added under "Updates (unmerged …)". The exit code is 4 if the front matter of a side cannot be read, and git stops there.',
  async run({ rest: [from = "", ours = "", other = "", path = ""] }, io) {
    const [base, mine, theirs] = mapEach([from, ours, other], (typed) => absolute(io, typed));
    const isClean = await mergeFile(realFs, { base, mine, theirs });
    const json = { outcome: isClean ? "merged" : "conflict" };
    return isClean ? { json, text: [] } : failed({
      code: "conflict",
      message: `Cannot merge ${path || ours}: its front matter cannot be read on one of the sides`,
      hint: "the places are marked in it: choose, then git add",
    }, { json });
  },
});
