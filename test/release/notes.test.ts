// CHANGELOG by version: the notes of one, and a new one.
import { expect, test } from "bun:test";
import { withNumber } from "../../src/release/bump.ts";
import { areLists, notesFor, withVersion } from "../../src/release/facts.ts";

const changelog = `# Changelog

Words.

## [Unreleased]

### Added

- New.

## [0.2.0] - 2026-11-27

- Second.

## [0.1.0] - 2026-01-02

- First.
`;

test("a version's notes are its section", () => {
  expect(notesFor(changelog, "0.2.0")).toBe("- Second.\n");
  expect(notesFor(changelog, "0.1.0")).toBe("- First.\n");
  expect(() => notesFor(changelog, "0.3.0")).toThrow("says nothing of 0.3.0");
  expect(() => notesFor("## [1.0.0]\n\n## [0.9.0]\n- x", "1.0.0")).toThrow("says nothing of 1.0.0");
});

test("words before the first list of changes are the notes", () => {
  const opened = changelog.replace("### Added", "Faster.\n\n- A list.\n\n### Added");
  expect(notesFor(opened, "Unreleased")).toBe("Faster.\n\n- A list.\n");
  expect([opened, changelog].map((text) => areLists(notesFor(text, "Unreleased")))).toEqual([
    ...[false, true],
  ]);
  const next = withVersion(opened, "0.3.0", "2026-12-01");
  expect([notesFor(next, "0.3.0"), next.includes("- New.")]).toEqual([
    "Faster.\n\n- A list.\n",
    true,
  ]);
});

test("what a new version asks of its users is among the notes, wherever it stands", () => {
  const moved = "### Migration\n\n- Move it.\n";
  const opened = changelog.replace("### Added", `Faster.\n\n### Added`);
  for (const text of [
    opened.replace("## [0.2.0]", `${moved}\n## [0.2.0]`),
    opened.replace("### Added", `${moved}\n### Added`),
  ]) {
    expect(notesFor(text, "Unreleased")).toBe(`Faster.\n\n${moved}`);
    expect(areLists(notesFor(text, "Unreleased"))).toBe(false);
  }
});

test("a new version takes what was unreleased", () => {
  const next = withVersion(changelog, "0.3.0", "2026-12-01");
  expect(notesFor(next, "0.3.0")).toBe("### Added\n\n- New.\n");
  expect(() => notesFor(next, "Unreleased")).toThrow("There is nothing under");
  expect(next.replace("## [0.3.0] - 2026-12-01\n\n", "")).toBe(changelog);
  expect(() => withVersion(changelog, "0.2.0", "2026-12-01")).toThrow("already");
  expect(notesFor(withVersion("## [Unreleased]\n\n- Only.\n", "0.1.0", "d"), "0.1.0")).toBe(
    "- Only.\n",
  );
});

test("a version goes up", () => {
  const manifest = '{\n  "version": "0.2.9",\n  "x": "0.2.9"\n}\n';
  expect(withNumber(manifest, "0.2.10")).toBe(
    manifest.replace('"version": "0.2.9"', '"version": "0.2.10"'),
  );
  for (const wrong of ["0.2.9", "0.2.8", "0.1.99", "v1.0.0", "1.0", ""])
    expect(() => withNumber(manifest, wrong)).toThrow();
});
