// A session's worth of hooks against a server with a plugin of one failure kind in it, and what came of them.
import { promptPayload, readPayload } from "../../bench/payloads.ts";
import {
  type HookAnswer,
  type PluginServer,
  withPluginServer,
} from "../../support/plugin-server.ts";
import { type Kind, source } from "./kinds.ts";

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
  toolUses: number;
  pid: number;
  server: PluginServer;
}

/** Posts `total` tool uses, a few at a time, with a prompt before every twentieth; then waits until all work is done. */
export async function underLoad<Value>(
  kind: Kind | undefined,
  total: number,
  look: (outcome: Outcome) => Promise<Value>,
): Promise<Value> {
  const path = "./plugins/torture.ts";
  const slots = kind?.slot
    ? { [kind.slot]: kind.slot === "capture" ? ["...", path] : [path] }
    : undefined;
  const files = {
    "plugins/witness.ts": witness,
    ...(kind && { "plugins/torture.ts": source(kind) }),
    "config.json": { ...(slots && { slots }), ...kind?.config },
  };
  return withPluginServer(files, async (server) => {
    const pid = await server.start();
    const tools: HookAnswer[] = [];
    const prompts: HookAnswer[] = [];
    let next = 0;
    async function lane(): Promise<void> {
      for (let serial = next++; serial < total; serial = next++) {
        const session = `torture-${Math.floor(serial / perSession)}`;
        if (serial % perSession === 0)
          prompts.push(await server.hook(promptPayload(session, `Read route ${serial}`)));
        tools.push(await server.hook(readPayload(session, serial)));
      }
    }
    await Promise.all(Array.from({ length: 8 }, lane));
    for (let first = 0; first < total; first += perSession)
      await server.hook(stopPayload(`torture-${first / perSession}`));
    await server.ask("/api/drain", { timeoutMs: 20_000 });
    return look({ tools, prompts, toolUses: total, pid, server });
  });
}
