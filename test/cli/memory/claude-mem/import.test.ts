// `memoir memory import --from claude-mem` as typed: which rows are sent as what, in which order, under which number, and what is said of them.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../../../../src/host/sqlite.ts";
import type { CannedAnswers } from "../../../support/canned-server.ts";
import { ownHome } from "../../../support/own-home.ts";
import { typed } from "../../../support/typed.ts";

const noon = Date.UTC(2026, 2, 1, 12);
let place: Awaited<ReturnType<typeof ownHome>>;
let path: string;
const temporary = process.env.TMPDIR;
beforeAll(async () => {
  place = await ownHome();
  path = join(place.root, "old.db");
  // Where the copy that is read lies, and nobody else's.
  process.env.TMPDIR = join(place.root, "tmp");
  await mkdir(process.env.TMPDIR);
});
afterAll(async () => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  await place.end();
});
beforeEach(() => rm(path, { recursive: true, force: true }));

/** A database of these tables: each row has the columns of the first. */
async function database(tables: Record<string, Array<Record<string, string | number | null>>>) {
  const db = await openDatabase(path);
  for (const [name, rows] of Object.entries(tables)) {
    const columns = Object.keys(rows[0] ?? {});
    db.exec(`CREATE TABLE ${name} (${columns.join(", ")})`);
    for (const row of rows)
      db.prepare(
        `INSERT INTO ${name} VALUES (${columns.map((column) => `$${column}`).join(", ")})`,
      ).run(row);
  }
  db.close();
}
interface Sent {
  line: number;
  kind: string;
  record: Record<string, unknown>;
}
async function take(words: readonly string[] = [], errors: object[] = []) {
  const answers: CannedAnswers = {
    "/api/import": {
      ...{ stored: {}, known: 0, forgotten: 0, gone: 0, errors },
    },
    "/api/endless/project": ({ query }) => ({
      project: { id: `id:${query.cwd}`, name: "n", root: query.cwd },
    }),
  };
  const shown = await typed(["memory", "import", "--from", "claude-mem", path, ...words], answers);
  const sent = shown.asked.flatMap(({ path: asked, body }) =>
    asked === "/api/import" ? (body as { lines: Array<{ line: number; text: string }> }).lines : [],
  );
  return {
    ...shown,
    sent: sent.map(({ line, text }): Sent => ({ line, ...JSON.parse(text) })),
  };
}
const session = (id: number, part: Record<string, string | number | null> = {}) => ({
  ...{ id, content_session_id: `c${id}`, memory_session_id: `m${id}`, project: "shop" },
  ...{ user_prompt: null, started_at_epoch: noon, ...part },
});
const apart = 1_000_000_000_000;

test("sessions come first, then prompts, observations and summaries, each under its table and number", async () => {
  await database({
    user_prompts: [
      { id: 4, session_db_id: 1, prompt_number: 2, prompt_text: "Why?", created_at_epoch: noon },
      { id: 5, session_db_id: 9, prompt_number: 1, prompt_text: "Whose?", created_at_epoch: noon },
    ],
    session_summaries: [
      { id: 7, memory_session_id: "m1", project: "shop", request: "R", created_at_epoch: noon },
      {
        id: 8,
        memory_session_id: "m1",
        project: "observer-sessions",
        request: "R",
        created_at_epoch: noon,
      },
      { id: 9, memory_session_id: "m8", project: "shop", request: "R", created_at_epoch: noon },
    ],
    observations: [
      {
        id: 1,
        memory_session_id: "m1",
        project: "shop",
        title: "T",
        type: "bugfix",
        created_at_epoch: noon,
      },
      {
        id: 2,
        memory_session_id: "manual-a",
        project: "shop",
        title: "By hand",
        type: "x",
        created_at_epoch: noon,
      },
      {
        id: 3,
        memory_session_id: "m1",
        project: "observer-sessions",
        title: "Own",
        type: "x",
        created_at_epoch: noon,
      },
      {
        id: 4,
        memory_session_id: "m8",
        project: "shop",
        title: "Nobody's",
        type: "x",
        created_at_epoch: noon,
      },
    ],
    sdk_sessions: [
      session(1),
      session(2, { user_prompt: "Before there were prompts" }),
      session(3, { started_at_epoch: null }),
    ],
  });
  const { sent, code, out, err } = await take();
  expect(sent.map(({ line, kind }) => [Math.floor(line / apart), line % apart, kind])).toEqual([
    [0, 1, "session"],
    [0, 2, "session"],
    [1, 4, "prompt"],
    [0, 2, "prompt"],
    [2, 1, "observation"],
    [2, 2, "memory"],
    [3, 7, "summary"],
  ]);
  expect([code, ...out]).toEqual([1, "! 0 records stored.", "  2 lines left out."]);
  expect(err).toEqual([
    "observations 4: its session is not in the database",
    "session_summaries 9: its session is not in the database",
  ]);
  expect(sent[3]?.record).toMatchObject({
    ...{ session: "c2", promptNumber: 1, text: "Before there were prompts", time: noon },
  });
  expect(sent[0]?.record).toMatchObject({ prompts: 2, endedAt: noon });
  expect(sent[1]?.record).not.toHaveProperty("prompts");
});

