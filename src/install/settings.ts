// memoir in Claude Code's settings: one hook entry for each event that enabled plugins live from, and allow rules. They go in and out, and every
// other byte stays where it is.
import { findNodeAtLocation, getNodeValue, type Node } from "jsonc-parser";
import * as v from "valibot";
import type { HooksPart } from "../clients/adapter.ts";
import { type Scope, scopes, settingsPath } from "../clients/claude-code/folders.ts";
import { hooksPart } from "../clients/normal/registration.ts";
import type { Environment } from "../home/paths.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { ClientEventName } from "../sdk/events.ts";
import { isRecord } from "../text/text.ts";
import {
  changeTo,
  type FileChange,
  type FileReturn,
  giveBack,
  type LedgerEntry,
  readLedger,
  readSettings,
  returnOf,
  stateBefore,
  textHash,
  writeLedger,
  writeSettings,
} from "./file-change.ts";
import { type HookRun, hookBinary } from "./hook-command.ts";
import { openText, pushAt, putAt, removeAt, removeEmpty, valueAt } from "./json-edit.ts";

/** A command hook, in Claude Code's words. */
interface HookEntry {
  type: "command";
  command: string;
  /** The client starts `command` itself, without a shell. */
  args?: readonly string[];
  /** Seconds after which the client gives up on the hook. */
  timeout?: number;
}

/** One element of an event's list in Claude Code's settings. */
interface HookGroup {
  /** Tool events only: which tools. */
  matcher?: string;
  hooks: HookEntry[];
}

/** The same for a client that knows no groups. */
interface FlatHook {
  matcher?: string;
  command: string;
  args?: readonly string[];
  timeout?: number;
}

/** Event → the one group that stands for memoir. */
export type Registration = ReadonlyMap<string, HookGroup>;

/** The same in either form. */
type WantedHooks = ReadonlyMap<string, HookGroup | FlatHook>;

/** What is to stand for memoir at each event, as the client writes it. */
export function wantedHooks(part: HooksPart, run: HookRun): WantedHooks {
  const groups = hookGroups(part, run);
  if (!part.flat) return groups;
  const flat = [...groups].flatMap(([event, { hooks, ...matched }]) =>
    hooks.map(({ type: _, ...hook }) => [event, { ...matched, ...hook }] as const),
  );
  return new Map(flat);
}

function hookGroups({ events, named }: HooksPart, run: HookRun): Registration {
  const groups = new Map<string, HookGroup>();
  const started = typeof run === "string" ? { command: run } : run;
  for (const [event, { timeout, ...matched }] of events) {
    const hook = { ...started, ...(timeout !== undefined && { timeout }), ...named };
    groups.set(event, { ...matched, hooks: [{ type: "command", ...hook }] });
  }
  return groups;
}

/**
 * The hook ends itself after two seconds, or when a plugin's longer deadline has passed; so much more bounds a machine
 * that is too busy to start it. SessionEnd's own default of 1.5 s would cut it off.
 */
const marginSeconds = 8;
const ownSeconds = 2;

/** The seconds after which a client may give up on an event's hook. `deadlines` in ms: for events that a plugin wants more time for. */
export function hookSeconds(
  event: ClientEventName,
  deadlines: Readonly<Record<string, number>>,
): number {
  return Math.max(ownSeconds, Math.ceil((deadlines[event] ?? 0) / 1_000)) + marginSeconds;
}

/** One group for each of `events`, in the order given. `deadlines` in ms: for events that a plugin wants more time for. */
export function registration(
  events: Iterable<ClientEventName>,
  run: HookRun,
  deadlines: Readonly<Record<string, number>> = {},
): Registration {
  const seconds = [...events].map((event) => [event, hookSeconds(event, deadlines)] as const);
  return hookGroups(hooksPart({ events: new Map(seconds) }), run);
}

/** The same in the form of the settings' `hooks` key. */
export function hooksDocument(wanted: Registration): Record<string, HookGroup[]> {
  return Object.fromEntries([...wanted].map(([event, group]) => [event, [group]]));
}

// Claude Code's settings as text: our hooks go in and out, and every other byte stays where it is.

const HookSchema = v.looseObject({ command: v.string(), args: v.optional(v.array(v.string())) });
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
  /** What it runs. */
  binary: string;
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
      const own = ownBinary(group);
      if (own !== undefined)
        found.push({ event, binary: own, path: ["hooks", event, groupIndex], group });
      for (const [hookIndex, hook] of hooksOf(group).entries()) {
        const binary = ownBinary(hook);
        if (binary === undefined) continue;
        found.push({
          event,
          binary,
          path: ["hooks", event, groupIndex, "hooks", hookIndex],
          group,
        });
      }
    }
  return found;
}

