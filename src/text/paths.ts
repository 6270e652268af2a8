// Paths as memory shows them: relative to the project, never with a person's home in front; and which of them tool uses touched. Pure: a
// path's own form says of which system it is.
import type { ToolUse } from "../sdk/work.ts";
import { baseName, textField, windowsPath } from "./text.ts";

/** The same path for all notations that Windows and Git Bash (`/c/a`) have for it, of the same length. */
function inOneNotation(path: string): string {
  const plain = path.replaceAll("\\", "/").replace(/^\/([A-Za-z])(?=\/)/, "$1:");
  return plain.toLowerCase();
}

/**
 * The rest of `path` below `folder`, empty for the folder itself; undefined for what lies elsewhere. On Windows either slash, either
 * case and Git Bash's notation mean the same, and the rest has forward slashes. Nothing lies below the root of all.
 */
export function pathBelow(folder: string, path: string): string | undefined {
  const base = folder.replace(/[\\/]+$/, "");
  if (base === "") return undefined;
  const notation = windowsPath.test(folder) ? inOneNotation : String;
  const [from, whole] = [notation(base), notation(path)];
  if (whole === from) return "";
  if (!whole.startsWith(`${from}/`)) return undefined;
  const rest = path.slice(base.length + 1);
  return notation === String ? rest : rest.replaceAll("\\", "/");
}

/** Knows a project's root; turns paths and text that mentions paths into project-relative form. */
export interface Paths {
  /** A path relative to the root where it lies inside, else as it is. */
  relative(path: string): string;
  /** Takes the root out of every path in a text and shortens homes to `~`. */
  inText(text: string): string;
}

