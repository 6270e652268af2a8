// The page's routes for scripts: found, opened by an address of their own, and asked as it says.
import assert from "node:assert/strict";
import { assertForEverybody, inBrowser, openPage } from "../browser.ts";
import type { Scenario } from "../scenario.ts";

export const pageRoutesScenarios: Scenario[] = [
  {
    name: "page: every route is told with its fields and an example that the server answers",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/settings/api#get_api_search`);
        const route = page.locator("details#get_api_search[open]");
        await route.waitFor();
        await assertForEverybody(page);
        const { paths } = await memoir.ask<{ paths: Record<string, object> }>("/api/openapi.json");
        const count = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
        assert.equal(await page.locator("details.route").count(), count);
        const command = (await route.locator(".route-code").first().textContent()) ?? "";
        const asked = /'http:\/\/memoir([^']+)'/.exec(command)?.[1] ?? assert.fail(command);
        assert.deepEqual(await memoir.ask(asked), { results: [] });

        await page.getByLabel("Find a route").fill("forget");
        await page.waitForURL("**/settings/api?q=forget");
        await page.getByText("1 route of memoir").waitFor();
        await page.locator("summary").click();
        await page.getByRole("link", { name: "Link to this route" }).click();
        await page.waitForURL("**/settings/api?q=forget#post_api_forget");
        assert.deepEqual(complaints, []);
      });
    },
  },
];
