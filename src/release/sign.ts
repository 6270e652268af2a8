// Makes keys and signs releases, in minisign's formats, so that `minisign` reads what this writes and the other way round.
//
//   npx -y bun@1.4.5 run src/release/sign.ts key <file>                      a new pair: <file> (secret, mode 0600) and <file>.pub
//   npx -y bun@1.4.5 run src/release/sign.ts list <SHA256SUMS> <secret key>  writes <SHA256SUMS>.minisig
//   npx -y bun@1.4.5 run src/release/sign.ts next <new .pub> <secret key>    lets the new key follow the old: two files in src/release/keys, which each release gets
//
// MEMOIR_SIGNING_PASSWORD is the password of the secret key; empty or not set, `key` makes one without, and says so.
//
// What a release's folder holds for `memoir upgrade`, install.sh and install.ps1:
// - `SHA256SUMS`: its first line is `# memoir <version> <date> <commit>`, then `<sha256>  <file>` for every file but itself,
//   its signature and the two scripts (they hold its sum).
// - `SHA256SUMS.minisig`: made by `sign()`; its trusted comment is that first line without `# `.
// - `NOTES.md`: what this version's section of CHANGELOG opens with and its Migration, listed in SHA256SUMS. `memoir upgrade` shows it.
// - `memoir-<system>-<arch>[-musl][.exe]` and the same with `.gz`, both listed.
// - `<KEYID>.pub` and `<KEYID>.pub.minisig`: made by `signKey()` and kept in `src/release/keys`; not listed.
// - install.sh and install.ps1: made by `writeScripts()` of `install-scripts.ts`, after SHA256SUMS is final.
// The public keys, the address and the report address are constants of `src/install/release-source.ts`.

import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  scryptSync,
  sign as signBytes,
} from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { keyIdOf, prehashed, readPublicKey, withComment } from "../install/release-source.ts";
import { runScript } from "./script.ts";

/** Signs a release's list; gives the path of the signature beside it. Rejects for a list without its first line. */
export async function sign(sumsFile: string, key: SecretKey): Promise<string> {
  const data = await readFile(sumsFile);
  const comment = /^# (memoir \d+\.\d+\.\d+\S* \d{4}-\d\d-\d\d [0-9a-f]{40})\n/.exec(
    data.toString(),
  )?.[1];
  if (comment === undefined)
    throw new Error(`${sumsFile} does not begin with "# memoir <version> <date> <commit>"`);
  return writeSignature(sumsFile, data, comment, key);
}

/** Signs the next public key with the present one, into `folder`; gives both files. */
export async function signKey(
  nextPublicKeyFile: string,
  secretKeyFile: string,
  { folder = join(import.meta.dir, "keys"), password = passwordGiven() } = {},
): Promise<[key: string, signature: string]> {
  const data = await readFile(nextPublicKeyFile);
  const next = readPublicKey(data.toString());
  if (!next) throw new Error(`${nextPublicKeyFile} is no minisign public key`);
  const file = join(folder, `${next.id}.pub`);
  const secret = await readSecretKey(secretKeyFile, password);
  await mkdir(folder, { recursive: true });
  await writeFile(file, data);
  return [file, await writeSignature(file, data, `memoir key ${next.id}`, secret)];
}

export interface SecretKey {
  id: Buffer;
  /** The seed, and the public key behind it. */
  bytes: Buffer;
  /** The public key, as a minisign file's second line has it. */
  line: string;
}

async function writeSignature(
  file: string,
  data: Buffer,
  comment: string,
  { id, bytes }: SecretKey,
): Promise<string> {
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((part) =>
    part.toString("base64url"),
  );
  const jwk = { kty: "OKP", crv: "Ed25519", d: d ?? "", x: x ?? "" };
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  const signature = signBytes(null, prehashed(data), key);
  const lines = [
    `untrusted comment: signature from memoir's key ${keyIdOf(id)}`,
    Buffer.concat([Buffer.from("ED"), id, signature]).toString("base64"),
    `trusted comment: ${comment}`,
    signBytes(null, withComment(signature, comment), key).toString("base64"),
  ];
  await writeFile(`${file}.minisig`, `${lines.join("\n")}\n`);
  return `${file}.minisig`;
}

// A secret key's file: what it is made by, salt and cost of scrypt, then id, key and checksum, covered by scrypt's bytes.

const checked = (id: Uint8Array, bytes: Uint8Array) =>
  createHash("blake2b256").update("Ed").update(id).update(bytes).digest();

/** Minisign's own choice: a gigabyte, so that guessing a password is dear. */
const dear = { operations: 33_554_432n, memory: 1_073_741_824n };

