// Plugins stop in order; one that hangs holds the others up for a moment only.
import { expect, test } from "bun:test";
import { stopAll } from "../../../src/runtime/plugins/instance.ts";

function plugins() {
  const events: string[] = [];
  const one = (name: string, work: Promise<unknown>) => ({
    async stop() {
      events.push(`stop ${name}`);
      await work;
      events.push(`${name} stopped`);
    },
  });
  return { events, one };
}

test("each begins when the one before it has ended", async () => {
  const { events, one } = plugins();
  await stopAll([one("a", Promise.resolve()), one("b", Promise.resolve())]);
  expect(events).toEqual(["stop a", "a stopped", "stop b", "b stopped"]);
});

test("none waits for ever for one that hangs, and all are waited for", async () => {
  const { events, one } = plugins();
  let release = () => {};
  const hangs = new Promise<void>((go) => {
    release = go;
  });
  let isOver = false;
  const all = stopAll([one("a", hangs), one("b", hangs), one("c", Promise.resolve())], 1).then(
    () => {
      isOver = true;
    },
  );
  while (!events.includes("c stopped")) await new Promise((go) => setTimeout(go, 1));
  expect(events).toEqual(["stop a", "stop b", "stop c", "c stopped"]);
  expect(isOver).toBe(false);
  release();
  await all;
  expect(events).toContain("a stopped");
});
