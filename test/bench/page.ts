// The page in a real Chromium: when the first rows stand, whether it stutters while events come in or a long session is scrolled, what is shipped, and what an open page costs a hook.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium, type Page } from "playwright-core";
import { bundlePage } from "../../src/release/page.ts";
import { sampleSession, sampleTurn } from "../../src/testing/samples.ts";
import { withoutProgram } from "../e2e/debian-package.ts";
import { turnSessions } from "../support/synthetic-turns.ts";
import { type Figure, median } from "./figures.ts";
import { fillRecords } from "./filled-records.ts";
import { promptPayload, readPayload } from "./payloads.ts";
import { cpuMs } from "./process-cost.ts";
import type { SearchOptions } from "./search.ts";
import { type ServedHome, withHome } from "./served-home.ts";

const part = "page";
/** A turn comes with its prompt, summary and observations. */
const recordsInTurn = 4;
const sizes = [10_000, 100_000] as const;
const opened = 7;
const perSecond = 50;
const busySeconds = 8;
/** Tool uses with the page open, and with it closed, in turns. */
const blocks = 10;
const inBlock = 60;
/** As hooks come: not one upon the other. */
const betweenMs = 30;

const views = [
  { name: "memory", path: "/memory" },
  { name: "search", path: "/search" },
  { name: "search for words", path: "/search?q=cache+token" },
] as const;

/** All figures of the page; without a browser what is shipped alone. */
export async function benchPage({ homes }: SearchOptions): Promise<Figure[]> {
  const figures = await shipped();
  const missing = await withoutProgram("chromium");
  if (missing !== undefined) {
    console.error(`page: the rest is skipped: ${missing}`);
    return figures;
  }
  return withHome(async ({ home }) => {
    const folder = homes ?? home;
    for (const records of sizes) {
      const place = await filled(folder, records);
      figures.push(...(await withHome((served) => opening(served, records), place)));
    }
    figures.push(...(await withHome(working, await filled(folder, sizes[0]))));
    return [...figures, await withHome(scrolling, await longSession(folder))];
  });
}

async function shipped(): Promise<Figure[]> {
  const { "app.js": script, "app.css": style } = await bundlePage();
  const target = { limit: 150, better: "lower" as const };
  return [
    { part, name: "script, compressed", value: gzipSync(script).length / 1e3, unit: "KB", target },
    { part, name: "styles, compressed", value: gzipSync(style).length / 1e3, unit: "KB" },
  ];
}

async function filled(folder: string, records: number): Promise<string> {
  const place = join(folder, `page-${records}`);
  const path = join(place, "memory.db");
  await mkdir(place, { recursive: true });
  if (!existsSync(path))
    await fillRecords(path, turnSessions({ turns: records / recordsInTurn, end: Date.now() }));
  return place;
}

/** Prompts of a session that nobody reads in one sitting. */
const long = { id: "long", turns: 3_000 };

async function longSession(folder: string): Promise<string> {
  const place = join(folder, "page-long");
  const path = join(place, "memory.db");
  await mkdir(place, { recursive: true });
  if (existsSync(path)) return place;
  const minute = 60_000;
  const startedAt = Date.now() - (long.turns + 1) * minute;
  const turns = Array.from({ length: long.turns }, (_, at) => {
    const time = startedAt + at * minute;
    const failed = { kind: "failure" as const, about: "bun test", text: "error: 3 is not 4" };
    return sampleTurn({
      ...{ session: long.id, promptNumber: at + 1, startedAt: time, time: time + minute / 2 },
      pieces: [
        { kind: "prompt", text: `Step ${at}: why does the report count twice?` },
        ...(at % 3 === 0 ? [failed] : []),
        { kind: "closing", text: "It **added** twice.\n\n```ts\nexport const sum = 1;\n```" },
      ],
    });
  });
  const sessions = [sampleSession({ id: long.id, startedAt, lastActiveAt: Date.now() })];
  await fillRecords(path, [{ sessions, turns }]);
  return place;
}

