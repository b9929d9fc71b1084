/** How alike two texts are where the model reads both, one of them, or hardly a word. */
import assert from "node:assert/strict";
import { embedText, similarity } from "../../src/embed/similarity.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";

function alike(a: string, b: string): number {
  const embedder = openStaticEmbedder();
  const near = similarity(embedder, embedText(embedder, a), embedText(embedder, b));
  embedder.close();
  return near;
}

/** Of one thing that is called as it is in English, each pair says two. */
const OF_ONE_NAME: readonly [string, string][] = [
  ["Сессии пользователей хранятся в Redis тридцать дней.", "Ответы API лежат в Redis пять минут."],
  ["使用 Redis 缓存响应五分钟。", "用户会话保存在 Redis 三十天。"],
  ["Redisの応答は五分間だけ保存する。", "セッションはRedisに三十日間保存する。"],
  ["세션은 Redis에 서른 날 동안 저장한다.", "응답은 Redis에 오 분 동안 둔다."],
  ["Οι συνεδρίες μένουν στο Redis.", "Το Redis κρατά τις απαντήσεις πέντε λεπτά."],
  ["تبقى الجلسات في Redis ثلاثين يوما.", "تحفظ الردود في Redis خمس دقائق."],
];

Deno.test("similarity() takes no two statements for one because they have a name in common", () => {
  for (const [a, b] of OF_ONE_NAME) {
    assert.ok(alike(a, b) < 0.8, `${alike(a, b)}: ${a}`);
    assert.equal(alike(a, a.replaceAll(/[.。]/g, " !").toUpperCase()), 1);
  }
  for (
    const [[a], [b]] of OF_ONE_NAME.map((one, i) => [one, OF_ONE_NAME.at(i - 1) ?? one] as const)
  ) {
    assert.ok(alike(a, b) < 0.7, `${alike(a, b)}: ${a}, ${b}`);
  }
});

Deno.test("similarity() of a text that the model cannot read is about, and never the same, where a word differs", () => {
  const pairs = [
    ["Пароли пользователей мы храним в базе.", "Пароли пользователей мы не храним в базе."],
    ["我们决定以后在所有的服务里使用这个缓存。", "我们决定以后在所有的服务里不使用这个缓存。"],
  ] as const;
  for (const [a, b] of pairs) assert.ok(alike(a, b) > 0.75 && alike(a, b) < 0.9, `${alike(a, b)}`);
});

Deno.test("similarity() goes by meaning where marks and single letters are all that the model drops", () => {
  const pairs = [
    ["We keep the sessions in Redis.", "The sessions are kept in Redis."],
    ["Müller keeps the sessions in Łódź.", "The sessions are kept in Łódź by Müller."],
  ] as const;
  for (const [a, b] of pairs) assert.ok(alike(a, b) > 0.9, `${alike(a, b)}`);
  assert.ok(alike("We keep the sessions in Redis.", "Bread is baked at night.") < 0.5);
  assert.equal(alike("", "Redis"), 0);
});
