// claude-mem's sessions: which row a prompt or an observation belongs to, and in which folder that was.
import { expect, test } from "bun:test";
import { readSessions } from "../../../../src/cli/memory/claude-mem/import-claude-mem.ts";
import type {
  SourceDatabase,
  SourceRow,
  SourceTable,
} from "../../../../src/cli/memory/claude-mem/read-database.ts";

const noon = Date.UTC(2026, 2, 1, 12);

/** Sessions of these rows; a folder's project is the folder itself. */
async function read(
  tables: Partial<Record<SourceTable, SourceRow[]>>,
  folders: Record<string, string> = {},
) {
  const asked: string[] = [];
  const source: SourceDatabase = {
    rows: (table) => tables[table] ?? [],
    withoutLog: false,
    close: async () => undefined,
  };
  const sessions = await readSessions(source, new Map(Object.entries(folders)), async (root) => {
    asked.push(root);
    return { id: `id:${root}`, name: "n", root };
  });
  return { sessions, asked, all: [...sessions.all()] };
}
const row = (id: number, part: SourceRow = {}): SourceRow => ({
  ...{ id, content_session_id: `c${id}`, memory_session_id: `m${id}`, project: "shop" },
  ...part,
});

test("a session is of the client that it names; the observer's own and those without an id are none", async () => {
  const { all } = await read({
    sdk_sessions: [
      row(1),
      row(2, { platform_source: "cursor", project: "" }),
      row(3, { project: "observer-sessions" }),
      { id: 4, project: "shop" },
      row(5, { platform_source: "claude", project: undefined }),
    ],
  });
  expect(all.map(({ at }) => [at.id, at.client, at.project, at.root])).toEqual([
    ["c1", "claude-code", "shop", ""],
    ["c2", "cursor", "unknown", ""],
    ["c5", "claude-code", "unknown", ""],
  ]);
});

test("a prompt belongs to its row, else to the client's id, where Claude Code goes before others", async () => {
  const both = { content_session_id: "same" };
  const other = row(1, { ...both, platform_source: "cursor" });
  for (const sdk_sessions of [
    [other, row(2, both)],
    [row(2, both), other],
  ]) {
    const { sessions } = await read({ sdk_sessions });
    expect(sessions.ofPrompt({ ...both, session_db_id: 1 })?.client).toBe("cursor");
    expect(sessions.ofPrompt({ ...both, session_db_id: 9 })?.client).toBe("claude-code");
    expect(sessions.ofPrompt(both)?.client).toBe("claude-code");
    expect(sessions.ofPrompt({})).toBeUndefined();
    expect(sessions.ofMemory({ memory_session_id: "m1" })?.client).toBe("cursor");
    expect(sessions.ofMemory({})).toBeUndefined();
  }
});

test("it was last active with its newest record, and has the highest number of its prompts", async () => {
  const { all } = await read({
    sdk_sessions: [row(1), row(2)],
    user_prompts: [
      { session_db_id: 1, prompt_number: 4.9, created_at_epoch: noon + 3 },
      { session_db_id: 1, prompt_number: 2, created_at_epoch: noon + 1 },
      { session_db_id: 1, prompt_number: "9" },
      { session_db_id: 7, prompt_number: 9 },
    ],
    tool_uses: [{ content_session_id: "c9", cwd: "/home/me/shop" }],
    session_summaries: [{ memory_session_id: "m1", created_at_epoch: noon + 5, prompt_number: 8 }],
    observations: [
      { memory_session_id: "m2", created_at_epoch: noon + 9 },
      { memory_session_id: "m1", created_at_epoch: noon + 4 },
    ],
  });
  expect(all.map(({ lastActiveAt, prompts }) => [lastActiveAt, prompts])).toEqual([
    [noon + 5, 4],
    [noon + 9, 0],
  ]);
});

test("its folder is what was said, else where a tool was used, else the first file that names the project", async () => {
  const { all, asked, sessions } = await read(
    {
      sdk_sessions: [
        row(1),
        row(2),
        row(3, { project: "blog" }),
        row(6, { project: "" }),
        row(7),
        row(4, { project: "attic" }),
        row(5, { project: "attic" }),
        row(10, { project: "till" }),
      ],
      tool_uses: [
        { content_session_id: "c1", cwd: "/tmp" },
        { content_session_id: "c1", cwd: "/home/me/shop/src" },
        { content_session_id: "c1", cwd: "/other/shop" },
        { content_session_id: "c9", cwd: "/home/you/shop" },
        { content_session_id: "c4", cwd: "attic/shop" },
        { content_session_id: "c5", cwd: "attic/C:/attic/x" },
        { content_session_id: "c10", cwd: "C:\\me\\till\\src" },
      ],
      observations: [
        { memory_session_id: "m1", files_modified: '["/not/this/shop/a.ts"]' },
        {
          memory_session_id: "m2",
          files_modified: '["shop/a.ts", "/etc/hosts"]',
          files_read: '["/srv/shop/a.ts", "/then/shop/b.ts"]',
        },
        { memory_session_id: "m9", files_read: '["/home/me/shop/a.ts"]' },
        { memory_session_id: "m2", files_read: '["/late/shop/a.ts"]' },
        {
          memory_session_id: "m7",
          ...{ files_read: '["/later/shop/b.ts"]', files_modified: '["/first/shop/a.ts"]' },
        },
        { memory_session_id: "m3", files_read: '["/home/me/blog/a.md"]' },
      ],
    },
    { blog: "/said/blog" },
  );
  expect(all.map(({ at }) => [at.project, at.root])).toEqual([
    ["id:/home/me/shop", "/home/me/shop"],
    ["id:/srv/shop", "/srv/shop"],
    ["id:/said/blog", "/said/blog"],
    ["unknown", ""],
    ["id:/first/shop", "/first/shop"],
    ["attic", ""],
    ["attic", ""],
    ["id:C:\\me\\till", "C:\\me\\till"],
  ]);
  expect(sessions.projectNamed("blog")).toBe("id:/said/blog");
  expect(sessions.projectNamed("never seen")).toBe("never seen");
  expect(asked).toEqual([
    "/home/me/shop",
    "/srv/shop",
    "/said/blog",
    "/first/shop",
    "C:\\me\\till",
  ]);
});

test("a folder is looked up once, however many sessions were in it", async () => {
  const { asked, all } = await read({ sdk_sessions: [row(1), row(2)] }, { shop: "/w/shop" });
  expect([asked, all.map(({ at }) => at.root)]).toEqual([["/w/shop"], ["/w/shop", "/w/shop"]]);
});
