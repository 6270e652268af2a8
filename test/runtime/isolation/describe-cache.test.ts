// What plugins said about themselves, on disk: taken when it is whole and of the same files, else asked for anew.
import { expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import { answersOf, lastSlots, stateOf } from "../../../src/runtime/isolation/describe-cache.ts";
import type { Checked, Described } from "../../../src/runtime/isolation/messages.ts";
import { inFolder } from "../../support/in-folder.ts";

const described: Described = {
  ...{ name: "one", description: "d", sdk: 1, hasStart: false, importMs: 1 },
  slot: ["capture"],
  hooks: [{ hook: "capture", order: "pre", deadlineMs: "config", filter: { tool: ["Bash"] } }],
};
const checked: Checked = { problems: [], config: { a: 1 }, deadlines: { capture: 5 } };
/** Asks for the answers of the plugin `p.ts`; true where the plugin itself had to be asked. */
async function isAsked(home: string, options: object = {}): Promise<boolean> {
  let asked = false;
  const answers = await answersOf({ home, source: join(home, "p.ts") }, options, async () => {
    asked = true;
    return { described, checked };
  });
  expect(answers).toEqual({ described, checked });
  return asked;
}

test("answers are kept by the plugin's state and its options, the last eight of them", () =>
  inFolder(async (home) => {
    await writeFile(join(home, "p.ts"), "export default 1;");
    expect([await isAsked(home), await isAsked(home)]).toEqual([true, false]);
    expect(await lastSlots(home, join(home, "p.ts"))).toEqual(["capture"]);
    for (let n = 0; n < 8; n++) expect(await isAsked(home, { n })).toBe(true);
    expect([await isAsked(home, { n: 0 }), await isAsked(home)]).toEqual([false, true]);
    await writeFile(join(home, "p.ts"), "export default 2;");
    expect([await isAsked(home), await isAsked(home)]).toEqual([true, false]);
  }));

test("an entry that is not whole counts as none", () =>
  inFolder(async (home) => {
    await writeFile(join(home, "p.ts"), "export default 1;");
    await isAsked(home);
    const folder = join(memoirPaths(home).cache, "plugins");
    const path = join(folder, (await readdir(folder))[0] ?? "");
    const text = await readFile(path, "utf8");
    const whole = JSON.parse(text);
    const damaged: Array<[string, string]> = [
      ["half a write", text.slice(0, 40)],
      ["nothing described", JSON.stringify({ ...whole, described: {} })],
      ["no hooks", JSON.stringify({ ...whole, described: { ...described, hooks: null } })],
      [
        "an unknown hook",
        JSON.stringify({ ...whole, described: { ...described, hooks: [{ hook: "nope" }] } }),
      ],
      ["an unknown slot", JSON.stringify({ ...whole, described: { ...described, slot: "nope" } })],
      ["an empty answer", JSON.stringify({ ...whole, checks: { "{}": {} } })],
      ["no JSON", "[".repeat(100_000)],
    ];
    for (const [what, entry] of damaged) {
      await writeFile(path, entry);
      expect([what, await isAsked(home)]).toEqual([what, true]);
    }
  }));

test("another content is another state, also with the same size and time; so is another lock file beside it", () =>
  inFolder(async (home) => {
    const source = join(home, "p.ts");
    await writeFile(source, "export default 1;");
    const first = await stateOf(source);
    await writeFile(source, "export default 2;");
    const second = await stateOf(source);
    await writeFile(join(home, "bun.lock"), "{}");
    expect(new Set([first, second, await stateOf(source)]).size).toBe(3);
  }));
