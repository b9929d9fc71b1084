/** What waits for somebody else, and what has its day, as people say it in passing: heard until they come back to it. */
import assert from "node:assert/strict";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
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
      "need to know from dana if the read replica sees the table before we flip the flag",
      "nobody told me how long we have to keep raw events, legal has to say",
      "waiting for mhh to update 809, then 2.4.0 goes out",
      "email for the pilot and whatsapp later when meta approved us",
      "we need to clear the names with legal first",
      "prod has to wait for the change window thursday 6am, ops insists",
      "need permission from sec for tcpdump in prod, probably tuesday",
      "the swap is sunday 4am utc w/ me and lukas",
      "aws and stripe are in, we wanted to self host sentry, ask Hanna",
      "legal must decide whether we have to tell the customers",
      "the other 6 charts the same way, freeze until the 24th",
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

Deno.test("summarizeSession() tells whom somebody goes to ask with what was asked right before", () => {
  const asked = "we'd post it twice. does the backend even dedupe? i doubt it";
  const goes = "need to ask Leona about that. she owns the stops api";
  assert.deepEqual(open(asked, goes), [
    "does the backend even dedupe? i doubt it → need to ask Leona about that.",
  ]);
  assert.deepEqual(open(asked, "ok ill ask leona on monday, no rush"), [
    "does the backend even dedupe? i doubt it → ill ask leona on monday, no rush",
  ]);
  const question = "Does the old API get switched off in May?";
  const put = new TranscriptBuilder().user("prepare the notes").assistant(`Done. ${question}`)
    .user("dunno, i'll ask beat").assistant(`Open until then: ${question}`);
  assert.deepEqual(summarizeSession(readTranscript(put.write(tempDir())).turns)?.openQuestions, [
    `${question} → dunno, i'll ask beat`,
  ]);
  assert.deepEqual(open("rename the table", goes), ["need to ask Leona about that."]);
  for (const own of ["need to ask Leona about the JWT", "need to ask Leona about that table"]) {
    assert.deepEqual(open(asked, own), [own]);
  }
});

Deno.test("summarizeSession() tells whom somebody goes to ask with what they go to ask", () => {
  for (
    const said of [
      "the price per month is a guess. need to talk to like ten of them",
      "why does fifo get worse with more frames?? i read it twice. gonna ask in the tutorial",
      "can we relicense the vendored code? its bsd-2. wrote to the author in july, never got a reply",
      "I don't know if the bank still uses it. I need to ask Henrik in sales.",
      "the june cohort has no tenure. asked the dwh people, no answer yet",
    ]
  ) {
    assert.deepEqual(open(said, "and now the index"), [said]);
  }
  const asked = "can we relicense it? wrote to the author in july, never got a reply";
  assert.deepEqual(open(asked, "the author answered, we may"), []);
});

