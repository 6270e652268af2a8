// What memoir writes and prints for authors: packed into the binary, or read from the checkout that it runs from.
import { readdir, readFile } from "node:fs/promises";
import { readPack } from "../../host/packs.ts";

/** What a build packs: see `src/release/build.ts`. */
export interface Packed {
  /** The modules that authors' tests import, by file name. */
  modules: Record<string, string>;
  /** The declarations of each entry. */
  types: Record<EntryName, string>;
  /** Valibot's declarations. */
  valibotTypes: string;
  /** What authors read, by its name: Markdown. */
  pages: Record<string, string>;
  /** Complete plugins, by file name. */
  examples: Record<string, string>;
  /** What a new plugin starts from, by file name: `capture.ts.txt` and its test. */
  templates: Record<string, string>;
}

/** Where the texts lie in a checkout, relative to its root. */
const places = {
  types: (name: EntryName) => `src/release/types/${name}.d.ts.txt`,
  valibotTypes: "node_modules/valibot/dist/index.d.mts",
  pages: {
    guide: "src/sdk/README.md",
    reference: "src/sdk/REFERENCE.md",
    plugins: "docs/plugins.md",
    write: "docs/developers/plugins.md",
  },
  examples: "test/examples",
  templates: "src/cli/plugins/templates",
};

/** What the binary holds in one compressed piece; from source there are no modules, as the sources themselves are there. */
export async function unpack(): Promise<Packed> {
  const packed = (await readPack("authors")) as Packed | undefined;
  return packed ?? { modules: {}, ...(await packedTexts()) };
}

/** The texts as they lie in a checkout. */
export async function packedTexts(): Promise<Omit<Packed, "modules">> {
  const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
  const readAll = async (all: ReadonlyArray<readonly [name: string, path: string]>) =>
    Object.fromEntries(
      await Promise.all(all.map(async ([name, path]) => [name, await read(path)] as const)),
    );
  const readFolder = async (folder: string) => {
    const files = await readdir(new URL(`../../../${folder}`, import.meta.url));
    const texts = files.filter((file) => !file.endsWith(".test.ts")).sort();
    return readAll(texts.map((file) => [file, `${folder}/${file}`]));
  };
  return {
    types: (await readAll(entryNames.map((name) => [name, places.types(name)]))) as Packed["types"],
    valibotTypes: await read(places.valibotTypes),
    pages: await readAll(Object.entries(places.pages)),
    examples: await readFolder(places.examples),
    templates: await readFolder(places.templates),
  };
}

// The entries of the package `memoir` that plugins import: `src/<name>/index.ts` is the source of `memoir/<name>`.

/** Entry → what it is for, in the order in which an author meets them. */
export const entryTexts = {
  sdk: "The contract: slots, hooks, records, errors, `definePlugin`.",
  strategy: "What strategies share: a prompt strategy is an answer format and a name.",
  records: "The engine behind a storage, and SQLite for data of your own.",
  provider: "What providers share: keys, and an API's failures in memoir's words.",
  privacy: "Secrets and private passages, and the marks around what memoir says.",
  text: "Reading and shortening what people, agents and programs wrote.",
  transcript: "Rewriting a client's transcript files, with a way back.",
  testing: "What a plugin is tested with: a host, samples, each slot's promises.",
} as const;

/** The last part of an entry's import. */
export type EntryName = keyof typeof entryTexts;

/** All entries, in the same order. */
export const entryNames = Object.keys(entryTexts) as EntryName[];
