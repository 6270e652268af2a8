// /api/plugins/:name: one plugin, its switch and its options, as the command line has them.
import process from "node:process";
import { memoirPaths } from "../../home/paths.ts";
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import {
  pluginNamed,
  readOptions,
  setOptions,
  switchInConfig,
} from "../../runtime/plugins/settings.ts";
import { routesBelow } from "../http/edge.ts";
import { answer, body, params } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import {
  OptionsAnswer,
  OptionsBody,
  PluginAnswer,
  PluginParams,
  SwitchAnswer,
  SwitchBody,
} from "../schemas/plugins.ts";

interface PluginRoutesOptions {
  runtime: ServerRuntime;
  /** After plugins or config changed. */
  reloaded(): Promise<void>;
}

/** What is known of one, and what may be changed of it. */
export function pluginRoutes({ runtime, reloaded }: PluginRoutesOptions) {
  const place = { paths: memoirPaths(runtime.home), env: process.env };
  const named = async (name: string) => pluginNamed((await runtime.status()).plugins, name);

  /** Puts a change in force, and says whether clients have to send other events for it. */
  async function inForce(change: () => Promise<boolean>): Promise<boolean> {
    const events = async () => (await describePlugins(runtime.home, place.env)).events;
    const before = new Set(await events());
    if (!(await change())) return false;
    await runtime.reload();
    await reloaded();
    return (await events()).some((event) => !before.has(event));
  }

  return routesBelow("/api/plugins")
    .get(
      "/:name",
      async ({ params }) => {
        const plugin = await named(params.name);
        const read = await readOptions(plugin, place).catch((error: Error) => ({ error }));
        const subscriptions = runtime.hooks
          .subscriptions()
          .filter((subscription) => subscription.plugin === plugin.name);
        return withoutPasswordsDeep({
          ...{ plugin, subscriptions },
          ...("error" in read
            ? { options: { schema: {}, set: {} }, error: read.error.message }
            : { options: { schema: { ...read.schema }, set: read.set } }),
        });
      },
      {
        params: params(PluginParams),
        response: answer(PluginAnswer),
        detail: { summary: "One plugin: what it listens to, and its options." },
      },
    )
    .post(
      "/:name/switch",
      async ({ params, body: { enabled } }) => {
        const hooks = await inForce(async () => {
          await switchInConfig(place, params.name, enabled);
          return true;
        });
        return withoutPasswordsDeep({ plugin: await named(params.name), hooks });
      },
      {
        params: params(PluginParams),
        body: body(SwitchBody),
        response: answer(SwitchAnswer),
        detail: { summary: "Switch a plugin on or off." },
      },
    )
    .post(
      "/:name/options",
      async ({ params, body }) => {
        let refused: Awaited<ReturnType<typeof setOptions>> = [];
        const hooks = await inForce(async () => {
          refused = await setOptions(place, params.name, body);
          return refused.length === 0;
        });
        return { saved: refused.length === 0, refused, hooks };
      },
      {
        params: params(PluginParams),
        body: body(OptionsBody),
        response: answer(OptionsAnswer),
        detail: { summary: "Set options of a plugin, or take them back; all or nothing." },
      },
    );
}
