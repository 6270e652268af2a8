// Puts memoir into the files of clients beside Claude Code and takes it out again.
import type {
  ClientAdapter,
  HooksPart,
  RegistrationFile,
  RegistrationPart,
  RegistrationPlace,
} from "../clients/adapter.ts";
import { MemoirError } from "../sdk/errors.ts";
import {
  type ClientEntry,
  changeTo,
  type FileChange,
  giveBack,
  type FileReturn as Return,
  readClientLedger,
  readSettings,
  returnOf,
  stateBefore,
  textHash,
  writeClientLedger,
  writeSettings,
} from "./file-change.ts";
import { isHookCommand } from "./hook-command.ts";
import { putAt, removeAt, removeEmpty, valueAt } from "./json-edit.ts";
import { ownHooks, parseSettings, wantedHooks, withHooks, withoutHooks } from "./settings.ts";

export type { FileChange } from "./file-change.ts";
export type FileReturn = Return<ClientEntry>;

/** What registering with a client would change. Rejects with `settings_unreadable` or `mcp_name_taken`; nothing is touched. */
export function planClient(
  adapter: ClientAdapter,
  place: RegistrationPlace,
): Promise<FileChange[]> {
  return Promise.all(
    filesOf(adapter, place).map(async ({ path, parts }) => {
      const file = await readSettings(path);
      const put = (text: string, part: RegistrationPart) =>
        putPart(text, part, place.command, path);
      return changeTo(file, parts.reduce(put, file.text ?? ""));
    }),
  );
}

/** Makes the changes; what stood there before is kept in `<home>/backups` first. Gives the copies' paths. */
export async function applyClient(
  home: string,
  client: string,
  changes: readonly FileChange[],
): Promise<string[]> {
  const backups: string[] = [];
  for (const { path, file, after, diff } of changes) {
    if (diff.length === 0 || after === undefined) continue;
    const ledger = await readClientLedger(home);
    const known = ledger.find((entry) => entry.path === path);
    const before = await stateBefore(home, `${client}.txt`, file, known, false);
    if (before.state === "copied" && before !== known?.before) backups.push(before.backup);
    const entry: ClientEntry = { client, path, before, written: textHash(after) };
    // First the list: a crash in between leaves a hash that does not fit, and memoir's parts are taken out one by one.
    await writeClientLedger(home, [...ledger.filter((other) => other !== known), entry]);
    await writeSettings(file, after);
  }
  return backups;
}

/** What taking memoir out of a client would do. Files that cannot be read are left as they are. */
export async function planReturn(
  home: string,
  adapter: ClientAdapter,
  place: RegistrationPlace,
): Promise<FileReturn[]> {
  const ledger = await readClientLedger(home);
  const returns: FileReturn[] = [];
  const files = new Map(filesOf(adapter, place).map((file) => [file.path, file]));
  // Also what an earlier version wrote to, or another environment named.
  const own = ledger.filter(({ client }) => client === adapter.name);
  for (const path of new Set([...files.keys(), ...own.map((entry) => entry.path)])) {
    const entry = own.find((one) => one.path === path);
    const parts = files.get(path)?.parts.toReversed() ?? [];
    const taken = await returnOf(await readSettings(path), entry, (whole, copy) =>
      parts.reduce<string | undefined>(
        (text, part) => (text === undefined ? undefined : takePart(text, part, path, copy)),
        whole,
      ),
    );
    returns.push(taken);
  }
  // The last first: the first may have made the folder, which must be empty to go.
  return returns.filter(({ how, entry }) => how !== "untouched" || entry).toReversed();
}

/** Does it, and forgets the files. */
export async function applyReturn(home: string, returns: readonly FileReturn[]): Promise<void> {
  for (const one of returns) {
    const { entry } = one;
    const others = (await readClientLedger(home)).filter(({ path }) => path !== entry?.path);
    await giveBack(one, others);
    if (entry) await writeClientLedger(home, others);
  }
}

/** How one part of a registration stands. */
export interface PartFinding {
  path: string;
  what: string;
  state: PartState | "unreadable";
}

/** How memoir stands in a client's files. Never rejects. */
export async function lookAtClient(
  adapter: ClientAdapter,
  place: RegistrationPlace,
): Promise<PartFinding[]> {
  const found: PartFinding[] = [];
  for (const { path, parts } of filesOf(adapter, place))
    for (const part of parts) {
      const what = partName(part);
      try {
        const { text } = await readSettings(path);
        const state = text === undefined ? "none" : stateOf(text, part, place.command, path);
        found.push({ path, what, state });
      } catch {
        found.push({ path, what, state: "unreadable" });
      }
    }
  return found;
}

function filesOf(
  { registration }: ClientAdapter,
  place: RegistrationPlace,
): readonly RegistrationFile[] {
  return registration?.files(place) ?? [];
}

