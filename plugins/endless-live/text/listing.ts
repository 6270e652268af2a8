// Lists paths by folder: every folder is named once, its entries follow on one line.
import { plural } from "../../../src/text/index.ts";

/** A folder's share of a listing. */
interface Group {
  folder: string;
  entries: string[];
}

/** Paths by the folder they lie in, in order of first sight. `a/b/` counts as `b/` in `a`. */
function groupPaths(paths: readonly string[]): Group[] {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const end = path.endsWith("/") ? path.length - 2 : path.length - 1;
    const cut = path.lastIndexOf("/", end) + 1;
    const entries = groups.get(path.slice(0, cut));
    if (entries) entries.push(path.slice(cut));
    else groups.set(path.slice(0, cut), [path.slice(cut)]);
  }
  return [...groups].map(([folder, entries]) => ({ folder, entries }));
}

/** The lines of a grouped listing, at most `most` entries of each folder, and how many entries are not named. */
function listGroups(groups: readonly Group[], most: number): { lines: string[]; unnamed: number } {
  let unnamed = 0;
  const lines = groups.map(({ folder, entries }) => {
    const named = entries.slice(0, most);
    const rest = entries.length - named.length;
    unnamed += rest;
    const tail = rest > 0 ? ` … and ${rest} more${endings(entries.slice(most))}` : "";
    return `${folder || "./"}: ${named.join(" ")}${tail}`;
  });
  return { lines, unnamed };
}

/** ` (12 .ts, 3 .json)`: what kinds of file they are. */
function endings(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    const ending = /\.\w{1,8}$/.exec(name)?.[0] ?? (name.endsWith("/") ? "folders" : "others");
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  const mostOften = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 4);
  return ` (${mostOften.map(([ending, count]) => `${count} ${ending}`).join(", ")})`;
}

/**
 * Groups paths and names fewer and fewer entries of each folder until the listing fits into `budget` characters, but
 * never fewer than `least`. Folders are always named, until they alone are too many.
 */
export function fitListing(
  paths: readonly string[],
  budget: number,
  least: number,
): { lines: string[]; unnamed: number; how: string } {
  const groups = groupPaths(paths);
  const fits = (lines: readonly string[]) =>
    lines.reduce((sum, line) => sum + line.length + 1, 0) <= budget;
  const mostFolders = 60;
  const headings = groups.map(({ folder }) => folder);
  if (groups.length > mostFolders && !fits(headings))
    return { ...rollUp(groups, budget), how: "grouped by folder" };
  let listed = listGroups(groups, paths.length);
  let most = 64;
  while (!fits(listed.lines) && most >= Math.max(1, least)) {
    listed = listGroups(groups, most);
    most = most > least ? Math.max(least, most >> 1) : 0;
  }
  if (fits(listed.lines) || groups.length <= mostFolders)
    return { ...listed, how: "grouped by folder" };
  return { ...rollUp(groups, budget), how: "grouped by folder" };
}

/** Too many folders: those below a common parent are counted together, and named as far as there is room. */
function rollUp(groups: readonly Group[], budget: number): { lines: string[]; unnamed: number } {
  const all = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  const placed = groups.map((group) => ({ ...group, slashes: slashesOf(group.folder) }));
  for (let depth = 8; depth >= 1; depth--) {
    const names = new Set(placed.map((group) => parentOf(group, depth)));
    if (depth > 1 && [...names].reduce((sum, name) => sum + name.length, 0) > budget) continue;
    const parents = gather(placed, depth);
    const size = parents.reduce((sum, parent) => sum + countLine(parent, 0).line.length + 1, 0);
    if (depth > 1 && size > budget) continue;
    const share = Math.max(0, Math.floor((budget - size) / Math.max(1, parents.length)));
    const counted = parents.map((parent) => countLine(parent, share));
    const named = counted.reduce((sum, one) => sum + one.named, 0);
    return { lines: counted.map(({ line }) => line), unnamed: all - named };
  }
  return { lines: [], unnamed: all };
}

/** A folder's share, and where its name has slashes. */
interface Placed extends Group {
  slashes: readonly number[];
}

function slashesOf(folder: string): number[] {
  const slashes: number[] = [];
  for (let at = folder.indexOf("/"); at >= 0; at = folder.indexOf("/", at + 1)) slashes.push(at);
  return slashes;
}

/** The folder above it that lies so deep; itself where it lies no deeper. */
function parentOf({ folder, slashes }: Placed, depth: number): string {
  return slashes.length > depth ? folder.slice(0, (slashes[depth - 1] ?? 0) + 1) : folder;
}

interface Parent {
  folder: string;
  folders: Set<string>;
  entries: string[];
}

function gather(groups: readonly Placed[], depth: number): Parent[] {
  const parents = new Map<string, Parent>();
  for (const group of groups) {
    const name = parentOf(group, depth);
    const parent = parents.get(name) ?? { folder: name, folders: new Set(), entries: [] };
    if (group.slashes.length > depth)
      parent.folders.add(group.folder.slice(name.length, (group.slashes[depth] ?? 0) + 1));
    for (const entry of group.entries) parent.entries.push(entry);
    parents.set(name, parent);
  }
  return [...parents.values()];
}

/** `src/: 219 entries in 196 folders (196 .json) a/ b/ …`, with at most `room` characters of names; and how many entries that names. */
function countLine(
  { folder, folders, entries }: Parent,
  room: number,
): { line: string; named: number } {
  const inside = folders.size > 0 ? ` in ${plural(folders.size, "folder")}` : "";
  const names: string[] = [];
  let size = 0;
  for (const name of folders.size > 0 ? folders : entries) {
    size += name.length + 1;
    if (size > room) break;
    names.push(name);
  }
  const isAll = names.length === (folders.size > 0 ? folders.size : entries.length);
  const named = names.length > 0 ? ` ${names.join(" ")}${isAll ? "" : " …"}` : "";
  return {
    line: `${folder || "./"}: ${plural(entries.length, "entry", "entries")}${inside}${endings(entries)}${named}`,
    named: folders.size > 0 ? 0 : names.length,
  };
}
