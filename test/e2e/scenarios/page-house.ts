// The page's look at memoir itself: its health with work that failed for good, and its plugins.
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assertForEverybody, inBrowser, openPage } from "../browser.ts";
import type { Scenario } from "../scenario.ts";
import { until } from "../until.ts";
import { hook } from "./page-live.ts";

/** An observer whose service is down while a file is there. */
const shaky = (down: string) => `import { existsSync } from "node:fs";
import { definePlugin } from "memoir/sdk";
export default definePlugin({
  name: "shaky",
  description: "Observes where its service is up.",
  sdk: 1,
  slot: "observation",
  hooks: {
    observe() {
      if (existsSync(${JSON.stringify(down)})) throw new Error("the service is down <b>now</b>");
      return { observations: [] };
    },
  },
});
`;

export const pageHouseScenarios: Scenario[] = [
  {
    name: "page: health says what the doctor says, and puts work back that was given up",
    needs: "chromium",
    async run(world) {
      const down = join(world.dir, "down");
      await writeFile(down, "");
      const memoir = await world.install({
        config: { slots: { observation: ["shaky"] }, worker: { retrySeconds: [0] } },
      });
      await mkdir(join(memoir.home, "plugins"), { recursive: true });
      await writeFile(join(memoir.home, "plugins", "shaky.ts"), shaky(down));
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/settings/health`);
        await page.locator(".checks li").first().waitFor();
        await page.getByRole("rowheader", { name: "journal.db" }).waitFor();
        await assertForEverybody(page);

        const common = { session_id: "s1", cwd: world.dir, transcript_path: join(world.dir, "no") };
        const asked = { ...common, hook_event_name: "UserPromptSubmit", prompt: "Build it" };
        await hook(world, memoir, asked);
        await hook(world, memoir, {
          ...{
            ...common,
            hook_event_name: "PostToolUse",
            tool_name: "Bash",
            tool_use_id: "toolu_1",
          },
          tool_input: { command: "make" },
          tool_response: { stdout: "built", stderr: "", interrupted: false, isImage: false },
        });
        const stop = { ...common, hook_event_name: "Stop", stop_hook_active: false };
        await hook(world, memoir, { ...stop, last_assistant_message: "Built." });
        await page.getByRole("heading", { name: "Failed work" }).waitFor();
        await page.locator(".parked").getByText("the service is down <b>now</b>").waitFor();
        const said = await memoir.run("doctor");
        assert.match(said.stdout.replace(/\s+/g, " "), /1 piece of work was given up/);
        await page.locator(".checks .fail").getByText("1 piece of work was given up").waitFor();
        await assertForEverybody(page);

        await rm(down);
        await page.getByRole("button", { name: /^Retry: observing tool uses/ }).click();
        await page.getByText("1 job retried.").waitFor();
        await page.getByRole("heading", { name: "Failed work" }).waitFor({ state: "detached" });
        assert.deepEqual(complaints, []);
      });
    },
  },
  {
    name: "page: settings say how memory is shared, and what is not there has a page",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/settings/sync`);
        await page.getByText("Memory stays on this machine.").waitFor();
        await assertForEverybody(page);
        const hub = join(world.dir, "hub");
        await mkdir(hub);
        await memoir.run("sync", "init", hub);
        await page.reload();
        await page.getByText("Memory is shared.").waitFor();
        await page.getByRole("heading", { name: "Your own space 1 member" }).waitFor();
        await assertForEverybody(page);
        assert.deepEqual(complaints, []);

        for (const path of ["/session/nobody", "/record/o999999", "/no/such/place"]) {
          await page.goto(origin + path);
          await page.getByRole("link", { name: "Go to your memory" }).waitFor();
          await assertForEverybody(page);
        }
      });
    },
  },
  {
    name: "page: a plugin is switched off and on, its options saved, and refused beside their fields",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      const stateOf = async (name: string) => {
        const { plugins } = await memoir.ask<{ plugins: Array<{ name: string; state: string }> }>(
          "/api/plugins",
        );
        return plugins.find((plugin) => plugin.name === name)?.state;
      };
      const config = async () =>
        JSON.parse(await readFile(join(memoir.home, "config.json"), "utf8").catch(() => "{}"));
      await inBrowser(world, async ({ page, complaints }) => {
        const origin = await openPage(memoir, page);
        await page.getByRole("link", { name: "Settings", exact: true }).click();
        await page.getByRole("link", { name: "Plugins", exact: true }).click();
        await page.waitForURL("**/plugins");
        await page.getByRole("heading", { name: "Who does what, in this order" }).waitFor();
        await assertForEverybody(page);
        await page.locator("a.hit").filter({ hasText: "context-relevant" }).first().click();
        await page.waitForURL("**/settings/plugins/context-relevant");
        await page.getByRole("rowheader", { name: "UserPromptSubmit" }).waitFor();
        await assertForEverybody(page);

        await page.getByRole("button", { name: "Switch off", exact: true }).click();
        await page.getByText("Switched off.").waitFor();
        assert.equal(await stateOf("context-relevant"), "disabled");
        await page.getByRole("button", { name: "Switch on", exact: true }).click();
        await page.getByText("Switched on.").waitFor();
        assert.equal(await stateOf("context-relevant"), "running");

        await memoir.run("config", "set", "slots.observation", "hybrid");
        await page.goto(`${origin}/settings/plugins/hybrid`);
        const most = page.getByLabel("maxToolUses", { exact: true });
        const longest = page.getByLabel("maxTokens", { exact: true });
        const save = page.getByRole("button", { name: "Save", exact: true });
        await most.fill("many");
        await longest.fill("900");
        await save.click();
        await page.locator(".option.refused [role=alert]").first().waitFor();
        await page.locator("#option-maxToolUses:focus").waitFor();
        assert.equal(await most.getAttribute("aria-invalid"), "true");
        assert.deepEqual([await most.inputValue(), await longest.inputValue()], ["many", "900"]);
        assert.equal((await config()).plugins, undefined, "nothing was written");
        await assertForEverybody(page);
        await most.fill("3");
        await page.keyboard.press("Enter");
        await page.getByText("Saved. Takes effect now.").waitFor();
        assert.deepEqual((await config()).plugins, {
          hybrid: { maxToolUses: 3, maxTokens: 900 },
        });

        // Typed here, while the command line sets another.
        await most.fill("5");
        await memoir.run("config", "set", "plugins.hybrid.maxTokens", "700");
        await until("the other field follows", async () => (await longest.inputValue()) === "700");
        assert.equal(await most.inputValue(), "5", "what was typed stays");
        await most.fill("");
        await longest.fill("");
        await save.click();
        await until(
          "config says nothing of it",
          async () => (await config()).plugins === undefined,
        );

        await page.goto(`${origin}/plugin/sqlite`);
        await page.getByRole("button", { name: "Switch off", exact: true }).click();
        await page.getByRole("alert").getByText("cannot be empty").waitFor();
        await page.goto(`${origin}/plugin/nobody`);
        await page.getByRole("alert").getByText("There is no plugin nobody").waitFor();
        assert.ok(
          complaints.every((one) => one.includes("status of 4") || one.includes("status of 5")),
          complaints.join("\n"),
        );
      });
    },
  },
];
