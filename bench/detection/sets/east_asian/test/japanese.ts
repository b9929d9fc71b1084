/** Japanese: how state is held in a page, and a mail that the provider does not let out. */
import type { Conversation } from "../../../conversation.ts";

export const JAPANESE: readonly Conversation[] = [
  {
    name: "状態管理ライブラリ",
    language: "ja",
    steps: [
      { prompt: "管理画面の状態管理を見直したい。Redux が重くなってきたので代わりを検討してほしい。", answer: "候補は2つです。\n\n- **Zustand**：書き方が短く、今の Redux のストアを1つずつ移せます。欠点は、規約がないので人によって書き方がばらつくこと。\n- **Jotai**：状態を細かく分けられて再描画が少ない反面、既存のセレクタは全部書き直しになります。1週間はかかる見込みです。\n\n段階的に移せる Zustand を推奨します。", label: "branch_point" },
      { prompt: "テストはどっちが書きやすい？", answer: "Zustand はストアを関数として呼べるので、モックなしで書けます。Jotai は Provider で包む必要があります。" },
      { prompt: "DevTools は使えるの", answer: "どちらも Redux DevTools に対応しています。" },
      { prompt: "では Zustand に決めました。Jotai は書き直しが多すぎるのでやめます。", answer: "了解です。まず `userStore` を移しました。Redux と並行して動きます。", tools: [{ tool: "Write", file: "src/stores/user.ts" }, { run: "pnpm test", out: "Tests: 204 passed" }], label: "branch_point" },
      { prompt: "あと、コメントは常に日本語で書くようにしてください。英語のコメントは禁止です。", answer: "承知しました。コメントは日本語で統一します。", tools: [{ tool: "Edit", file: "src/stores/user.ts" }] },
      { prompt: "それは間違いです。userStore の永続化先は localStorage ではなく sessionStorage です。共用端末があるので。", answer: "申し訳ありません。`sessionStorage` に直しました。", tools: [{ tool: "Edit", file: "src/stores/user.ts" }, { run: "git commit -am 'userStore を Zustand に移す'", out: "[main 90aa3d1] userStore を Zustand に移す" }] },
      { prompt: "続きは来週で。", answer: "はい。次は `cartStore` と `orderStore` を移行します。要確認：旧 Redux の `persist` データを引き継ぐ必要があるか？" },
    ],
    keep: {
      decisions: [["Zustand", "Jotai"], ["sessionStorage"]],
      exact: ["src/stores/user.ts", "userStore"],
    },
    session: {
      about: [["状態管理"]],
      cameOut: [],
      decisions: [["Zustand", "Jotai"], ["sessionStorage", "共用端末"]],
      wishes: [["コメント", "日本語"]],
      open: [["persist"]],
      next: [["cartStore"]],
      notDecided: ["どちらも", "Zustand はストアを"],
    },
  },
  {
    name: "メールが届かない",
    language: "ja",
    steps: [
      { prompt: "本番環境から確認メールが届かないという問い合わせが増えています。開発環境では届きます。調査をお願いします。", answer: "アプリのログではすべて送信成功になっています。Postfix のキューを見ると、昨日の15時以降のメールが 1,204 通たまっていました。", tools: [{ run: "mailq | tail -1", out: "-- 1204 Requests." }] },
      { prompt: "15時ごろに何かありましたっけ", answer: "デプロイはありません。ただ、キューのエラーはすべて `connect to smtp port 25: Connection timed out` です。外向きの 25 番ポートが閉じられた可能性があります。", tools: [{ run: "nc -vz mx.example.com 25", out: "timed out", failed: true }] },
      { prompt: "ホスティング会社のお知らせを見てもらえますか", answer: "お知らせにありました。ホスティング会社が3月10日15時から、全プランで外向きの 25 番ポートを遮断しています。解除の申請は受け付けていないそうです。したがって、サーバーから直接送信する今の方法は使えません。", tools: [{ run: "curl -s https://status.host.example/news", out: "outbound port 25 blocked" }], label: "constraint_discovered" },
      { prompt: "SendGrid か SES ですかね", answer: "どちらも 587 番を使うので送れます。SES は1通あたり約 0.015 円で安い一方、最初の申請に1〜2日かかります。SendGrid は今日から使えますが、月 3,000 円からです。", label: "branch_point" },
      { prompt: "急ぎなのでまず SendGrid を使います。SES には落ち着いてから移る方針で。", answer: "SendGrid 経由に切り替えました。たまっていた 1,204 通も再送し、すべて配信されました。", tools: [{ tool: "Edit", file: "config/mail.yml" }, { run: "mailq", out: "Mail queue is empty" }, { run: "git commit -am 'メール送信を SendGrid に切り替える'", out: "[main 4d2c9f0] メール送信を SendGrid に切り替える" }] },
      { prompt: "来月になったら SES の申請をするのを忘れないように覚えておいて", answer: "覚えておきます。未解決の点として、SES に移るときに送信元ドメインを分けるかどうかが残っています。" },
    ],
    session: {
      about: [["確認メール", "届かない"]],
      cameOut: [["25 番ポート"]],
      decisions: [["SendGrid", "SES"]],
      wishes: [],
      open: [["送信元ドメイン"]],
      next: [["SES", "申請"]],
      notDecided: ["デプロイはありません"],
    },
  },
];
