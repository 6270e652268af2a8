// Makes a release again in another folder, from nothing but its commit, and compares: who doubts a binary can build it.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { isSignedBy, readPublicKey, readSignature } from "../install/minisign.ts";
import { checkSums, readSums } from "./check.ts";
import { git } from "./facts.ts";

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
