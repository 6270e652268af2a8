// A home whose models are a server on loopback that misbehaves on demand: prompts go all the way from event to storage.
import { afterEach, beforeEach, expect } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtins } from "../../src/runtime/builtins.ts";
import type { UserConfig } from "../../src/runtime/config/config.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import type { EventBase } from "../../src/sdk/events.ts";
import type { Observation } from "../../src/sdk/model.ts";
import { clientEvent, toolEvent } from "./client-events.ts";
import { keptLog } from "./kept-log.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { modelStrategy } from "./model-strategy.ts";

/** Stored for the provider anthropic. */
export const key = "sk-ant-api03-Zm9vYmFyYmF6cXV4c2VjcmV0a2V5MTIzNDU2Nzg5MA";
/** Made anew for each test of the file that calls `ownModelHome`. */
export let home: string;
export let server: ModelServer;
export let runtime: Runtime;
export const log = keptLog();

/** Gives each test of the file a home and a server, and takes them away after it. */
export function ownModelHome(): void {
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "memoir-degrade-"));
    await mkdir(join(home, "shop"));
    await writeFile(join(home, "keys.json"), JSON.stringify({ anthropic: key }));
    server = startModelServer();
    log.lines.length = 0;
  });
  afterEach(async () => {
    await runtime.stop();
    await server.stop();
    await rm(home, { recursive: true, force: true });
  });
}

/** Starts the runtime. `set` is config beside that of the tests. */
export async function start(set: UserConfig = {}) {
  const config = {
    slots: { ...strategies, provider: "anthropic" },
    worker: { retrySeconds: [0, 0, 0, 0, 0] },
    ...set,
    plugins: { anthropic: { baseURL: server.url, timeoutSeconds: 20 }, ...set.plugins },
  };
  await writeFile(join(home, "config.json"), JSON.stringify(config));
  runtime = await createRuntime({
    home,
    log,
    env: { HOME: home },
    builtins: { ...builtins, scripted: async () => ({ default: modelStrategy }) },
  });
}

/** Slots of the scripted strategy. */
export const strategies = {
  observation: ["scripted", "heuristic"],
  summarization: "heuristic-summary",
};
let made = 0;
/** One prompt with two edits, worked off; gives the prompt's observations. */
export async function prompt(
  session = "s1",
  more: Partial<EventBase> = {},
): Promise<Observation[]> {
  made++;
  const now = Date.now();
  const place = { session, cwd: join(home, "shop"), time: now, ...more };
  await runtime.handle(clientEvent("UserPromptSubmit", { ...place, prompt: "Fix the login" }));
  for (const file of ["a", "b"])
    await runtime.handle(
      toolEvent(`t${made}${file}`, {
        ...place,
        toolName: "Edit",
        toolInput: { file_path: join(home, "shop", `${file}.ts`) },
        toolResponse: {
          filePath: join(home, "shop", `${file}.ts`),
          oldString: "return user;",
          newString: "return checkedUser(user);",
          structuredPatch: [
            {
              oldStart: 3,
              oldLines: 2,
              newStart: 3,
              newLines: 6,
              lines: [
                " export function login(user: User) {",
                "-  return user;",
                "+  if (user.expired) throw new LoginError('expired');",
                "+  return checkedUser(user);",
                "+}",
                "+export function checkedUser(user: User) {",
              ],
            },
          ],
        },
      }),
    );
  await runtime.handle(clientEvent("Stop", place));
  expect(await runtime.drain({ timeoutMs: 20_000 })).toBe(true);
  const answer = await runtime.hooks.first("storage.observations", { session, limit: 50 });
  return (answer?.result ?? []).filter(({ toolUseIds }) =>
    toolUseIds.some((id) => id.startsWith(`t${made}`)),
  );
}

/** What the next prompt's hook shows to the person. */
export async function told(session = "s1"): Promise<string> {
  const event = clientEvent("UserPromptSubmit", {
    session,
    cwd: join(home, "shop"),
    time: Date.now(),
    prompt: "And now?",
  });
  return (await runtime.handle(event)).reply.systemMessage ?? "";
}

/** Every tool use was settled, and nothing waits. */
export async function expectNothingLost(toolUses: number) {
  // A prompt that was asked for its notice only is stored as well.
  expect(await runtime.drain({ timeoutMs: 20_000 })).toBe(true);
  const { journal } = await runtime.status();
  if ("error" in journal) throw new Error(journal.error);
  const { pendingWork, leasedWork, parkedWork, counters } = journal;
  expect({ pendingWork, leasedWork, parkedWork }).toEqual({
    pendingWork: 0,
    leasedWork: 0,
    parkedWork: 0,
  });
  const ended = Object.entries(counters).filter(([name]) => name.startsWith("settled:"));
  expect(ended.reduce((sum, [, count]) => sum + count, 0)).toBe(toolUses);
}
