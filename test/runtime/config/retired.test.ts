// Keys that are no longer a choice: a file that sets them loads, says so, and the value that holds now is in force.
import { expect, test } from "bun:test";
import * as v from "valibot";
import { ConfigSchema, policyOf } from "../../../plugins/endless-live/policy.ts";
import { parseConfig, setConfigValue } from "../../../src/runtime/config/config.ts";
import { retiredNote } from "../../../src/runtime/config/retired.ts";
import { checkPlugins } from "../../../src/runtime/plugins/describe.ts";
import { inFolder } from "../../support/in-folder.ts";

const read = (value: object) => parseConfig("/c.json", JSON.stringify(value));

test("of memoir's own and of a plugin, at any depth; everything else of the file is in force", () => {
  const { config, problems, captureUnclear, broken, set } = read({
    worker: { quietMinutes: 3, concurrency: 2, context: { turns: 9, enabled: false } },
    plugins: { live: { headLines: 99, read: { names: 1, sources: "nobody" }, leave: ["Bash"] } },
  });
  expect(problems).toEqual([
    {
      path: "worker.quietMinutes",
      message: "is no longer a choice since 0.1.0; 10 holds",
      fix: "Remove it: `memoir config unset worker.quietMinutes`.",
    },
    expect.objectContaining({ path: "worker.context.turns" }),
    expect.objectContaining({
      path: "plugins.live.headLines",
      message: "is no longer a choice since 0.1.0; 7 holds",
    }),
    expect.objectContaining({ path: "plugins.live.read.names" }),
  ]);
  expect(config.worker).toMatchObject({ concurrency: 2, context: { enabled: false } });
  expect(config.plugins.live).toEqual({ read: { sources: "nobody" }, leave: ["Bash"] });
  expect([captureUnclear, broken, set.worker !== undefined]).toEqual([false, false, true]);
});

test("none can be set any more, and one that stands there stops no other change", () =>
  inFolder(async (home) => {
    const env = { HOME: home };
    const check = checkPlugins(home, env);
    expect(setConfigValue(home, "plugins.live.headLines", 3, check)).rejects.toThrow(
      "plugins.live.headLines: is no longer a choice since 0.1.0; 7 holds",
    );
    await Bun.write(`${home}/config.json`, '{"plugins":{"live":{"headLines":3}}}');
    await setConfigValue(home, "plugins.live.leave", ["Bash"], check);
    expect(await Bun.file(`${home}/config.json`).json()).toEqual({
      plugins: { live: { headLines: 3, leave: ["Bash"] } },
    });
  }));

test("what it says holds is what the reducers of live work with", () => {
  const policy = policyOf(v.parse(ConfigSchema, {}));
  const numbers = (value: object) =>
    Object.entries(value).filter(([, one]) => typeof one === "number");
  const all = [
    ...numbers(policy).map(([key, value]) => [`plugins.live.${key}`, value] as const),
    ...numbers(policy.read).map(([key, value]) => [`plugins.live.read.${key}`, value] as const),
  ];
  // Others never were a choice.
  const chosen = all.filter(([path]) => retiredNote(path) !== undefined);
  expect(chosen.length).toBeGreaterThan(20);
  for (const [path, value] of chosen)
    expect([path, retiredNote(path)]).toEqual([
      path,
      `is no longer a choice since 0.1.0; ${value} holds`,
    ]);
});
