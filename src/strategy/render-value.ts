// A tool's input or result as readable text: strings as they are, names before values, nothing twice.
import { tooDeep } from "../text/deep.ts";

const maxDepth = 6;
const maxItems = 200;
/** What a result repeats of the file it changed; the change itself stands beside it. */
const copies = new Set(["originalFile", "originalFileContents"]);

/**
 * Renders a JSON value in lines (`name: value`, lists with dashes). `known` are texts that were shown before and are not
 * repeated. Stops once `limit` characters are written.
 */
export function renderValue(value: unknown, limit: number, known: readonly string[] = []): string {
  const lines: string[] = [];
  let left = limit;
  const write = (line: string) => {
    lines.push(line);
    left -= line.length + 1;
  };

  function walk(item: unknown, label: string, depth: number): void {
    if (left <= 0) return;
    const pad = "  ".repeat(Math.min(depth, maxDepth));
    if (typeof item === "string") {
      const isKnown = item.length > 12 && known.includes(item);
      if (isKnown && item.length > 200) write(`${pad}${label}[as above]`);
      else if (isKnown) return;
      else if (item.includes("\n")) write(`${pad}${label}\n${item}`.trimStart());
      else write(`${pad}${label}${item}`);
    } else if (typeof item !== "object" || item === null) {
      if (item !== undefined && item !== null) write(`${pad}${label}${String(item)}`);
    } else if (depth >= maxDepth) {
      write(`${pad}${label}${tooDeep}`);
    } else if (Array.isArray(item)) {
      if (item.length > 0 && item.every((one) => typeof one === "string"))
        write(`${pad}${label}\n${item.slice(0, maxItems * 5).join("\n")}`.trimStart());
      else for (const one of item.slice(0, maxItems)) walk(one, `${label}- `, depth);
    } else {
      const entries = Object.entries(item).filter(([name, inner]) => !isEmpty(name, inner));
      if (label !== "" && entries.length > 0) write(`${pad}${label.trimEnd()}`);
      for (const [name, inner] of entries.slice(0, maxItems))
        walk(inner, `${name}: `, label === "" ? depth : depth + 1);
    }
  }

  walk(value, "", 0);
  return lines.join("\n");
}

/** All strings inside a value, for `known`. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth >= maxDepth) return [];
  return Object.values(value).flatMap((item) => textsIn(item, depth + 1));
}

function isEmpty(name: string, value: unknown): boolean {
  return (
    copies.has(name) ||
    value === null ||
    value === undefined ||
    value === "" ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}
