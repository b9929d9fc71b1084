/** Points that look like each other: verdicts full of prices, limits told in numbers, choices after tests. */
import type { Conversation } from "../../conversation.ts";

export const EASILY_CONFUSED: readonly Conversation[] = [
  {
    name: "video calls that freeze",
    language: "en",
    steps: [
      { prompt: "Telehealth calls freeze for some patients, always around minute 30. We use a hosted SFU. Logs of last week in webrtc/.", answer: "412 calls, 38 froze. All 38 between 29:40 and 30:20 after the start. Nothing in the SFU's own log at those times.", tools: [{ run: "python calls.py webrtc", out: "412 calls 38 frozen" }] },
      { prompt: "which clients", answer: "Chrome on Android 31, Safari 5, Firefox 2. On wifi and on mobile alike. Do the patients share a region?", tools: [{ run: "python calls.py webrtc --by client", out: "chrome-android 31" }] },
      { prompt: "no, all over the country. but all come in through the clinic's app, not through the browser", answer: "The app wraps the page in a webview. It asks for a token at the start and never again; does your token server give them a lifetime?", tools: [{ tool: "Read", file: "app/call.kt" }] },
      { prompt: "30 min I believe. but the browser has the same tokens", answer: "The browser page has a timer that renews at 25 minutes. In the webview that timer is paused while the screen is dimmed, I can reproduce it with the screen off for ten seconds at minute 24. So three things have to meet: a token of thirty minutes, renewal by a timer in the page, and a platform that stops timers when the screen dims. Calls that froze all had a dimmed screen at that minute, the 374 others either ended earlier or ran in a browser. The SFU is fine, it does what it should with an expired token.", tools: [{ run: "adb logcat | grep Timer", out: "timer throttled" }, { run: "python join_screen.py", out: "38/38 dimmed" }], label: "synthesis" },
      { prompt: "renew in native code then", answer: "The app renews the token at 20 minutes from a foreground service and hands it to the page. A call of 70 minutes with the screen off went through.", tools: [{ tool: "Edit", file: "app/call.kt" }] },
      { prompt: "what does the recording of calls cost us, by the way? boss wants it for training", answer: "At the SFU's list price 0.004 a minute and participant, so about 900 a month at today's volume, storage not included.", label: "topic_shift" },
      { prompt: "prepare it for the dermatology group, they volunteered", answer: "I stopped before switching it on. Article 9 data, and your own consent form says in paragraph 4 that calls are never recorded; the chamber's professional code asks for written consent of each patient in advance, which the app has no way to collect before a first call. The provider besides stores recordings in Virginia only, and the hospital's agreement names Frankfurt. Each of the three by itself prevents it. For existing patients recording can't be switched on, with whatever setting.", tools: [{ tool: "Read", file: "legal/consent_v3.md" }], label: "constraint_discovered" },
      { prompt: "ugh. tell her nicely", answer: "A draft of five sentences is in `mail/boss.md`, with the paragraph quoted.", tools: [{ tool: "Write", file: "mail/boss.md" }] },
    ],
  },
  {
    name: "what the cache is worth",
    language: "en",
    steps: [
      { prompt: "Is our Redis page cache worth its 310 $ a month? Measure, please. Staging mirrors production traffic.", answer: "I'll run with and without for an hour each. Baseline with cache: p50 41 ms, p95 180 ms, database at 22 %.", tools: [{ run: "k6 run mirror.js", out: "p50 41 p95 180" }] },
      { prompt: "and without?", answer: "p50 63 ms, p95 240 ms, database at 37 %. No errors.", tools: [{ run: "k6 run mirror.js -e CACHE=off", out: "p50 63 p95 240" }] },
      { prompt: "hit rate?", answer: "54 %. Two routes make up nine tenths of the hits: the home page and the price list.", tools: [{ run: "redis-cli info stats", out: "hits 54%" }] },
      { prompt: "and if only those two were cached, in memory of the app?", answer: "p50 44 ms, p95 186 ms, database 25 %, with 60 MB in each of the four processes.", tools: [{ tool: "Edit", file: "src/cache.ts" }, { run: "k6 run mirror.js -e CACHE=memory", out: "p50 44 p95 186" }] },
      { prompt: "so, verdict", answer: "It isn't worth it. What Redis gives over two routes kept in memory is 3 ms in the middle and 6 ms at the 95th percentile, for 310 dollars a month and a service that was the cause of two of this year's five incidents. Taking the cache away altogether would be felt, the database goes from 22 to 37 %, so the benefit is real; it just comes from two pages and fits into 60 MB. The price list changes once a night, hence invalidation, the usual argument for a shared cache, doesn't come up.", label: "synthesis" },
      { prompt: "before I decide: what else could live in that Redis if we keep it?", answer: "If you keep it, sessions would be one candidate: that frees Postgres of 40 writes a second, but then losing Redis logs everybody out. Rate limits would be another, simple and cheap, although the proxy could do the same for nothing. The job queue could move there too; it'd be faster, at the price of a rewrite of the workers, a week at least. Or you let it go and none of this happens.", label: "branch_point" },
      { prompt: "how bad is a lost session for us really", answer: "People log in once a month on average; a log-out of everyone makes about 4,000 log-ins in a morning, which the mail limit of 50 a second would stretch over two minutes." },
      { prompt: "Let it go. None of the three is worth being woken up for, and the proxy does limits anyway.", answer: "Then the two routes go into memory for good, the adapter and the container come out, and I cancel the plan for the end of the month.", tools: [{ tool: "Edit", file: "src/cache.ts" }, { tool: "Edit", file: "compose.yaml" }], label: "branch_point" },
      { prompt: "thanks. tests?", answer: "Green, 212 of 212, and the image is 14 MB smaller.", tools: [{ run: "npm test", out: "212 passed" }, { run: "git commit -am 'Keep two pages in memory'", out: "[main 71ad0ce] Keep two pages in memory" }] },
    ],
  },
  {
    name: "a sensor ring for a river",
    language: "en",
    steps: [
      { prompt: "Hydrology group: we want 12 level sensors along the Ahr, reporting every 5 min. LTE-M modules, solar. Estimate the energy please.", answer: "A report of 60 bytes costs about 0.9 mAh with the attach kept alive, so 260 mAh a day. A 6 W panel brings 1,500 mAh on a grey December day by the tables for Cologne. That leaves a wide margin.", tools: [{ run: "python energy.py", out: "260 mAh/d" }] },
      { prompt: "what about bridges, shade?", answer: "Under a bridge I'd count a tenth, 150 mAh, which isn't enough; the sensor hangs on a cable then and the panel sits outside." },
      { prompt: "coverage at the 12 sites is in coverage.csv, measured last month", answer: "Ten sites have -95 dBm or better. Two are poor: Dernau -117, Rech -121. Those would retry a lot: at -121 about 2.4 mAh a report.", tools: [{ run: "python coverage.py", out: "Rech -121" }] },
      { prompt: "try Rech with the better antenna", answer: "Better, not good: -114 with the Yagi. The report arrives in 41 of 50 tries. Then I looked at why it's so weak there: the operator took band 20 out of service in that valley in August, the only one that carries LTE-M, and the site is listed as final in the regulator's register. The other two networks never had the feature there. LTE-M doesn't exist in Rech any more, so no antenna will bring it; what's left is the edge of a cell behind the hill.", tools: [{ run: "python at.py --site rech", out: "41/50" }, { run: "curl -s https://emf.example/sites?plz=53505", out: "800 MHz: decommissioned" }], label: "constraint_discovered" },
      { prompt: "so?", answer: "One could hop: Rech sends by radio to Mayschoß 1.9 km up the valley, which has -88. It costs 30 euros, and if Mayschoß is flooded both are silent, which is just when they matter. One could take satellite for that single site: 8 euros a month, independent of everything on the ground, though a message takes up to two minutes. Or one gives Rech up and interpolates between its neighbours, for nothing; the model's error there was 11 cm in 2021.", label: "branch_point" },
      { prompt: "two minutes is nothing for us. what's the power of satellite?", answer: "About 3 mAh a message with the small modem, 860 mAh a day at five minutes. With ten minutes it fits the panel in December." },
      { prompt: "Satellite for Rech, every ten minutes. A site that goes silent together with its neighbour is worth nothing in a flood.", answer: "Noted. I'm adding the modem to the parts list and a second message format of 30 bytes.", tools: [{ tool: "Edit", file: "parts.csv" }, { tool: "Write", file: "fw/sat.c" }], label: "branch_point" },
      { prompt: "Different thing: the summer school. 20 students, three days, what would be a nice project with the old ultrasonic sensors?", answer: "A tide of their own: a tub, a pump and three sensors per group, and on the third day each group predicts the level of another group's tub. It needs 7 tubs and no soldering.", label: "topic_shift" },
      { prompt: "nice!! how long does one group need per day", answer: "Four hours with a break. Day one measuring and drift, day two a model, day three the prediction." },
      { prompt: "make a handout", answer: "Two pages in `school/handout.md`, with the wiring as a drawing.", tools: [{ tool: "Write", file: "school/handout.md" }] },
    ],
  },
];
