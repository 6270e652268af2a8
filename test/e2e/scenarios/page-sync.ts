// Sharing as a person does it on the page, from the first space to leaving it: two machines, two browsers, one folder between them.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { assertForEverybody, inBrowser, openPage } from "../browser.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { until } from "../until.ts";
import { promptByHook } from "./page-live.ts";
import { elsewhere } from "./sync.ts";

const secret = "rosebud77";

/** Opens the tab of sync, and says how its buttons and fields are used. */
async function syncTab(memoir: Memoir, page: Page) {
  const origin = await openPage(memoir, page);
  await page.goto(`${origin}/settings/sync`);
  const dialog = page.getByRole("dialog");
  return {
    dialog,
    press: (name: string) => page.getByRole("button", { name, exact: true }).click(),
    answer: (name: string) => dialog.getByRole("button", { name, exact: true }).click(),
    fill: (label: string, text: string) => dialog.getByLabel(label, { exact: true }).fill(text),
    choose: (label: string, words: string) =>
      dialog.getByLabel(label, { exact: true }).selectOption({ label: words }),
    /** What was done has the focus, so that it is read out. */
    async said(words: string): Promise<void> {
      const line = page.locator('.actions > [role="status"]', { hasText: words });
      await line.waitFor();
      await until(`the focus is on: ${words}`, () =>
        line.evaluate((one) => one === document.activeElement),
      );
    },
    /** Beside the field, which has the focus. */
    async refused(label: string, words: string): Promise<void> {
      await dialog.locator(".option.refused", { hasText: words }).waitFor();
      const field = dialog.getByLabel(label, { exact: true });
      await until(`the focus is on: ${label}`, () =>
        field.evaluate((one) => one === document.activeElement),
      );
    },
  };
}

async function assertNowhere(memoir: Memoir, page: Page): Promise<void> {
  const kept = await page.evaluate(() =>
    [document.documentElement.outerHTML, location.href, JSON.stringify(localStorage)].join(),
  );
  const all = [kept, ...(await memoir.files()).values()];
  assert.equal(all.filter((text) => text.includes(secret)).length, 0, "the password is kept");
}

/** Whose a session is stands on it, and narrows the list; then back to where one was. */
async function madeByAda(page: Page): Promise<void> {
  const { href, origin } = new URL(page.url());
  await page.goto(`${origin}/memory`);
  await page.getByRole("link", { name: /^Ada on / }).click();
  assert.equal(new URL(page.url()).search, "?person=Ada");
  const madeBy = page.getByLabel("Made by", { exact: true });
  await page.locator("a.hit").waitFor();
  await assertForEverybody(page);
  await madeBy.selectOption({ label: "By you" });
  await page.getByText("No session matches.").waitFor();
  await page.goto(`${origin}/search?q=invoice`);
  await page.getByRole("link", { name: /^Ada on / }).waitFor();
  await page.goto(href);
}

