// The question of install about a model: only an answer that was offered counts.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseProvider } from "../../../src/cli/setup/offers.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-choose-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Answers one after the other; what was printed. */
async function answer(...answers: string[]): Promise<string> {
  const left = [...answers];
  const terminal = plainTerminal({
    env: { HOME: home, MEMOIR_HOME: home },
    ask: async () => left.shift() ?? "",
  });
  await chooseProvider(terminal);
  expect(left).toEqual([]);
  return terminal.out.join("\n");
}

test.each(["9", "0", "claude", "no thanks"])("%p is asked about again", async (wrong) => {
  const out = await answer(wrong, "1");
  expect(out).toContain(`"${wrong}" is none of them: write 1 to 4, or Enter for 1.`);
  expect(out).toContain("No model is asked.");
  expect(await readFile(join(home, "config.json"), "utf8").catch(() => "none")).toBe("none");
});

test("after three answers that are none, no model is asked", async () => {
  expect(await answer("7", "8", "9")).toContain("No model is asked.");
});
