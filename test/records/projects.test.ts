// Projects are repositories: whatever came first, what a person decided included.
import { afterEach, expect, test } from "bun:test";
import { belonging, type Checkout, type Choice } from "../../src/records/filter.ts";
import { openRecords, type RecordStore } from "../../src/records/record-store.ts";
import type { Records, SessionUpdate } from "../../src/sdk/model.ts";
import type { ProjectChange } from "../../src/sdk/storage.ts";
import {
  sampleMemory,
  sampleObservation,
  sampleSession,
  sampleTurn,
} from "../../src/testing/samples.ts";
import { baseName, isAbsolutePath } from "../../src/text/text.ts";
import { shuffled } from "../support/shuffled.ts";

const remote = "github.com/acme/shop";
const gone = (root: string): Checkout => ({ id: root, root, isRepository: false });
const git = (id: string, root: string): Checkout => ({ id, root, isRepository: true });
const named = (root: string, branch: string): Checkout => ({
  ...{ id: root, root, branch, isRepository: true },
});
const into = (id: string, project: string): Choice => ({ id, into: project, name: null });

const tables: Array<[string, Checkout[], Choice[], Record<string, string>]> = [
  [
    "a clone before and after it had a remote",
    [git("/h/me/shop", "/h/me/shop"), git(remote, "/h/me/shop")],
    [],
    { "/h/me/shop": remote },
  ],
  [
    "worktrees that are gone, by their path and by their main checkout",
    [
      git(remote, "/h/me/shop"),
      gone("/h/me/shop/.worktrees/1"),
      gone("/h/me/shop/.claude/worktrees/a/src"),
    ],
    [],
    { "/h/me/shop/.worktrees/1": remote, "/h/me/shop/.claude/worktrees/a/src": remote },
  ],
  [
    "a main checkout that only its worktree knows the remote of",
    [gone("/h/me/shop"), git(remote, "/h/me/shop/.worktrees/1")],
    [],
    { "/h/me/shop": remote },
  ],
  [
    "a worktree elsewhere, by the common folder it was captured with",
    [git("/h/me/shop", "/h/me/wt"), gone("/h/me/wt"), git(remote, "/h/me/shop")],
    [],
    { "/h/me/wt": remote, "/h/me/shop": remote },
  ],
  [
    "a folder that is gone inside a repository, and a repository inside another",
    [git(remote, "/h/me/shop"), gone("/h/me/shop/pkg/a"), git("/h/me/shop/try", "/h/me/shop/try")],
    [],
    { "/h/me/shop/pkg/a": remote, "/h/me/shop/try": "/h/me/shop/try" },
  ],
  [
    "folders named after their branches, beside one repository",
    [
      named("/h/me/src/acme/hotfix", "hotfix"),
      named("/h/me/src/ada/login", "ada/login"),
      git(remote, "/h/me/src/shop"),
      git("/h/me/src/acme/shop", "/h/me/src/acme/shop"),
      git(remote, "/h/me/src/acme/shop"),
      named("C:\\w\\ada\\login", "ada/login"),
      git("C:\\w\\shop", "C:\\w\\shop"),
    ],
    [],
    {
      ...{ "/h/me/src/acme/hotfix": remote, "/h/me/src/ada/login": remote },
      "C:\\w\\ada\\login": "C:\\w\\shop",
    },
  ],
  [
    "but not beside several, or none, nor with a remote of its own",
    [
      named("/h/me/a/hotfix", "hotfix"),
      git("/h/me/a/shop", "/h/me/a/shop"),
      git("/h/me/a/blog", "/h/me/a/blog"),
      named("/h/me/b/hotfix", "hotfix"),
      named("/h/me/b/login", "login"),
      named("/h/me/c/hotfix", "hotfix"),
      git("github.com/ada/hotfix", "/h/me/c/hotfix"),
      git("/h/me/c/shop", "/h/me/c/shop"),
    ],
    [],
    {
      ...{ "/h/me/a/hotfix": "/h/me/a/hotfix", "/h/me/b/hotfix": "/h/me/b/hotfix" },
      ...{ "/h/me/b/login": "/h/me/b/login", "/h/me/c/hotfix": "github.com/ada/hotfix" },
    },
  ],
  [
    "the same on Windows",
    [
      git(remote, "C:\\w\\shop"),
      gone("C:\\w\\shop\\pkg"),
      gone("C:\\w\\shop\\.worktrees\\a\\b"),
      gone("C:\\Users\\me"),
      git(remote, "C:\\Users\\me"),
    ],
    [],
    {
      "C:\\w\\shop\\pkg": remote,
      "C:\\w\\shop\\.worktrees\\a\\b": remote,
      "C:\\Users\\me": "C:\\Users\\me",
    },
  ],
  [
    "a folder that was two projects is sure of neither",
    [gone("/h/me/app"), git(remote, "/h/me/app"), git("github.com/acme/other", "/h/me/app")],
    [],
    { "/h/me/app": "/h/me/app" },
  ],
  [
    "paths that are anybody's",
    ["/tmp", "/project", "/home/me", "/Users/me", "/", "/var/tmp"].flatMap((root) => [
      git(remote, root),
      gone(root),
    ]),
    [],
    {
      "/tmp": "/tmp",
      "/project": "/project",
      "/home/me": "/home/me",
      "/Users/me": "/Users/me",
      "/": "/",
      "/var/tmp": "/var/tmp",
    },
  ],
  [
    "folders of one name",
    [gone("/h/a/cli"), gone("/h/b/cli")],
    [],
    { "/h/a/cli": "/h/a/cli", "/h/b/cli": "/h/b/cli" },
  ],
  [
    "a person's word over evidence, and on through what was joined",
    [git(remote, "/h/me/shop"), gone("/h/me/shop"), gone("/h/me/old")],
    [into("/h/me/old", "/h/me/shop"), into(remote, "github.com/acme/store")],
    { "/h/me/old": "github.com/acme/store", "/h/me/shop": "github.com/acme/store" },
  ],
  [
    "a folder that is kept apart, with its worktrees",
    [git(remote, "/h/me/shop"), gone("/h/me/shop"), gone("/h/me/shop/.worktrees/1")],
    [into("/h/me/shop", "/h/me/shop")],
    { "/h/me/shop/.worktrees/1": "/h/me/shop", [remote]: remote },
  ],
  [
    "a project that was joined into a folder which evidence leads back from",
    [git(remote, "/h/me/shop"), gone("/h/me/shop")],
    [into(remote, "/h/me/shop")],
    { "/h/me/shop": "/h/me/shop", [remote]: "/h/me/shop" },
  ],
];