export const pageSyncScenarios: Scenario[] = [
  {
    name: "page: a space is started, invited to, joined, shared in, and left again",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      const hub = join(world.dir, "hub");
      await mkdir(hub);
      const prompt = "Why does the invoice round down?";
      const closing = "It truncates cents; rounding half up is right.";
      await promptByHook(world, memoir, { session: "shared-session", prompt, closing });
      await memoir.settle();
      await inBrowser(world, async ({ page, complaints }) => {
        const ada = await syncTab(memoir, page);
        await ada.press("Start a space in PostgreSQL");
        await ada.fill("Connection string", `postgres://ada:${secret}@127.0.0.1:1/memoir`);
        await ada.answer("Start");
        await ada.refused("Connection string", "This cannot be the hub");
        await assertForEverybody(page);
        await page.keyboard.press("Escape");
        await until("the focus is back on what opened it", () =>
          page.evaluate(
            () => document.activeElement?.textContent === "Start a space in PostgreSQL",
          ),
        );
        await assertNowhere(memoir, page);

        await ada.press("Start a space in a folder");
        await ada.choose("For", "A team: nothing until you share it");
        await ada.fill("How others see you; without it your user name", "Ada");
        await ada.fill("Folder", "hub");
        await ada.answer("Start");
        await ada.refused("Folder", "hub is not the whole path of a folder.");
        await ada.fill("Folder", hub);
        await ada.answer("Start");
        await ada.said("Nothing is shared until you share its project.");
        await page.getByRole("heading", { name: "Team space 1 member" }).waitFor();

        await ada.press("Invite to: Team space");
        await ada.fill("How it is listed", "for Bo");
        await ada.answer("Make an invitation");
        const invitation = await ada.dialog.getByLabel("Invitation", { exact: true }).inputValue();
        assert.match(invitation, /^memoir-invitation-/);
        await assertForEverybody(page);
        await ada.answer("Copy");
        await ada.dialog.getByText(/^Copied\.$|^It is marked: /).waitFor();
        await ada.answer("Done");
        await ada.said("The invitation is in the list below.");
        await page.getByRole("row", { name: /for Bo/ }).waitFor();
        assert.ok(!(await page.content()).includes(invitation), "it is shown once");

        await elsewhere(world, memoir, async (second) => {
          const there = await second.install();
          await inBrowser(second, async ({ page: other, complaints: others }) => {
            const bo = await syncTab(there, other);
            await bo.press("Join a space");
            await bo.fill("Invitation", "memoir-invitation");
            await bo.answer("Join");
            await bo.refused("Invitation", "This is no whole invitation.");
            await bo.fill("Invitation", invitation);
            await bo.fill("How others see you; without it your user name", "Bo");
            await bo.fill("How others see this machine; without it its name", "desk");
            await bo.answer("Join");
            await bo.said("This home is in the space now.");
            await assertForEverybody(other);

            await page.getByRole("button", { name: "Which projects are shared" }).click();
            await page.getByText("1 session · stays here").waitFor();
            await page.getByRole("button", { name: /^Share: / }).click();
            await ada.answer("Share");
            await ada.said("is shared.");
            const sessions = async () =>
              (await there.ask<{ sessions: unknown[] }>("/api/sessions")).sessions.length;
            await until("what is shared is there", async () => (await sessions()) === 1);
            await madeByAda(other);
            await other.reload();
            await other.getByRole("row", { name: /^Ada.* \d+:\d\d/ }).waitFor();
            assert.equal(await other.getByRole("button", { name: /^Remove/ }).count(), 0);

            await page.getByRole("button", { name: /^Keep local: / }).click();
            await ada.dialog.getByRole("checkbox").check();
            await ada.answer("Keep local");
            await ada.said("The others remove what came from this machine as they sync.");
            await until("it is taken back", async () => (await sessions()) === 0);

            await page.reload();
            await page.getByRole("button", { name: "Remove Bo, desk" }).click();
            await ada.dialog.getByText("removing can’t undo that").waitFor();
            await assertForEverybody(page);
            await ada.answer("Cancel");
            await page.getByRole("button", { name: "Remove Bo, desk" }).click();
            await ada.answer("Remove");
            await ada.said("Bo, desk is removed; the others have a new key.");
            await page.getByRole("row", { name: /Bo/ }).waitFor({ state: "detached" });
            await until("the other home knows it", async () => {
              const { spaces } = await there.ask<{ spaces: Array<{ lost: string | null }> }>(
                "/api/sync",
              );
              return spaces[0]?.lost !== null;
            });
            await other.reload();
            await other.getByText("This home was removed from it").first().waitFor();
            await bo.press("Leave: Team space");
            await bo.answer("Leave");
            await bo.said("left");
            await other.getByText("Memory stays on this machine.").waitFor();
            // The browser counts refusals, which were asked for.
            assert.deepEqual(others.filter(isNoRefusal), []);
          });
        });
        await ada.press("Leave: Team space");
        await ada.answer("Leave");
        await ada.said("This home left the space.");
        await page.getByText("Memory stays on this machine.").waitFor();
        assert.deepEqual(complaints.filter(isNoRefusal), []);

        await memoir.run("plugin", "disable", "sync");
        await page.reload();
        await page.getByText("There are no such settings.").waitFor();
      });
    },
  },
];

const isNoRefusal = (complaint: string) => !complaint.startsWith("Failed to load resource");
