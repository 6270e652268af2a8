// Bundles the page: `bun run page` writes it where a server that runs from source finds it; a build packs it into the binary.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageFiles } from "../server/page-files.ts";
import { filesIn } from "./packages.ts";

const folder = resolve(import.meta.dir, "../page");

/** The page's script and style, as a browser gets them; `files` gets the names of what was bundled. */
export async function bundlePage(files: Set<string> = new Set()): Promise<PageFiles> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [join(folder, "main.tsx")],
    target: "browser",
    format: "esm",
    minify: true,
    metafile: true,
    banner:
      "/* With Preact (c) Jason Miller, uPlot (c) Leon Sorokin, marked (c) Christopher Jeffrey, lowlight (c) Titus Wormer, under the MIT License; highlight.js (c) Ivan Sagalaev, under the BSD 3-Clause License. */",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const [script, ...others] = outputs;
  if (!script || others.length > 0) throw new Error("the page could not be bundled into one file");
  for (const file of metafile ? filesIn(metafile) : []) files.add(file);
  const style = await styles();
  return {
    "app.js": await script.text(),
    "app.css": smaller(style),
    "icon.svg": await readFile(join(folder, "icon.svg"), "utf8"),
  };
}

/** The page's own after that of the plots; a view's stands beside it. */
async function styles(): Promise<string> {
  const views = await Array.fromAsync(new Bun.Glob("views/**/*.css").scan(folder));
  const own = ["style.css", ...views.sort()].map((name) => join(folder, name));
  const plots = fileURLToPath(import.meta.resolve("uplot/dist/uPlot.min.css"));
  const texts = await Promise.all([plots, ...own].map((file) => readFile(file, "utf8")));
  return texts.join("\n");
}

/** Without comments and the blanks that only people need. */
function smaller(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .trim();
}

if (import.meta.main) {
  const made = join(folder, "made");
  await mkdir(made, { recursive: true });
  for (const [name, text] of Object.entries(await bundlePage()))
    await writeFile(join(made, name), text);
}
