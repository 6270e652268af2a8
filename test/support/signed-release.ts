// Releases on loopback as `bun run release` would leave them, signed; their binaries are small scripts.
import { createHash, createPrivateKey, sign as signBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { releaseFile } from "../../src/install/fetch-release.ts";
import { keyIdOf } from "../../src/install/release-source.ts";
import { makeKey, readSecretKey, sign, signKey } from "../../src/release/sign.ts";

type Answer =
  | string
  | Uint8Array<ArrayBuffer>
  | ((request: Request) => Response | Promise<Response>);

export interface Published {
  date?: string;
  /** What the signature's trusted comment says instead. */
  comment?: string;
  key?: string;
  /** The binary, where it is not a script that says its version. */
  data?: string;
  packed?: boolean;
  notes?: string;
  schemas?: Record<string, number>;
}

export interface ReleaseServer {
  url: string;
  /** The binary's name for this machine. */
  name: string;
  /** By path; what a test puts there is served instead. */
  files: Map<string, Answer>;
  /** Every path that was asked for. */
  asked: string[];
  /** Public keys by a name of the test's choice; made at first. */
  key(name: string): Promise<string>;
  /** Serves it as the latest and below its version. */
  publish(version: string, how?: Published): Promise<void>;
  /** Lets the key `next` follow `present`, beside the latest release; `comment` is what the signature says instead. */
  hand(present: string, next: string, comment?: string): Promise<void>;
  stop(): Promise<void>;
}

/** A binary that says its version and schemas, and does nothing. */
export function scriptOf(version: string, schemas?: Record<string, number>): string {
  return `#!/bin/sh\necho '${JSON.stringify({ version, schemas })}'\n`;
}

/** The same signature with another trusted comment, as only the key's owner can make it. */
function withComment(signed: string, comment: string, secretKey: string): string {
  const [first = "", line = ""] = signed.split("\n");
  const [d, x] = [Buffer.from(secretKey.split("\n")[1] ?? "", "base64")].flatMap((all) =>
    [all.subarray(62, 94), all.subarray(94, 126)].map((part) => part.toString("base64url")),
  );
  const jwk = { kty: "OKP", crv: "Ed25519", d: d ?? "", x: x ?? "" };
  const of = Buffer.concat([Buffer.from(line, "base64").subarray(10), Buffer.from(comment)]);
  const last = signBytes(null, of, createPrivateKey({ key: jwk, format: "jwk" }));
  return [first, line, `trusted comment: ${comment}`, last.toString("base64"), ""].join("\n");
}

const sum = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

export async function releaseServer(): Promise<ReleaseServer> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-release-"));
  const files = new Map<string, Answer>();
  const asked: string[] = [];
  const keys = new Map<string, Promise<string>>();
  const name = await releaseFile(process.platform, process.arch);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      const answer = files.get(pathname);
      if (answer === undefined) return new Response("", { status: 404 });
      return typeof answer === "function" ? answer(request) : new Response(answer);
    },
  });
  const key = (of: string) => {
    const made = keys.get(of) ?? makeKey(join(folder, of), "");
    keys.set(of, made);
    return made;
  };
  return {
    url: `http://127.0.0.1:${server.port}`,
    ...{ name, files, asked, key },
    async publish(version, how = {}) {
      const { date = "2026-11-27", packed, notes, schemas } = how;
      const data = how.data ?? scriptOf(version, schemas);
      const parts = new Map<string, string | Uint8Array<ArrayBuffer>>([[name, data]]);
      if (packed) parts.set(`${name}.gz`, new Uint8Array(gzipSync(data)));
      if (notes !== undefined) parts.set("NOTES.md", notes);
      const heading = `# memoir ${version} ${date} ${"0123456789".repeat(4)}\n`;
      const lines = [...parts].map(([file, content]) => `${sum(content)}  ${file}\n`);
      const list = join(folder, "SHA256SUMS");
      await writeFile(list, [heading, ...lines].join(""));
      await key(how.key ?? "first");
      const signature = await sign(list, await readSecretKey(join(folder, how.key ?? "first"), ""));
      parts.set("SHA256SUMS", await readFile(list, "utf8"));
      const text = await readFile(signature, "utf8");
      const secret = await readFile(join(folder, how.key ?? "first"), "utf8");
      parts.set("SHA256SUMS.minisig", how.comment ? withComment(text, how.comment, secret) : text);
      for (const [file, content] of parts)
        for (const below of ["", `/v${version}`]) files.set(`${below}/${file}`, content);
    },
    async hand(present, next, comment) {
      await Promise.all([key(present), key(next)]);
      const [secret, settings] = [join(folder, present), { folder, password: "" }];
      const [open, signature] = await signKey(join(folder, `${next}.pub`), secret, settings);
      const text = await readFile(signature, "utf8");
      const signed = comment ? withComment(text, comment, await readFile(secret, "utf8")) : text;
      files.set(open.slice(folder.length), await readFile(open, "utf8"));
      files.set(signature.slice(folder.length), signed);
    },
    async stop() {
      await server.stop(true);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A public key's id. */
export function idOf(key: string): string {
  return keyIdOf(Buffer.from(key, "base64").subarray(2, 10));
}
