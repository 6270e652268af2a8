// How the server is doing, what goes on, what a session would be given; and what it can be asked to do: drain, retry, reload, stop.

import process from "node:process";
import * as v from "valibot";
import { recordKinds } from "../../features/memory.ts";
import { checked } from "../../health/check.ts";
import { folderChecks, keptChecks, settingsChecks } from "../../health/home-checks.ts";
import { checkStatus } from "../../health/server-checks.ts";
import { boundedSizes, saidOf } from "../../health/sizes.ts";
import { memoirPaths } from "../../home/paths.ts";
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { readConfig } from "../../runtime/config/config.ts";
import {
  ContributionSchema,
  LocalSchema,
  ParkedSchema,
  PluginSchema,
  SubscriptionSchema,
} from "../../runtime/status-schema.ts";
import { clientEventNames } from "../../sdk/hooks.ts";
import { ProjectSchema } from "../../sdk/model.ts";
import { pageCookie, pageSessionMs, portOf } from "../auth/guard.ts";
import { omittedFrom, previewContext } from "../memory/context-preview.ts";
import { now as currently } from "../memory/overview.ts";
import {
  type Context,
  described,
  filled,
  get,
  NoBody,
  offeredOf,
  optional,
  post,
  text,
} from "../operation.ts";
import { OpenApiAnswer } from "../schemas/openapi.ts";
import { SourceSchema } from "../schemas/records.ts";
import { StatusAnswer } from "../schemas/status.ts";

const time = v.number();

/** Whether clients run memoir only the command can check: their settings are no server's business. */
export const healthOperations = [
  get("/api/health", {
    summary:
      "What `memoir doctor` says of the home and its server, sizes on disk, and work that failed for good.",
    answer: v.object({
      checks: v.array(
        v.object({
          name: v.string(),
          state: v.picklist(["ok", "warn", "fail"]),
          message: v.string(),
          fix: optional(v.string()),
        }),
      ),
      sizes: v.array(
        v.object({ name: v.string(), bytes: v.number(), files: v.number(), bound: v.string() }),
      ),
      parked: described(v.array(ParkedSchema), "The newest 20."),
      parkedWork: v.number(),
      version: v.string(),
      home: v.string(),
      log: v.string(),
    }),
    run: async (_, context) => withoutPasswordsDeep(await health(context)),
  }),
];

async function health({ runtime, now, serverStatus, retention }: Context) {
  const paths = memoirPaths(runtime.home);
  const status = { ...(await runtime.status()), ...(await serverStatus()) };
  const { config } = await readConfig(paths.home);
  const asked = {
    paths,
    platform: process.platform,
    env: process.env,
    now: now(),
    served: async () => true,
    async toGo() {
      const plan = await retention.plan();
      return plan.isBound ? saidOf(plan) : undefined;
    },
  };
  const checks = {
    ...folderChecks,
    ...settingsChecks,
    server: () => checkStatus(status, asked.now),
    ...keptChecks,
  };
  return {
    checks: await checked(checks, asked),
    sizes: await boundedSizes(paths, config),
    ...("error" in status.journal
      ? { parked: [], parkedWork: 0 }
      : { parked: status.journal.parked, parkedWork: status.journal.parkedWork }),
    version: status.version,
    home: paths.home,
    log: paths.log,
  };
}

/** What may be asked without changing anything: status, plugins, and a preview of a context. */
export const statusOperations = [
  get("/api/status", {
    summary: "How the server is doing.",
    answer: StatusAnswer,
    run: async (_, { runtime, serverStatus }) =>
      withoutPasswordsDeep({ ...(await runtime.status()), ...(await serverStatus()) }),
  }),
  get("/api/now", {
    summary: "Current activity: sessions, what was captured and became of it, what waits.",
    answer: v.object({
      sessions: v.array(
        v.object({
          session: v.string(),
          client: v.string(),
          project: ProjectSchema,
          prompts: v.number(),
          startedAt: time,
          lastEventAt: time,
        }),
      ),
      happened: v.array(
        v.object({
          seq: v.number(),
          session: v.string(),
          name: v.picklist(clientEventNames),
          time,
          promptNumber: v.number(),
          outcome: v.nullable(v.picklist(["stored", "skipped", "parked"])),
          reason: v.nullable(v.string()),
          observations: v.array(v.string()),
          about: v.string(),
        }),
      ),
      told: v.array(
        v.object({
          session: v.string(),
          client: v.string(),
          event: v.string(),
          time,
          tokens: v.number(),
          records: v.array(v.string()),
        }),
      ),
      waiting: v.object({
        events: v.number(),
        work: v.number(),
        underWay: v.number(),
        parked: v.number(),
        oldestAt: v.nullable(v.number()),
      }),
      taken: v.number(),
      leftOut: v.record(v.string(), v.number()),
      titles: v.record(v.string(), v.string()),
      records: v.record(
        v.string(),
        v.object({
          id: v.string(),
          kind: v.picklist(recordKinds),
          title: v.string(),
        }),
      ),
      spool: v.number(),
    }),
    run: async (_, { runtime, serverStatus }) =>
      currently(runtime, (await serverStatus()).spool.waiting),
  }),
  get("/api/plugins", {
    summary: "Plugins and what they listen to.",
    answer: v.object({
      plugins: v.array(PluginSchema),
      subscriptions: v.array(SubscriptionSchema),
      contributions: v.array(ContributionSchema),
      local: v.array(LocalSchema),
    }),
    async run(_, { runtime }) {
      const { plugins, local } = await runtime.status();
      const subscriptions = runtime.hooks.subscriptions();
      const contributions = runtime.parts.list();
      return withoutPasswordsDeep({ plugins, subscriptions, contributions, local: [...local] });
    },
  }),
  get("/api/context", {
    summary: "What a session, or a prompt, would be given.",
    /** For a session that starts in `cwd` or in the project; with `prompt`, what that prompt would get. */
    query: v.strictObject({
      client: optional(text, "Default `claude-code`."),
      cwd: optional(filled, "Its folder."),
      project: optional(filled, "Its project (name or id), whatever the folder says."),
      source: optional(text, "Default `startup`."),
      prompt: optional(text),
      omitted: optional(
        v.literal("true"),
        "Also the rules and decisions that a start does not have, and why.",
      ),
    }),
    /** The text, empty where there is nothing to tell; whose memory it is of; and the records that it names. */
    answer: v.object({
      context: v.string(),
      project: optional(ProjectSchema),
      records: v.array(SourceSchema),
      lines: v.array(
        v.object({
          as: v.picklist(["heading", "frame", "entry"]),
          text: v.string(),
          records: v.array(v.string()),
        }),
      ),
      omitted: optional(
        v.array(v.object({ why: v.string(), count: v.number(), records: v.array(SourceSchema) })),
        "Of each reason the newest records.",
      ),
    }),
    async run({ query: { omitted, ...occasion } }, { runtime, seen, now }) {
      const { weighed, ...found } = await previewContext(runtime, occasion, now);
      return { ...found, ...(omitted && { omitted: await omittedFrom(seen, found, weighed) }) };
    },
  }),
];

