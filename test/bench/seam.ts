// What the seam between memoir and a plugin costs: a direct call, a plugin inside the server, one in a worker; starts with many plugins.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/home/log.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { createHooks } from "../../src/runtime/hooks/hooks.ts";
import { type Oversight, openOversight } from "../../src/runtime/isolation/oversight.ts";
import { startInstance } from "../../src/runtime/plugins/instance.ts";
import { loadPlugin } from "../../src/runtime/plugins/load-plugin.ts";
import { publishSdk } from "../../src/runtime/plugins/sdk-module.ts";
import type { Hooks } from "../../src/runtime/ports.ts";
import type { PostToolUseEvent } from "../../src/sdk/events.ts";
import { type Figure, median } from "./figures.ts";
import { readPayload } from "./payloads.ts";
import { memoryMb } from "./process-cost.ts";
import { withHome } from "./served-home.ts";

const part = "seam";
const listener = (name: string) => `export default {
  name: "${name}", description: "Looks at tool uses.", sdk: 1,
  hooks: { async PostToolUse(input) { return input.toolName === "Nothing" ? { context: "x" } : undefined; } },
};
`;

/** A tool use of 4.5 KB, as plugins are given it. */
function toolUse(): PostToolUseEvent {
  const { tool_input, tool_response } = JSON.parse(readPayload("s", 1));
  return {
    ...{ id: "e", key: "k", name: "PostToolUse", client: "claude-code", session: "s", time: 1 },
    ...{ cwd: "/shop", toolName: "Read", toolUseId: "t" },
    toolInput: tool_input,
    toolResponse: tool_response,
  } as PostToolUseEvent;
}

/** Milliseconds of one call: the median of rounds, one call after the other. */
async function perCall(calls: number, call: () => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 7; round++) {
    const begun = performance.now();
    for (let i = 0; i < calls; i++) await call();
    rounds.push((performance.now() - begun) / calls);
  }
  return median(rounds.slice(1));
}

async function started(home: string, name: string, inProcess: boolean, oversight: Oversight) {
  const config = { plugins: { [name]: { inProcess } }, isolation: { memoryMb: 512 } };
  const loaded = await loadPlugin(`./plugins/${name}.ts`, {}, { home, userHome: home, config });
  const tools = { home, log: silentLog, now: Date.now, hooks: () => undefined };
  const { plugin, context, state, stop } = await startInstance(loaded, {}, tools);
  const one = { plugin, fills: {}, context, state, guard: oversight.guard(name) };
  return { hooks: createHooks([one], { log: silentLog }), stop };
}

async function calls(): Promise<Figure[]> {
  const home = await mkdtemp(join(tmpdir(), "memoir-seam-"));
  const input = toolUse();
  const run = (hooks: Hooks) => () => hooks.sequence("PostToolUse", input);
  try {
    const paths = memoirPaths(home);
    await mkdir(paths.plugins, { recursive: true });
    for (const name of ["inside", "outside"])
      await writeFile(join(paths.plugins, `${name}.ts`), listener(name));
    await publishSdk(paths);
    const oversight = await openOversight(paths, silentLog, Date.now);
    const inside = await started(home, "inside", true, oversight);
    const outside = await started(home, "outside", false, oversight);
    const handler = async (event: PostToolUseEvent) =>
      event.toolName === "Nothing" ? { context: "x" } : undefined;
    const direct = await perCall(50_000, () => handler(input));
    const within = await perCall(20_000, run(inside.hooks));
    const worker = await perCall(3_000, run(outside.hooks));
    await inside.stop();
    await outside.stop();
    await oversight.close();
    return [
      { part, name: "a direct call, 4.5 KB event", value: direct * 1_000, unit: "µs" },
      { part, name: "the same through the hooks, in process", value: within * 1_000, unit: "µs" },
      { part, name: "the same through the hooks, in a worker", value: worker * 1_000, unit: "µs" },
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function starts(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [0, 10, 50])
    await withHome(async (home) => {
      await mkdir(join(home.home, "plugins"), { recursive: true });
      for (let at = 0; at < count; at++)
        await writeFile(join(home.home, "plugins", `p-${at}.ts`), listener(`p-${at}`));
      const begun = performance.now();
      await home.start();
      const first = performance.now() - begun;
      const again: number[] = [];
      let pid = 0;
      for (let round = 0; round < 5; round++) {
        await home.kill();
        const at = performance.now();
        pid = await home.start();
        again.push(performance.now() - at);
      }
      // Until every worker is warm.
      await Bun.sleep(200 + count * 30);
      const name = `start with ${count} plugins`;
      const rss = memoryMb(pid, "VmRSS");
      figures.push(
        ...(count > 0
          ? [{ part, name: `${name}, never seen before`, value: first, unit: "ms" as const }]
          : []),
        { part, name, value: median(again), unit: "ms" },
        ...(rss === undefined
          ? []
          : [{ part, name: `${name}: memory`, value: rss, unit: "MB" as const }]),
      );
    });
  return figures;
}

/** All figures of the seam. */
export async function benchSeam(): Promise<Figure[]> {
  return [...(await calls()), ...(await starts())];
}
