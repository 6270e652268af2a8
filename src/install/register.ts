// Registers memoir with Claude Code: what would change in a settings file, the change itself, and its way back.
import { isRecord } from "../text/text.ts";
import {
  changeTo,
  type FileChange,
  type FileReturn,
  giveBack,
  returnOf,
  stateBefore,
} from "./file-change.ts";
import { pushAt, putAt, removeAt, removeEmpty, valueAt } from "./json-edit.ts";
import { type LedgerEntry, readLedger, writeLedger } from "./ledger.ts";
import type { Registration } from "./registration.ts";
import { readSettings, type Scope, textHash, writeSettings } from "./settings-file.ts";
import { ownHooks, parseSettings, withHooks, withoutHooks } from "./settings-text.ts";

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
