// The npm packages that a build took something of, with their licenses; the notice and the list of parts that name them.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BuildMetafile } from "bun";
import type { ReleaseFacts } from "./facts.ts";

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

// The list of parts (SBOM) of a release, as CycloneDX JSON.

/** The document. The same release gives the same text: its time is the commit's, its number made of what it says. */
export function sbom(packages: readonly BundledPackage[], facts: ReleaseFacts): string {
  const bun: BundledPackage = {
    name: "bun",
    version: facts.bun,
    license: "MIT",
    homepage: "https://github.com/oven-sh/bun",
  };
  const memoir = {
    type: "application",
    "bom-ref": `memoir@${facts.version}`,
    name: "memoir",
    version: facts.version,
    licenses: [{ license: { id: "MIT" } }],
    properties: [{ name: "memoir:commit", value: facts.commit }],
  };
  const components = [bun, ...packages].map(component);
  const body = {
    version: 1,
    metadata: { timestamp: new Date(facts.seconds * 1_000).toISOString(), component: memoir },
    components,
    dependencies: [{ ref: memoir["bom-ref"], dependsOn: components.map((one) => one["bom-ref"]) }],
  };
  const head = { bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: serialOf(body) };
  return `${JSON.stringify({ ...head, ...body }, null, 2)}\n`;
}

function component({ name, version, license, homepage, integrity }: BundledPackage) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const hash =
    integrity && Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    // A single name is an identifier; several joined are an expression.
    licenses: / /.test(license) ? [{ expression: license }] : [{ license: { id: license } }],
    purl,
    ...(hash && { hashes: [{ alg: "SHA-512", content: hash }] }),
    ...(homepage && { externalReferences: [{ type: "website", url: homepage }] }),
  };
}

/** A UUID (version 8: made of what one likes) of the document's own words. */
function serialOf(body: object): string {
  const hex = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join("-")}`;
}

// NOTICE: the words of every license that goes along with the binary; `memoir version --licenses` prints it.

/** The text for a binary that holds these packages and this Bun; `own` is memoir's license. */
export function notice(
  packages: readonly BundledPackage[],
  { own, bun }: { own: string; bun: string },
): string {
  const sections = [
    section("memoir (MIT)", own.trim()),
    section(`Bun ${bun} (MIT)`, bunWords(bun)),
    ...packages.map((one) => section(titleOf(one), wordsOf(one))),
  ];
  const opening = `memoir contains Bun and ${packages.length} npm packages. These are their licenses.`;
  return `${[opening, ...sections].join("\n\n")}\n`;
}

function section(title: string, words: string): string {
  return `${"=".repeat(80)}\n${title}\n${"=".repeat(80)}\n\n${words}`;
}

function titleOf({ name, version, license }: BundledPackage): string {
  return `${name} ${version} (${license})`;
}

function wordsOf({ name, text, license, author, homepage }: BundledPackage): string {
  if (text !== undefined) return text;
  const words = licenses[license];
  if (words === undefined)
    throw new Error(`${name} has no license text, nor is there one for ${license}`);
  return words(author ?? `the authors of ${name}${homepage ? `, ${homepage}` : ""}`);
}

/** The npm package of Bun has no license file, so its facts are here. */
function bunWords(version: string): string {
  return `${mit("Oven")}

Bun contains other software under licenses of its own, listed in
https://github.com/oven-sh/bun/blob/bun-v${version}/LICENSE.md. JavaScriptCore and WebKit files among them are under
the LGPL 2, TinyCC is under the LGPL 2.1. Their source, as Bun uses it, is at https://github.com/oven-sh/WebKit and
https://github.com/oven-sh/tinycc. memoir is not linked with Bun: \`BUN_BE_BUN=1\` makes the binary run as Bun, and
memoir's source builds with any other Bun of the same version, one that you changed and linked again among them.`;
}

/** For packages that name a license and have no file for its text. */
const licenses: Readonly<Record<string, (holder: string) => string>> = {
  MIT: mit,
  Unlicense: unlicense,
};

function mit(holder: string): string {
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;
}

/** In the public domain: nobody holds it. */
function unlicense(): string {
  return `This is free and unencumbered software released into the public domain.

Anyone is free to copy, modify, publish, use, compile, sell, or distribute this
software, either in source code form or as a compiled binary, for any purpose,
commercial or non-commercial, and by any means.

In jurisdictions that recognize copyright laws, the author or authors of this
software dedicate any and all copyright interest in the software to the public
domain. We make this dedication for the benefit of the public at large and to
the detriment of our heirs and successors. We intend this dedication to be an
overt act of relinquishment in perpetuity of all present and future rights to
this software under copyright law.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

For more information, please refer to <https://unlicense.org>`;
}
