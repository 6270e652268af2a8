// What a start asks of storage, and what of the answers it is told.
import { expect, test } from "bun:test";
import { mkdir, mkdtempDisposable, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gather } from "../../../plugins/context-handover/index.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";

const project = { id: "acme/shop", name: "shop" };
type Kept = { id: string; session: string; time: number };
const kept = (id: string, session: string, time: number): Kept => ({ id, session, time });

/** A storage of one project: session `own` was active at 50 last, `other` and `newest` are others. */
function storage(active = 50) {
  const asked: unknown[] = [];
  const all = (letter: string) => [
    kept(`${letter}4`, "newest", 70),
    kept(`${letter}3`, "own", 60),
    kept(`${letter}2`, "other", 51),
    kept(`${letter}1`, "other", 50),
  ];
  const answer =
    (verb: string, give: (query: { session?: string; kinds?: string[] }) => unknown) =>
    async (query: object) => {
      asked.push([verb, query]);
      return give(query);
    };
  const client = {
    turns: answer("turns", ({ session }) => {
      if (session === "newest")
        return [kept("t5", "newest", 80), kept("t4", "newest", 70), kept("t0", "newest", 20)];
      return session ? [kept("own", session, 60)] : all("t");
    }),
    observations: answer("observations", () => all("o")),
    summaries: answer("summaries", () => all("s")),
    memory: answer("memory", ({ kinds = [] }) => [
      kept(`${kinds[0]} of own`, "own", 60),
      kept(`${kinds[0]} of other`, "other", 51),
    ]),
    sessions: answer("sessions", () => (active === 0 ? [] : [{ lastActiveAt: active }])),
  };
  return { asked, client: client as unknown as StorageClient };
}
const ids = (found: ReadonlyArray<{ id: string }>) => found.map(({ id }) => id);

/** What each list of the note's material holds, by id. */
async function told(source: string, active?: number) {
  const { client, asked } = storage(active);
  const material = await gather(client, { session: "own", source, project });
  const { turns, own, laidDownItems: settled, practice, observations, summaries } = material;
  const lists = { turns, own, settled, practice, observations, summaries };
  return {
    asked,
    project: material.project,
    lists: Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, ids(list)])),
  };
}
const others = ["4", "2", "1"];
const of = (letter: string, numbers: readonly string[]) => numbers.map((n) => `${letter}${n}`);

test("a new session is told what other sessions did, the newest whole, and nothing of its own", async () => {
  const { lists, project: named } = await told("startup");
  expect(named).toEqual(project);
  expect(lists).toEqual({
    turns: ["t5", "t0", ...of("t", others)],
    own: [],
    settled: ["decisions of other"],
    practice: ["workflows of own", "workflows of other"],
    observations: [],
    summaries: of("s", others),
  });
});

test("storage is asked of the project, each list with its bound, and of no session's past", async () => {
  const { asked } = await told("startup");
  const inProject = { project: project.id };
  const settled = { ...inProject, kinds: ["decisions", "preferences", "projects", "facts"] };
  const pinned = { ...inProject, marked: "pinned", limit: 20 };
  expect(asked).toEqual([
    ["turns", { ...inProject, limit: 150 }],
    ["observations", { ...inProject, limit: 60 }],
    ["summaries", { ...inProject, scope: "session", limit: 10 }],
    ["memory", { ...settled, limit: 300 }],
    ["memory", { ...inProject, kinds: ["workflows", "gotchas"], limit: 20 }],
    ["memory", pinned],
    ["observations", { ...pinned, superseded: true }],
    ["summaries", pinned],
    ["turns", pinned],
    ["turns", { session: "newest", limit: 20 }],
  ]);
});

test("a compacted session gets its own back too", async () => {
  const { lists, asked } = await told("compact");
  expect(lists).toEqual(
    expect.objectContaining({
      own: ["own"],
      settled: ["decisions of own", "decisions of other"],
      observations: [],
      summaries: of("s", ["4", "3", "2", "1"]),
      turns: ["t5", "t0", ...of("t", others)],
    }),
  );
  expect(asked).toContainEqual(["turns", { session: "own", limit: 20 }]);
});

