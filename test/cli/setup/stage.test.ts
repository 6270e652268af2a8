// The demo's stage: this same memoir in a home of its own, and a clean floor afterwards, however often it is asked for.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import process from "node:process";
import { type Stage, setStage } from "../../../src/cli/setup/demo/stage.ts";

/** A stage in whose environment a demo inside of memoir's own children would find itself. */
async function onStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await setStage({ ...process.env, MEMOIR_HOME: "/nowhere", MEMOIR_INTERNAL: "1" });
  try {
    await work(stage);
  } finally {
    await stage.clear(false);
  }
}
test(
  "commands run in its home, and what it hears is kept there",
  () =>
    onStage(async (stage) => {
      const { place, paths, folder } = stage;
      expect([place.project, paths.home]).toEqual([`${folder}/shop`, `${folder}/home`]);
      const path = (await stage.memoir(["config", "path"])).trim();
      expect(path).toBe(paths.config);
      const common = { session_id: "s1", transcript_path: `${place.client}/s1.jsonl` };
      const started = await stage.hook({
        ...{ ...common, cwd: place.project, hook_event_name: "SessionStart", source: "startup" },
      });
      expect([started.output, started.ms > 0]).toEqual(["", true]);
      expect(existsSync(paths.journal)).toBe(true);
    }),
  30_000,
);

test(
  "a command that fails is told with its words and its end",
  () =>
    onStage(async (stage) => {
      await expect(stage.memoir(["config", "get", "no.such"])).rejects.toThrow(
        "config get no.such ended with 2.",
      );
    }),
  30_000,
);

test("afterwards the server is gone, the folder too, and signals are nobody's; once is enough", async () => {
  const listening = () => ["SIGINT", "SIGTERM"].map((signal) => process.listenerCount(signal));
  const before = listening();
  const stage = await setStage(process.env);
  expect(listening()).toEqual(before.map((count) => count + 1));
  await stage.memoir(["server", "start"]);
  const { port } = JSON.parse(await Bun.file(stage.paths.serverInfo).text());
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  expect(await answers()).toBe(true);
  const clearing = stage.clear(false);
  expect(stage.clear(false)).toBe(clearing);
  await clearing;
  expect([existsSync(stage.folder), listening()]).toEqual([false, before]);
  expect(await answers()).toBe(false);
}, 30_000);

test("what is to be kept stays", async () => {
  const stage = await setStage(process.env);
  await stage.clear(true);
  expect(existsSync(`${stage.folder}/shop/.git/HEAD`)).toBe(true);
  const again = await setStage(process.env);
  expect(again.folder).not.toBe(stage.folder);
  await again.clear(false);
  await Bun.$`rm -r ${stage.folder}`.quiet();
});
