// Sessions that go on while something else is done to their server: what was sent has to be there, and in time.
import { expect } from "bun:test";
import type { PluginServer } from "./plugin-server.ts";

/** Sends tool uses of one session, one after the other, for as long as `work` takes; gives how long each took. */
export async function underLoad(server: PluginServer, work: () => Promise<void>, restMs = 20) {
  let sent = 0;
  let isOver = false;
  const times: number[] = [];
  async function send(): Promise<number> {
    const { status, ms } = await server.hook(
      JSON.stringify({
        ...{ session_id: "s1", cwd: server.home, hook_event_name: "PostToolUse" },
        ...{ tool_name: "Bash", tool_use_id: `t${sent++}`, tool_input: { command: "make" } },
        tool_response: { stdout: `run ${sent}` },
      }),
    );
    expect(status).toBeLessThan(300);
    await Bun.sleep(restMs);
    return ms;
  }
  const sessions = (async () => {
    while (!isOver) times.push(await send());
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await sessions;
  }
  // What the machine itself takes just now.
  const calm: number[] = [];
  for (let n = 0; n < 20; n++) calm.push(await send());
  return { sent, times, calm };
}

/** Every one of them is in the journal's counts, none took as long as the hook command waits, or far longer than without disturbance. */
export async function expectNothingLost(
  server: PluginServer,
  { sent, times, calm }: Awaited<ReturnType<typeof underLoad>>,
): Promise<void> {
  times.sort((a, b) => a - b);
  // A second is what the hook command waits; two cores share it with workers that loop.
  const most = Math.max(1_000, 3 * Math.max(...calm));
  expect(times[Math.floor(times.length * 0.99)] ?? 0).toBeLessThan(most);
  const { journal } = await server.status();
  const counters = "error" in journal ? {} : journal.counters;
  const taken = Object.entries(counters).filter(([name]) => /event.*PostToolUse$/.test(name));
  expect(taken.map(([, count]) => count)).toEqual([sent]);
}