function ownBinary(hook: unknown): string | undefined {
  if (!v.is(HookSchema, hook)) return undefined;
  const { command, args } = hook;
  return hookBinary(args ? { command, args } : command);
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
      fix: "Look for keys that are twice in the file, correct them, then run the command again.",
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

// Is memoir enabled as a Claude Code plugin? Then its hooks come from there, and must not stand in settings as well.

/** Where the plugin was found enabled. */
export interface PluginPresence {
  scope: Scope;
  settings: string;
  /** As the client names it: `memoir@memoir`. */
  plugin: string;
}

/** Looks through the settings in force for `cwd`; the narrowest scope that mentions the plugin decides. */
export async function enabledAsPlugin(
  env: Environment,
  cwd: string,
): Promise<PluginPresence | undefined> {
  for (const scope of scopes.toReversed()) {
    const path = settingsPath(scope, env, cwd);
    const file = await readSettings(path);
    if (file.text === undefined) continue;
    const plugins = Object.entries(parseSettings(file.text, path).enabledPlugins ?? {});
    const own = plugins.filter(([name]) => /^memoir(?:@|$)/.test(name));
    const enabled = own.find(([, value]) => value !== false);
    if (enabled) return { scope, settings: path, plugin: enabled[0] };
    if (own.length > 0) return undefined;
  }
  return undefined;
}

// Registers memoir with Claude Code: what would change in a settings file, the change itself, and its way back.

/** Allow rules that were put into settings, and how many of `permissions` and `allow` had to be made; for the way back. */
type AddedRules = NonNullable<LedgerEntry["allowed"]>;

/** A change to a settings file that nobody made yet. */
interface SettingsChange extends FileChange {
  /** Allow rules that would be put in now. */
  newRules: string[];
  /** All allow rules that stand there by install afterwards; absent: as before. */
  allowed?: AddedRules;
}

/** What becomes of the client's rules for memoir's reading tools; `known` are those that install put in before. */
interface RulesWish {
  wish: "add" | "remove";
  known: AddedRules | undefined;
}

/** What registering would change; without a wish the rules stay as they are. Rejects with `settings_unreadable`, and nothing is touched then or now. */
export async function planRegistration(
  path: string,
  wanted: Registration,
  rules?: RulesWish,
): Promise<SettingsChange> {
  const file = await readSettings(path);
  // Nothing to say is no reason to make a file.
  if (file.text === undefined && wanted.size === 0)
    return { ...changeTo(file, undefined), newRules: [] };
  const hooked = withHooks(file.text ?? "", wanted, path);
  if (!rules) return { ...changeTo(file, hooked), newRules: [] };
  const { wish, known = { rules: [], made: 0 } } = rules;
  if (wish === "remove") {
    const after = withoutRules(hooked, known, path);
    return { ...changeTo(file, after), newRules: [], allowed: { rules: [], made: 0 } };
  }
  const { text: after, added } = withRules(hooked, path);
  const allowed = {
    rules: [...new Set([...known.rules, ...added.rules])],
    made: Math.max(known.made, added.made),
  };
  return { ...changeTo(file, after), newRules: added.rules, allowed };
}

/** Makes the change. What stood there before is kept in `<home>/backups` first; gives that copy's path. */
export async function applyRegistration(
  home: string,
  scope: Scope,
  { path: settings, file, after, diff, allowed }: SettingsChange,
): Promise<string | undefined> {
  if (diff.length === 0 || after === undefined) return undefined;
  const ledger = await readLedger(home);
  const known = ledger.find((entry) => entry.settings === settings);
  const isOurs = ownHooks(parseSettings(file.text ?? "", settings)).length > 0;
  const before = await stateBefore(home, "claude-settings.json", file, known, isOurs);
  const kept = allowed ?? known?.allowed;
  const entry = {
    scope,
    settings,
    before,
    written: textHash(after),
    ...(kept && { allowed: kept }),
  };
  // The ledger goes first: a crash in between leaves a hash that does not fit, and entries are taken out one by one.
  await writeLedger(home, [...ledger.filter((other) => other !== known), entry]);
  await writeSettings(file, after);
  return before.state === "copied" ? before.backup : undefined;
}

/** What uninstall would do to one settings file. */
export async function planRestoration(
  home: string,
  path: string,
): Promise<FileReturn<LedgerEntry>> {
  const entry = (await readLedger(home)).find(({ settings }) => settings === path);
  return returnOf(await readSettings(path), entry, (text) => {
    const unhooked = withoutHooks(text, path);
    return entry?.allowed ? withoutRules(unhooked, entry.allowed, path) : unhooked;
  });
}

/** Does it, and forgets the file. */
export async function applyRestoration(
  home: string,
  restoration: FileReturn<LedgerEntry>,
): Promise<void> {
  const { path } = restoration;
  const others = (await readLedger(home)).filter(({ settings }) => settings !== path);
  await giveBack(restoration, others);
  if (restoration.entry) await writeLedger(home, others);
}

// The client's allow rules for memoir's tools that only read: with them no agent asks its user before it looks something up.

/** What the client calls these tools. What changes memory is asked about. */
export const readingTools: readonly string[] = ["search", "timeline", "get", "recall"].map(
  (tool) => `mcp__memoir__${tool}`,
);

const place = ["permissions", "allow"];

/** The text with the rules that were missing. Settings of another form than the client documents stay as they are. */
function withRules(text: string, path: string): { text: string; added: AddedRules } {
  const [permissions, allow] = [valueAt(text, ["permissions"], path), valueAt(text, place, path)];
  const present: unknown[] = Array.isArray(allow) ? allow : [];
  const rules = readingTools.filter((rule) => !present.includes(rule));
  const isKnown =
    (permissions === undefined || isRecord(permissions)) &&
    (allow === undefined || Array.isArray(allow));
  if (!isKnown || rules.length === 0) return { text, added: { rules: [], made: 0 } };
  if (allow === undefined) {
    const { text: after, made } = putAt(text, place, rules, path);
    return { text: after, added: { rules, made: made + 1 } };
  }
  const after = rules.reduce((result, rule) => pushAt(result, place, rule, path), text);
  return { text: after, added: { rules, made: 0 } };
}

/** The text without the rules that were added; of the objects around them those go that were made, when nothing else is in them. */
function withoutRules(text: string, { rules, made }: AddedRules, path: string): string {
  const without = rules.reduce((result, rule) => {
    const allow = valueAt(result, place, path);
    const at = Array.isArray(allow) ? allow.indexOf(rule) : -1;
    return at < 0 ? result : removeAt(result, [...place, at], path);
  }, text);
  return removeEmpty(without, place, made, path);
}
