// `memoir memory export` and `memoir memory import` as typed: what is asked page by page, what is written, and what is said of it.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { version } from "../../../src/home/version.ts";
import type { CannedAnswers } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { drawn, typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
const path = (name: string) => join(place.root, name);
beforeAll(async () => {
  place = await ownHome();
});
afterEach(async () => {
  for (const name of await readdir(place.root))
    if (/jsonl/.test(name)) await rm(path(name), { recursive: true });
});
afterAll(() => place.end());

const noon = Date.UTC(2026, 10, 21, 12);
const now = () => noon;
const bodies = (asked: ReadonlyArray<{ body?: unknown }>) => asked.map(({ body }) => body);
const turn = (id: string) => ({ kind: "turn", record: { id, text: "ä" } });

test("an export asks page after page with the same filter, and counts every record", async () => {
  const pages: CannedAnswers = {
    "/api/export": ({ body }) =>
      (body as { cursor?: object }).cursor
        ? { records: [turn("t3"), { kind: "prompt", record: {} }], next: null }
        : { records: [turn("t1"), turn("t2")], next: { stage: "turns", offset: 2 } },
  };
  const words = ["memory", "export", "all.jsonl", "-p", "./shop", "--since", "2h"];
  const filter = { project: path("shop"), since: noon - 7_200_000 };
  const shown = await typed(words, pages, { now });
  expect(bodies(shown.asked)).toEqual([
    filter,
    { ...filter, cursor: { stage: "turns", offset: 2 } },
  ]);
  const text = await readFile(path("all.jsonl"), "utf8");
  expect(text.endsWith("\n")).toBe(true);
  const lines = text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      ...{ memoir: "export", version: 1, time: "2026-11-21T12:00:00.000Z" },
      ...{ by: `memoir ${version}`, ...filter },
    },
    turn("t1"),
    turn("t2"),
    turn("t3"),
    { kind: "prompt", record: {} },
    { memoir: "end", records: { turn: 3, prompt: 1 } },
  ]);
  const { size } = await stat(path("all.jsonl"));
  expect(shown).toMatchObject({
    ...{ code: 0, out: [`✓ 4 records, ${size} B: ${path("all.jsonl")}`], err: [] },
  });
  const json = await typed([...words, "--json"], pages, { now });
  expect(JSON.parse(json.out.join(""))).toEqual({
    ...{ file: path("all.jsonl"), bytes: size, records: { turn: 3, prompt: 1 } },
  });
});

test("a project is a folder where it is written as one, else a name; `-` is stdout, where nothing else may stand", async () => {
  const answers = {
    "/api/export": { records: [turn("t1")], next: null },
    "/api/sessions": { sessions: [] },
  };
  const project = async (name: string) =>
    bodies((await typed(["memory", "export", "x.jsonl", "-p", name], answers)).asked).at(-1);
  expect(await project(".")).toEqual({ project: place.root });
  expect(await project("shop/./a")).toEqual({ project: "shop/./a" });
  for (const words of [
    ["memory", "export"],
    ["memory", "export", "-"],
    ["memory", "export", "-", "--json"],
  ]) {
    let said: string[] | undefined;
    const text = await drawn(async () => {
      said = (await typed(words, answers)).out;
    });
    const kinds = text.trimEnd().split("\n");
    expect(kinds.map((line) => JSON.parse(line).memoir ?? "record")).toEqual([
      ...["export", "record", "end"],
    ]);
    expect(said).toEqual([]);
  }
  expect(await readdir(place.root)).not.toContain("-");
});

test("an export that fails half way leaves the file that was there, and no draft", async () => {
  await writeFile(path("kept.jsonl"), "before");
  const failed = await typed(["memory", "export", "kept.jsonl"], {
    "/api/export": ({ body }) =>
      (body as { cursor?: object }).cursor
        ? { records: null, next: null }
        : { records: [turn("t1")], next: { stage: "turns", offset: 2 } },
  });
  expect(failed.code).toBe(1);
  expect(await readFile(path("kept.jsonl"), "utf8")).toBe("before");
  const wrong = await typed(["memory", "export", "kept.jsonl", "--since", "whenever"], {});
  expect([wrong.code, wrong.err[0]]).toEqual([2, expect.stringContaining("--since")]);
  expect((await readdir(place.root)).filter((name) => name.includes("jsonl"))).toEqual([
    "kept.jsonl",
  ]);
});

const header = '{"memoir":"export","version":1}';
const end = '{"memoir":"end"}';
const imported = (answer: object = {}) => ({
  ...{ stored: {}, known: 0, forgotten: 0, gone: 0, errors: [] },
  ...answer,
});
async function take(lines: readonly string[], answers: CannedAnswers, ...words: string[]) {
  await writeFile(path("in.jsonl"), lines.join("\n"));
  return typed(["memory", "import", "in.jsonl", ...words], answers);
}

test("lines are sent 200 at once, without blank ones and by the number they have in the file", async () => {
  const lines = Array.from({ length: 401 }, (_, at) => `{"kind":"turn","at":${at}}`);
  const shown = await take(
    [`\ufeff${header}`, "", ...lines, "  ", ` ${end}`],
    {
      "/api/import": ({ body }) => {
        const { length } = (body as { lines: unknown[] }).lines;
        return imported({ stored: { turns: length }, known: 1, forgotten: 2 });
      },
    },
    "--dry-run",
  );
  const sent = bodies(shown.asked) as Array<{ lines: Array<{ line: number }>; dryRun: boolean }>;
  expect(sent.map((batch) => [batch.lines.length, batch.lines[0]?.line, batch.dryRun])).toEqual([
    [200, 3, true],
    [200, 203, true],
    [1, 403, true],
  ]);
  expect([shown.code, shown.out, shown.err]).toEqual([
    0,
    [
      "✓ 401 records would be stored: 401 turns.",
      "  3 there already.",
      "  6 that you had forgotten stay so.",
    ],
    [],
  ]);
});

