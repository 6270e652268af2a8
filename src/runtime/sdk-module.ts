// Makes `import … from "memoir/sdk"` and from "valibot" work in a user's plugin: small packages in the home that hand out this program's own.
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as valibot from "valibot";
import valibotManifest from "../../node_modules/valibot/package.json" with { type: "json" };
import * as sdk from "../sdk/index.ts";
import { atomicWrite } from "./atomic-write.ts";
import type { Paths } from "./paths.ts";
import { version } from "./version.ts";

/** One package that plugins import. */
interface Offered {
  /** Its folder in `node_modules`. */
  name: string;
  version: string;
  /** The import's last part: `sdk` of `memoir/sdk`; absent for the package itself. */
  path?: string;
  module: Readonly<Record<string, unknown>>;
  /** The text of its declaration file. */
  types(): Promise<string>;
  /** Then a package of that name which memoir did not write is left alone. */
  mayBeTheUsers: boolean;
}

const offered: readonly Offered[] = [
  { name: "memoir", version, path: "sdk", module: sdk, types: sdkTypes, mayBeTheUsers: false },
  {
    name: "valibot",
    version: valibotManifest.version,
    module: valibot,
    types: valibotTypes,
    mayBeTheUsers: true,
  },
];

/** Offers the packages to plugins of this process, and writes them where they are missing or differ. */
export async function publishSdk(paths: Paths): Promise<void> {
  for (const one of offered) {
    (globalThis as { [key: symbol]: unknown })[Symbol.for(keyOf(one))] = one.module;
    const { folder, manifest } = await look(paths, one);
    // A released version is what it is; memoir's own grows while it is developed.
    const isCurrent = one.mayBeTheUsers && manifest === manifestOf(one);
    if (isCurrent || isTheirs(one, manifest)) continue;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [name, text] of Object.entries(await filesOf(one)))
      if ((await readText(join(folder, name))) !== text)
        await atomicWrite(join(folder, name), text);
  }
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

function manifestOf({ name, version, path }: Offered): string {
  const entry = path ?? "index";
  const files = { types: `./${entry}.d.ts`, default: `./${entry}.js` };
  const manifest = {
    name,
    version,
    description: `${madeBy}: hands plugins what memoir itself uses.`,
    license: "MIT",
    type: "module",
    main: files.default,
    types: files.types,
    exports: { [path ? `./${path}` : "."]: files },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The package's files; the manifest comes last, so that it vouches for the others. */
async function filesOf(one: Offered): Promise<Record<string, string>> {
  const entry = one.path ?? "index";
  const specifier = one.path ? `${one.name}/${one.path}` : one.name;
  const names = Object.keys(one.module).filter((name) => name !== "default");
  const module = [
    `// ${madeBy}: hands a plugin the module of the program that runs it.`,
    `const offered = globalThis[Symbol.for("${keyOf(one)}")];`,
    `if (!offered) throw new Error("this copy of ${specifier} can be imported by plugins that memoir runs, and by nothing else");`,
    // Some are called like words of the language: `enum`, `null`.
    ...names.map((name, at) => `const _${at} = offered.${name}; export { _${at} as ${name} };`),
  ];
  return {
    [`${entry}.js`]: `${module.join("\n")}\n`,
    [`${entry}.d.ts`]: await one.types(),
    "package.json": manifestOf(one),
  };
}

/** Where a plugin's copy of the module finds the real one: the name of a global symbol. */
function keyOf({ name, path }: Offered): string {
  return `memoir.${path ?? name}.v1`;
}

async function sdkTypes(): Promise<string> {
  return (await import("./sdk.d.ts.txt", { with: { type: "text" } })).default;
}

async function valibotTypes(): Promise<string> {
  // @ts-expect-error TS2846: a declaration file is imported as text here, not as a module
  const types = await import("../../node_modules/valibot/dist/index.d.mts", {
    with: { type: "text" },
  });
  return (types as unknown as { default: string }).default;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
