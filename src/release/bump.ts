// `bun run bump <version>`: the sources call themselves so from now on, and CHANGELOG's unreleased changes are that version's.

import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { areLists, notesFor, withVersion } from "./facts.ts";
import { runScript } from "./script.ts";

const root = resolve(import.meta.dir, "../..");

/** package.json's text with the version. Throws for one that is no version, or not after the present one. */
export function withNumber(manifest: string, version: string): string {
  const present = String(JSON.parse(manifest).version);
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`"${version}" is no version: give 1.2.3`);
  if (Bun.semver.order(version, present) !== 1)
    throw new Error(`${version} is not after ${present}`);
  return manifest.replace(`"version": "${present}"`, `"version": "${version}"`);
}

async function main([version = ""]: string[]): Promise<number> {
  const day = new Date().toISOString().slice(0, 10);
  const [manifest, changelog] = ["package.json", "CHANGELOG.md"].map((file) => join(root, file));
  // Both are worked out before one is written: a mistake leaves nothing half done.
  const numbered = withNumber(await readFile(`${manifest}`, "utf8"), version);
  const dated = withVersion(await readFile(`${changelog}`, "utf8"), version, day);
  await writeFile(`${manifest}`, numbered);
  await writeFile(`${changelog}`, dated);
  // The client's plugin names the version too.
  const made = Bun.spawnSync([process.execPath, join(import.meta.dir, "write-hooks.ts")]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  const notes = notesFor(dated, version);
  const next = areLists(notes)
    ? "Write a few sentences before the lists of its section in CHANGELOG.md: they are the release notes."
    : "Read its notes in CHANGELOG.md.";
  const run = `npx -y bun@${Bun.version} run`;
  console.log(`memoir is ${version} now. ${next} Then:

  ${run} check
  git commit -am "Release ${version}"
  git tag -a v${version} -m "memoir ${version}"
  ${run} release --secret-key <file>    # with MEMOIR_SIGNING_PASSWORD
  ${run} release --verify
  git push origin main v${version}

"Cutting a release" in docs/developers/release.md says what each does, and how it is published.`);
  return 0;
}

if (import.meta.main) await runScript(import.meta.path, main);
