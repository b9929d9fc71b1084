/**
 * What an agent asks of how it is, and what may be the cause: an answer to that settles nothing, in any language.
 * Nor does leave for routine work, or a doubt.
 */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { exchanged } from "../support/exchanged.ts";

/** What the agent asked or thought of, and the reply. */
const NONE: readonly (readonly [asked: string, answer: string, reply: string])[] = [
  ["the install is slow", "Do you use npm or pnpm?", "pnpm"],
  ["die installation ist langsam", "Nutzt ihr npm oder pnpm?", "pnpm"],
  ["l'installation est lente", "Vous utilisez npm ou pnpm ?", "pnpm"],
  ["la instalación va lenta", "¿Usáis npm o pnpm?", "pnpm"],
  ["l'installazione è lenta", "Usate npm o pnpm?", "pnpm"],
  ["a instalação tá lenta", "Vocês usam npm ou pnpm?", "pnpm"],
  ["the build fails here", "Which Node version, 18 or 20?", "20"],
  ["der build bricht ab", "Welche Node-Version, 18 oder 20?", "20"],
  ["le build plante", "Quelle version de Node, 18 ou 20 ?", "20"],
  ["el build falla", "¿Qué versión de Node, 18 o 20?", "20"],
  ["la build fallisce", "Che versione di Node, 18 o 20?", "20"],
  ["o build quebra", "Qual versão do Node, 18 ou 20?", "20"],
  ["the page is stale", "That may be the cache or the proxy.", "cache"],
  ["die seite ist veraltet", "Das kann der Cache oder der Proxy sein.", "cache"],
  ["la page est vieille", "Ça peut être le cache ou le proxy.", "cache"],
  ["la página sale vieja", "Puede ser la caché o el proxy.", "la caché"],
  ["la pagina è vecchia", "Può essere la cache o il proxy.", "la cache"],
  ["a página tá velha", "Pode ser o cache ou o proxy.", "o cache"],
  ["fix it", "Fixed. Shall I deploy to staging?", "yes deploy"],
  ["arréglalo", "Arreglado. ¿Despliego en staging?", "si despliega"],
  ["fix das", "Repariert. Soll ich auf Staging deployen?", "ja deploy"],
  ["corrige ça", "Corrigé. Je déploie sur staging ?", "oui déploie"],
  ["sistemalo", "Sistemato. Faccio il deploy in staging?", "sì fai il deploy"],
  ["arruma isso", "Arrumado. Faço o deploy no staging?", "sim faz o deploy"],
  [
    "who can translate",
    "You could ask a volunteer or pay an agency.",
    "mmm, there would be a volunteer but it's my cousin, not sure how far to trust him",
  ],
  [
    "wer kann übersetzen",
    "Du könntest einen Freiwilligen fragen oder eine Agentur bezahlen.",
    "mmm, einen freiwilligen gäbe es, aber das ist mein cousin, weiß nicht wie weit ich ihm traue",
  ],
  [
    "quién traduce",
    "Podrías pedirlo a un voluntario o pagar una agencia.",
    "mmm, voluntario habría pero es mi primo, no sé cuánto fiarme",
  ],
  [
    "chi traduce",
    "Potresti chiedere a un volontario o pagare un'agenzia.",
    "mmm, un volontario ci sarebbe ma è mio cugino, non so quanto fidarmi",
  ],
  [
    "qui traduit",
    "Tu pourrais demander à un bénévole ou payer une agence.",
    "mmm, un bénévole il y en aurait un mais c'est mon cousin, pas sûr de pouvoir lui faire confiance",
  ],
  [
    "quem traduz",
    "Você poderia pedir a um voluntário ou pagar uma agência.",
    "hmm, voluntário até teria mas é meu primo, não sei o quanto confio nele",
  ],
  ["x", "The build took 30 seconds.", "rather 40 seconds"],
  ["fehler im log", "Siehst du den Fehler in Chrome oder in Firefox?", "firefox"],
  ["error in log", "Do you see the error in Chrome or Firefox?", "firefox"],
  ["login fails", "Is the server on Windows or on Linux?", "linux"],
  ["login fails", "Are you on the staging or the production database?", "staging, since tuesday"],
  ["login geht nicht", "Läuft der Server unter Windows oder Linux?", "linux"],
  ["le login plante", "Le serveur tourne sous Windows ou Linux ?", "linux"],
  ["el login falla", "¿El servidor corre en Windows o en Linux?", "linux"],
  ["il login non va", "Il server gira su Windows o su Linux?", "linux"],
  ["o login falha", "O servidor roda no Windows ou no Linux?", "linux"],
  ["login fails", "What does the server run on, Windows or Linux?", "linux"],
  ["login fails", "It's either the token or the clock.", "the clock"],
  ["login geht nicht", "Entweder liegt es am Token oder an der Uhr.", "die uhr"],
];

for (const [asked, answer, reply] of NONE) {
  Deno.test(`findDecisions() takes "${reply}" for none behind "${answer}"`, () => {
    assert.deepEqual(findDecisions(exchanged(asked, answer, reply, ["Ok.", "src/a.ts"])), []);
  });
}

/** The same forms, where it is asked how it shall be. */
const TAKEN: readonly (readonly [asked: string, answer: string, reply: string])[] = [
  ["the list is slow", "Is a table or a list better for you?", "a table"],
  ["the install is slow", "Should we use npm or pnpm?", "pnpm"],
  ["die liste ist langsam", "Sollen wir npm oder pnpm nehmen?", "pnpm"],
  ["die liste ist langsam", "Ist dir eine Tabelle oder eine Liste lieber?", "eine tabelle"],
  ["la liste est lente", "On prend npm ou pnpm ?", "pnpm"],
  ["la lista va lenta", "¿Prefieres npm o pnpm para el proyecto?", "pnpm"],
  ["la lista è lenta", "Preferisci npm o pnpm per il progetto?", "pnpm"],
  ["a lista tá lenta", "Você prefere npm ou pnpm pro projeto?", "pnpm"],
];

for (const [asked, answer, reply] of TAKEN) {
  Deno.test(`findDecisions() takes "${reply}" for one behind "${answer}"`, () => {
    assert.equal(findDecisions(exchanged(asked, answer, reply, ["Ok.", "src/a.ts"])).length, 1);
  });
}
