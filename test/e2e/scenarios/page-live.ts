// The page while memory changes: what a real hook brings stands there a moment later, and whoever reads or writes is not disturbed.
import assert from "node:assert/strict";
import { join } from "node:path";
import { assertForEverybody, inBrowser, openPage } from "../browser.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { until } from "../until.ts";
import type { World } from "../world.ts";

/** Runs the installed `memoir hook`, as a client does. */
export async function hook(
  { env }: World,
  memoir: Memoir,
  payload: Record<string, unknown>,
): Promise<void> {
  const child = Bun.spawn([join(memoir.home, "bin", "memoir"), "hook", "claude-code"], {
    ...{ env, stdin: Buffer.from(JSON.stringify(payload)), stdout: "ignore", stderr: "pipe" },
  });
  const said = await new Response(child.stderr).text();
  assert.equal(await child.exited, 0, said);
}

/** One prompt of a session and its closing words, by hooks alone. */
export async function promptByHook(
  world: World,
  memoir: Memoir,
  { session, prompt, closing }: { session: string; prompt: string; closing: string },
): Promise<void> {
  const common = { session_id: session, cwd: world.dir, transcript_path: join(world.dir, "none") };
  await hook(world, memoir, { ...common, hook_event_name: "UserPromptSubmit", prompt });
  await hook(world, memoir, {
    ...{ ...common, hook_event_name: "Stop", stop_hook_active: false },
    last_assistant_message: closing,
  });
}

export const pageLiveScenarios: Scenario[] = [
  {
    name: "page: what a hook brings stands there by itself; scroll, focus and typed text stay",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      const session = "live-session";
      const first = {
        ...{ session, prompt: "Why does the invoice round down?" },
        closing: "It truncates cents; rounding half up is right for invoices.",
      };
      await inBrowser(world, async ({ context, page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.getByText("Nothing here yet").waitFor();
        const list = await context.newPage();
        await list.goto(`${origin}/memory`);
        await list.getByText("Nothing here yet").waitFor();
        for (const one of [page, list])
          await one.evaluate(() => Reflect.set(globalThis, "isTheSame", true));

        await promptByHook(world, memoir, first);
        await page.locator("a.hit").first().waitFor();
        await list.locator("a.hit").first().waitFor();

        await list.locator("a.hit").first().click();
        await list.getByText(first.closing).first().waitFor();
        await list.setViewportSize({ width: 700, height: 300 });
        await list.locator("#prompt-1 h2 a").first().focus();
        await list.evaluate(() => scrollTo(0, 120));
        assert.ok(await list.evaluate(() => scrollY > 0), "there is something to scroll");
        // A line more at the head moves the page, and nothing of what one sees.
        const place = () =>
          list.evaluate(
            () => document.querySelector("#prompt-1 h2 a")?.getBoundingClientRect().top,
          );
        const before = await place();
        const second = {
          ...{ session, prompt: "And the tax on it?" },
          closing: "The tax is rounded for each line, not for the sum.",
        };
        await promptByHook(world, memoir, second);
        await list.getByText(second.closing).first().waitFor();
        assert.equal(await place(), before, "the place stays");
        const focused = await list.evaluate(() => document.activeElement?.closest(".step")?.id);
        assert.equal(focused, "prompt-1", "the focus stays");
        await list
          .locator("#prompt-2")
          .getByRole("link", { name: /^Trace of/ })
          .click();
        await list.getByRole("button", { name: "Pin", exact: true }).waitFor();

        await page.locator("#query").fill("tax");
        await page.locator("a.hit mark").first().waitFor();
        await promptByHook(world, memoir, { ...second, prompt: "Print the tax apart" });
        assert.equal(await page.locator("#query").inputValue(), "tax");

        const { turns } = await memoir.records(session);
        await memoir.run("memory", "pin", turns[1]?.id ?? "");
        await list.getByRole("button", { name: "Unpin", exact: true }).waitFor();
        for (const one of [page, list])
          assert.ok(await one.evaluate(() => Reflect.get(globalThis, "isTheSame")), "loaded anew");
        assert.deepEqual(complaints, []);
      });
    },
  },
  {
    name: "page: now shows what a hook brings, what became of it, and what the last session was told",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      const common = { cwd: world.dir, transcript_path: join(world.dir, "none") };
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/now`);
        await page.waitForURL("**/settings/activity");
        await page.getByText("Nothing captured yet").waitFor();
        assert.equal(await page.title(), "Activity · Settings · memoir");
        await assertForEverybody(page);

        const asked = { ...common, session_id: "now-1", hook_event_name: "UserPromptSubmit" };
        await hook(world, memoir, { ...asked, prompt: "Why is the build so slow?" });
        await page.getByRole("heading", { name: "Live sessions" }).waitFor();
        await page.locator(".feed").getByText("Why is the build so slow?").waitFor();
        const used = {
          ...{ ...common, session_id: "now-1", hook_event_name: "PostToolUse" },
          ...{ tool_name: "Bash", tool_use_id: "toolu_now", tool_input: { command: "make -j8" } },
          tool_response: { stdout: "built", stderr: "", interrupted: false, isImage: false },
        };
        await hook(world, memoir, used);
        await page.locator(".feed").getByText("make -j8").waitFor();
        await page.getByText("waiting for the end of a prompt").waitFor();
        const listed = { ...used, tool_name: "TaskList", tool_use_id: "toolu_list" };
        await hook(world, memoir, { ...listed, tool_input: {}, tool_response: {} });
        await page.getByText("skip list: TaskList").waitFor();
        await hook(world, memoir, {
          ...{ ...common, session_id: "now-1", hook_event_name: "Stop", stop_hook_active: false },
          last_assistant_message: "The cache was never warm: it is keyed by the time.",
        });
        await page.getByText("Nothing is waiting.").waitFor();
        await page.getByText("nothing made from it: routine").waitFor();

        await page.getByText("No session got a context yet").waitFor();
        const began = { ...common, session_id: "now-2", hook_event_name: "SessionStart" };
        await hook(world, memoir, { ...began, source: "startup" });
        await page.getByRole("heading", { name: "What the last session was given" }).waitFor();
        await assertForEverybody(page);
        await page.locator(".given a").first().click();
        await page.getByRole("button", { name: "Pin", exact: true }).waitFor();
        await page.goBack();
        await page.waitForURL(`${origin}/settings/activity`);
        assert.deepEqual(complaints, []);
      });
    },
  },
  {
    name: "page: goes on being told after its server was killed, and the server stops at once beside it",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      await inBrowser(world, async ({ page }) => {
        await openPage(memoir, page);
        await memoir.signal("SIGKILL");
        const connection = page.locator(".connection");
        await connection.getByText("server isn’t responding").waitFor();
        const session = "after-the-kill";
        // The next hook starts another, which knows this browser: its session is signed with the home's token.
        await promptByHook(world, memoir, {
          session,
          prompt: "Count the apples",
          closing: "Nine.",
        });
        await connection.waitFor({ state: "hidden" });
        await page.locator("a.hit").first().waitFor();
        const cards = () => page.locator(".card").allTextContents();
        await promptByHook(world, memoir, { session, prompt: "Count the pears", closing: "Two." });
        await until(
          "the second prompt is there",
          async () => (await cards()).some((card) => card.includes("2 prompts")),
          () => page.url(),
        );
        const stopped = await memoir.run("server", "stop");
        assert.equal(stopped.code, 0, stopped.stderr);
        await connection.getByText("server isn’t responding").waitFor();
        assert.ok((await cards()).length > 0, "what was there stays");
      });
    },
  },
];
