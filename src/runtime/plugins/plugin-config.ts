// A plugin's entry in config → its validated options.
import * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { type ConfigProblem, explain, problemText } from "../config/problems.ts";

const NoOptions = v.strictObject({});

/** Everything in a plugin's entry but `enabled` and `inProcess`, which are memoir's. */
export function optionsOf(entry: Readonly<Record<string, unknown>> | undefined) {
  const { enabled: _enabled, inProcess: _inProcess, ...options } = entry ?? {};
  return options;
}

/** What is wrong with a plugin's options; empty when nothing is. */
export function checkOptions(
  plugin: AnyPlugin,
  options: Readonly<Record<string, unknown>>,
): ConfigProblem[] {
  const schema: v.GenericSchema = plugin.config ?? NoOptions;
  const parsed = v.safeParse(schema, options);
  return parsed.success ? [] : explain(schema, parsed.issues, ["plugins", plugin.name]);
}

/** The options with defaults filled in, or `config_invalid` naming each wrong key. */
export function parseOptions(
  plugin: AnyPlugin,
  options: Readonly<Record<string, unknown>>,
): unknown {
  const problems = checkOptions(plugin, options);
  if (problems.length > 0)
    throw new MemoirError("config_invalid", problems.map(problemText).join("; "), {
      plugin: plugin.name,
    });
  return v.parse(plugin.config ?? NoOptions, options);
}
