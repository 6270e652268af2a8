// The page's own files, as a browser gets them: out of the binary, or, from source, as `bun run page` made them.
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import * as v from "valibot";
import { readPack } from "../host/packs.ts";

const PageFilesSchema = v.object({
  "app.js": v.string(),
  "app.css": v.string(),
  "icon.svg": v.string(),
});
/** What the page is made of, beside its document. */
export type PageFiles = v.InferOutput<typeof PageFilesSchema>;

const made = new URL("../page/made/", import.meta.url);
let files: Promise<Map<string, Uint8Array<ArrayBuffer>>> | undefined;

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

/** With the frame of the page, so that something is there before the script is. */
const shell = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>memoir</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/app.css">
<script type="module" src="/page/app.js"></script>
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
  const name = /^\/page\/(.+)$/.exec(path)?.[1];
  if (name === undefined) return sent(shell, { "content-type": "text/html; charset=utf-8" });
  if (!isFile(name)) return undefined;
  // Read once, when the first browser asks; every browser takes them compressed.
  files ??= readFiles();
  return sent((await files).get(name) ?? "", {
    "content-type": types[name],
    "content-encoding": "gzip",
  });
}

function isFile(name: string): name is keyof PageFiles {
  return Object.hasOwn(types, name);
}

async function readFiles(): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const packed = await readPack("page");
  const names = Object.keys(PageFilesSchema.entries) as Array<keyof PageFiles>;
  const texts = packed === undefined ? undefined : v.parse(PageFilesSchema, packed);
  const text = async (name: keyof PageFiles) =>
    texts?.[name] ?? (await readFile(new URL(name, made), "utf8"));
  const all = names.map(async (name) => [name, gzipSync(await text(name))] as const);
  return new Map(await Promise.all(all));
}

function sent(body: BodyInit, headers: Record<string, string>): Response {
  const safe = { "content-security-policy": policy, "x-frame-options": "DENY" };
  return new Response(body, { headers: { ...headers, ...safe } });
}
