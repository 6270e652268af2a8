// What a release says of itself: by package.json, and by git of the checkout that it is made from.

import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A release, as its commit says. */
export interface ReleaseFacts {
  version: string;
  commit: string;
  /** Of the commit, in seconds since 1970: whatever a release dates has this date. */
  seconds: number;
  /** The commit's day where it was made: `2026-11-27`. */
  day: string;
  /** The version of the Bun that is in the binary. */
  bun: string;
}

/** Reads them. Rejects where `root` is no checkout. */
export async function releaseFacts(root: string): Promise<ReleaseFacts> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const [commit = "", seconds, day = ""] = git(root, "log", "-1", "--format=%H %ct %cs").split(" ");
  return { version, commit, seconds: Number(seconds), day, bun: Bun.version };
}

/** Why no release can be made of this checkout; undefined where nothing is wrong. */
export function problemOf(
  root: string,
  { version, commit, bun }: ReleaseFacts,
  wanted: string,
): string | undefined {
  if (bun !== wanted) return `This is Bun ${bun}, and releases are made with ${wanted}.`;
  const changed = git(root, "status", "--porcelain");
  if (changed !== "") return `The checkout has changes; commit or stash them:\n${changed}`;
  const tag = `v${version}`;
  if (git(root, "tag", "--list", tag) === "")
    return `There is no tag ${tag}: git tag -a ${tag} -m "memoir ${version}"`;
  const tagged = git(root, "rev-list", "-n1", tag);
  return tagged === commit ? undefined : `${tag} is on ${tagged}, and this is ${commit}.`;
}

/** What git prints, without the ends. Throws where it fails. */
export function git(root: string, ...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...args], { cwd: root });
  if (exitCode !== 0) throw new Error(`git ${args[0]} failed: ${stderr.toString().trim()}`);
  return stdout.toString().trimEnd();
}
