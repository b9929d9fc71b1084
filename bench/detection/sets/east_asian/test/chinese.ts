/** Chinese: a slow page, how people sign in, and a scheduler in Traditional characters. */
import type { Conversation } from "../../../conversation.ts";

export const CHINESE: readonly Conversation[] = [
  {
    name: "首页加载慢",
    language: "zh",
    steps: [
      { prompt: "首页在手机上打开要七八秒，产品经理催了好几次了，麻烦看一下到底慢在哪里", answer: "我用 Lighthouse 跑了五次，LCP 平均 7.4 秒。其中脚本执行占 3.1 秒，图片占 2.6 秒，接口只占 0.4 秒。先看脚本。", tools: [{ run: "npx lighthouse https://m.example.com", out: "LCP 7.4 s" }] },
      { prompt: "脚本有多大？", answer: "`vendor.js` 压缩后还有 1.9 MB，里面有整个 `moment` 和全部语言包，还有两份不同版本的 `lodash`。", tools: [{ run: "npx source-map-explorer dist/vendor.js", out: "moment 540 KB lodash 142 KB" }] },
      { prompt: "moment 换成 dayjs 行不行", answer: "可以。我们只用了格式化和相对时间，两个插件就够了。改完之后 `vendor.js` 变成 1.1 MB。", tools: [{ tool: "Edit", file: "src/utils/date.ts" }, { run: "npm test", out: "Tests: 140 passed" }] },
      { prompt: "图片呢", answer: "轮播图是 4000 像素宽的 PNG，一张 1.8 MB，手机上只显示 390 像素。换成 WebP 并按屏幕宽度出图之后，一张只有 60 KB。", tools: [{ tool: "Edit", file: "src/components/Banner.vue" }] },
      { prompt: "总结一下吧，到底是什么问题", answer: "总的来说有两个原因：一是 `vendor.js` 带了用不到的语言包和重复的 `lodash`，解析要 3.1 秒；二是轮播图没有按屏幕裁剪，下载要 2.6 秒。后端接口没有问题。两处都改完之后，LCP 从 7.4 秒降到 2.2 秒，说明瓶颈确实在前端资源上。", tools: [{ run: "npx lighthouse https://m.example.com", out: "LCP 2.2 s" }], label: "synthesis" },
      { prompt: "不错。我们统一用 dayjs，禁止再引入 moment，体积太大。", answer: "好的，我在 ESLint 里加了 `no-restricted-imports` 规则，引入 `moment` 会直接报错。", tools: [{ tool: "Edit", file: ".eslintrc.cjs" }, { run: "git commit -am '首页资源瘦身'", out: "[main 2be71aa] 首页资源瘦身" }] },
      { prompt: "每次改完前端代码都要先跑一遍 pnpm lint 再给我看。", answer: "记住了，以后每次改完都会先跑 lint。" },
      { prompt: "CDN 的事情下周再说", answer: "好。尚未解决的问题：CDN 的缓存时间要设多长？接下来需要和运维确认回源的策略。" },
    ],
    keep: {
      decisions: [["dayjs", "moment"]],
      exact: ["vendor.js", "src/components/Banner.vue"],
    },
    session: {
      about: [["首页"]],
      cameOut: [["两个原因", "vendor.js"]],
      decisions: [["dayjs", "moment"]],
      wishes: [["pnpm lint"]],
      open: [["CDN", "缓存时间"]],
      next: [["运维", "回源"]],
      notDecided: ["轮播图是"],
    },
  },
  {
    name: "登录方式",
    language: "zh",
    steps: [
      { prompt: "小程序和网页要共用一套登录，现在是 session，想听听你的建议", answer: "大致有两条路。\n\n- **JWT**：服务端不用存状态，小程序和网页都方便。坏处是没办法立即注销，要么等过期，要么维护黑名单。\n- **继续用 session，存到 Redis**：随时可以踢人下线，改动也小；代价是每个请求多一次 Redis 查询，大约 1 毫秒。\n\n如果需要强制下线，我倾向于第二种。你们有这个需求吗？", label: "branch_point" },
      { prompt: "客服那边确实需要把用户踢下线，平均一天十几次", answer: "那 JWT 就需要黑名单，等于又把状态存回来了。" },
      { prompt: "小程序没有 cookie 怎么办？", answer: "小程序可以把 session id 放在请求头里，例如 `X-Session-Id`，服务端两种都认。" },
      { prompt: "嗯，选第二种，session 存 Redis，理由是客服要能随时踢人。", answer: "好。我把 session 存储换成了 `connect-redis`，同时支持 cookie 和 `X-Session-Id`。过期时间是 7 天。", tools: [{ tool: "Edit", file: "server/session.ts" }, { run: "pnpm test", out: "Tests: 52 passed" }], label: "branch_point" },
      { prompt: "你搞错了，过期时间应该是 30 天，不是 7 天，合同里写的是 30 天。", answer: "已改成 30 天，并且在 `server/session.ts` 里注明了出处。", tools: [{ tool: "Edit", file: "server/session.ts" }] },
      { prompt: "微信登录能不能直接拿到手机号？", answer: "拿不到。微信从去年起不再向个人主体的小程序开放 `getPhoneNumber`，我们的小程序是个人主体，接口会返回 `40097`。必须先换成企业主体并且通过认证，否则这个方案走不通。", tools: [{ run: "curl https://api.weixin.qq.com/wxa/business/getuserphonenumber", out: "{\"errcode\":40097}", failed: true }], label: "constraint_discovered" },
      { prompt: "那算了，先不做手机号登录了，改成让用户自己填。", answer: "好的，登录之后会弹出一个填写手机号的表单，可以跳过。", tools: [{ tool: "Write", file: "miniapp/pages/phone.ts" }, { run: "git commit -am '登录改为 Redis session'", out: "[login e01bb42] 登录改为 Redis session" }] },
      { prompt: "行，收工", answer: "好的。后续还要做的是把旧的内存 session 清理掉。" },
    ],
    keep: {
      decisions: [["session", "踢人"], ["30 天"]],
      exact: ["X-Session-Id", "40097"],
    },
    session: {
      about: [["登录"]],
      cameOut: [],
      decisions: [["第二种", "Redis"], ["30 天"], ["手机号"]],
      wishes: [],
      open: [],
      next: [["内存 session"]],
      notDecided: ["小程序可以把", "拿不到"],
    },
  },
  {
    name: "排程系統",
    language: "zh",
    steps: [
      { prompt: "我想把公司的排程從 crontab 搬到一個看得到紀錄的系統，大概四十個工作，有什麼選擇？", answer: "可以考慮三個選項。第一個是 Airflow，功能最完整，但要自己維護資料庫和 worker，至少要半天才能架好。第二個是 systemd timer，不用裝任何東西，紀錄用 journalctl 看，不過沒有網頁介面。第三個是 GitHub Actions 的排程，有介面也不用維護，但是最短間隔五分鐘，而且延遲可能超過十分鐘。\n\n我的建議是 systemd timer，因為你們的工作彼此沒有相依。", label: "branch_point" },
      { prompt: "有些工作是每分鐘跑的", answer: "那 GitHub Actions 就不行了，它最短只能五分鐘一次。" },
      { prompt: "主管想要有網頁可以看", answer: "Airflow 有，systemd 可以另外架一個簡單的頁面，讀 `journalctl -o json` 就好，大概一百行。" },
      { prompt: "最後決定：用 systemd timer 加一個自己寫的網頁，不採用 Airflow，維護成本太高了。", answer: "收到。我先搬五個工作過去，網頁放在 `ops/jobs`。", tools: [{ tool: "Write", file: "ops/jobs/server.py" }, { run: "pytest -q", out: "12 passed" }], label: "branch_point" },
      { prompt: "拜託以後不要一次改超過三個檔案，改之前先跟我說。", answer: "好的，之後會先列出要改的檔案，每次不超過三個。" },
      { prompt: "先這樣，剩下的三十五個工作還有時區的問題明天再處理", answer: "好。下一步：把剩下的 35 個工作分三批搬過去。還需要決定的是 timer 的時區要用 UTC 還是台北時間。" },
    ],
    session: {
      about: [["排程"]],
      cameOut: [],
      decisions: [["systemd timer", "Airflow"]],
      wishes: [["三個檔案"]],
      open: [["時區", "UTC"]],
      next: [["35 個工作"]],
      notDecided: ["那 GitHub Actions"],
    },
  },
];
