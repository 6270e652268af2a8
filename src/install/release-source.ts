// Who publishes memoir: the addresses and keys that a person sets before the first release (empty, memoir says so), and how a
// release is known to be theirs.

import { createHash, createPublicKey, verify } from "node:crypto";

/**
 * The folder of the latest release, https, without an ending slash. An older release is in `v<version>` below it, or where
 * it ends in `/latest/download`, as GitHub's does, in `/download/v<version>`.
 */
export const releaseAddress: string = "";

/** Why nothing can be published at an address; undefined where nothing is wrong, or none is set yet. */
export function addressProblem(address: string): string | undefined {
  return address === "" || /^https:\/\/[^/].*[^/]$/.test(address)
    ? undefined
    : `The address ${address} has to begin with https:// and to end without a slash.`;
}

/** The folder of one version's release, from that of the latest. */
export function ofVersion(address: string, version: string): string {
  const latest = /\/latest\/download$/;
  return latest.test(address)
    ? address.replace(latest, `/download/v${version}`)
    : `${address}/v${version}`;
}

/**
 * Minisign public keys, each the 56 characters of its second line. Any of them may sign a release: the first is in use, the
 * second a spare whose secret half is kept offline for the day the first is lost.
 */
export const releaseKeys: readonly string[] = [];

/** Where a security problem is reported: a mail address or an https address. `.github/SECURITY.md` names the same. */
export const reportAddress: string = "";

/**
 * The npm package that brings memoir, `name` or `@scope/name`; one more for each system is named after it. Only a name that is
 * yours may stand here: the Claude Code plugin has npm run it.
 */
export const npmName: string = "";

// Reads and checks minisign's public keys and signatures (https://jedisct1.github.io/minisign): Ed25519 over BLAKE2b-512.

/** What a signature file says; `comment` is to be believed only once `isSignedBy` is true. */
interface Signature {
  /** The key's id, as minisign prints it. */
  keyId: string;
  /** The trusted comment. */
  comment: string;
  signature: Buffer;
  /** Signs the signature and the trusted comment. */
  commentSignature: Buffer;
}

/** A public key and its id, as minisign prints it. */
export interface PublicKey {
  id: string;
  bytes: Buffer;
}

/** Of a public key's file, or its second line alone; undefined where it is none. */
export function readPublicKey(text: string): PublicKey | undefined {
  const bytes = Buffer.from(text.trim().split("\n").at(-1)?.trim() ?? "", "base64");
  if (bytes.length !== 42 || bytes.toString("latin1", 0, 2) !== "Ed") return undefined;
  return { id: keyIdOf(bytes.subarray(2, 10)), bytes: bytes.subarray(10) };
}

/** Of a signature's file; undefined where it is none, or of the old kind that is not prehashed. */
export function readSignature(text: string): Signature | undefined {
  const [untrusted, line = "", trusted = "", last = ""] = text.split(/\r?\n/);
  const bytes = Buffer.from(line, "base64");
  const commentSignature = Buffer.from(last, "base64");
  const comment = /^trusted comment: (.*)$/.exec(trusted)?.[1];
  const isWhole = bytes.length === 74 && commentSignature.length === 64 && comment !== undefined;
  if (!untrusted?.startsWith("untrusted comment: ") || !isWhole) return undefined;
  if (bytes.toString("latin1", 0, 2) !== "ED") return undefined;
  const [keyId, signature] = [keyIdOf(bytes.subarray(2, 10)), bytes.subarray(10)];
  return { keyId, comment, signature, commentSignature };
}

/** Whether the key signed both the data and the trusted comment. */
export function isSignedBy(key: PublicKey, data: Uint8Array, signed: Signature): boolean {
  const jwk = { kty: "OKP", crv: "Ed25519", x: key.bytes.toString("base64url") };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const { signature, comment, commentSignature } = signed;
  return (
    key.id === signed.keyId &&
    verify(null, prehashed(data), publicKey, signature) &&
    verify(null, withComment(signature, comment), publicKey, commentSignature)
  );
}

/** What is signed of a file's bytes. */
export function prehashed(data: Uint8Array): Buffer {
  return createHash("blake2b512").update(data).digest();
}

/** What the second signature is of. */
export function withComment(signature: Uint8Array, comment: string): Buffer {
  return Buffer.concat([signature, Buffer.from(comment)]);
}

/** As minisign prints it: the bytes in reverse. */
export function keyIdOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString("hex").toUpperCase();
}
