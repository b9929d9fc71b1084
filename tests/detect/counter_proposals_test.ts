/**
 * Short replies that take what was put forward otherwise than it was, in six languages: with another figure, in
 * parts, with an own way in its place, by dropping it.
 */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { exchanged } from "../support/exchanged.ts";

/** Whether the agent changes a file upon it; else it does nothing. */
type Case = readonly [asked: string, answer: string, reply: string, isDone: boolean];

function decided([asked, answer, reply, isDone]: Case): string[] {
  return findDecisions(exchanged(asked, answer, reply, isDone ? ["Ok.", "src/a.ts"] : "Ok."))
    .map(({ text }) => text);
}

const TAKEN: readonly Case[] = [
  [
    "set up log rotation",
    "I prepared it: rotate daily, delete after 30 days. Do 30 days suit you, or are there rules?",
    "rather 14 days, because of privacy",
    true,
  ],
  [
    "the admin list lags",
    "I'd add server side pagination, with 100 rows per page.",
    "good, but make it 50 a page, nobody sees more on a laptop",
    true,
  ],
  [
    "when should the update go out?",
    "I suggest rolling it out on Sunday at 4 o'clock, there was no traffic.",
    "sunday is fine but 6 o'clock, the backup runs at 4",
    true,
  ],
  [
    "translate the app to german",
    "Before I start: should the texts be formal or informal? The website mixes both.",
    "always formal, our customers are older",
    true,
  ],
  [
    "login for the parents, oauth or password?",
    "Both work. OAuth is comfortable, passwords need resets. What do you prefer?",
    "neither, just send them a magic link by mail",
    true,
  ],
  [
    "what do we do with IE users",
    "It was 0.2 % of sessions. We could drop IE support and show a hint instead.",
    "away with it. a hint is enough",
    true,
  ],
  [
    "the salaries look odd",
    "I can exclude these lines, or we report the median instead of the mean.",
    "leave the lines in and take the median, throwing out looks like cheating",
    true,
  ],
  [
    "the quiz is too hard",
    "10 seconds are short. How about dropping the timer and giving a bonus for streaks instead?",
    "i like that, nicer for the slow ones too",
    true,
  ],
  [
    "what name for the module",
    "I'd lean to `shipping-gateway`. Otherwise `dhl-client`.",
    "call it carriers, we like short names",
    true,
  ],
  [
    "we want zero downtime deploys, thoughts",
    "A managed Kubernetes cluster would give you rolling updates.",
    "nah kubernetes is overkill, we're two people",
    true,
  ],
  [
    "what sensor for air quality",
    "On a small budget:\n\n1. **MQ-135** (4 €): imprecise\n2. **SCD40** (25 €): real sensor\n\nThe SCD40 is more solid.",
    "the scd40 then, school pays up to 30",
    true,
  ],
  [
    "configura la rotación de logs",
    "Lo preparé: rotar a diario y borrar a los 30 días. ¿Te van bien 30 días, o hay normas?",
    "mejor 14 días, por la privacidad",
    true,
  ],
  [
    "¿cuándo sacamos la actualización?",
    "Propongo sacarla el domingo a las 4, no hay tráfico.",
    "el domingo está bien pero a las 6, a las 4 corre el backup",
    true,
  ],
  [
    "traduce la app al español",
    "Antes de empezar: ¿los textos van de tú o de usted? La web mezcla los dos.",
    "siempre de usted, nuestros clientes son mayores",
    true,
  ],
  [
    "¿login con oauth o con contraseña?",
    "Las dos opciones sirven. OAuth es cómodo, la contraseña necesita reset. ¿Qué prefieres?",
    "ni uno ni otro, mándales un enlace mágico por correo",
    true,
  ],
  [
    "¿qué hacemos con los usuarios de IE?",
    "Fue el 0,2 % de las sesiones. Podríamos quitar el soporte de IE y mostrar un aviso.",
    "fuera, con un aviso basta",
    true,
  ],
  [
    "los salarios se ven raros",
    "Puedo excluir estas filas, o reportamos la mediana en vez de la media.",
    "deja las filas y usa la mediana, quitar datos parece trampa",
    true,
  ],
  [
    "el quiz es muy difícil",
    "10 segundos son pocos. ¿Y si quitamos el temporizador y damos puntos extra por rachas?",
    "me gusta, más amable para los lentos",
    true,
  ],
  [
    "¿qué nombre le pongo al módulo?",
    "Yo usaría `shipping-gateway`. Si no, `correos-client`.",
    "llámalo transportistas, aquí programamos en español",
    true,
  ],
  [
    "queremos desplegar sin cortes, qué opinas",
    "Un clúster de Kubernetes te daría rolling updates y autoescalado.",
    "no, kubernetes descartado, somos dos",
    true,
  ],
  [
    "qué sensor uso para el aire",
    "Con poco presupuesto:\n\n1. **MQ-135** (4 €): impreciso\n2. **SCD40** (25 €): sensor real\n\nEl SCD40 es más sólido.",
    "el scd40 entonces, el cole paga hasta 30",
    true,
  ],
  [
    "configura la rotazione dei log",
    "L'ho preparata: ruota ogni giorno e cancella dopo 30 giorni. Vanno bene 30 giorni, o ci sono regole?",
    "meglio 14 giorni, per la privacy",
    true,
  ],
  [
    "la lista admin va a scatti",
    "Io farei la paginazione lato server, con 100 righe per pagina.",
    "bene, ma metti 50 per pagina, su un portatile non si vede di più",
    true,
  ],
  [
    "quando esce l'aggiornamento?",
    "Propongo di pubblicarlo la domenica alle 4, non c'è traffico.",
    "domenica va bene ma alle 6, alle 4 gira il backup",
    true,
  ],
  [
    "traduci l'app in italiano",
    "Prima di iniziare: nei testi diamo del tu o del lei? Il sito li mischia.",
    "sempre del lei, i nostri clienti sono anziani",
    true,
  ],
  [
    "login per i genitori, oauth o password?",
    "Vanno bene entrambi. OAuth è comodo, la password richiede il reset. Cosa preferisci?",
    "né l'uno né l'altro, mandagli un link magico via mail",
    true,
  ],
  [
    "che facciamo con gli utenti IE?",
    "Era lo 0,2 % delle sessioni. Potremmo togliere il supporto a IE e mostrare un avviso.",
    "via, basta un avviso",
    true,
  ],
  [
    "gli stipendi sono strani",
    "Posso escludere queste righe, oppure riportiamo la mediana invece della media.",
    "lascia le righe e usa la mediana, togliere dati sembra barare",
    true,
  ],
  [
    "il quiz è troppo difficile",
    "10 secondi sono pochi. E se togliessimo il timer e dessimo punti bonus per le serie?",
    "mi piace, più gentile anche per i lenti",
    true,
  ],
  [
    "che nome do al modulo?",
    "Io userei `shipping-gateway`. Altrimenti `poste-client`.",
    "chiamalo corrieri, qui scriviamo in italiano",
    true,
  ],
  [
    "vogliamo rilasciare senza interruzioni, che ne pensi",
    "Un cluster Kubernetes gestito vi darebbe rolling update e autoscaling, potrebbe servire.",
    "no, kubernetes è troppo per noi, siamo in due",
    true,
  ],
  [
    "quale sensore per l'aria",
    "Con poco budget:\n\n1. **MQ-135** (4 €): impreciso\n2. **SCD40** (25 €): sensore vero\n\nLo SCD40 è più solido.",
    "lo scd40 allora, la scuola paga fino a 30",
    true,
  ],
  [
    "configura a rotação dos logs",
    "Deixei pronto: roda todo dia e apaga depois de 30 dias. 30 dias servem, ou tem alguma regra?",
    "melhor 14 dias, por causa da lgpd",
    true,
  ],
  [
    "a lista do admin tá travando",
    "Eu faria paginação no servidor, com 100 linhas por página.",
    "boa, mas coloca 50 por página, no notebook não cabe mais",
    true,
  ],
  [
    "quando sai a atualização?",
    "Sugiro soltar no domingo às 4, não tem tráfego.",
    "domingo tá bom mas às 6, às 4 roda o backup",
    true,
  ],
  [
    "traduz o app pra português",
    "Antes de começar: os textos ficam com você ou com senhor? O site mistura os dois.",
    "sempre senhor, nossos clientes são mais velhos",
    true,
  ],
  [
    "login dos pais, oauth ou senha?",
    "Os dois funcionam. OAuth é cômodo, senha precisa de reset. O que você prefere?",
    "nem um nem outro, manda um link mágico por email pra eles",
    true,
  ],
  [
    "o que a gente faz com quem usa IE?",
    "Foi 0,2 % das sessões. Poderíamos tirar o suporte ao IE e mostrar um aviso.",
    "joga fora, um aviso já basta",
    true,
  ],
  [
    "os salários tão estranhos",
    "Posso excluir essas linhas, ou a gente reporta a mediana em vez da média.",
    "deixa as linhas e usa a mediana, tirar dado parece trapaça",
    true,
  ],
  [
    "o quiz tá muito difícil",
    "10 segundos é pouco. E se a gente tirasse o timer e desse bônus por sequência?",
    "gostei, mais legal pros lentos também",
    true,
  ],
  [
    "que nome dou pro módulo?",
    "Eu usaria `shipping-gateway`. Senão `correios-client`.",
    "chama de transportadoras, aqui a gente programa em português",
    true,
  ],
  [
    "qual sensor uso pro ar",
    "Com pouco orçamento:\n\n1. **MQ-135** (4 €): impreciso\n2. **SCD40** (25 €): sensor de verdade\n\nO SCD40 é mais sólido.",
    "o scd40 então, a escola paga até 30",
    true,
  ],
  [
    "queremos deploy sem parar, o que acha",
    "Um cluster Kubernetes gerenciado daria rolling updates pra vocês.",
    "não, kubernetes descartado, somos dois",
    true,
  ],
];

for (const one of TAKEN) {
  Deno.test(`findDecisions() takes "${one[2]}" for one behind "${one[1]}"`, () => {
    const told = decided(one);
    assert.equal(told.length, 1, told.join("; "));
    // Its 'no' may be left out.
    const end = one[2].replace(/^no, /, "");
    assert.ok(told[0]?.toLowerCase().endsWith(end.toLowerCase()), told[0]);
  });
}
