// Makes `import … from "memoir/sdk"` work in a user's plugin: a small package in the home that hands out this program's own SDK.
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as sdk from "../sdk/index.ts";
import { atomicWrite } from "./atomic-write.ts";
import type { Paths } from "./paths.ts";
import { version } from "./version.ts";

/** Where a plugin's copy of the SDK module finds the real one. */
export const sdkKey: unique symbol = Symbol.for("memoir.sdk.v1");

/** Offers the SDK to plugins of this process and writes the package where it is missing or differs. */
export async function publishSdk(paths: Paths): Promise<void> {
  (globalThis as { [sdkKey]?: typeof sdk })[sdkKey] = sdk;
  const folder = join(paths.nodeModules, "memoir");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(sdkPackage()))
    if ((await readText(join(folder, name))) !== text) await atomicWrite(join(folder, name), text);
}

/** The package's files. */
export function sdkPackage(): Record<string, string> {
  const manifest = {
    name: "memoir",
    version,
    type: "module",
    exports: { "./sdk": "./sdk.js" },
  };
  const names = Object.keys(sdk).filter((name) => name !== "default");
  const module = [
    "// Written by memoir when it starts: hands a plugin the SDK of the program that runs it.",
    'const sdk = globalThis[Symbol.for("memoir.sdk.v1")];',
    'if (!sdk) throw new Error("memoir/sdk can be imported by plugins that memoir runs, and by nothing else");',
    ...names.map((name) => `export const ${name} = sdk.${name};`),
  ];
  return {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "sdk.js": `${module.join("\n")}\n`,
  };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