// One part of a client's registration in the text of a file: put in, taken out, looked for.

/** `none`: nothing of memoir's; `current`: as it should be; `other`: memoir's, and not as it should be; `foreign`: somebody else's in its place. */
type PartState = "none" | "current" | "other" | "foreign";

/** What a client's hooks run. */
type Command = string;

/** What a part is, in words. */
function partName(part: RegistrationPart): string {
  switch (part.kind) {
    case "hooks":
      return "hooks";
    case "server":
      return part.what ?? "MCP server";
    case "whole":
      return "file";
    case "edit":
      return part.what;
  }
}

/** The text with the part in it; the same text when it is there. Throws `settings_unreadable` and `mcp_name_taken`. */
export function putPart(
  text: string,
  part: RegistrationPart,
  command: Command,
  path: string,
): string {
  switch (part.kind) {
    case "hooks":
      return withHooks(withVersion(text, part, path), wantedHooks(part, command), path);
    case "server":
      return putServer(text, part, path);
    case "whole":
      if (stateOf(text, part, command, path) === "foreign") throw taken(path);
      return part.text;
    case "edit":
      return part.put(text, path);
  }
}

/** The text without the part; undefined where the file is memoir's own. `before`: what stood there before the install, where that is known. */
export function takePart(
  text: string,
  part: RegistrationPart,
  path: string,
  before: string | undefined,
): string | undefined {
  switch (part.kind) {
    case "hooks":
      return takeHooks(text, part, path, before);
    case "server":
      return takeServer(text, part.at, path, before);
    case "whole":
      return isOwnFile(text, part.text) ? undefined : text;
    case "edit":
      return part.take(text, path);
  }
}

/** How the part stands in a text. Throws `settings_unreadable`. */
export function stateOf(
  text: string,
  part: RegistrationPart,
  command: Command,
  path: string,
): PartState {
  switch (part.kind) {
    case "hooks": {
      if (ownHooks(parseSettings(text, path)).length === 0) return "none";
      return putPart(text, part, command, path) === text ? "current" : "other";
    }
    case "server": {
      const found = valueAt(text, part.at, path);
      if (found === undefined) return "none";
      if (JSON.stringify(found) === JSON.stringify(part.entry)) return "current";
      return runsMemoir(found) ? "other" : "foreign";
    }
    case "whole":
      if (text === part.text) return "current";
      if (text.trim() === "") return "none";
      return isOwnFile(text, part.text) ? "other" : "foreign";
    case "edit":
      return part.state(text, path);
  }
}

function withVersion(text: string, { flat }: HooksPart, path: string): string {
  if (!flat || valueAt(text, ["version"], path) !== undefined) return text;
  return putAt(text, ["version"], flat.version, path).text;
}

/** What an install put beside the hooks goes where no hooks are left that want it. */
function takeHooks(
  text: string,
  { flat }: HooksPart,
  path: string,
  before: string | undefined,
): string {
  const without = withoutHooks(text, path);
  if (!flat || without === text || valueAt(without, ["hooks"], path) !== undefined) return without;
  const wasThere = before !== undefined && valueAt(before, ["version"], path) !== undefined;
  return wasThere ? without : removeAt(without, ["version"], path);
}

/** A file of memoir's begins with the same line in every version. */
function isOwnFile(text: string, own: string): boolean {
  return text.split("\n", 1)[0] === own.split("\n", 1)[0];
}

/** Whether an entry starts memoir's MCP server or its hooks, whatever form the client wants it in. */
function runsMemoir(entry: unknown): boolean {
  const words: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") words.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(entry);
  if (words.some(isHookCommand)) return true;
  return words.includes("mcp") && words.some((word) => /(?:^|[\\/])memoir(?:\.exe)?$/i.test(word));
}

function putServer(
  text: string,
  part: RegistrationPart & { kind: "server" },
  path: string,
): string {
  const state = stateOf(text, part, "", path);
  if (state === "current") return text;
  if (state === "foreign") throw taken(path);
  return putAt(removeAt(text, part.at, path), part.at, part.entry, path).text;
}

/** Objects around the entry go with it where install had made them and nothing else is in them. */
function takeServer(text: string, at: readonly string[], path: string, before = ""): string {
  if (!runsMemoir(valueAt(text, at, path))) return text;
  const around = at.slice(0, -1);
  const made = around.filter(
    (_, depth) => valueAt(before, around.slice(0, depth + 1), path) === undefined,
  );
  return removeEmpty(removeAt(text, at, path), around, made.length, path);
}

function taken(path: string): MemoirError {
  return new MemoirError("mcp_name_taken", `${path} has something else named memoir.`, {
    fix: "Give it another name, or leave it and go without; then run the command again.",
  });
}