test("a session lasts until its newest record, and its first prompt counts only where it has no others", async () => {
  await database({
    user_prompts: [
      {
        id: 1,
        session_db_id: 1,
        prompt_number: 1,
        prompt_text: "Go",
        created_at_epoch: noon + 9_000,
      },
    ],
    sdk_sessions: [session(1, { user_prompt: "Go", started_at_epoch: noon })],
  });
  const { sent } = await take();
  expect(sent.map(({ kind }) => kind)).toEqual(["session", "prompt"]);
  expect(sent[0]?.record).toMatchObject({
    ...{ startedAt: noon, lastActiveAt: noon + 9_000, endedAt: noon + 9_000 },
  });
});

test("a project is looked up where the folder that was named, or that rows name, is; by hand stored too", async () => {
  await database({
    observations: [
      {
        id: 1,
        memory_session_id: "manual-a",
        project: "shop",
        title: "By hand",
        type: "x",
        created_at_epoch: noon,
        files_read: null,
      },
      {
        id: 2,
        memory_session_id: "m2",
        project: "blog",
        title: "T",
        type: "x",
        created_at_epoch: noon,
        files_read: '["/w/blog/a.md"]',
      },
    ],
    sdk_sessions: [session(1), session(2, { project: "blog" })],
  });
  const { sent } = await take(["--map", "shop=mine/shop", "--map", "other=/x"]);
  const shop = `id:${place.root}/mine/shop`;
  expect(
    sent.map(({ kind, record }) => [
      kind,
      (record.project as { id?: string }).id ?? record.project,
    ]),
  ).toEqual([
    ["session", shop],
    ["session", "id:/w/blog"],
    ["memory", shop],
    ["observation", "id:/w/blog"],
  ]);
  for (const wrong of ["shop", "=x", "shop="]) {
    const { code, err } = await take(["--map", wrong]);
    expect([code, err]).toEqual([
      2,
      [
        `error: --map ${wrong} is not written as name=folder.`,
        "fix: Say `--map shop=/home/me/shop`.",
      ],
    ]);
  }
});

test("a row with which something is wrong is named by its table and number", async () => {
  await database({
    observations: [
      {
        id: 12,
        memory_session_id: "m1",
        project: "p",
        title: "T",
        type: "x",
        created_at_epoch: noon,
      },
    ],
    sdk_sessions: [session(1)],
  });
  const { code, err } = await take(
    [],
    [{ line: 2 * apart + 12, message: "record.title: is too long" }],
  );
  expect([code, err]).toEqual([1, ["observations 12: record.title: is too long"]]);
});

test("the database lies where that program keeps it, or where its own variable says", async () => {
  const say = async (env: Record<string, string>) =>
    (
      await typed(
        ["memory", "import", "--from", "claude-mem"],
        {},
        {
          env: { HOME: place.root, MEMOIR_HOME: place.home, ...env },
        },
      )
    ).err[0];
  expect(await say({})).toStartWith(
    `error: ${place.root}/.claude-mem/claude-mem.db cannot be read`,
  );
  expect(await say({ CLAUDE_MEM_DATA_DIR: "/data" })).toStartWith(
    "error: /data/claude-mem.db cannot be read",
  );
});

test("what is no file, damaged, or another program's is refused, and no copy is left", async () => {
  await mkdir(path);
  expect((await take()).err[0]).toBe(`error: ${path} cannot be read: it is no file`);
  await rm(path, { recursive: true });
  await writeFile(path, "text".repeat(3_000));
  expect((await take()).err[0]).toBe(`error: ${path} is damaged.`);
  await rm(path);
  await database({ sdk_sessions: [session(1)] });
  expect((await take()).err).toEqual([
    `error: ${path} is no database of claude-mem.`,
    "fix: Name its `claude-mem.db`, as a rule in the folder `.claude-mem` of your home.",
  ]);
  await database({ user_prompts: [{ id: 1, prompt_text: "x" }] });
  expect((await take()).sent.map(({ kind }) => kind)).toEqual(["session"]);
  expect(await readdir(join(place.root, "tmp"))).toEqual([]);
});

test("a damaged log beside it is left out, which is said but not in JSON; the file keeps its bytes", async () => {
  await database({ sdk_sessions: [session(1)], user_prompts: [{ id: 1, prompt_text: "x" }] });
  await writeFile(`${path}-wal`, Buffer.alloc(40_000, 7));
  const bytes = await readFile(path);
  const { err, sent } = await take();
  expect(err.filter((line) => line.includes("-wal"))).toEqual(
    err.length === 0 ? [] : [`${path}-wal is damaged and left out; the rest can be read.`],
  );
  expect(sent).toHaveLength(1);
  expect((await take(["--json"])).err).toEqual([]);
  expect(await readFile(path)).toEqual(bytes);
  await rm(`${path}-wal`);
});

test("rows go in the order of their ids, however they lie; prompts alone are enough, and what is missing counts as none", async () => {
  await database({
    sdk_sessions: [session(2), session(1)],
    user_prompts: [
      { id: 9, session_db_id: 1, prompt_number: 2, prompt_text: "Later?", created_at_epoch: noon },
      { id: 3, session_db_id: 2, prompt_number: 1, prompt_text: "First?", created_at_epoch: noon },
    ],
  });
  const { code, sent } = await take();
  expect(code).toBe(0);
  expect(sent.filter(({ kind }) => kind === "prompt").map(({ record }) => record.text)).toEqual([
    "First?",
    "Later?",
  ]);
});
