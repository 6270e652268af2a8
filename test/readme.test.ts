// The README is what a newcomer reads whole: it stays short, begins with what memoir is, and gives the two commands.
import { expect, test } from "bun:test";
import { codeBlocks, readPage } from "./support/pages.ts";

const readme = await readPage("README.md");

test("has at most 250 lines, none of them wider than a page", () => {
  const lines = readme.split("\n");
  expect(lines.length).toBeLessThanOrEqual(250);
  expect(lines.filter((line) => line.length > 130 && !line.startsWith("|"))).toEqual([]);
});

test("gives the two commands as the package has them", async () => {
  const { packageManager, scripts } = JSON.parse(await readPage("package.json"));
  const [commands = ""] = codeBlocks(readme, "sh");
  for (const script of ["demo", "check"]) {
    expect(commands).toContain(`npx -y ${packageManager} run ${script} `);
    expect(scripts[script]).toStartWith("bun install --frozen-lockfile && ");
  }
});

test("leads from nothing to a session that remembers, in this order", () => {
  const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    "Two commands",
    "Install",
    "Five minutes",
    "What a session gets",
    "Privacy",
    "Uninstall",
    "Documentation",
    "License",
  ]);
});
