// The commands that correct memory, over a real store behind the real routes: what they send, print and refuse.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { edit, forget, mark, merge } from "../../../src/cli/memory/correct.ts";
import { search } from "../../../src/cli/memory/look.ts";
import { show } from "../../../src/cli/memory/show.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import type { Listener } from "../../../src/host/host.ts";
import { loadHost } from "../../../src/host/index.ts";
import { createApp } from "../../../src/server/app.ts";
import { serverHeader } from "../../../src/server/endpoint.ts";
import type { ServerRuntime } from "../../../src/server/life/server-runtime.ts";
import {
  sampleMemory,
  sampleObservation,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../../src/testing/samples.ts";
import { appOptions } from "../../server/app-options.ts";
import { type AskedRecords, askedRecords } from "../../support/asked-records.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

type OpenEditor = NonNullable<Parameters<typeof edit>[3]>;

let place: Awaited<ReturnType<typeof ownHome>>;
let world: AskedRecords;
let listener: Listener;
const time = Date.UTC(2026, 10, 22, 12);
beforeAll(async () => {
  place = await ownHome();
});
afterAll(() => place.end());
beforeEach(async () => {
  world = await askedRecords(() => time);
  Object.assign(world.runtime.hooks, { parallel: async () => {} });
  await world.store.put({
    key: "k",
    records: {
      sessions: [sampleSession({ id: "3f2a91c0-1" })],
      observations: [
        sampleObservation({ title: "Walrus loops", facts: ["It loops twice a day."] }),
      ],
      summaries: [sampleSummary({ request: "Stop it", nextSteps: "Nothing" })],
      memory: [sampleMemory({ content: "Use the walrus" })],
      turns: [sampleTurn()],
    },
  });
  const runtime = { ...world.runtime, home: place.home } as ServerRuntime;
  const app = createApp({ ...appOptions(), runtime });
  await mkdir(place.home, { recursive: true, mode: 0o700 });
  const host = await loadHost();
  listener = await host.listen({ unix: memoirPaths(place.home).socket }, async (request) => {
    const response = await app.handle(request);
    response.headers.set(serverHeader, "1");
    return response;
  });
});
afterEach(async () => {
  delete process.env.CLAUDE_CODE_SESSION_ID;
  await listener.stop(0);
  world.store.close();
});

async function run(command: (terminal: Terminal) => Promise<number>, more: Partial<Terminal> = {}) {
  const terminal = plainTerminal({ now: () => time, ...more });
  const code = await command(terminal);
  return { code, lines: terminal.out.join("\n").split("\n"), err: terminal.err };
}

test("edit by options shows the record in the user's words, and how to take it back", async () => {
  const { code, lines } = await run((terminal) =>
    edit("o1", { title: "Otter loops", text: "In my words.", fact: ["One.", "Two."] }, terminal),
  );
  expect([code, lines[0]]).toEqual([0, "o1  discovery  Otter loops"]);
  expect(lines).toEqual(expect.arrayContaining(["· One.", "· Two.", "In my words."]));
  expect(lines.at(-1)).toMatch(/^edited by you .*; undo: memoir memory edit o1 --undo$/);
  const back = await run((terminal) => edit("o1", { undo: true }, terminal));
  expect(back.lines[0]).toBe("o1  discovery  Walrus loops");
  expect(back.lines.join()).not.toContain("edited by you");
});

test.each([
  ["m1", { text: "Use the otter", context: "Mine" }, { content: "Use the otter", context: "Mine" }],
  [
    "s1",
    { set: ["next-steps=Ask Ada = Bob"], text: "Done" },
    { nextSteps: "Ask Ada = Bob", completed: "Done" },
  ],
  ["3f2a", { title: "My session" }, { title: "My session" }],
])("edit %s: %j", async (id, options, fields) => {
  const { lines } = await run((terminal) => edit(id, { ...options, json: true }, terminal));
  expect(JSON.parse(lines.join("")).records[0].record).toMatchObject(fields);
});

test.each([
  ["o9", { title: "x" }, "record_not_found", "There is no record o9."],
  ["o1", {}, "usage", "Nothing to write."],
  ["o1", { set: ["title"] }, "usage", "`--set title` is no field=text."],
  ["o1", { context: "x" }, "usage", "There is no `context` to edit"],
  ["o1", { title: "" }, "usage", "`title` is empty."],
  ["o1", { title: "x", undo: true }, "usage", "takes no words"],
  ["o1", { undo: true }, "usage", "o1 was not edited."],
  ["t1", { text: "x" }, "usage", "A turn is evidence"],
])("edit %s %j is refused: %s %s", async (id, options, code, message) => {
  await expect(run((terminal) => edit(id, options, terminal))).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

/** Somebody who changes the form so. */
const typing =
  (change: (form: string) => string, done: string[]): OpenEditor =>
  async (form) => ({
    form: change(form),
    path: "/tmp/draft.md",
    done: async () => void done.push("removed"),
  });

test("edit in an editor: what was changed is stored, the draft goes; of nothing changed it says so", async () => {
  const done: string[] = [];
  const person = { interactive: true };
  const change = typing((form) => form.replace("Walrus loops", "Otter loops"), done);
  const { lines } = await run((terminal) => edit("o1", {}, terminal, change), person);
  expect(lines[0]).toContain("Otter loops");
  expect((await world.store.observations({}))[0]?.edited?.was).toEqual({ title: "Walrus loops" });
  const same = typing((form) => form, done);
  const none = await run((terminal) => edit("o1", {}, terminal, same), person);
  expect([none.code, none.lines]).toEqual([0, ["Nothing was changed."]]);
  expect(done).toEqual(["removed", "removed"]);
});

test("what was written in an editor is kept where it cannot be stored", async () => {
  const done: string[] = [];
  const terminal = plainTerminal({ interactive: true });
  const empty = typing((form) => form.replace("Walrus loops", ""), done);
  await expect(edit("o1", {}, terminal, empty)).rejects.toThrow("`title` is empty.");
  expect(terminal.err).toEqual(["What you wrote is kept in /tmp/draft.md."]);
  expect(done).toEqual([]);
});

test("an editor that fails changes nothing, and a real one is run as the user named it", async () => {
  const person = (editor: string) => ({ interactive: true, env: { EDITOR: editor } });
  await expect(run((terminal) => edit("o1", {}, terminal), person("false"))).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("`false` failed"),
  });
  const { lines } = await run(
    (terminal) => edit("o1", {}, terminal),
    person("sed -i 's/Walrus/Real otter/'"),
  );
  expect(lines[0]).toContain("Real otter loops");
});

test("pin and hide say what they did, list what is marked, and are taken back", async () => {
  const does = (verb: "pin" | "unpin" | "hide" | "unhide", ...ids: string[]) =>
    run((terminal) => mark(verb, ids, {}, terminal)).then(({ lines }) => lines);
  expect(await does("pin")).toEqual(["Nothing is pinned."]);
  expect(await does("pin", "o1", "m1")).toEqual([
    "Pinned:",
    "  o1  Walrus loops",
    "  m1  Use the walrus",
  ]);
  expect(await does("pin")).toEqual(["o1  Walrus loops", "m1  Use the walrus"]);
  expect(await does("unpin", "o1")).toEqual(["Unpinned:", "  o1  Walrus loops"]);
  const hidden = await does("hide", "t1");
  expect(hidden[0]).toBe("Hidden:");
  const along = hidden.at(-1) ?? "";
  expect(along).toMatch(/^Also what was made from it: .*\bo1\b/);
  expect((await does("unhide", "o1")).at(-1)).toEndWith(
    "because its session or what it was made from is: o1.",
  );
  expect((await run((terminal) => show(["o1"], {}, terminal))).lines).toContain(
    "hidden from agents with its session, or with what it was made from",
  );
  expect(await does("unhide", "t1")).toEqual([
    ...["Shown to agents again:", expect.stringContaining("t1"), along],
  ]);
  expect(await does("unhide", "t1")).toEqual(["Was not hidden:", expect.stringContaining("t1")]);
  expect(await does("unpin", "o1", "m1")).toEqual([
    ...["Unpinned:", "  m1  Use the walrus", "Was not pinned:", "  o1  Walrus loops"],
  ]);
  expect(await does("hide")).toEqual(["Nothing is hidden."]);
  await expect(does("hide", "o1", "o9")).rejects.toThrow("There is no record o9.");
  expect(await does("hide")).toEqual(["Nothing is hidden."]);
  await expect(does("pin", "3f2a91c0")).rejects.toThrow("A session as a whole cannot be pinned.");
});

test("what says the same is merged, shown so, and parted again; what stands is confirmed", async () => {
  const put = { key: "twice", records: { memory: [sampleMemory({ content: "Walrus first" })] } };
  await world.store.put(put);
  expect((await run((terminal) => merge("m1", ["m2"], {}, terminal))).lines).toEqual([
    "Merged into m1:",
    "  m2  Walrus first",
  ]);
  const shown = await run((terminal) => show(["m2"], {}, terminal));
  expect(shown.lines).toContain("merged into m1: hidden from agents");
  const json = await run((terminal) => merge("m1", ["m2"], { json: true }, terminal));
  expect(JSON.parse(json.lines[0] ?? "")).toMatchObject({
    records: [{ record: { merged: "m1" } }],
  });
  await expect(run((terminal) => merge("m2", ["m1"], {}, terminal))).rejects.toThrow("is hidden");
  await run((terminal) => mark("unhide", ["m2"], {}, terminal));
  expect((await run((terminal) => mark("hide", [], {}, terminal))).lines).toEqual([
    "Nothing is hidden.",
  ]);
  const confirmed = await run((terminal) => mark("confirm", ["m2"], {}, terminal));
  expect(confirmed.lines).toEqual(["Confirmed:", "  m2  Walrus first"]);
});

test("a search finds what is hidden for a person, marked, and nothing of it for an agent's shell", async () => {
  await run((terminal) => mark("hide", ["o1"], {}, terminal));
  await run((terminal) => edit("o1", { title: "Otter loops" }, terminal));
  const found = () => run((terminal) => search(["otter"], { limit: 9 }, terminal));
  expect((await found()).lines[0]).toContain(" · hidden · edited");
  const shown = await run((terminal) => show(["o1"], {}, terminal));
  expect(shown.lines).toContain("hidden from agents");
  process.env.CLAUDE_CODE_SESSION_ID = "3f2a91c0-9";
  expect((await found()).lines.join()).not.toContain("Otter");
  await expect(run((terminal) => show(["o1"], {}, terminal))).rejects.toThrow("no record");
  expect((await run((terminal) => mark("hide", [], {}, terminal))).lines).toEqual([
    "Nothing is hidden.",
  ]);
  const dry = await run((terminal) => forget([], { session: "3f2a", dryRun: true }, terminal));
  expect(dry.lines.join()).not.toContain("Otter");
  await expect(run((terminal) => forget(["o1"], { dryRun: true }, terminal))).rejects.toThrow(
    "no record o1",
  );
});
