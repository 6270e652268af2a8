// What hints cost a hook: a tool that fails, told of its repair, not seen before, and with hints off, in turns of one run.
import { setConfigValue } from "../../src/runtime/config/config.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import type { Project } from "../../src/sdk/model.ts";
import type { Evidence } from "../../src/sdk/turn.ts";
import { type Figure, median, quantile } from "./figures.ts";

const part = "context";
const command = "bun test prices";
const blocks = 4;
const rounds = 25;

/** A failure that was repaired, as every hundredth turn has one: in the words that it has in this project. */
export function repairedFailure(project: string): Evidence[] {
  const text = failureOf(project, "prices");
  return [
    { kind: "failure", about: command, text },
    { kind: "repair", about: command, text: `${text}\n\n→ src/prices.ts` },
    { kind: "passed", about: command, text: "" },
  ];
}

function failureOf(project: string, table: string): string {
  return [
    `TypeError: the table of ${table} in ${project} has no column for the currency`,
    "    at readTable (src/prices.ts:12:3)",
    ...Array.from({ length: 30 }, (_, at) => `    at step${at} (src/steps/part-${at}.ts:${at}:1)`),
  ].join("\n");
}

/** Over a home whose projects have such failures; `home` is where its config is. */
export async function measureHints(
  runtime: Runtime,
  home: string,
  projects: readonly Project[],
): Promise<Figure[]> {
  const times = { told: [] as number[], unseen: [] as number[], off: [] as number[] };
  for (const project of projects.slice(0, blocks)) {
    const told = () => fail(runtime, project, "prices");
    await hints(runtime, home, true);
    // Read in the background: nothing is told until then.
    for (let tries = 0; (await told()).context === ""; tries++) {
      if (tries > 2_000) throw new Error("no hint came");
      await Bun.sleep(10);
    }
    for (let round = 0; round < rounds; round++) {
      const hinted = await told();
      if (hinted.context === "") throw new Error("no hint was given");
      times.told.push(hinted.ms);
      times.unseen.push((await fail(runtime, project, `tickets${round}`)).ms);
    }
    await hints(runtime, home, false);
    for (let round = 0; round < rounds; round++) times.off.push((await told()).ms);
  }
  const line = (name: string, of: readonly number[]): Figure[] => [
    { part, name: `${name}: p50`, value: median(of), unit: "ms" },
    { part, name: `${name}: p95`, value: quantile(of, 0.95), unit: "ms" },
    { part, name: `${name}: p50 ÷ hints off`, value: median(of) / median(times.off), unit: "×" },
  ];
  return [
    ...line("a tool fails, told of its repair", times.told),
    ...line("a tool fails as none did before", times.unseen),
    { part, name: "a tool fails, hints off: p50", value: median(times.off), unit: "ms" },
  ];
}

async function hints(runtime: Runtime, home: string, on: boolean): Promise<void> {
  for (const kind of ["failures", "files"])
    await setConfigValue(home, `plugins.context-moments.${kind}`, on);
  await runtime.reload();
}

/** A failing tool use in a session of its own, taken in as a hook's. */
async function fail(
  runtime: Runtime,
  project: Project,
  table: string,
): Promise<{ ms: number; context: string }> {
  const id = crypto.randomUUID();
  const event: ClientEvent = {
    ...{ name: "PostToolUseFailure", id, key: id, client: "claude-code", session: id },
    ...{ time: Date.now(), cwd: project.root, project, toolUseId: id, isInterrupt: false },
    ...{ toolName: "Bash", toolInput: { command } },
    error: `Exit code 1\n${failureOf(project.name, table)}`,
  };
  const begin = performance.now();
  const { reply } = await runtime.handle(event);
  return { ms: performance.now() - begin, context: reply?.context ?? "" };
}