/** Makes `Paths` for a root and further working directories (worktrees) of the same project. */
export function pathsFrom(root: string, others: readonly string[] = []): Paths {
  const trimmed = (path: string) => path.replace(/[\\/]+$/, "");
  const top = trimmed(root);
  // A working directory above the root is no checkout of the project: what lies there stays absolute.
  const roots = [
    top,
    ...others.map(trimmed).filter((path) => pathBelow(path, top) === undefined),
  ].filter((path) => path.length > 1);
  const relative = (path: string): string => {
    for (const base of roots) {
      const rest = pathBelow(base, path);
      if (rest !== undefined) return rest || ".";
    }
    return path.replace(/^\.\//, "");
  };
  const written = roots.map(notationsOf);
  const inText = (text: string): string => {
    let out = text;
    for (const base of written)
      out = out.replace(base, (_, below) => (below === undefined ? "the project root" : ""));
    return out.replace(home, "~/").replace(homeAlone, "~");
  };
  return { relative, inText };
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A root as texts name it, with the separator behind it where there is one. */
function notationsOf(root: string): RegExp {
  if (!windowsPath.test(root)) return new RegExp(`${literal(root)}(/)?`, "g");
  const [drive = "", ...parts] = root.split(/[\\/]+/).map(literal);
  const first = drive === "" ? "" : `(?:${drive}|(?<![\\w/])/${drive.replace(":", "")})`;
  return new RegExp(`${[first, ...parts].join("[\\\\/]+")}([\\\\/]+)?`, "gi");
}

/** The folder of all homes, as Linux, macOS, Windows and Git Bash write it. */
const homes = "(?:/(?:Users|home)/|(?:[A-Za-z]:[\\\\/]+|/[a-z]/)Users[\\\\/]+)";
const home = new RegExp(`(?<![\\w/\\\\])${homes}[^/\\\\\\s"'\`]+[/\\\\]+(?=[^/\\\\\\s"'\`])`, "g");
const homeAlone = new RegExp(
  `(?<![\\w/\\\\])${homes}[^/\\\\\\s"'\`]*[^/\\\\\\s"'\`,.;:)](?=[\\s"'\`,.;:)]|$)`,
  "g",
);

/**
 * Below the client's own folder: its plans, the memory that it keeps of a project, outputs that it put aside. In a folder of
 * another name the part below it tells.
 */
const clientFile =
  /[\\/]\.claude[\\/](?:plans|todos|tasks)[\\/]|[\\/]projects[\\/]-[^\\/]*[\\/](?:memory|[\w-]+[\\/]tool-results)[\\/]/;

/** True for the absolute path of a file that the client writes for itself: none of the project's. */
export function isClientFile(path: string): boolean {
  return /^(?:[\\/~]|[A-Za-z]:)/.test(path) && clientFile.test(path);
}

// Which files tool uses read and changed, as their inputs say; and which paths a text may rightly name.

const pathKeys = ["file_path", "notebook_path", "path", "filePath"];

const writing = /^(?:write|edit|multiedit|notebookedit|str_replace|create|apply_patch|update)/i;

const reading = /^(?:read|notebookread|view)/i;

/** Paths relative to the project, in the order they were touched. */
export interface TouchedFiles {
  read: string[];
  modified: string[];
}

/** A file that is modified is not listed as read; `made` were not there before. A failed tool use touched nothing. */
export function touchedFiles(
  toolUses: readonly ToolUse[],
  paths: Paths,
): TouchedFiles & { made: string[] } {
  const read = new Set<string>();
  const modified = new Set<string>();
  const made = new Set<string>();
  for (const { name, input, response, error } of toolUses) {
    const path = textField(input, ...pathKeys);
    if (path === "" || error !== undefined || isClientFile(path)) continue;
    const shown = paths.relative(path);
    if (writing.test(name)) {
      modified.add(shown);
      if (textField(response, "type") === "create") made.add(shown);
    } else if (reading.test(name)) read.add(shown);
  }
  return {
    read: [...read].filter((path) => !modified.has(path)),
    modified: [...modified],
    made: [...made],
  };
}

/**
 * Sorts the files that a model named into read and modified. A path that neither a tool use touched nor the shown
 * text holds is left out. `evidence` is everything that was shown.
 */
export function backedFiles(
  named: readonly string[],
  touched: TouchedFiles,
  evidence: string,
  paths: Paths,
): TouchedFiles {
  const read = new Set<string>();
  const modified = new Set<string>();
  for (const name of named) {
    const path = paths.relative(
      name
        .trim()
        .replace(/^[`'"]|[`'"]$/g, "")
        .replace(/:\d+(?:[-:]\d+)?$/, ""),
    );
    if (path === "" || path.length > 400 || /[\n<>|*?]/.test(path)) continue;
    const same = (other: string) => other === path || other.endsWith(`/${path}`);
    const changed = touched.modified.find(same);
    const looked = touched.read.find(same);
    if (changed !== undefined) modified.add(changed);
    else if (looked !== undefined) read.add(looked);
    else if (/[./]/.test(path) && baseName(path).length > 2 && evidence.includes(path))
      read.add(path);
  }
  return { read: [...read], modified: [...modified] };
}

// What git leaves alone, by the rules of its own files.

/** Stands for any number of what a pattern is made of: characters of a name, or names of a path. */
const many = Symbol("many");
type Pattern<Part> = ReadonlyArray<Part | typeof many>;

/** One line of a `.gitignore`. */
export interface IgnoreRule {
  /** The folder that its file is for: "" for the root, else with "/" at its end. */
  folder: string;
  /** Of each name the characters: as they are, or one of several. */
  names: Pattern<Pattern<string | RegExp>>;
  /** It takes back what rules before it say. */
  isKept: boolean;
  isOfFolders: boolean;
}

/** A longer one would fit no path. */
const longestRule = 1_000;

/** The rules of a file's text, in their order; what git could not read either is left out. */
export function ignoreRulesIn(text: string, folder: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    if (line.length > longestRule) return [];
    const written = line.replace(/(?<!\\)(\s+)$/, "");
    if (written === "" || written.startsWith("#")) return [];
    const isKept = written.startsWith("!");
    const bare = written.slice(isKept ? 1 : 0).replace(/\/$/, "");
    const placed = bare.includes("/") ? bare.replace(/^\//, "") : `**/${bare}`;
    try {
      const names = placed.replace(/\/\*\*$/, "/*/**").split("/");
      return [
        {
          ...{ folder, isKept, isOfFolders: written.endsWith("/") },
          names: names.map((name) => (name === "**" ? many : charactersOf(name))),
        },
      ];
    } catch {
      // `[z-a]` fits nothing.
      return [];
    }
  });
}

const character = /\\.|\*+|\?|\[[!^]?\]?[^\]/]*\]|./gsu;

function charactersOf(name: string): Pattern<string | RegExp> {
  return (name.match(character) ?? []).map((one) => {
    if (one.startsWith("*")) return many;
    if (one === "?") return /./s;
    if (one.length > 1 && one.startsWith("["))
      return new RegExp(one.replace(/^\[[!^]/, "[^").replace(/(?<=^\[\^?)\]/, "\\]"), "s");
    return one.length > 1 && one.startsWith("\\") ? one.slice(1) : one;
  });
}

/** True for a path below the root that git leaves alone; of the rules, in their order, the last that fits decides, an outer folder before what it holds. */
export function isIgnored(path: string, rules: readonly IgnoreRule[]): boolean {
  const all = path.split("/");
  return all.some((_, at) => {
    const whole = all.slice(0, at + 1).join("/");
    const isFolder = at < all.length - 1;
    const last = rules.findLast(
      ({ folder, names, isOfFolders }) =>
        whole.startsWith(folder) &&
        (isFolder || !isOfFolders) &&
        fits(names, whole.slice(folder.length).split("/"), isNamed),
    );
    return last !== undefined && !last.isKept;
  });
}

const isNamed = (characters: Pattern<string | RegExp>, name: string) =>
  fits(characters, [...name], (one, of) => (typeof one === "string" ? one === of : one.test(of)));

/** Whether a pattern fits the whole of what is there. A repository's patterns are anybody's: it takes no longer than both lengths multiplied. */
function fits<Part, One>(
  pattern: Pattern<Part>,
  ones: readonly One[],
  isOne: (part: Part, one: One) => boolean,
): boolean {
  let [at, from, held] = [0, -1, 0];
  for (let next = 0; next < ones.length; ) {
    const part = pattern[at];
    const one = ones[next] as One;
    if (part === many) {
      [from, held] = [at, next];
      at++;
    } else if (part !== undefined && isOne(part, one)) {
      at++;
      next++;
    } else if (from >= 0) {
      // The last `many` takes one more.
      at = from + 1;
      next = ++held;
    } else return false;
  }
  return pattern.slice(at).every((part) => part === many);
}

/** A project's name, and the plain one where that tells it from others: `acme/shop`, `shop (work/shop)` of `shop`. */
export interface Named {
  name: string;
  plain?: string | undefined;
}

/** The projects that somebody calls so. */
export function calledSo<One extends Named>(all: readonly One[], given: string): One[] {
  const wanted = given.toLowerCase();
  return all.filter(({ name, plain = name }) =>
    [name, plain].some((one) => one.toLowerCase() === wanted),
  );
}

/** The project whose root holds a folder, the innermost of several. */
export function projectAround<Of extends { root: string }>(
  all: readonly Of[],
  folder: string,
): Of | undefined {
  const around = all.filter(({ root }) => pathBelow(root, folder) !== undefined);
  return around.sort((a, b) => b.root.length - a.root.length)[0];
}
