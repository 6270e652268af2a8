// /api/status, /api/plugins, /api/context and what the server can be asked to do: how it fares, what a session would be given.
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { routesBelow } from "../http/edge.ts";
import { answer, body, query } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { now as currently } from "../memory/now.ts";
import { wouldBeTold } from "../memory/would-be-told.ts";
import {
  ContextAnswer,
  ContextParams,
  DrainAnswer,
  DrainBody,
  ReloadAnswer,
  RetryAnswer,
  RetryBody,
  StopAnswer,
} from "../schemas/control.ts";
import { NowAnswer } from "../schemas/now.ts";
import { NoBody } from "../schemas/parts.ts";
import { PluginsAnswer } from "../schemas/plugins.ts";
import { type ServerPart, StatusAnswer } from "../schemas/status.ts";

export interface ControlRoutesOptions {
  runtime: ServerRuntime;
  now(): number;
  /** What the server says of itself, beside the runtime's status. */
  serverStatus(): Promise<ServerPart>;
  /** Takes every waiting spool file in. */
  drainSpool(): Promise<void>;
  /** After plugins or config changed. */
  reloaded(): Promise<void>;
  /** Begins the stop; the answer still goes out. */
  stop(): void;
}

const drainMs = 30_000;

/** What may be asked without changing anything: status, plugins, and a preview of a context. */
export function statusRoutes({ runtime, now, serverStatus }: ControlRoutesOptions) {
  return routesBelow("/api")
    .get(
      "/status",
      async () => withoutPasswordsDeep({ ...(await runtime.status()), ...(await serverStatus()) }),
      { response: answer(StatusAnswer), detail: { summary: "How the server is doing." } },
    )
    .get("/now", async () => currently(runtime, (await serverStatus()).spool.waiting), {
      response: answer(NowAnswer),
      detail: {
        summary: "What goes on: sessions, what was captured and became of it, what waits.",
      },
    })
    .get(
      "/plugins",
      async () => {
        const { plugins, local } = await runtime.status();
        const subscriptions = runtime.hooks.subscriptions();
        return withoutPasswordsDeep({ plugins, subscriptions, local: [...local] });
      },
      { response: answer(PluginsAnswer), detail: { summary: "Plugins and what they listen to." } },
    )
    .get("/context", ({ query }) => wouldBeTold(runtime, query, now), {
      query: query(ContextParams),
      response: answer(ContextAnswer),
      detail: { summary: "What a session, or a prompt, would be given." },
    });
}

/** Drain, retry, reload and stop. */
export function controlRoutes(options: ControlRoutesOptions) {
  const { runtime } = options;
  return routesBelow("/api")
    .post(
      "/drain",
      async ({ body }) => {
        await options.drainSpool();
        return { drained: await runtime.drain({ timeoutMs: drainMs, ...body }) };
      },
      {
        body: body(DrainBody),
        response: answer(DrainAnswer),
        detail: { summary: "Work off what waits." },
      },
    )
    .post("/retry", ({ body }) => ({ retried: runtime.retryParked(body.ids) }), {
      body: body(RetryBody),
      response: answer(RetryAnswer),
      detail: { summary: "Put work that was given up back to work." },
    })
    .post(
      "/reload",
      async () => {
        await runtime.reload();
        await options.reloaded();
        return { reloaded: true };
      },
      {
        body: body(NoBody),
        response: answer(ReloadAnswer),
        detail: { summary: "Read config and plugins again." },
      },
    )
    .post(
      "/stop",
      () => {
        options.stop();
        return { stopping: true };
      },
      {
        body: body(NoBody),
        response: answer(StopAnswer),
        detail: { summary: "Stop the server in order." },
      },
    );
}
