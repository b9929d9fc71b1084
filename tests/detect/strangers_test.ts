/**
 * What sessions of people showed whom no rule had met: what is told as decided, done, open or next, and is none
 * of it; and suggestions that were carried out.
 */
import assert from "node:assert/strict";
import { nextSteps, openQuestions } from "../../src/detect/open/questions.ts";
import { talk } from "../support/talk.ts";

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
