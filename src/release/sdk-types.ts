// The declarations of memoir/sdk and memoir/testing, each as one file, for the package that memoir puts beside users' plugins.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";

const root = resolve(import.meta.dir, "../..");
const sdkEntry = "sdk/index.d.ts";
const heading = "// What a plugin may import from memoir. Made from the SDK's source.\n";
const testingHeading = "// What a plugin's tests may import from memoir. Made from its source.\n";

/** The texts of the declaration files. */
export interface PublishedTypes {
  /** Of `memoir/sdk`, made from `src/sdk`; needs nothing but valibot. */
  sdk: string;
  /** Of `memoir/testing`, made from `src/testing`; stands beside the other and imports it. */
  testing: string;
}

/** Makes both with the TypeScript compiler. */
export async function publishedTypes(): Promise<PublishedTypes> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-types-"));
  try {
    await emit(folder);
    const read = (path: string) => readFile(join(folder, path), "utf8");
    const sdk = await joinDeclarations(sdkEntry, read);
    const apart = { [sdkEntry]: "./sdk.js" };
    const testing = await joinDeclarations("testing/index.d.ts", read, apart);
    return { sdk, testing: testing.replace(heading, testingHeading) };
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
    files: ["sdk", "testing"].map((name) => join(root, "src", name, "index.ts")),
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
  /** Names it takes from files that are not joined: where from, and what. */
  taken: Array<[from: string, name: string]>;
  /** Files it names, in order. */
  files: string[];
  /** Its re-exports: a file, and the names taken from it or all. */
  reexports: Array<{ path: string; names: string[] | "all" }>;
  /** Top-level names → whether the file exports them. */
  names: Map<string, boolean>;
}

const declared =
  /^(export )?(?:declare )?(?:abstract )?(?:const|let|function|class|interface|type|namespace|enum) ([\w$]+)/gm;

/**
 * Joins the declaration file `entry` and all files it leads to. `read` takes a path relative to the same folder.
 * What `entry` does not export stays, without `export`. Files in `apart` are not joined: imports of them name what stands
 * there. Rejects when two files declare one name, or a name is aliased.
 */
export async function joinDeclarations(
  entry: string,
  read: (path: string) => Promise<string>,
  apart: Readonly<Record<string, string>> = {},
): Promise<string> {
  const sources = new Map<string, Source>();
  const visit = async (path: string): Promise<void> => {
    if (sources.has(path)) return;
    const source = parse(path, await read(path), apart);
    sources.set(path, source);
    for (const file of source.files) await visit(file);
  };
  await visit(entry);
  checkNames([...sources.values()]);
  const shown = exportsOf(entry, sources);
  const parts = needed(
    [...sources.values()].flatMap(({ body }) => declarationsIn(body)),
    shown,
  );
  const written = parts
    .map(({ text, name }) => (shown.has(name) ? text : text.replace(/^export /m, "")))
    .join("\n");
  const packages = new Set(
    [...sources.values()]
      .flatMap((source) => source.packages)
      .filter((line) => namesTaken(line).some((name) => mentions(written, name))),
  );
  for (const from of new Set(Object.values(apart))) {
    const taken = [...sources.values()].flatMap((source) => source.taken);
    const names = new Set(taken.filter(([file]) => file === from).map(([, name]) => name));
    packages.add(`import type { ${[...names].sort().join(", ")} } from "${from}";`);
  }
  return `${[heading, ...[...packages].sort(), written, "export {};"].join("\n")}\n`;
}

/** One top-level declaration with the comment above it. */
interface Declared {
  name: string;
  text: string;
  /** False for what only `typeof` can name in a declaration file. */
  isType: boolean;
}

function declarationsIn(body: string): Declared[] {
  const lines = body.split("\n");
  const begins = lines.flatMap((line, at) => {
    if (!/^(?:export |declare |interface |type )/.test(line)) return [];
    if (!lines[at - 1]?.endsWith("*/")) return at;
    return lines.findLastIndex((above, index) => index < at && above.startsWith("/**"));
  });
  return begins.map((begin, at) => {
    const text = lines.slice(begin, begins[at + 1]).join("\n");
    const name = [...text.matchAll(declared)][0]?.[2] ?? "";
    return { text, name, isType: !/^(?:export )?(?:declare )?(?:const|let|function) /m.test(text) };
  });
}

/** Those that are shown, and those they need, in their order: what a file keeps to itself may name what an author has not installed. */
function needed(all: readonly Declared[], shown: ReadonlySet<string>): Declared[] {
  const kept = new Set(all.filter(({ name }) => shown.has(name)));
  for (let before = -1; before < kept.size; ) {
    before = kept.size;
    const text = [...kept].map((one) => one.text).join("\n");
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

function parse(path: string, text: string, apart: Readonly<Record<string, string>>): Source {
  const source: Source = {
    path,
    body: "",
    packages: [],
    taken: [],
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
    const elsewhere = apart[fileOf(path, specifier)];
    if (elsewhere !== undefined) {
      for (const [name] of what.replace(/\btype\b/g, "").matchAll(/[\w$]+/g))
        source.taken.push([elsewhere, name]);
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

function checkNames(sources: readonly Source[]): void {
  const owners = new Map<string, string>();
  for (const { path, names } of sources)
    for (const name of names.keys()) {
      const owner = owners.get(name);
      if (owner) throw new Error(`${name} is declared in ${owner} and in ${path}; rename one`);
      owners.set(name, path);
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