test("a batch has no more than a million characters, but always a line", async () => {
  const long = "x".repeat(600_000);
  const answers = { "/api/import": imported({ stored: { memory: 1, sessions: 1 } }) };
  const { asked, out } = await take([header, long, long, "x".repeat(1_200_000), "a", end], answers);
  const sent = bodies(asked) as Array<{ lines: unknown[]; dryRun: boolean }>;
  expect(sent.map(({ lines, dryRun }) => [lines.length, dryRun])).toEqual([
    ...[
      [1, false],
      [1, false],
      [1, false],
      [1, false],
    ],
  ]);
  expect(out).toEqual(["✓ 8 records stored: 4 sessions, 4 memory items."]);
  const half = "x".repeat(500_000);
  const two = await take([header, half, half, end], answers);
  expect(two.asked).toHaveLength(1);
});

test("bad lines are shown as they come, twenty of them, and counted; the exit code tells", async () => {
  const errors = Array.from({ length: 24 }, (_, at) => ({
    line: at + 2,
    message: `no\u0007 ${at}`,
  }));
  const answers = { "/api/import": imported({ errors }) };
  const shown = await take([header, "{}", end], answers);
  expect(shown.code).toBe(1);
  expect(shown.err).toHaveLength(21);
  expect([shown.err[0], shown.err[19], shown.err[20]]).toEqual([
    "line 2: no 0",
    "line 21: no 19",
    "…",
  ]);
  expect(shown.out).toEqual(["! 0 records stored.", "  24 lines left out."]);
  const json = await take(
    [header, "{}"],
    { "/api/import": imported({ stored: { turns: 1 } }) },
    "--json",
  );
  expect([json.code, JSON.parse(json.out.join(""))]).toEqual([
    1,
    {
      ...{ stored: { turns: 1 }, known: 0, forgotten: 0, gone: 0, bad: 0 },
      ...{ isWhole: false, dryRun: false },
    },
  ]);
  const cut = await take([header, "{}"], {
    "/api/import": imported({
      ...{ stored: { turns: 1 }, known: 1, forgotten: 1, gone: 2 },
      errors: [errors[0]],
    }),
  });
  expect([cut.code, cut.out]).toEqual([
    1,
    [
      "! 1 record stored: 1 turn.",
      "  1 there already.",
      "  1 that you had forgotten stay so.",
      "  2 records deleted, as where the file was made.",
      "  1 line left out.",
      "  The file ends early: what it held was imported; import it again once it is complete.",
    ],
  ]);
  const short = await take([header, "{}"], { "/api/import": imported() });
  expect([short.code, short.out[0]]).toEqual([1, "! 0 records stored."]);
  const none = await take([header, end], {});
  expect([none.code, none.asked, none.out]).toEqual([0, [], ["✓ 0 records stored."]]);
});

test("what was stored is counted by kind, in the order of a memory", async () => {
  const kinds = ["memory", "summaries", "observations", "turns", "prompts", "sessions"];
  const said = async (counts: (at: number) => number) =>
    (
      await take([header, "{}", end], {
        "/api/import": imported({
          stored: Object.fromEntries(kinds.map((kind, at) => [kind, counts(at)])),
        }),
      })
    ).out;
  expect(await said(() => 1)).toEqual([
    "✓ 6 records stored: 1 session, 1 prompt, 1 turn, 1 observation, 1 summary, 1 memory item.",
  ]);
  expect(await said((at) => at + 2)).toEqual([
    "✓ 27 records stored: 7 sessions, 6 prompts, 5 turns, 4 observations, 3 summaries, 2 memory items.",
  ]);
});

test("on a screen it draws how far it is, over itself; not where JSON is asked for", async () => {
  await writeFile(path("in.jsonl"), [header, "{}", end].join("\n"));
  const answers = {
    "/api/import": imported({ stored: { turns: 2 }, errors: [{ line: 2, message: "m" }] }),
  };
  const run = (...words: string[]) =>
    drawn(() => typed(["memory", "import", "in.jsonl", ...words], answers, { width: 80 }));
  const gone = "\r\u001b[2K";
  expect(await run()).toBe(`${gone}2 records …${gone}`);
  expect(await run("--json")).toBe("");
  expect(await drawn(() => typed(["memory", "import", "in.jsonl"], answers))).toBe("");
});

test("a folder, an empty file, a bare value and a header without a number are no exports", async () => {
  const why = async (lines: readonly string[]) => (await take(lines, {})).err[0];
  const unknown = `error: in.jsonl does not begin as an export of memoir does; nothing was imported.`;
  for (const first of ["", "null", "7", '{"memoir":"export","version":"1"}', '{"version":1}', "{"])
    expect(await why([first])).toBe(unknown);
  expect(await why(['{"memoir":"export","version":0}'])).toBe(
    `error: in.jsonl is an export of version 0; this memoir reads version 1.`,
  );
  const folder = await typed(["memory", "import", "."], {});
  expect(folder.err[0]).toBe(`error: ${place.root} cannot be read: it is no file`);
});

test("a file that cannot be written is named as it was given, not by its draft", async () => {
  const { code, err } = await typed(["memory", "export", path("no/such/folder/all.jsonl")], {});
  expect(code).toBe(1);
  expect(err[0]).toStartWith(`error: ${path("no/such/folder/all.jsonl")} cannot be written: `);
});
