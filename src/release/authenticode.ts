// Signatures of Windows programs. A certificate and its tool are the publisher's; here is what a release does around them:
//
//   program ─ signer (any program, called with the file to sign) ─> signed program ─> checked to differ in its signature alone
//   program + a signed one of the same commit ─> the signed one again: how somebody without the certificate compares bytes

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
