// Where something was thrown: the first line of a stack that lies in files of the plugin.
import { isInBinary } from "../../host/engine.ts";

const path = String.raw`((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).+?):(\d+):(\d+)`;
/** `at name (place)`, `at place`, or a place somewhere; folders may have blanks and brackets in their names. */
const frames = [
  new RegExp(String.raw`^\s*at .*? \(${path}\)\s*$`),
  new RegExp(String.raw`^\s*at (?:async )?${path}\s*$`),
  /((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\s()]+?):(\d+):(\d+)\)?\s*$/,
];

/**
 * `file:line:column` of an error's throw, or undefined. `own` is a folder: with it, only frames below it count, and
 * of them the plugin's own before its packages.
 */
export function placeOf(error: unknown, own?: string): string | undefined {
  const known = (error as { place?: unknown } | undefined)?.place;
  if (typeof known === "string") return known;
  const stack = (error as { stack?: unknown } | undefined)?.stack;
  if (typeof stack !== "string") return undefined;
  const places = stack
    .split("\n")
    .slice(0, 50)
    .flatMap((line) => {
      const found = frames.map((frame) => frame.exec(line)).find((match) => match !== null);
      const [, file, row, column] = found ?? [];
      // Modules inside a compiled program are no files that anybody could open.
      return file && !isInBinary(file) ? [{ file: plainPath(file), row, column }] : [];
    })
    .filter(({ file }) => own === undefined || file.startsWith(own));
  const best = places.find(({ file }) => !file.includes("node_modules")) ?? places[0];
  return best && `${best.file}:${best.row}:${best.column}`;
}

/** A path as people write it. */
function plainPath(file: string): string {
  if (!file.startsWith("file://")) return file.replaceAll("%20", " ");
  // Deno imports a changed file under a name with a number behind it.
  const encoded = file.slice("file://".length).replace(/\?\d+$/, "");
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Line (from 1) at which a plugin's text names a hook, or any field, as a key of an object, or undefined. */
export function lineOfHook(text: string, hook: string): number | undefined {
  const name = hook.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const key = new RegExp(`(?:^|[\\s{,])(?:async\\s+)?(?:"${name}"|'${name}'|${name})\\s*[:(]`);
  const at = text.split("\n").findIndex((line) => key.test(line));
  return at === -1 ? undefined : at + 1;
}
