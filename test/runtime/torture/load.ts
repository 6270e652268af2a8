// A session's worth of hooks against a server with a plugin of one failure kind in it, and what came of them.
import { promptPayload, readPayload } from "../../bench/payloads.ts";
import {
  type HookAnswer,
  type PluginServer,
  withPluginServer,
} from "../../support/plugin-server.ts";
import type { Kind } from "./kinds.ts";

/** A healthy plugin beside the failing one: its answers must arrive, whatever the other does. */
const witness = `export default {
  name: "witness",
  description: "Says something with every prompt.",
  sdk: 1,
  hooks: { UserPromptSubmit: { deadlineMs: 30_000, handler: () => ({ context: "the witness was heard" }) } },
};
`;

const perSession = 20;

function stopPayload(session: string): string {
  return JSON.stringify({
    session_id: session,
    transcript_path: `/home/dev/.claude/projects/-home-dev-shop/${session}.jsonl`,
    cwd: "/home/dev/shop",
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "The routes are read.",
  });
}

export interface Outcome {
  tools: HookAnswer[];
  prompts: HookAnswer[];
}

/** The config with which a server takes this kind's plugin from `path` (relative to the home). */
export function configOf({ slot, config }: Kind, path: string): object {
  if (slot === undefined) return { listeners: [path], ...config };
  return { slots: { [slot]: slot === "capture" ? ["...", path] : [path] }, ...config };
}

/** A server with the healthy plugin, whose work is tried again at once where an observer fails. */
export async function besideWitness<Value>(
  more: Readonly<Record<string, string | object>>,
  use: (server: PluginServer) => Promise<Value>,
): Promise<Value> {
  const config = { worker: { retrySeconds: [0, 0, 0, 0, 0, 0] } };
  return withPluginServer(
    { "plugins/witness.ts": witness, "config.json": config, ...more },
    async (server) => {
      await server.start();
      return use(server);
    },
  );
}

/** Posts `total` tool uses in sessions of this name, a few at a time, with a prompt before every twentieth; then waits until all work is done. */
export async function load(server: PluginServer, name: string, total: number): Promise<Outcome> {
  const tools: HookAnswer[] = [];
  const prompts: HookAnswer[] = [];
  let next = 0;
  async function lane(): Promise<void> {
    for (let serial = next++; serial < total; serial = next++) {
      const session = `${name}-${Math.floor(serial / perSession)}`;
      if (serial % perSession === 0)
        prompts.push(await server.hook(promptPayload(session, `Read route ${serial}`)));
      tools.push(await server.hook(readPayload(session, serial)));
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane));
  for (let first = 0; first < total; first += perSession)
    await server.hook(stopPayload(`${name}-${first / perSession}`));
  await server.ask("/api/drain", { timeoutMs: 20_000 });
  return { tools, prompts };
}
