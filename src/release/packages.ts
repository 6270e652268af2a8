// The npm packages that a build took something of: their names, versions, licenses and the texts of these.

import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BuildMetafile } from "bun";

const root = resolve(import.meta.dirname, "../..");

/** A package that is in the binary. */
export interface BundledPackage {
  name: string;
  version: string;
  /** As SPDX writes it: `MIT`. */
  license: string;
  /** The license's own words; undefined where the package has no file for them. */
  text?: string;
  /** Whom its package.json names, for the ones without a text. */
  author?: string;
  /** Where its source is. */
  homepage?: string;
  /** `sha512-…`, by bun.lock. */
  integrity?: string;
}

/** The files that left something in a bundle; what is only read for its types, or shaken out, is not among them. */
export function filesIn({ outputs }: Pick<BuildMetafile, "outputs">): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path),
  );
}

/** `node_modules/elysia/dist/index.js` → `node_modules/elysia`; undefined for a file of memoir's own. */
export function packageFolder(file: string): string | undefined {
  const path = file.replaceAll("\\", "/");
  return /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/.][^/]*\/)?[^@./][^/]*)\//.exec(
    path,
  )?.[1];
}

/** The packages of these files, by name. Rejects where one names no license: nobody could say whether it may be shipped. */
export async function packagesOf(files: Iterable<string>): Promise<BundledPackage[]> {
  const folders = new Set([...files].map(packageFolder).filter((one) => one !== undefined));
  const lock = await readFile(join(root, "bun.lock"), "utf8");
  const found = await Promise.all([...folders].map((folder) => readPackage(folder, lock)));
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readPackage(folder: string, lock: string): Promise<BundledPackage> {
  const manifest = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
  const { name, version, license, author, repository, homepage } = manifest;
  if (typeof license !== "string") throw new Error(`${folder} does not name its license`);
  const files = await readdir(join(root, folder));
  const names = files.filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file)).sort();
  const texts = names.map((file) => readFile(join(root, folder, file), "utf8"));
  const text = (await Promise.all(texts)).join("\n").replaceAll("\r\n", "\n").trim();
  const who = typeof author === "string" ? author : author?.name;
  const place = homepage ?? (typeof repository === "string" ? repository : repository?.url);
  const integrity = integrityOf(name, version, lock);
  return {
    name,
    version,
    license,
    ...(text !== "" && { text }),
    ...(who && { author: who }),
    ...(place && { homepage: address(place) }),
    ...(integrity && { integrity }),
  };
}

/** Of what a package.json says of its source: `git+https://….git`, or `github:owner/name`. */
function address(place: string): string {
  return place.replace(/^git\+|\.git$/g, "").replace(/^github:/, "https://github.com/");
}

/** bun.lock has a line for each package: `"elysia": ["elysia@1.4.30", "", { … }, "sha512-…"],`. */
function integrityOf(name: string, version: string, lock: string): string | undefined {
  const line = lock.split("\n").find((one) => one.includes(`["${name}@${version}"`));
  return /"(sha512-[^"]+)"\],?$/.exec(line?.trim() ?? "")?.[1];
}