test.each(["resume", "fork"])(
  "after %s only what others did since the session was last active is told",
  async (source) => {
    const { lists, asked } = await told(source);
    expect(asked[0]).toEqual(["sessions", { session: "own", limit: 1 }]);
    expect(lists).toEqual({
      turns: ["t5", "t4", "t2"],
      own: [],
      settled: [],
      practice: [],
      observations: [],
      summaries: of("s", ["4", "2"]),
    });
  },
);

test("a session that goes on, but that memoir does not know, is told as a new one is", async () => {
  const [unknown, fresh] = [await told("resume", 0), await told("startup")];
  expect(unknown.lists).toEqual(fresh.lists);
});

test("without any turn no session is asked for its end", async () => {
  const { client, asked } = storage();
  const empty = { ...client, turns: async () => [] } as unknown as StorageClient;
  const { turns } = await gather(empty, { session: "own", source: "startup", project });
  expect([turns, asked.length]).toEqual([[], 7]);
});

test("what a project tells the agent is read as its client reads it", async () => {
  await using room = await mkdtempDisposable(join(tmpdir(), "memoir-guide-"));
  const root = room.path;
  const guideOf = async (of: string) => {
    const about = { session: "own", source: "startup", project: { ...project, root }, client: of };
    return (await gather(storage().client, about)).guide?.trim();
  };
  expect(await guideOf("claude-code")).toBe("");
  await writeFile(join(root, "AGENTS.md"), "Run `make test`.");
  expect(await guideOf("claude-code")).toBe("");
  expect(await guideOf("codex")).toBe("Run `make test`.");
  await mkdir(join(root, ".claude"));
  await writeFile(join(root, ".claude", "CLAUDE.md"), "Run `make lint`.");
  expect(await guideOf("claude-code")).toBe("Run `make lint`.");
  await writeFile(join(root, "CLAUDE.md"), "@AGENTS.md");
  expect(await guideOf("claude-code")).toContain("make test");
});

test("what the checkout says, in a worktree too: commits that git logged, the trunk, and files that are gone", async () => {
  await using room = await mkdtempDisposable(join(tmpdir(), "memoir-checkout-"));
  const [old, id] = ["0".repeat(40), "a81be3f".padEnd(40, "0")];
  const entry = (action: string, seconds: number) =>
    `${old} ${id} Kim Lee <kim@x.org> ${seconds} +0100\t${action}\n`;
  const log = [
    entry("clone: from github.com:acme/shop", 1_700_000_000),
    entry("commit (amend): Round: all prices", 1_700_000_001),
    entry("checkout: moving from main to cart", 1_700_000_002),
    entry("rebase (pick): Cart", 1_700_000_003),
  ].join("");
  const [main, tree] = [join(room.path, "main"), join(room.path, "tree")];
  const logs = join(main, ".git", "worktrees", "tree", "logs");
  const origin = join(main, ".git/refs/remotes/origin");
  for (const folder of [join(main, ".git", "logs"), logs, tree, origin])
    await mkdir(folder, { recursive: true });
  await writeFile(join(main, ".git", "logs", "HEAD"), log);
  await writeFile(join(tree, ".git"), "gitdir: ../main/.git/worktrees/tree\n");
  await writeFile(join(main, ".git/worktrees/tree/commondir"), "../..\n");
  await writeFile(join(logs, "HEAD"), entry("commit: In the tree", 1_700_000_004));
  await writeFile(join(origin, "HEAD"), "ref: refs/remotes/origin/release/2\n");
  for (const [name, time] of [
    ["cart.ts", 2_000],
    ["stock.ts", 1_000],
  ] as const) {
    await writeFile(join(main, name), "");
    await utimes(join(main, name), time, time);
  }
  const files = ["cart.ts", "stock.ts", "old.ts"].map((path) => ({ path, changed: true }));
  const client = {
    ...storage().client,
    turns: async () => [{ ...kept("t1", "other", 2_001_000), startedAt: 1_999_000, files }],
  } as unknown as StorageClient;
  const at = async (root: string) => {
    const about = { session: "own", source: "startup", project: { ...project, root } };
    const { commits, missing = [], trunk } = await gather(client, about);
    const moved = commits?.map(({ time, subject }) => [time, subject]);
    return { commits: moved, missing: [...missing], trunk };
  };
  expect(await at(main)).toEqual({
    commits: [
      [1_700_000_001_000, "Round: all prices"],
      [1_700_000_003_000, "Cart"],
    ],
    missing: ["old.ts"],
    trunk: "release/2",
  });
  // A checkout that has nothing of all that was changed tells of none of it.
  expect(await at(tree)).toEqual({
    commits: [[1_700_000_004_000, "In the tree"]],
    missing: [],
    trunk: "release/2",
  });
  // A folder that is not here says nothing of its files.
  expect(await at(join(room.path, "gone"))).toEqual({
    commits: [],
    missing: [],
    trunk: undefined,
  });
});

