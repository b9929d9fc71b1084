/**
 * What sessions of people showed whom no rule had met: what is told as decided, done, open or next, and is none
 * of it; and suggestions that were carried out.
 */
import assert from "node:assert/strict";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { exchanged } from "../support/exchanged.ts";

const ASK = "Please move the uploads of the shop into their own module.";

Deno.test("summarizeSession() tells no step for the reader, no contrast and nothing without a matter as done", () => {
  for (
    const said of [
      "Get your token from the portal of the shop and put it into the settings of the module.",
      "Fast path: set the cache of the shop to flexible, then run the deployment of the module again.",
      "But this is now a much bigger task than the module that we just moved.",
      "Download just the large files of the shop and install those in the module now.",
      "Now building the first part of the module for the shop.",
      "Try sending an upload to the module now!",
      "I got stuck in a loop of the indentation.",
      "(And the page changes as well if the module of the shop is used there.)",
      "All changes are complete.",
      "The feature is now working perfectly!",
      "The message sending flow should now work perfectly!",
      "The changes are now ready to test.",
      "Alle Änderungen sind jetzt abgeschlossen.",
      "Теперь установим недостающую зависимость для модуля загрузок.",
      "下次要改价格告诉我就行。",
      "刷新网页，打开右边的菜单，里面就是新的列表了。",
      "所有更新已完成，代码已通过检查。",
      "変更を完了しました。",
    ]
  ) {
    const turns = exchanged(ASK, [said, "/home/user/project/upload.ts"], "and the avatars?", [
      "The avatars are in the same module.",
      "/home/user/project/avatar.ts",
    ]);
    assert.ok(!summarizeSession(turns)?.done.includes(said), said);
  }
});
