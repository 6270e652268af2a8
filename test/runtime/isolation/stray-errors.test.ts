// A stray error of a plugin does not end the process, and is written down.
import { expect, test } from "bun:test";
import { join } from "node:path";

test("a promise left alone and a throwing timer are logged; the process goes on", async () => {
  const module = join(import.meta.dir, "../../../src/runtime/isolation/oversight.ts");
  const program = `
    import { catchStrayErrors } from ${JSON.stringify(module)};
    const seen = [];
    const log = { error: (message, { error }) => seen.push(error.message) };
    catchStrayErrors(log);
    void Promise.reject(new Error("promise"));
    setTimeout(() => { throw new Error("timer"); }, 1);
    setTimeout(() => console.log(seen.join()), 20);
  `;
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "pipe" });
  expect(await new Response(child.stdout).text()).toBe("promise,timer\n");
  expect(await child.exited).toBe(0);
});
