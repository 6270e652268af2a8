// Is this value a plugin? If not, which field is wrong.
import * as v from "valibot";
import type { ClientDescription } from "../../sdk/client.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { clientEventNames, hookKinds } from "../../sdk/hooks.ts";
import { type AnyPlugin, type Slot, sdkVersion, slotNames, slots } from "../../sdk/plugin.ts";
import { type ConfigProblem, explain, problemText, unknownWord } from "../config/problems.ts";
import { checkParts } from "../hooks/parts.ts";
import { slotsOf } from "../hooks/subscription.ts";
import type { BoundPlugin, PluginCode } from "../isolation/isolated-plugin.ts";
import { lineOfHook } from "../isolation/thrown.ts";
import type { Options } from "../isolation/wire.ts";
import { checkClients } from "./check-client.ts";
import { declaredFaults, exampleFaults } from "./declared-data.ts";

/**
 * Gives the value as a plugin, or throws `plugin_invalid` (every wrong field) or `plugin_sdk_version`. `text` is its
 * module's own, to name a line.
 */
export function checkPlugin(value: unknown, source: string, text = ""): AnyPlugin {
  if (typeof value !== "object" || value === null)
    throw new MemoirError("plugin_invalid", `the default export of ${source} is no plugin object`, {
      fix: "Write `export default definePlugin({ … })`.",
    });
  const plugin = value as Record<string, unknown>;
  if (typeof plugin.sdk === "number" && plugin.sdk !== sdkVersion)
    throw new MemoirError(
      "plugin_sdk_version",
      `${source} was written for version ${plugin.sdk} of the SDK, this memoir has version ${sdkVersion}`,
      {
        fix:
          plugin.sdk > sdkVersion
            ? `Update memoir, or install a version of the plugin that says \`sdk: ${sdkVersion}\`.`
            : `Update the plugin; its author compares it with the SDK's reference and sets \`sdk: ${sdkVersion}\`.`,
      },
    );
  const faults = [
    ...checkName(plugin.name),
    ...expect(typeof plugin.description === "string", "description: must be a string"),
    ...expect(plugin.sdk === sdkVersion, `sdk: must be ${sdkVersion}`),
    ...checkWords("slot", plugin.slot, slotNames),
    ...checkWords("events", plugin.events, clientEventNames),
    ...checkSchema(plugin.config),
    ...checkFunction("start", plugin.start),
    ...checkFunction("stop", plugin.stop),
    ...checkHooks(plugin.hooks),
    ...checkParts(plugin),
    ...declaredFaults(plugin),
    ...checkClients(plugin.clients),
    ...unknownFields("", plugin, pluginFields),
  ];
  if (faults.length === 0) return value as AnyPlugin;
  throw noPlugin(source, text, faults);
}

/** The same, and tries the examples of its rules of redaction. */
export async function checkWithExamples(
  value: unknown,
  source: string,
  text = "",
): Promise<AnyPlugin> {
  const plugin = checkPlugin(value, source, text);
  const faults = plugin.redactions ? await exampleFaults(plugin) : [];
  if (faults.length > 0) throw noPlugin(source, text, faults);
  return plugin;
}

function noPlugin(source: string, text: string, faults: readonly string[]): MemoirError {
  const line = firstLine(text, faults);
  return new MemoirError(
    "plugin_invalid",
    `${source}${line === undefined ? "" : `:${line}`} is no plugin: ${faults.join("; ")}`,
    { fix: "Correct what is named there; `memoir plugin check` looks at it again." },
  );
}

const pluginFields = [
  ...["name", "description", "sdk", "slot", "events", "clients", "config", "hooks"],
  ...["start", "stop", "operations", "routes", "panels"],
  ...["schedules", "redactions", "data"],
];
const subscriptionFields = ["handler", "filter", "order", "deadlineMs"];

