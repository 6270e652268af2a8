// Is this value a plugin? If not, which field is wrong.

import { MemoirError } from "../../sdk/errors.ts";
import { clientEventNames, hookKinds } from "../../sdk/hooks.ts";
import { type AnyPlugin, sdkVersion, slotNames } from "../../sdk/plugin.ts";
import { unknownWord } from "../config/problems.ts";
import { lineOfHook } from "../isolation/thrown.ts";

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
    ...expect(typeof plugin.description === "string", "description: wants a string"),
    ...expect(plugin.sdk === sdkVersion, `sdk: wants ${sdkVersion}`),
    ...checkWords("slot", plugin.slot, slotNames),
    ...checkWords("events", plugin.events, clientEventNames),
    ...checkSchema(plugin.config),
    ...checkFunction("start", plugin.start),
    ...checkFunction("stop", plugin.stop),
    ...checkHooks(plugin.hooks),
    ...unknownFields("", plugin, pluginFields),
  ];
  if (faults.length === 0) return value as AnyPlugin;
  const line = firstLine(text, faults);
  throw new MemoirError(
    "plugin_invalid",
    `${source}${line === undefined ? "" : `:${line}`} is no plugin: ${faults.join("; ")}`,
    { fix: "Correct what is named there; `memoir plugin check` looks at it again." },
  );
}

const pluginFields = [
  ...["name", "description", "sdk", "slot", "events", "config", "hooks", "start", "stop"],
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
    // A hook may have a dot in its name.
    for (const key of [keys.slice(1).join("."), ...keys.toReversed()]) {
      const line = key === "" ? undefined : lineOfHook(text, key);
      if (line !== undefined) return line;
    }
  }
  return undefined;
}

function expect(holds: boolean, fault: string): string[] {
  return holds ? [] : [fault];
}

function checkName(name: unknown): string[] {
  const fits = typeof name === "string" && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
  return expect(fits, "name: wants lower-case words joined by dashes");
}

function checkFunction(field: string, value: unknown): string[] {
  return expect(value === undefined || typeof value === "function", `${field}: wants a function`);
}

function checkSchema(value: unknown): string[] {
  const fits =
    value === undefined || (typeof value === "object" && value !== null && "~standard" in value);
  return expect(fits, "config: wants a valibot schema");
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
  if (typeof value !== "object" || value === null) return ["hooks: wants an object"];
  const known = Object.keys(hookKinds);
  return Object.entries(value).flatMap(([hook, entry]) => {
    if (!known.includes(hook)) return [`hooks.${hook}: ${unknownWord("hook", hook, known)}`];
    return entry === undefined ? [] : checkSubscription(`hooks.${hook}`, entry);
  });
}

function checkSubscription(place: string, entry: unknown): string[] {
  if (typeof entry === "function") return [];
  if (typeof entry !== "object" || entry === null)
    return [`${place}: wants a function, or an object with a handler`];
  const { handler, order, deadlineMs, filter } = entry as Record<string, unknown>;
  return [
    ...unknownFields(`${place}.`, entry, subscriptionFields),
    ...expect(typeof handler === "function", `${place}.handler: wants a function`),
    ...checkWords(`${place}.order`, order, ["pre", "normal", "post"]),
    ...expect(
      deadlineMs === undefined ||
        typeof deadlineMs === "function" ||
        (typeof deadlineMs === "number" && deadlineMs > 0),
      `${place}.deadlineMs: wants a number of milliseconds, or a function of the config`,
    ),
    ...checkFilter(`${place}.filter`, filter),
  ];
}

const filterFields = ["event", "tool", "client", "project"];

function checkFilter(place: string, filter: unknown): string[] {
  if (filter === undefined) return [];
  if (typeof filter !== "object" || filter === null) return [`${place}: wants an object`];
  return Object.entries(filter).flatMap(([field, value]) => {
    if (!filterFields.includes(field))
      return [`${place}.${field}: ${unknownWord("field", field, filterFields)}`];
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [`${place}.${field}: wants a list`];
    if (value.length === 0)
      return [`${place}.${field}: names nothing, so it would never be called`];
    return field === "event" ? checkWords(`${place}.event`, value, clientEventNames) : [];
  });
}
