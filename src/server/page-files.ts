// The page's own files, as a browser gets them: out of the binary, or, from source, as `bun run page` made them.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import * as v from "valibot";
import { readPack } from "../host/packs.ts";
import { keptByBrowsers } from "./auth/guard.ts";

const PageFilesSchema = v.object({
  "app.js": v.string(),
  "app.css": v.string(),
  "icon.svg": v.string(),
});
/** What the page is made of, beside its document. */
export type PageFiles = v.InferOutput<typeof PageFilesSchema>;

const made = new URL("../page/made/", import.meta.url);
let files: ReturnType<typeof readFiles> | undefined;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  // Panels of plugins, which are sandboxed by their own policy.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** With the frame of the page, so that something is there before the script is. `version` changes with any of the files. */
const shell = (version: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>memoir</title>
<link rel="icon" href="/page/${version}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/${version}/app.css">
<script type="module" src="/page/${version}/app.js"></script>
</head>
<body><div id="page"><header class="top"><a class="name" href="/memory">memoir</a></header>
<div class="columns"><nav class="places" aria-label="Places"></nav><main>
<noscript>This page needs JavaScript. The same is on the command line: memoir search.</noscript>
<div class="skeleton" role="status" aria-label="Loading"><span></span><span></span><span></span></div>
</main></div></div></body>
</html>
`;

const types: Record<keyof PageFiles, string> = {
  "app.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** The document, the same for every view, and what it loads; undefined for what is none of it. They hold no data. */
export async function pageFile(path: string): Promise<Response | undefined> {
  const [, version, name] = /^\/page\/(?:([\w-]+)\/)?([^/]+)$/.exec(path) ?? [];
  if (name === undefined ? path.startsWith("/page/") : !isFile(name)) return undefined;
  // Read once, when the first browser asks; every browser takes them compressed.
  files ??= readFiles();
  const { made, version: own } = await files;
  if (name === undefined) return sent(shell(own), { "content-type": "text/html; charset=utf-8" });
  return sent(made.get(name) ?? "", {
    "content-type": types[name as keyof PageFiles],
    "content-encoding": "gzip",
    // A browser keeps what it compiled of it, too; another build has another address.
    ...(version === own && { "cache-control": keptByBrowsers }),
  });
}

function isFile(name: string): name is keyof PageFiles {
  return Object.hasOwn(types, name);
}

async function readFiles() {
  const packed = await readPack("page");
  const names = Object.keys(PageFilesSchema.entries) as Array<keyof PageFiles>;
  const texts = packed === undefined ? undefined : v.parse(PageFilesSchema, packed);
  const read = async (name: keyof PageFiles) =>
    [name, texts?.[name] ?? (await readFile(new URL(name, made), "utf8"))] as const;
  const all = await Promise.all(names.map(read));
  const hash = createHash("sha256").update(JSON.stringify(all)).digest("base64url");
  const zipped = all.map(([name, text]) => [name as string, gzipSync(text)] as const);
  return { made: new Map(zipped), version: hash.slice(0, 12) };
}

function sent(body: BodyInit, headers: Record<string, string>): Response {
  const safe = { "content-security-policy": policy, "x-frame-options": "DENY" };
  return new Response(body, { headers: { ...headers, ...safe } });
}
