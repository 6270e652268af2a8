// One part of a client's registration in the text of a file: put in, taken out, looked for.
import { findNodeAtLocation, getNodeValue, type Node } from "jsonc-parser";
import type { RegistrationPart } from "../clients/registration.ts";
import { MemoirError } from "../sdk/errors.ts";
import { isHookCommand } from "./hook-command.ts";
import { appendProperty, removeChild } from "./json-edit.ts";
import type { FlatHook, HookGroup, WantedHooks } from "./registration.ts";
import {
  hasKey,
  openText,
  ownHooks,
  parseSettings,
  withHooks,
  withKey,
  withoutHooks,
  withoutKey,
} from "./settings-text.ts";

/** `none`: nothing of memoir's; `current`: as it should be; `other`: memoir's, and not as it should be; `foreign`: somebody else's in its place. */
export type PartState = "none" | "current" | "other" | "foreign";

/** What a client's hooks run. */
type Command = string;

/** What a part is, in words. */
export function partName(part: RegistrationPart): string {
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
      return withHooks(withFlat(text, part, path), wantedOf(part, command), path);
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
      const node = findNodeAtLocation(openText(text, path).root, [...part.at]);
      if (!node) return "none";
      const found: unknown = getNodeValue(node);
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

type HooksPart = RegistrationPart & { kind: "hooks" };

function wantedOf({ events, flat }: HooksPart, command: Command): WantedHooks {
  const wanted = new Map<string, HookGroup | FlatHook>();
  for (const [event, { matcher, timeout }] of events) {
    const matched = matcher === undefined ? {} : { matcher };
    const hook = { command, ...(timeout !== undefined && { timeout }) };
    const group = { ...matched, hooks: [{ type: "command" as const, ...hook }] };
    wanted.set(event, flat ? { ...matched, ...hook } : group);
  }
  return wanted;
}

function withFlat(text: string, { flat }: HooksPart, path: string): string {
  return flat ? withKey(text, "version", flat.version, path) : text;
}

/** What an install put beside the hooks goes where no hooks are left that want it. */
function takeHooks(
  text: string,
  { flat }: HooksPart,
  path: string,
  before: string | undefined,
): string {
  const without = withoutHooks(text, path);
  if (!flat || without === text || hasKey(without, "hooks", path)) return without;
  const wasThere = before !== undefined && hasKey(before, "version", path);
  return wasThere ? without : withoutKey(without, "version", path);
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
  const cleared = state === "other" ? removeAt(text, part.at, path) : text;
  const { mark, body, root } = openText(cleared, path);
  let there = 0;
  let holder: Node = root;
  for (; there < part.at.length - 1; there++) {
    const next = findNodeAtLocation(root, part.at.slice(0, there + 1));
    if (!next) break;
    holder = next;
  }
  if (holder.type !== "object") throw unreadable(path);
  const [name = "", ...inner] = part.at.slice(there);
  const value = inner.reduceRight<unknown>((rest, key) => ({ [key]: rest }), part.entry);
  return mark + appendProperty(body, holder, name, value);
}

/** Objects around the entry go with it where install had made them and nothing else is in them. */
function takeServer(
  text: string,
  at: readonly string[],
  path: string,
  before: string | undefined,
): string {
  const node = findNodeAtLocation(openText(text, path).root, [...at]);
  if (!node || !runsMemoir(getNodeValue(node))) return text;
  let result = removeAt(text, at, path);
  for (let depth = at.length - 1; depth > 0; depth--) {
    const around = at.slice(0, depth);
    const holder = findNodeAtLocation(openText(result, path).root, around);
    const was = before !== undefined && findNodeAtLocation(openText(before, path).root, around);
    if (was || holder?.type !== "object" || (holder.children ?? []).length > 0) break;
    result = removeAt(result, around, path);
  }
  return result;
}

function removeAt(text: string, at: readonly string[], path: string): string {
  const { mark, body, root } = openText(text, path);
  const item = findNodeAtLocation(root, [...at])?.parent;
  return item?.parent ? mark + removeChild(body, item.parent, item) : text;
}

function taken(path: string): MemoirError {
  return new MemoirError("mcp_name_taken", `${path} has something else named memoir.`, {
    fix: "Give it another name, or leave it and go without; then run the command again.",
  });
}

function unreadable(path: string): MemoirError {
  return new MemoirError("settings_unreadable", `${path} does not have the form that is known.`, {
    fix: "Start the client once, so that it puts its file in order, then run the command again.",
  });
}
