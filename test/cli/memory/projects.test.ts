// `memoir memory projects` against prepared answers: what it asks, and what it shows.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join, listProjects, rename, split } from "../../../src/cli/memory/projects.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import type { ProjectCount } from "../../../src/sdk/storage.ts";
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

const remote = "github.com/acme/shop";
const project = (id: string, more: Partial<ProjectCount> = {}): ProjectCount => ({
  ...{ id, name: "shop", sessions: 1, observations: 0, lastActiveAt: 0 },
  ...{ ids: [id], folders: [], like: [] },
  ...more,
});

async function run(projects: ProjectCount[], command: (terminal: Terminal) => Promise<number>) {
  const server = await cannedServer(place.home, { "/api/projects": { projects } });
  stop = server.stop;
  const terminal = plainTerminal();
  expect(await command(terminal)).toBe(0);
  await server.stop();
  stop = undefined;
  return { lines: terminal.out.join("\n").split("\n"), asked: server.asked };
}

test("projects are listed with what they include, and what may be one is suggested as one command", async () => {
  const why = "8 of 9 files are the same, such as pkg/a/b.go";
  const like = [{ id: remote, why }];
  const { lines, asked } = await run(
    [
      project(remote, { sessions: 3, ids: [remote, "/h/shop"], folders: ["/h/shop", "/h/wt"] }),
      project("/h/old shop", { like }),
      project("/h/b", { like }),
    ],
    (terminal) => listProjects({}, terminal),
  );
  expect(asked).toEqual([{ method: "GET", path: "/api/projects", query: {} }]);
  expect(lines.map((line) => line.trimEnd())).toEqual([
    "shop  3 sessions    github.com/acme/shop",
    "shop  1 session     /h/old shop",
    "shop  1 session     /h/b",
    "",
    "shop includes /h/shop, /h/wt",
    "",
    `3 projects may be one repository. To join: memoir memory projects join ${remote} '/h/old shop' /h/b`,
    `  /h/old shop: ${why}`,
    `  /h/b: ${why}`,
  ]);
});

test("nothing stored, nothing listed", async () => {
  const { lines } = await run([], (terminal) => listProjects({}, terminal));
  expect(lines).toEqual(["Nothing is stored yet."]);
});

for (const [what, command, body] of [
  ["join", (t) => join(remote, ["/h/a", "/h/b"], {}, t), { ids: ["/h/a", "/h/b"], into: remote }],
  ["split", (t) => split(["/h/a"], {}, t), { ids: ["/h/a"], apart: true }],
  ["rename", (t) => rename(remote, "The shop", {}, t), { ids: [remote], name: "The shop" }],
] satisfies Array<[string, (terminal: Terminal) => Promise<number>, object]>)
  test(`${what} asks once, and lists what projects are then`, async () => {
    const { asked, lines } = await run([project(remote)], command);
    expect(asked).toEqual([{ method: "POST", path: "/api/projects", query: {}, body }]);
    expect(lines[0]).toContain(remote);
  });
