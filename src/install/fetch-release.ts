// Fetches the files of a release: who signed its list, then what the list says of each. Nothing unchecked is unpacked or run.
//
//   SHA256SUMS ← SHA256SUMS.minisig ← a key that is known, or <id>.pub signed by one that is
//       └─ the sum of each file: fetched, checked, unpacked, checked again

import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import process from "node:process";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { MemoirError } from "../sdk/errors.ts";
import { isSignedBy, type PublicKey, readPublicKey, readSignature } from "./release-source.ts";

/** A release's files and their SHA-256 sums, as `SHA256SUMS` lists them. */
type Sums = ReadonlyMap<string, string>;

/** `SHA256SUMS`: the sums, and what its first line says; lists that nobody signed may have no such line. */
export interface ReleaseList {
  sums: Sums;
  version?: string;
  /** The commit's, `2026-11-27`. */
  date?: string;
  /** The id of the key that signed it; absent where no key was known. */
  signedBy?: string;
}

const longestList = 1_000_000;
const largestBinary = 1_000_000_000;
const textWithinMs = 30_000;
const fileWithinMs = 15 * 60_000;
const mostRedirects = 5;
const mostKeys = 5;

/** The address without an ending slash. Throws `usage` for one that others on the way could change. */
export function checkedAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal =
    url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal))
    return text.replace(/\/+$/, "");
  throw new MemoirError("usage", `"${text}" is no address to fetch a program from.`, {
    fix: "Give the https address of the folder that holds SHA256SUMS.",
  });
}

/** Reads the list of a release, which one of the keys must have signed; without keys, any list. Throws `upgrade_failed`. */
export async function fetchList(
  base: string,
  keys: readonly PublicKey[] = [],
): Promise<ReleaseList> {
  const address = `${base}/SHA256SUMS`;
  const data = await fetchText(address, true);
  if (data === undefined)
    throw refused(
      `There is no release at ${base}`,
      "Check the address, and the version if you named one.",
    );
  const text = data.toString();
  const [heading, version, date] = /^# (memoir (\d[\w.+-]*)(?: (\d{4}-\d\d-\d\d))?[^\n]*)/
    .exec(text)
    ?.slice(1) ?? [""];
  if (/^\s*</.test(text)) throw refused(`${address} is a web page, no list of files`, webPage);
  const signedBy = keys.length > 0 ? await signerOf(base, data, heading ?? "", keys) : undefined;
  const lines = [...text.matchAll(/^([0-9a-f]{64})\s+\*?(\S+)$/gim)];
  if (lines.length === 0)
    throw refused(
      `${address} lists no file`,
      "Check the address: it is the folder of one release.",
    );
  return {
    sums: new Map(lines.map(([, sum = "", name = ""]) => [name, sum.toLowerCase()])),
    ...(version !== undefined && { version }),
    ...(date !== undefined && { date }),
    ...(signedBy !== undefined && { signedBy }),
  };
}

const webPage =
  "A network that asks you to sign in first answers like this, and so does a wrong address.";
const distrust =
  "Nothing was changed. Try again; if it stays so, don't trust this release, and tell its publisher.";

/** The id of the key. The trusted comment has to be the list's first line: no signature of anything else fits. */
async function signerOf(
  base: string,
  data: Buffer,
  heading: string,
  keys: readonly PublicKey[],
): Promise<string> {
  const address = `${base}/SHA256SUMS.minisig`;
  const text = await fetchText(address, true);
  if (text === undefined)
    throw refused(`${base} has no signature, so nobody vouches for it`, distrust);
  const signed = readSignature(text.toString());
  if (!signed)
    throw refused(
      `${address} is no signature of minisign's`,
      /^\s*</.test(text.toString()) ? webPage : distrust,
    );
  const key = await keyOf(signed.keyId, base, keys, mostKeys);
  if (!key)
    throw refused(
      `${base} is signed with the key ${signed.keyId}, which this memoir does not know`,
      'Nothing was changed. If its publisher says that the key was replaced, install that version by hand: docs/developers/release.md, "Keys".',
    );
  if (!isSignedBy(key, data, signed))
    throw refused(`The signature of ${base} is not of this list of files`, distrust);
  if (signed.comment !== heading)
    throw refused(`${base} is signed as "${shown(signed.comment)}", not as what it says`, distrust);
  return key.id;
}

/**
 * A known key, or one that is beside the release and that a known one signed, over as many steps as were missed. Undefined
 * where nothing leads from a known key to it.
 */