test("a changed file is told as not committed only where git's index does not have it as it is", async () => {
  await using room = await mkdtempDisposable(join(tmpdir(), "memoir-dirty-"));
  const root = join(room.path, "shop");
  const env = { HOME: room.path, PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1" };
  const git = async (...args: string[]) => {
    const who = ["-c", "user.name=Kim", "-c", "user.email=kim@x.org"];
    const run = Bun.spawn(["git", ...who, ...args], { cwd: root, env, stderr: "ignore" });
    expect(await run.exited).toBe(0);
  };
  const names = [
    "committed.ts",
    "dirty.ts",
    "link/wide ünï.ts",
    "crlf.ts",
    "older.ts",
    "deleted.ts",
  ];
  await mkdir(join(root, "link"), { recursive: true });
  const write = (name: string, text: string) => writeFile(join(root, name), text);
  for (const name of names) await write(name, `${name}\n`);
  await git("init", "-q");
  await git("add", "-A");
  await git("commit", "-q", "-m", "Begin");
  await write("dirty.ts", "changed\n");
  await write("link/wide ünï.ts", "changed\n");
  await write("new.ts", "new\n");
  // What git leaves alone is nobody's to commit.
  await write(".gitignore", "dist/\n");
  await write("link/.gitignore", "*.log\n!kept.log\n");
  await write(".git/info/exclude", "/local.json\n");
  await mkdir(join(root, "dist"));
  for (const name of ["dist/a.js", "link/a.log", "local.json"]) await write(name, "made\n");
  // Git keeps it with other ends of lines.
  await write("crlf.ts", "crlf.ts\r\n");
  // Changed by hand, long before the turn.
  await write("older.ts", "changed\n");
  await utimes(join(root, "older.ts"), 1_000, 1_000);
  await rm(join(root, "deleted.ts"));
  const paths = [
    ...names,
    ...["new.ts", "dist/a.js", "link/a.log", "local.json", "../outside.ts", "/tmp/outside.ts"],
  ];
  const files = paths.map((path) => ({ path, changed: true }));
  const client = {
    ...storage().client,
    turns: async () => [{ ...kept("t1", "other", 2_001_000), startedAt: 1_999_000, files }],
  } as unknown as StorageClient;
  const dirty = async () => {
    const about = { session: "own", source: "startup", project: { ...project, root } };
    return [...((await gather(client, about)).dirty ?? [])].sort();
  };
  expect(await dirty()).toEqual(["dirty.ts", "link/wide ünï.ts", "new.ts"]);
  await git("commit", "-q", "-m", "All", "-a");
  expect(await dirty()).toEqual(["new.ts"]);
  await git("add", "new.ts");
  expect(await dirty()).toEqual([]);
  // Of an index that is not read, nothing is said of any file.
  await write("dirty.ts", "changed again\n");
  expect(await dirty()).toEqual(["dirty.ts"]);
  await git("update-index", "--split-index");
  expect(await dirty()).toEqual([]);
  await git("update-index", "--no-split-index");
  expect(await dirty()).toEqual(["dirty.ts"]);
  await git("update-index", "--index-version", "4");
  expect(await dirty()).toEqual([]);
  // A worktree whose repository is elsewhere says nothing; where there is none, nothing is committed.
  await rm(join(root, ".git"), { recursive: true });
  await writeFile(join(root, ".git"), "gitdir: /elsewhere/.git/worktrees/shop\n");
  expect(await dirty()).toEqual([]);
  await rm(join(root, ".git"));
  expect(await dirty()).toEqual([
    "committed.ts",
    "crlf.ts",
    "dirty.ts",
    "link/wide ünï.ts",
    "local.json",
    "new.ts",
  ]);
});
