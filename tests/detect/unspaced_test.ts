/** Chinese and Japanese: what people and agents say in them, and what only sounds like it. */
import assert from "node:assert/strict";
import { abandonedIn, correctedIn, correctionIn } from "../../src/detect/decisions/corrections.ts";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { isRequest } from "../../src/detect/summary/intent.ts";
import { isAboutMemory } from "../../src/detect/text/memory_talk.ts";
import { outdatedIn } from "../../src/detect/decisions/outdated.ts";
import { confirmedTriggers } from "../../src/detect/phrases/trigger_phrases.ts";
import { isForEveryProject, saysPreference } from "../../src/detect/decisions/preferences.ts";
import { nextSteps, openQuestions } from "../../src/detect/open/questions.ts";
import { sentencesOf, termsOf, wordCount } from "../../src/detect/text/sentences.ts";
import { wordsIn } from "../../src/detect/text/shape.ts";
import { alternativeMeant } from "../../src/detect/decisions/alternatives.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { talk } from "../support/talk.ts";

Deno.test("wordCount() and termsOf() know words where no spaces are", () => {
  assert.equal(wordCount("连接池大小固定为二十"), 5);
  assert.equal(wordCount("用 Redis 缓存商品详情"), 5);
  assert.deepEqual([...termsOf("消息队列，RabbitMQ")], ["消息", "息队", "队列", "rabbitmq"]);
  assert.deepEqual([...termsOf("データベースの接続")], ["データベース", "接続"]);
  const { words, wordClasses } = wordsIn("因为不支持，所以选方案二");
  assert.equal(words, 6);
  assert.deepEqual([wordClasses.cause, wordClasses.closed, wordClasses.choose, wordClasses.way], [
    2,
    1,
    1,
    1,
  ]);
});

Deno.test("sentencesOf() parts sentences without spaces, and leaves out courtesies and lead-ins", () => {
  const said =
    "好的，登录状态改存到 Redis 里了。「会话。」一共有三处地方改动了!我先看一下日志文件。为什么会超时?因为连接没有释放。";
  assert.deepEqual(sentencesOf(talk("x", said)).map(({ text }) => text), [
    "登录状态改存到 Redis 里了。",
    "一共有三处地方改动了!",
    "因为连接没有释放。",
  ]);
});

const WISHES = [
  "代码注释一律用中文写",
  "以后提交之前先跑一遍测试",
  "请以后不要自动格式化我的文件",
  "我习惯用四个空格缩进",
  "我们从来不在周五发版",
  "千万不要直接改生产库",
  "變數命名一律用駝峰式",
  "以後回答都用繁體中文",
  "今後別再幫我加表情符號",
  "每次改完資料庫結構都要先備份",
  "从今天起所有接口都要写文档",
  "これからはテストを書いてからコミットしてください",
  "回答は必ず日本語でお願いします",
  "コミットは小さく分けるほうが好きです",
  "本番の DB には絶対に直接触らないでください",
  "毎回 lint を実行してからプッシュしてください",
  "コード内での絵文字は禁止です",
  "对了以后错误都用 fmt.Errorf 包一下，别直接 return err",
  "注释用英文就好",
  "日志统一用 zap",
  "なお、今後ログには顧客番号を出力しないようにしてください。",
  "コメントは日本語で書いてもらえると助かります。",
  "コミットメッセージは英語でお願いします",
];
const NO_WISHES = [
  "这个函数以后再优化吧",
  "重启以后就好了",
  "如果以后数据量变大怎么办",
  "我喜欢这个颜色",
  "每次点击按钮都会报错",
  "必须先登录才能看到这个页面",
  "之后要怎么部署",
  "以后都可以自动部署了吗",
  "不要在这里改，去下面那个函数",
  "這個按鈕按了以後沒有反應",
  "昨天以后日志就没有了",
  "毎回ビルドが失敗して困っています",
  "今後の予定を教えてください",
  "v2 以降のバージョンで動きません",
  "このテストはいつも落ちます",
  "今後はどうすればいいですか",
  "このファイルは変更しないでください",
  "日志里有错误信息",
  "错误信息用中文显示的吗",
  "今後必要になる作業をまとめてください",
  "ログは後で出してください",
  "テストはここで書いてありますか",
];
for (const text of WISHES) {
  Deno.test(`saysPreference() hears "${text}"`, () => assert.ok(saysPreference(text)));
}
for (const text of NO_WISHES) {
  Deno.test(`saysPreference() leaves "${text}"`, () => assert.ok(!saysPreference(text)));
}

Deno.test("isForEveryProject() knows all of somebody's projects", () => {
  assert.ok(isForEveryProject("所有项目里都不要用 any"));
  assert.ok(isForEveryProject("どのプロジェクトでも pnpm を使ってください"));
  assert.ok(!isForEveryProject("这个项目里不要用 any"));
});

