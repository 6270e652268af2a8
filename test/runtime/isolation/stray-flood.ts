// A process with a plugin in a worker that throws what nobody catches, as often as each prompt says: prints what the host counted.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { memoirPaths } from "../../../src/home/paths.ts";
import { createHooks } from "../../../src/runtime/hooks/hooks.ts";
import { startInstance } from "../../../src/runtime/plugins/instance.ts";
import { loadPlugin } from "../../../src/runtime/plugins/load-plugin.ts";
import { publishSdk } from "../../../src/runtime/plugins/sdk-module.ts";
import { memoryLog, promptEvent } from "../../support/hooks.ts";

const home = await mkdtemp(join(tmpdir(), "memoir-stray-"));
const path = join(home, "careless.ts");
await writeFile(
  path,
  `export default { name: "careless", description: "d", sdk: 1, hooks: { UserPromptSubmit({ prompt }) {
    for (let n = Number(prompt); n > 0; n--) setTimeout(() => { throw new Error("stray"); });
  } } };\n`,
);
await publishSdk(memoirPaths(home));
const loaded = await loadPlugin(path, {}, { home, userHome: home });
const log = memoryLog();
const tools = { home, log, now: Date.now, hooks: () => undefined };
const limits = { startMs: 10_000, stopMs: 2_000 };
const { plugin, context, state, stop, stray } = await startInstance(loaded, {}, tools, limits);
const hooks = createHooks([{ plugin, fills: {}, context, state }], { log });
const counted = () => stray?.()?.count ?? 0;

const counts: number[] = [];
for (const prompt of process.argv.slice(2)) {
  const before = counted();
  await hooks.sequence("UserPromptSubmit", promptEvent({ prompt }));
  while (counted() === before) await setTimeout(10);
  // By then the worker may tell of one more.
  await setTimeout(1_100);
  counts.push(counted());
}
await stop();
await rm(home, { recursive: true });
console.log(JSON.stringify(counts));
