// What a build packs into the binary for authors of plugins, compressed: it is unpacked when it is wanted.
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { loadHost } from "./index.ts";

/** The packs, as `src/release/packs.ts` makes them. */
export type PackName = "authors" | "editor";

/** The pack's JSON; undefined where the program runs from source, as everything lies beside it there. */
export async function readPack(name: PackName): Promise<unknown> {
  if (!(await loadHost()).isCompiled) return undefined;
  const packed = await readFile(await fileOf(name));
  return JSON.parse((await promisify(brotliDecompress)(packed)).toString("utf8"));
}

/** As files, not as texts: a text would lie in the binary once as it is and once more in the bytecode. */
async function fileOf(name: PackName): Promise<string> {
  const pack =
    name === "authors"
      ? await import("./packs/authors.br", { with: { type: "file" } })
      : await import("./packs/editor.br", { with: { type: "file" } });
  return pack.default;
}
