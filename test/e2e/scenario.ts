// A scenario and the pool that runs them: two at a time, each in its own world, with its own deadline.
import { type Tools, type World, withWorld } from "./world.ts";

export interface Scenario {
  name: string;
  /** It opens windows, which not every machine can. */
  windows?: boolean;
  run(world: World): Promise<void>;
}

export interface Tally {
  passed: number;
  failed: number;
}

const deadlineMs = 90_000;
const lanes = 2;

async function within<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`not done after ${deadlineMs / 1000} s`)),
      deadlineMs,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function indented(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replaceAll(/^/gm, "    ");
}

/** Runs all scenarios and prints one line for each as it ends. */
export async function runScenarios(
  scenarios: Scenario[],
  tools: Tools,
  keep: boolean,
): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  const queue = scenarios.values();
  async function lane(): Promise<void> {
    for (const { name, run } of queue) {
      const begin = Date.now();
      const took = () => `${((Date.now() - begin) / 1000).toFixed(1)} s`;
      let dir = "";
      const note = (world: World) => {
        dir = world.dir;
        return run(world);
      };
      try {
        await withWorld(tools, keep, (world) => within(note(world)));
        tally.passed++;
        console.log(`✓ ${name} (${took()})${keep ? ` ${dir}` : ""}`);
      } catch (error) {
        tally.failed++;
        console.log(`✗ ${name} (${took()})${keep ? ` ${dir}` : ""}\n${indented(error)}`);
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return tally;
}
