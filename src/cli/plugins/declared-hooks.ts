// What a plugin's package.json says that it hears, in words: all that can be said before any of its code runs.

import { join } from "node:path";
import type { ReachField } from "../../host/hold-to.ts";
import { nearest } from "../../runtime/config/problems.ts";
import { hookFacts, textsOfHooks } from "../../runtime/hooks/hook-table.ts";
import { declaredIn, reachFields } from "../../runtime/isolation/reach.ts";
import { readManifest } from "../../runtime/plugins/find.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type HookName, hookKinds } from "../../sdk/hooks.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { oneLine } from "../../text/text.ts";
import { printable } from "../terminal/layout.ts";

/** The hooks that `memoir.hooks` of the folder's package.json lists; undefined where it lists none. Throws `plugin_invalid`. */
export async function declaredHooks(folder: string | undefined): Promise<string[] | undefined> {
  const manifest = folder ? await readManifest(join(folder, "package.json")) : undefined;
  const { hooks }: { hooks?: unknown } = manifest?.memoir ?? {};
  if (hooks === undefined) return undefined;
  const known = Object.keys(hookKinds);
  const wrong = Array.isArray(hooks) ? hooks.find((hook) => !known.includes(hook)) : hooks;
  if (Array.isArray(hooks) && wrong === undefined) return hooks;
  const near = nearest(String(wrong), known);
  const meant = near ? `; did you mean ${near}?` : ".";
  throw new MemoirError(
    "plugin_invalid",
    `${folder}/package.json: memoir.hooks names no hook: ${printable(JSON.stringify(wrong))}${meant}`,
  );
}

/** One line for each kind of text, or what cannot be known. */
export function declaredLines(hooks: readonly string[] | undefined): string[] {
  if (!hooks)
    return ["It declares no hooks: which texts it gets can't be known before its code runs."];
  if (hooks.length === 0) return ["  gets    no texts"];
  return Object.entries(textsOfHooks).flatMap(([gets, words]) => {
    const own = hooks.filter((hook) => hookFacts[hook as HookName]?.gets === gets);
    return own.length > 0 ? [`  gets    ${words} (${own.join(", ")})`] : [];
  });
}

/**
 * What `memoir.hosts`, `files` and `programs` of the folder's package.json say, in words, and how far a plugin is held to them.
 * Throws `plugin_invalid` for what is no list of names.
 */
export async function reachLines(folder: string | undefined): Promise<string[]> {
  const path = folder && join(folder, "package.json");
  return reachWords(path ? declaredIn(await readManifest(path), path) : {});
}

/** The same of what was read already. */
export function reachWords(declared: ReturnType<typeof declaredIn>): string[] {
  const fields = Object.keys(reachFields) as ReachField[];
  if (!fields.some((field) => declared[field])) return [unsaid];
  const lines = fields.map((field) => {
    const names = declared[field] ?? (field === "programs" ? [] : undefined);
    const said =
      names?.map((one) => oneLine(printable(one))).join(", ") || (names ? "none" : "any");
    return `  ${reachFields[field].padEnd(7)} ${field}: ${said}`;
  });
  return [...lines, held];
}

const unsaid = "It declares no hosts and files: it can reach whatever you can.";
const held =
  "  memoir refuses its worker other ones. That stops plain code, not code that hides from it.";

/** Throws `plugin_invalid` where the plugin listens to more than it declared. */
export function refuseUndeclared({ name, hooks }: AnyPlugin, declared: readonly string[]): void {
  const more = Object.keys(hooks).filter((hook) => !declared.includes(hook));
  if (more.length > 0)
    throw new MemoirError(
      "plugin_invalid",
      `${name} listens to ${more.join(", ")}, which its package.json does not declare.`,
      { fix: "Its author has to list them in `memoir.hooks`; nothing was added." },
    );
}
