// The page's Timeline: bars and dots that lead on, zoomed and moved by mouse, wheel and keys, with all of it in the address.
import assert from "node:assert/strict";
import { makeMemory } from "../../support/made-memory.ts";
import { assertForEverybody, inBrowser, openPage } from "../browser.ts";
import type { Scenario } from "../scenario.ts";

export const pageTimelineScenarios: Scenario[] = [
  {
    name: "page: the timeline is zoomed, moved and read by wheel, keys and buttons, and its bars and dots lead on",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      await memoir.run("server", "stop");
      await makeMemory(memoir.home, { days: 20, end: Date.now(), perDay: 6 });
      await memoir.settle();
      const { sessions } = await memoir.ask<{ sessions: object[] }>("/api/sessions?limit=500");
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/timeline`);
        await page.locator("a.bar").first().waitFor();
        await page.locator("a.dot").first().waitFor();
        await assertForEverybody(page);

        const span = () => page.locator(".timeline-span").textContent();
        const week = await span();
        await page.getByRole("button", { name: "Month", exact: true }).click();
        await page.waitForURL("**/timeline?from=*&to=*");
        await page.locator(`a.bar >> nth=${sessions.length - 1}`).waitFor();
        assert.equal(
          await page.locator("a.bar").count(),
          sessions.length,
          "a bar for each session",
        );
        const month = page.url();
        await page.getByRole("button", { name: "Zoom in" }).click();
        await page.waitForURL((url) => url.href !== month);
        const zoomed = page.url();
        await page.goBack();
        await page.waitForURL(month);
        await page.goForward();
        await page.waitForURL(zoomed);

        await page.locator(".ruler").hover();
        await page.mouse.wheel(0, -400);
        await page.waitForURL((url) => url.href !== zoomed);
        const wheeled = page.url();
        await page.mouse.wheel(0, 400);
        await page.waitForURL((url) => url.href !== wheeled);
        assert.notEqual(await span(), week);

        await page.goto(`${origin}/timeline`);
        await page.locator("a.bar").first().waitFor();
        const tabbed = page.locator('.lane-items [tabindex="0"]');
        assert.equal(await tabbed.count(), 1, "Tab reaches one item");
        await tabbed.focus();
        const begin = await page.locator(":focus").getAttribute("href");
        await page.keyboard.press("ArrowRight");
        const next = await page.locator(":focus").getAttribute("href");
        assert.notEqual(next, begin);
        await page.keyboard.press("ArrowDown");
        assert.ok(await page.locator(".lane-items :focus").count());
        const before = page.url();
        await page.keyboard.press("-");
        await page.waitForURL((url) => url.href !== before);
        const wide = page.url();
        await page.keyboard.press("Shift+ArrowLeft");
        await page.waitForURL((url) => url.href !== wide);

        await page.goto(wide);
        const dot = page.locator("a.dot").last();
        await dot.waitFor();
        const record = await dot.getAttribute("href");
        await dot.focus();
        await page.keyboard.press("Enter");
        await page.waitForURL(`**${record}`);
        await page.getByText("In its session").waitFor();
        await page.goBack();
        const bar = page.locator("a.bar").last();
        await bar.waitFor();
        const session = await bar.getAttribute("href");
        await bar.focus();
        await page.keyboard.press("Enter");
        await page.waitForURL(`**${session}`);
        await page.locator(".step").first().waitFor();

        await page.goto(`${origin}/timeline?from=2025-11-01&to=2026-12-31`);
        const block = page.locator("button.block").last();
        await block.waitFor();
        await assertForEverybody(page);
        await block.click();
        await page.locator("a.bar").first().waitFor();
        await page.goto(`${origin}/timeline?from=2001-01-01&to=2001-02-01`);
        await page.getByText("Nothing in this time").waitFor();
        await assertForEverybody(page);
        assert.deepEqual(complaints, []);
      });
    },
  },
];
