// `bun run pictures`: the README's pictures of the page, taken of made-up work in a real Chromium.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { chromium } from "playwright-core";
import { makeMemory } from "./made-memory.ts";

const root = resolve(import.meta.dirname, "../..");
const pictures = [
  {
    file: "memory.png",
    path: "/memory",
    scheme: "light",
    shows: "aside .lines li",
    opens: false,
  },
  { file: "session.png", path: "/memory", scheme: "dark", shows: "a.hit", opens: true },
  {
    file: "savings.png",
    path: "/savings?from=2026-10-14&to=2026-11-14",
    scheme: "light",
    shows: ".uplot",
    opens: false,
  },
] as const;

/** Work until an afternoon of November. */
const made = { days: 60, end: Date.UTC(2026, 10, 14, 16), perDay: 5 };

async function run(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "memoir-pictures-"));
  const env = { PATH: process.env.PATH ?? "", HOME: home, MEMOIR_HOME: home, TZ: "UTC" };
  const memoir = async (...args: string[]) => {
    const child = Bun.spawn([process.execPath, join(root, "src/cli/main.ts"), ...args], {
      ...{ env, stdout: "pipe", stderr: "inherit" },
    });
    return new Response(child.stdout).text();
  };
  try {
    await makeMemory(home, made);
    const { address } = JSON.parse(await memoir("open", "--json"));
    await take(address);
  } finally {
    await memoir("server", "stop");
    await rm(home, { recursive: true, force: true });
  }
}

async function take(address: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: Bun.which("chromium") ?? "",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({
      ...{ viewport: { width: 1_440, height: 900 }, locale: "en-GB", timezoneId: "UTC" },
    });
    await page.goto(address);
    await page.locator("a.hit").first().waitFor();
    for (const { file, path, scheme, shows, opens } of pictures) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.goto(new URL(path, address).href);
      await page.locator(shows).first().waitFor();
      if (opens) {
        await page.locator(shows).first().click();
        await page.locator(".step").first().waitFor();
      }
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.screenshot({ path: join(root, "docs/pictures", file) });
    }
  } finally {
    await browser.close();
  }
}

process.env.TZ = "UTC";
await run();
