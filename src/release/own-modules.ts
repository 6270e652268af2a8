// The modules that plugins import from memoir as files that need no memoir to run: for an author's own tests.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { entryNames } from "../runtime/plugins/packed.ts";

const root = resolve(import.meta.dir, "../..");

/** What is bundled, by the name of its file. */
const entries: Readonly<Record<string, string>> = {
  ...Object.fromEntries(entryNames.map((name) => [name, join(root, "src", name, "index.ts")])),
  valibot: join(root, "node_modules/valibot/dist/index.mjs"),
};

/** File name → text: one for each entry, `valibot.js`, and what they share. They import `node:` modules only. */
export async function ownModules(): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-own-"));
  try {
    const entrypoints = Object.keys(entries).map((name) => join(folder, `${name}.ts`));
    for (const [name, path] of Object.entries(entries))
      await writeFile(join(folder, `${name}.ts`), `export * from ${JSON.stringify(path)};\n`);
    const { outputs } = await Bun.build({
      entrypoints,
      target: "node",
      format: "esm",
      splitting: true,
      // Names stay, for an author who reads an error's lines; blanks alone were a fifth.
      minify: { whitespace: true },
      external: ["bun:sqlite"],
      root: folder,
      naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]" },
    });
    const files = outputs.map(async (file) => [basename(file.path), await file.text()] as const);
    return Object.fromEntries(await Promise.all(files));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
