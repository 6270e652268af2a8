// A scenario and the pool that runs them: two at a time, each in its own world, with its own deadline.
import { type Tools, type World, withWorld } from "./world.ts";

export interface Scenario {
  name: string;
  /** A program that not every machine has: tmux for windows, Chromium for the page, PostgreSQL for a hub. */
  needs?: "tmux" | "chromium" | "postgres";
  /** It drives this client, or these, beside Claude Code, which may not be had here. */
  client?: string | readonly string[];
  run(world: World): Promise<void>;
}

export interface Tally {
  passed: number;
  failed: number;
}

/** For what hangs: the slowest takes half a minute on an idle machine, and others may have it. */
const deadlineMs = 240_000;
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

export interface RunOptions {
  /** Each scenario's world stays on disk, and its line names it. */
  keep: boolean;
  /** One that fails is run a second time, in a new world; its line says so when it passes then. */
  retry: boolean;
}

/** Runs all scenarios and prints one line for each as it ends. */
export async function runScenarios(
  scenarios: Scenario[],
  tools: Tools,
  { keep, retry }: RunOptions,
): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  const queue = scenarios.values();

  /** Whether it passed. */
  async function attempt({ name, run }: Scenario, time: 1 | 2): Promise<boolean> {
    const begin = Date.now();
    let dir = "";
    const note = (world: World) => {
      dir = world.dir;
      return run(world);
    };
    const line = () => {
      const took = `${((Date.now() - begin) / 1000).toFixed(1)} s`;
      return `${name}${time === 2 ? " (attempt 2)" : ""} (${took})${keep ? ` ${dir}` : ""}`;
    };
    try {
      await withWorld(tools, keep, (world) => within(note(world)));
      console.log(`✓ ${line()}`);
      return true;
    } catch (error) {
      console.log(`✗ ${line()}\n${indented(error)}`);
      return false;
    }
  }

  async function lane(): Promise<void> {
    for (const scenario of queue) {
      const passed = (await attempt(scenario, 1)) || (retry && (await attempt(scenario, 2)));
      tally[passed ? "passed" : "failed"]++;
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return tally;
}
