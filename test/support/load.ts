// Sessions that go on while something else is done to their server: what was sent has to be answered, and there.
import { expect } from "bun:test";
import type { PluginServer } from "./plugin-server.ts";

/** What a session sent: tool uses, one after the other. */
export interface Load {
  sent: number;
  /** How many of them were sent and answered while the work was going on. */
  meanwhile: number;
}

/** Gives what sends the next tool use of one session and waits for its answer. */
export function sessionOf(server: PluginServer, session = "s1") {
  let sent = 0;
  async function send(): Promise<void> {
    const { status } = await server.hook(
      JSON.stringify({
        session_id: session,
        cwd: server.home,
        hook_event_name: "PostToolUse",
        tool_name: "Bash",
        tool_use_id: `t${sent++}`,
        tool_input: { command: "make" },
        tool_response: { stdout: `run ${sent}` },
      }),
    );
    expect(status).toBeLessThan(300);
  }
  return { send, sent: () => sent };
}

/** Sends tool uses of one session for as long as `work` takes. */
export async function underLoad(
  server: PluginServer,
  work: () => Promise<void>,
  restMs = 20,
): Promise<Load> {
  const { send, sent } = sessionOf(server);
  let isOver = false;
  let meanwhile = 0;
  const sessions = (async () => {
    while (!isOver) {
      await send();
      if (!isOver) meanwhile++;
      await Bun.sleep(restMs);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await sessions;
  }
  return { sent: sent(), meanwhile };
}

/** Some were answered before the work was over, and each of them is in the journal's counts. */
export async function expectNothingLost(server: PluginServer, load: Load): Promise<void> {
  expect(load.meanwhile).toBeGreaterThan(0);
  const { journal } = await server.status();
  const counters = "error" in journal ? {} : journal.counters;
  const taken = Object.entries(counters).filter(([name]) => /event.*PostToolUse$/.test(name));
  expect(taken.map(([, count]) => count)).toEqual([load.sent]);
}