tables.push([
  "two folders, each of which the other leads to",
  [git("/h/a", "/h/b")],
  [into("/h/a", "/h/b")],
  { "/h/a": "/h/b", "/h/b": "/h/b" },
]);

for (const [what, checkouts, choices, expected] of tables)
  test(what, () => {
    for (const backwards of [false, true]) {
      const order = backwards ? checkouts.toReversed() : checkouts;
      const of = belonging(order, choices);
      for (const [id, project] of Object.entries(expected))
        expect([id, of(id)]).toEqual([id, project]);
    }
  });

// The same at storage's door, in any order.

const opened: RecordStore[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
});

/** A session, with a turn and an observation. */
function work(id: string, root: string, number: number, branch?: string): Records {
  const project = { id, name: baseName(id), root, ...(branch !== undefined && { branch }) };
  const of = { session: `s${number}`, project: id };
  return {
    sessions: [sampleSession({ id: of.session, project })],
    turns: [sampleTurn({ ...of, promptNumber: 1 })],
    memory: [sampleMemory({ ...of, content: `Otters ${number}` })],
    observations: [sampleObservation({ ...of, promptNumber: 1, title: `Otter ${number}` })],
  };
}

/** Records that come before their session. */
function halves({ sessions, ...records }: Records): Step[] {
  return [{ put: records }, { put: { ...(sessions && { sessions }) } }];
}

type Step = { put: Records } | { change: ProjectChange };

const puts: Step[] = [
  work("/h/me/shop", "/h/me/shop", 1, "main"),
  work(remote, "/h/me/shop", 2, "main"),
  work("/h/me/shop/.worktrees/1", "/h/me/shop/.worktrees/1", 3),
  work(remote, "/h/me/fork", 4, "main"),
  work("/h/old/shop", "/h/old/shop", 5),
  work("/tmp", "/tmp", 6),
].map((put) => ({ put }));

/** What a session did is stored before its folder is known, which is one that a person decided about. */
const lateRoot = halves(work(remote, "/h/me/fork", 7, "main"));

async function replay(steps: readonly Step[]) {
  const store = await openRecords(":memory:", () => 2_000_000);
  opened.push(store);
  for (const [at, step] of steps.entries())
    if ("put" in step) await store.put({ key: `k${at}`, records: step.put });
    else await store.projects({ change: step.change });
  return store;
}

async function seen(store: RecordStore) {
  const projects = await store.projects({});
  return Promise.all(
    projects
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(async ({ id, name, ids, folders, sessions }) => {
        const query = { project: id, limit: 50 };
        const found = await store.search({ ...query, text: "otter", kinds: ["observation"] });
        const turns = await store.turns(query);
        const memory = await store.memory(query);
        return {
          ...{ id, name, ids, folders, sessions },
          found: found.map((one) => `${one.session} ${one.project}`).sort(),
          turns: turns.map((one) => `${one.session} ${one.project}`).sort(),
          memory: memory.map((one) => `${one.session} ${one.project}`).sort(),
        };
      }),
  );
}

test("sessions of one repository are one project, in any order of arrival", async () => {
  const first = await seen(await replay(puts));
  expect(first).toMatchSnapshot();
  for (let seed = 1; seed <= 6; seed++)
    expect(await seen(await replay(shuffled(puts, seed)))).toEqual(first);
});

