// What a release says of itself: by package.json, by git of the checkout that it is made from, and by CHANGELOG.md.

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

// CHANGELOG.md by version: what a release's notes are, and what a new version is called there.

const heading = /^## \[?([^\]\s]+)\]?.*$/gm;

const unreleased = "Unreleased";

const migration = /^### Migration\n[\s\S]*?(?=^### |$(?![\s\S]))/m;

/** What a person reads of `version`: what its section opens with and its migration, or all of it where it opens with a list of changes. */
export function notesFor(changelog: string, version: string): string {
  const section = sectionOf(changelog, version);
  const opening = section.split(/^### /m, 1)[0]?.trim();
  if (!opening) return section;
  const parts = [opening, migration.exec(section)?.[0].trim()];
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}

/** Whether nobody wrote words for people, so that the notes are the lists. */
export function areLists(notes: string): boolean {
  return notes.startsWith("### ");
}

/** The section of `version`, without its heading. Throws where there is none, or where it says nothing. */
function sectionOf(changelog: string, version: string): string {
  const heads = [...changelog.matchAll(heading)];
  const at = heads.findIndex(([, name]) => name === version);
  const head = heads[at];
  const end = heads[at + 1]?.index ?? changelog.length;
  const notes = head && changelog.slice(head.index + head[0].length, end).trim();
  if (notes) return `${notes}\n`;
  throw new Error(
    version === unreleased
      ? `There is nothing under "## [${unreleased}]" in CHANGELOG.md: write what changed, then bump`
      : `CHANGELOG.md says nothing of ${version}`,
  );
}

/** The changelog with what was unreleased under `version`, and an empty section for what comes next. */
export function withVersion(changelog: string, version: string, day: string): string {
  const section = sectionOf(changelog, unreleased);
  if (new RegExp(`^## \\[${RegExp.escape(version)}\\]`, "m").test(changelog))
    throw new Error(`CHANGELOG.md has a section for ${version} already`);
  return changelog.replace(
    /^## \[Unreleased\]\n[\s\S]*?(?=^## |$(?![\s\S]))/m,
    () => `## [Unreleased]\n\n## [${version}] - ${day}\n\n${section}\n`,
  );
}
