// Makes `import … from "memoir/sdk"`, memoir's other entries and "valibot" work in a user's plugin: packages in the home, handed out by this program or, in an author's tests, copies.

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as v from "valibot";
import valibotManifest from "../../../node_modules/valibot/package.json" with { type: "json" };
import type { Paths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { version } from "../../home/version.ts";
import { isDeno } from "../../host/engine.ts";
import type { Host } from "../../host/host.ts";
import { loadHost } from "../../host/index.ts";
import * as privacy from "../../privacy/index.ts";
import * as provider from "../../provider/index.ts";
import * as records from "../../records/index.ts";
import * as sdk from "../../sdk/index.ts";
import * as strategy from "../../strategy/index.ts";
import * as text from "../../text/index.ts";
import * as transcript from "../../transcript/index.ts";
import { type EntryName, entryNames, type Packed, unpack } from "./packed.ts";

// The modules behind the entries that plugins import, as this program runs them.

/** Entry → its module; `testing` is for tests, where no memoir runs the plugin. */
export const entryModules: Readonly<
  Record<Exclude<EntryName, "testing">, Readonly<Record<string, unknown>>>
> = { sdk, strategy, records, provider, privacy, text, transcript };

/** The entry that has a value of this name. */
export function entryWith(name: string): EntryName | undefined {
  const found = Object.entries(entryModules).find(([, module]) => Object.hasOwn(module, name));
  return found?.[0] as EntryName | undefined;
}

// The packages.

/** One import of a package. */
interface Entry {
  /** The import's last part: `sdk` of `memoir/sdk`; `index` for the package itself. */
  path: string;
  /** What this program hands out; absent where a copy does as well, and for what only tests import. */
  module?: Readonly<Record<string, unknown>>;
  /** The same in this program's source. */
  source: string;
  /** The text of its declaration file. */
  types(packed: Packed): string;
}

/** One package that plugins import. */
interface Offered {
  /** Its folder in `node_modules`. */
  name: string;
  version: string;
  entries: readonly Entry[];
  /** Then a package of that name which memoir did not write is left alone. */
  mayBeTheUsers: boolean;
}

const offered: readonly Offered[] = [
  {
    name: "memoir",
    version,
    entries: entryNames.map((path) => ({
      path,
      ...(path !== "testing" && { module: entryModules[path] }),
      source: `../../${path}/index.ts`,
      types: ({ types }) => types[path],
    })),
    mayBeTheUsers: false,
  },
  {
    name: "valibot",
    version: valibotManifest.version,
    entries: [
      {
        path: "index",
        source: "../../../node_modules/valibot/dist/index.mjs",
        types: (packed) => packed.valibotTypes,
      },
    ],
    mayBeTheUsers: true,
  },
];

/** Hands the modules to plugins that this thread imports from now on; every thread that runs plugins calls it once. */
export function offerSdk(): void {
  for (const one of offered)
    for (const { path, module } of one.entries)
      if (module) (globalThis as { [key: symbol]: unknown })[Symbol.for(keyOf(one, path))] = module;
}

/** Offers the packages to plugins of this process, and writes them where they are missing or differ. */
export async function publishSdk(paths: Paths): Promise<void> {
  offerSdk();
  const packed = await unpack();
  const host = await loadHost();
  for (const one of offered) {
    const { folder, manifest } = await look(paths, one);
    if (isTheirs(one, manifest)) continue;
    // A released version is what it is; memoir's own grows while it is developed.
    const withTypes = !one.mayBeTheUsers || manifest !== manifestOf(one);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (one.name === "memoir") {
      await writeOwn(join(folder, "own"), packed.modules);
      await writeChanged(folder, elsewhereFiles(host));
    }
    await writeChanged(folder, filesOf(one, packed, withTypes));
  }
  if (host.name === "deno") await writeImportMap(paths.home);
}

/** What memoir's modules for tests import from npm, and the file that Deno takes there. */
export const libraries: Readonly<Record<string, string>> = {
  stemmer: "index.js",
};

/** Where Deno finds the packages when an author runs it in the home. A file of the author's own stays. */
async function writeImportMap(home: string): Promise<void> {
  const imports = offered.flatMap(({ name, entries }) =>
    entries.map(({ path }) => [
      path === "index" ? name : `${name}/${path}`,
      `./node_modules/${name}/${path}.js`,
    ]),
  );
  const root = new URL("../../../", import.meta.url).href;
  const used = Object.entries(libraries).map(([name, file]) => [
    name,
    `${root}node_modules/${name}/${file}`,
  ]);
  const map = {
    imports: Object.fromEntries(imports),
    scopes: { [root]: Object.fromEntries(used) },
  };
  const file = join(home, "deno.json");
  const before = await readText(file);
  const text = `${JSON.stringify(map, null, 2)}\n`;
  if (before === undefined || (before !== text && isOwnMap(before))) await atomicWrite(file, text);
}

const OwnMapSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({
    imports: v.record(
      v.string(),
      v.pipe(v.string(), v.regex(/^\.\/node_modules\/(memoir|valibot)\/\w+\.js$/)),
    ),
    scopes: v.record(v.string(), v.unknown()),
  }),
);

/** Whether an import map is one that memoir wrote, in this version or an earlier one with fewer entries. */
function isOwnMap(text: string): boolean {
  return v.is(OwnMapSchema, text);
}

