/** Portuguese, told by its words and heard beside English alone, and what sounds like it in another language. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { isRequest } from "../../src/detect/summary/intent.ts";
import { phrasePattern, WHOLE_WORD } from "../../src/detect/phrases/phrase_patterns.ts";
import { outdatedIn } from "../../src/detect/decisions/outdated.ts";
import { confirmedTriggers } from "../../src/detect/phrases/trigger_phrases.ts";
import { shapeOf } from "../../src/detect/text/shape.ts";
import { commonTables, tablesFor } from "../../src/detect/phrases/phrase_tables.ts";
import { passGates } from "../../src/memory/surfacing/gates.ts";
import { testRecognised } from "../support/recognised.ts";
import { talk } from "../support/talk.ts";

Deno.test("tablesFor() tells Portuguese by words of its own, typed in a hurry as well", () => {
  for (
    const text of [
      "não mexe na tabela pedidos",
      "nao vamos suportar windows agora, so linux e mac",
      "blz, bora de redis",
      "Migrámos para o Vite",
      "falta definir o valor do limite diário de pix",
      "pode commitar",
    ]
  ) assert.ok(tablesFor(text) !== commonTables(), text);
});

Deno.test("tablesFor() leaves other languages theirs, whatever word they share with Portuguese", () => {
  for (
    const text of [
      "vamos con redis, que la cola ya está hecha",
      "no lo uses mas, es demasiado lento",
      "¿funciona o no, al final?",
      "la versión de São Paulo es otra y no la tocamos",
      "on a eu trop de pannes, mais ça passe",
      "um das Problem kümmern wir uns morgen",
      "use em units, and send it to app.com",
      "import os",
      "import com.example.app",
    ]
  ) assert.ok(tablesFor(text) === commonTables(), text);
});

Deno.test("phrasePattern() finds no small word within a Portuguese one: 'não' has no Spanish 'o'", () => {
  assert.ok(!phrasePattern("replies.opens", WHOLE_WORD).test("não funcionou"));
  assert.ok(phrasePattern("replies.opens", WHOLE_WORD).test("isso fica na fila ou no cron"));
});

testRecognised({
  ask: "olha o módulo de pedidos pra mim",
  answer: "O módulo lê os pedidos da tabela e manda pro gateway.",
  done: "Feito.",
  goOn: "continua",
  noted: "Anotado.",
}, {
  decided: [
    "fechou, vamos de postgres então, o mongo não aguenta as transações",
    "blz, bora de redis pra fila, rabbit é overkill",
    "decidimos usar cursor na paginação em vez de offset",
    "ficamos com a versão 2 da API porque o app antigo ainda depende dela",
    "usa jwt com refresh token, porque o mobile não tem cookie",
    "melhor manter o deploy manual por enquanto, o pipeline ainda não é confiável",
    "o cliente aprovou o layout novo sem o menu lateral",
    "não mexe na tabela pedidos até a gente terminar a migração",
    "no fim das contas vamos manter o rabbitmq",
    "os logs precisam ficar em json, porque o datadog só lê assim",
    "combinado então, 5 tentativas e depois vai pra dead letter",
    "nao vamos suportar windows agora, so linux e mac",
    "vamos avançar com o Keycloak, a equipa já o conhece",
    "Migrámos para o Vite porque o Webpack demorava dois minutos a compilar",
    "coloca 15 minutos de expiração em vez de 60, segurança pediu",
    "não mexe em src/legado/boleto.ts, tá?",
    "vamos deixar o cache em memória, redis é demais pra isso",
    "não precisamos de kubernetes, um VPS resolve",
    "já tentamos graphql no ano passado e foi um desastre",
    "deixa o endpoint antigo como está, os clientes mobile ainda usam",
    "o cliente quer que os preços fiquem sem imposto porque vende pra empresas",
    "no fim vamos de stripe porque o paypal cobra muito",
    "na tabela users ninguém mexe",
    "proibido mexer na tabela de pagamentos",
  ],
  wished: [
    "daqui pra frente escreve as mensagens de commit em inglês",
    "nunca dá push direto na main",
    "prefiro funções pequenas e sem comentário óbvio",
    "sempre roda os testes antes de commitar",
    "sempre que mexer no schema, atualiza o diagrama também",
    "nunca commita sem me perguntar",
    "os commits sempre no formato conventional",
    "para de colocar docstring em função óbvia",
  ],
  open: [
    "ainda não decidi se o cache fica no redis ou em memória",
    "não sei ainda se a gente vai suportar multi-tenant",
    "preciso perguntar pro Marcos se o webhook deles manda retry",
    "a Paula ainda não aprovou o texto do termo",
    "estamos à espera do ok do cliente para o novo domínio",
    "isso precisa estar no ar até sexta",
    "depois a gente vê o que faz com os usuários antigos",
    "tô esperando a Ana aprovar o design",
    "até o jurídico dar o ok não dá pra publicar",
    "escrevi pro contador e ele não respondeu",
  ],
  next: [
    "amanhã eu testo o fluxo de reembolso no sandbox",
    "amanha preciso migrar os dados do cliente antigo",
    "na segunda a gente sobe a versão nova em produção",
    "me lembra de atualizar o changelog antes da release",
    "o próximo passo é ligar o alerta no grafana",
    "amanhã: migrar a tabela de usuários",
    "depois a gente precisa migrar a tabela de pedidos",
    "ainda tenho que escrever as conclusões",
    "ainda falta atualizar o README",
    "fica pra semana que vem o redesign do menu",
  ],
  nothing: [
    "valeu, ficou ótimo, pode seguir",
    "agora passou, obrigado pela ajuda",
    "quebrou o build depois do merge",
    "corrigi o import, roda de novo",
    "não, quis dizer o outro arquivo",
    "o teste sempre falha na segunda vez",
    "sempre dá esse erro quando eu abro a tela",
    "nunca vi esse erro antes aqui",
    "por que a gente escolheu o kafka mesmo",
    "quem decidiu usar esse framework?",
    "a partir de agora está dando timeout no staging",
    "retorna null em vez de uma lista vazia",
    "eu pedi pra não mexer no css",
    "vamos com calma, primeiro explica",
    "vamos voltar pro assunto do login",
    "não sei se vc consegue acessar esse link",
    "amanhã tenho médico, volto à tarde",
    "o cron roda sempre às 3 da manhã e trava",
    "o outro time decidiu usar kafka",
    "talvez a gente mude pra vue um dia",
    "não mexe em nada ainda, só olha",
    "no log aparece que o cliente rejeitou a conexão",
    "o script tá esperando a resposta da api",
    "escolhi a opção errada no menu",
    "não precisa rodar tudo, só esse teste",
    "amanhã: dentista às nove, depois tô livre",
    "amanhã começo as férias",
    "depois precisa clicar duas vezes pra abrir",
    "ainda tenho que recarregar a página toda hora",
    "o próximo passo do wizard não carrega",
    "tô esperando o servidor responder",
    "até o cliente clicar não acontece nada",
    "o Stripe ainda não confirmou o pagamento",
    "vamos deixar isso pra lá",
    "não precisamos de mais exemplos, obrigado",
    "já tentei reiniciar duas vezes e não funcionou",
    "nesse botão ninguém mexe ainda",
  ],
});

Deno.test("findDecisions() tells a way that is taken by its place with its name", () => {
  const ways = "Há duas opções:\n\n1. **Uma consulta agregada** com um índice.\n" +
    "2. **Uma tabela de resumo** de cada noite.\n\nEu iria com a consulta agregada. Qual preferes?";
  const taken = (text: string) =>
    findDecisions(talk("o que propões?", ways, text, "Feito.")).map((one) => one.text);
  for (
    const text of ["vamos com a primeira, os valores da véspera não servem", "fechou, a primeira"]
  ) {
    assert.match(taken(text).join(), /^Uma consulta agregada.+ (?:→|—) /, text);
  }
  assert.match(taken("bora com a segunda").join(), /^Uma tabela de resumo.+ (?:→|—) bora/);
  assert.deepEqual(taken("a primeira dá erro aqui"), []);
});

Deno.test("assent and thanks in Portuguese ask for nothing", () => {
  for (const text of ["blz, segue", "pode commitar", "valeu, ficou perfeito", "sim, manda bala"]) {
    assert.ok(!isRequest(text), text);
  }
  assert.deepEqual(passGates("muito obrigada, bom dia!"), { gate: "conversational" });
});

Deno.test("shapeOf() counts small words of Portuguese as what they are there", () => {
  // Elsewhere "o" and "no" are "or" and a denial.
  const { wordClasses } = shapeOf("O servidor fica no ar porque não existe limite, nunca cai.");
  assert.equal(wordClasses.or, 0);
  assert.equal(wordClasses.not, 2);
  assert.equal(wordClasses.cause, 1);
});

Deno.test("confirmedTriggers() finds what is said at turning points in Portuguese", () => {
  assert.deepEqual([...confirmedTriggers("Agora outra coisa: o rótulo não tem lote.").keys()], [
    "topic_shift",
  ]);
  assert.ok(confirmedTriggers("Em resumo, a causa é a junção pelo telefone.").has("synthesis"));
});

Deno.test("outdatedIn() knows a figure that was corrected in Portuguese", () => {
  const turns = talk(
    "quanto tempo leva o backup da noite?",
    "O backup da noite leva 01:20 com a base toda.",
    "é 01:14, não 01:20",
    "Certo.",
  );
  assert.deepEqual([...outdatedIn(turns)].map(({ text }) => text), [
    "O backup da noite leva 01:20 com a base toda.",
  ]);
});