function unknownFields(place: string, value: object, known: readonly string[]): string[] {
  return Object.keys(value).flatMap((field) =>
    known.includes(field) ? [] : [`${place}${field}: ${unknownWord("field", field, known)}`],
  );
}

/** Where the first fault whose field the text names is. A fault begins with its field's path. */
function firstLine(text: string, faults: readonly string[]): number | undefined {
  for (const fault of faults) {
    const keys = fault.slice(0, fault.indexOf(":")).split(".");
    const inOrder = keys[0] === "hooks" ? undefined : lineOfPath(text, keys);
    if (inOrder !== undefined) return inOrder;
    // A hook may have a dot in its name.
    for (const key of [keys.slice(1).join("."), ...keys.toReversed()]) {
      const line = key === "" ? undefined : lineOfHook(text, key);
      if (line !== undefined) return line;
    }
  }
  return undefined;
}

/** The line of the last key that is there, each looked for behind the one before. */
function lineOfPath(text: string, keys: readonly string[]): number | undefined {
  let lines = 0;
  for (const key of keys) {
    const rest = text.split("\n").slice(Math.max(0, lines - 1));
    const line = lineOfHook(rest.join("\n"), key);
    if (line === undefined) break;
    lines = Math.max(0, lines - 1) + line;
  }
  return lines === 0 ? undefined : lines;
}

function expect(holds: boolean, fault: string): string[] {
  return holds ? [] : [fault];
}

function checkName(name: unknown): string[] {
  const fits = typeof name === "string" && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
  return expect(fits, "name: must be lower-case words joined by dashes");
}

function checkFunction(field: string, value: unknown): string[] {
  return expect(value === undefined || typeof value === "function", `${field}: must be a function`);
}

function checkSchema(value: unknown): string[] {
  const fits =
    value === undefined || (typeof value === "object" && value !== null && "~standard" in value);
  return expect(fits, "config: must be a valibot schema");
}

function checkWords(field: string, value: unknown, known: readonly string[]): string[] {
  if (value === undefined) return [];
  const words: unknown[] = Array.isArray(value) ? value : [value];
  return words.flatMap((word) =>
    known.includes(String(word))
      ? []
      : [`${field}: ${JSON.stringify(word)}, ${unknownWord("name", String(word), known)}`],
  );
}

function checkHooks(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return ["hooks: must be an object"];
  const known = Object.keys(hookKinds);
  return Object.entries(value).flatMap(([hook, entry]) => {
    if (!known.includes(hook)) return [`hooks.${hook}: ${unknownWord("hook", hook, known)}`];
    return entry === undefined ? [] : checkSubscription(`hooks.${hook}`, entry);
  });
}

function checkSubscription(place: string, entry: unknown): string[] {
  if (typeof entry === "function") return [];
  if (typeof entry !== "object" || entry === null)
    return [`${place}: must be a function, or an object with a handler`];
  const { handler, order, deadlineMs, filter } = entry as Record<string, unknown>;
  return [
    ...unknownFields(`${place}.`, entry, subscriptionFields),
    ...expect(typeof handler === "function", `${place}.handler: must be a function`),
    ...checkWords(`${place}.order`, order, ["pre", "normal", "post"]),
    ...expect(
      deadlineMs === undefined ||
        typeof deadlineMs === "function" ||
        (typeof deadlineMs === "number" && deadlineMs > 0),
      `${place}.deadlineMs: must be a number of milliseconds, or a function of the config`,
    ),
    ...checkFilter(`${place}.filter`, filter),
  ];
}

const filterFields = ["event", "tool", "client", "project"];

function checkFilter(place: string, filter: unknown): string[] {
  if (filter === undefined) return [];
  if (typeof filter !== "object" || filter === null) return [`${place}: must be an object`];
  return Object.entries(filter).flatMap(([field, value]) => {
    if (!filterFields.includes(field))
      return [`${place}.${field}: ${unknownWord("field", field, filterFields)}`];
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [`${place}.${field}: must be a list`];
    if (value.length === 0)
      return [`${place}.${field}: names nothing, so it would never be called`];
    return field === "event" ? checkWords(`${place}.event`, value, clientEventNames) : [];
  });
}

