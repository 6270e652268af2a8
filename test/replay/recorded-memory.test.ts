// What recorded sessions leave in memory, byte for byte: their records, the contexts made of them, what searches find.
// The golden file holds digests alone; a change that is meant is written with UPDATE_GOLDEN=1 and explained in its commit.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, realpath, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { recordings } from "../quality/recordings.ts";
import { expectGolden } from "../support/golden.ts";
import { runMemoir } from "../support/run-memoir.ts";

const folders = ["entireio-cli", "marot-spotter", "d-kimuson-claude-code-viewer"];
const golden = join(import.meta.dirname, "golden/recorded-memory.json");
const questions = [
  "trailer blank line commit",
  "why did the integration test fail",
  "package scopes session paths",
  "run_in_terminal hook wrapper settings.json",
  "what was decided about the status command output",
  "shared transcript presentation",
  "Übersicht",
  '"CLAUDE.md"',
];

const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/**
 * Ids as numbered by their order, kind by kind, for a text of any sort: a turn that is stored again, once its session has gone on
 * in another file, takes a number more or not, as the files are read beside each other.
 */
function numbering(lines: readonly string[]): (text: string) => string {
  const ids = lines.flatMap((line) => /"id":"([a-z]\d+)"/.exec(line)?.[1] ?? []);
  const inOrder = ids.sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  const ranks = new Map<string, string>();
  for (const [letter, of] of Map.groupBy(inOrder, ([first]) => first))
    for (const [at, id] of of.entries()) ranks.set(id, `${letter}${at + 1}`);
  return (text) => text.replace(/(?<![\\\w])[a-z]\d+\b/g, (id) => ranks.get(id) ?? id);
}

interface Line {
  kind: string;
  /** Absent from the lines that begin and end an export. */
  record?: { id: string; startedAt?: number; time?: number };
}

/** As they happened: an export has what was written last at its end. When it was written is of this run, and left out. */
function byTime(one: Line, other: Line): number {
  const timeOf = ({ record }: Line) => record?.startedAt ?? record?.time ?? 0;
  const numberOf = ({ record }: Line) => Number(record?.id.slice(1) ?? 0);
  return timeOf(one) - timeOf(other) || numberOf(one) - numberOf(other) || 0;
}

/** A record's age counts a little, so its score goes down from day to day. */
const withoutScore = ({ score: _score, ...hit }: { score: number }) => hit;

interface Row {
  kind: string;
  session?: string;
  promptNumber?: number;
}

/** A moment is one row of a list, whatever was concluded from it. */
function expectEachOnce(
  list: string[],
  { results, items = [] }: { results?: Row[]; items?: Array<{ record: Row }> },
): void {
  const rows = results ?? items.map(({ record }) => record);
  const moments = rows
    .filter(({ kind }) => kind !== "memory" && kind !== "session")
    .map(({ session, promptNumber }) => `${session} ${promptNumber}`);
  expect({ list, moments }).toEqual({ list, moments: [...new Set(moments)] });
}

describe.skipIf(!existsSync(recordings))("memory of recorded sessions", () => {
  let root = "";
  let env: Record<string, string> = {};
  const memoir = async (...args: string[]) => {
    const { code, out, err } = await runMemoir(args, env, root);
    expect({ args, code, err: code === 0 ? "" : err }).toEqual({ args, code: 0, err: "" });
    return out.replaceAll(root, "<root>");
  };

  // For each attempt anew: what one left behind would be what the next one finds.
  beforeEach(async () => {
    // Digits of one length: letters drawn by chance are words to search and may look like a key to redaction.
    const name = `memoir-recorded-${String(process.pid).padStart(8, "0")}`;
    root = join(await realpath(tmpdir()), name);
    const projects = join(root, ".claude/projects");
    await mkdir(projects, { recursive: true });
    for (const folder of folders)
      await cp(join(recordings, folder), join(projects, folder), { recursive: true });
    // Backfill takes the newest file first, so the files need an age that does not come from this copy.
    const copied = (await readdir(projects, { recursive: true })).sort();
    for (const [at, name] of copied.entries())
      await utimes(join(projects, name), 1_770_000_000 + at, 1_770_000_000 + at);
    env = { HOME: root, MEMOIR_HOME: join(root, "home"), CLAUDE_CONFIG_DIR: join(root, ".claude") };
  });
  afterEach(async () => {
    await runMemoir(["server", "stop"], env, root);
    await rm(root, { recursive: true, force: true });
  });

  test("records, contexts and search results are the recorded ones", async () => {
    await memoir("backfill", "--yes");
    const path = join(root, "export.jsonl");
    await memoir("memory", "export", path);
    const exported = (await readFile(path, "utf8")).replaceAll(root, "<root>").trim().split("\n");
    const numbered = numbering(exported);
    // What was derived and given up on the way is forgotten: whether there is any is a matter of time.
    const lines = exported
      .map((line) => JSON.parse(numbered(line)))
      .filter(({ memoir }) => memoir !== "forgotten");
    const records: Record<string, string[]> = {};
    const projects = new Set<string>();
    for (const { kind, record } of lines.sort(byTime)) {
      if (record === undefined) continue;
      const session = kind === "session" ? record.id : (record.session ?? "none");
      const line = JSON.stringify({ kind, record });
      records[`${session} ${kind}`] = [...(records[`${session} ${kind}`] ?? []), line];
      if (kind === "session") projects.add(record.project.id);
    }
    const contexts: Record<string, string> = {};
    for (const project of [...projects].sort()) {
      // A repository's name is no folder here, and the command refuses one that is not there.
      if (!isAbsolute(project)) await mkdir(join(root, project), { recursive: true });
      contexts[basename(project)] = digest(numbered(await memoir("context", "--cwd", project)));
    }
    const found: Record<string, string> = {};
    for (const question of questions) {
      const { results } = JSON.parse(numbered(await memoir("search", question, "--json")));
      found[question] = digest(JSON.stringify(results.map(withoutScore)));
    }
    for (const list of [
      ...questions.map((words) => ["search", words]),
      ["search"],
      ["memory", "timeline"],
    ])
      expectEachOnce(list, JSON.parse(await memoir(...list, "--limit", "200", "--json")));
    const kept = Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1));
    const digests = {
      records: Object.fromEntries(
        kept.map(([key, of]) => [key, `${of.length} ${digest(of.join("\n")).slice(0, 16)}`]),
      ),
      contexts,
      found,
    };
    await expectGolden(golden, `${JSON.stringify(digests, undefined, 2)}\n`);
  }, 300_000);
});
