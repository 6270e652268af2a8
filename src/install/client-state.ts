// memoir among the client's MCP servers: in the client's own state file, whose every other byte stays where it is.
import { join, resolve } from "node:path";
import {
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  parseTree,
} from "jsonc-parser";
import { type Environment, userHome } from "../home/paths.ts";
import { MemoirError } from "../sdk/errors.ts";
import { appendProperty, removeChild } from "./json-edit.ts";
import type { Scope } from "./settings-file.ts";

/** How the client starts an MCP server. */
export interface McpServerEntry {
  type: "stdio";
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** The server's name, and with it the beginning of its tools' names: `mcp__memoir__recall`. */
const mcpName = "memoir";

/** The client's state file: `.claude.json` in `CLAUDE_CONFIG_DIR`, else in the user's home folder. */
export function clientStatePath(env: Environment): string {
  const folder = env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : userHome(env);
  return join(folder, ".claude.json");
}

/** Where in that file a scope's servers stand; a project's are kept with the user's own, so that no colleague gets them. */
export function serversAt(scope: Scope, cwd: string): string[] {
  return scope === "user" ? ["mcpServers"] : ["projects", cwd, "mcpServers"];
}

/** What stands under memoir's name; undefined when nothing does. May be somebody else's, see `isOwnEntry`. Throws `settings_unreadable`. */
export function ownServer(text: string, at: readonly string[], path: string): unknown {
  const node = findNodeAtLocation(tree(opened(text).body, path), [...at, mcpName]);
  return node && getNodeValue(node);
}

/** Whether an entry is one that memoir writes, of this or another home: somebody else's server may bear the same name. */
export function isOwnEntry(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { command, args } = value as { command?: unknown; args?: unknown };
  const runsMemoir = typeof command === "string" && /(?:^|[\\/])memoir(?:\.exe)?$/i.test(command);
  return runsMemoir && Array.isArray(args) && args.length === 1 && args[0] === "mcp";
}

/** The text with memoir's entry, and how many of the objects around it had to be made. The same text when it is there already. */
export function withServer(
  text: string,
  at: readonly string[],
  entry: McpServerEntry,
  path: string,
): { text: string; made: number } {
  if (JSON.stringify(ownServer(text, at, path)) === JSON.stringify(entry)) return { text, made: 0 };
  const { mark, body: given } = opened(text);
  const body = withoutServer(given.trim() === "" ? "{}\n" : given, at, 0, path);
  const places: JSONPath[] = [[], ...at.map((_, index) => at.slice(0, index + 1))];
  const root = tree(body, path);
  const there = places.filter((place) => objectAt(root, place, path) !== undefined).length;
  const holder = objectAt(root, places[there - 1] ?? [], path);
  const missing = [...at.slice(there - 1), mcpName];
  const [name = mcpName, ...inner] = missing;
  const value = inner.reduceRight<unknown>((rest, key) => ({ [key]: rest }), entry);
  if (!holder) throw unreadable(path);
  return { text: mark + appendProperty(body, holder, name, value), made: missing.length - 1 };
}

/** The text without memoir's entry; of the objects around it, `made` go too when they are empty then. */
export function withoutServer(
  text: string,
  at: readonly string[],
  made: number,
  path: string,
): string {
  const { mark, body } = opened(text);
  let result = remove(body, [...at, mcpName], path);
  for (let depth = at.length; depth > at.length - made; depth--) {
    const node = findNodeAtLocation(tree(result, path), at.slice(0, depth));
    if (node?.type !== "object" || (node.children ?? []).length > 0) break;
    result = remove(result, at.slice(0, depth), path);
  }
  return mark + result;
}

/** A byte order mark stays where it is. */
function opened(text: string): { mark: string; body: string } {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  return { mark, body: text.slice(mark.length) };
}

function remove(text: string, at: readonly string[], path: string): string {
  const item = findNodeAtLocation(tree(text, path), [...at])?.parent;
  return item?.parent ? removeChild(text, item.parent, item) : text;
}

function objectAt(root: Node, at: JSONPath, path: string): Node | undefined {
  const node = findNodeAtLocation(root, at);
  if (node && node.type !== "object") throw unreadable(path);
  return node;
}

function tree(text: string, path: string): Node {
  const root = parseTree(text.trim() === "" ? "{}" : text);
  if (root?.type !== "object") throw unreadable(path);
  // The parser forgives; the client does not, so what it would refuse is not touched.
  try {
    JSON.parse(text.trim() === "" ? "{}" : text);
  } catch {
    throw unreadable(path);
  }
  return root;
}

function unreadable(path: string): MemoirError {
  return new MemoirError("settings_unreadable", `${path} does not have the form that is known.`, {
    fix: "Start the client once, so that it puts its file in order, then run the command again.",
  });
}
