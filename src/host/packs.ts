// What a build packs into the binary, for authors of plugins and for the page, compressed: it is unpacked when it is wanted.
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { loadHost } from "./index.ts";

/** The packs, as `src/release/build.ts` makes them. */
export type PackName = "authors" | "editor" | "page";

/** The pack's JSON; undefined where the program runs from source, as everything lies beside it there. */
export async function readPack(name: PackName): Promise<unknown> {
  if (!(await loadHost()).isCompiled) return undefined;
  const packed = await readFile(await fileOf(name));
  return JSON.parse((await promisify(brotliDecompress)(packed)).toString("utf8"));
}

const packs: Record<PackName, () => Promise<{ default: string }>> = {
  authors: () => import("./packs/authors.br", { with: { type: "file" } }),
  editor: () => import("./packs/editor.br", { with: { type: "file" } }),
  page: () => import("./packs/page.br", { with: { type: "file" } }),
};

/** As files, not as texts: a text would lie in the binary once as it is and once more in the bytecode. */
async function fileOf(name: PackName): Promise<string> {
  return (await packs[name]()).default;
}
