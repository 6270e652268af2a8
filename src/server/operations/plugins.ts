// Plugins, and one of them with its switch and its options, as the command line has them.
import process from "node:process";
import * as v from "valibot";
import { memoirPaths } from "../../home/paths.ts";
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { noSuchPart } from "../../runtime/hooks/parts.ts";
import {
  describePlugins,
  pluginNamed,
  readOptions,
  setOptions,
  switchInConfig,
} from "../../runtime/plugins/describe.ts";
import {
  ContributionSchema,
  PluginSchema,
  SubscriptionSchema,
} from "../../runtime/status-schema.ts";
import { askOperation } from "../contributed.ts";
import { type Context, described, get, NoBody, optional, post } from "../operation.ts";

/** The name in a path. */
const PluginParams = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[@\w./-]{1,200}$/, "is no name of a plugin")),
});
const hooks = described(
  v.boolean(),
  "Clients have to send other events now: `memoir install` has them do so.",
);

/** What is known of one. */
const PluginAnswer = v.object({
  plugin: PluginSchema,
  subscriptions: v.array(SubscriptionSchema),
  contributions: v.array(ContributionSchema),
  options: v.object({
    schema: described(v.record(v.string(), v.unknown()), "JSON Schema of all options."),
    set: described(v.record(v.string(), v.unknown()), "Those that config sets."),
  }),
  error: optional(v.string(), "Why its options cannot be read."),
});

const placeOf = ({ runtime }: Context) => ({
  paths: memoirPaths(runtime.home),
  env: process.env,
});

async function named({ runtime }: Context, name: string) {
  return pluginNamed((await runtime.status()).plugins, name);
}

/** Puts a change in force, and says whether clients have to send other events for it. */
async function inForce(
  { runtime, reloaded }: Context,
  change: () => Promise<boolean>,
): Promise<boolean> {
  const events = async () => (await describePlugins(runtime.home, process.env)).events;
  const before = new Set(await events());
  if (!(await change())) return false;
  await runtime.reload();
  await reloaded();
  return (await events()).some((event) => !before.has(event));
}

/** What is known of one, and what may be changed of it. */
export const pluginOperations = [
  get("/api/plugins/:name", {
    summary: "One plugin: what it listens to, and its options.",
    params: PluginParams,
    answer: PluginAnswer,
    async run({ params }, context): Promise<v.InferOutput<typeof PluginAnswer>> {
      const plugin = await named(context, params.name);
      const read = await readOptions(plugin, placeOf(context)).catch((error: Error) => ({ error }));
      const subscriptions = context.runtime.hooks
        .subscriptions()
        .filter((subscription) => subscription.plugin === plugin.name);
      return withoutPasswordsDeep({
        ...{ plugin, subscriptions },
        contributions: context.runtime.parts.list().filter((one) => one.plugin === plugin.name),
        ...("error" in read
          ? { options: { schema: {}, set: {} }, error: read.error.message }
          : { options: { schema: { ...read.schema }, set: read.set } }),
      });
    },
  }),
  post("/api/plugins/:name/panels/:panel", {
    summary: "An address of a plugin's panel that a frame gets once, within a minute.",
    params: v.strictObject({
      ...PluginParams.entries,
      panel: v.pipe(v.string(), v.maxLength(100)),
    }),
    body: NoBody,
    answer: v.object({ address: v.string() }),
    run({ params: { name, panel } }, { page, runtime }) {
      const found = runtime.parts
        .list()
        .find((one) => one.plugin === name && one.part === `panels.${panel}`);
      if (!found) throw noSuchPart(name, `panels.${panel}`);
      const path = `/plugins/${name}/panels/${panel}`;
      return { address: `${path}?ticket=${page.ticket(path)}` };
    },
  }),
  post("/api/plugins/:name/ask/:operation", {
    summary: "Ask an operation of a plugin in the name of its panel.",
    params: v.strictObject({
      ...PluginParams.entries,
      operation: v.pipe(v.string(), v.maxLength(100)),
    }),
    body: v.strictObject({ input: optional(v.unknown()) }),
    answer: v.object({ answer: v.unknown() }),
    run: async (
      { params: { name, operation }, body },
      { runtime, now, request },
    ): Promise<{ answer: unknown }> => ({
      answer:
        (await askOperation(
          runtime,
          [name, operation],
          body.input ?? {},
          { door: "panel" },
          now(),
          request.signal,
        )) ?? null,
    }),
  }),
  post("/api/plugins/:name/switch", {
    summary: "Switch a plugin on or off.",
    params: PluginParams,
    body: v.strictObject({ enabled: v.boolean() }),
    answer: v.object({ plugin: PluginSchema, hooks }),
    async run({ params, body: { enabled } }, context) {
      const hooks = await inForce(context, async () => {
        await switchInConfig(placeOf(context), params.name, enabled);
        return true;
      });
      return withoutPasswordsDeep({ plugin: await named(context, params.name), hooks });
    },
  }),
  post("/api/plugins/:name/options", {
    summary: "Set options of a plugin, or take them back; all or nothing.",
    params: PluginParams,
    body: v.strictObject({
      set: optional(v.record(v.string(), v.unknown())),
      unset: optional(v.array(v.string()), "Those that config is to say nothing of."),
    }),
    /** What was refused, by option; nothing was written then. */
    answer: v.object({
      saved: v.boolean(),
      refused: v.array(
        v.object({
          option: described(v.string(), "Empty for the plugin as a whole."),
          message: v.string(),
          fix: optional(v.string()),
        }),
      ),
      hooks,
    }),
    async run({ params, body }, context) {
      let refused: Awaited<ReturnType<typeof setOptions>> = [];
      const hooks = await inForce(context, async () => {
        refused = await setOptions(placeOf(context), params.name, body);
        return refused.length === 0;
      });
      return { saved: refused.length === 0, refused, hooks };
    },
  }),
];
