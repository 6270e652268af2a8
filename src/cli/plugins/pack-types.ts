// Packs the declarations of Bun and Node, so that the binary can hand them to an author's editor; runs when memoir is built.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const packages = ["bun-types", "@types/node", "undici-types"];

/** Base64 of a compressed JSON object: path below `node_modules` → text. */
export function packTypes(): string {
  const root = fileURLToPath(new URL("../../../node_modules/", import.meta.url));
  const files: Record<string, string> = {};
  for (const name of packages)
    for (const path of readdirSync(join(root, name), { recursive: true, encoding: "utf8" }))
      if (/(^|[\\/])package\.json$|\.d\.(ts|mts|cts)$/.test(path))
        files[`${name}/${path.replaceAll("\\", "/")}`] = readFileSync(
          join(root, name, path),
          "utf8",
        );
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return brotliCompressSync(JSON.stringify(files), { params: quality }).toString("base64");
}
