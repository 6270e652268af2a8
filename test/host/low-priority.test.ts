// A process that works while nobody asks stands behind those that somebody waits for.
import { expect, test } from "bun:test";
import { join } from "node:path";

test.each([
  ["lower than that of what started it", []],
  ["left where that is lower still", ["nice", "-n", "19"]],
])("its priority is %s", async (_, begin) => {
  const file = join(import.meta.dir, "../../src/host/programs.ts");
  const script = `import { getPriority } from "node:os";
    const { lowerPriority } = await import(${JSON.stringify(file)});
    const before = getPriority();
    lowerPriority(process.pid);
    console.log(JSON.stringify([before, getPriority()]));`;
  const child = Bun.spawn([...begin, process.execPath, "-e", script], { stdout: "pipe" });
  const [before, after] = JSON.parse(await new Response(child.stdout).text());
  expect(after).toBe(Math.max(before, 15));
  expect(after).toBeGreaterThan(0);
});
