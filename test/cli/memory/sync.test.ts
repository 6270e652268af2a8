// `memoir sync` against prepared answers: what it asks for a folder, and who was here.

import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join as pathOf } from "node:path";
import process from "node:process";
import { search } from "../../../src/cli/memory/look.ts";
import {
  init,
  join,
  leave,
  members,
  share,
  status,
  unshare,
} from "../../../src/cli/memory/sync.ts";
import { cannedServer } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
let stop: (() => Promise<void>) | undefined;
beforeAll(async () => {
  place = await ownHome();
});
afterEach(async () => {
  await stop?.();
});
afterAll(() => place.end());

async function asking(answers: Parameters<typeof cannedServer>[1]) {
  const server = await cannedServer(place.home, answers);
  stop = server.stop;
  return { asked: server.asked, terminal: plainTerminal() };
}

test("a clone in which nothing was remembered yet is shared by its remote", async () => {
  const { asked, terminal } = await asking({
    "/api/endless/project": { project: { id: "github.com/acme/shop", name: "shop", root: "/x" } },
    "/api/sync/projects": {},
  });
  expect(await share(".", {}, terminal)).toBe(0);
  expect(asked.map(({ path, query, body }) => ({ path, query, body }))).toEqual([
    { path: "/api/endless/project", query: { cwd: terminal.cwd }, body: undefined },
    {
      ...{ path: "/api/sync/projects", query: {} },
      body: { project: "github.com/acme/shop", shared: true },
    },
  ]);
  expect(terminal.out.join("\n")).toContain("github.com/acme/shop is shared.");
});

test("members and status say who was here last", async () => {
  const is = { role: "writer", kind: "home", until: null };
  const hour = 3_600_000;
  const { terminal } = await asking({
    "/api/sync/members": {
      members: [
        { ...is, id: "a".repeat(32), person: "Ada", machine: "desk", isSelf: true, seenAt: 5 },
        {
          ...{ ...is, id: "b".repeat(32), person: "Bo", machine: "lap", isSelf: false },
          seenAt: Date.now() - 2 * hour,
        },
        { ...is, id: "c".repeat(32), person: "Cy", machine: "m", isSelf: false, seenAt: null },
      ],
    },
    "/api/sync": {
      ...{ hub: { ok: true, where: "folder x", trouble: null, bytes: 2_000 }, trouble: null },
      lastAt: Date.now(),
      spaces: [
        {
          ...{ id: "s", kind: "team", members: 3, projects: ["github.com/acme/shop"], waiting: 0 },
          ...{ lost: null, streams: [], role: "owner" },
          lastHere: { person: "Bo", machine: "lap", at: Date.now() - 2 * hour },
        },
      ],
    },
  });
  expect(await members({}, terminal)).toBe(0);
  expect(await status({}, terminal)).toBe(0);
  const shown = terminal.out.join("\n");
  expect(shown).toMatch(/^Ada +desk +writer +this home +aaaaaaaa$/m);
  expect(shown).toMatch(/^Bo +lap +writer +here 2h ago +bbbbbbbb$/m);
  expect(shown).toMatch(/^Cy +m +writer +cccccccc$/m);
  expect(shown).toContain("  Last here: Bo, lap, 2h ago");
});

const space = {
  ...{ id: "s", kind: "mine", members: 2, projects: [], waiting: 0, role: "writer" },
  ...{ lost: null, streams: [], lastHere: null },
};
const stream = { person: "Bo", machine: "lap", at: 0, stuck: "Batch 5 does not count." };
test.each<[string, object, number, string[]]>([
  ["well", {}, 0, ["Your own space (2 members): all projects"]],
  ["with what waits", { waiting: 2 }, 0, ["  To be sent: 2 changes"]],
  ["with much that waits", { waiting: 1_000 }, 0, ["  To be sent: 1000 changes or more"]],
  [
    "of a reader",
    { role: "reader" },
    0,
    ["Your own space (2 members; you may only read): all projects"],
  ],
  [
    "with a member whose batches stop",
    { streams: [stream] },
    1,
    ["Last came", "Batch 5 does not count."],
  ],
  [
    "from which this home was removed",
    { lost: "It was removed." },
    1,
    ["It was removed. `memoir sync leave`"],
  ],
])("the status of a space %s, and its exit code", async (_, part, code, lines) => {
  const { terminal } = await asking({
    "/api/sync": {
      ...{ hub: { ok: true, where: "folder x", trouble: null, bytes: null }, trouble: null },
      ...{ lastAt: null, spaces: [{ ...space, ...part }] },
    },
  });
  expect(await status({}, terminal)).toBe(code);
  for (const line of lines) expect(terminal.out.join("\n")).toContain(line);
});

