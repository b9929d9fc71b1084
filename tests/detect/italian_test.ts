/** Italian, told by its words and heard beside English alone, and what sounds like it in another language. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { isRequest } from "../../src/detect/summary/intent.ts";
import { confirmedTriggers } from "../../src/detect/phrases/trigger_phrases.ts";
import { shapeOf } from "../../src/detect/text/shape.ts";
import { commonTables, tablesFor } from "../../src/detect/phrases/phrase_tables.ts";
import { testRecognised } from "../support/recognised.ts";
import { talk } from "../support/talk.ts";

Deno.test("tablesFor() tells Italian from its neighbours", () => {
  const italian = tablesFor("abbiamo deciso di usare redis");
  assert.ok(italian !== commonTables());
  for (
    const text of ["usa sempre gli apici singoli", "non toccare la tabella", "Cos'è successo?"]
  ) {
    assert.ok(tablesFor(text) === italian, text);
  }
  // "Sempre" and "deve" are Portuguese as well.
  for (const text of ["o limite deve ser 100, e sempre por minuto", "não, isso fica na fila"]) {
    assert.ok(tablesFor(text) !== italian && tablesFor(text) !== commonTables(), text);
  }
  for (
    const text of [
      "che, fijate en la cola de mensajes, que no anda",
      "alle Tests laufen, una nueva cosa ist da",
      "non, c'est fait",
      "run it per user, and serve the page",
      "no va la base di",
    ]
  ) assert.ok(tablesFor(text) === commonTables(), text);
});

testRecognised({
  ask: "guarda il modulo degli ordini",
  answer: "Il modulo legge gli ordini dalla tabella e li manda al gateway.",
  done: "Fatto.",
  goOn: "continua pure",
  noted: "Annotato.",
}, {
  decided: [
    "ok allora andiamo con postgres, mongo non regge le transazioni",
    "abbiamo deciso di usare il cursore per la paginazione invece dell'offset",
    "usa jwt con refresh token, perché il mobile non ha i cookie",
    "alla fine teniamo rabbitmq",
    "il cliente ha approvato il layout nuovo senza menu laterale",
    "non toccare la tabella ordini finché non finiamo la migrazione",
    "meglio tenere il deploy manuale per ora, la pipeline non è ancora affidabile",
    "non supportiamo più windows, solo linux e mac",
    "lasciamo la cache dei prezzi nella memoria, redis è troppo",
    "lascia l'endpoint vecchio com'è, i client mobili lo usano ancora",
    "non ci serve kubernetes per questo, basta un VPS",
    "ci abbiamo già provato con graphql l'anno scorso ed è stato un disastro",
    "abbiamo concordato che l'IVA si calcola nel backend",
    "il cliente vuole che i prezzi siano senza IVA perché vende ad aziende",
    "alla fine usiamo stripe perché paypal costa troppo",
    "vietato toccare la tabella dei pagamenti",
    "la tabella degli utenti non si tocca",
    "non mi toccare il webpack.config.js",
    "niente lodash in questo progetto",
  ],
  wished: [
    "d'ora in poi scrivi i messaggi di commit in inglese",
    "lancia sempre i test prima di committare",
    "non fare mai push diretto su main",
    "commenti sempre in inglese",
    "non committare niente senza chiedermelo",
    "regola: mai dipendenze nuove senza chiedere",
    "smettila di mettere emoji nei messaggi della cli",
    "odio i commenti ovvi nelle funzioni",
  ],
  open: [
    "non so ancora se supporteremo il multi-tenant",
    "devo chiedere a Marco se il loro webhook fa retry",
    "Paola non ha ancora approvato il testo dei termini",
    "deve essere online entro venerdì",
    "non sono sicuro se serve la tabella di audit",
    "non è ancora chiaro se facciamo pagare la spedizione",
    "resta da capire se il cliente accetta il preventivo",
    "sto aspettando che Anna approvi il design",
    "stiamo aspettando risposta dal fornitore",
    "finché il legale non dà l'ok non possiamo pubblicare",
    "ho scritto al commercialista e non mi ha risposto",
    "manca che il cliente confermi i prezzi",
  ],
  next: [
    "domani provo il flusso di rimborso in sandbox",
    "domani provo l'import con il listino vero",
    "lunedì mettiamo in produzione la versione nuova",
    "ricordami di aggiornare il changelog prima della release",
    "domani: migrare la tabella utenti",
    "poi dobbiamo migrare la tabella ordini",
    "devo ancora scrivere le conclusioni",
    "resta da aggiornare il README",
    "la prossima volta sistemiamo il footer della pagina",
    "rimandiamo alla settimana prossima il redesign del menù",
  ],
  nothing: [
    "adesso passa, grazie mille per l'aiuto",
    "no, intendevo l'altro file",
    "il test fallisce sempre la seconda volta",
    "dà sempre questo errore quando apro la pagina",
    "mai visto questo errore prima d'ora",
    "perché abbiamo scelto kafka?",
    "se usiamo redis quanto costa al mese?",
    "d'ora in poi va in timeout su staging",
    "restituisce null invece di una lista vuota",
    "ti avevo chiesto di non toccare il css",
    "andiamo con calma, prima spiegami",
    "domani ho il dentista, torno nel pomeriggio",
    "il cron gira sempre alle 3 di notte e si blocca",
    "l'altro team ha deciso di usare kafka",
    "forse un giorno passiamo a vue",
    "torniamo al discorso del login",
    "lo script sta aspettando la risposta dell'api",
    "ogni lunedì faccio il backup",
    "domani: dentista alle nove, poi sono libero",
    "domani comincio le ferie",
    "poi dobbiamo vedere cosa succede",
    "devo ancora ricaricare la pagina a mano ogni volta",
    "la prossima volta avvisami prima di cancellare",
    "sto aspettando che il server risponda",
    "sto aspettando risposta dal server",
    "Stripe non ha ancora confermato il pagamento",
    "non sono sicuro se mi spiego",
    "se abbiamo deciso di usare redis va pagato",
    "ci ho provato due ore fa e non ha funzionato",
    "non ci serve altro adesso, grazie",
    "il pulsante non si tocca bene sul telefono",
    "non mi piacciono i commenti che hai messo",
    "lasciamo aperto il terminale",
  ],
});

Deno.test("findDecisions() tells a way that is taken by its place in Italian with its name", () => {
  const ways = "Ci sono due opzioni:\n\n1. **Upsert a blocchi** da 1.000 righe.\n" +
    "2. **Tabella di appoggio** con COPY.\n\nQuale preferisci?";
  for (const text of ["andiamo con la prima, il minuto ci va benissimo", "la prima allora"]) {
    const [told] = findDecisions(talk("che opzioni abbiamo?", ways, text, "Fatto."));
    assert.match(told?.text ?? "", /^Upsert a blocchi.+ (?:→|—) /, text);
  }
});

Deno.test("the rest of Italian: assent, small words, turning points", () => {
  for (const text of ["grazie, perfetto così", "va bene, procedi"]) {
    assert.ok(!isRequest(text), text);
  }
  const { wordClasses } = shapeOf(
    "Non c'è modo: il servizio è vietato, quindi o si cambia o niente.",
  );
  assert.equal(wordClasses.or, 2);
  assert.equal(wordClasses.not, 2);
  assert.ok(confirmedTriggers("In sintesi, la causa è la cache degli ordini.").has("synthesis"));
});
