/** `sage merge-driver`: what git calls for a note that two people changed. Opens no memory. */
import { realFs } from "../../base/fs.ts";
import { mergeFile } from "../../memory/team/merge_file.ts";
import { failed } from "../answer.ts";
import { defineCommand } from "../command.ts";
import { absolute } from "../folder.ts";

export const command = defineCommand({
  operands: [3, 4],
  options: {},
  details:
    'For git, not for typing: sage project init --team has git call it. The merged note is written over <ours>. Keys are merged by what they mean, text by lines; where both changed the same place ours stays, and theirs stands below under "Updates (unmerged …)". Exit code 4 where the front matter of a side cannot be read: git stops there.',
  async run({ rest: [base = "", mine = "", theirs = "", path = ""] }, io) {
    const [from, ours, other] = [base, mine, theirs].map((typed) => absolute(io, typed));
    const paths = { base: from ?? "", mine: ours ?? "", theirs: other ?? "" };
    const isClean = await mergeFile(realFs, paths);
    const json = { outcome: isClean ? "merged" : "conflict" };
    return isClean ? { json, text: [] } : failed({
      code: "conflict",
      message: `Cannot merge ${path || mine}: its front matter cannot be read on one of the sides`,
      hint: "the places are marked in it: choose, then git add",
    }, { json });
  },
});
