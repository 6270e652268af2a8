// Signatures of a release's programs, first macOS's, then Windows's.
//
// Signs macOS programs ad hoc, and checks such signatures page by page: Apple's systems kill a program whose pages are not as signed.
// What the compiler leaves on x64 is Bun's own signature, which the appended program made wrong. `macho-unsign` (npm) only takes
// it off, `rcodesign` is in no registry that a build uses, and Apple's codesign runs on a Mac alone.

import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pageSize = 4_096;
const hashSize = 32;
/** The directory's fixed part, of the version that names where the program's text is. */
const fixedSize = 88;
const version = 0x20400;
/** Ad hoc, and by a linker: `codesign` replaces it without being forced to. */
const flags = 0x20002;
const superBlob = 0xfade0cc0;
const directory = 0xfade0c02;

/** Where the parts of a 64-bit program for one processor are that a signature has to do with. */
interface Program {
  view: DataView;
  /** The load command that says where the signature is. */
  command: number;
  signatureAt: number;
  /** The segment that ends with it. */
  linkedit: number;
  text: { start: bigint; size: bigint };
}

/** The program signed anew, in place of the signature that it has. Throws for a file that is no such program. */
export function signAdHoc(program: Uint8Array, name: string): Uint8Array {
  const { signatureAt } = parse(program);
  const identifier = Buffer.from(`${name}\0`);
  const pages = Math.ceil(signatureAt / pageSize);
  const length = fixedSize + identifier.length + pages * hashSize;
  const size = Math.ceil((20 + length) / 16) * 16;
  const signed = Buffer.alloc(signatureAt + size);
  signed.set(program.subarray(0, signatureAt));
  const { view, command, linkedit, text } = parse(signed);
  view.setUint32(command + 12, size, true);
  const tail = BigInt(signed.length) - view.getBigUint64(linkedit + 40, true);
  view.setBigUint64(linkedit + 48, tail, true);
  const systemPage = 0x4000n;
  view.setBigUint64(linkedit + 32, ((tail + systemPage - 1n) / systemPage) * systemPage, true);
  // A blob of blobs with one in it.
  const words = [superBlob, 20 + length, 1, 0, 20];
  const hashesAt = fixedSize + identifier.length;
  words.push(directory, length, version, flags, hashesAt, fixedSize, 0, pages, signatureAt);
  for (const [at, word] of words.entries()) signed.writeUInt32BE(word, signatureAt + at * 4);
  const at = signatureAt + 20;
  // The kind of hash is SHA-256; a page is 2 to the 12th.
  signed.set([hashSize, 2, 0, 12], at + 36);
  signed.writeBigUInt64BE(text.start, at + 64);
  signed.writeBigUInt64BE(text.size, at + 72);
  // A main program, of which other parts are none.
  signed.writeBigUInt64BE(1n, at + 80);
  signed.set(identifier, at + fixedSize);
  for (let page = 0; page < pages; page++)
    signed.set(hashOf(signed, page, signatureAt), at + hashesAt + page * hashSize);
  return signed;
}

/** Pages whose hash the program's signature has wrong, and how many there are. Throws where it has no signature. */
export function checkSignature(program: Uint8Array): { wrong: number[]; pages: number } {
  const { signatureAt, view } = parse(program);
  if (view.getUint32(signatureAt) !== superBlob) throw new Error("there is no signature");
  const at = signatureAt + view.getUint32(signatureAt + 16);
  if (view.getUint32(at) !== directory) throw new Error("the signature has no directory");
  const [hashesAt, pages, limit] = [16, 28, 32].map((field) => view.getUint32(at + field));
  if (limit !== signatureAt)
    throw new Error(`the signature covers ${limit} bytes of ${signatureAt}`);
  const wrong = Array.from({ length: pages ?? 0 }, (_, page) => page).filter((page) => {
    const from = at + (hashesAt ?? 0) + page * hashSize;
    return !hashOf(program, page, signatureAt).equals(program.subarray(from, from + hashSize));
  });
  return { wrong, pages: pages ?? 0 };
}

