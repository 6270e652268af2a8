// Takes memoir out of a settings file: back to the very bytes where nobody changed them since, else only our own entries.
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { withoutRules } from "./allow-rules.ts";
import { diffLines } from "./diff.ts";
import { type LedgerEntry, readLedger, writeLedger } from "./ledger.ts";
import {
  readSettings,
  removeSettings,
  type SettingsFile,
  textHash,
  writeSettings,
} from "./settings-file.ts";
import { withoutHooks } from "./settings-text.ts";

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