// A plugin's entry in config → its validated options.

const NoOptions = v.strictObject({});

/** Everything in a plugin's entry but `enabled` and `inProcess`, which are memoir's. */
export function optionsOf(entry: Options | undefined): Options {
  const { enabled: _enabled, inProcess: _inProcess, plugin: _plugin, ...options } = entry ?? {};
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

// What keeps a plugin from being in force, whatever its options.

/** A plugin that is there already, or is to come. */
export interface Named {
  name: string;
  /** Where its module is, or what config calls it. */
  reference: string;
  /** It is called for these projects only; absent: for all. */
  projects?: readonly string[] | undefined;
}

/** Throws `plugin_invalid` when another plugin that the same projects would call has this name. */
export function refuseSecond(plugin: Named, there: readonly Named[]): void {
  const other = there.find((one) => one.name === plugin.name && !areApart(one, plugin));
  if (!other) return;
  const isProjects = plugin.projects !== undefined && other.projects === undefined;
  throw new MemoirError(
    "plugin_invalid",
    isProjects
      ? `one of your own plugins is called ${plugin.name} too: ${other.reference}`
      : `two plugins are called ${plugin.name}: ${other.reference} and ${plugin.reference}`,
    { fix: "Give one of them another `name`, or name only one of them in config." },
  );
}

/** The clients that plugins bring to the whole home: a project's own plugins bring none. */
export function broughtClients(
  plugins: ReadonlyArray<{ plugin: AnyPlugin; projects?: readonly string[] }>,
): Record<string, ClientDescription> {
  const ofHome = plugins.filter(({ projects }) => projects === undefined);
  return Object.assign({}, ...ofHome.map(({ plugin }) => plugin.clients));
}

/** Throws `plugin_invalid` when another plugin brings a client of the same name. */
export function refuseSecondClient(
  { name, clients = {} }: Pick<AnyPlugin, "name" | "clients">,
  there: ReadonlyArray<Pick<AnyPlugin, "name" | "clients">>,
): void {
  for (const client of Object.keys(clients)) {
    const other = there.find((one) => Object.hasOwn(one.clients ?? {}, client));
    if (other)
      throw new MemoirError("plugin_invalid", `${other.name} brings the client ${client} too`, {
        plugin: name,
        fix: "Name it otherwise in one of them, or disable one of them.",
      });
  }
}

/** Two projects that have nothing to do with each other. */
function areApart({ projects: a }: Named, { projects: b }: Named): boolean {
  return a !== undefined && b !== undefined && !a.some((project) => b.includes(project));
}

/** Throws `plugin_slot`: a plugin must declare the slots it is given, and do the whole work of one it fills alone. */
export function checkSlots(
  plugin: Pick<AnyPlugin, "name" | "slot" | "hooks">,
  fills: Readonly<Partial<Record<Slot, unknown>>>,
): void {
  const { name } = plugin;
  const can = slotsOf(plugin);
  for (const slot of slotNames) {
    if (fills[slot] === undefined) continue;
    if (!can.includes(slot))
      throw new MemoirError("plugin_slot", `plugin ${name} cannot fill the slot ${slot}`, {
        plugin: name,
        fix:
          can.length > 0 ? `It fills ${can.join(", ")}.` : "It fills none; name it in `listeners`.",
      });
    const missing = slots[slot].hooks.filter((hook) => !plugin.hooks[hook]);
    if (slots[slot].mode === "exclusive" && missing.length > 0)
      throw new MemoirError(
        "plugin_slot",
        `plugin ${name} cannot fill the slot ${slot} alone: it has no ${missing.join(", ")}`,
        {
          plugin: name,
          fix: 'To change a part of the work, leave out its `slot` and name it in `listeners`; `order: "pre"` puts it around the others.',
        },
      );
  }
}