function hashOf(program: Uint8Array, page: number, end: number): Buffer {
  const bytes = program.subarray(page * pageSize, Math.min((page + 1) * pageSize, end));
  return createHash("sha256").update(bytes).digest();
}

function parse(program: Uint8Array): Program {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  if (view.getUint32(0, true) !== 0xfeedfacf) throw new Error("this is no macOS program");
  let [command, linkedit] = [0, 0];
  let text = { start: 0n, size: 0n };
  for (let at = 32, left = view.getUint32(16, true); left > 0; left--) {
    const kind = view.getUint32(at, true);
    const segment = kind === 0x19 ? Buffer.from(program.subarray(at + 8, at + 24)).toString() : "";
    if (kind === 0x1d) command = at;
    else if (segment.startsWith("__LINKEDIT\0")) linkedit = at;
    else if (segment.startsWith("__TEXT\0"))
      text = { start: view.getBigUint64(at + 40, true), size: view.getBigUint64(at + 48, true) };
    at += view.getUint32(at + 4, true);
  }
  if (command === 0 || linkedit === 0) throw new Error("the program has no place for a signature");
  return { view, command, linkedit, text, signatureAt: view.getUint32(command + 8, true) };
}

// Signatures of Windows programs. A certificate and its tool are the publisher's; here is what a release does around them:
//
//   program ─ signer (any program, called with the file to sign) ─> signed program ─> checked to differ in its signature alone
//   program + a signed one of the same commit ─> the signed one again: how somebody without the certificate compares bytes

/** What a signature changes of a program. */
interface Places {
  /** The header's checksum of the file. */
  checksum: number;
  /** The header's entry for where the signature is, and how long. */
  entry: number;
  /** The signature's first byte, at the file's end; undefined where there is none. */
  signature?: number;
}

function placesOf(program: Uint8Array): Places {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const optional = view.getUint32(60, true) + 24;
  if (view.getUint16(optional, true) !== 0x20b) throw new Error("it is no 64-bit Windows program");
  const entry = optional + 144;
  const [at, size] = [view.getUint32(entry, true), view.getUint32(entry + 4, true)];
  if (size > 0 && at + size !== program.length) throw new Error("its signature is not at its end");
  return { checksum: optional + 64, entry, ...(size > 0 && { signature: at }) };
}

/** Whether somebody signed the program. */
export function isSigned(program: Uint8Array): boolean {
  return placesOf(program).signature !== undefined;
}

/** The program with the signature of another file, which fits where both were the same before one was signed. */
export function withSignatureOf(program: Uint8Array, signed: Uint8Array): Uint8Array {
  const { checksum, entry, signature } = placesOf(signed);
  if (signature === undefined) return program;
  const all = Buffer.alloc(Math.max(signed.length, program.length));
  all.set(program);
  all.set(signed.subarray(signature), signature);
  for (const [at, length] of [
    [checksum, 4],
    [entry, 8],
  ] as const)
    all.set(signed.subarray(at, at + length), at);
  return all;
}

/** The program as `signer` signs it. Rejects where that fails, does not sign, or changes anything else. */
export async function signedBy(signer: string, program: Uint8Array): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-sign-"));
  try {
    const file = join(folder, "memoir.exe");
    await writeFile(file, program);
    const { exitCode, stdout, stderr } = Bun.spawnSync([signer, file]);
    const said = `${stdout}${stderr}`.trim();
    if (exitCode !== 0) throw new Error(`${signer} ended with ${exitCode}: ${said}`);
    const signed = await readFile(file);
    if (!isSigned(signed)) throw new Error(`${signer} did not sign`);
    if (Buffer.compare(withSignatureOf(program, signed), signed) !== 0)
      throw new Error(`${signer} changed more than the signature`);
    return signed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