/** Writes a new pair of keys, never over a file that is there. Gives the public key's line. */
export async function makeKey(
  file: string,
  password: string = passwordGiven(),
  cost: typeof dear = dear,
): Promise<string> {
  const taken = [file, `${file}.pub`].find((path) => existsSync(path));
  if (taken) throw new Error(`${taken} is there already, and a key is never written over`);
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const [id, open] = [randomBytes(8), Buffer.from(x, "base64url")];
  const bytes = Buffer.concat([Buffer.from(d, "base64url"), open]);
  const isCovered = password !== "";
  const [salt, costs] = [Buffer.alloc(32), Buffer.alloc(16)];
  let secret: Buffer = Buffer.concat([
    id,
    bytes,
    isCovered ? checked(id, bytes) : Buffer.alloc(32),
  ]);
  if (isCovered) {
    randomBytes(32).copy(salt);
    costs.writeBigUInt64LE(cost.operations, 0);
    costs.writeBigUInt64LE(cost.memory, 8);
    secret = cover(secret, password, salt, costs);
  }
  const heading = Buffer.from(isCovered ? "EdScB2" : "Ed\0\0B2");
  const all = Buffer.concat([heading, salt, costs, secret]).toString("base64");
  const name = `minisign ${isCovered ? "encrypted " : ""}secret key`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `untrusted comment: ${name}\n${all}\n`, { mode: 0o600, flag: "wx" });
  const line = publicLine(id, open);
  const text = `untrusted comment: minisign public key ${keyIdOf(id)}\n${line}\n`;
  await writeFile(`${file}.pub`, text, { flag: "wx" });
  return line;
}

function publicLine(id: Buffer, key: Buffer): string {
  return Buffer.concat([Buffer.from("Ed"), id, key]).toString("base64");
}

/** Rejects for a file that is missing or no secret key, and for a password that does not open it. */
export async function readSecretKey(
  file: string,
  password: string = passwordGiven(),
): Promise<SecretKey> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new Error(`There is no secret key at ${file}`);
  const all = Buffer.from((await readFile(file, "utf8")).split("\n")[1] ?? "", "base64");
  const kind = all.toString("latin1", 0, 6);
  if (all.length !== 158 || !/^Ed(?:Sc|\0\0)B2$/.test(kind))
    throw new Error(`${file} is no minisign secret key`);
  const [salt, costs, covered] = [all.subarray(6, 38), all.subarray(38, 54), all.subarray(54)];
  const isCovered = kind.includes("Sc");
  const secret = isCovered ? cover(covered, password, salt, costs) : covered;
  const [id, bytes] = [secret.subarray(0, 8), secret.subarray(8, 72)];
  if (isCovered && !checked(id, bytes).equals(secret.subarray(72)))
    throw new Error(`The password does not open ${file}; set MEMOIR_SIGNING_PASSWORD`);
  return { id, bytes, line: publicLine(id, bytes.subarray(32)) };
}

/** Covers and uncovers: both are the same. The costs become scrypt's numbers as libsodium counts them. */
function cover(secret: Buffer, password: string, salt: Buffer, costs: Buffer): Buffer {
  const [operations, memory] = [costs.readBigUInt64LE(0), costs.readBigUInt64LE(8)].map(Number);
  const r = 8;
  const most = Math.min((operations ?? 0) / 4 / r, (memory ?? 0) / (r * 128));
  const N = 2 ** Math.floor(Math.log2(most));
  const p = Math.max(1, Math.floor((operations ?? 0) / 4 / N / r));
  const given = { N, r, p, maxmem: 256 * N * r };
  const stream = scryptSync(password, salt, secret.length, given);
  return Buffer.from(secret.map((byte, at) => byte ^ (stream[at] ?? 0)));
}

function passwordGiven(): string {
  return process.env.MEMOIR_SIGNING_PASSWORD ?? "";
}

async function main([what, file = "", key = ""]: string[]): Promise<number> {
  if (what === "key" && file !== "") {
    const line = await makeKey(file);
    console.log(`${file}: the SECRET key; whoever has it signs as you
${file}.pub: the public one, for releaseKeys in src/install/release-source.ts and .github/SECURITY.md:
${line}`);
    if (passwordGiven() === "")
      console.error(
        `warning: ${file} has no password: its reader can sign. Remove both files and make the pair again with MEMOIR_SIGNING_PASSWORD set, or keep it where only you read.`,
      );
  } else if (what === "list" && key !== "") console.log(await sign(file, await readSecretKey(key)));
  else if (what === "next" && key !== "") console.log((await signKey(file, key)).join("\n"));
  else {
    console.error("sign.ts key <file> | list <SHA256SUMS> <secret key> | next <new .pub> <key>");
    return 2;
  }
  return 0;
}

if (import.meta.main) await runScript(import.meta.path, main);