test("what is taken back is asked for, and said", async () => {
  const { asked, terminal } = await asking({
    "/api/sync/projects": {},
    "/api/sync/leave": { isHereOnly: false },
  });
  expect(await unshare("github.com/acme/shop", { takeBack: true }, terminal)).toBe(0);
  expect(await unshare("github.com/acme/shop", {}, terminal)).toBe(0);
  expect(await leave({ yes: true, takeBack: true }, terminal)).toBe(0);
  const project = { project: "github.com/acme/shop", shared: false };
  expect(asked.map(({ body }) => body)).toEqual([
    { ...project, takeBack: true },
    project,
    { takeBack: true },
  ]);
  expect(terminal.out.join("\n").match(/The others remove/g)).toHaveLength(1);
});

test("a connection string in an argument is refused, and not shown", async () => {
  const { asked, terminal } = await asking({});
  const given = init("postgres://ada:s3cret@db.example/memoir", {}, terminal);
  const { message, fix } = (await given.catch((error) => error)) as {
    message: string;
    fix: string;
  };
  expect(fix).toContain("`memoir sync init postgres`; the address is asked for");
  expect(`${message} ${fix}`).not.toContain("s3cret");
  expect(asked).toEqual([]);
});

const answered = { hub: { ok: true, where: "folder x" }, spaces: [space], lastAt: null };
test.each([
  [{ made: true, replaced: false }, "shares memory through folder x."],
  [{ made: false, replaced: true }, "The address of folder x is replaced"],
  [{ made: false, replaced: false }, "Nothing changed"],
])("init says what came of it: %p", async (done, says) => {
  const { asked, terminal } = await asking({ "/api/sync/spaces": { ...answered, ...done } });
  expect(await init("x", {}, terminal)).toBe(0);
  expect(await init("x", { mine: true }, terminal)).toBe(0);
  expect(asked.map(({ body }) => (body as { kind?: string }).kind)).toEqual([undefined, "mine"]);
  expect(terminal.out.join("\n")).toContain(says);
});

test("a slip in the word for a database is no folder, unless there is one", async () => {
  const { asked, terminal } = await asking({
    "/api/sync/spaces": { ...answered, made: true, replaced: false },
  });
  await expect(init("postgrse", {}, terminal)).rejects.toThrow(
    "There is no folder postgrse; did you mean postgres?",
  );
  expect(asked).toEqual([]);
  mkdirSync(pathOf(terminal.cwd, "postgrse"), { recursive: true });
  expect(await init("postgrse", {}, terminal)).toBe(0);
  rmSync(pathOf(terminal.cwd, "postgrse"), { recursive: true });
});

test.each([
  ["new", "This home is in the space now."],
  ["raised", "may do more in the space now"],
  ["already", "nothing changed. If nobody took the invitation up, it still works"],
])("join says what came of it: %s", async (joined, says) => {
  const { terminal } = await asking({
    "/api/sync/join": { ...answered, hub: { ...answered.hub, trouble: null, bytes: null }, joined },
  });
  terminal.secret = () => Promise.resolve("memoir-invitation-1.x");
  expect(await join({}, terminal)).toBe(0);
  expect(terminal.out.join("\n")).toContain(says);
});

test("a search that finds nothing says so where the home is still joining, or why it cannot", async () => {
  process.env.MEMOIR_SYNC = "memoir-invitation-1.x";
  try {
    for (const trouble of [null, "MEMOIR_SYNC: This is no whole invitation."]) {
      const { terminal } = await asking({
        "/api/search": { results: [] },
        "/api/sync": { hub: null, spaces: [], lastAt: null, trouble },
      });
      await search(["docs"], { limit: 5 }, terminal);
      expect(terminal.out.join("\n")).toContain(trouble ?? "still joining the space");
      await stop?.();
    }
  } finally {
    delete process.env.MEMOIR_SYNC;
  }
});
