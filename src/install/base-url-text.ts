// `env.ANTHROPIC_BASE_URL` in the client's settings as text: set, given back, and every other byte stays where it is.
import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, getNodeValue, type Node, parseTree } from "jsonc-parser";
import { MemoirError } from "../sdk/errors.ts";
import { appendProperty, removeChild } from "./json-edit.ts";
import { parseSettings } from "./settings-text.ts";

/** The variable by which the client finds its model's API. */
const baseUrlName = "ANTHROPIC_BASE_URL";
const place = ["env", baseUrlName];
const bom = "\ufeff";

/** What is set; undefined where nothing is. Throws MemoirError `settings_unreadable`. */
export function baseUrlIn(text: string, path: string): string | undefined {
  const node = findNodeAtLocation(tree(text, path), place);
  return node?.type === "string" ? String(node.value) : undefined;
}

/** The settings with the base URL set to `url`. Throws MemoirError `settings_unreadable` where that cannot be done safely. */
export function withBaseUrl(text: string, url: string, path: string): string {
  const { mark, body } = split(text);
  const root = tree(body, path);
  const env = findNodeAtLocation(root, ["env"]);
  const value = findNodeAtLocation(root, place);
  if (env && env.type !== "object") throw notSafe(path);
  const after = value
    ? splice(body, value, JSON.stringify(url))
    : env
      ? appendProperty(body, env, baseUrlName, url)
      : appendProperty(body, root, "env", { [baseUrlName]: url });
  return checked(text, mark + after, url, path);
}

/** The settings with `previous` in its place again; undefined takes it out, and `env` with it where it is empty then and `envToo`. */
export function withoutBaseUrl(
  text: string,
  previous: string | undefined,
  envToo: boolean,
  path: string,
): string {
  const { mark, body } = split(text);
  const value = findNodeAtLocation(tree(body, path), place);
  if (!value) return text;
  if (previous !== undefined)
    return checked(text, mark + splice(body, value, JSON.stringify(previous)), previous, path);
  let after = remove(body, place, path);
  const env = findNodeAtLocation(tree(after, path), ["env"]);
  if (envToo && (env?.children ?? []).length === 0) after = remove(after, ["env"], path);
  return checked(text, mark + after, undefined, path);
}

function remove(body: string, at: readonly string[], path: string): string {
  const item = findNodeAtLocation(tree(body, path), [...at])?.parent;
  return item?.parent ? removeChild(body, item.parent, item) : body;
}

function splice(body: string, node: Node, between: string): string {
  return body.slice(0, node.offset) + between + body.slice(node.offset + node.length);
}

/** Proves the edit before anyone writes it: the value is what it should be, and nothing else changed. */
function checked(before: string, after: string, url: string | undefined, path: string): string {
  if (baseUrlIn(after, path) !== url) throw notSafe(path);
  if (!isDeepStrictEqual(rest(before, path), rest(after, path))) throw notSafe(path);
  return after;
}

/** The settings without the base URL and an `env` that would be empty. */
function rest(text: string, path: string): unknown {
  const settings = getNodeValue(tree(text, path)) as Record<string, unknown>;
  const { env, ...others } = settings;
  const { [baseUrlName]: _, ...variables } = (env ?? {}) as Record<string, unknown>;
  return Object.keys(variables).length === 0 ? others : { ...others, env: variables };
}

/** Throws where the settings are not of the form that is known, or hold the variable twice. */
function tree(text: string, path: string): Node {
  const { body } = split(text);
  parseSettings(body, path);
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (root?.type !== "object") throw notSafe(path);
  const env = findNodeAtLocation(root, ["env"]);
  const names = (env?.children ?? []).map((property) => property.children?.[0]?.value as unknown);
  if (names.filter((name) => name === baseUrlName).length > 1) throw notSafe(path);
  return root;
}

function split(text: string): { mark: string; body: string } {
  const mark = text.startsWith(bom) ? bom : "";
  const body = text.slice(mark.length);
  return { mark, body: body.trim() === "" ? "{}\n" : body };
}

function notSafe(path: string): MemoirError {
  return new MemoirError(
    "settings_unreadable",
    `${path} could not be changed safely; nothing was written.`,
    { fix: `Look at \`env\` and \`${baseUrlName}\` in the file, then run the command again.` },
  );
}
