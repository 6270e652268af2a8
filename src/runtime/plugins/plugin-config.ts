// A plugin's entry in config → its validated options.
import * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { type ConfigProblem, explain, problemText } from "../config/problems.ts";
import type { BoundPlugin, PluginCode } from "../isolation/isolated-plugin.ts";
import type { Options } from "../isolation/wire.ts";

const NoOptions = v.strictObject({});

/** Everything in a plugin's entry but `enabled` and `inProcess`, which are memoir's. */
export function optionsOf(entry: Options | undefined): Options {
  const { enabled: _enabled, inProcess: _inProcess, ...options } = entry ?? {};
  return options;
}

/** Options against the schema of a plugin that is loaded here: what is wrong, or the parsed options. */
export function checkOptions(
  plugin: Pick<AnyPlugin, "name" | "config">,
  options: Options,
): { problems: ConfigProblem[]; config?: unknown } {
  const schema: v.GenericSchema = plugin.config ?? NoOptions;
  const parsed = v.safeParse(schema, options);
  return parsed.success
    ? { problems: [], config: parsed.output }
    : { problems: explain(schema, parsed.issues, ["plugins", plugin.name]) };
}

/** The options with defaults filled in, or `config_invalid` naming each wrong key. */
export function parseOptions(plugin: AnyPlugin, options: Options): unknown {
  const { problems, config } = checkOptions(plugin, options);
  refuse(plugin.name, problems);
  return config;
}

/** A plugin with its options, ready to be started; rejects as `parseOptions`, and when it cannot be asked. */
export async function configured(code: PluginCode, options: Options): Promise<BoundPlugin> {
  const checked = await code.check(options);
  refuse(code.plugin.name, checked.problems);
  return code.bind(options, checked);
}

function refuse(plugin: string, problems: readonly ConfigProblem[]): void {
  if (problems.length === 0) return;
  const fix = problems.find((problem) => problem.fix !== undefined)?.fix;
  const message = problems.map(problemText).join("; ");
  throw new MemoirError("config_invalid", message, { plugin, ...(fix !== undefined && { fix }) });
}
