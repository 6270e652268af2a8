// Paths as they are kept, so that a file leads to the records that name it.

/** Forward slashes, no leading `./`: `.\\src\\a.ts` and `./src/a.ts` are both `src/a.ts`. */
export function slashed(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/(?<=.)\/+$/, "");
}

/** True for `/a` and `C:/a`. */
export function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(slashed(path));
}
