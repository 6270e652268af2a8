// Registers memoir with Claude Code: what would change in a settings file, and the change itself with its way back.
import { access, mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Node } from "jsonc-parser";
import { findNodeAtLocation } from "jsonc-parser";
import { atomicWrite } from "../home/atomic-write.ts";
import { diffLines } from "./diff.ts";
import { appendElement, appendProperty, removeChild } from "./json-edit.ts";
import { type LedgerEntry, readLedger, writeLedger } from "./ledger.ts";
import type { Registration } from "./registration.ts";
import {
  readSettings,
  removeSettings,
  type Scope,
  type SettingsFile,
  textHash,
  writeSettings,
} from "./settings-file.ts";
import { openText, ownHooks, parseSettings, withHooks, withoutHooks } from "./settings-text.ts";

const none: AddedRules = { rules: [], made: 0 };

/** A change to a settings file that nobody made yet. */
interface SettingsChange {
  file: SettingsFile;
  after: string;
  /** Empty when nothing changes. */
  diff: string[];
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
    return { file, after: "", diff: [], newRules: [] };
  const hooked = withHooks(file.text ?? "", wanted, path);
  const { text: after, ...change } = ruled(hooked, rules, path);
  return { file, after, diff: diffLines(file.text ?? "", after), ...change };
}

function ruled(
  text: string,
  rules: RulesWish | undefined,
  path: string,
): Pick<SettingsChange, "newRules" | "allowed"> & { text: string } {
  if (!rules) return { text, newRules: [] };
  const { wish, known = none } = rules;
  if (wish === "remove")
    return { text: withoutRules(text, known, path), newRules: [], allowed: none };
  const { text: after, added } = withRules(text, path);
  const allowed = {
    rules: [...new Set([...known.rules, ...added.rules])],
    made: Math.max(known.made, added.made),
  };
  return { text: after, newRules: added.rules, allowed };
}

/** Makes the change. What stood there before is kept in `<home>/backups` first; gives that copy's path. */
export async function applyRegistration(
  home: string,
  scope: Scope,
  { file, after, diff, allowed }: SettingsChange,
): Promise<string | undefined> {
  if (diff.length === 0) return undefined;
  const ledger = await readLedger(home);
  const known = ledger.find(({ settings }) => settings === file.path);
  const before = await stateBefore(home, file, known);
  const kept = allowed ?? known?.allowed;
  const entry: LedgerEntry = {
    scope,
    settings: file.path,
    before,
    written: textHash(after),
    ...(kept ? { allowed: kept } : {}),
  };
  // The ledger goes first: a crash in between leaves a hash that does not fit, and entries are taken out one by one.
  await writeLedger(home, [...ledger.filter((other) => other !== known), entry]);
  await writeSettings(file, after);
  return before.state === "copied" ? before.backup : undefined;
}

