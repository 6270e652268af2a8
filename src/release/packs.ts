// Packs what the binary holds for authors of plugins: `src/host/packs.ts` reads it back.
import { readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { BunPlugin } from "bun";
import type { PackName } from "../host/packs.ts";
import type { Packed } from "../runtime/plugins/sdk-module.ts";
import { editorDeclarations } from "./editor-declarations.ts";
import { ownModules } from "./own-modules.ts";

const root = resolve(import.meta.dir, "../..");

/** Where the declarations of what plugins import stand, by the module's name. */
const declarations = {
  sdk: "src/release/types/sdk.d.ts.txt",
  testing: "src/release/types/testing.d.ts.txt",
  valibot: "node_modules/valibot/dist/index.d.mts",
};

/** Writes the packs into `folder`, and gives the plugin that finds them there. */
export async function packForAuthors(folder: string): Promise<BunPlugin> {
  const types = Object.entries(declarations).map(
    async ([name, path]) => [name, await readFile(join(root, path), "utf8")] as const,
  );
  const authors: Packed = {
    modules: await ownModules(),
    types: Object.fromEntries(await Promise.all(types)),
  };
  await write(folder, "authors", authors);
  await write(folder, "editor", await editorDeclarations());
  return {
    name: "packs",
    setup(build) {
      build.onResolve({ filter: /\/packs\/\w+\.br$/ }, ({ path }) => ({
        path: join(folder, basename(path)),
      }));
    },
  };
}

async function write(folder: string, name: PackName, content: unknown): Promise<void> {
  const json = Buffer.from(JSON.stringify(content));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
  };
  await writeFile(join(folder, `${name}.br`), brotliCompressSync(json, { params }));
}