Deno.test("summarizeSession() waits for no program, and not for the person or the agent", () => {
  for (
    const said of [
      "the user has to confirm first",
      "if it hangs, ask Claude",
      "the form must decide whether the field is shown",
      "the app needs permission from the os for the camera",
      "platform has to check the token first",
      "the swap is on the 2nd disk",
      "it has to wait until the lock is free",
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
      "the client has to talk to nginx first",
      "i need to talk to localhost on port 3000",
      "need to know from which file it comes",
      "we need to know from the log what happened",
      "we need to check with curl whether it answers",
      "i want to hear from you what is wrong",
      "we have to ask systemd to reload it",
      "we need to ask the user for the password",
      "we want to ask users for a rating after a week",
      "asked chatgpt, no useful answer",
      "asked the server for the list, no response",
      "wrote the tests, no errors now",
      "wrote to the file but never got a flush",
      "the customer has to decide which plan he wants in the form",
      "the server has to answer within 2 seconds",
      "waiting for jest to update the snapshots",
      "the button shows only after stripe confirmed the payment",
      "show the banner later when the user agreed",
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

Deno.test("summarizeSession() keeps open by when something has to be done", () => {
  for (
    const said of [
      "need offline mode for the notes list, app store build has to be out by the 14th so nothing fancy",
      "doing a sec review of the auth service before the pentest, report due friday eod",
      "this has to go live before black friday",
      "deadline is next friday",
      "its due tomorrow so keep it small",
      "we need it done by dec 3",
      "the import must be done by the end of the month",
      "code freeze is on the 20th",
      "i have to write a simulator for my operating systems class (C), due sunday midnight",
      "the demo has to be on itch before the jam on 5th december",
      "i only have until thursday",
      "muss bis 30.11. fertig sein wegen dem audit",
      "das muss bis freitag raus",
      "bis freitag brauche ich das nicht, aber es muss bis ende november live sein",
      "abgabe ist am 3. dezember",
      "tiene que estar listo antes del black friday",
      "lo necesito para el viernes",
      "hay que entregarlo antes del 15 de diciembre",
      "faut que ce soit en ligne pour le 2 décembre, le client fait sa conf",
      "la page doit être livrée avant vendredi",
      "à rendre pour lundi",
    ]
  ) {
    assert.deepEqual(open(said, "and now the index"), [said]);
  }
});

Deno.test("summarizeSession() takes no rule of a program, and no day alone, for a deadline", () => {
  for (
    const said of [
      "show the tasks due tomorrow in red",
      "the invoice is due on friday",
      "todos are due on monday by default",
      "invoices must be sent by the 14th of each month",
      "every report has to be out by friday",
      "mails have to go out on friday",
      "should it be live by friday?",
      "if it has to be out by the 14th we skip the tests",
      "the token must be refreshed before it expires",
      "the filter should show what is due next week",
      "it was due last friday",
      "the cron runs before monday",
      "the field must be before the 3rd column",
      "the job has to finish before the next one",
      "the release of the lock must be done before the write",
      "add a due date field",
      "sort by due date",
      "das muss bis zeile 30 gehen",
      "der job läuft bis montag",
      "wenn es bis freitag fertig sein muss, nehmen wir den index",
      "die mail soll jeden freitag bis 12 uhr raus",
      "muss der index vor dem import da sein",
      "bis freitag bin ich weg",
      "el filtro tiene que estar antes de la tabla",
      "cada factura tiene que salir antes del 15",
      "el campo tiene que ir antes de la fecha",
      "para mañana sobra",
      "si tiene que estar antes del viernes, no llegamos",
      "le script doit finir avant le suivant",
      "chaque facture doit être livrée avant lundi",
      "le bouton doit être prêt avant le clic",
      "si ça doit être en ligne pour lundi on coupe",
      "on verra lundi",
      "show everything thats due friday",
      "the card that is due tomorrow must be red",
      "what is due next week?",
      "we have it by default",
      "die frist im vertrag ist 30 tage",
      "das datum muss vor dem 1. januar abgelehnt werden",
      "la fecha tiene que ser anterior al lunes",
      "the launch screen is on main",
      "freeze the header",
    ]
  ) {
    assert.deepEqual(open(said), [], said);
  }
});

Deno.test("summarizeSession() tells who does what on which day, and until whose work something waits", () => {
  for (
    const said of [
      "Aylin uploads the build to the store on friday",
      "Tobias reviews the german texts thursday, then we ship",
      "Marek will test it on the box on wednesday",
      "i can't see it, the vpn is down till Sven fixes it",
      "i'll ask Leona whether the api drops doubles",
    ]
  ) assert.deepEqual(open(said), [said]);
  for (
    const said of [
      "Redis writes the dump on monday",
      "cron runs every monday and sends the report",
      "if Tom reviews it today we can merge",
      "the queue is blocked until Postgres is back",
      "i'll ask the server for the key",
    ]
  ) assert.deepEqual(open(said), [], said);
});
