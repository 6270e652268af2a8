// The strategy as the host runs it, on a throw-away home: its handlers, what it keeps and notes, and a server's restart.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { ConfigSchema } from "../../../plugins/endless-gateway/config.ts";
import plugin from "../../../plugins/endless-gateway/index.ts";
import { noData } from "../../../src/home/database/plugin-data.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import type { ModelRequest } from "../../../src/sdk/endless.ts";
import type { Observation } from "../../../src/sdk/model.ts";
import { type FakeEndless, fakeEndless } from "../../support/fake-endless.ts";
import { type KeptLog, keptLog } from "../../support/kept-log.ts";

type Body = Record<string, unknown> & { messages: unknown[] };

export interface OpenStrategy {
  home: string;
  endless: FakeEndless;
  log: KeptLog;
  observations: Observation[];
  /** Epoch ms; moved by hand. */
  clock: { now: number };
  /** The body as it goes out. */
  send(body: Body, more?: Partial<ModelRequest>, signal?: AbortSignal): Promise<Body>;
  /** The API took a request of the session; `refused` as the client wrote it only. */
  answer(refused?: true): Promise<void>;
  /** As after a kill: nothing in memory stays. `forget` also loses what is on disk. */
  restart(forget?: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Opens it with these options. */
export async function openStrategy(
  options: v.InferInput<typeof ConfigSchema> = {},
): Promise<OpenStrategy> {
  const home = await mkdtemp(join(tmpdir(), "memoir-gateway-"));
  const clock = { now: 1_700_000_000_000 };
  const endless = fakeEndless(() => clock.now);
  const log = keptLog();
  const observations: Observation[] = [];
  const storage = {
    observations: async ({ session }: { session?: string }) =>
      observations.filter((one) => one.session === session),
  } as unknown as StorageClient;
  const context = {
    plugin: "gateway",
    config: v.parse(ConfigSchema, options),
    log,
    home,
    now: () => clock.now,
    storage,
    data: noData("a test's"),
    complete: () => Promise.reject(new Error("no model")),
    endless,
  };
  let state = await plugin.start?.(context);
  const call = () => {
    if (!state) throw new Error("not started");
    return { ...context, state, signal: new AbortController().signal };
  };
  const { request, responded } = plugin.hooks;
  if (typeof request !== "object" || typeof responded !== "function")
    throw new Error("the plugin's hooks have another form");
  return {
    ...{ home, endless, log, observations, clock },
    async send(body, more, signal) {
      const asked: ModelRequest = { client: "claude-code", session: "s1", body, ...more };
      const answer = await request.handler(asked, { ...call(), ...(signal && { signal }) });
      return (answer?.body ?? body) as Body;
    },
    async answer(refused) {
      const about = { client: "claude-code", session: "s1", model: "claude-x", status: 200 };
      await responded({ ...about, firstByteMs: 1, ...(refused && { refused }) }, call());
    },
    async restart(forget = false) {
      await plugin.stop?.(state, context);
      if (forget) endless.decisions.clear();
      state = await plugin.start?.(context);
    },
    async stop() {
      await plugin.stop?.(state, context);
      await rm(home, { recursive: true, force: true });
    },
  };
}
