// Registers memoir with Claude Code: what would change in a settings file, and the change itself with its way back.
import { access, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { atomicWrite } from "../home/atomic-write.ts";
import { type AddedRules, withoutRules, withRules } from "./allow-rules.ts";
import { diffLines } from "./diff.ts";
import { type LedgerEntry, readLedger, writeLedger } from "./ledger.ts";
import type { Registration } from "./registration.ts";
import {
  readSettings,
  type Scope,
  type SettingsFile,
  textHash,
  writeSettings,
} from "./settings-file.ts";
import { ownHooks, parseSettings, withHooks } from "./settings-text.ts";

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
