// Where a description says that something is: in a JSON value, and on disk.
import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import type { DiskPath, FieldPath } from "../../sdk/client.ts";
import { isRecord } from "../../text/text.ts";

/** What stands at the path; undefined where nothing does, or an empty text. */
export function valueAtPath(value: unknown, path: FieldPath | undefined): unknown {
  for (const one of [path ?? []].flat()) {
    const found = follow(value, one);
    if (found !== undefined && found !== null && found !== "") return found;
  }
  return undefined;
}

function follow(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) {
    if (Array.isArray(found)) found = (found as unknown[])[Number(name)];
    else if (isRecord(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
  }
  return found;
}

/** The same as a text; empty where there is none. A list of blocks is the texts in them. */
export function textAtPath(value: unknown, path: FieldPath | undefined): string {
  const found = valueAtPath(value, path);
  if (typeof found === "string") return found;
  if (!Array.isArray(found)) return "";
  const texts = (found as unknown[]).map((one) =>
    typeof one === "string" ? one : isRecord(one) && typeof one.text === "string" ? one.text : "",
  );
  return texts.filter(Boolean).join("\n");
}

/** True where something stands there that is neither empty, false nor zero. */
export function isAtPath(value: unknown, path: FieldPath | undefined): boolean {
  return [path ?? []].flat().some((one) => Boolean(follow(value, one)));
}

/** An absolute path; a relative one is below `folder`. Of several the first that counts, else the last. */
export function diskPath(given: DiskPath, env: Environment, folder?: string): string {
  const paths: readonly string[] = [given].flat();
  const absolute = (path: string) => {
    const written = path
      .replace(/^~(?=[/\\]|$)/, () => userHome(env))
      .replace(variable, (_, name: string) => env[name] ?? "");
    return isAbsolute(written) || folder === undefined ? resolve(written) : join(folder, written);
  };
  const counts = (path: string) => {
    const name = variable.exec(path)?.[1];
    if (name !== undefined && !env[name]) return false;
    const at = path.indexOf("?");
    return at < 0 || existsSync(absolute(path.slice(0, at)));
  };
  return absolute((paths.find(counts) ?? paths.at(-1) ?? "").replace("?", ""));
}

const variable = /^\$(\w+)/;

/** What stands in the place of `{name}` of a form such as `*_{session}.jsonl`; undefined where the text has not that form. */
export function partOf(text: string, form: string, name: string): string | undefined {
  const [before = "", after = ""] = form.split(`{${name}}`);
  const isOpen = before.startsWith("*");
  const mark = isOpen ? before.slice(1) : before;
  const at = isOpen ? text.lastIndexOf(mark) : text.startsWith(mark) ? 0 : -1;
  if (at < 0 || !text.endsWith(after)) return undefined;
  const part = text.slice(at + mark.length, text.length - after.length);
  return part === "" ? undefined : part;
}
