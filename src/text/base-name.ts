// The last part of a path.

/** The last part of a path or of a project's id, whichever way its separators lean; the whole where it has none. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}
