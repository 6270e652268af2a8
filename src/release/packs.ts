// Packs what the binary holds for authors of plugins and for the page: `src/host/packs.ts` reads it back.
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { BunPlugin } from "bun";
import type { PackName } from "../host/packs.ts";
import { type Packed, packedTexts } from "../runtime/plugins/packed.ts";
import { editorDeclarations } from "./editor-declarations.ts";
import { ownModules } from "./own-modules.ts";
import { bundlePage } from "./page.ts";

/** Writes the packs into `folder`, and gives the plugin that finds them there. */
export async function packForAuthors(folder: string): Promise<BunPlugin> {
  const authors: Packed = { modules: await ownModules(), ...(await packedTexts()) };
  await write(folder, "authors", authors);
  await write(folder, "editor", await editorDeclarations());
  await write(folder, "page", await bundlePage());
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
  await writePacked(join(folder, `${name}.br`), content);
}

/** Writes the value as JSON, as small as it can be. */
export async function writePacked(file: string, content: unknown): Promise<void> {
  const json = Buffer.from(JSON.stringify(content));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
  };
  await writeFile(file, brotliCompressSync(json, { params }));
}
