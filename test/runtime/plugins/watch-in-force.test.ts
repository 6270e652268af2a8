// What hears of changed plugin files hears of them once they are in force.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Generations } from "../../../src/runtime/plugins/generations.ts";
import { watchInForce } from "../../../src/runtime/plugins/generations.ts";
import { memoryLog } from "../../support/hooks.ts";
import { inFolder } from "../../support/in-folder.ts";

test("a change is in force before anybody hears of it", () =>
  inFolder(async (folder) => {
    const steps: string[] = [];
    const over = Promise.withResolvers<void>();
    const next = (step: string) => {
      steps.push(step);
      if (steps.length === 2) over.resolve();
    };
    const plugins = {
      roots: async () => [folder],
      reloadFiles: async () => next("in force"),
    } as Partial<Generations> as Generations;
    const watch = await watchInForce(plugins, async () => next("heard"), {
      log: memoryLog(),
      quietMs: 5,
    });
    try {
      await writeFile(join(folder, "mine.ts"), "export default {};\n");
      await over.promise;
    } finally {
      await watch.stop();
    }
    expect(steps.slice(0, 2)).toEqual(["in force", "heard"]);
  }));
