/** Russian: what people and agents say in it, and what only sounds like it. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { isRequest } from "../../src/detect/summary/intent.ts";
import { confirmedTriggers } from "../../src/detect/phrases/trigger_phrases.ts";
import { isForEveryProject, saysPreference } from "../../src/detect/decisions/preferences.ts";
import { nextSteps, openQuestions } from "../../src/detect/open/questions.ts";
import { sentencesOf } from "../../src/detect/text/sentences.ts";
import { wordsIn } from "../../src/detect/text/shape.ts";
import { summarizeSession } from "../../src/detect/summary/summarize.ts";
import { passGates } from "../../src/memory/surfacing/gates.ts";
import { talk } from "../support/talk.ts";

const decisionsOf = (...texts: readonly string[]): string[] =>
  findDecisions(talk(...texts)).map(({ text }) => text);

const DECISIONS = [
  "решили остаться на postgres, потому что jsonb нам хватает",
  "берём redis вместо memcached, нужны очереди",
  "давай всё-таки возьмем sqlite, не хочу тащить сервер",
  "кэш убираем, он всё равно протухает",
  "вебхуки пока оставляем как есть",
  "не трогай пока старый api, им пользуются мобильщики",
  "никаких миграций до релиза",
  "деплоим только после аудита",
  "картинки режем на лету, заранее не храним",
  "сессии будем хранить в redis, в базе они тормозят",
  "токены храним в httpOnly cookie, не в localStorage",
  "таймаут должен быть 30 секунд, не 10",
  "ключи api не должны попадать в логи",
  "максимум 5 попыток с экспоненциальной паузой, дальше в dead letter",
  "пусть ретраи будут максимум 3, иначе положим апстрим",
  "команда решила что деплоим только по вторникам",
  "Заказчик отклонил тёмную тему.",
  "пробовали elastic в прошлом году, было слишком дорого",
  "grpc между сервисами не нужен, хватит rest",
];
const NO_DECISIONS = [
  "решил посмотреть что там в логах",
  "вчера решил обновить ноду и всё сломалось",
  "решил проблему, дело было в прокси",
  "почему мы выбрали postgres",
  "может перейдём на vite",
  "мы ещё не решили какой брокер брать",
  "если решим переходить на pnpm то поправим ci",
  "возвращает null вместо списка",
  "тут вместо имени показывает undefined",
  "функция должна возвращать массив, а возвращает объект",
  "тест должен был упасть но прошёл",
  "соседняя команда решила перейти на kotlin",
  "давай сначала запустим тесты",
  "у нас сейчас используется redis 6",
  "запусти тесты ещё раз и закоммить",
  "не запускается, пишет port already in use",
  "не добавляй ничего лишнего",
  "мы используем postgres 14 и prisma, миграции лежат в prisma/migrations",
  "ретраим три раза и всё равно падает",
  "кэшируем ответ на 5 минут, поэтому видно старые данные",
  "прогони тесты только для модуля auth",
  "кнопка должна быть синей",
  "никаких изменений в логике нет",
];

Deno.test("findDecisions() hears what is settled in Russian, and no account of what is", () => {
  for (const said of DECISIONS) assert.deepEqual(decisionsOf(said), [said]);
  for (const said of NO_DECISIONS) assert.deepEqual(decisionsOf(said), [], said);
});

Deno.test("findDecisions() hears a Russian change of mind, and a reply by place or in a word", () => {
  const decisions = findDecisions(talk(
    "для очереди берём rabbitmq, он у нас уже есть",
    "Хорошо, RabbitMQ.",
    "передумал, для очереди берём nats вместо rabbitmq",
    "Хорошо, NATS.",
  ));
  assert.deepEqual(decisions.map(({ reverses }) => reverses?.turn), [undefined, "t0"]);
  const asked =
    "Есть два варианта:\n\n1. **Redis**: быстро, но данные в памяти.\n2. **Postgres**: " +
    "медленнее, зато ничего нового.\n\nКакой вариант выбираем?";
  assert.match(
    decisionsOf("где хранить сессии", asked, "давай второй, меньше возни")[0] ?? "",
    /Postgres/,
  );
  const offered =
    "Можно убрать кэш совсем. Я предлагаю вынести сессии в отдельную таблицу. Делать?";
  assert.match(decisionsOf("что с сессиями", offered, "да, давай")[0] ?? "", /отдельную таблицу/);
});

const WISHES = [
  "всегда пиши комментарии на английском",
  "никогда не пуш в main напрямую",
  "отвечай мне всегда на русском",
  "впредь не коммить без моего ок",
  "с этого момента запускай линтер перед каждым коммитом",
  "больше не пиши комментарии к очевидным вещам",
  "сообщения коммитов только на английском",
  "запомни: миграции пишем руками",
  "ещё правило: ни одного todo без номера тикета",
  "у нас принято называть ветки feature/номер",
  "коммиты всегда маленькие, и никогда в мастер напрямую",
  "перестань добавлять console.log в каждый файл",
  "никаких эмодзи в коммитах",
  "ветки называй по номеру тикета",
];
const NO_WISHES = [
  "всегда падает на этом тесте",
  "он никогда не заканчивается",
  "раньше всегда работало, теперь нет",
  "с этого момента всё падает с таймаутом",
  "больше не воспроизводится на стейдже",
  "обязательно проверь что ничего не отвалилось",
  "почему-то всегда пишет одну и ту же ошибку",
  "мне нравится этот вариант больше",
  "предпочитаю первый вариант",
  "ошибка всегда в одном месте",
];

Deno.test("saysPreference() tells a lasting wish in Russian by the aspect of its verb", () => {
  for (const said of WISHES) assert.ok(saysPreference(said), said);
  for (const said of NO_WISHES) assert.ok(!saysPreference(said), said);
  assert.ok(isForEveryProject("во всех моих проектах пиши комментарии на английском"));
});

const OPEN = [
  "ещё не решили, хранить ли файлы в s3 или на диске",
  "пока непонятно, нужен ли нам вообще вебсокет",
  "я не знаю, хватит ли памяти на проде",
  "вопрос с лицензией остаётся открытым",
  "надо уточнить у Олега какие лимиты у апи",
  "спрошу у заказчика, нужна ли им выгрузка в pdf",
  "жду апрув от Марины на миграцию",
  "Игорь ещё не ответил по поводу доступа к стейджу",
  "прежде чем выкатывать, юристы должны согласовать текст оферты",
  "это надо сделать до пятницы, релиз в понедельник",
];
const NOT_OPEN = [
  "не знаю что делать, помоги с этим",
  "непонятно почему падает этот тест",
  "сервер не ответил на запрос за 30 секунд",
  "сервис ждёт ответа от базы 30 секунд",
];

Deno.test("openQuestions() hears what is left open in Russian, and whom it waits for", () => {
  for (const said of OPEN) assert.deepEqual(openQuestions(talk(said, "Хорошо.")), [said]);
  for (const said of NOT_OPEN) assert.deepEqual(openQuestions(talk(said, "Хорошо.")), [], said);
  // Names bend.
  const waits = "жду апрув от Марины на миграцию";
  assert.deepEqual(openQuestions(talk(waits, "Хорошо.", "Марина апрувнула, катим", "Готово.")), []);
});

const NEXT = [
  "завтра доделаю экспорт в csv",
  "на сегодня всё, завтра продолжу с рефакторинга очередей",
  "в среду катим новую версию на прод",
  "следующим шагом прикрутим пагинацию",
  "дальше надо будет переписать парсер дат",
  "не забыть удалить фичефлаг new_checkout",
  "напомни мне завтра обновить сертификат на стейдже",
  "добавь в todo: почистить старые бакеты",
];
const NOT_NEXT = [
  "завтра созвон с заказчиком в 10",
  "завтра меня не будет в офисе",
  "потом он падает с таймаутом",
  "в среду было то же самое",
  "напомни что мы вчера делали",
];

Deno.test("nextSteps() hears what a person puts off in Russian", () => {
  for (const said of NEXT) assert.deepEqual(nextSteps(talk(said, "Хорошо."), []), [said]);
  for (const said of NOT_NEXT) assert.deepEqual(nextSteps(talk(said, "Хорошо."), []), [], said);
});

Deno.test("isRequest() and passGates() know what asks for nothing in Russian", () => {
  for (
    const said of ["да, давай", "угу", "ок, поехали дальше", "спасибо, на сегодня всё", "пасиб"]
  ) {
    assert.ok(!isRequest(said), said);
  }
  for (const said of ["почему падает деплой", "да, но сначала поправь миграцию"]) {
    assert.ok(isRequest(said), said);
  }
  const thanks = "Большое спасибо, теперь всё работает!";
  assert.deepEqual(passGates(thanks), { gate: "conversational" });
  assert.deepEqual(passGates("отлично, спасибо, поехали дальше"), { gate: "conversational" });
  assert.ok("terms" in passGates("отлично, теперь почини таймаут вебхуков"));
});

Deno.test("sentencesOf() begins a Russian sentence behind what answers, and leaves out what an agent is about to do", () => {
  const said =
    "Готово. Сейчас посмотрю логи воркера за вчера. Да, очередь теперь в Postgres и пережила рестарт.";
  assert.deepEqual(sentencesOf(talk("x", said)).map(({ text }) => text), [
    "Очередь теперь в Postgres и пережила рестарт.",
  ]);
});

Deno.test("confirmedTriggers() and wordsIn() know what is said at a turning point in Russian", () => {
  const found = confirmedTriggers(
    "Выяснилось, что пул мал. Есть два варианта: поднять лимит или чинить утечку.",
  );
  assert.deepEqual([...found.keys()].sort(), ["branch_point", "synthesis"]);
  const { wordClasses } = wordsIn("Берём второй вариант, потому что лицензия не разрешает первый.");
  assert.deepEqual(
    [wordClasses.choose, wordClasses.way, wordClasses.outside, wordClasses.not].map((count) =>
      count > 0
    ),
    [true, true, true, true],
  );
});

Deno.test("summarizeSession() tells in Russian what was done and what an agent left open", () => {
  const turns = talk(
    "добавь ретраи в клиент вебхуков, сейчас теряем события",
    "Добавил три ретрая с экспоненциальной задержкой в `webhooks/client.ts`. Пока не ясно, нужен ли отдельный " +
      "лимит для партнёров. Следующий шаг: вынести очередь недоставленных событий в отдельную таблицу.",
  );
  const note = summarizeSession(turns, { cwd: "/p" });
  assert.match(note?.summary ?? "", /теряем события/);
  assert.deepEqual(note?.openQuestions, ["Пока не ясно, нужен ли отдельный лимит для партнёров."]);
  assert.deepEqual(note?.next, ["вынести очередь недоставленных событий в отдельную таблицу."]);
});
