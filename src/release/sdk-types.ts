// `bun run types`: the declarations of the entries that plugins import, each as one file, for the package that memoir puts beside users'
// plugins; and the reference page.
// Not by a bundler: rolldown-plugin-dts (27 packages, 58 MB) lays what entries share into
// files with hashes for names, imported by single letters, where an author and the reference page read one file for each
// entry; dts-bundle-generator and API Extractor need a TypeScript compiler written in JavaScript beside the one that is here.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { type EntryName, entryNames } from "../runtime/plugins/packed.ts";
import { type Declaration, declarationsIn, referencePage } from "./reference.ts";

const root = resolve(import.meta.dir, "../..");
/** Makes the declarations of each entry with the TypeScript compiler: entry → text. They need each other and valibot. */
export async function publishedTypes(): Promise<Record<EntryName, string>> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-types-"));
  try {
    await emit(folder);
    const read = (path: string) => readFile(join(folder, path), "utf8");
    const published = new Map<string, string>();
    const texts: Array<[EntryName, string]> = [];
    for (const name of entryNames) {
      const joined = await joinDeclarations(`${name}/index.d.ts`, read, published);
      texts.push([
        name,
        `// What plugins import as memoir/${name}. Made from its source.\n${joined.text}`,
      ]);
      for (const place of joined.exported) published.set(place, `./${name}.js`);
    }
    return Object.fromEntries(texts) as Record<EntryName, string>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function emit(folder: string): Promise<void> {
  const project = join(folder, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: folder,
    rootDir: join(root, "src"),
    types: ["bun-types"],
    typeRoots: [join(root, "node_modules")],
  };
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions,
    include: [],
    files: entryNames.map((name) => join(root, "src", name, "index.ts")),
  };
  await writeFile(project, JSON.stringify(config));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const child = Bun.spawn([process.execPath, compiler, "-p", project], { stdout: "ignore" });
  await child.exited;
}

/** A declaration file as it came from the compiler. */
interface Source {
  path: string;
  /** Its declarations, without imports and re-exports. */
  body: string;
  /** Imports from packages, as written. */
  packages: string[];
  /** Files it names, in order. */
  files: string[];
  /** Its re-exports: a file, and the names taken from it or all. */
  reexports: Array<{ path: string; names: string[] | "all" }>;
  /** Top-level names → whether the file exports them. */
  names: Map<string, boolean>;
}

const declared =
  /^(export )?(?:declare )?(?:abstract )?(?:const|let|function|class|interface|type|namespace|enum) ([\w$]+)/gm;

/** Declarations as one file, and where what it exports was declared: `<file>#<name>`. */
interface Joined {
  text: string;
  exported: string[];
}

/**
 * Joins the declaration file `entry` and all files it leads to. `read` takes a path relative to the same folder.
 * What `entry` does not export stays, without `export`, and what nothing shown needs goes. `published` knows what other
 * files export already, by `<file>#<name>`: that is imported from there. Rejects when two files declare one name, or a
 * name is aliased.
 */
export async function joinDeclarations(
  entry: string,
  read: (path: string) => Promise<string>,
  published: ReadonlyMap<string, string> = new Map(),
): Promise<Joined> {
  const sources = new Map<string, Source>();
  const visit = async (path: string): Promise<void> => {
    if (sources.has(path)) return;
    const source = parse(path, await read(path));
    sources.set(path, source);
    for (const file of source.files) await visit(file);
  };
  await visit(entry);
  const shown = exportsOf(entry, sources);
  const all = [...sources.values()].flatMap(declaredIn);
  const kept = needed(all, shown, published);
  checkNames(kept);
  const own = kept.filter(({ place }) => !published.has(place));
  const written = own
    .map(({ text, name }) => (shown.has(name) ? text : text.replace(/^export /m, "")))
    .join("\n");
  const packages = new Set(
    [...sources.values()]
      .flatMap((source) => source.packages)
      .filter((line) => namesTaken(line).some((name) => mentions(written, name))),
  );
  for (const from of new Set(published.values())) {
    const names = kept.filter(({ place }) => published.get(place) === from).map((one) => one.name);
    const list = [...new Set(names)].sort().join(", ");
    if (list !== "") packages.add(`import type { ${list} } from "${from}";`);
  }
  return {
    text: `${[...[...packages].sort(), written, "export {};"].join("\n")}\n`,
    exported: own.filter(({ name }) => shown.has(name)).map(({ place }) => place),
  };
}

