// The page's Worth: the figures of `stats` as plots, tables and files, by mouse and by keyboard.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { makeMemory } from "../../support/made-memory.ts";
import { assertForEverybody, inBrowser, openPage } from "../browser.ts";
import type { Scenario } from "../scenario.ts";

const figure = (page: Page, title: string) =>
  page
    .locator("figure.plot")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) });

/** Saves by the button, and gives what was saved. */
async function saved(page: Page, button: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

export const pageSavingsScenarios: Scenario[] = [
  {
    name: "page: savings plot what stats counts; each plot is a table, a CSV file and a picture too",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      await memoir.run("server", "stop");
      await makeMemory(memoir.home, { days: 40, end: Date.now() });
      const stats = await memoir.json<{
        total: Record<string, number>;
        byDay: Array<{ key: string; sessions: number; prompts: number }>;
        savings: { used: { count: number; ways: Record<string, number>; events: object[] } };
      }>("stats", "--since", "90d");
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/savings?range=90d`);
        await page.locator(".uplot").first().waitFor();
        await assertForEverybody(page);
        const legend = await figure(page, "Captured").locator(".plot-legend").textContent();
        assert.equal(
          legend,
          `In allSessions ${stats.total.sessions}Prompts ${stats.total.prompts}`,
        );

        // One count of uses, wherever it stands; and each of them opens.
        const { count, ways, events } = stats.savings.used;
        assert.ok(count > 0 && count === Object.values(ways).reduce((sum, one) => sum + one, 0));
        await page.locator(".totals").getByText(`${count} times`, { exact: true }).waitFor();
        const given = await figure(page, "Contexts").locator(".plot-legend").textContent();
        assert.equal(given, `In allContexts given ${stats.total.injections}Uses ${count}`);
        await page.getByRole("button", { name: "What was used" }).click();
        assert.equal(await page.locator(".unfolded li").count(), events.length);

        const slider = figure(page, "Captured").getByRole("slider");
        await slider.focus();
        await page.keyboard.press("End");
        const last = stats.byDay[0] ?? assert.fail("no day");
        await page.keyboard.press("Home");
        await page.keyboard.press("End");
        const spoken = await slider.getAttribute("aria-valuetext");
        assert.match(spoken ?? "", /\d{4}: Sessions \d+, Prompts \d+$/);

        const csv = await saved(page, "CSV of “Captured”");
        assert.match(csv.name, /^memoir-captured-[\d-]+\.csv$/);
        const lines = csv.content.toString().trim().split("\r\n");
        assert.equal(lines[0], "day,Sessions,Prompts");
        assert.equal(lines.length, 91);
        assert.ok(lines.includes(`${last.key},${last.sessions},${last.prompts}`));
        const png = await saved(page, "PNG of “Captured”");
        assert.equal(png.content.subarray(1, 4).toString(), "PNG");
        assert.ok(png.content.length > 2_000);

        await figure(page, "Captured").getByRole("button", { name: "Table" }).click();
        await page.waitForURL("**/savings?range=90d&table=captured");
        const row = figure(page, "Captured").locator("tbody tr").nth(1);
        assert.deepEqual((await row.locator("td").allTextContents()).map(Number), [
          last.sessions,
          last.prompts,
        ]);
        await assertForEverybody(page);

        await page.getByRole("button", { name: "7 days" }).click();
        await page.waitForURL("**/savings?range=7d&table=captured");
        await page.goBack();
        await page.waitForURL("**/savings?range=90d&table=captured");
        await page.getByRole("button", { name: "90 days", pressed: true }).waitFor();
        await page.goto(`${origin}/savings?from=2001-01-01&to=2001-02-01`);
        await page.getByText("Nothing to count yet").waitFor();
        await assertForEverybody(page);
        assert.deepEqual(complaints, []);
      });
    },
  },
];
