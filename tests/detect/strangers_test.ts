/**
 * What sessions of people showed whom no rule had met: what is told as decided, done, open or next, and is none
 * of it; and suggestions that were carried out.
 */
import assert from "node:assert/strict";
import { rankSentences } from "../../src/detect/checkpoint/rank_sentences.ts";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { nextSteps, openQuestions } from "../../src/detect/open/questions.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { sentencesOf } from "../../src/detect/text/sentences.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { exchanged } from "../support/exchanged.ts";
import { talk } from "../support/talk.ts";

const decided = (turns: readonly Turn[]): string[] => findDecisions(turns).map(({ text }) => text);
const ASK = "Please move the uploads of the shop into their own module.";

Deno.test("openQuestions() takes no question after special wishes for an open one", () => {
  for (
    const asked of [
      "Are there specific parts of the module you'd like me to explain?",
      "Is there a particular function you're working with that needs more explanation?",
      "Are there any other areas you want better documented?",
      "Would you like more detail about a specific part of the module?",
      "Gibt es bestimmte Teile, die du genauer erklärt haben möchtest?",
      "¿Hay algún aspecto que quieras que explique con más detalle?",
      "Есть ли конкретные части, которые вы хотели бы изменить?",
      "Do you need any help with the other modules?",
      "Would you like me to suggest a commit message for these changes?",
      "Precisa de ajuda para implementar algum dos módulos?",
      "¿Necesitas ayuda con los otros módulos?",
      "Avez-vous besoin d'aide pour les autres modules ?",
    ]
  ) {
    const answer = `Uploads live in their own module. ${asked}`;
    assert.deepEqual(openQuestions(talk(ASK, answer)), [], asked);
  }
  const asked = "Are there other consumers of this module in the shop?";
  const answer = `Uploads live in their own module. ${asked}`;
  assert.deepEqual(openQuestions(talk(ASK, answer)), [asked]);
});

Deno.test("openQuestions() and nextSteps() end with the list below their heading", () => {
  const behind = "This module is a base for the other parts of the shop.";
  const question = "Which port does the gateway listen on?";
  assert.deepEqual(
    openQuestions(
      talk(ASK, `The module is there.\n\n## Open questions\n\n1. ${question}\n\n${behind}`),
    ),
    [question],
  );
  const step = "Move the avatars as well.";
  assert.deepEqual(
    nextSteps(talk(ASK, `The module is there.\n\n## Next steps\n\n- ${step}\n\n${behind}`), []),
    [step],
  );
  const items = "- The port of the gateway\n- The name of the bucket";
  assert.deepEqual(
    openQuestions(talk(ASK, `The module is there.\n\n## Open questions\n\n${items}`)),
    ["The port of the gateway", "The name of the bucket"],
  );
});

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

Deno.test("findDecisions() takes what is only gone on with, met or asked for no decision", () => {
  const list = "The grid is moved.\n\n## Suggested next steps\n\n" +
    "1. **Circle mode**: move it in the same way.\n2. **Row mode**: move it as well.\n";
  for (
    const said of [
      "agreed, lets continue with the next step",
      "why do we wait here? we never dealt with such delays.",
      "The new blocks only seem to update when i load the page again but the table should be filled after the choice of a team",
      "点一次会读取所有订单而不是每次读取20条，请修复",
      "non tu dis des bêtises, dans leur guide ils disent qu'il faut servir la page à part",
      "其他的导出功能是不是都用同一个服务而不是单独的接口",
      "在后台绑定域名后，会进入到列表页面，现在我应该如何配置证书",
      "修正前の状態は、一覧と検索だけではなく、メニューの表示もすぐに消えていたのが問題",
    ]
  ) assert.deepEqual(decided(talk(ASK, list, said, "It is moved.")), [], said);
  const agents = "你已经选择了仓库 `shop`。";
  assert.deepEqual(decided(talk(ASK, agents, "好的", "是。")), []);
});

