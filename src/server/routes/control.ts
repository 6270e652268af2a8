// /api/…: how the server is doing, what a session would be told, and the few things it can be asked to do.
import { Elysia } from "elysia";
import { clientNamed } from "../../clients/index.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { readJson } from "./body.ts";
import { ContextParams, DrainBody, parseQuery, parseWith, RetryBody } from "./query.ts";

export interface ControlRoutesOptions {
  runtime: ServerRuntime;
  now(): number;
  /** What the server says of itself, beside the runtime's status. */
  serverStatus(): Promise<object>;
  /** Takes every waiting spool file in. */
  drainSpool(): Promise<void>;
  /** After plugins or config changed. */
  reloaded(): Promise<void>;
  /** Begins the stop; the answer still goes out. */
  stop(): void;
}

/** Status, plugins, context preview, drain, reload and stop. */
export function controlRoutes(options: ControlRoutesOptions) {
  const { runtime } = options;
  return new Elysia({ prefix: "/api" })
    .get("/status", async () => ({
      ...(await runtime.status()),
      ...(await options.serverStatus()),
    }))
    .get("/plugins", async () => {
      const status: { plugins?: unknown; local?: unknown } = await runtime.status();
      const { plugins = [], local = [] } = status;
      return { plugins, subscriptions: runtime.hooks.subscriptions(), local };
    })
    .get("/context", async ({ request }) => {
      const { client, cwd, source, prompt } = parseQuery(ContextParams, request);
      // A session nobody has, so that nothing counts as already told.
      const common = { session_id: `preview-${crypto.randomUUID()}`, cwd };
      const payload =
        prompt === undefined
          ? { ...common, hook_event_name: "SessionStart", source }
          : { ...common, hook_event_name: "UserPromptSubmit", prompt };
      const delivery = { id: crypto.randomUUID(), time: options.now() };
      const event = clientNamed(client).parse(payload, delivery);
      const { context = "" } = await runtime.reply(event);
      return { context };
    })
    .post(
      "/drain",
      async ({ request }) => {
        const scope = parseWith(DrainBody, (await readJson(request)) ?? {}, "field");
        await options.drainSpool();
        return { drained: await runtime.drain(scope) };
      },
      { parse: "none" },
    )
    .post(
      "/retry",
      async ({ request }) => {
        const { ids } = parseWith(RetryBody, (await readJson(request)) ?? {}, "field");
        return { retried: runtime.retryParked(ids) };
      },
      { parse: "none" },
    )
    .post(
      "/reload",
      async () => {
        await runtime.reload();
        await options.reloaded();
        return { reloaded: true };
      },
      { parse: "none" },
    )
    .post(
      "/stop",
      () => {
        options.stop();
        return { stopping: true };
      },
      { parse: "none" },
    );
}