const DECISIONS = [
  "我们决定用 PostgreSQL 存储事件，因为团队都熟悉",
  "那就按方案二来吧，改动最小",
  "最终决定保留旧接口半年",
  "还是用回 REST 吧，GraphQL 太复杂了",
  "統一用 pnpm，不再使用 npm",
  "經過討論，我們決定把排程搬到雲端",
  "不采用微服务，人手不够",
  "キャッシュは Redis ではなくメモリに置くことにします",
  "では B 案で進めます。コストが一番低いので",
  "Vue に決めました。実績があるので",
  "GraphQL はやめて REST にします",
  "認証は Auth0 を使うことにしました",
  "容量先设成10万条，不够再调",
  "じゃあpreloadでいこう、JOINがでかくなるのは避けたいし",
  "2のchunk処理で進めましょう。メモリを増やすだけだとまた来年同じことになるので。",
  "状態管理はzustandにするわ",
  "本番のDBは夜間2時から4時まで使えないので、その時間は避ける必要があります。",
];
const NO_DECISIONS = [
  "这个函数是做什么的",
  "帮我把标题改成红色",
  "我们还没决定用哪个数据库",
  "要不要换成 TypeScript",
  "如果用 Kafka 的话会怎么样",
  "我们决定不了，得问老板",
  "不是这个文件，是旁边那个",
  "你觉得采用哪种方案比较好",
  "去掉 console.log",
  "測試都通過了嗎",
  "どちらの案がいいですか",
  "Redis を使うとどうなりますか",
  "まだ決まっていません",
  "ボタンを押すとエラーになります",
  "キャッシュを使わない場合はどうなるか調べて",
  "超时改成30秒也不行",
  "我设成10了还是报错",
  "型を変更する必要があります",
  // Somebody else's.
  "隔壁组决定用freecache了",
  "听说别的团队决定采用微服务",
  "ちなみに隣のチームはGoで書き直すことにしたそうです。",
  "友達の会社はelasticsearchにしたらしいけどね",
];
const AROUND = ["先看一下现在的情况", "看完了，现在的代码没有问题。", "好的，开始修改。"] as const;
function decidedBy(text: string): string[] {
  const [before, answer, after] = AROUND;
  return findDecisions(talk(before, answer, text, after)).map((one) => one.text);
}
for (const text of DECISIONS) {
  Deno.test(`findDecisions() takes "${text}"`, () => assert.deepEqual(decidedBy(text), [text]));
}
for (const text of NO_DECISIONS) {
  Deno.test(`findDecisions() takes "${text}" for no decision`, () => {
    assert.deepEqual(decidedBy(text), []);
  });
}

Deno.test("findDecisions() says which decision a change of mind takes back", () => {
  for (
    const [first, then] of [
      [
        "那就用 Redis Streams 吧，因为不用维护集群",
        "我改主意了，还是换回 RabbitMQ，不用 Redis Streams 了",
      ],
      ["報表決定採用整本寫入", "報表決定改用串流，不採用整本寫入"],
      ["状態管理は Redux に決めました", "やっぱり Redux ではなく Zustand にします"],
    ] as const
  ) {
    const found = findDecisions(talk(first, "好的，开始修改。", then, "好的，已经改完了。"));
    assert.deepEqual(found.map(({ text, reverses }) => [text, reverses?.text]), [
      [first, undefined],
      [then, first],
    ]);
  }
});

Deno.test("openQuestions() and nextSteps() know what is left, and no courtesy", () => {
  const open = (answer: string): string[] => openQuestions(talk("做好了吗？", answer));
  const next = (answer: string): string[] => nextSteps(talk("做好了吗？", answer), []);
  assert.deepEqual(open("做好了。集群放在哪个可用区还没定。"), ["集群放在哪个可用区还没定。"]);
  assert.deepEqual(open("做好了。待確認：匯率要取哪一天的？"), ["匯率要取哪一天的？"]);
  assert.deepEqual(open("できました。しきい値を何件にするかは未定です。"), [
    "しきい値を何件にするかは未定です。",
  ]);
  assert.deepEqual(open("做好了。还需要我帮你部署到预发环境吗？"), []);
  assert.deepEqual(open("できました。デプロイもしておきましょうか？"), []);
  assert.deepEqual(next("做好了。下一步：把剩下的任务搬过去。"), ["把剩下的任务搬过去。"]);
  assert.deepEqual(next("できました。次のステップは画像の移行です。"), [
    "次のステップは画像の移行です。",
  ]);
  const reminded = talk("请记得明天提醒我跟会计确认汇率。", "好的，我会提醒你的。");
  assert.deepEqual(nextSteps(reminded, []), ["请记得明天提醒我跟会计确认汇率。"]);
});

Deno.test("isRequest() takes courtesies for no request", () => {
  for (
    const text of [
      ...["好的，谢谢", "继续", "可以，就这样", "嗯嗯，没问题，继续吧", "好的，明白了，辛苦了"],
      ...[
        "ありがとうございます",
        "はい、お願いします",
        "了解です、続けてください",
        "お疲れさまでした",
      ],
    ]
  ) assert.ok(!isRequest(text), text);
  for (const text of ["看下日志文件", "把端口改成 9090", "テストを直して"]) {
    assert.ok(isRequest(text), text);
  }
});

