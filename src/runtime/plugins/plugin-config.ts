// A plugin's entry in config → its validated options.
import * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { type ConfigProblem, explain, problemText } from "../config/problems.ts";
import { isolationOf } from "../isolation/isolated.ts";

const NoOptions = v.strictObject({});

/** Everything in a plugin's entry but `enabled` and `inProcess`, which are memoir's. */
export function optionsOf(entry: Readonly<Record<string, unknown>> | undefined) {
  const { enabled: _enabled, inProcess: _inProcess, ...options } = entry ?? {};
  return options;
}

/** Options against the plugin's own schema, in this process: what is wrong, or the parsed options. */
export function checkAgainst(
  plugin: Pick<AnyPlugin, "name" | "config">,
  options: Readonly<Record<string, unknown>>,
): { problems: ConfigProblem[]; config?: unknown } {
  const schema: v.GenericSchema = plugin.config ?? NoOptions;
  const parsed = v.safeParse(schema, options);
  return parsed.success
    ? { problems: [], config: parsed.output }
    : { problems: explain(schema, parsed.issues, ["plugins", plugin.name]) };
}

/** What is wrong with the options of a plugin that is loaded here; empty when nothing is. */
export function checkOptions(
  plugin: AnyPlugin,
  options: Readonly<Record<string, unknown>>,
): ConfigProblem[] {
  return checkAgainst(plugin, options).problems;
}

/** The options with defaults filled in, or `config_invalid` naming each wrong key. */
export function parseOptions(
  plugin: AnyPlugin,
  options: Readonly<Record<string, unknown>>,
): unknown {
  const { problems, config } = checkAgainst(plugin, options);
  if (problems.length > 0) throw wrongOptions(plugin.name, problems);
  return config;
}

/** What is wrong with the options of any plugin; one in a worker is asked there. Rejects when it cannot be asked. */
export async function optionProblems(
  plugin: AnyPlugin,
  options: Readonly<Record<string, unknown>>,
): Promise<ConfigProblem[]> {
  const isolated = isolationOf(plugin);
  return isolated ? (await isolated.check(options)).problems : checkOptions(plugin, options);
}

/** What any plugin is given as `ctx.config`; see `parseOptions`. */
export async function configure(
  plugin: AnyPlugin,
  options: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const isolated = isolationOf(plugin);
  if (!isolated) return parseOptions(plugin, options);
  const checked = await isolated.check(options);
  if (checked.problems.length > 0) throw wrongOptions(plugin.name, checked.problems);
  return isolated.configFor(options, checked);
}

function wrongOptions(plugin: string, problems: readonly ConfigProblem[]): MemoirError {
  const fix = problems.find((problem) => problem.fix !== undefined)?.fix;
  const details = fix === undefined ? { plugin } : { plugin, fix };
  return new MemoirError("config_invalid", problems.map(problemText).join("; "), details);
}
