// Checks the folder of a release, and makes it again to compare: every file by the list, every program for its system, the licenses by the list of parts.

import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { isSignedBy, readPublicKey, readSignature } from "../install/release-source.ts";
import { checkSignature } from "./code-signing.ts";
import { git } from "./facts.ts";
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

// Makes a release again in another folder, from nothing but its commit, and compares: who doubts a binary can build it.

interface Verified {
  /** The checkout of the release's commit. */
  root: string;
  /** The release. */
  folder: string;
  /** How it was made. */
  only: readonly string[];
  address: string;
  trial: boolean;
}

/** What is wrong with the release in `folder`: files that are not as listed, and those that a second build makes otherwise. */
export async function verify({ root, folder, only, address, trial }: Verified): Promise<string[]> {
  const problems = await checkSums(folder);
  const room = await mkdtemp(join(tmpdir(), "memoir-verify-"));
  const checkout = join(room, "another checkout");
  try {
    git(root, "clone", "--quiet", "--no-hardlinks", root, checkout);
    git(checkout, "checkout", "--quiet", "--detach", git(root, "rev-parse", "HEAD"));
    const outdir = join(room, "again");
    const given = [...only.flatMap((name) => ["--only", name]), "--address", address];
    given.push("--signed-as", folder, "--within-verify");
    await run(checkout, "install", "--frozen-lockfile");
    await run(
      checkout,
      "src/release/release.ts",
      "--outdir",
      outdir,
      ...given,
      ...(trial ? ["--trial"] : []),
    );
    const unlisted = await scriptDifferences(folder, outdir);
    return [...problems, ...differences(await list(folder), await list(outdir)), ...unlisted];
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

/** What two lists do not agree on, in words. */
export function differences(one: string, other: string): string[] {
  const [left, right] = [readSums(one), readSums(other)];
  const names = [...new Set([...left.keys(), ...right.keys()])].sort();
  const [head, otherHead] = [one, other].map((text) => text.split("\n", 1)[0]);
  return [
    ...(head === otherHead
      ? []
      : [`the list begins with "${head}", and again with "${otherHead}"`]),
    ...names.flatMap((name) => {
      if (left.get(name) === right.get(name)) return [];
      if (!left.has(name)) return [`${name} is missing`];
      return [right.has(name) ? `${name} is another one` : `${name} is not made again`];
    }),
  ];
}

/** The list cannot name the two scripts, as they hold its sum. */
async function scriptDifferences(folder: string, again: string): Promise<string[]> {
  const read = (from: string, file: string) =>
    readFile(join(from, file), "utf8").catch(() => undefined);
  const problems: string[] = [];
  for (const file of ["install.sh", "install.ps1"]) {
    const [one, other] = await Promise.all([read(folder, file), read(again, file)]);
    if (one === undefined) problems.push(`${file} is missing`);
    else if (one !== other) problems.push(`${file} is another one`);
  }
  return problems;
}

/** Who signed the release in `folder`, in words; wrong where its signature is nobody's of `keys`, not where it has none yet. */
export async function signatureProblem(
  folder: string,
  keys: readonly string[],
): Promise<{ isWrong: boolean; words: string }> {
  const text = await readFile(join(folder, "SHA256SUMS.minisig"), "utf8").catch(() => undefined);
  if (text === undefined) return { isWrong: false, words: "it is not signed yet" };
  const signature = readSignature(text);
  const data = await readFile(join(folder, "SHA256SUMS"));
  const by = keys
    .map((line) => readPublicKey(line))
    .find((key) => key && signature && isSignedBy(key, data, signature));
  return by
    ? { isWrong: false, words: `signed by ${by.id}` }
    : { isWrong: true, words: "SHA256SUMS.minisig is no signature by one of releaseKeys" };
}

function list(folder: string): Promise<string> {
  return readFile(join(folder, "SHA256SUMS"), "utf8");
}

/** Runs this Bun in the checkout. Without key and signer: nothing there is to be signed. */
async function run(checkout: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, MEMOIR_SECRET_KEY: "", MEMOIR_WINDOWS_SIGNER: "" };
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: checkout,
    env,
    stdout: args[0] === "install" ? "ignore" : "inherit",
    stderr: "pipe",
  });
  const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0)
    throw new Error(`bun ${args[0]} in another checkout ended with ${code}: ${said.trim()}`);
}
