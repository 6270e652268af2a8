// A plugin file that is rewritten while events come in: none is lost, and each met one whole version.
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import { memoryLog, promptEvent, toolEvent } from "../../support/hooks.ts";

/** Two hooks of one event: what the first writes into it, the second says beside its own version. */
const plugin = `
import { text } from "./part.ts";
const pause = () => new Promise((go) => setTimeout(go, 1));
export default { name: "marks", description: "d", sdk: 1, slot: "capture", hooks: {
  capture: async (event) => {
    await pause();
    return { ...event, extra: { ...event.extra, first: text } };
  },
  PostToolUse: async (event) => {
    await pause();
    return { systemMessage: event.extra.first + " " + text };
  },
} };`;

for (const inProcess of [false, true])
  test(`200 events while it is rewritten 20 times, ${inProcess ? "inside the server" : "in a worker"}`, async () => {
    const home = await realpath(await mkdtemp(join(tmpdir(), "memoir-traffic-")));
    const folder = join(home, "plugins/marks");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "index.ts"), plugin);
    /** As editors do: written beside, then renamed. */
    async function write(version: string): Promise<void> {
      await writeFile(join(folder, ".part.ts"), `export const text = "${version}";`);
      await rename(join(folder, ".part.ts"), join(folder, "part.ts"));
    }
    await write("v0");
    const plugins = { marks: { inProcess } };
    await writeFile(join(home, "config.json"), JSON.stringify(inProcess ? { plugins } : {}));
    const runtime = await createRuntime({ home, log: memoryLog() });
    let reloads = 0;
    const watch = await runtime.watchPlugins(
      async () => {
        reloads += 1;
      },
      { quietMs: 5 },
    );
    try {
      const time = Date.now();
      const common = { time, cwd: home, session: "s1" };
      await runtime.handle(promptEvent({ ...common, prompt: "Change many files, please" }));
      const versions: string[] = [];
      let sent = 0;
      let isWritten = false;
      async function traffic(): Promise<void> {
        while (sent < 200 || !isWritten) {
          const at = sent++;
          const { reply, accepted } = await runtime.handle(
            toolEvent({
              ...{ ...common, id: `e${at}`, key: `k${at}`, toolUseId: `t${at}` },
              toolInput: { command: `make part-${at}` },
            }),
          );
          expect(accepted).toBe("committed");
          versions.push(reply.systemMessage ?? "none");
          await new Promise((go) => setTimeout(go, 5));
        }
      }
      async function isMet(version: string): Promise<void> {
        while (!versions.includes(`${version} ${version}`))
          await new Promise((go) => setTimeout(go, 10));
      }
      async function rewriting(): Promise<void> {
        for (let at = 1; at <= 20; at++) {
          await write(`v${at}`);
          // Some versions stay until an event has met them, others are gone before any did.
          if (at % 4 === 0) await isMet(`v${at}`);
        }
        isWritten = true;
      }
      await Promise.all([traffic(), traffic(), traffic(), rewriting()]);
      const whole = versions.filter((said) => /^(v\d+) \1$/.test(said));
      expect(versions).toHaveLength(sent);
      expect(sent).toBeGreaterThanOrEqual(200);
      expect(new Set(versions).size).toBeGreaterThan(3);
      expect(versions.filter((said) => !whole.includes(said))).toEqual([]);
      while (reloads < 5) await new Promise((go) => setTimeout(go, 10));
      await runtime.handle({
        ...promptEvent(common),
        ...{ id: "stop", key: "stop", name: "Stop" as const, stopHookActive: false },
      });
      expect(await runtime.drain({ session: "s1", timeoutMs: 20_000 })).toBe(true);
      const { journal } = await runtime.status();
      const counters = "error" in journal ? {} : journal.counters;
      expect(counters["event:PostToolUse"]).toBe(sent);
      const settled = (counters["settled:stored"] ?? 0) + (counters["settled:skipped"] ?? 0);
      expect(settled).toBe(sent);
      const found = await runtime.hooks.first("storage.observations", { session: "s1" });
      const uses = (found?.result ?? []).flatMap(({ toolUseIds }) => toolUseIds);
      expect(new Set(uses).size).toBe(uses.length);
    } finally {
      await watch.stop();
      await runtime.stop();
      await rm(home, { recursive: true, force: true });
    }
  });
