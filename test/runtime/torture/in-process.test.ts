// A plugin that the user runs inside the server can end it: once for one event, and not twice; then it is paused.
import { expect, test } from "bun:test";
import { promptPayload, readPayload } from "../../bench/payloads.ts";
import { type PluginServer, withPluginServer } from "../../support/plugin-server.ts";

const inside = (code: string) => ({
  "plugins/torture.ts": `export default {
  name: "torture", description: "Ends the server.", sdk: 1,
  hooks: { PostToolUse(input) { ${code} }, UserPromptSubmit: () => ({ context: "torture answers" }) },
};\n`,
  "config.json": { plugins: { torture: { inProcess: true } } },
});
const paused = async (server: PluginServer) => {
  const { plugins } = await server.status();
  return (
    plugins
      .find(({ name }) => name === "torture")
      ?.paused?.map(({ part, error }) => [part, error]) ?? []
  );
};
const tool = (serial: number) => readPayload("s", serial);

test("process.exit: paused at the next start; the event is taken in then, and no other is lost", async () => {
  await withPluginServer(inside("process.exit(0);"), async (server) => {
    await server.start();
    expect((await server.hook(promptPayload("s", "hello"))).text).toContain("torture answers");
    expect(await server.hook(tool(1)).catch(() => "gone")).toBe("gone");
    await server.exited();
    await server.start();
    expect(await paused(server)).toEqual([["everything", "it ended the server in PostToolUse"]]);
    for (const serial of [1, 2, 3])
      expect((await server.hook(tool(serial))).status).toBeLessThan(300);
    const { journal } = await server.status();
    expect("error" in journal ? journal : journal.counters["event:PostToolUse"]).toBe(3);
    const shown = await server.command("status");
    expect(shown.out.replaceAll(/\s*\n\s+/g, " ")).toMatch(
      /plugin torture is paused for another \d+ s; it ended the server in PostToolUse;/,
    );
    // The user may want it back all the same.
    expect((await server.command("plugin", "enable", "torture")).out).toContain("no longer paused");
    expect(await paused(server)).toEqual([]);
  });
}, 180_000);

test("a kill: the event is not given to it again; the second one pauses it", async () => {
  const code =
    "if (/part-[12]\\.ts$/.test(input.toolInput.file_path)) process.kill(process.pid, 'SIGKILL');";
  await withPluginServer(inside(code), async (server) => {
    for (const serial of [1, 2]) {
      await server.start();
      expect(await server.hook(tool(serial)).catch(() => "gone")).toBe("gone");
      await server.exited();
      await server.start();
      expect(await paused(server)).toEqual(
        serial === 1 ? [] : [["everything", "the server ended while it was in PostToolUse"]],
      );
      // What the hook command does after such an end: it hands the event over again.
      expect((await server.hook(tool(serial))).status).toBeLessThan(300);
      await server.stop();
    }
    await server.start();
    expect((await server.hook(promptPayload("s", "hello"))).text).not.toContain("torture answers");
  });
}, 180_000);
