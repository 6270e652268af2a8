// What an agent's shell tells memory: stored once, redacted, and refused with the rule that was broken.
import { describe, expect, test } from "bun:test";
import sqlite from "../../../plugins/storage-sqlite/index.ts";
import { createApp } from "../../../src/server/app.ts";
import { inFolder } from "../../support/in-folder.ts";
import { noon, sampleSession } from "../../support/sample-records.ts";
import { openStorageAlone } from "../../support/storage-host.ts";
import { appOptions } from "../app-options.ts";
import { fakeRuntime } from "../fake-runtime.ts";

const told = {
  project: "shop",
  session: "session-1",
  root: "/home/dev/shop",
  title: "Refresh loop in login fixed",
  subtitle: "An expired token no longer refreshes itself",
  facts: ["src/auth/refresh.ts: the refresh call bypasses the interceptor"],
  concepts: ["Authentication", "http"],
  files: ["src/auth/refresh.ts"],
  time: noon,
};

/** A server's routes over a real storage in a folder of its own. */
function withRoutes(
  work: (world: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  return inFolder(async (folder) => {
    const world = await open(folder);
    try {
      await work(world);
    } finally {
      await world.close();
    }
  });
}

async function open(folder: string) {
  const { storage, close } = await openStorageAlone(sqlite, folder);
  const runtime = fakeRuntime();
  const notices: unknown[] = [];
  const routes = createApp({
    ...appOptions(),
    now: () => noon + 5,
    runtime: {
      ...runtime,
      hooks: {
        ...runtime.hooks,
        first: async (name: string, input: unknown) => {
          const verb = name.replace("storage.", "") as keyof typeof storage;
          return { plugin: "sqlite", result: (await storage[verb](input as never)) as never };
        },
        parallel: async (name: string, notice: unknown) => {
          expect(name).toBe("stored");
          notices.push(notice);
        },
      },
    },
  });
  const post = async (route: string, body: object) => {
    const request = new Request(`http://localhost/api/${route}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    const response = await routes.handle(request);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { storage, close, post, notices };
}

const message = ({ body }: { body: Record<string, unknown> }) =>
  (body.error as { message: string }).message;

describe("store-memory", () => {
  test("stores an observation of a session that nobody knew, and tells listeners", () =>
    withRoutes(async ({ storage, post, notices }) => {
      const { status, body } = await post("store-memory", told);
      expect([status, body.stored]).toEqual([200, true]);
      const [stored] = await storage.observations({ project: "shop" });
      expect(stored).toMatchObject({
        id: body.id,
        type: "discovery",
        concepts: ["authentication", "http"],
        filesModified: ["src/auth/refresh.ts"],
        session: "session-1",
        client: "shell",
        time: noon,
        provenance: { strategy: "store-memory", model: null },
      });
      expect(notices).toHaveLength(1);
    }));

  test("joins a session that hooks told of", () =>
    withRoutes(async ({ storage, post }) => {
      await storage.put({
        key: "1",
        records: { sessions: [sampleSession({ prompts: 4, title: "Kept title" })] },
      });
      await post("store-memory", told);
      const [stored] = await storage.observations({});
      expect(stored).toMatchObject({ client: "claude-code", promptNumber: 4 });
      const sessions = await storage.sessions({});
      expect(sessions.map(({ title, observations }) => [title, observations])).toEqual([
        ["Kept title", 1],
      ]);
    }));

  test("stores the same thing once, and what comes under one id once", () =>
    withRoutes(async ({ storage, post, notices }) => {
      const first = await post("store-memory", told);
      expect((await post("store-memory", told)).body).toEqual({ id: first.body.id, stored: false });
      const named = await post("store-memory", {
        ...told,
        id: "mine-1",
        title: "Another title for it",
      });
      const again = await post("store-memory", {
        ...told,
        id: "mine-1",
        title: "Yet another title here",
      });
      expect(again.body).toEqual({ id: named.body.id, stored: false });
      expect((await post("store-memory", { ...told, session: "session-2" })).body.stored).toBe(
        true,
      );
      expect(await storage.observations({ superseded: true })).toHaveLength(3);
      expect(notices).toHaveLength(3);
    }));

  test("keeps no secret and nothing private", () =>
    withRoutes(async ({ storage, post }) => {
      const facts = ["The key of the staging shop is sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAA"];
      const narrative = "It pays. <private>my salary</private>";
      await post("store-memory", { ...told, facts, narrative });
      const text = JSON.stringify(await storage.observations({}));
      expect(text).toContain("[redacted:");
      expect(text).not.toMatch(/sk-ant|salary/);
    }));

  const wrong: Array<[string, object, string]> = [
    ["a short title", { title: "Two words" }, "`title` must have 3 to 8 words, but has 2."],
    [
      "a long subtitle",
      { subtitle: "w ".repeat(25) },
      "`subtitle` must have at most 24 words, but has 25.",
    ],
    [
      "a short fact",
      { facts: ["Too short"] },
      "`facts.0` must have 50 to 150 characters, but has 9.",
    ],
    ["no fact", { facts: [] }, "`facts` must have at least one fact."],
    ["many concepts", { concepts: [..."abcdef"] }, "`concepts` must have at most 5 concepts."],
    [
      "another type",
      { type: "idea" },
      "`type` must be one of decision, bugfix, feature, refactor, change, discovery.",
    ],
    ["a field that is none", { mood: "good" }, "There is no such field: `mood`."],
    ["a missing session", { session: undefined }, "`session` is missing."],
    ["an empty project", { project: " " }, "`project` is empty."],
  ];
  test.each(wrong)("refuses %s", (_name, part, expected) =>
    withRoutes(async ({ storage, post }) => {
      const answer = await post("store-memory", { ...told, ...part });
      expect([answer.status, message(answer)]).toEqual([400, expected]);
      expect(await storage.stats({})).toMatchObject({ sessions: 0, observations: 0 });
    }),
  );

  test("refuses a session of another project, and a name that several projects have", () =>
    withRoutes(async ({ storage, post }) => {
      const other = { id: "github.com/b/shop", name: "shop", root: "/b" };
      const sessions = [sampleSession(), sampleSession({ id: "session-9", project: other })];
      await storage.put({ key: "1", records: { sessions } });
      expect(message(await post("store-memory", { ...told, project: "blog" }))).toContain(
        "belongs to github.com/acme/shop",
      );
      const several = await post("store-memory", { ...told, session: "new" });
      expect([several.status, several.body.error]).toEqual([
        400,
        {
          ...{ code: "usage", message: "Several projects are called shop." },
          fix: "Write one of github.com/acme/shop, github.com/b/shop.",
        },
      ]);
      const exact = await post("store-memory", { ...told, session: "new", project: other.id });
      expect(exact.body.stored).toBe(true);
    }));

  test("takes the one of just this name, whichever other name ends like it", () =>
    withRoutes(async ({ storage, post }) => {
      const other = { id: "github.com/b/store", name: "team/shop", root: "/b" };
      const sessions = [sampleSession(), sampleSession({ id: "session-9", project: other })];
      await storage.put({ key: "1", records: { sessions } });
      const { status } = await post("store-memory", { ...told, session: "new", project: "shop" });
      const [kept] = await storage.sessions({ session: "new" });
      expect([status, kept?.project.id]).toEqual([200, sampleSession().project.id]);
    }));

  test("takes a project at its id, whichever others are called like that", () =>
    withRoutes(async ({ storage, post }) => {
      const local = { id: "shop", name: "shop", root: "/home/kim/shop" };
      const sessions = [sampleSession(), sampleSession({ id: "session-9", project: local })];
      await storage.put({ key: "1", records: { sessions } });
      const { status, body } = await post("store-memory", {
        ...{ ...told, session: "new", project: "shop" },
      });
      expect([status, body.stored]).toEqual([200, true]);
      const [kept] = await storage.sessions({ session: "new" });
      expect(kept?.project.id).toBe("shop");
    }));
});

test("update-session-metadata gives and changes a title, back to an earlier one as well", () =>
  withRoutes(async ({ storage, post }) => {
    const { project, session, root } = told;
    for (const title of ["Login loop fixed", "Login loop analysed", "Login loop fixed"]) {
      const { status } = await post("update-session-metadata", {
        project,
        session,
        root,
        title,
        subtitle: "Below",
      });
      expect(status).toBe(200);
      expect((await storage.sessions({}))[0]).toMatchObject({
        title,
        subtitle: "Below",
        status: "active",
      });
    }
    const long = await post("update-session-metadata", {
      project,
      session,
      root,
      title: "a b c d e f g h i",
      subtitle: "",
    });
    expect(message(long)).toBe("`title` must have 3 to 8 words, but has 9.");
  }));

test("all that is told is kept, and listeners hear it as it is stored", () =>
  withRoutes(async ({ storage, post, notices }) => {
    const more = { narrative: "The whole story.", type: "bugfix", prompt: 3 };
    const { body } = await post("store-memory", { ...told, ...more });
    const observation = {
      ...{ id: body.id, session: "session-1", client: "shell", project: "shop", promptNumber: 3 },
      ...{ type: "bugfix", title: told.title, subtitle: told.subtitle, facts: told.facts },
      ...{ narrative: "The whole story.", concepts: ["authentication", "http"], filesRead: [] },
      ...{ filesModified: told.files, toolUseIds: [], time: noon },
      ...{ discoveryTokens: null, observerTokens: null },
      provenance: { strategy: "store-memory", model: null },
    };
    expect(await storage.observations({})).toEqual([observation] as never);
    const [session] = await storage.sessions({});
    expect(session).toEqual({
      ...{ id: "session-1", client: "shell", status: "active", prompts: 0, observations: 1 },
      project: { id: "shop", name: "shop", root: told.root },
      ...{ title: "", subtitle: "", startedAt: noon, lastActiveAt: noon, endedAt: null },
    } as never);
    const { project, session: of, root } = told;
    const words = { request: "Fix it", learned: "It loops", nextSteps: "Logout" };
    const overview = await post("store-overview", {
      project,
      session: of,
      root,
      content: "Done.",
      ...words,
    });
    const [summary] = await storage.summaries({});
    expect(summary).toEqual(
      expect.objectContaining({
        ...{ id: overview.body.id, scope: "session", session: of, client: "shell", project },
        ...{ request: "Fix it", learned: "It loops", completed: "Done.", nextSteps: "Logout" },
        ...{ filesRead: [], filesEdited: [], promptNumber: 0, time: noon + 5 },
        provenance: { strategy: "store-overview", model: null },
      }),
    );
    const place = { session: of, project };
    expect(notices).toEqual([
      { ...place, observations: [{ ...observation, concepts: expect.any(Array) }], summaries: [] },
      {
        ...place,
        observations: [],
        summaries: [expect.objectContaining({ id: overview.body.id })],
      },
    ]);
    expect((await storage.sessions({}))[0]?.lastActiveAt).toBe(noon + 5);
  }));

test("what comes late does not make a session's last activity earlier; its branch goes with what is told", () =>
  withRoutes(async ({ storage, post }) => {
    const project = { ...sampleSession().project, branch: "fix" };
    await storage.put({
      key: "1",
      records: { sessions: [sampleSession({ project, lastActiveAt: noon + 99 })] },
    });
    await post("store-memory", { ...told, project: "SHOP" });
    expect((await storage.sessions({}))[0]?.lastActiveAt).toBe(noon + 99);
    expect((await storage.observations({}))[0]?.branch).toBe("fix");
  }));

test("the id of another record is no session's", () =>
  withRoutes(async ({ post }) => {
    const { body } = await post("store-memory", told);
    const wrong = await post("store-memory", { ...told, session: body.id });
    expect([wrong.status, message(wrong)]).toEqual([
      400,
      "`session` is a session's id, and this one is of kind observation.",
    ]);
  }));

test("store-overview stands beside the session's own summary", () =>
  withRoutes(async ({ storage, post }) => {
    const { project, session, root } = told;
    const content = "The loop is fixed and covered by a test.";
    const { body } = await post("store-overview", {
      project,
      session,
      root,
      content,
      nextSteps: "Logout",
    });
    const [stored] = await storage.summaries({ scope: "session" });
    expect(stored).toMatchObject({
      id: body.id,
      completed: content,
      nextSteps: "Logout",
      promptNumber: 0,
    });
  }));
