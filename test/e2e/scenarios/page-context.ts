// What agents are told, on the page: line by line with its source, and corrected there; what is taken back stays possible after a reload.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { EndlessMetrics } from "../../../src/runtime/endless/metrics.ts";
import { assertForEverybody, inBrowser, openPage } from "../browser.ts";
import { assertUnharmed } from "../expect.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { until } from "../until.ts";
import type { World } from "../world.ts";
import { fixOutcome, fixSession, shopFiles } from "./shop.ts";

/** Prints the log without being a command that prints files. */
const replayScript = 'while IFS= read -r line; do printf "%s\\n" "$line"; done < replay.log\n';

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const line = (page: Page, words: string) =>
  page.locator("main .lines li").filter({ hasText: words }).first();

/** What a session would be told, by the command line. */
async function context(memoir: Memoir, cwd: string): Promise<string> {
  return (await memoir.json<{ context: string }>("context", "--cwd", cwd)).context;
}

async function remembered(world: World) {
  const memoir = await world.install();
  const shop = await world.project("shop", shopFiles);
  const fixed = await fixSession(shop);
  assertUnharmed(fixed);
  await memoir.settle();
  const [turn] = (await memoir.records(fixed.ids[0] ?? "")).turns;
  return { memoir, shop, turn: turn ?? assert.fail("no turn") };
}

