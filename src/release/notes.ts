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
