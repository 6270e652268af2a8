// Long lists in the page: a page at a time, few rows drawn at once, and back where one was.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { makeMemory } from "../../support/made-memory.ts";
import { inBrowser, openPage } from "../browser.ts";
import type { Scenario } from "../scenario.ts";
import { until } from "../until.ts";

/** More rows than these are never drawn at once. */
const mostDrawn = 220;

/** Scrolls down until the list ends; gives how many rows were drawn at most, and all addresses that were met. */
async function toTheEnd(page: Page): Promise<{ most: number; met: Set<string> }> {
  const met = new Set<string>();
  let most = 0;
  await until("the end of the list", async () => {
    const { links, atEnd } = await page.evaluate(() => {
      const links = [...document.querySelectorAll<HTMLAnchorElement>("a.hit")];
      const { scrollHeight } = document.documentElement;
      const atEnd =
        scrollY + innerHeight >= scrollHeight - 2 && document.querySelector(".list-end") !== null;
      scrollBy(0, innerHeight);
      return { links: links.map(({ href }) => href), atEnd };
    });
    for (const link of links) met.add(link);
    most = Math.max(most, links.length);
    return atEnd;
  });
  return { most, met };
}

export const pageScaleScenarios: Scenario[] = [
  {
    name: "page: a long list is drawn as it is scrolled, whole, and the back button leads back into it",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      await memoir.run("server", "stop");
      await makeMemory(memoir.home, { days: 80, end: Date.now(), perDay: 6 });
      await memoir.settle();
      const { sessions } = await memoir.ask<{ sessions: Array<{ id: string }> }>(
        "/api/sessions?limit=500",
      );
      assert.ok(sessions.length > 300);
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/memory`);
        await page.locator("a.hit").first().waitFor();
        const { most, met } = await toTheEnd(page);
        assert.ok(most < mostDrawn, `${most} rows were drawn at once`);
        assert.equal(met.size, sessions.length, "every session was met");

        const last = page.locator(`a.hit[href="/session/${sessions.at(-1)?.id}"]`);
        await last.focus();
        const before = await page.evaluate(() => scrollY);
        assert.ok(before > 5_000);
        await page.keyboard.press("Enter");
        await page.locator(".step").first().waitFor();
        assert.equal(await page.evaluate(() => scrollY), 0);
        await page.goBack();
        await last.and(page.locator(":focus")).waitFor();
        // Rows above are measured as they are drawn, and move it meanwhile.
        let after = 0;
        await until(
          `the list is where it was, at ${before}`,
          async () => {
            after = await page.evaluate(() => scrollY);
            return Math.abs(after - before) < 300;
          },
          () => `it is at ${after}`,
        );

        await page.goto(`${origin}/search?kind=observation`);
        await page.locator("a.hit").first().waitFor();
        const found = await toTheEnd(page);
        assert.ok(found.met.size > 200, `${found.met.size} were found by scrolling`);
        assert.ok(found.most < mostDrawn);
        assert.deepEqual(complaints, []);
      });
    },
  },
];
