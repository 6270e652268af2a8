// What memoir writes and prints for authors: packed into the binary, or read from the checkout that it runs from.
import { readFile } from "node:fs/promises";
import { readPack } from "../../host/packs.ts";
import { type EntryName, entryNames } from "./entry-names.ts";

/** What a build packs: see `src/release/packs.ts`. */
export interface Packed {
  /** The modules that authors' tests import, by file name. */
  modules: Record<string, string>;
  /** The declarations of each entry. */
  types: Record<EntryName, string>;
  /** Valibot's declarations. */
  valibotTypes: string;
}

/** Where the texts lie in a checkout, relative to its root. */
const places = {
  types: (name: EntryName) => `src/release/types/${name}.d.ts.txt`,
  valibotTypes: "node_modules/valibot/dist/index.d.mts",
};

/** What the binary holds in one compressed piece; from source there are no modules, as the sources themselves are there. */
export async function unpack(): Promise<Packed> {
  const packed = (await readPack("authors")) as Packed | undefined;
  return packed ?? { modules: {}, ...(await packedTexts()) };
}

/** The texts as they lie in a checkout. */
export async function packedTexts(): Promise<Omit<Packed, "modules">> {
  const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
  const types = entryNames.map(async (name) => [name, await read(places.types(name))] as const);
  return {
    types: Object.fromEntries(await Promise.all(types)) as Packed["types"],
    valibotTypes: await read(places.valibotTypes),
  };
}
