// What the binary holds for authors of plugins: the modules that plugins import, as files that need no memoir to run, and the declarations of
// Bun and Node for their editors.

import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { entryNames } from "../runtime/plugins/packed.ts";
import { filesIn } from "./packages.ts";

const root = resolve(import.meta.dirname, "../..");

/** What is bundled, by the name of its file. */
const entries: Readonly<Record<string, string>> = {
  ...Object.fromEntries(entryNames.map((name) => [name, join(root, "src", name, "index.ts")])),
  valibot: join(root, "node_modules/valibot/dist/index.mjs"),
};

/** File name → text: one for each entry, `valibot.js`, and what they share. They import `node:` modules only. `bundled` gets what is in them. */
export async function ownModules(
  bundled: Set<string> = new Set(),
): Promise<Record<string, string>> {
  // They exist for the bundler alone; where they would lie decides the names of the chunks.
  const folder = join(root, "node_modules");
  const files = Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [
      join(folder, `${name}.ts`),
      `export * from ${JSON.stringify(`./${relative(folder, path)}`)};\n`,
    ]),
  );
  const { outputs, metafile } = await Bun.build({
    entrypoints: Object.keys(files),
    files,
    target: "node",
    format: "esm",
    splitting: true,
    // Names stay, for an author who reads an error's lines; blanks alone were a fifth.
    minify: { whitespace: true },
    external: ["bun:sqlite"],
    root: folder,
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]" },
    metafile: true,
  });
  for (const file of metafile ? filesIn(metafile) : []) bundled.add(file);
  const texts = outputs.map(async (file) => [basename(file.path), await file.text()] as const);
  return Object.fromEntries(await Promise.all(texts));
}

// The declarations of Bun and Node that memoir hands to an author's editor, as they lie below `node_modules`.

const packages = ["bun-types", "@types/node", "undici-types"];

/** Path below `node_modules` → text; `bundled` gets the paths. */
export async function editorDeclarations(
  bundled: Set<string> = new Set(),
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of packages)
    for (const path of (
      await readdir(join(root, "node_modules", name), { recursive: true })
    ).sort())
      if (/(^|[\\/])package\.json$|\.d\.(ts|mts|cts)$/.test(path)) {
        const text = await readFile(join(root, "node_modules", name, path), "utf8");
        const file = `${name}/${path.replaceAll("\\", "/")}`;
        files[file] = withoutComments(text);
        bundled.add(`node_modules/${file}`);
      }
  return files;
}

/** Takes out the doc comments, two thirds of the whole, which stand on the packages' sites too; a license stays. */
function withoutComments(text: string): string {
  return text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/[ \t]*\n/gm, (comment) =>
    /licen[sc]e|copyright/i.test(comment) ? comment : "",
  );
}
