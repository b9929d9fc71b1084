/** Chinese: a leak found in a log, a queue that is chosen and chosen anew, and an agent that is corrected. */
import type { Conversation } from "../../../conversation.ts";

export const CHINESE: readonly Conversation[] = [
  {
    name: "连接池泄漏",
    language: "zh",
    steps: [
      { prompt: "线上的订单服务每隔大概六个小时就会卡死，重启之后又正常了。帮我查一下原因，日志在 logs/order.log 里。", answer: "我看了最近三天的日志。每次卡死之前，`HikariPool-1` 都在等待连接，等待数从 0 慢慢涨到 50。CPU 和内存都正常，所以不像是死循环。接下来我想看看是谁没有归还连接。", tools: [{ run: "grep -c 'Connection is not available' logs/order.log", out: "1843" }] },
      { prompt: "这是昨天晚上的：\n```\n2026-03-02 22:14:09.331 WARN  [order] HikariPool-1 - Connection leak detection triggered for conn42, stack trace follows\n\tat com.shop.order.export.CsvExporter.open(CsvExporter.java:88)\n\tat com.shop.order.export.ExportJob.run(ExportJob.java:41)\n```", answer: "这条日志很关键。堆栈指向 `CsvExporter.open`，它在导出订单的时候打开了一个游标。我去看一下这个类的关闭逻辑。", tools: [{ tool: "Read", file: "src/main/java/com/shop/order/export/CsvExporter.java" }] },
      { prompt: "导出任务是每小时跑一次的", answer: "对得上。每次导出如果中途抛异常，`close()` 就不会被调用，一次漏掉大约 8 个连接，六次正好把 50 个连接的池子耗尽。也就是说，卡死的周期和导出的周期是吻合的。", tools: [{ run: "grep -n 'close()' CsvExporter.java", out: "131: cursor.close();" }] },
      { prompt: "那根本原因是什么？", answer: "根本原因是 `CsvExporter` 没有使用 try-with-resources：当某个订单的金额为空时会抛出 `NullPointerException`，游标和连接都没有被释放。三天里一共有 212 个金额为空的订单，和泄漏的次数完全一致。所以不是数据库的问题，也不是连接池配置太小，而是导出代码在异常路径上没有归还连接。", tools: [{ run: "psql -c 'select count(*) from orders where amount is null'", out: "212" }], label: "synthesis" },
      { prompt: "明白了，那就改成 try-with-resources，金额为空的订单直接跳过并记一条 warn 日志，因为财务那边本来就不统计这些订单。", answer: "已经改好了。`CsvExporter` 现在用 try-with-resources 管理游标，金额为空的订单会被跳过并写入 warn 日志。新增了两个测试，全部通过。", tools: [{ tool: "Edit", file: "src/main/java/com/shop/order/export/CsvExporter.java" }, { run: "mvn -q test", out: "Tests run: 48, Failures: 0" }, { run: "git commit -am '修复导出任务的连接泄漏'", out: "[main 3fa91c2] 修复导出任务的连接泄漏" }] },
      { prompt: "以后请不要用 System.out 打印日志，一律用 slf4j。", answer: "好的，以后都用 slf4j。刚才的改动里没有用到 System.out。" },
      { prompt: "今天先到这里吧，明天再看要不要把池子的大小从 50 降到 20。", answer: "好的。还没有确定的是：池子降到 20 之后，双十一的峰值流量能不能撑住？下一步是用压测脚本 `bench/order.js` 跑一遍 20 个连接的情况，然后再决定。" },
    ],
    keep: {
      decisions: [["try-with-resources", "跳过"]],
      exact: ["CsvExporter", "212", "bench/order.js"],
    },
    session: {
      about: [["订单服务", "卡死"]],
      cameOut: [["根本原因", "CsvExporter"]],
      decisions: [["try-with-resources"]],
      wishes: [["slf4j"]],
      open: [["20", "峰值"]],
      next: [["bench/order.js"]],
      notDecided: ["对得上", "这条日志很关键"],
    },
  },
  {
    name: "消息队列选型",
    language: "zh",
    steps: [
      { prompt: "我们要把通知模块从单体里拆出来，需要选一个消息队列。目前每天大约 300 万条消息，团队只有三个人维护。你看看有哪些方案？", answer: "有三种方案可以考虑：\n\n1. **RabbitMQ**：部署简单，管理界面好用，每秒几千条没有问题。缺点是堆积上千万条时性能会明显下降。\n2. **Kafka**：吞吐量最高，消息可以回放，但是运维成本高，三个人维护一个集群比较吃力。\n3. **Redis Streams**：我们已经有 Redis，不需要新的组件，一天就能上线；不过持久化要靠 AOF，宕机可能丢一秒的数据。\n\n我建议用 RabbitMQ，因为它的运维成本和功能比较平衡。你们更看重哪一点？", label: "branch_point" },
      { prompt: "消息丢一秒能接受吗？通知只是站内信", answer: "站内信丢一两条影响不大，用户刷新页面就能看到未读数。但如果以后要发短信或者扣费通知，就不能接受了。" },
      { prompt: "回放功能我们会用到吗？", answer: "现在看不到需求。你们的通知发出去就结束了，没有下游要重新消费。如果以后做数据分析，可以从数据库里导出。" },
      { prompt: "那就用 Redis Streams 吧，不用 Kafka，因为团队只有三个人，没有精力维护集群。", answer: "好的，采用 Redis Streams。我先写一个 `NotificationStream` 类，消费者组叫 `notify-workers`，每条消息处理完再 `XACK`。", tools: [{ tool: "Write", file: "src/notify/stream.ts" }, { run: "npm test", out: "Tests: 23 passed" }], label: "branch_point" },
      { prompt: "顺便把重试也做了，最多重试 5 次", answer: "已经加上了。失败的消息会按指数退避重试，最多 5 次，之后进入 `notify:dead` 这个死信流。", tools: [{ tool: "Edit", file: "src/notify/stream.ts" }, { run: "npm test", out: "Tests: 29 passed" }] },
      { prompt: "刚跟法务开完会，扣费通知下个月也要走这个通道，一条都不能丢。", answer: "那 Redis Streams 就不合适了。AOF 每秒刷盘，宕机最多会丢一秒的消息；改成 `appendfsync always` 的话，写入延迟从 0.3 毫秒涨到 6 毫秒，会拖慢现有的缓存业务。按法务的要求，这条路走不通。", tools: [{ run: "redis-benchmark -t xadd", out: "p99 6.1 ms" }], label: "constraint_discovered" },
      { prompt: "我改主意了，还是换回 RabbitMQ，不用 Redis Streams 了，因为法务要求一条消息都不能丢。", answer: "明白。我把 `NotificationStream` 换成 RabbitMQ 的实现，队列声明为 durable，开启 publisher confirm，重试和死信的逻辑保持不变。", tools: [{ tool: "Edit", file: "src/notify/stream.ts" }, { run: "npm test", out: "Tests: 31 passed" }, { run: "git commit -am '通知模块改用 RabbitMQ'", out: "[notify 91bc0aa] 通知模块改用 RabbitMQ" }], label: "branch_point" },
      { prompt: "好的，谢谢", answer: "不客气。剩下的工作是：把生产环境的 RabbitMQ 集群建好，然后迁移现有的三个消费者。集群放在哪个可用区还没定。" },
    ],
    keep: {
      decisions: [["RabbitMQ", "法务"]],
      exact: ["notify:dead", "src/notify/stream.ts"],
    },
    session: {
      about: [["消息队列"]],
      cameOut: [],
      decisions: [["RabbitMQ", "法务"]],
      reversed: [["Redis Streams"]],
      wishes: [],
      open: [["可用区"]],
      next: [["迁移", "消费者"]],
      notDecided: ["回放功能", "现在看不到需求"],
    },
  },
  {
    name: "後台報表",
    language: "zh",
    steps: [
      { prompt: "幫我把後台的銷售報表加上匯出 Excel 的功能，程式碼在 app/reports 底下。", answer: "已經加上匯出按鈕，使用 `exceljs` 產生檔案，欄位和畫面上的表格一樣。測試都通過了。", tools: [{ tool: "Write", file: "app/reports/export.ts" }, { run: "pnpm test", out: "Tests: 61 passed" }] },
      { prompt: "不對，日期不是用 UTC，我們公司的報表一律用台北時間，而且金額要含稅。", answer: "抱歉，是我弄錯了。現在日期改為台北時間（Asia/Taipei），金額改為含稅，並補上了對應的測試。", tools: [{ tool: "Edit", file: "app/reports/export.ts" }, { run: "pnpm test", out: "Tests: 64 passed" }] },
      { prompt: "另外，從現在開始所有的 commit 訊息都用繁體中文寫，不要用英文。", answer: "了解，之後的 commit 訊息都會用繁體中文。", tools: [{ run: "git commit -am '報表匯出改用台北時間與含稅金額'", out: "[main 77ab310] 報表匯出改用台北時間與含稅金額" }] },
      { prompt: "匯出五萬筆的時候會不會太慢？", answer: "我測了一下，五萬筆需要 41 秒，記憶體用到 1.2 GB，因為 `exceljs` 預設會把整個活頁簿放在記憶體裡。改用 `stream.xlsx.WorkbookWriter` 之後只要 9 秒，記憶體 140 MB。", tools: [{ run: "node bench/export.js 50000", out: "41.2s 1.2GB" }, { tool: "Edit", file: "app/reports/export.ts" }] },
      { prompt: "我們決定採用串流寫入，不用整本放在記憶體的寫法，因為伺服器只有 2 GB。", answer: "好的，已經改成串流寫入。", tools: [{ tool: "Edit", file: "app/reports/export.ts" }, { run: "pnpm test", out: "Tests: 66 passed" }] },
      { prompt: "請記得明天提醒我跟會計確認匯率要取哪一天的。", answer: "好的。待確認：外幣訂單的匯率要取下單日還是付款日？這一點還不清楚，要等會計回覆。" },
    ],
    session: {
      about: [["銷售報表", "Excel"]],
      cameOut: [],
      decisions: [["串流", "2 GB"], ["台北時間", "含稅"]],
      wishes: [["commit", "繁體中文"]],
      open: [["匯率", "付款日"]],
      next: [["會計", "匯率"]],
      notDecided: ["抱歉", "我測了一下"],
    },
  },
];
