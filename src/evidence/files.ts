// Which files a turn read and changed, and the names its changes touched.

import { changingTools, readingTools } from "../sdk/tool-kinds.ts";
import type { TouchedFile } from "../sdk/turn.ts";
import { textField } from "../text/values.ts";
import { filesLimit, symbolsLimit } from "./limits.ts";
import type { UsedTool } from "./moment.ts";
import { touchedSymbols } from "./symbols.ts";

/** Files so far. */
interface Files {
  add(tool: UsedTool): void;
  /** Paths of all changes so far, in order, repeated for each change. */
  changes: readonly string[];
  /** Changed ones first, each once, at most `filesLimit`. */
  list(): { files: TouchedFile[]; leftOut: number };
}

/** `relative` shortens paths. */
export function createFiles(relative: (path: string) => string): Files {
  const found = new Map<string, { changed: boolean; symbols: Set<string> }>();
  const changes: string[] = [];
  return {
    changes,
    add(tool) {
      const { name, input, response, error } = tool;
      const changed = changingTools.has(name);
      if (error !== undefined || (!changed && !readingTools.has(name))) return;
      const named =
        textField(input, "file_path", "notebook_path") || textField(response, "filePath");
      if (named === "") return;
      const path = relative(named);
      const file = found.get(path) ?? { changed: false, symbols: new Set() };
      found.set(path, file);
      if (!changed) return;
      file.changed = true;
      changes.push(path);
      for (const symbol of tool.symbols ?? touchedSymbols(response, path, symbolsLimit))
        if (file.symbols.size < symbolsLimit) file.symbols.add(symbol);
    },
    list() {
      const all = [...found].map(
        ([path, { changed, symbols }]): TouchedFile => ({
          path,
          changed,
          ...(symbols.size > 0 && { symbols: [...symbols] }),
        }),
      );
      const ordered = [
        ...all.filter((file) => file.changed),
        ...all.filter((file) => !file.changed),
      ];
      return {
        files: ordered.slice(0, filesLimit),
        leftOut: Math.max(0, ordered.length - filesLimit),
      };
    },
  };
}

/** Makes paths below `root` relative to it, with forward slashes. */
export function relativeTo(root: string): (path: string) => string {
  const base = root.replace(/[\\/]+$/, "");
  return (path) => {
    const inside = base !== "" && (path.startsWith(`${base}/`) || path.startsWith(`${base}\\`));
    return inside ? path.slice(base.length + 1).replaceAll("\\", "/") : path;
  };
}
