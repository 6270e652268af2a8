// What stands, and many at once, on the page: confirmed, edited, merged, retired, pinned, deleted; the way back outlasts a reload.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { MemoryItem } from "../../../src/sdk/model.ts";
import { assertForEverybody, inBrowser, openPage } from "../browser.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { until } from "../until.ts";
import type { World } from "../world.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const row = (page: Page, words: string) => page.locator(".hits > li").filter({ hasText: words });
const project = { id: "github.com/acme/shop", name: "shop", root: "/shop" };
const session = "standing-session";

/** memoir, with a session and what was said in it. */
async function remembered(world: World): Promise<Memoir> {
  const memoir = await world.install();
  const time = Date.UTC(2026, 10, 1, 9);
  const item = (kind: string, content: string, state: string, day: number) => ({
    kind: "memory",
    record: {
      ...{ kind, content, state, context: "Said in prompt 1", quote: `I said: ${content}` },
      ...{ session, project: project.id, date: `2026-10-0${day}` },
    },
  });
  const lines = [
    { memoir: "export", version: 1, time: new Date(time).toISOString(), by: "a test" },
    {
      kind: "session",
      record: {
        ...{ id: session, client: "claude-code", project, title: "Cents", subtitle: "" },
        ...{ prompts: 1, status: "ended", startedAt: time, lastActiveAt: time, endedAt: time },
      },
    },
    item("decisions", "Prices are integer cents", "standing", 4),
    item("decisions", "Amounts are whole cents", "candidate", 3),
    item("preferences", "Tests come first", "candidate", 2),
    item("facts", "Staging is reset on Sundays", "standing", 1),
    { memoir: "end", records: 5 },
  ];
  const file = join(world.dir, "standing.jsonl");
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  assert.equal((await memoir.run("memory", "import", file)).code, 0);
  return memoir;
}

/** The items by what they say. */
async function itemsOf(memoir: Memoir): Promise<Map<string, MemoryItem>> {
  const { items } = await memoir.ask<{ items: MemoryItem[] }>("/api/memory");
  return new Map(items.map((item) => [item.content, item]));
}

