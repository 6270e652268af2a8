// The SDK's declarations as one file that needs nothing but valibot, for the package that memoir puts beside users' plugins.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";

const root = resolve(import.meta.dir, "../..");
const entry = "sdk/index.d.ts";
const heading = "// What a plugin may import from memoir. Made from the SDK's source.\n";

/** The text of `memoir/sdk`'s declaration file, made from `src/sdk` by the TypeScript compiler. */
export async function sdkTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-types-"));
  try {
    await emit(folder);
    return await joinDeclarations(entry, (path) => readFile(join(folder, path), "utf8"));
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
    files: [join(root, "src/sdk/index.ts")],
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

/**
 * Joins the declaration file `entry` and all files it leads to. `read` takes a path relative to the same folder.
 * What `entry` does not export stays, without `export`. Rejects when two files declare one name, or a name is aliased.
 */
export async function joinDeclarations(
  entry: string,
  read: (path: string) => Promise<string>,
): Promise<string> {
  const sources = new Map<string, Source>();
  const visit = async (path: string): Promise<void> => {
    if (sources.has(path)) return;
    const source = parse(path, await read(path));
    sources.set(path, source);
    for (const file of source.files) await visit(file);
  };
  await visit(entry);
  checkNames([...sources.values()]);
  const shown = exportsOf(entry, sources);
  const bodies = [...sources.values()].map(({ body }) =>
    body.replace(declared, (text, exported, name) =>
      exported && !shown.has(name) ? text.slice("export ".length) : text,
    ),
  );
  const packages = new Set([...sources.values()].flatMap((source) => source.packages));
  return `${[heading, ...[...packages].sort(), ...bodies.filter((body) => body !== ""), "export {};"].join("\n")}\n`;
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
    const file = join(dirname(path), specifier).replace(/\.ts$/, ".d.ts");
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
