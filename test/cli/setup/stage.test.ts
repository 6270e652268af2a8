// The demo's home is gone afterwards, its server too, however often it is cleared.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import process from "node:process";
import { setStage } from "../../../src/cli/setup/demo.ts";

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
});

test("what is to be kept stays", async () => {
  const stage = await setStage(process.env);
  await stage.clear(true);
  expect(existsSync(`${stage.folder}/shop/.git/HEAD`)).toBe(true);
  const again = await setStage(process.env);
  expect(again.folder).not.toBe(stage.folder);
  await again.clear(false);
  await Bun.$`rm -r ${stage.folder}`.quiet();
});