test("a stored session's branch says whose worktree its folder was", async () => {
  const [folder, shop] = ["C:\\w\\ada\\login", "C:\\w\\shop"];
  const session = (id: string, root: string, branch: string) =>
    sampleSession({ id, project: { id: root, name: baseName(root), root, branch } });
  const sessions = [session("s1", folder, "main"), session("s2", folder, "ada/login")];
  const store = await replay([{ put: { sessions: [...sessions, session("s3", shop, "main")] } }]);
  expect((await store.projects({})).map(({ id, ids }) => [id, ids])).toEqual([
    [shop, [folder, shop]],
  ]);
});

test("joins, splits and names hold for what came before and for what comes", async () => {
  const changes: Step[] = [
    { change: { ids: ["/h/old/shop"], into: remote } },
    { change: { ids: ["/h/me/fork"], apart: true } },
    { change: { ids: [remote], name: "The shop" } },
  ];
  const first = await seen(await replay([...puts, ...changes]));
  expect(first).toMatchSnapshot();
  expect(await seen(await replay([...puts, ...changes, ...puts, ...changes.toReversed()]))).toEqual(
    first,
  );
  const apart = puts.flatMap((step) => halves((step as { put: Records }).put));
  expect(
    await seen(await replay([...puts.slice(0, 3), ...changes.slice(2), ...apart, ...changes])),
  ).toEqual(first);
  expect(await seen(await replay([...puts, ...changes, ...lateRoot]))).toMatchObject([
    { sessions: 2, turns: [4, 7].map((at) => `s${at} /h/me/fork`) },
    {},
    {},
  ]);
  const between = [...puts.slice(1, 5), ...changes, ...puts];
  expect(await seen(await replay(between))).toEqual(first);
});

test("several of one name are told apart, found by either name, and kept under their own", async () => {
  const ids = [
    "github.com/acme/cli",
    "/h/me/x/cli",
    "/h/ada/x/cli",
    "C:\\w\\till\\cli",
    "/h/me/shop",
  ];
  const sessions = ids.map((id, at) =>
    sampleSession({
      id: `s${at}`,
      project: { id, name: baseName(id), root: isAbsolutePath(id) ? id : "/h/me/cli" },
    }),
  );
  const store = await replay(sessions.map((one) => ({ put: { sessions: [one] } })));
  const names = async (of = store) =>
    new Map((await of.projects({})).map(({ id, name }) => [id, name]));
  const told = await names();
  expect(ids.map((id) => told.get(id))).toEqual([
    "acme/cli",
    "me/x/cli",
    "ada/x/cli",
    "till/cli",
    "shop",
  ]);
  const of = async (project: string) =>
    (await store.sessions({ project })).map(({ id, project }) => `${id} ${project.name}`).sort();
  expect(await of("ACME/cli")).toEqual(["s0 acme/cli"]);
  expect(await of("cli")).toHaveLength(4);
  // As it is shown it is put back, by an import say; once it is the only one it is called as before.
  const [shown] = await store.sessions({ project: "acme/cli" });
  const alone = await replay([{ put: { sessions: [shown as SessionUpdate] } }]);
  expect([...(await names(alone)).values()]).toEqual(["cli"]);
  await store.projects({ change: { ids: ["me/x/cli"], name: "Tool" } });
  await store.projects({ change: { ids: ["/h/ada/x/cli"], name: "tool" } });
  expect((await names()).get("/h/me/x/cli")).toBe("Tool (me/x/cli)");
});

test("a split is taken back by a join, and a name by none", async () => {
  const before = await seen(await replay(puts));
  const store = await replay(puts);
  await store.projects({ change: { ids: ["/h/old/shop"], into: remote } });
  const [joined] = await store.observations({ session: "s5" });
  // What is written anew meanwhile stays where it was captured.
  await store.amend({ id: joined?.id ?? "", set: { title: "Otter x" } });
  await store.amend({ id: joined?.id ?? "", undo: true });
  await store.projects({ change: { ids: ["/h/old/shop"], apart: true } });
  await store.projects({ change: { ids: [remote], name: "Otter" } });
  expect((await store.sessions({ project: "otter" })).length).toBe(4);
  await store.projects({ change: { ids: ["Otter"], name: "" } });
  expect(await seen(store)).toEqual(before);
});

test("what cannot be decided changes nothing", async () => {
  const store = await replay(puts);
  const before = await seen(store);
  for (const [change, message] of [
    [{ ids: ["nobody"], into: remote }, /no project nobody/],
    [{ ids: [remote], into: "nobody" }, /no project nobody/],
    [{ ids: ["shop"], into: remote }, /Several projects are called shop/],
    [{ ids: [remote, "/tmp"], name: "x" }, /one project at a time/],
    [{ ids: [remote] }, /one of the three/],
    [{ ids: [], apart: true }, /one of the three/],
  ] satisfies Array<[ProjectChange, RegExp]>)
    await expect(store.projects({ change })).rejects.toThrow(message);
  expect(await seen(store)).toEqual(before);
});
