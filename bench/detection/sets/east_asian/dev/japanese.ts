/** Japanese: where uploads are kept, and a batch that counts twice. */
import type { Conversation } from "../../../conversation.ts";

export const JAPANESE: readonly Conversation[] = [
  {
    name: "画像アップロードの保存先",
    language: "ja",
    steps: [
      { prompt: "ユーザーがアップロードした画像の保存先を決めたいです。今はアプリサーバーのローカルディスクに置いていますが、来月からサーバーを2台に増やします。", answer: "選択肢は3つあります。\n\n1. **S3 に直接アップロード**：サーバーの負荷がなくなり、台数が増えても問題ありません。ただし署名付き URL の実装に2日ほどかかります。\n2. **NFS で共有**：コードの変更はほぼ不要ですが、NFS サーバーが単一障害点になります。\n3. **DB に保存**：バックアップは簡単ですが、サイズが増えるとコストが高くなります。\n\n私なら S3 をおすすめします。どちらを優先しますか？", label: "branch_point" },
      { prompt: "画像は1日どれくらい増えていますか？", answer: "直近30日の平均で1日あたり約 4.2 GB です。このペースだと DB に保存する案は半年で限界になります。", tools: [{ run: "du -sh uploads", out: "126G uploads" }] },
      { prompt: "NFS の場合、障害が起きたらどうなりますか", answer: "NFS が落ちると、画像の表示もアップロードも全部止まります。冗長化もできますが、月に3万円ほど追加でかかります。" },
      { prompt: "S3 に直接アップロードする方式にします。NFS は単一障害点になるので使いません。", answer: "承知しました。署名付き URL を発行する `POST /uploads/sign` を追加しました。有効期限は 10 分、サイズの上限は 15 MB です。", tools: [{ tool: "Write", file: "app/api/uploads.ts" }, { run: "npm test", out: "Tests: 88 passed" }], label: "branch_point" },
      { prompt: "今後はコミットメッセージを英語で書かないでください。必ず日本語でお願いします。", answer: "わかりました。これからは日本語でコミットメッセージを書きます。", tools: [{ run: "git commit -am '画像を S3 に直接アップロードする'", out: "[main 5c01d9e] 画像を S3 に直接アップロードする" }] },
      { prompt: "既存の画像はどうやって移しますか？", answer: "`aws s3 sync` で夜間に移すのがよいと思います。126 GB なら約2時間です。移行中に追加された画像は、最後にもう一度同期すれば漏れません。" },
      { prompt: "じゃあそれは明日やりましょう。お疲れさまでした", answer: "お疲れさまでした。次のステップは、既存の画像 126 GB を `aws s3 sync` で移行することです。CloudFront を前に置くかどうかはまだ決まっていません。" },
    ],
    keep: {
      decisions: [["S3", "単一障害点"]],
      exact: ["POST /uploads/sign", "126 GB"],
    },
    session: {
      about: [["画像", "保存先"]],
      cameOut: [],
      decisions: [["S3", "単一障害点"]],
      wishes: [["コミットメッセージ", "英語"]],
      open: [["CloudFront"]],
      next: [["aws s3 sync"]],
      notDecided: ["直近30日", "わかりました"],
    },
  },
  {
    name: "日次集計の二重計上",
    language: "ja",
    steps: [
      { prompt: "日次の売上集計が先週から実際の金額より多く出ています。原因を調べてもらえますか？", answer: "まず先週の集計結果と注文テーブルを突き合わせました。3月3日以降、毎日ちょうど深夜0時台の注文だけが2回数えられています。バッチの実行時刻と関係がありそうです。", tools: [{ run: "psql -f check_daily.sql", out: "2026-03-03 +118 2026-03-04 +97" }] },
      { prompt: "ログはこれです\n2026-03-04 00:05:01 INFO  daily-sales start range=2026-03-03T00:00+09:00..2026-03-04T01:00+09:00\n2026-03-04 00:05:44 INFO  daily-sales done rows=18422", answer: "ログの範囲を見ると、終了時刻が 01:00 になっています。本来は 00:00 のはずです。設定ファイルの変更履歴を確認します。", tools: [{ run: "git log --oneline -- config/batch.yml", out: "a81f3c0 タイムゾーンを明示する" }] },
      { prompt: "そのコミットは私です。サマータイムの対応でした", answer: "原因がわかりました。`a81f3c0` で終了時刻に `+1h` が足されたため、翌日の0時台の注文が前日と当日の両方に含まれていました。つまり、DB やバッチの重複実行の問題ではなく、集計範囲の終わりが1時間ずれていたことが原因です。3月3日から9日までの差分 742 件は、すべて0時台の注文と一致します。", tools: [{ run: "psql -c \"select count(*) from orders where extract(hour from created_at)=0\"", out: "742" }], label: "synthesis" },
      { prompt: "いや、違います。本番は DST ではなく JST 固定です。+1h は消してください。", answer: "失礼しました。`+1h` を削除し、タイムゾーンは JST 固定にしました。再集計した結果、差分は 0 件になりました。", tools: [{ tool: "Edit", file: "config/batch.yml" }, { run: "npm run batch:verify", out: "ok 0 diffs" }] },
      { prompt: "過去分は全部再集計せずに、3月分だけ直すことにします。2月以前は影響がないからです。", answer: "3月分だけ再集計しました。9日分で 11 分かかりました。", tools: [{ run: "npm run batch -- --from 2026-03-01", out: "done 9 days" }, { run: "git commit -am '日次集計の範囲を直す'", out: "[main d0e77b1] 日次集計の範囲を直す" }] },
      { prompt: "やっぱり2月分も再集計することにします。経理が月次と突き合わせるので。", answer: "2月分も再集計しました。差分はありませんでした。", tools: [{ run: "npm run batch -- --from 2026-02-01", out: "done 28 days" }] },
      { prompt: "ありがとうございます。あとは監視ですね", answer: "はい。残っている作業は、集計件数が注文件数と合わないときにアラートを出すことです。しきい値を何件にするかは未定です。" },
    ],
    session: {
      about: [["売上集計"]],
      cameOut: [["1時間ずれて"]],
      decisions: [["2月分", "経理"]],
      wishes: [],
      open: [["しきい値"]],
      next: [["アラート"]],
      notDecided: ["ログの範囲", "まず先週"],
    },
  },
];
