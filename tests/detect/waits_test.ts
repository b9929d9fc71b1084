/** What waits for somebody else, as people say it in passing: heard until they come back to it, and nowhere else. */
import assert from "node:assert/strict";
import { summarizeSession } from "../../src/detect/summarize.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { tempDir } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";

function open(...prompts: readonly string[]): readonly string[] {
  const talk = new TranscriptBuilder().user("the nightly import stalls on large files")
    .assistant("It builds one string of the whole file.");
  for (const prompt of prompts) talk.user(prompt).assistant("Understood.");
  return summarizeSession(readTranscript(talk.write(tempDir())).turns)?.openQuestions ?? [];
}

Deno.test("summarizeSession() keeps open what waits for somebody", () => {
  for (
    const said of [
      "marta has to ok it tho before we ship",
      "lww for now, sheet maybe in 2.4. marta has to ok it tho before we ship",
      "Priya needs to confirm the reset link one before i send it",
      "Ana has to sign off first",
      "legal has to sign off on the copy",
      "legal wants to review the wording first",
      "the load test is on Jonas",
      "kotlin side is with Farid, dont touch android/",
      "the texts are with Chloe, she sends them on monday",
      "still waiting on the design from ana",
      "still waiting for the ok from legal",
      "we're waiting for the customer",
      "tag waits for the certification lab, theyre back on dec 3",
      "the rollout is on hold until the board meets",
      "my boss needs to look at it before we merge",
      "priya has to approve the budget before we order",
      "Freigabe muss noch der Herr Petersen geben",
      "der Chef muss das noch absegnen",
      "das muss petra erst freigeben",
      "da muss noch die Rechtsabteilung drüberschauen",
      "wir warten noch auf die Freigabe von Jens",
      "ich warte auf antwort vom steuerberater",
      "es fehlt noch das ok vom kunden",
      "die rechte macht jens, der ist erst montag wieder da",
      "el logo nuevo lo tiene que mandar mi hermana",
      "falta que Ana lo apruebe",
      "estoy esperando la respuesta del cliente",
      "la gestoria lo tiene que revisar antes",
      "falta el visto bueno de la gestoria",
      "les maquettes du footer j'attends encore Chloé",
      "c'est le client qui valide avant qu'on mette en prod",
      "on attend le retour du client",
      "il manque encore l'accord de la direction",
      "marie doit valider avant qu'on publie",
    ]
  ) {
    assert.deepEqual(open(said, "and now the index"), [said]);
  }
});

Deno.test("summarizeSession() tells what fails behind what waits, for the last is told first", () => {
  const result = "1 failed in 0.88s";
  const talk = new TranscriptBuilder().user("Ana has to sign off first. reproduce it").assistant(
    "",
    [{ name: "Bash", input: { command: "pytest weekly" }, result, isError: true }],
  );
  const told = summarizeSession(readTranscript(talk.write(tempDir())).turns)?.openQuestions;
  assert.deepEqual(told, [
    "Ana has to sign off first.",
    "Failed last: `pytest weekly` → 1 failed in 0.88s",
  ]);
});

Deno.test("summarizeSession() has nothing to wait for once the person came back to it", () => {
  assert.deepEqual(open("marta has to ok it before we ship", "marta said ok btw"), []);
  assert.deepEqual(open("Ana has to sign off first", "ana is fine with it, go"), []);
  assert.deepEqual(open("die Freigabe muss noch jens geben", "so jens hat freigegeben"), []);
  const both = ["marta has to ok the copy", "and marta has to ok the new icons"];
  assert.equal(open(...both).length, 2);
});

Deno.test("summarizeSession() waits for no program, and not for the person or the agent", () => {
  for (
    const said of [
      "the user has to confirm first",
      "the server has to confirm the upload before it deletes the chunk",
      "still waiting",
      "waiting for the build",
      "waiting for docker to start",
      "still waiting for an answer",
      "im waiting for 10 minutes now",
      "the worker waits for the queue",
      "the thread waits for the lock",
      "the db is on Postgres",
      "the test is on Staging",
      "the demo is on Monday",
      "login is with Google",
      "the load test is on Monday",
      "that's on Android",
      "middleware has to check the token before we call next",
      "the client has to check the token first",
      "it has to sign the request first",
      "if legal has to sign off we are too late",
      "does Ana have to sign off first?",
      "the middleware must sign off the session",
      "the parser should review the tokens first",
      "every endpoint needs to check the role first",
      "users must confirm their mail before they log in",
      "you should check the logs first",
      "you need to review the diff before we merge",
      "i have to look at it first",
      "we must test it before we ship",
      "ci has to pass before we merge",
      "the form should confirm the address before we submit",
      "code needs to check the cache first",
      "the job has to wait for the lock",
      "der Destruktor muss erst den Speicher freigeben",
      "der nutzer muss die agb bestätigen",
      "warte auf den build",
      "ich warte noch auf dich",
      "das macht die app, die ist erst seit gestern da",
      "der server muss auf antwort warten",
      "du musst das freigeben",
      "man muss das erst freigeben",
      "wenn der Chef das freigeben muss, dauert es",
      "das ok muss grün sein",
      "der client wartet auf antwort vom server",
      "el usuario tiene que confirmar antes",
      "el formulario tiene que validar los datos antes",
      "estoy esperando a que termine el build",
      "falta el test de la api",
      "le formulaire doit valider les champs avant d'envoyer",
      "j'attends le build",
      "j'attends la réponse du serveur",
      "on attend la fin du test",
      "il manque un test",
      "l'utilisateur doit confirmer avant",
      "le script doit confirmer d'abord",
      "the board needs to read the sensor first",
      "still waiting for Bazel to finish",
      "the copy is on Main",
      "the test is on Friday",
      "the publisher has to confirm first",
      "wir warten auf den lock",
      "das backend muss erst bestätigen",
      "die freigabe im speicher fehlt",
      "das muss noch rein",
      "da muss noch ein index drauf",
      "petra hat das freigegeben",
      "marta said ok btw",
      "Ana signed off yesterday",
      "the design is on the left side",
      "the ok button has to wait for the dialog",
      "he has to log in first",
      "it's waiting for approval in the queue table",
      "la api tiene que validar primero",
      "el precio lo tiene que calcular el carrito",
      "c'est le serveur qui valide avant de sauver",
      "le bouton doit confirmer avant de supprimer",
    ]
  ) {
    assert.deepEqual(open(said), [], said);
  }
});
