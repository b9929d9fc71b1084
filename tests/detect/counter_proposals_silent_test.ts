/** What only looks as if it took something put forward otherwise than it was: silent, in six languages. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { exchanged } from "../support/exchanged.ts";

/** Whether the agent changes a file upon it; else it does nothing. */
type Case = readonly [asked: string, answer: string, reply: string, isDone: boolean];

function decided([asked, answer, reply, isDone]: Case): string[] {
  return findDecisions(exchanged(asked, answer, reply, isDone ? ["Ok.", "src/a.ts"] : "Ok."))
    .map(({ text }) => text);
}

const NONE: readonly Case[] = [
  [
    "x",
    "I'd add server side pagination, with 100 rows per page.",
    "good, but 50 pages are broken now",
    true,
  ],
  [
    "x",
    "I prepared it: delete after 30 days. Do 30 days suit you?",
    "rather tired, let's stop here",
    false,
  ],
  [
    "x",
    "I'd delete them after 30 days. Would that suit you?",
    "but 14 days have already passed",
    true,
  ],
  ["how long", "The build takes 30 seconds here.", "rather 40 seconds on my machine", true],
  [
    "x",
    "We could drop IE support and show a hint instead.",
    "neither, let me think about it",
    true,
  ],
  ["login, oauth or password?", "Both work. What do you prefer?", "neither works for me", true],
  [
    "login, oauth or password?",
    "Both work. What do you prefer?",
    "neither, it still crashes",
    true,
  ],
  [
    "login, oauth or password?",
    "Both work. What do you prefer?",
    "neither, show me other ways first",
    true,
  ],
  [
    "login, oauth or password?",
    "Both work. What do you prefer?",
    "neither, i'll ask my boss",
    false,
  ],
  ["x", "Fixed. I could also look into the proxy. Shall I?", "drop it", false],
  ["x", "Fixed the footer. Shall I run the tests?", "skip that, i did it already", false],
  ["x", "Done, the table is sorted now.", "i like that, nicer", true],
  [
    "x",
    "I could add an index on the week. Or cache it for a minute.",
    "i like that, but let me think",
    false,
  ],
  ["x", "I could add an index on the week.", "nice, now the docs", true],
  ["x", "I'd put the form in the header.", "leave it open and take a break", false],
  [
    "x",
    "I could put the form in the header, or in the footer.",
    "the form in the header is broken",
    true,
  ],
  [
    "x",
    "I could put the form in the header, or in the footer.",
    "in the footer there is already one",
    true,
  ],
  ["what should the module be called", "I'd lean to `gateway`.", "call it a day", false],
  ["what should the module be called", "I'd lean to `gateway`.", "call me later", false],
  [
    "which tests fail",
    "These:\n\n- login test\n- cart test",
    "the login test was always flaky",
    true,
  ],
  ["which tests fail", "These:\n\n- login test\n- cart test", "login test then", true],
  [
    "which files did you change",
    "Two:\n\n- `a.ts`, the parser\n- `b.ts`, the printer",
    "the parser",
    true,
  ],
  ["x", "I'd use Postgres. Do you want me to update the docs?", "yes", true],
  ["x", "I'd use Postgres. Anything else?", "no thanks", true],
  ["x", "I'd use Postgres. Shall I run the migration?", "yes", true],
  ["x", "A cluster would give you updates.", "kubernetes is out of disk space again", true],
  [
    "x",
    "Ich würde Paginierung einbauen, mit 100 Einträgen pro Seite.",
    "gut, aber 50 seiten sind jetzt kaputt",
    true,
  ],
  ["x", "Ich würde sie nach 30 Tagen löschen. Passt das?", "aber 14 tage sind schon um", true],
  ["wie lange", "Der Build dauert hier 30 Sekunden.", "eher 40 sekunden bei mir", true],
  [
    "login, oauth oder passwort?",
    "Beides geht. Was ist dir lieber?",
    "weder noch, muss ich mir überlegen",
    false,
  ],
  [
    "login, oauth oder passwort?",
    "Beides geht. Was ist dir lieber?",
    "weder noch funktioniert bei mir",
    true,
  ],
  [
    "login, oauth oder passwort?",
    "Beides geht. Was ist dir lieber?",
    "weder noch, zeig mal andere",
    true,
  ],
  [
    "x",
    "Im Footer steht jetzt Impressum. Soll ich die Tests laufen lassen?",
    "lass das, hab ich schon",
    false,
  ],
  ["x", "Fertig, die Tabelle ist sortiert.", "find ich super, viel netter", true],
  ["x", "Ich könnte einen Index anlegen.", "super, jetzt die doku", true],
  ["x", "Ich könnte einen Index anlegen.", "schön, dann mach noch den header fertig", true],
  [
    "x",
    "Ich könnte das Formular in den Header setzen, oder in den Footer.",
    "im footer ist schon eins",
    true,
  ],
  [
    "x",
    "Ich könnte das Formular in den Header setzen, oder in den Footer.",
    "das formular im header ist kaputt",
    true,
  ],
  ["wie soll das modul heißen", "Ich würde `gateway` nehmen.", "nenn mir erst alle module", true],
  [
    "welche tests schlagen fehl",
    "Diese:\n\n- Login-Test\n- Warenkorb-Test",
    "der login-test war schon immer wackelig",
    true,
  ],
  ["x", "Sollen die Texte duzen oder siezen?", "sie sind schon übersetzt", true],
  ["x", "Sollen die Texte duzen oder siezen?", "sie, hm, weiß nicht", true],
  [
    "x",
    "Je ferais une pagination, avec 100 lignes par page.",
    "bien, mais 50 pages sont cassées",
    true,
  ],
  ["combien", "Le build prend 30 secondes ici.", "plutôt 40 secondes chez moi", true],
  [
    "login, oauth ou mot de passe ?",
    "Les deux marchent. Que préfères-tu ?",
    "ni l'un ni l'autre, je dois réfléchir",
    false,
  ],
  [
    "login, oauth ou mot de passe ?",
    "Les deux marchent. Que préfères-tu ?",
    "ni l'un ni l'autre ne marche chez moi",
    true,
  ],
  ["x", "Voilà, le tableau est trié.", "j'aime bien, c'est plus joli", true],
  ["x", "Je pourrais ajouter un index.", "super, maintenant la doc", true],
  ["x", "Je pourrais mettre le formulaire en haut, ou en bas.", "en bas il y en a déjà un", true],
  [
    "x",
    "Je pourrais mettre le formulaire en haut, ou en bas.",
    "j'ouvre la page et c'est vide",
    true,
  ],
  [
    "quels tests échouent",
    "Ceux-ci :\n\n- test de login\n- test du panier",
    "le test de login a toujours été instable",
    true,
  ],
  [
    "x",
    "Yo haría paginación, con 100 filas por página.",
    "bien, pero 50 páginas están rotas",
    true,
  ],
  ["cuánto", "El build tarda 30 segundos aquí.", "más bien 40 segundos en mi máquina", true],
  [
    "¿login con oauth o contraseña?",
    "Las dos sirven. ¿Qué prefieres?",
    "ni uno ni otro, tengo que pensarlo",
    false,
  ],
  ["x", "Arreglado. ¿Corro las pruebas?", "déjalo, ya las corrí", false],
  ["x", "Listo, la tabla está ordenada.", "me gusta, más bonita", true],
  ["x", "Podría añadir un índice.", "genial, ahora la documentación", true],
  ["x", "Podría poner el formulario arriba, o abajo.", "abajo ya hay uno", true],
  [
    "qué pruebas fallan",
    "Estas:\n\n- prueba de login\n- prueba del carrito",
    "la prueba de login siempre fue inestable",
    true,
  ],
  [
    "x",
    "Io farei la paginazione, con 100 righe per pagina.",
    "bene, ma 50 pagine sono rotte",
    true,
  ],
  ["quanto", "La build impiega 30 secondi qui.", "piuttosto 40 secondi da me", true],
  [
    "login con oauth o password?",
    "Vanno bene entrambi. Cosa preferisci?",
    "né l'uno né l'altro, ci devo pensare",
    false,
  ],
  ["x", "Sistemato. Lancio i test?", "lascia stare, li ho già lanciati", false],
  ["x", "Fatto, la tabella è ordinata.", "mi piace, più bella", true],
  ["x", "Potrei aggiungere un indice.", "ottimo, adesso la documentazione", true],
  ["x", "Potrei mettere il modulo in alto, o in basso.", "in basso ce n'è già uno", true],
  [
    "quali test falliscono",
    "Questi:\n\n- test di login\n- test del carrello",
    "il test di login è sempre stato instabile",
    true,
  ],
  [
    "x",
    "Eu faria paginação, com 100 linhas por página.",
    "boa, mas 50 páginas estão quebradas",
    true,
  ],
  ["quanto", "O build leva 30 segundos aqui.", "mais pra 40 segundos na minha máquina", true],
  [
    "login com oauth ou senha?",
    "Os dois servem. O que você prefere?",
    "nem um nem outro, preciso pensar",
    false,
  ],
  ["x", "Arrumado. Rodo os testes?", "deixa pra lá, já rodei", false],
  ["x", "Pronto, a tabela tá ordenada.", "gostei, mais bonita", true],
  ["x", "Eu poderia adicionar um índice.", "ótimo, agora a documentação", true],
  ["x", "Eu poderia colocar o formulário em cima, ou embaixo.", "embaixo já tem um", true],
  [
    "quais testes falham",
    "Estes:\n\n- teste de login\n- teste do carrinho",
    "o teste de login sempre foi instável",
    true,
  ],
];

for (const one of NONE) {
  Deno.test(`findDecisions() takes "${one[2]}" for none behind "${one[1]}"`, () => {
    assert.deepEqual(decided(one), []);
  });
}