const drainMs = 30_000;
const mostMs = 600_000;
const wait = `must be milliseconds, at most ${mostMs}`;

/** Drain, retry, reload and stop. */
export const controlOperations = [
  post("/api/drain", {
    summary: "Work off what waits.",
    body: v.optional(
      v.strictObject({
        session: optional(text),
        project: optional(text),
        timeoutMs: optional(
          v.pipe(v.number(), v.minValue(0, wait), v.maxValue(mostMs, wait)),
          "Default 30,000.",
        ),
      }),
      {},
    ),
    /** Whether everything was worked off in time. */
    answer: v.object({ drained: v.boolean() }),
    async run({ body }, { runtime, drainSpool }) {
      await drainSpool();
      return { drained: await runtime.drain({ timeoutMs: drainMs, ...body }) };
    },
  }),
  post("/api/retry", {
    summary: "Retry failed work.",
    /** All parked work, or the pieces with these ids. */
    body: v.optional(
      v.strictObject({
        ids: optional(v.array(v.pipe(v.number(), v.safeInteger("must be whole numbers")))),
      }),
      {},
    ),
    answer: v.object({ retried: v.number() }),
    run: ({ body }, { runtime }) => ({ retried: runtime.retryParked(body.ids) }),
  }),
  post("/api/reload", {
    summary: "Read config and plugins again.",
    body: NoBody,
    answer: v.object({ reloaded: v.boolean() }),
    async run(_, { runtime, reloaded }) {
      await runtime.reload();
      await reloaded();
      return { reloaded: true };
    },
  }),
  post("/api/stop", {
    summary: "Stop the server in order.",
    body: NoBody,
    answer: v.object({ stopping: v.boolean() }),
    run(_, { stop }) {
      stop();
      return { stopping: true };
    },
  }),
  get("/api/openapi.json", {
    summary: "This document.",
    answer: OpenApiAnswer,
    async run(_, { version, operations, runtime }) {
      // No server needs it to run.
      const { openApi } = await import("../openapi.ts");
      const brought = runtime.parts.list();
      return openApi(offeredOf(operations, brought), version, brought);
    },
  }),
];

// The page in a browser: the code that `memoir open` asks for, and the session that a browser gets for it.

/** The code and what it is traded for. */
export const pageOperations = [
  post("/api/page/code", {
    summary: "An address that opens the page once, within a minute.",
    body: NoBody,
    answer: v.object({
      address: described(v.string(), "Opens the page once, within a minute."),
    }),
    async run(_, { page, serverStatus }) {
      const { port } = await serverStatus();
      // Behind the hash: a browser sends that to nobody.
      return { address: `http://127.0.0.1:${port}/#${page.code()}` };
    },
  }),
  post("/api/page/session", {
    summary: "Trade the code for a session of the page.",
    body: v.strictObject({
      code: v.pipe(v.string(), v.regex(/^[\w-]{43}$/, "is no code of `memoir open`")),
    }),
    /** The session's other half; its first is the cookie. */
    answer: v.object({
      key: described(v.string(), "Goes along with each request, as `memoir-page-key`."),
    }),
    run({ body }, { page, request, headers }) {
      const { secret, key } = page.trade(body.code);
      const name = pageCookie(portOf(request.headers));
      const age = pageSessionMs / 1_000;
      headers["set-cookie"] =
        `${name}=${secret}; Path=/api; HttpOnly; SameSite=Strict; Max-Age=${age}`;
      return { key };
    },
  }),
];
