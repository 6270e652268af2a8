// The client's allow rules for memoir's tools that only read: with them no agent asks its user before it looks something up.
import { findNodeAtLocation, type Node } from "jsonc-parser";
import { appendElement, appendProperty, removeChild } from "./json-edit.ts";
import { openText } from "./settings-text.ts";

/** What the client calls these tools. What changes memory is asked about. */
export const readingTools: readonly string[] = ["search", "timeline", "get", "recall"].map(
  (tool) => `mcp__memoir__${tool}`,
);

/** What was put into settings, for the way back. */
export interface AddedRules {
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
