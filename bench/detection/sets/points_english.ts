/** Conversations in English with points in them. Labels follow the definitions of detection. */
import type { Conversation } from "../conversation.ts";

export const POINTS_ENGLISH: readonly Conversation[] = [
  {
    name: "where sessions are stored",
    language: "en",
    steps: [
      {
        prompt: "Our web app keeps login sessions in memory of the Node process. We're about to run three instances behind a load balancer. Have a look at how sessions are handled right now.",
        answer: "I read `src/session.ts` and the two places that use it. A session is an object in a `Map`, keyed by a random id in a cookie; the sweeper removes entries after 24 hours. Each object holds the user id, the CSRF token, the shopping cart and, since March, the draft of the checkout form. Nothing outside the process knows any of it, so with three instances a person would be logged out whenever the balancer picks another one. Sessions average 3.1 KB according to the debug counter, and there are about 9,000 at noon.",
        tools: [{ tool: "Read", file: "src/session.ts" }, { run: "grep -rn sessionStore src", out: "src/app.ts:14\nsrc/checkout.ts:88" }],
      },
      {
        prompt: "How often is a session written?",
        answer: "On every request, because the sweeper's timestamp is inside the object. In the access log of Tuesday that makes 41 writes per second at the peak and 6 on average. Without the timestamp only cart and checkout changes remain, which is one request in twelve. The checkout draft is the largest part: it is saved at each key press with a debounce of 300 milliseconds.",
        tools: [{ run: "awk '{print $4}' access.log | uniq -c | sort -rn | head", out: "2460 [12:04" }],
      },
      {
        prompt: "What are our possibilities?",
        answer: "Three are realistic for us:\n\n### Sticky sessions at the balancer\nNo code changes at all, but a deploy or a crash logs a third of the people out, and load is spread unevenly.\n\n### Redis\nFast, expiry is built in, one small adapter to write. The price is a service that somebody has to run, monitor and back up; a managed one is 28 dollars a month.\n\n### A table in Postgres\nNothing new to operate, and sessions are in the nightly backup. It costs 41 small writes per second unless we drop the timestamp, and expiry needs a job.\n\nDo you have a preference, or a constraint that I don't know of?",
        label: "branch_point",
      },
      {
        prompt: "How bad are 41 writes per second for our Postgres, honestly?",
        answer: "Not bad. The instance does 310 transactions per second at noon with the CPU at 22 %, so 41 more updates of one row each are about 13 % more. What hurts more is vacuum: each update leaves a dead row, 3.5 million a day, and autovacuum would run on that table every few minutes. Keeping the timestamp out of the row, or writing it once per five minutes, brings it down to under four writes per second and the question disappears.",
        tools: [{ run: "psql -c 'select * from pg_stat_database'", out: "tps 310" }],
      },
      {
        prompt: "OK. And can the cart stay where it is?",
        answer: "Yes. The cart is read on every page and changes rarely, so it can move with the rest of the session. Only the checkout draft is worth a look: at a write for each 300 ms pause it would be most of the traffic. Saving it when a field loses focus is enough, and the form already has that event for validation.",
      },
      {
        prompt: "Then let's put sessions into Postgres rather than Redis, because nobody here wants to be on call for another service, and with the timestamp written every five minutes the load is nothing.",
        answer: "Agreed. The plan is a table `web_sessions` with id, user id, data as `jsonb` and `seen_at`; `seen_at` is written when it is older than five minutes; a job deletes what is older than a day. The interface of the store stays, so `app.ts` and `checkout.ts` need no change beyond making the calls asynchronous. I'll start with the migration.",
        label: "branch_point",
      },
      {
        prompt: "Good, go on.",
        answer: "The migration and the new store are written. `checkout.ts` now saves the draft when a field loses focus. All tests pass, and I ran two instances side by side against one database: logging in on one works on the other.",
        tools: [{ tool: "Write", file: "migrations/0042_web_sessions.sql" }, { tool: "Edit", file: "src/session.ts" }, { run: "npm test", out: "Tests: 212 passed, 212 total" }, { run: "git commit -am 'Store sessions in Postgres'", out: "[main 7c1d220] Store sessions in Postgres" }],
      },
    ],
  },
  {
    name: "uploads in the background of a phone",
    language: "en",
    steps: [
      {
        prompt: "In our iOS app people record interviews of up to two hours. When they lock the phone the upload should just go on until it's finished. Right now it stops. Can you look at the upload code?",
        answer: "The uploader in `Uploader.swift` cuts the recording into parts of 8 MB and sends each with a data task of the shared session. Data tasks belong to the foreground: when the app is suspended, a few seconds after locking, they are frozen and time out. The list of parts that were sent is only in memory, so after a restart everything is sent again. Nothing in there is broken as such, it was written for short clips.",
        tools: [{ tool: "Read", file: "App/Uploader.swift" }],
      },
      {
        prompt: "So use a background session instead. I'd like to keep the parts and compress each one right before it's sent, we measured 38 % less data that way.",
        answer: "A background session with upload tasks from files is the right tool. I'll write each part to a file, hand it to the session and let the delegate mark it as sent. The order is: record, cut, compress, enqueue. I keep the state of the parts in a small SQLite file, so that a restart knows what was sent. The compression can run while recording, since the encoder leaves about 60 % of one core idle.",
      },
      {
        prompt: "Not while recording please, we had dropouts in the audio when anything else was running. Do it between parts after the recording has ended, also in the background.",
        answer: "Understood, nothing beside the recorder then. I moved the compression behind the end of the recording and tested it on the device with the phone locked.",
        tools: [{ tool: "Edit", file: "App/Uploader.swift" }, { run: "xcodebuild test -scheme App", out: "Test Suite passed, 48 tests" }],
      },
      {
        prompt: "And? Does it go through on a locked phone?",
        answer: "It does not. The transfers themselves go on, but our own code gets roughly 30 seconds after locking, and then iOS suspends the process; each wake-up for a finished transfer gives us a few seconds more. Compressing one part takes 11 s, so of 140 parts four were done after an hour. A processing task is no way out either: the system runs it when the phone is charging and idle, usually at night. Compressing after the recording while the phone is locked is therefore not possible on this platform. What is left is compressing during the recording, or not at all.",
        tools: [{ run: "log show --predicate 'process == \"App\"'", out: "Background time remaining: 29.9\nsuspended", }, { run: "xcrun devicectl device process launch", out: "error: process terminated: exceeded background execution limit", failed: true }],
        label: "constraint_discovered",
      },
      {
        prompt: "Hm. How much is it without compression?",
        answer: "Two hours of mono speech at the current bitrate are 112 MB, against 69 MB compressed. On a mobile connection of 5 Mbit/s that is three minutes instead of two. The difference matters for people with small plans more than for time.",
      },
      {
        prompt: "Fine, then lower the bitrate of the recorder itself a bit and leave the compression out.",
        answer: "I set the encoder to 48 kbit/s, which gives 43 MB for two hours, less than the compression would have saved, and took the compression step out. The parts are handed to the background session as soon as they are cut, so by the end of the recording most of them are already sent. Locked for an hour on the device: everything arrived.",
        tools: [{ tool: "Edit", file: "App/Recorder.swift" }, { run: "xcodebuild test -scheme App", out: "Test Suite passed, 48 tests" }],
      },
    ],
  },
  {
    name: "a test that fails on Mondays",
    language: "en",
    steps: [
      {
        prompt: "The test `reports/weekly_test.py::test_totals` fails now and then in CI, maybe once a week. Nobody can reproduce it. Please find out why.",
        answer: "I looked at the last nine failures first. All of them are assertion errors on the total of the first day, and the value is always lower than expected by one or two orders. The test makes forty orders with random times in a week and compares the report's totals with its own sum. What time zone does the CI run in, and has that changed?",
        tools: [{ run: "gh run list --workflow ci --json conclusion", out: "9 failure" }, { tool: "Read", file: "reports/weekly_test.py" }],
      },
      {
        prompt: "UTC as far as I know, and the database container too. Laptops are in Berlin.",
        answer: "Then it is not simply the zone of the runner. Seven of nine failures were on a Monday, and the two others were on the Tuesday after a public holiday. Does anything in the report know about holidays or business days? Could the seed of the random generator depend on the date?",
        tools: [{ run: "gh run view 8812 --log", out: "AssertionError: 17 != 18" }],
      },
      {
        prompt: "The seed is the build number I think. Holidays: no, not in that report.",
        answer: "The build number explains why a rerun is green: the seed changes. I ran the test with the failing seeds here and got four of nine red, all with a faked clock on a Monday before two in the morning. Is the nightly build the one that fails?",
        tools: [{ run: "SEED=8812 faketime 'mon 01:12' pytest reports/weekly_test.py", out: "1 failed in 0.88s", failed: true }, { run: "SEED=8812 faketime 'mon 03:12' pytest reports/weekly_test.py", out: "1 passed in 0.91s" }],
      },
      {
        prompt: "Yes! Nightly builds start at 1:10.",
        answer: "That settles it. The report cuts weeks by Berlin time, because `week_of()` converts before truncating, while the test cuts them by UTC. An order between Sunday 23:00 UTC and Monday 00:00 UTC belongs to the new week for the report and to the old one for the test. The orders are drawn relative to now, so such an order is only possible when the build runs in the first two hours of a Monday, and then for roughly one seed in three. The report is right, the test is wrong. With the test's own sum made in Berlin time all nine seeds pass at every hour that I tried, 216 runs.",
        tools: [{ tool: "Edit", file: "reports/weekly_test.py" }, { run: "for h in $(seq 0 23); do for s in $SEEDS; do SEED=$s faketime \"mon $h:12\" pytest -q; done; done", out: "216 passed in 201.13s" }],
        label: "synthesis",
      },
      {
        prompt: "Great catch. Commit it with a short explanation.",
        answer: "Committed as \"Cut weeks in the test as the report does\", with two sentences about the hour between Sunday and Monday in the message.",
        tools: [{ run: "git commit -am 'Cut weeks in the test as the report does'", out: "[main 90ab3f1] Cut weeks in the test as the report does" }],
      },
    ],
  },
  {
    name: "from the build to the price list",
    language: "en",
    steps: [
      {
        prompt: "The Docker image of our API is 1.9 GB. Where does that come from?",
        answer: "Most of it is the build itself: the image keeps the compiler, the headers and the cache of the package manager, 1.2 GB together. The application with its dependencies is 310 MB, of which 140 MB are a headless browser that only the invoice job uses. The base image is a full Debian with 120 MB.",
        tools: [{ run: "docker history api:latest", out: "1.2GB RUN apt-get install" }],
      },
      {
        prompt: "Split it into a build stage and a runtime stage then.",
        answer: "The Dockerfile has two stages now. The first compiles and prunes the development dependencies, the second copies `dist` and `node_modules` onto the slim base. The image went from 1.9 GB to 402 MB, and the container starts as before. The layer with the dependencies is cached as long as the lock file stays the same.",
        tools: [{ tool: "Edit", file: "Dockerfile" }, { run: "docker build . && docker images", out: "api 402MB" }],
      },
      {
        prompt: "And the browser, does the API image need it?",
        answer: "No route of the API renders anything; only the job container calls the invoice module. I moved the browser into the job's own Dockerfile, which starts from the API image. The API is at 262 MB now, the job at 405 MB. The compose file names both, so nothing changes for people who run it locally.",
        tools: [{ tool: "Edit", file: "compose.yaml" }, { run: "docker compose build", out: "api 262MB\njobs 405MB" }],
      },
      {
        prompt: "Nice. Next: marketing wants a page with our three plans, monthly and yearly prices with a switch. What would you put in the table?",
        answer: "For three plans a table of four groups reads well: what everyone asks first (price, seats, storage), what separates the plans (exports, roles, audit log), support, and legal matters. The switch between monthly and yearly stands above the columns and shows the saving in words, \"two months free\", since a percentage has to be worked out by the reader. The middle plan carries the recommendation. Features that all plans have go below the table in one line.",
        label: "topic_shift",
      },
      {
        prompt: "Should the yearly price be shown per month or per year?",
        answer: "Per month, in large figures, with the sum that is charged per year in small ones underneath. People compare columns and other vendors by month; hiding the yearly sum would be against the consumer rules in several countries, so it has to be there, just not first.",
      },
      {
        prompt: "What about a currency choice?",
        answer: "Take the currency from the billing country and offer a choice in the footer of the table. Round prices by hand in each currency instead of converting: 29 dollars, 27 euros, 24 pounds. A converted 26.73 looks like an accident on a price list.",
      },
      {
        prompt: "And a free plan?",
        answer: "Not as a fourth column: it draws the eye and makes the others look dear. A line below the table, \"Free for one person, forever\", with its own small button is enough, and it keeps the decision between the paid plans clear.",
      },
    ],
  },
  {
    name: "does the new model hold",
    language: "en",
    steps: [
      {
        prompt: "We trained a new classifier for support tickets, fourteen categories. Compare it with the old one on the holdout, please. Data is in eval/holdout.csv.",
        answer: "I'll run both over the 4,200 tickets of the holdout. The file has the text, the category that an agent set, and the language. About a quarter is German. Before the numbers mean something: were tickets of the same customer kept together when the set was split?",
        tools: [{ run: "wc -l eval/holdout.csv", out: "4201" }],
      },
      {
        prompt: "Not sure. How would I see that?",
        answer: "By the customer id: 611 customers are on both sides, with 1,380 of the 4,200 tickets. Many of those tickets are follow-ups that quote the first mail word for word. Shall I evaluate on the whole set, or only on customers that the training never saw?",
        tools: [{ run: "python eval/overlap.py", out: "611 shared customers, 1380 tickets" }],
      },
      {
        prompt: "Both, so we see how much that is worth.",
        answer: "Both are running. On the whole holdout the new model is right in 91.4 % and the old one in 88.9 %. I'm computing the part without shared customers and the languages separately now. Do you want macro averages as well, since four of the categories have fewer than fifty tickets?",
        tools: [{ run: "python eval/run.py --all", out: "new 0.914 old 0.889" }],
      },
      {
        prompt: "Yes, macro too.",
        answer: "Here is the whole picture:\n\n| | old | new |\n|---|---|---|\n| accuracy, all | 88.9 | 91.4 |\n| accuracy, unseen customers | 87.8 | 87.1 |\n| macro F1, unseen | 79.5 | 74.2 |\n| German, unseen | 84.0 | 85.9 |\n\nThe gain is leakage. On customers that training never saw the new model is slightly worse than the old one, and clearly worse on rare categories: \"refund dispute\" falls from 71 to 48. It memorised the wording of quoted mails. Only German got better for a real reason, because the training set has three times as many German tickets. So it should not replace the old model yet; the split has to be made by customer and the training repeated.",
        tools: [{ run: "python eval/run.py --unseen --macro", out: "new 0.871 0.742 old 0.878 0.795" }],
        label: "synthesis",
      },
      {
        prompt: "Ouch. OK, prepare the split by customer.",
        answer: "`eval/split.py` now assigns whole customers by a hash of their id, 80 to 20, with the categories checked afterwards: the rarest has 38 tickets in the holdout. The old files are kept under `eval/old`. Training can start with `make train`.",
        tools: [{ tool: "Edit", file: "eval/split.py" }, { run: "python eval/split.py", out: "train 16794 holdout 4206" }],
      },
    ],
  },
  {
    name: "two years on a coin cell",
    language: "en",
    steps: [
      {
        prompt: "We're designing a door sensor, nRF52, one CR2032. Requirement from sales: two years of battery life, a report each time the door moves and a sign of life every minute over Thread. Estimate whether that works.",
        answer: "I'll start from what the cell gives: 225 mAh nominal, of which 190 mAh are usable at room temperature with our cut-off of 2.2 V. Two years are 17,520 hours, so the average current may be 10.8 µA. Sleeping with the RTC and the reed switch costs 2.6 µA by the data sheet. A door moves maybe 60 times a day. That leaves about 8 µA for everything on the radio.",
      },
      {
        prompt: "What does one report cost?",
        answer: "Waking the radio, sending 40 bytes and waiting for the acknowledgement takes 14 ms at 5.8 mA average, which is 81 µC with the ramp of the oscillator. Sixty door events a day are negligible: 0.06 µA. A sign of life each minute is 1.35 µA. A sleepy Thread device also has to poll its parent so that it isn't thrown out, every 240 s at most with our border router's setting, 0.3 µA. On paper we are at 4.4 µA with room to spare.",
      },
      {
        prompt: "Looks good! So why did the prototype die after five months?",
        answer: "That is the right question to ask of paper. I'd measure the prototype before believing any sum. Can you hook it up to the power profiler for an hour, and log the voltage under load as well? It would be good to have it at the door's temperature and not on the desk.",
      },
      {
        prompt: "Here's the log, outdoor, minus eight degrees. profiler.csv",
        answer: "The averages agree with the estimate, 4.9 µA. The voltage doesn't: during the radio burst it falls to 2.05 V and the brown-out resets the chip, with a reconnect of 900 ms at 9 mA each time. The maker's curves say the same. A CR2032 cannot deliver pulses above 3 mA below zero once a third of it is used; its internal resistance goes from 15 to over 60 ohms. That is the chemistry of the cell and no firmware changes it. With this battery two years outdoors are not reachable, whatever we save on average.",
        tools: [{ run: "python plot.py profiler.csv", out: "min 2.05 V, mean 4.9 uA, 212 resets" }],
        label: "constraint_discovered",
      },
      {
        prompt: "Can we do anything at all with this housing?",
        answer: "With the housing fixed there are two ways to go:\n\n1. **A tantalum of 220 µF beside the cell.** It carries the burst, so the cell sees 0.4 mA. It costs 35 cents and leaks about 2 µA, which takes us to roughly 20 months in the cold.\n2. **A lithium thionyl cell of the same diameter.** Happy at minus 40, no resets, three years by the sum. But it costs 2.10 more per unit, needs the holder changed, and airlines treat it as dangerous goods.\n\nThe first keeps the price and misses the promise by four months; the second keeps the promise and costs the margin. That is for sales to weigh.",
        label: "branch_point",
      },
      {
        prompt: "I'll ask them tomorrow. Please write the measurement down in docs/power.md meanwhile.",
        answer: "`docs/power.md` has the sum, the profile with the plot, the resets by temperature and the two ways with their costs. I left the price of the second holder open, purchasing has to say.",
        tools: [{ tool: "Write", file: "docs/power.md" }],
      },
    ],
  },
  {
    name: "an essay and a talk",
    language: "en",
    steps: [
      {
        prompt: "I'm writing a long essay about how Dutch towns kept water out before steam. 6,000 words, for a general magazine. I have notes on mills, dikes, water boards and taxes. Help me find an order.",
        answer: "Your notes have two kinds of things in them: machines (mills, sluices, dikes) and arrangements between people (boards, duties, taxes, quarrels). A general reader comes for the first and stays for the second. What is the one thing you would want somebody to tell a friend afterwards? The order follows from that.",
      },
      {
        prompt: "That the boards were among the first elected bodies in Europe, because water doesn't care about rank.",
        answer: "Then the water boards are the spine and the machines are scenes along it. It also tells what can go: the paragraph on peat chemistry, the list of mill types, and the second half of the tax notes, which are about Holland as a state and not about water. You would lose about 1,100 words that you like.",
      },
      {
        prompt: "OK. How could it be arranged then?",
        answer: "I see two arrangements that would carry it.\n\n**By time**: 1250, 1421, 1574, 1612, each year a flood or a siege and what the boards did. Easy to follow and easy to write, but it makes the boards look like they react, and 1300 to 1400 is thin in your notes.\n\n**By the parts of one dike**: who digs it, who pays, who inspects it, who is punished, who votes. Every part can take its best story from any century. It is fresher and it argues instead of telling, however the reader needs dates at hand, and the siege of Leiden fits nowhere.\n\nThe first is safer, the second is the better essay.",
        label: "branch_point",
      },
      {
        prompt: "Could Leiden be the opening of the second one?",
        answer: "Yes, as a prologue of 400 words: the boards of Rijnland refuse to cut their own dikes, are overruled, and two months later send the bill. It shows everything that follows in one quarrel: digging, paying, inspecting, punishing, voting. And it gives you a date to hang the rest on.",
      },
      {
        prompt: "Then I take the dike with its parts and open with Leiden, since the argument is what the magazine wants and the quarrel sets it up. Write me the outline.",
        answer: "Outline:\n\n1. Prologue: Leiden 1574 (400)\n2. Who digs (900): duties by the width of your land\n3. Who pays (1,100): the first progressive tax\n4. Who inspects (1,000): the autumn ride along the dike\n5. Who is punished (900): the spade in the dike\n6. Who votes (1,200): a farmer's voice beside an abbot's\n7. Epilogue: what steam took away (500)",
        label: "branch_point",
      },
      {
        prompt: "Very good, that's it for the essay. Something else: I have to give a ten minute talk at my sister's wedding and I'm terrified. Where do I start?",
        answer: "Start with one story that only you can tell: a moment when your sister was most herself. Two minutes, with a place and a sentence she said. Then how that trait looks now that there are two of them, then a wish and the toast. Ten minutes are long for a wedding; plan for six, laughter takes the rest.",
        label: "topic_shift",
      },
      {
        prompt: "She once drove 300 km at night because I'd locked myself out. Is that good enough?",
        answer: "It is perfect: it has a night, a distance, and what she said when she arrived. Leave out why you were locked out, people will want to know and somebody will ask at the bar. End the story on her sentence, not on a moral; the guests draw it by themselves.",
      },
      {
        prompt: "And what do I say about the groom? I barely know him.",
        answer: "Say what you have seen change in her since he came, one small thing: she is on time now, she sings in the car. Guests forgive that you don't know him well if you don't pretend. One sentence to him directly, looking at him, then raise the glass.",
      },
    ],
  },
  {
    name: "who was in the bucket",
    language: "en",
    steps: [
      {
        prompt: "We got an alert that our backup bucket had public listing turned on since some time last week. Work out what happened, read-only please. Logs are in ./incident.",
        answer: "I'll only read. There are the bucket's access log, the audit trail of the account and the state of the infrastructure code for eleven days. The alert came on Thursday at 07:40; I'm looking for the change of the policy first.",
        tools: [{ run: "ls incident", out: "access/ audit/ terraform/" }],
      },
      {
        prompt: "When was it changed?",
        answer: "The policy was replaced on Monday the 3rd at 16:22 by the deploy role, from the CI's address. It was not a person at a console. The commit that the deploy ran is `a7fe01`, \"Let CDN read release files\". Does that repository also manage the backup bucket?",
        tools: [{ run: "jq '.[]|select(.event==\"PutBucketPolicy\")' incident/audit/*.json", out: "2026-02-03T16:22:10Z deploy-role" }],
      },
      {
        prompt: "It shouldn't. There's a module for buckets that everyone uses.",
        answer: "The module is the link: `a7fe01` changed the module's default from private to public-read, and the backup stack takes the module's newest version at every run. It was applied to six buckets; five of them set the value themselves. Who could have read the backups in those days? I'm going through the access log now.",
        tools: [{ run: "git -C incident/terraform show a7fe01 --stat", out: "modules/bucket/main.tf | 2 +-" }],
      },
      {
        prompt: "That's the question the board will ask as well.",
        answer: "## What happened\n\nA default in the shared bucket module was changed to public-read on Monday the 3rd at 16:22. The backup bucket was the only one of six that relied on the default. It could be listed and read by anyone for 63 hours and 18 minutes, until Thursday 07:40.\n\n## What was read\n\n- 211 anonymous requests from 9 addresses, all of them listings; two belong to a known scanner.\n- No anonymous GET of any object. The log is complete: its sequence has no gap.\n- The listing shows file names with customer numbers, 1,904 of them.\n\n## Verdict\n\nContents were not read. Names with customer numbers were, which is personal data in the sense of the contract with the three banks, so it has to be reported by Friday 07:40.",
        tools: [{ run: "python count.py incident/access", out: "anonymous LIST 211, anonymous GET 0, gaps 0" }, { run: "python whois.py", out: "9 addresses" }],
        label: "synthesis",
      },
      {
        prompt: "Good work. Draft the message to the banks, one page, plain.",
        answer: "The draft is in `incident/message.md`: what was open, from when to when, what was and wasn't read, what we changed, and whom to call. It says in its second sentence that no backup was read. I left the name of the contact blank.",
        tools: [{ tool: "Write", file: "incident/message.md" }],
      },
    ],
  },
  {
    name: "how long may we keep it",
    language: "en",
    steps: [
      {
        prompt: "Product wants churn analysis: for every customer that left in the last six years, which features they used in their final three months. The events are in the warehouse. Can you sketch the query?",
        answer: "The events table has one row per feature use with the account, the feature and the time, partitioned by day. For each account that left I'd join the day it was closed from `accounts`, take the 90 days before, and count uses by feature and week. On a year of data that is about 40 GB scanned. I'd materialise the closed accounts first, since they are only 22,000.",
        tools: [{ run: "bq show --schema warehouse.events", out: "account, feature, at" }],
      },
      {
        prompt: "Yes, and compare with a matched group of customers who stayed.",
        answer: "Matching by plan, size and age of the account at the time of closing works without anything exotic: five stayers for each leaver, drawn with a fixed seed. The query is in `churn.sql`, with the window as a parameter. I'd like to see how far back the events really reach before running it on everything.",
        tools: [{ tool: "Write", file: "churn.sql" }],
      },
      {
        prompt: "Run it on everything.",
        answer: "The run gave 4,100 leavers instead of 22,000, and the reason is not the query. Events older than 14 months don't exist: the retention job deletes them each night, and it does so because the data processing agreement that we sign with every customer promises deletion of usage data after 14 months and, for a closed account, after 60 days. I found the clause in `legal/dpa-v3.md`, section 7. So an analysis over six years cannot be done with our data, and of the final three months of a closed account only what is exported within 60 days of closing may be kept, and only as counts.",
        tools: [{ run: "bq query < churn.sql", out: "4100 rows" }, { run: "grep -rn 14 legal/dpa-v3.md", out: "7.2 Usage data is erased after fourteen (14) months" }],
        label: "constraint_discovered",
      },
      {
        prompt: "Damn. Could we have anonymised them?",
        answer: "In the future, yes: counts per feature and month without the account, made before the deletion, are outside of the clause. For the past it is too late, the rows are gone from the backups as well after 35 days.",
      },
      {
        prompt: "Then set up a monthly job that keeps the counts, and run the analysis on the 14 months.",
        answer: "The job `usage_counts` runs on the first of each month and keeps counts by feature, plan and size, with groups below ten accounts merged. The analysis on 14 months is in `churn_14m.csv`: 4,100 leavers and 20,500 stayers. I added the clause to the head of the query, so that nobody wonders.",
        tools: [{ tool: "Write", file: "jobs/usage_counts.sql" }, { run: "bq query < churn.sql > churn_14m.csv", out: "24600 rows" }],
      },
    ],
  },
];