async function stateBefore(
  home: string,
  file: SettingsFile,
  known: LedgerEntry | undefined,
): Promise<LedgerEntry["before"]> {
  const { text, path, target } = file;
  if (text === undefined) return { state: "absent", folder: !(await exists(dirname(target))) };
  if (known?.written === textHash(text)) return known.before;
  // Our hooks are in it and somebody changed it since: how it was without them, nobody can tell any more.
  if (ownHooks(parseSettings(text, path)).length > 0) return { state: "changed" };
  const backup = `${home}/backups/claude-settings-${textHash(text).slice(0, 12)}.json`;
  await mkdir(dirname(backup), { recursive: true, mode: 0o700 });
  await atomicWrite(backup, text);
  return { state: "copied", backup };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

// The client's allow rules for memoir's tools that only read: with them no agent asks its user before it looks something up.

/** What the client calls these tools. What changes memory is asked about. */
export const readingTools: readonly string[] = ["search", "timeline", "get", "recall"].map(
  (tool) => `mcp__memoir__${tool}`,
);

/** What was put into settings, for the way back. */
interface AddedRules {
  rules: string[];
  /** How many of `permissions` and `allow` had to be made. */
  made: number;
}

const place = ["permissions", "allow"];

/** The text with the rules that were missing. Settings of another form than the client documents stay as they are. */
export function withRules(text: string, path: string): { text: string; added: AddedRules } {
  const none = { text, added: { rules: [], made: 0 } };
  const { mark, body, root } = openText(text, path);
  if (root.type !== "object") return none;
  const permissions = findNodeAtLocation(root, place.slice(0, 1));
  const allow = findNodeAtLocation(root, place);
  if ((permissions && permissions.type !== "object") || (allow && allow.type !== "array"))
    return none;
  const present = new Set(elements(allow).map(({ value }) => value as unknown));
  const rules = readingTools.filter((rule) => !present.has(rule));
  if (rules.length === 0) return none;
  if (!permissions)
    return {
      text: mark + appendProperty(body, root, "permissions", { allow: rules }),
      added: { rules, made: 2 },
    };
  if (!allow)
    return {
      text: mark + appendProperty(body, permissions, "allow", rules),
      added: { rules, made: 1 },
    };
  const after = rules.reduce((result, rule) => {
    const now = openText(result, path);
    const list = findNodeAtLocation(now.root, place);
    return list ? now.mark + appendElement(now.body, list, rule) : result;
  }, text);
  return { text: after, added: { rules, made: 0 } };
}

/** The text without the rules that were added; of the objects around them those go that were made, when nothing else is in them. */
export function withoutRules(text: string, { rules, made }: AddedRules, path: string): string {
  let result = text;
  for (const rule of rules) {
    const { root } = openText(result, path);
    const allow = findNodeAtLocation(root, place);
    const found = elements(allow).find(({ value }) => value === rule);
    result = without(result, found, path);
  }
  for (let depth = place.length; depth > place.length - made; depth--) {
    const { root } = openText(result, path);
    const node = findNodeAtLocation(root, place.slice(0, depth));
    if (!node || (node.children ?? []).length > 0) break;
    result = without(result, node.parent, path);
  }
  return result;
}

function without(text: string, item: Node | undefined, path: string): string {
  const { mark, body } = openText(text, path);
  return item?.parent ? mark + removeChild(body, item.parent, item) : text;
}

function elements(list: Node | undefined): Node[] {
  return list?.type === "array" ? (list.children ?? []) : [];
}

// Takes memoir out of a settings file: back to the very bytes where nobody changed them since, else only our own entries.

/** How a settings file would be given back. */
export interface Restoration {
  file: SettingsFile;
  /** `restored`: byte for byte; `removed`: install had made the file; `cleaned`: only our entries go; `untouched`: none of ours. */
  how: "restored" | "removed" | "cleaned" | "untouched";
  /** Undefined: no file. */
  after: string | undefined;
  diff: string[];
  entry: LedgerEntry | undefined;
}

/** What uninstall would do to one settings file. */
export async function planRestoration(home: string, path: string): Promise<Restoration> {
  const entry = (await readLedger(home)).find(({ settings }) => settings === path);
  const file = await readSettings(path);
  const { how, after } = await restored(file, entry);
  return { file, how, after, entry, diff: diffLines(file.text ?? "", after ?? "") };
}

async function restored(
  file: SettingsFile,
  entry: LedgerEntry | undefined,
): Promise<Pick<Restoration, "how" | "after">> {
  const { text, path } = file;
  if (text === undefined) return { how: "untouched", after: undefined };
  if (entry && entry.written === textHash(text)) {
    const { before } = entry;
    if (before.state === "absent") return { how: "removed", after: undefined };
    const copy = before.state === "copied" ? await readCopy(before.backup) : undefined;
    if (copy !== undefined) return { how: "restored", after: copy };
  }
  const unhooked = withoutHooks(text, path);
  const after = entry?.allowed ? withoutRules(unhooked, entry.allowed, path) : unhooked;
  return { how: after === text ? "untouched" : "cleaned", after };
}

/** Does it, and forgets the file. The copy goes once its bytes are back in place. */
export async function applyRestoration(home: string, restoration: Restoration): Promise<void> {
  const { file, how, after, entry } = restoration;
  const before = entry?.before;
  if (how === "removed") {
    const isMade = before?.state === "absent" && before.folder;
    await removeSettings(file, isMade ? [dirname(file.target)] : []);
  } else if (how !== "untouched" && after !== undefined) await writeSettings(file, after);
  const others = (await readLedger(home)).filter(({ settings }) => settings !== file.path);
  if (entry) await writeLedger(home, others);
  if (how !== "restored" || before?.state !== "copied") return;
  const { backup } = before;
  const needed = others.some(
    (other) => other.before.state === "copied" && other.before.backup === backup,
  );
  if (!needed) await rm(backup, { force: true });
}

function readCopy(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