Deno.test("abandonedIn() knows what is used no longer, and what is only supposed", () => {
  const [redis, kafka] = ["会话数据存在 Redis 里。", "注文は Kafka 経由で送る。"];
  assert.equal(abandonedIn("我们已经不用 Redis 了", redis), redis);
  assert.equal(abandonedIn("从 Redis 迁移到 Valkey 了", redis), redis);
  assert.equal(abandonedIn("Kafka から NATS に移行しました", kafka), kafka);
  for (
    const said of [
      "如果不用 Redis 了会怎么样？",
      "我们打算从 Redis 换成 Valkey",
      "先不用 Redis 跑一遍",
      "在测试里已经不用 Redis 了",
    ]
  ) assert.equal(abandonedIn(said, redis), undefined, said);
  assert.equal(abandonedIn("テストでは Kafka はもう使っていません", kafka), undefined);
});

Deno.test("correctedIn() finds the sentence that ends otherwise", () => {
  const known = "订单服务的端口是 8080。";
  assert.equal(correctedIn(correctionIn("不对，订单服务的端口是 9090") ?? "", "", known), known);
  assert.equal(
    correctedIn(correctionIn("不对，支付服务的端口是 9090") ?? "", "", known),
    undefined,
  );
});

Deno.test("outdatedIn() drops what rests on a number that is denied", () => {
  const turns = talk(
    "批处理几点开始？",
    "批处理每天在 01:20 开始运行。",
    "是 01:14，不是 01:20",
    "好的，已经改成 01:14。",
  );
  assert.deepEqual([...outdatedIn(turns)].map(({ text }) => text), [
    "批处理每天在 01:20 开始运行。",
  ]);
});

Deno.test("alternativeMeant() knows a way by its number, however it is written", () => {
  const names = ["JWT", "session"];
  for (const said of ["选第二种", "第2个方案吧", "方案二", "2番でお願いします"]) {
    assert.equal(alternativeMeant(said, names), "session", said);
  }
  assert.equal(alternativeMeant("用方案 B", ["A: JWT", "B: session"]), "B: session");
  assert.equal(alternativeMeant("A案で進めます", ["A: JWT", "B: session"]), "A: JWT");
});

Deno.test("confirmedTriggers() and isAboutMemory() hear both", () => {
  assert.deepEqual([...confirmedTriggers("根本原因是连接没有释放。").keys()], ["synthesis"]);
  assert.deepEqual([...confirmedTriggers("サーバーからは送信できず、使えません。").keys()], [
    "constraint_discovered",
  ]);
  assert.ok(isAboutMemory("帮我保存一个检查点"));
  assert.ok(isAboutMemory("チェックポイントを保存して"));
  assert.ok(!isAboutMemory("训练的检查点文件太大了"));
});

/** A person's words, in the middle of a session. */
function amid(text: string): Turn[] {
  return talk("先看一下现在的情况", "看完了。", text, "好的。", "那先这样吧", "好的。");
}

Deno.test("openQuestions() keeps what a person leaves open, and whom it waits for", () => {
  for (
    const text of [
      "这个我也不确定，得问一下产品那边价格多久更新一次",
      "数据保留多久还没想好",
      "退款的规则得跟财务确认一下",
      "在等法务的回复，合同还没签",
      "検索ログを保存していいのかわからん、法務に聞いてみないとだめだな",
      "保持期間は法務部の承認待ちです",
      "失敗時の通知先をSlackにするかメールにするか、まだ決まっていません。",
    ]
  ) assert.deepEqual(openQuestions(amid(text)), [text]);
  for (
    const text of [
      "变量没有定义",
      "我不知道为什么报错",
      "帮我问一下模型能不能返回json",
      "需要确认一下这个函数有没有用到",
      "なぜ落ちるのかわからない",
      "ユーザーに確認してから削除するようにして",
      "サーバーに問い合わせています",
      // Of what, was said before it.
      "部長に確認します。",
    ]
  ) assert.deepEqual(openQuestions(amid(text)), [], text);
});

Deno.test("nextSteps() keeps what a person puts off to a day, and no day alone", () => {
  for (
    const text of [
      "还没做的是下载链接的权限检查，这个明天再处理",
      "明天得把迁移脚本跑到预发环境",
      "あとは本番の設定値の見直しが残っていますので、来週対応しましょう。",
      "明日はステージングで負荷テストやろう",
    ]
  ) assert.deepEqual(nextSteps(amid(text), []), [text]);
  for (
    const text of [
      "明天要请假去医院看一下",
      "下周三放假我们不上班",
      "来週は会議があります",
      "明日バッチが動きます",
    ]
  ) assert.deepEqual(nextSteps(amid(text), []), [], text);
});

Deno.test("findDecisions() tells a name of a few words with what it takes up", () => {
  const said = "1 件あたりの処理が重いので 500 を提案します。";
  const found = findDecisions(
    talk("サイズはどのくらいが適切でしょうか。", said, "では500にします。", "設定しました。"),
  );
  assert.deepEqual(found.map(({ text }) => text), [`${said} → では500にします。`]);
});
