// Checks the folder of a release: every file by the list, every program for its system, the licenses by the list of parts.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { checkSignature } from "./macho.ts";
import type { Target } from "./targets.ts";

/** The list's lines: file → SHA-256. */
export function readSums(text: string): Map<string, string> {
  const lines = [...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)];
  return new Map(lines.map(([, sum = "", file = ""]) => [file, sum]));
}

/** The SHA-256 of these bytes, in hexadecimal. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Files of the folder whose sum is not as listed, each with why. */
export async function checkSums(folder: string): Promise<string[]> {
  const sums = readSums(await readFile(join(folder, "SHA256SUMS"), "utf8"));
  const problems: string[] = sums.size === 0 ? ["SHA256SUMS lists nothing"] : [];
  for (const [file, sum] of sums) {
    const bytes = await readFile(join(folder, file)).catch(() => undefined);
    if (bytes === undefined) problems.push(`${file} is missing`);
    else if (sha256(bytes) !== sum) problems.push(`${file} is not as SHA256SUMS says`);
  }
  return problems;
}

/** What is wrong with a program for this system; undefined where nothing is. */
export function programProblem(bytes: Uint8Array, { os, cpu }: Target): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = processorOf(view);
  if (found !== `${os} ${cpu}`) return `it is a program for ${found ?? "no system known"}`;
  if (os !== "darwin") return undefined;
  const { wrong, pages } = checkSignature(bytes);
  return wrong.length === 0 ? undefined : `${wrong.length} of ${pages} pages are not as signed`;
}

/** By the words that the three formats begin with. */
function processorOf(view: DataView): string | undefined {
  const start = view.getUint32(0);
  const named = (os: string, code: number, x64: number, arm64: number) =>
    code === x64 ? `${os} x64` : code === arm64 ? `${os} arm64` : undefined;
  if (start === 0x7f454c46) return named("linux", view.getUint16(18, true), 62, 183);
  if (start === 0xcffaedfe) return named("darwin", view.getUint32(4, true), 0x1000007, 0x100000c);
  if (view.getUint16(0) !== 0x4d5a) return undefined;
  return named("win32", view.getUint16(view.getUint32(60, true) + 4, true), 0x8664, 0xaa64);
}

/** The target that runs here, unless it is one of musl's: those say so themselves. */
export function isHere({ os, cpu, libc }: Target): boolean {
  return os === process.platform && cpu === process.arch && libc !== "musl";
}
