// What `plugin dev` tells of a session that it plays through memoir.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleEvents } from "../../../../src/cli/plugins/dev/material.ts";
import { type Replayed, replay } from "../../../../src/cli/plugins/dev/replay.ts";

let folder: string;
let told: Replayed;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-replayed-"));
  const { events } = await sampleEvents(folder, Date.UTC(2026, 10, 20, 14));
  told = await replay({ events, config: {}, env: { HOME: folder } });
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The lines below a heading. */
function below(heading: string): string[] {
  const from = told.lines.indexOf(`# ${heading}`) + 1;
  const to = told.lines.findIndex((line, at) => at >= from && line.startsWith("# "));
  return told.lines.slice(from, to < 0 ? undefined : to).map((line) => line.slice(2));
}

const placeOf = (heading: string, words: string) =>
  below(heading).findIndex((line) => line.includes(words));

test.each([
  ["observations", "logged out an hour too early", "Ship project-x"],
  ["summaries", "logged out an hour too early", "Ship project-x"],
  ["events as they are kept", "SessionStart", "SessionEnd"],
])("%s are told in the order in which they came about", (heading, first, last) => {
  expect(placeOf(heading, first)).toBeGreaterThanOrEqual(0);
  expect(placeOf(heading, last)).toBeGreaterThan(placeOf(heading, first));
});

test("a search for the first observation, and what the next session is given, show what is kept", () => {
  expect(told.lines.filter((line) => line.startsWith("# search "))).toEqual(["# search Users get"]);
  expect(placeOf("search Users get", "bugfix: Users get logged out")).toBeGreaterThanOrEqual(0);
  expect(placeOf("the next session is given", "project-x runs on staging")).toBeGreaterThanOrEqual(
    0,
  );
  expect(told.failed).toEqual([]);
});
