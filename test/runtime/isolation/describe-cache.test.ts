// What plugins said about themselves, on disk: taken when it is whole and of the same files, else asked for anew.
import { expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import {
  type Kept,
  readKept,
  stateOf,
  writeKept,
} from "../../../src/runtime/isolation/describe-cache.ts";
import { inFolder } from "../../support/in-folder.ts";

const described: Kept["described"] = {
  ...{ name: "one", description: "d", sdk: 1, hasStart: false, importMs: 1 },
  slot: ["capture"],
  hooks: [{ hook: "capture", order: "pre", deadlineMs: "config", filter: { tool: ["Bash"] } }],
};
const checked = { problems: [], config: { a: 1 }, deadlines: { capture: 5 } };
const whole: Kept = { key: "k", described, checks: { "{}": checked } };

test("an entry that is whole comes back as it was written, for the same state only", () =>
  inFolder(async (home) => {
    await writeKept(home, "/p.ts", whole);
    expect(await readKept(home, "/p.ts", "k")).toEqual(whole);
    expect(await readKept(home, "/p.ts", "other")).toBeUndefined();
    expect(await readKept(home, "/q.ts", "k")).toBeUndefined();
  }));

test("an entry that is not whole counts as none", () =>
  inFolder(async (home) => {
    await writeKept(home, "/p.ts", whole);
    const folder = join(memoirPaths(home).cache, "plugins");
    const path = join(folder, (await readdir(folder))[0] ?? "");
    const text = await readFile(path, "utf8");
    for (const [what, damaged] of Object.entries({
      "half a write": text.slice(0, 40),
      "nothing described": JSON.stringify({ ...whole, described: {} }),
      "no hooks": JSON.stringify({ ...whole, described: { ...described, hooks: null } }),
      "an unknown hook": JSON.stringify({
        ...whole,
        described: { ...described, hooks: [{ hook: "nope" }] },
      }),
      "an unknown slot": JSON.stringify({ ...whole, described: { ...described, slot: "nope" } }),
      "an empty answer": JSON.stringify({ ...whole, checks: { "{}": {} } }),
      "no JSON": "[".repeat(100_000),
    })) {
      await writeFile(path, damaged);
      expect([what, await readKept(home, "/p.ts", "k")]).toEqual([what, undefined]);
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
