/**
 * One sentence each, as people of many trades leave it behind: what is open, what waits, what comes next and
 * what holds from now on; and everyday sentences with the same words that say none of it.
 */
import assert from "node:assert/strict";
import { summarizeSession } from "../../src/detect/summarize.ts";
import { exchanged } from "../support/exchanged.ts";

function told(prompt: string) {
  const { openQuestions = [], next = [], decisions = [] } = summarizeSession(exchanged(
    "look at the parser of the importer and split its files",
    "The parser is split into three files.",
    prompt,
    "Understood, that is so.",
  )) ?? {};
  return { openQuestions, next, decisions };
}

const LEFT_BEHIND = {
  openQuestions: [
    "i dont know yet if the return of goods gives stock back",
    "what is not clear: if the return of goods must give stock back same moment or after check. i dont know.",
    "tls cert reload tbd. ask infra",
    "might be that the backup tool chokes on 17, havent checked. barman 3.11+ should do",
    "the checkpoint flag doesnt save if you die on the same frame, i saw it once, couldnt repro. leave it but keep an eye on it",
    "I have no idea whether the job runner is even on in their plan",
    "It remains unclear whether the deposit bears VAT",
    "Ob der Relay noch TLS 1.0 braucht weiß ich nicht, da muss ich Frau Brandt fragen.",
    "Ich weiß nicht, ob die Sonde das Kabel mag",
    "no sé si hay que lanzar otra vez las de octubre con el filtro nuevo, lo hablo con Marta",
    "je sais pas encore si la section 4.5 va en annexe",
    "yes. my boss Kowalski he must say ok before we touch production, i will ask him",
    "ok. need the go from Siobhan (change board) till friday 12:00",
    "i have to send the screenshots to Leonie she needs to approve the pricing page before it goes live",
    "legal (Annika) hasnt answered",
    "el comité de ética todavía no ha aprobado las muestras de Sevilla, así que esas fuera",
    "Der Kunde hat noch nicht unterschrieben",
    "le client n'a toujours pas validé la maquette",
  ],
  next: [
    "tomorrow check barman on staging, then write the comms mail",
    "for tomorrow: look at the empty states",
    "later: fuzz the parser",
    "On Thursday I shall do November.",
    "next time footer and then the cookie banner",
    "mañana toca el control de calidad con multiqc",
    "Morgen rolle ich das auf mx2 aus und dann kommt mx1 dran.",
    "demain j'attaque l'intro du chapitre 5",
  ],
  decisions: [
    "every color comes from tokens.css and nothing else",
    "anything that trains goes into src/. keep it like that please",
    "everything tunable goes in resources/*.tres. thats how ive always done it",
    "no no, in production we must not make index in day time, the shop will stop",
    "nobody runs anything as superuser from cron anymore after this. own role for each job",
    "One principle that I insist on: the script never changes a ledger file",
    "commits: squash, no emojis",
    "los fastq originales no se tocan nunca, ni para comprimirlos",
    "Grundsätzlich: Produktivsysteme fasse nur ich an",
    "minSdk is 24, and it has to stay 24 because of the warehouse tablets.",
    "Please don't bump any dependency versions along the way, release branch is frozen until the 28th.",
  ],
} as const;

for (const [part, prompts] of Object.entries(LEFT_BEHIND)) {
  Deno.test(`summarizeSession() tells in ${part} what a person leaves there`, () => {
    for (const prompt of prompts) {
      assert.notDeepEqual(told(prompt)[part as keyof typeof LEFT_BEHIND], [], prompt);
    }
  });
}

const NOTHING = [
  "i don't know if you saw the log above",
  "i don't know if that makes sense, please explain it",
  "I don't know whether this is the right file but rename the helper there",
  "i dont know what you mean by that",
  "i dont know how to write this regex",
  "don't know why it fails on mac",
  "the parser doesn't know if the line is a comment",
  "the server does not know which shard to ask",
  "the client has no idea whether the token expired",
  "it isn't clear from the docs, can you look it up",
  "is it clear whether the cache is used?",
  "you haven't checked the second file",
  "they haven't tested it on windows, that is why it broke",
  "i can't reproduce your numbers with this seed, what did you do",
  "we have repro steps in the ticket",
  "the build says TBD_VERSION is not set",
  "No sé si me explico, quiero dos columnas",
  "no sé si puedes ver la captura",
  "je ne sais pas si tu vois l'image",
  "je sais pas si c'est clair",
  "ich weiß nicht, ob das so sinnvoll ist, was meinst du",
  "Ob das Skript läuft, weiß ich nicht, schau bitte nach?",
  "the worker needs an answer from the queue",
  "the request needs a review of the schema",
  "it needs an ok from the user before it deletes",
  "the service hasn't responded",
  "Postgres hasn't answered since the restart",
  "my laptop hasn't confirmed the update",
  "the dialog has to say ok before the form closes",
  "the user must say yes before we delete the file",
  "if Marta hasnt answered by noon we go on",
  "send the event to Kafka which has to confirm it",
  "the button needs approval from the validator",
  "the client hasn't sent the header yet",
  "a table without an answer from the backend shows a spinner",
  "el servidor todavía no ha respondido",
  "el formulario aún no ha confirmado el pago",
  "le serveur n'a pas encore répondu",
  "der Server hat noch nicht geantwortet",
  "Der Job hat noch nicht reagiert",
  "tomorrow run fails because the certificate expires",
  "tomorrow is my last day",
  "later: it works again",
  "later on: the same error",
  "tomorrow checks are disabled in the calendar widget",
  "for tomorrow the forecast widget shows nothing",
  "next time please ask me first",
  "next time use the other file",
  "next time the job runs it crashes",
  "the next time it happens send me the log",
  "mañana toca el dentista",
  "mañana toca descansar",
  "morgen habe ich frei",
  "morgen fahre ich nach Hamburg",
  "morgen arbeite ich nicht",
  "demain je fais rien",
  "demain je suis en vacances",
  "everything goes through nginx now",
  "every request goes through the proxy and then fails",
  "everything comes from the cache",
  "all tests live in tests/ and fail",
  "everything comes from main.py apparently",
  "every error goes to /dev/null right now",
  "each event comes from worker.js twice",
  "whatever i type goes in /tmp/x, why",
  "every click now comes from app.js",
  "does every color come from tokens.css?",
  "we must not forget the tests",
  "we mustn't worry about that",
  "we must not be on the right branch",
  "we must not have restarted it",
  "you must not see the banner on mobile",
  "nobody uses this function",
  "nobody runs the old script anymore",
  "nobody pushes on sunday",
  "commits: 3 ahead of main",
  "commits: none so far",
  "tests: see below",
  "comments: where do they come from",
  "docs: still missing the header",
  "logs: failed to open the file",
  "no errors in the log. ever the optimist",
  "did you ever see that",
  "the best build ever",
  "it never worked. ever seen this?",
  "no se sabe nunca",
  "el servidor no se conecta nunca",
  "la tabla no se actualiza nunca",
  "el modal no se cierra nunca",
  "Grundsätzlich: läuft",
  "it has to stay on the stack because the closure captures it, right?",
  "we have to stay calm because the demo is soon",
  "does it have to remain a string because of the api?",
  "don't add any tests yet",
  "don't change any files, just look",
  "don't bump any versions now, we are in the middle of it",
  "don't run any commands, until i say so",
  "dont touch any of this today",
  "don't worry about any warnings",
];

Deno.test("summarizeSession() leaves out what only has the words of it", () => {
  for (const prompt of NOTHING) {
    assert.deepEqual(told(prompt), { openQuestions: [], next: [], decisions: [] }, prompt);
  }
});
