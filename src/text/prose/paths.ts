// Paths as memory shows them: relative to the project, never with a person's home in front.

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
    ...others.map(trimmed).filter((path) => !`${top}/`.startsWith(`${path}/`)),
  ].filter((path) => path.length > 1);
  const relative = (path: string): string => {
    for (const base of roots) {
      if (path === base) return ".";
      if (path.startsWith(`${base}/`) || path.startsWith(`${base}\\`)) {
        return path.slice(base.length + 1).replaceAll("\\", "/");
      }
    }
    return path.replace(/^\.\//, "");
  };
  const inText = (text: string): string => {
    let out = text;
    for (const base of roots)
      out = out.replaceAll(`${base}/`, "").replaceAll(base, "the project root");
    return out
      .replace(/(?<![\w/])\/(?:Users|home)\/[^/\s"'`]+\/(?:[^/\s"'`]+\/)*(?=[^/\s"'`]+)/g, (path) =>
        path.replace(/^\/(?:Users|home)\/[^/]+\//, "~/"),
      )
      .replace(/(?<![\w/])\/(?:Users|home)\/[^/\s"'`]*[^/\s"'`,.;:)](?=[\s"'`,.;:)]|$)/g, "~");
  };
  return { relative, inText };
}