// A plugin that lies elsewhere than below the home.

/** Has the plugin in `folder` find the packages where it finds none by itself, in this thread. */
export async function offerElsewhere(folder: string, { nodeModules }: Paths): Promise<void> {
  if (isDeno) return;
  try {
    const module = pathToFileURL(join(nodeModules, "memoir", "elsewhere.js")).href;
    const { offerTo }: { offerTo(folder: string): void } = await import(module);
    offerTo(folder);
  } catch {
    // A home that could not be written: the import of the plugin says what is missing.
  }
}

/** The arguments that do the same for the folder which a tool of Bun's is run in; it takes no package from a registry then. */
export const preload = (nodeModules: string) => [
  "--no-install",
  "--preload",
  join(nodeModules, "memoir", "preload.js"),
];

/** Text, as it also runs in the processes of an author's tests, which have no other part of memoir. */
function elsewhereFiles({ offering }: Host): Record<string, string> {
  const modules = offered.flatMap(({ name, entries }) =>
    entries.map(({ path }) =>
      path === "index" ? [name, `../${name}/index.js`] : [`${name}/${path}`, `./${path}.js`],
    ),
  );
  const elsewhere = offering(Object.fromEntries(modules));
  if (elsewhere === undefined) return {};
  const preloaded = `// ${madeBy}.\nimport { offerTo } from "./elsewhere.js";\nofferTo(process.cwd());\n`;
  return { "elsewhere.js": `// ${madeBy}.\n${elsewhere}`, "preload.js": preloaded };
}

/** Takes the packages away again; the user's own stay. */
export async function withdrawSdk(paths: Paths): Promise<void> {
  for (const one of offered) {
    const { folder, manifest } = await look(paths, one);
    if (!isTheirs(one, manifest)) await rm(folder, { recursive: true, force: true });
  }
}

async function look(paths: Paths, { name }: Offered) {
  const folder = join(paths.nodeModules, name);
  return { folder, manifest: await readText(join(folder, "package.json")) };
}

const madeBy = "Written by memoir when it starts";

function isTheirs({ mayBeTheUsers }: Offered, manifest: string | undefined): boolean {
  return mayBeTheUsers && manifest !== undefined && !manifest.includes(madeBy);
}

function manifestOf({ name, version, entries }: Offered): string {
  const exported = entries.map(({ path }) => {
    const files = { types: `./${path}.d.ts`, default: `./${path}.js` };
    return [path === "index" ? "." : `./${path}`, files] as const;
  });
  const manifest = {
    name,
    version,
    description: `${madeBy}: hands plugins what memoir itself uses, and tests of plugins a copy.`,
    license: "MIT",
    type: "module",
    exports: Object.fromEntries(exported),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The package's files; the manifest comes last, so that it vouches for the others. */
function filesOf(one: Offered, packed: Packed, withTypes: boolean): Record<string, string> {
  const files: Record<string, string> = {};
  const isPacked = Object.keys(packed.modules).length > 0;
  for (const entry of one.entries) {
    const { path, source, types } = entry;
    const own = path === "index" ? one.name : path;
    const folder = one.name === "memoir" ? "./own" : "../memoir/own";
    const copy = isPacked ? `${folder}/${own}.js` : new URL(source, import.meta.url).href;
    files[`${path}.js`] = moduleText(one, entry, copy);
    if (withTypes) files[`${path}.d.ts`] = types(packed);
  }
  return { ...files, "package.json": manifestOf(one) };
}

/** The text of a module that plugins import; `copy` is where it is found when no memoir runs the plugin. */
function moduleText(one: Offered, { path, module }: Entry, copy: string): string {
  const quoted = JSON.stringify(copy.startsWith("file:") ? fileURLToPath(copy) : copy);
  const types = `// @ts-self-types="./${path}.d.ts"\n`;
  if (!module) return `${types}// ${madeBy}: a copy.\nexport * from ${JSON.stringify(copy)};\n`;
  const names = Object.keys(module).filter((name) => name !== "default");
  const lines = [
    `// ${madeBy}: hands a plugin the module of the program that runs it, or a copy where none does.`,
    'import { createRequire } from "node:module";',
    // Not an awaited import: that would keep CommonJS plugins from requiring it.
    `const offered = globalThis[Symbol.for("${keyOf(one, path)}")] ?? createRequire(import.meta.url)(${quoted});`,
    // Some are called like words of the language: `enum`, `null`.
    ...names.map((name, at) => `const _${at} = offered.${name}; export { _${at} as ${name} };`),
  ];
  return `${types}${lines.join("\n")}\n`;
}

/** Where a plugin's copy of the module finds the real one: the name of a global symbol. */
function keyOf({ name }: Offered, path: string): string {
  return `memoir.${path === "index" ? name : path}.v1`;
}

async function writeOwn(folder: string, own: Record<string, string>): Promise<void> {
  if (Object.keys(own).length === 0) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeChanged(folder, own);
  for (const name of await readdir(folder))
    if (!Object.hasOwn(own, name)) await rm(join(folder, name), { force: true });
}

async function writeChanged(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files))
    if ((await readText(join(folder, name))) !== text) await atomicWrite(join(folder, name), text);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFileText(path);
  } catch {
    return undefined;
  }
}
