// The page's look at memoir itself: its health with work that was given up, and its plugins.
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assertForEverybody, inBrowser, openPage } from "../browser.ts";
import type { Scenario } from "../scenario.ts";
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
        await page.goto(`${origin}/health`);
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
        await page.getByRole("heading", { name: "Work that was given up" }).waitFor();
        await page.locator(".parked").getByText("the service is down <b>now</b>").waitFor();
        const said = await memoir.run("doctor");
        assert.match(said.stdout.replace(/\s+/g, " "), /1 piece of work was given up/);
        await page.locator(".checks .fail").getByText("1 piece of work was given up").waitFor();
        await assertForEverybody(page);

        await rm(down);
        await page.getByRole("button", { name: /^Try again: observing tool uses/ }).click();
        await page.getByText("1 piece of work put back.").waitFor();
        await page
          .getByRole("heading", { name: "Work that was given up" })
          .waitFor({ state: "detached" });
        assert.deepEqual(complaints, []);
      });
    },
  },
];
