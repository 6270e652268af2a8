// Claude Code's settings as text: our hooks go in and out, and every other byte stays where it is.
import { findNodeAtLocation, getNodeValue, type Node } from "jsonc-parser";
import * as v from "valibot";
import { MemoirError } from "../sdk/errors.ts";
import { isHookCommand } from "./hook-command.ts";
import { openText, pushAt, putAt, removeAt } from "./json-edit.ts";
import type { FlatHook, HookGroup, WantedHooks } from "./registration.ts";

const HookSchema = v.looseObject({ command: v.optional(v.unknown()) });
const GroupSchema = v.looseObject({ hooks: v.optional(v.array(v.unknown())) });
/** valibot takes a list for an object. */
const notList = v.custom<object>((value) => !Array.isArray(value));
const table = <Value>(value: v.GenericSchema<unknown, Value>) =>
  v.optional(v.pipe(notList, v.record(v.string(), value)));
const SettingsSchema = v.pipe(
  notList,
  v.looseObject({ hooks: table(v.array(v.unknown())), enabledPlugins: table(v.unknown()) }),
);

/** The parts of the settings that memoir looks at. */
export type Settings = v.InferOutput<typeof SettingsSchema>;

/** Reads settings, comments and a byte order mark tolerated. Throws MemoirError `settings_unreadable` with the place. */
export function parseSettings(text: string, path: string): Settings {
  const result = v.safeParse(
    SettingsSchema,
    getNodeValue(refuseTwins(openText(text, path).root, path)),
  );
  if (result.success) return result.output;
  const at = v.getDotPath(result.issues[0]);
  throw new MemoirError(
    "settings_unreadable",
    at
      ? `${path}: "${at}" is not of the form that the client documents.`
      : `${path} does not hold a JSON object.`,
  );
}

/** A memoir hook found in settings. */
export interface OwnHook {
  event: string;
  command: string;
  /** Path of the hook inside the document: `hooks`, its event, the number in its list, and so on inside a group. */
  path: [string, string, number, ...Array<string | number>];
  /** What stands in the event's list: a group, or the hook itself. */
  group: unknown;
}

/** Every hook of memoir's, in document order. */
export function ownHooks(settings: Settings): OwnHook[] {
  const found: OwnHook[] = [];
  for (const [event, groups] of Object.entries(settings.hooks ?? {}))
    for (const [groupIndex, group] of groups.entries()) {
      const own = ownCommand(group);
      if (own !== undefined)
        found.push({ event, command: own, path: ["hooks", event, groupIndex], group });
      for (const [hookIndex, hook] of hooksOf(group).entries()) {
        const command = ownCommand(hook);
        if (command === undefined) continue;
        found.push({
          event,
          command,
          path: ["hooks", event, groupIndex, "hooks", hookIndex],
          group,
        });
      }
    }
  return found;
}

function ownCommand(hook: unknown): string | undefined {
  const command = v.is(HookSchema, hook) ? hook.command : undefined;
  return typeof command === "string" && isHookCommand(command) ? command : undefined;
}

/** The settings with exactly `wanted` registered for memoir. The same text when that is so already. */
export function withHooks(text: string, wanted: WantedHooks, path: string): string {
  const settings = parseSettings(text, path);
  const seen = new Set<string>();
  const stale = ownHooks(settings).filter((own) => {
    if (!isWanted(own, wanted) || seen.has(own.event)) return true;
    seen.add(own.event);
    return false;
  });
  let result = removeHooks(text, stale, path);
  for (const [event, group] of wanted) {
    if (seen.has(event)) continue;
    result = addHook(result, event, group, path);
  }
  return checked(result, wanted, path);
}

/** The settings without any hook of memoir's; lists that hold nothing else go with it. */
export function withoutHooks(text: string, path: string): string {
  return checked(removeHooks(text, ownHooks(parseSettings(text, path)), path), new Map(), path);
}

/** Registered as we would do it today, and nothing else in its group. */
function isWanted(own: OwnHook, wanted: WantedHooks): boolean {
  const group = wanted.get(own.event);
  return group !== undefined && JSON.stringify(own.group) === JSON.stringify(group);
}

/** Takes hooks out one at a time, last first, so that no index moves before it is used. */
function removeHooks(text: string, hooks: readonly OwnHook[], path: string): string {
  let result = text;
  for (const own of hooks.toReversed()) {
    const [, event, groupIndex] = own.path;
    const settings = parseSettings(result, path);
    const groups = settings.hooks?.[event] ?? [];
    const last = own.path.length === 3 || hooksOf(groups[groupIndex]).length === 1;
    const events = Object.keys(settings.hooks ?? {}).length;
    if (!last) result = removeAt(result, own.path, path);
    else if (groups.length > 1) result = removeAt(result, ["hooks", event, groupIndex], path);
    else result = removeAt(result, events > 1 ? ["hooks", event] : ["hooks"], path);
  }
  return result;
}

function hooksOf(group: unknown): unknown[] {
  return v.is(GroupSchema, group) ? (group.hooks ?? []) : [];
}

/** Proves the edit before anyone writes it: the result parses, and holds our hooks once each. */
function checked(text: string, wanted: WantedHooks, path: string): string {
  const found = ownHooks(parseSettings(text, path));
  const events = new Set(found.map((own) => own.event));
  if (found.length === wanted.size && events.size === wanted.size) return text;
  throw new MemoirError(
    "settings_unreadable",
    `${path} could not be changed safely; nothing was written.`,
    {
      fix: "Look for keys that stand twice in the file, correct them, then run the command again.",
    },
  );
}

/** Adds one group to an event's list, making the list and `hooks` where they are missing. */
function addHook(text: string, event: string, group: HookGroup | FlatHook, path: string): string {
  const at = ["hooks", event];
  return findNodeAtLocation(openText(text, path).root, at)
    ? pushAt(text, at, group, path)
    : putAt(text, at, [group], path).text;
}

/** Of two `hooks` keys the client reads the last and an editor changes the first: refuse to guess. */
function refuseTwins(root: Node, path: string): Node {
  if (root.type !== "object") return root;
  for (const node of [root, findNodeAtLocation(root, ["hooks"])]) {
    const names = (node?.type === "object" ? (node.children ?? []) : []).map(
      (property) => property.children?.[0]?.value as unknown,
    );
    const twin = names.find((name, index) => names.indexOf(name) !== index);
    if (twin !== undefined)
      throw new MemoirError("settings_unreadable", `${path} has the key "${twin}" twice.`, {
        fix: "Join the two into one, then run the command again.",
      });
  }
  return root;
}