/** A browser with a session of the page. */
async function inPage<Value>(
  home: ServedHome,
  use: (page: Page, origin: string) => Promise<Value>,
): Promise<Value> {
  const browser = await chromium.launch({
    executablePath: Bun.which("chromium") ?? "",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
    const { address } = JSON.parse(await home.ask("/api/page/code", "{}"));
    await page.addInitScript(watchPage);
    await page.goto(address);
    await page.locator(".hit, .empty").first().waitFor();
    return await use(page, new URL(address).origin);
  } finally {
    await browser.close();
  }
}

/** Runs in the page, before its own script: notes when the first row stands, and every task that holds it up. */
function watchPage(): void {
  const seen: { rows?: number; tasks: number[] } = { tasks: [] };
  Object.assign(globalThis, { seen });
  new MutationObserver((_, watch) => {
    if (!document.querySelector("a.hit")) return;
    watch.disconnect();
    requestAnimationFrame(() => {
      seen.rows = performance.now();
    });
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration);
  }).observe({ type: "longtask" });
}

/** What `watchPage` noted. */
const noted = (page: Page) =>
  page.evaluate(() => Reflect.get(globalThis, "seen") as { rows: number; tasks: number[] });

async function opening(home: ServedHome, records: number): Promise<Figure[]> {
  await home.start();
  using empty = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: () => new Response("<!doctype html><p>.", { headers: { "content-type": "text/html" } }),
  });
  return await inPage(home, async (page, origin) => {
    const paints: Record<"page" | "empty", number[]> = { page: [], empty: [] };
    for (let time = 0; time < opened; time++)
      for (const [which, address] of [
        ["empty", `http://127.0.0.1:${empty.port}/`],
        ["page", `${origin}/memory`],
      ] as const) {
        await page.goto(address);
        paints[which].push(await firstPaint(page));
      }
    const figures: Figure[] = [
      {
        ...{
          part,
          name: `first paint over an empty page, ${records.toLocaleString("en")} records`,
        },
        value: median(paints.page) - median(paints.empty),
        ...{ unit: "ms", target: { limit: 100, better: "lower" } },
      },
    ];
    for (const { name, path } of views) {
      const times: number[] = [];
      for (let time = 0; time < opened; time++) {
        await page.goto(origin + path);
        await page.waitForFunction(() => Reflect.get(globalThis, "seen").rows !== undefined);
        times.push((await noted(page)).rows);
      }
      figures.push({
        ...{ part, name: `first rows of ${name}, ${records.toLocaleString("en")} records` },
        ...{ value: median(times), unit: "ms", target: { limit: 300, better: "lower" } },
      });
    }
    return figures;
  });
}

/** When anything was painted, in ms after the address was asked for. */
async function firstPaint(page: Page): Promise<number> {
  const name = "first-contentful-paint";
  await page.waitForFunction((of) => performance.getEntriesByName(of).length > 0, name);
  return page.evaluate((of) => performance.getEntriesByName(of)[0]?.startTime ?? 0, name);
}

/** The longest task while the long session is scrolled, with what follows loaded meanwhile: by the thread's own time, which others' work does not add to. */
async function scrolling(home: ServedHome): Promise<Figure> {
  await home.start();
  return inPage(home, async (page, origin) => {
    await page.goto(`${origin}/session/${long.id}`);
    await page.locator(".step").first().waitFor();
    await page.mouse.move(700, 500);
    const tasks = await tracedTasks(page, async () => {
      for (let step = 0; step < 200; step++) {
        await page.mouse.wheel(0, 1_500);
        await Bun.sleep(30);
      }
    });
    return {
      ...{ part, name: "longest task while a session of 3,000 turns is scrolled", unit: "ms" },
      ...{ value: Math.max(0, ...tasks), target: { limit: 50, better: "lower" } },
    };
  });
}

/** What each task of the page's thread took of the processor while `act` went on, in ms. */
async function tracedTasks(page: Page, act: () => Promise<void>): Promise<number[]> {
  type Traced = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } };
  const client = await page.context().newCDPSession(page);
  const events: Traced[] = [];
  client.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as Traced[])));
  await client.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "__metadata"] },
  });
  await act();
  const complete = new Promise((resolve) => client.once("Tracing.tracingComplete", resolve));
  await client.send("Tracing.end");
  await complete;
  const threadOf = ({ pid, tid }: Traced) => `${pid} ${tid}`;
  const named = events.filter(
    ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain",
  );
  const threads = new Set(named.map(threadOf));
  return events
    .filter((one) => one.name.endsWith("RunTask") && threads.has(threadOf(one)))
    .map(({ tdur = 0 }) => tdur / 1_000);
}

