// What leaves this machine: a batch of changes, compressed, encrypted under the space's key and signed by the home that made it.
//
//   "memoir1\n" | header (JSON, length first) | salt 32 | AES-256-GCM(zstd(JSON)) and its tag 16 | Ed25519 over all before it 64
//
// Every batch has a key of its own, derived from the space's key and the salt; the header is bound to the body by the tag and to its
// author by the signature, and names the batch before it, so that what is dropped, reordered, repeated or swapped shows.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from "node:crypto";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import * as v from "valibot";

const magic = new TextEncoder().encode("memoir1\n");
const saltBytes = 32;
const tagBytes = 16;
const signatureBytes = 64;
/** What a batch may unpack to: more is no batch of memoir's, and would fill the memory of whoever reads it. */
export const mostBytes = 64 << 20;
/** Each batch has a key of its own, so one nonce does for all. */
const nonce = new Uint8Array(12);

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const word = v.pipe(v.string(), v.regex(/^[\w-]{1,80}$/));

/** What the hub may see of a batch beside its size. */
export const HeaderSchema = v.strictObject({
  space: word,
  /** Which of the space's keys. */
  epoch: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  stream: word,
  number: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Hex SHA-256 of the stream's batch before it; empty for the first. */
  previous: v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{64})?$/)),
  /** The member who signs; see `memberOf`. */
  by: word,
  /** Absent: a batch. A snapshot's `number` is that of the first batch it stands for, a presence's is its time. */
  is: v.optional(v.picklist(["snapshot", "presence"])),
});
export type Header = v.InferOutput<typeof HeaderSchema>;

/** Why a batch is not taken; `kind` tells what a person has to know. */
export class Refused extends Error {
  readonly kind: "damaged" | "forged" | "newer";

  constructor(kind: Refused["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A member's id: of its public key, so that nobody can take another's. */
export function memberOf(publicKey: string): string {
  return createHash("sha256").update(publicKey).digest("hex").slice(0, 32);
}

/** A replica's id that only this member can have: the nonce goes along with what it seals. */
export function replicaOf(member: string, nonce: string): string {
  return createHash("sha256").update(`${member}\n${nonce}`).digest("hex").slice(0, 32);
}

/** The private half of a signing key, as base64 of its PKCS #8. */
export function signingKey(secret: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(secret, "base64"), format: "der", type: "pkcs8" });
}

/** Seals `content`. `key` is the epoch's, 32 bytes; `secret` signs. */
export async function seal(
  header: Header,
  content: unknown,
  key: Uint8Array,
  secret: KeyObject,
): Promise<Uint8Array> {
  const plain = await compress(Buffer.from(JSON.stringify(content)), {
    params: { [constants.ZSTD_c_compressionLevel]: 3 },
  });
  const head = headOf(header);
  const salt = randomBytes(saltBytes);
  const cipher = createCipheriv("aes-256-gcm", keyOf(key, salt), nonce);
  cipher.setAAD(head);
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  const signed = Buffer.concat([head, salt, body]);
  return new Uint8Array(Buffer.concat([signed, sign(null, signed, secret)]));
}

/** The header, whoever wrote it: nothing of it is sure before `unseal`. Throws Refused. */
export function readHeader(bytes: Uint8Array): Header {
  return parts(bytes).header;
}

/** Gives what was sealed. `publicKey` is the author's as it stands among the members. Rejects with Refused. */
export async function unseal(
  bytes: Uint8Array,
  key: Uint8Array,
  publicKey: string,
): Promise<{ header: Header; content: unknown }> {
  const { header, head, salt, body, signed, signature } = parts(bytes);
  if (!isSigned(signed, signature, publicKey))
    throw new Refused("forged", "its signature is not its author's");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(key, salt), nonce);
  decipher.setAAD(head);
  decipher.setAuthTag(body.subarray(-tagBytes));
  try {
    const sealed = Buffer.concat([decipher.update(body.subarray(0, -tagBytes)), decipher.final()]);
    const plain = await decompress(sealed, { maxOutputLength: mostBytes });
    return { header, content: JSON.parse(plain.toString("utf8")) };
  } catch {
    throw new Refused("damaged", "it cannot be opened with the space's key");
  }
}

/** True where `publicKey` (base64 of its SPKI) signed it. */
export function isSigned(signed: Uint8Array, signature: Uint8Array, publicKey: string): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.from(publicKey, "base64"),
      format: "der",
      type: "spki",
    });
    return key.asymmetricKeyType === "ed25519" && verify(null, signed, key, signature);
  } catch {
    return false;
  }
}

function keyOf(key: Uint8Array, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, salt, "memoir batch", 32));
}

function headOf(header: Header): Buffer {
  const text = Buffer.from(JSON.stringify(v.parse(HeaderSchema, header)));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([magic, length, text]);
}

function parts(bytes: Uint8Array) {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begin = magic.length + 2;
  if (all.length < begin || !all.subarray(0, magic.length).equals(magic)) {
    const isNewer = /^memoir\d+\n/.test(all.subarray(0, 12).toString("latin1"));
    throw isNewer
      ? new Refused("newer", "a newer memoir wrote it")
      : new Refused("damaged", "it is no batch of memoir's");
  }
  const headEnd = begin + all.readUInt16BE(magic.length);
  const bodyStart = headEnd + saltBytes;
  const bodyEnd = all.length - signatureBytes;
  if (bodyEnd - bodyStart < tagBytes) throw new Refused("damaged", "it is cut off");
  return {
    header: headerOf(all.subarray(begin, headEnd)),
    head: all.subarray(0, headEnd),
    salt: all.subarray(headEnd, bodyStart),
    body: all.subarray(bodyStart, bodyEnd),
    signed: all.subarray(0, bodyEnd),
    signature: all.subarray(bodyEnd),
  };
}

function headerOf(text: Buffer): Header {
  try {
    return v.parse(HeaderSchema, JSON.parse(text.toString("utf8")));
  } catch {
    throw new Refused("damaged", "its header cannot be read");
  }
}