async function keyOf(
  id: string,
  base: string,
  known: readonly PublicKey[],
  steps: number,
): Promise<PublicKey | undefined> {
  const own = known.find((key) => key.id === id);
  if (own || steps === 0) return own;
  const data = await fetchText(`${base}/${id}.pub`, true);
  const key = readPublicKey(data?.toString() ?? "");
  if (!data || key?.id !== id) return undefined;
  const signature = await fetchText(`${base}/${id}.pub.minisig`, true);
  const signed = readSignature(signature?.toString() ?? "");
  if (signed?.comment !== `memoir key ${id}`) return undefined;
  const by = await keyOf(signed.keyId, base, known, steps - 1);
  return by && isSignedBy(by, data, signed) ? key : undefined;
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

/** A small file of the release, its sum checked; undefined where the release lists none. */
export async function fetchListed(
  base: string,
  sums: Sums,
  name: string,
): Promise<string | undefined> {
  const sum = sums.get(name);
  const data = sum && (await fetchText(`${base}/${name}`, true));
  if (!data || createHash("sha256").update(data).digest("hex") !== sum) return undefined;
  return data.toString();
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
  const address = `${base}/${file}`;
  const packed = isPacked ? path.replace(/(\.tmp)?$/, ".gz$1") : path;
  const wrong = refused(`${address} is not what the release's sums say`, distrust);
  try {
    await download(address, packed, progress);
    if ((await sumOf(packed)) !== sums.get(file)) throw wrong;
    if (!isPacked) return;
    await pipeline(
      createReadStream(packed),
      createGunzip(),
      atMost(largestBinary, () => undefined),
      createWriteStream(path, { mode: 0o700 }),
    );
    if ((await sumOf(path)) !== sums.get(name)) throw wrong;
  } catch (cause) {
    throw failed(address, cause);
  } finally {
    if (isPacked) await rm(packed, { force: true });
  }
}

async function download(
  address: string,
  path: string,
  progress: (bytes: number, all: number) => void,
): Promise<void> {
  const response = await get(address, fileWithinMs);
  const all = Number(response.headers.get("content-length") ?? 0);
  const source = Readable.from(response.body ?? []);
  const counted = atMost(largestBinary, (bytes) => progress(bytes, all));
  await pipeline(source, counted, createWriteStream(path, { mode: 0o700 }));
}

function atMost(most: number, heard: (bytes: number) => void): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      heard(bytes);
      done(bytes > most ? new Error("it does not end") : null, chunk);
    },
  });
}

/** Of a longer one no more than that is read. `mayLack`: undefined where the server says that there is none. */
async function fetchText(address: string, mayLack = false): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const response = await get(address, textWithinMs, mayLack);
    if (response.status === 404) return undefined;
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > longestList) break;
    }
  } catch (cause) {
    throw failed(address, cause);
  }
  return Buffer.concat(chunks);
}

/** Every address on the way must be one that nobody in between can change. */
async function get(address: string, withinMs: number, mayLack = false): Promise<Response> {
  const signal = AbortSignal.timeout(withinMs);
  let next = address;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const response = await fetch(next, { signal, redirect: "manual" });
    if (response.ok || (mayLack && response.status === 404)) return response;
    await response.body?.cancel();
    const { status } = response;
    const location = response.headers.get("location");
    if (status < 300 || status > 399 || location === null) throw new Error(`status ${status}`);
    const target = URL.parse(location, next)?.href ?? location;
    try {
      next = checkedAddress(target);
    } catch {
      throw new Error(`it leads to ${target}, which others could change on the way`);
    }
  }
  throw new Error(`it redirects more than ${mostRedirects} times`);
}

/** By the code that systems give, or the words of a library. */
const reasons: ReadonlyArray<readonly [pattern: RegExp, says: string]> = [
  [/ECONNREFUSED/, "nobody answers there"],
  [
    /ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|dns error/,
    "there is no way to it from here: is the network up",
  ],
  [
    /ECONNRESET|socket connection was closed|ended prematurely|body error/,
    "it broke off on the way",
  ],
  [/TimeoutError|timed out/, "it took too long"],
  [/status 407/, "the proxy asks for a name and a password"],
  [/EPROTO|CERT|certificate/i, "the connection is not secure"],
];

function failed(address: string, cause: unknown): unknown {
  const { code = "", name = "", message = String(cause) } = cause as Error & { code?: string };
  // What the disk says is no fault of the address.
  if (cause instanceof MemoirError || /^(?:ENOSPC|EDQUOT|EFBIG|EACCES|EROFS)$/.test(code))
    return cause;
  const all = `${code} ${name} ${message}`;
  const why = reasons.find(([pattern]) => pattern.test(all))?.[1] ?? message;
  const { HTTPS_PROXY = process.env.https_proxy, HTTP_PROXY = process.env.http_proxy } =
    process.env;
  const proxy = URL.parse((address.startsWith("https") ? HTTPS_PROXY : HTTP_PROXY) ?? "")?.host;
  const through = proxy ? ` through the proxy ${proxy}` : "";
  return new MemoirError(
    "upgrade_failed",
    `${address} could not be fetched${through}: ${why.replace(/[.?!]+$/, "")}.`,
    { cause },
  );
}

function refused(message: string, fix: string): MemoirError {
  return new MemoirError("upgrade_failed", `${message}.`, { fix });
}

/** What was not yet proved may hold anything. */
function shown(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 100);
}

// Which file of a release is for this machine; the same names that install.sh makes.

const systems: Readonly<Record<string, string>> = {
  linux: "linux",
  darwin: "darwin",
  win32: "windows",
};

/** `memoir-linux-x64-musl`, `memoir-windows-x64.exe`. Throws `upgrade_failed` where no release is made for. */
export async function releaseFile(platform: string, arch: string): Promise<string> {
  const system = systems[platform];
  if (system === undefined || (arch !== "x64" && arch !== "arm64"))
    throw new MemoirError("upgrade_failed", `There is no release for ${platform} on ${arch}.`, {
      fix: "Build memoir from source on this machine, then run `memoir install` with what was built.",
    });
  const musl = platform === "linux" && (await isMusl()) ? "-musl" : "";
  return `memoir-${system}-${arch}${musl}${platform === "win32" ? ".exe" : ""}`;
}

/** musl's loader lies where no glibc system has one. */
async function isMusl(): Promise<boolean> {
  const libraries = await readdir("/lib").catch((): string[] => []);
  if (!libraries.some((name) => name.startsWith("ld-musl-"))) return false;
  const glibc = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];
  return !glibc.some((path) => existsSync(path));
}
