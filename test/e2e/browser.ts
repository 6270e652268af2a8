// The page as a person has it: in a real Chromium without a screen, opened by `memoir open`. Nothing waits for a time, all for what is shown.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import type { Memoir } from "./memoir.ts";
import type { World } from "./world.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** A browser of a scenario's own. */
export interface Browser {
  context: BrowserContext;
  page: Page;
  /** What scripts complained of, and every request that left the server's origin. */
  complaints: string[];
}

/** Starts one with a new profile, hands it to `use`, and ends it whatever happens. */
export async function inBrowser(
  world: World,
  use: (browser: Browser) => Promise<void>,
): Promise<void> {
  const context = await chromium.launchPersistentContext(
    await mkdtemp(join(world.dir, "browser-")),
    {
      ...{ headless: true, executablePath: Bun.which("chromium") ?? "", env: world.env },
      ...{ viewport: { width: 1_440, height: 900 }, locale: "en-GB", timezoneId: "UTC" },
      // What injects the checker is the test's own; the page's policy holds for all else.
      args: [
        ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
        ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
      ],
    },
  );
  const page = context.pages()[0] ?? (await context.newPage());
  // A loaded machine may need long for one step; the scenario's own deadline holds for all of them.
  context.setDefaultTimeout(75_000);
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  context.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    if (new URL(request.url()).hostname !== "127.0.0.1") complaints.push(request.url());
  });
  try {
    await use({ context, page, complaints });
  } finally {
    await context.close();
  }
}

/** What `memoir open` prints: an address that is good once. */
export async function newAddress(memoir: Memoir): Promise<string> {
  const { address } = await memoir.json<{ address: string }>("open");
  return address;
}

/** Opens the page with a session; gives the origin. */
export async function openPage(memoir: Memoir, page: Page): Promise<string> {
  const address = await newAddress(memoir);
  await page.goto(address);
  await page.locator("main :is(.hit, .empty)").first().waitFor();
  return new URL(address).origin;
}

/** A phone, a small window and a wide one; each scheme of colours at the narrowest and at another. */
const looks = [
  { width: 360, colorScheme: "light" },
  { width: 360, colorScheme: "dark" },
  { width: 1_024, colorScheme: "light" },
  { width: 1_440, colorScheme: "dark" },
] as const;

/** However it is looked at, nothing sticks out, and the checker of accessibility finds nothing. */
export async function assertForEverybody(page: Page): Promise<void> {
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(beyond <= 0, `${page.url()} is ${beyond} px wider than ${width} px`);
    assert.deepEqual(await findings(page), [], `${page.url()} at ${width} px, ${colorScheme}`);
  }
}

/** What axe finds. */
async function findings(page: Page): Promise<string[]> {
  const found = await page.evaluate(`${axeSource}; axe.run()`);
  const { violations } = found as {
    violations: Array<{ id: string; nodes: Array<{ html: string }> }>;
  };
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
  );
}
