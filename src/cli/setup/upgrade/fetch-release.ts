// Fetches files of a release and checks their sums; nothing unchecked is ever run.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { MemoirError } from "../../../sdk/errors.ts";

/** A release's files and their SHA-256 sums, as `SHA256SUMS` lists them. */
type Sums = ReadonlyMap<string, string>;

const longestList = 1_000_000;
const largestBinary = 1_000_000_000;
const listWithinMs = 30_000;
const fileWithinMs = 15 * 60_000;

/** The address without an ending slash. Throws `usage` for one that others on the way could change. */
export function releaseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal =
    url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal))
    return text.replace(/\/+$/, "");
  throw new MemoirError("usage", `"${text}" is no address to fetch a program from.`, {
    fix: "Give the https address of the folder that holds SHA256SUMS.",
  });
}

/** Reads the list of a release. Throws `upgrade_failed`. */
export async function fetchSums(base: string): Promise<Sums> {
  const response = await get(`${base}/SHA256SUMS`, listWithinMs);
  const text = (await response.text()).slice(0, longestList);
  const lines = [...text.matchAll(/^([0-9a-f]{64})\s+\*?(\S+)$/gim)];
  if (lines.length === 0)
    throw new MemoirError("upgrade_failed", `${base}/SHA256SUMS lists no file.`, {
      fix: "Check the address: it is the folder of one release.",
    });
  return new Map(lines.map(([, sum = "", name = ""]) => [name, sum.toLowerCase()]));
}

/** The SHA-256 of a file, in hexadecimal; undefined where there is none. */
export async function sumOf(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
  return hash.digest("hex");
}

/**
 * Fetches `name` to `path`, compressed where the release offers it so, and checks it. `progress` hears bytes so far and
 * all of them (0 when unknown). Throws `upgrade_failed`; what was written is then to be removed.
 */
export async function fetchFile(
  release: { base: string; sums: Sums; name: string },
  path: string,
  progress: (bytes: number, all: number) => void,
): Promise<void> {
  const { base, sums, name } = release;
  const isPacked = sums.has(`${name}.gz`);
  const file = isPacked ? `${name}.gz` : name;
  const response = await get(`${base}/${file}`, fileWithinMs);
  const all = Number(response.headers.get("content-length") ?? 0);
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      progress(bytes, all);
      done(bytes > largestBinary ? new Error("it does not end") : null, chunk);
    },
  });
  const source = Readable.from(response.body ?? []);
  const target = createWriteStream(path, { mode: 0o700 });
  try {
    if (isPacked) await pipeline(source, counted, createGunzip(), target);
    else await pipeline(source, counted, target);
  } catch (cause) {
    throw failed(`${base}/${file}`, cause);
  }
  if (hash.digest("hex") !== sums.get(file) || (await sumOf(path)) !== sums.get(name))
    throw new MemoirError("upgrade_failed", `${base}/${file} is not what the release's sums say.`, {
      fix: "Try again; if that does not help, do not trust this release. Nothing was changed.",
    });
}

async function get(address: string, withinMs: number): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(withinMs) });
  } catch (cause) {
    throw failed(address, cause);
  }
  if (response.ok) return response;
  await response.body?.cancel();
  throw failed(address, new Error(`status ${response.status}`));
}

function failed(address: string, cause: unknown): MemoirError {
  const said = cause instanceof Error ? cause.message : String(cause);
  const why = said.includes("ECONNREFUSED") ? "nobody answers there" : said;
  return new MemoirError(
    "upgrade_failed",
    `${address} could not be fetched: ${why.replace(/[.?!]+$/, "")}.`,
    { cause },
  );
}
