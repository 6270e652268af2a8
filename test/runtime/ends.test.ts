// The end of a runtime: nobody reads storage once it is closed, whoever reads in the background.
import { expect, test } from "bun:test";
import type { PluginContext } from "../../src/sdk/context.ts";
import { sessionStart, testRuntimes } from "./test-runtimes.ts";

const { start } = testRuntimes();

/** A storage that says when it is asked after its end, as a closed database does, and takes a while to answer. */
function closing() {
  const asked = { open: 0, closed: 0 };
  let isClosed = false;
  const storage = {
    hooks: {
      "storage.turns": async () => {
        asked.open++;
        await Bun.sleep(5);
        if (isClosed) {
          asked.closed++;
          throw new Error("Cannot use a closed database");
        }
        return { result: [] };
      },
    },
    stop: () => {
      isClosed = true;
    },
  };
  return { asked, storage };
}

/** Reads on and on, and heeds nobody's end. */
function restless() {
  const reading = Promise.withResolvers<unknown>();
  const plugin = {
    hooks: {
      SessionStart: (_event: unknown, { storage }: PluginContext) => {
        const read = async () => {
          for (;;) await storage.turns({ limit: 1 });
        };
        read().catch(reading.resolve);
      },
    },
  };
  return { plugin, end: reading.promise };
}

test("a plugin that reads on in the background is refused once it is stopped, and what it began is awaited", async () => {
  const { asked, storage } = closing();
  const { plugin, end } = restless();
  const { runtime, log } = await start({
    sqlite: storage as never,
    "context-relevant": plugin as never,
  });
  await runtime.handle(sessionStart);
  while (asked.open === 0) await Bun.sleep(1);
  await runtime.stop();
  expect(asked.closed).toBe(0);
  expect(await end).toMatchObject({ code: "plugin_failed", plugin: "context-relevant" });
  expect(JSON.stringify(log.lines)).not.toContain("closed database");
});

test("who asks the runtime's hooks after its end is refused, and no plugin is blamed", async () => {
  const { asked, storage } = closing();
  const { runtime, log } = await start({ sqlite: storage as never });
  await runtime.stop();
  await expect(runtime.hooks.first("storage.turns", {})).rejects.toMatchObject({
    code: "server_unreachable",
  });
  expect(asked).toEqual({ open: 0, closed: 0 });
  expect(JSON.stringify(log.lines)).not.toContain("closed database");
});
