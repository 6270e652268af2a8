// The declarations of Bun and Node that memoir hands to an author's editor, as they lie below `node_modules`.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../node_modules/", import.meta.url));

const packages = ["bun-types", "@types/node", "undici-types"];

/** Path below `node_modules` → text. */
export async function editorDeclarations(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of packages)
    for (const path of (await readdir(join(root, name), { recursive: true })).sort())
      if (/(^|[\\/])package\.json$|\.d\.(ts|mts|cts)$/.test(path)) {
        const text = await readFile(join(root, name, path), "utf8");
        const file = `${name}/${path.replaceAll("\\", "/")}`;
        files[file] = withoutComments(text);
      }
  return files;
}

/** Takes out the doc comments, two thirds of the whole, which stand on the packages' sites too; a licence stays. */
function withoutComments(text: string): string {
  return text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/[ \t]*\n/gm, (comment) =>
    /licen[sc]e|copyright/i.test(comment) ? comment : "",
  );
}