export const pageDecisionsScenarios: Scenario[] = [
  {
    name: "page: what stands is confirmed, edited, merged and retired, and taken back after a reload",
    needs: "chromium",
    async run(world) {
      const memoir = await remembered(world);
      const item = async (content: string) => (await itemsOf(memoir)).get(content);
      await inBrowser(world, async ({ page, complaints }) => {
        await openPage(memoir, page);
        await page.getByRole("link", { name: "Decisions", exact: true }).click();
        await row(page, "I said: Tests come first").waitFor();
        assert.equal(await page.locator(".hits > li").count(), 4);
        await assertForEverybody(page);

        const tests = row(page, "Tests come first");
        await tests.getByRole("button", { name: /^Confirm/ }).click();
        await tests.getByText("confirmed by you").waitFor();
        // The list may know of the change before the answer to the click has come.
        await page.locator(".undo").getByText("Confirmed: ").waitFor();
        assert.equal((await item("Tests come first"))?.state, "standing");
        await page.reload();
        await button(page, "Undo").click();
        await tests.getByText("suggested, not confirmed by you").waitFor();
        assert.equal((await item("Tests come first"))?.state, "candidate");

        await page.getByLabel(/^Select .*: Prices are integer cents/).click();
        await page.getByLabel(/^Select .*: Amounts are whole cents/).click();
        await button(page, "Merge…").click();
        await page.getByLabel("In these words").fill("Amounts are integer cents");
        await assertForEverybody(page);
        await button(page, "Merge").click();
        await row(page, "Amounts are integer cents").waitFor();
        await row(page, "Amounts are whole cents").waitFor({ state: "detached" });
        const kept = (await item("Amounts are integer cents"))?.id ?? "none";
        assert.equal((await item("Amounts are whole cents"))?.merged, kept);
        await page.getByLabel("state").selectOption("retired");
        await page.waitForURL("**/decisions?state=retired");
        await row(page, "Amounts are whole cents").getByText(`merged into ${kept}`).waitFor();
        await page.locator(".undo").getByText(`merged into ${kept}`).waitFor();
        await page.reload();
        await button(page, "Undo").click();
        await page.getByText("Nothing matches. Clear").waitFor();
        await page.goBack();
        await row(page, "Prices are integer cents").waitFor();
        await row(page, "Amounts are whole cents").waitFor();

        await row(page, "Staging").getByRole("button", { name: /^Hide/ }).click();
        await row(page, "Staging").waitFor({ state: "detached" });
        assert.equal((await item("Staging is reset on Sundays"))?.hidden, true);
        await page.locator(".undo").getByText("Hidden from agents").waitFor();
        await button(page, "Undo").click();
        await row(page, "Staging").waitFor();
        assert.deepEqual(complaints, []);
      });
    },
  },
  {
    name: "page: many at once, by mouse and by keyboard: pinned, hidden, taken back, deleted for good",
    needs: "chromium",
    async run(world) {
      const memoir = await remembered(world);
      const marked = async (mark: "pinned" | "hidden") =>
        [...(await itemsOf(memoir)).values()].filter((item) => item[mark]).length;
      await inBrowser(world, async ({ context, page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/search?kind=memory`);
        await page.locator(".hits > li").nth(3).waitFor();
        for (const at of [0, 1]) {
          await page.locator("a.hit").nth(at).focus();
          await page.keyboard.press("x");
        }
        await page.getByText("2 records selected").waitFor();
        await assertForEverybody(page);
        await button(page, "Pin all").click();
        await until("two are pinned", async () => (await marked("pinned")) === 2);
        await page.getByText("2 records selected").waitFor({ state: "detached" });
        await page.locator(".word.pinned").nth(1).waitFor();
        await page.reload();
        await button(page, "Undo").click();
        await page.locator(".word.pinned").first().waitFor({ state: "detached" });
        assert.equal(await marked("pinned"), 0);

        await page.locator(".pick").nth(0).click();
        await page.locator(".pick").nth(1).click();
        await page.keyboard.press("Escape");
        await page.locator(".many").waitFor({ state: "detached" });
        for (const at of [0, 1, 2]) await page.locator(".pick").nth(at).click();
        await button(page, "Hide all").click();
        await until("three are hidden", async () => (await marked("hidden")) === 3);
        await button(page, "Undo").click();
        await until("none is hidden", async () => (await marked("hidden")) === 0);

        const other = await context.newPage();
        await other.goto(`${origin}/decisions`);
        await other.locator(".hits > li").nth(3).waitFor();
        // What is hidden goes away with the focus: the entry in its place gets it.
        const [, second, third] = await other.locator(".hits a.content").allTextContents();
        await other.keyboard.press("j");
        await other.keyboard.press("j");
        for (const next of [second, third]) {
          const here = other.locator("a.content:focus", { hasText: next ?? "" });
          await here.waitFor();
          await other.keyboard.press("h");
          await here.waitFor({ state: "detached" });
        }
        assert.equal(await marked("hidden"), 2);
        for (const left of [1, 0]) {
          const change = other.locator(".undo span", { hasText: "Hidden from agents" });
          const said = (await change.textContent()) ?? "";
          await other.keyboard.press("u");
          await until("one more is shown", async () => (await marked("hidden")) === left);
          await change.filter({ hasText: said }).waitFor({ state: "detached" });
        }
        await other.locator(".pick").nth(0).click();
        const words = (await other.locator(".hits > li.chosen strong").textContent()) ?? "";
        await other.bringToFront();
        const { id = "" } = (await itemsOf(memoir)).get(words) ?? {};
        await memoir.json("memory", "forget", id, "--yes");
        await button(other, "Hide all").click();
        await other.getByRole("alert").getByText(`There is no record ${id}`).waitFor();
        await button(other, "Clear selection").click();

        await page.bringToFront();
        await page.reload();
        await page.locator(".pick").nth(2).waitFor();
        await page.locator(".pick").nth(0).click();
        await page.locator(".pick").nth(1).click();
        await button(page, "Delete all…").click();
        await page.locator(".going li").nth(1).waitFor();
        await assertForEverybody(page);
        assert.equal((await itemsOf(memoir)).size, 3, "nothing went yet");
        await button(page, "Delete permanently").click();
        await page.getByText("2 records deleted").waitFor();
        await button(page, "Close").first().click();
        await until("one is left", async () => (await page.locator(".pick").count()) === 1);
        assert.equal((await itemsOf(memoir)).size, 1);
        assert.deepEqual(
          complaints.filter((one) => !one.includes("404")),
          [],
        );
      });
    },
  },
];
