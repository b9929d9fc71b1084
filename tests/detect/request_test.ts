/** What a person wants, where the first words of a prompt do not say it, and what a session is called by it. */
import assert from "node:assert/strict";
import { intentsOf } from "../../src/detect/summary/intent.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { exchanged } from "../support/exchanged.ts";
import { assertQuick } from "../support/quick.ts";

const wanted = (prompt: string): string | undefined => intentsOf(exchanged(prompt, ""))[0]?.text;

Deno.test("intentsOf() takes a short order for the request if it names its file", () => {
  const model = "The tank has a radius of 2 m and a depth of 5 m, and the pump starts at 80 % full";
  const order = `Create tank.py. Flat script. ${model}.`;
  assert.equal(wanted(order), order);
  const long = `${model}, unless the valve below it is open or the level has not been read today.`;
  assert.match(wanted(`Create tank.py. ${long}`) ?? "", /^Create tank\.py\. The tank has a radius/);
  assert.equal(wanted(`Good morning. ${model}.`), `${model}.`);
});

Deno.test("intentsOf() takes the role that an agent is given for no request", () => {
  const task = "Check the ledger for entries that were booked twice.";
  for (
    const role of [
      "You are a senior accountant and software engineer.",
      "You are the ledger-check agent.",
      "You are ledger-check on the month-end team (part 3).",
      "Act as an auditor with twenty years in banks.",
      "Du bist ein erfahrener Entwickler für Buchhaltung.",
      "Actúa como un contador con mucha experiencia.",
      "Agis comme un comptable avec vingt ans de métier.",
      "Aja como um contador com muita experiência.",
      "D'ora in poi ragiona e agisci come un revisore dei conti esperto.",
    ]
  ) assert.equal(wanted(`${role} ${task}`), task, role);
  assert.equal(
    wanted("你是一名资深会计。帮我检查账本里重复的记录。"),
    "帮我检查账本里重复的记录。",
  );
  assert.equal(
    wanted("Ты опытный бухгалтер. Проверь книгу на двойные записи."),
    "Проверь книгу на двойные записи.",
  );
  const alone = "You are a senior accountant who answers in one line.";
  assert.equal(wanted(alone), alone, "nothing else was said");
});

Deno.test("intentsOf() takes files and pages without a word for no request", () => {
  for (
    const given of [
      "@logs/run-4.txt:10-40",
      "https://example.org/report?id=4",
      "@a.md @b.md",
      '"/home/ana/My Files/plan 2.md" "/tmp/b.md"',
      "/home/ana/Screenshot\\ 4.png",
      "C:\\logs\\run.txt",
    ]
  ) {
    assert.deepEqual(
      intentsOf(exchanged("why is the report empty", "It is old.", given, "")).length,
      1,
    );
  }
});

Deno.test("intentsOf() takes what nearly is a list of files, in time", async () => {
  for (const part of ["@a", "https://a", "~/a.b", '"/a"']) {
    const given = `${part.repeat(40)} and more`;
    await assertQuick(() => intentsOf(exchanged(given, "It is old.")), 500, part);
  }
});

Deno.test("intentsOf() hears a Japanese and a Chinese order that has a name in Latin letters in each line", () => {
  const japanese =
    "予約の一覧を表示するNext.jsの画面を作ってください。\nデータはPostgres 16を使います。";
  assert.match(wanted(japanese) ?? "", /^予約の一覧/);
  assert.match(wanted("把订单页改成React组件，\n接口用Fastify 5的路由重写。") ?? "", /^把订单页/);
});

Deno.test("summarizeSession() is called by the whole order where a file is a part of its sentence", () => {
  const note = summarizeSession(
    exchanged("@notes/plan.md を参考に予約の画面を直してください", "予約の画面を直しました。"),
  );
  assert.equal(note?.title, "@notes/plan.md を参考に予約の画面を直してください");
});

Deno.test("summarizeSession() is called by the first request that says something alone", () => {
  const done = "The port is set to 4010 and the server answers on it.";
  const asked = "add a button that exports the invoices as one archive";
  const note = summarizeSession(
    exchanged("get it running with\n\nPORT=4010\nHOST=::1", done, asked, "The button is there."),
  );
  assert.equal(note?.title, asked);
});

Deno.test("intentsOf() takes no greeting for a part of the request, in any language", () => {
  for (
    const [greeting, request] of [
      ["hi, ", "can you look at the list of guests?"],
      ["Hello there! ", "could you sort the guests by their room"],
      ["hey claude, good morning. ", "i need the invoices of May as one file"],
      ["Olá, tudo bem? ", "preciso mudar o relatório de vendas"],
      ["Hola, buenos días. ", "necesito cambiar el informe de ventas"],
      ["Bonjour, ", "il faut trier les chambres par étage"],
      ["Guten Morgen, ", "bitte die Zimmer nach Etage sortieren"],
      ["Ciao, ", "non funziona la pagina delle camere, devi sistemarla"],
      ["Привет! ", "отсортируй комнаты по этажам и по цене"],
    ] as const
  ) assert.equal(wanted(greeting + request), request, greeting);
  assert.equal(wanted("Hi there, good morning!"), undefined);
});

Deno.test("what a button of the client sends is no request, and no order that stands", () => {
  const asked = "move the sum of the ledger into its own sheet";
  const button =
    "Implement the plan as specified, it is attached for your reference. Do NOT edit the plan file itself.\n\n" +
    "To-do's from the plan have already been created. Do not create them again. Mark them as in_progress " +
    "as you work, starting with the first one. Don't stop until you have completed all the to-dos.";
  const turns = exchanged(asked, "The plan has two steps.", button, [
    "The sum is in `sum.csv` now.",
    "sum.csv",
  ]);
  const told = summarizeSession(turns);
  assert.equal(told?.title, asked);
  assert.deepEqual(told?.decisions, []);
  assert.ok(!told?.summary.includes("Implement"));
  assert.equal(
    wanted(`Own sheet for the sum of the ledger\n\n${button}`),
    "Own sheet for the sum of the ledger",
  );
  assert.equal(
    wanted(
      "Implement the following to-dos from the plan (the plan is attached for your reference). Do NOT edit " +
        "the plan file itself.\n\nYou have been assigned the following 1 to-do(s) with IDs: sum\n\n" +
        "1. [sum] Move the sum of the ledger into its own sheet.\n\nThese to-dos have already been created. " +
        "Do not create them again. Don't stop until you have completed all the assigned to-dos.",
    )?.includes("Move the sum of the ledger into its own sheet"),
    true,
  );
  const [again] = intentsOf(
    exchanged(asked, "The server is busy.", "@agent Try Again", "It is in."),
  );
  assert.equal(again?.text, asked);
  assert.equal(intentsOf(exchanged(asked, "Busy.", "@agent Try Again", "It is in.")).length, 1);
});

Deno.test("intentsOf() takes no line of a log or a stack for a request", () => {
  for (
    const log of [
      "5:39:35 PM: Build of the ledger failed\n5:39:36 PM: sum.csv is missing",
      "at ledger.Sum.add(Sum.java:41)\nat ledger.Main.main(Main.java:9)",
    ]
  ) {
    assert.deepEqual(
      intentsOf(exchanged("why is the sum wrong in the ledger", "It is old.", log, "")).length,
      1,
    );
  }
});
