// A variable of `env` in the client's settings as text: set, given back, and every other byte stays where it is.
import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, getNodeValue, type Node, parseTree } from "jsonc-parser";
import { MemoirError } from "../sdk/errors.ts";
import { appendProperty, removeChild } from "./json-edit.ts";
import { parseSettings } from "./settings-text.ts";

const bom = "\ufeff";

/** All that is set and is a string. Throws MemoirError `settings_unreadable`. */
export function variablesIn(text: string, path: string): Record<string, string> {
  const env: unknown = (getNodeValue(tree(text, path)) as Record<string, unknown>).env;
  return Object.fromEntries(
    Object.entries(env ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

/** The settings with the variable set. Throws MemoirError `settings_unreadable` where that cannot be done safely. */
export function withVariable(text: string, name: string, value: string, path: string): string {
  const { mark, body } = split(text);
  const root = tree(body, path, name);
  const env = findNodeAtLocation(root, ["env"]);
  const node = findNodeAtLocation(root, ["env", name]);
  if (env && env.type !== "object") throw notSafe(path, name);
  const after = node
    ? splice(body, node, JSON.stringify(value))
    : env
      ? appendProperty(body, env, name, value)
      : appendProperty(body, root, "env", { [name]: value });
  return checked(text, mark + after, { name, value, path });
}

/** The settings with `previous` in its place again; undefined takes it out, and `env` with it where it is empty then and `envToo`. */
export function withoutVariable(
  text: string,
  { name, previous, envToo }: { name: string; previous: string | undefined; envToo: boolean },
  path: string,
): string {
  const { mark, body } = split(text);
  const node = findNodeAtLocation(tree(body, path, name), ["env", name]);
  if (!node) return text;
  const edit = { name, value: previous, path };
  if (previous !== undefined)
    return checked(text, mark + splice(body, node, JSON.stringify(previous)), edit);
  let after = remove(body, ["env", name], path);
  const env = findNodeAtLocation(tree(after, path), ["env"]);
  if (envToo && (env?.children ?? []).length === 0) after = remove(after, ["env"], path);
  return checked(text, mark + after, edit);
}

function remove(body: string, at: readonly string[], path: string): string {
  const item = findNodeAtLocation(tree(body, path), [...at])?.parent;
  return item?.parent ? removeChild(body, item.parent, item) : body;
}

function splice(body: string, node: Node, between: string): string {
  return body.slice(0, node.offset) + between + body.slice(node.offset + node.length);
}

interface Edit {
  name: string;
  /** Afterwards. */
  value: string | undefined;
  path: string;
}

/** Proves the edit before anyone writes it: the value is what it should be, and nothing else changed. */
function checked(before: string, after: string, { name, value, path }: Edit): string {
  if (variablesIn(after, path)[name] !== value) throw notSafe(path, name);
  if (!isDeepStrictEqual(rest(before, name, path), rest(after, name, path)))
    throw notSafe(path, name);
  return after;
}

/** The settings without the variable and an `env` that would be empty. */
function rest(text: string, name: string, path: string): unknown {
  const settings = getNodeValue(tree(text, path)) as Record<string, unknown>;
  const { env, ...others } = settings;
  const { [name]: _, ...variables } = (env ?? {}) as Record<string, unknown>;
  return Object.keys(variables).length === 0 ? others : { ...others, env: variables };
}

/** Throws where the settings are not of the form that is known, or hold the variable twice. */
function tree(text: string, path: string, name = ""): Node {
  const { body } = split(text);
  parseSettings(body, path);
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (root?.type !== "object") throw notSafe(path, name);
  const env = findNodeAtLocation(root, ["env"]);
  const names = (env?.children ?? []).map((property) => property.children?.[0]?.value as unknown);
  if (names.filter((one) => one === name).length > 1) throw notSafe(path, name);
  return root;
}

function split(text: string): { mark: string; body: string } {
  const mark = text.startsWith(bom) ? bom : "";
  const body = text.slice(mark.length);
  return { mark, body: body.trim() === "" ? "{}\n" : body };
}

function notSafe(path: string, name: string): MemoirError {
  return new MemoirError(
    "settings_unreadable",
    `${path} could not be changed safely; nothing was written.`,
    { fix: `Look at \`env\` and \`${name}\` in the file, then run the command again.` },
  );
}
