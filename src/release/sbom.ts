// The list of parts (SBOM) of a release, as CycloneDX JSON.

import { createHash } from "node:crypto";
import type { ReleaseFacts } from "./facts.ts";
import type { BundledPackage } from "./packages.ts";

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