/** A declaration, and where it came from. */
interface Declared extends Declaration {
  /** `<file>#<name>`. */
  place: string;
  /** False for what only `typeof` can name in a declaration file. */
  isType: boolean;
}

function declaredIn({ path, body }: Source): Declared[] {
  return declarationsIn(body).map((one) => ({
    ...one,
    place: `${path}#${one.name}`,
    isType: one.kind !== "const" && one.kind !== "function",
  }));
}

/** Those that are shown, and those they need, in their order: what a file keeps to itself may name what an author has not installed. */
function needed(
  all: readonly Declared[],
  shown: ReadonlySet<string>,
  published: ReadonlyMap<string, string>,
): Declared[] {
  const kept = new Set(all.filter(({ name }) => shown.has(name)));
  for (let before = -1; before < kept.size; ) {
    before = kept.size;
    const text = [...kept]
      .filter(({ place }) => !published.has(place))
      .map((one) => one.text)
      .join("\n");
    for (const one of all)
      if (!kept.has(one) && mentions(text, one.isType ? one.name : `typeof ${one.name}`))
        kept.add(one);
  }
  return all.filter((one) => kept.has(one));
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(text);
}

/** The names that an import brings. */
function namesTaken(line: string): string[] {
  const what = /^import (.*) from /.exec(line)?.[1] ?? "";
  return (what.match(/[\w$]+/g) ?? []).filter((word) => word !== "type" && word !== "as");
}

function parse(path: string, text: string): Source {
  const source: Source = {
    path,
    body: "",
    packages: [],
    files: [],
    reexports: [],
    names: new Map(),
  };
  const target = (specifier: string): string => {
    const file = fileOf(path, specifier);
    source.files.push(file);
    return file;
  };
  const lines = text.split("\n").filter((line) => {
    const [, verb, what = "", specifier = ""] =
      /^(import|export)\b(.*?)\bfrom "([^"]+)";$/.exec(line) ?? [];
    if (verb === undefined) return line !== "export {};" && !line.trimStart().startsWith("//");
    if (!specifier.startsWith(".")) {
      source.packages.push(line);
      return false;
    }
    if (/ as /.test(what)) throw new Error(`${path}: an alias cannot be joined: ${line}`);
    const file = target(specifier);
    const names = [...what.matchAll(/[\w$]+/g)].map(([name]) => name);
    if (verb === "export")
      source.reexports.push({
        path: file,
        names: what.includes("*") ? "all" : names.filter((name) => name !== "type"),
      });
    return false;
  });
  source.body = lines
    .join("\n")
    .replace(/\bimport\("(\.[^"]+)"\)\./g, (_, specifier: string) => {
      target(specifier);
      return "";
    })
    .trim();
  for (const [, exported, name = ""] of source.body.matchAll(declared))
    source.names.set(name, exported !== undefined || source.names.get(name) === true);
  return source;
}

function fileOf(from: string, specifier: string): string {
  return join(dirname(from), specifier).replace(/\.ts$/, ".d.ts");
}

function checkNames(kept: readonly Declared[]): void {
  const owners = new Map<string, string>();
  for (const { name, place } of kept) {
    const path = place.slice(0, place.lastIndexOf("#"));
    const owner = owners.get(name) ?? path;
    if (owner !== path)
      throw new Error(`${name} is declared in ${owner} and in ${path}; rename one`);
    owners.set(name, owner);
  }
}

function exportsOf(path: string, sources: ReadonlyMap<string, Source>): Set<string> {
  const source = sources.get(path);
  const names = [...(source?.names ?? [])].filter(([, exported]) => exported);
  const found = new Set(names.map(([name]) => name));
  for (const { path: file, names } of source?.reexports ?? [])
    for (const name of names === "all" ? exportsOf(file, sources) : names) found.add(name);
  return found;
}

// `bun run types`: writes the declarations of the entries that plugins import, and the reference page.

if (import.meta.main) {
  const write = async (path: string, text: string): Promise<void> => {
    const file = join(import.meta.dir, path);
    await writeFile(file, text);
    console.log(`${file} written`);
  };
  for (const [name, text] of Object.entries(await publishedTypes()))
    await write(`types/${name}.d.ts.txt`, text);
  await write("../sdk/REFERENCE.md", await referencePage());
}
