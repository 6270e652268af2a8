// A process of its own: takes an event of each client in turn, and prints after each whose adapters are loaded by then.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createFillIn } from "../../src/backfill/fill-in.ts";
import { createHookRoute, type HookRouteOptions } from "../../src/server/hook-route.ts";

const fixtures = {
  codex: "prompt.json",
  grok: "prompt.json",
  copilot: "command-passed.json",
  cursor: "prompt.json",
  gemini: "command-passed.json",
  opencode: "after-bash.json",
  qwen: "prompt.json",
  droid: "command-passed.json",
  pi: "prompt.json",
  antigravity: "stop.json",
};

const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Why?", session_id: "s", cwd: "/w" };

const payloads: Array<readonly [client: string, payload: unknown]> = [
  ["claude-code", prompt],
  ...Object.entries(fixtures).map(([client, file]) => {
    const path = join(import.meta.dirname, client, "fixtures", file);
    return [client, JSON.parse(readFileSync(path, "utf8"))] as const;
  }),
];

/** An adapter is its client's `index.ts`. */
function loaded(): string[] {
  const adapter = /src[\\/]clients[\\/]([\w-]+)[\\/]index\.ts$/;
  return Object.keys(require.cache).flatMap((file) => adapter.exec(file)?.[1] ?? []);
}

const log = { debug() {}, info() {}, warn: console.error, error: console.error };
const runtime = {
  recover: async () => true,
  workOn: async () => {},
  handle: async () => ({ reply: {} }),
};
const options = {
  ...{ runtime, log, now: Date.now, refusals: {} },
  fillIn: createFillIn({ runtime, env: { HOME: "/nowhere" }, log, waitMs: 0 } as never),
};
const take = createHookRoute(options as unknown as HookRouteOptions);

const after: Array<readonly [client: string, loaded: string[]]> = [["", loaded()]];
for (const [client, payload] of payloads) {
  const body = JSON.stringify(payload);
  await take(client, new Request("http://localhost/", { method: "POST", body }));
  after.push([client, loaded()]);
}
console.log(JSON.stringify(after));
process.exit(0);