export const pageContextScenarios: Scenario[] = [
  {
    name: "page: what agents are told, line by line; always, never, wrong, and an undo that a reload leaves",
    needs: "chromium",
    async run(world) {
      const { memoir, shop, turn } = await remembered(world);
      await inBrowser(world, async ({ context: browser, page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.getByRole("link", { name: "Context", exact: true }).click();
        await line(page, turn.id).waitFor();
        const before = await context(memoir, shop.root);
        for (const said of await page
          .locator("main .lines:not(.omitted) .row > .said")
          .allTextContents())
          for (const part of said.split("\n"))
            assert.ok(
              before.replaceAll("`", "").includes(part),
              `${part} is not what the command line says`,
            );
        assert.ok(before.includes(fixOutcome) && before.includes(turn.id), before);
        await assertForEverybody(page);

        await page.locator(`main .lines a[href="/record/${turn.id}"]`).first().click();
        await page.waitForURL(`**/record/${turn.id}`);
        await button(page, "Hide").waitFor();
        await page.goBack();

        await button(page, `Pin: ${turn.id}`).first().click();
        await page.locator("main .reason", { hasText: "Pinned by the user" }).first().waitFor();
        await page.locator(`[aria-label="Unpin: ${turn.id}"]`).first().waitFor();
        assert.match(await context(memoir, shop.root), /Pinned by the user/);
        await button(page, "Undo").click();
        await page
          .getByRole("heading", { name: "Pinned by the user" })
          .waitFor({ state: "detached" });
        assert.doesNotMatch(await context(memoir, shop.root), /Pinned by the user/);

        await button(page, `Hide: ${turn.id}`).first().click();
        await page.locator(".undo").getByText(`Hidden from agents: ${turn.id}`).waitFor();
        await page
          .locator(`main .lines a[href="/record/${turn.id}"]`)
          .first()
          .waitFor({ state: "detached" });
        assert.ok(!(await context(memoir, shop.root)).includes(`${turn.id} `));
        await assertForEverybody(page);
        await page.reload();
        const other = await browser.newPage();
        await other.goto(`${origin}/memory`);
        await button(page, "Undo").click();
        await line(page, turn.id).waitFor();
        await other.locator(".undo").waitFor({ state: "hidden" });
        assert.equal(await context(memoir, shop.root), before);

        assert.equal(await button(page, `Edit: ${turn.id}`).count(), 0, "evidence is not edited");
        await page.getByLabel("With a prompt").fill("Why was the discount subtracted twice?");
        const asked = page.getByRole("region", { name: "With this prompt" });
        await asked.locator(".lines li").first().waitFor();
        await until("the prompt is in the address", () => page.url().includes("prompt=Why"));
        await page.getByLabel("With a prompt").fill("zebra migration in the savannah");
        await asked.getByText("no earlier session says enough").waitFor();
        await page.getByLabel("Folder").fill("/nowhere/of/anybody");
        await page.keyboard.press("Enter");
        await page.getByText("memory has nothing for this project").waitFor();
        assert.deepEqual(complaints, []);
      });
    },
  },
  {
    name: "page: what is told wrongly is written right where it is told, and undone after a reload",
    needs: "chromium",
    async run(world) {
      const { memoir, shop, turn } = await remembered(world);
      const { session, project } = turn;
      const item = { kind: "decisions", content: "Prices are kept in cents", context: "" };
      const record = { ...item, ...{ session, project, state: "standing", date: "2026-11-01" } };
      const file = join(world.dir, "decided.jsonl");
      const lines = [
        { memoir: "export", version: 1, time: "2026-11-01T00:00:00.000Z", by: "a test" },
        { kind: "memory", record },
        { memoir: "end", records: 1 },
      ];
      await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
      assert.equal((await memoir.run("memory", "import", file)).code, 0);
      await inBrowser(world, async ({ page }) => {
        await openPage(memoir, page);
        await page.getByRole("link", { name: "Context", exact: true }).click();
        const told = line(page, "Prices are kept in cents");
        await told.waitFor();
        await told.getByRole("button", { name: /^Edit/ }).click();
        await page.getByLabel("Content", { exact: true }).fill("Prices are kept in euros");
        await button(page, "Save").click();
        await line(page, "Prices are kept in euros").waitFor();
        assert.match(await context(memoir, shop.root), /Prices are kept in euros/);
        await page.reload();
        await button(page, "Undo").click();
        await line(page, "Prices are kept in cents").waitFor();
        assert.doesNotMatch(await context(memoir, shop.root), /euros/);
      });
    },
  },
  {
    name: "page: a session says what it was told and when, and gives back what Endless Mode removed from it",
    needs: "chromium",
    async run(world) {
      const config = {
        slots: { "endless-mode": ["live"] },
        endless: { everywhere: ["live"] },
        plugins: { live: { early: "all" } },
      };
      const memoir = await world.install({ config });
      const log = Array.from({ length: 300 }, (_, at) => `10:00 INFO replayed order ${at}`);
      const files = { "replay.log": `${log.join("\n")}\n`, "replay.sh": replayScript };
      const shop = await world.project("shop", { ...shopFiles, ...files });
      assertUnharmed(await fixSession(shop));
      await memoir.settle();
      const replay = use("Bash", { command: "sh replay.sh", description: "Replay" });
      const second = await shop.session({
        prompts: ["Why was the discount subtracted from the price?"],
        script: { main: [turn(replay), turn("It was subtracted twice.")] },
      });
      assertUnharmed(second);
      await memoir.settle();
      const [session = ""] = second.ids;
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/session/${session}`);
        const atStart = page.getByRole("button", { name: /^Given at the start: / });
        await atStart.click();
        await page.locator(".conversation > .folded li a").first().waitFor();
        const step = page.locator("#prompt-1");
        await step.getByRole("button", { name: /^Removed by Endless Mode/ }).click();
        await step.getByRole("button", { name: /^Show all of it: / }).click();
        await page.getByRole("dialog").getByText("10:00 INFO replayed order 150").waitFor();
        await assertForEverybody(page);
        await button(page, "Close").last().click();
        await page.locator("dialog").waitFor({ state: "detached" });
        await assertForEverybody(page);
        await page.locator(".conversation > .folded li a").first().click();
        await page.waitForURL("**/record/**");
        assert.deepEqual(complaints, []);
      });
      const { notes } = await memoir.json<EndlessMetrics>("endless", "metrics");
      assert.ok(!notes.some(({ kind }) => kind === "recalled"), "a look is no fetching back");
    },
  },
];