Deno.test("findDecisions() takes no order to go on for a choice by its place", () => {
  const by = (said: string): string[] => {
    const turns = talk(ASK, "The grid is moved. The circles and the rows are left.", said, "Fine.");
    const salient = rankSentences(sentencesOf(turns)).map((one) => ({
      ...one,
      rankScore: one.score,
      isDecided: one.sentence.text === said,
      isLaidOut: false,
      concludes: 0,
    }));
    return findDecisions(turns, salient).map(({ text }) => text);
  };
  assert.deepEqual(by("The circles stay filled by default."), [
    "The circles stay filled by default.",
  ]);
  assert.deepEqual(by("Proceed with the circles by default."), []);
});

Deno.test("findDecisions() tells how a thing must always be in languages without spaces", () => {
  for (
    const said of [
      "图片旋转的时候，下面的标题始终保持水平。",
      "右上角的按钮里的文字仅保留“保存”",
    ]
  ) assert.deepEqual(decided(talk(ASK, "The map is there.", said, "It is so.")), [said]);
});

Deno.test("findDecisions() tells a suggestion of the person once it was carried out", () => {
  for (
    const said of [
      "I think we should bump the version of both parts with each change",
      "I also think we should rename the shelf to Store",
      "Ich denke, wir sollten die Versionen beider Teile immer zusammen erhöhen.",
      "je pense qu'on devrait renommer le rayon en Stock",
      "creo que deberíamos renombrar el estante a Stock",
      "думаю, нам стоит переименовать полку в Stock",
      "我觉得我们应该把货架改名为库存",
    ]
  ) {
    const done = exchanged(ASK, "It is moved.", said, ["It is so.", "/home/user/project/a.ts"]);
    assert.deepEqual(decided(done), [said], said);
  }
  const said = "I think we should bump the version of both parts with each change";
  assert.deepEqual(
    decided(
      exchanged(ASK, "It is moved.", said, "Here is the plan.", "Implement the plan.", [
        "Both are bumped.",
        "/home/user/project/a.ts",
      ]),
    ),
    [said],
  );
  for (
    const said of [
      "I think we should rename the shelf to Store, what do you think?",
      "I think we should probably look at the cache of the shelf first",
      "I don't think we should rename the shelf of the shop",
    ]
  ) {
    const done = exchanged(ASK, "It is moved.", said, ["It is so.", "/home/user/project/a.ts"]);
    assert.deepEqual(decided(done), [], said);
  }
});

Deno.test("nextSteps() takes no report of work for a step", () => {
  const step = "The next step is to move the avatars.";
  for (
    const done of [
      "Updated `context.md` to reflect the current state and next steps.",
      "Added a chapter on what is still to do.",
      "The file `chat.md` now has our progress and the next steps for the project.",
      "Then I'll summarize actions and next steps.",
      "El archivo tiene ahora nuestro progreso y los próximos pasos.",
    ]
  ) {
    const turns = talk(ASK, `The module is there. ${done} ${step}`);
    assert.deepEqual(nextSteps(turns, []), [step], done);
  }
});

Deno.test("findDecisions() takes what is handed over or told to the agent for no choice", () => {
  const asks = "What I need to fix it:\n\n1. The version of the library you're using?\n" +
    "2. The content of your settings file?";
  const rest =
    "The settings have a wrong value. Do you want to install the SDK, or use the docker image?";
  for (
    const [answer, said] of [
      [asks, "1. i'm using 1.4.36\n2. pasted in 2 snippets"],
      ["It appears that the .NET SDK is not installed or cannot be found.", ".NET SDK installed"],
      [rest, "my settings"],
    ] as const
  ) assert.deepEqual(decided(talk(ASK, answer, said, "Thanks.")), [], said);
  const offer =
    "¿Quieres que implemente algo específico de esta guía en tu proyecto, como un modo " +
    "oscuro o una página más rápida?";
  const request = "puedes hacer que mi página de inicio sea más rápida en esta guía";
  assert.deepEqual(decided(talk(ASK, `La guía está lista. ${offer}`, request, "Está.")), []);
  for (const said of ["the docker image", "Shared docker image"]) {
    assert.equal(decided(talk(ASK, rest, said, "Fine.")).length, 1, said);
  }
});
