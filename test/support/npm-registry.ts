// An npm registry on loopback that has these packages only: enough for `npm install` and `npx`.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";

export interface Registry {
  url: string;
  /** What was asked for, in order: names of packages and of tarballs. */
  asked: string[];
  stop(): Promise<void>;
}

/** Serves the tarballs; each file's first entry is its package.json. */
export async function startRegistry(files: readonly string[]): Promise<Registry> {
  const asked: string[] = [];
  const tarballs = new Map<string, Uint8Array>();
  const manifests = new Map<string, { version: string; dist?: object }>();
  for (const file of files) {
    const bytes = await readFile(file);
    tarballs.set(basename(file), bytes);
    const { name, ...rest } = firstEntry(gunzipSync(bytes));
    manifests.set(name, { name, ...rest } as never);
  }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request): Response {
      const { pathname, origin } = new URL(request.url);
      const path = decodeURIComponent(pathname).slice(1);
      const tarball = tarballs.get(basename(path));
      asked.push(tarball ? basename(path) : path);
      if (tarball) return new Response(tarball as Uint8Array<ArrayBuffer>);
      const manifest = manifests.get(path);
      if (!manifest) return Response.json({ error: "not_found" }, { status: 404 });
      const file = `${path.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
      const integrity = new Bun.CryptoHasher("sha512")
        .update(tarballs.get(file) ?? "")
        .digest("base64");
      const dist = { tarball: `${origin}/${file}`, integrity: `sha512-${integrity}` };
      const { version } = manifest;
      return Response.json({
        name: path,
        "dist-tags": { latest: version },
        versions: { [version]: { ...manifest, dist } },
      });
    },
  });
  return { url: server.url.href, asked, stop: () => server.stop(true) };
}

function firstEntry(tar: Buffer): { name: string; version: string } {
  const size = Number.parseInt(tar.toString("latin1", 124, 135), 8);
  return JSON.parse(tar.toString("utf8", 512, 512 + size));
}
