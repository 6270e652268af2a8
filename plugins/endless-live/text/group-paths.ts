// Lists paths by folder: every folder is named once, its entries follow on one line.
import { plural } from "../../../src/sdk/index.ts";

/** A folder's share of a listing. */
export interface Group {
  folder: string;
  entries: string[];
}

/** Paths by the folder they lie in, in order of first sight. `a/b/` counts as `b/` in `a`. */
export function groupPaths(paths: readonly string[]): Group[] {
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
export function listGroups(
  groups: readonly Group[],
  most: number,
): { lines: string[]; unnamed: number } {
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
  const told = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 4);
  return ` (${told.map(([ending, count]) => `${count} ${ending}`).join(", ")})`;
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
  let listed = listGroups(groups, paths.length);
  let most = 64;
  while (!fits(listed.lines) && most >= Math.max(1, least)) {
    listed = listGroups(groups, most);
    most = most > least ? Math.max(least, most >> 1) : 0;
  }
  if (fits(listed.lines) || groups.length <= 60) return { ...listed, how: "grouped by folder" };
  return { ...rollUp(groups, budget), how: "grouped by folder" };
}

/** Too many folders: those below a common parent are counted together. */
function rollUp(groups: readonly Group[], budget: number): { lines: string[]; unnamed: number } {
  for (let depth = 8; depth >= 1; depth--) {
    const parents = new Map<string, { folders: number; entries: string[] }>();
    for (const { folder, entries } of groups) {
      const parts = folder.split("/");
      const parent = parts.length - 1 > depth ? `${parts.slice(0, depth).join("/")}/` : folder;
      const sum = parents.get(parent) ?? { folders: 0, entries: [] };
      sum.folders++;
      for (const entry of entries) sum.entries.push(entry);
      parents.set(parent, sum);
    }
    const lines = [...parents].map(([parent, { folders, entries }]) =>
      folders === 1 && entries.length <= 3
        ? `${parent || "./"}: ${entries.join(" ")}`
        : `${parent || "./"}: ${plural(entries.length, "entry", "entries")} in ${plural(folders, "folder")}${endings(entries)}`,
    );
    if (depth === 1 || lines.join("\n").length <= budget)
      return { lines, unnamed: groups.reduce((sum, { entries }) => sum + entries.length, 0) };
  }
  return { lines: [], unnamed: 0 };
}