let serial = 0;
const session = () => `page-${Math.floor(serial / 50)}`;
async function post(home: ServedHome): Promise<void> {
  if (serial % 50 === 0)
    await home.ask("/hook/claude-code", promptPayload(session(), "Read the routes"));
  await home.ask("/hook/claude-code", readPayload(session(), serial++));
}

async function working(home: ServedHome): Promise<Figure[]> {
  const pid = await home.start();
  return inPage(home, async (page, origin) => [
    await machineItself(home, page),
    await busy(home, page, `${origin}/settings/activity`, "Activity", async () => {}),
    await busy(home, page, `${origin}/memory`, "Memory, scrolled", (step) =>
      page.mouse.wheel(0, step % 8 < 6 ? 600 : -600),
    ),
    await busy(home, page, `${origin}/search`, "Search, typed into", async (step) => {
      const words = "invoice session cache token ";
      await page.keyboard.type(words[step % words.length] ?? "");
    }),
    ...(await hookCost(home, pid, page, origin)),
  ]);
}

/** The longest task of a page that somebody uses while events come in; what its loading took is not counted. */
async function busy(
  home: ServedHome,
  page: Page,
  address: string,
  name: string,
  act: (step: number) => Promise<void>,
): Promise<Figure> {
  await page.goto(address);
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle", { timeout: 2_000 }).catch(() => undefined);
  return {
    ...{ part, name: `longest task at ${perSecond} events a second: ${name}`, unit: "ms" },
    value: await longestTask(home, page, act),
    target: { limit: 50, better: "lower" },
  };
}

/** What a task of 10 ms takes on this machine while the same events come in: more than that is others' work, not the page's. */
async function machineItself(home: ServedHome, page: Page): Promise<Figure> {
  await page.goto("about:blank");
  await page.evaluate(() => {
    let rest = 0;
    const work = () => {
      for (let turn = 0; turn < 400_000; turn++) rest = (rest * 31 + turn) % 1_000_003;
      Reflect.set(globalThis, "rest", rest);
    };
    const begin = performance.now();
    work();
    const times = Math.max(1, Math.round(10 / (performance.now() - begin)));
    setInterval(() => {
      for (let time = 0; time < times; time++) work();
    }, 40);
  });
  return {
    ...{ part, name: "longest task of a page that works 10 ms at a time, for comparison" },
    ...{ value: await longestTask(home, page, async () => {}), unit: "ms" },
  };
}

/** While events come in and `act` goes on; 0 where none took 50 ms. */
async function longestTask(
  home: ServedHome,
  page: Page,
  act: (step: number) => Promise<void>,
): Promise<number> {
  await page.evaluate(() => {
    Reflect.get(globalThis, "seen").tasks.length = 0;
  });
  const begin = performance.now();
  const total = perSecond * busySeconds;
  let step = 0;
  const acting = (async () => {
    while (performance.now() - begin < busySeconds * 1_000) {
      await act(step++);
      await Bun.sleep(120);
    }
  })();
  for (let sent = 0; sent < total; sent++) {
    const due = begin + (sent * 1_000) / perSecond;
    if (due > performance.now()) await Bun.sleep(due - performance.now());
    await post(home);
  }
  await acting;
  const { tasks } = await noted(page);
  return Math.max(0, ...tasks);
}

/** The time of a hook, and what it takes of the server, with the page open over those without, by turns in one run. */
async function hookCost(
  home: ServedHome,
  pid: number,
  page: Page,
  origin: string,
): Promise<Figure[]> {
  const times = { open: [] as number[], closed: [] as number[] };
  const cpu = { open: 0, closed: 0 };
  for (let block = 0; block < blocks; block++) {
    const which = block % 2 === 0 ? "closed" : "open";
    await page.goto(which === "open" ? `${origin}/memory` : "about:blank");
    if (which === "open") await page.locator("a.hit").first().waitFor();
    const before = cpuMs(pid) ?? Number.NaN;
    for (let time = 0; time < inBlock; time++) {
      const begin = performance.now();
      await post(home);
      times[which].push(performance.now() - begin);
      await Bun.sleep(betweenMs);
    }
    cpu[which] += (cpuMs(pid) ?? Number.NaN) - before;
  }
  return [
    {
      ...{ part, name: "a hook with a page open ÷ without: median", unit: "×" as const },
      value: median(times.open) / median(times.closed),
    },
    {
      ...{ part, name: "the server's CPU at 30 hooks a second, page open ÷ without" },
      ...{ value: cpu.open / cpu.closed, unit: "×" },
    },
  ];
}
