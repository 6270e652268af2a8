// When a session is told, over a storage that counts who asks it: the hooks themselves never do.
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import plugin from "../../../plugins/context-moments/index.ts";
import { stripContext } from "../../../src/privacy/marker.ts";
import type { Reply } from "../../../src/sdk/events.ts";
import type { MemoryItem } from "../../../src/sdk/model.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { restsAfter } from "../../../src/strategy/uses.ts";
import { clientEvent } from "../../support/client-events.ts";
import { openRoom } from "../../support/plugin-room.ts";
import { sampleSummary } from "../../support/sample-records.ts";

const homes: string[] = [];
afterAll(async () => {
  for (const home of homes) await rm(home, { recursive: true, force: true });
});

const error = "TypeError: cart.total is no function at checkout";
const past: Turn = {
  ...{ id: "t12", session: "old", client: "claude-code", project: "github.com/acme/shop" },
  ...{ promptNumber: 1, startedAt: 1, time: 2, end: "closed" },
  pieces: [
    { kind: "prompt", text: "Fix the cart" },
    { kind: "failure", about: "bun test cart", text: error, described: "Run" },
    { kind: "repair", about: "bun test cart", text: `${error}\n\n→ src/cart.ts` },
    { kind: "passed", about: "bun test cart", text: "1 pass" },
    { kind: "closing", text: "The total is a getter now." },
  ],
  files: [{ path: "src/cart.ts", changed: true }],
};

const decision: MemoryItem = {
  ...{ id: "m1", kind: "decisions", date: "2026-11-02", content: "src/cart.ts has cents" },
  ...{ context: "", session: "old", project: past.project, state: "standing" },
};
const sampleStored = (scope: "prompt" | "session") => ({ ...sampleSummary({ scope }), id: "s1" });

async function open(config: object = {}, turns: Turn[] = [past]) {
  const home = await mkdtemp(join(tmpdir(), "memoir-moments-"));
  homes.push(home);
  const asked: string[] = [];
  const clock = { now: 1_000 };
  const { hooks, log } = await openRoom(plugin, {
    ...{ config, home, now: () => clock.now },
    storage: {
      turns: async ({ project }: { project?: string }) => {
        asked.push("turns");
        return turns.filter((turn) => (project ?? turn.project) === turn.project);
      },
      memory: async () => {
        asked.push("memory");
        return [decision];
      },
    },
  });
  async function reply<Name extends "PostToolUse" | "PostToolUseFailure" | "SessionStart" | "Stop">(
    name: Name,
    fields: object = {},
  ): Promise<Reply> {
    const before = asked.length;
    const event = { ...clientEvent(name), session: "new", ...fields };
    const [answer] = await hooks.sequence(name, event);
    expect(asked.length).toBe(before);
    const { records: ids } = answer?.result ?? {};
    const { session, time, project } = event;
    const given = { session, time, project: project?.id ?? "", event: name };
    if (ids) await hooks.parallel("shown", { ...given, ids });
    return answer?.result ?? {};
  }
  await reply("SessionStart");
  await readThrough(asked, 2);
  return { hooks, log, home, clock, asked, reply };
}
/** Waits until a project was read, which takes so many questions. */
async function readThrough(asked: readonly string[], questions: number): Promise<void> {
  while (asked.length < questions) await Bun.sleep(5);
  // Reading lets others work in between a few times.
  for (let turn = 0; turn < 20; turn++) await Bun.sleep(1);
}
const bash = (command: string) => ({ toolName: "Bash", toolInput: { command } });
const fails = { ...bash("bun test cart"), error: `Exit code 1\n${error}` };
const edits = { toolName: "Edit", toolInput: { file_path: "/home/ada/shop/src/cart.ts" } };

test("a failure that another session repaired is told once, in two lines with an id", async () => {
  const { reply } = await open();
  const { context = "", records, noted } = await reply("PostToolUseFailure", fails);
  expect(context).toContain("t12");
  expect(context).toContain("src/cart.ts changed");
  expect(context).toContain("The total is a getter now.");
  expect(context.split("\n")).toHaveLength(4);
  expect(stripContext(context)).toBe("");
  expect(records).toEqual(["t12"]);
  expect(noted).toEqual(["failure:told"]);
  expect(await reply("PostToolUseFailure", fails)).toEqual({});
  expect((await reply("PostToolUseFailure", { ...fails, session: "third" })).records).toEqual([
    "t12",
  ]);
});

test("a path that is not there is shown with the file that earlier sessions worked with, once", async () => {
  const { reply } = await open();
  const reads = (path: string) =>
    reply("PostToolUseFailure", {
      ...{ toolName: "Read", toolInput: { file_path: `/home/ada/shop/${path}` } },
      error: "File does not exist.",
    });
  const { context, records } = await reads("lib/cart.ts");
  expect(context).toContain(
    "`lib/cart.ts` is not there: earlier sessions worked with src/cart.ts (t12",
  );
  expect(records).toEqual(["t12"]);
  expect(await reads("lib/cart.ts")).toEqual({});
  const lists = bash("ls /home/ada/shop/src/old/cart.ts");
  const printed = "Exit code 1\nls: /home/ada/shop/src/old/cart.ts: No such file or directory";
  expect((await reply("PostToolUseFailure", { ...lists, error: printed })).context).toContain(
    "`src/old/cart.ts` is not there",
  );
});

test("what a session that just ended repaired is known to the next, however young the rest is", async () => {
  const turns: Turn[] = [];
  const { reply, hooks, asked } = await open({ elsewhere: false }, turns);
  expect(await reply("PostToolUseFailure", fails)).toEqual({});
  turns.push(past);
  await reply("SessionStart");
  expect(asked.filter((what) => what === "turns")).toHaveLength(1);
  const about = { session: "old", project: past.project, observations: [] };
  await hooks.parallel("stored", { ...about, summaries: [sampleStored("prompt")] });
  await reply("SessionStart");
  await hooks.parallel("stored", { ...about, summaries: [sampleStored("session")] });
  await reply("SessionStart");
  await readThrough(asked, 4);
  expect(asked.filter((what) => what === "turns")).toHaveLength(2);
  expect((await reply("PostToolUseFailure", fails)).records).toEqual(["t12"]);
});

test("before the project was read a hook is told nothing, and waits for nothing", async () => {
  const asked = Promise.withResolvers<void>();
  const never = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const home = await mkdtemp(join(tmpdir(), "memoir-moments-"));
  homes.push(home);
  const { hooks } = await openRoom(plugin, { home, storage: { turns: never } });
  const answers = async () => {
    const failure = { ...clientEvent("PostToolUseFailure"), session: "new", ...fails };
    const edit = { ...clientEvent("PostToolUse"), session: "new", ...edits };
    const told = [
      ...(await hooks.sequence("PostToolUseFailure", failure)),
      ...(await hooks.sequence("PostToolUse", edit)),
    ];
    return told.map(({ result }) => result).filter((result) => result !== undefined);
  };
  // Nothing was asked of storage yet; then storage is asked, and does not answer.
  expect(await answers()).toEqual([]);
  await asked.promise;
  expect(await answers()).toEqual([]);
});

const pushed: Turn = {
  ...past,
  ...{ id: "t30", project: "github.com/acme/till" },
  pieces: [
    {
      kind: "failure",
      about: "git push",
      text: "fatal: The branch has no upstream branch to push",
    },
    { kind: "passed", about: "git push -u origin HEAD", text: "done" },
  ],
};
const pushFails = { ...bash("git push"), error: pushed.pieces[0]?.text };

test("what commands repaired in another project is told as such, what files did is not", async () => {
  const { reply } = await open({}, [{ ...past, project: "github.com/acme/till" }, pushed]);
  expect(await reply("PostToolUseFailure", fails)).toEqual({});
  const { context = "", records } = await reply("PostToolUseFailure", pushFails);
  expect(context).toContain("Seen before in another project (t30");
  expect(context).toContain("`git push -u origin HEAD`");
  expect(records).toEqual(["t30"]);
});

test("other projects are left alone where config says so", async () => {
  const { reply } = await open({ elsewhere: false }, [pushed]);
  expect(await reply("PostToolUseFailure", pushFails)).toEqual({});
});

test.each(["compact", "clear"])("it is told again after the context went: %s", async (source) => {
  const { reply } = await open();
  await reply("PostToolUseFailure", fails);
  await reply("SessionStart", { source });
  expect((await reply("PostToolUseFailure", fails)).records).toEqual(["t12"]);
});

test("it is not told again to a session that is resumed with its context", async () => {
  const { reply } = await open();
  await reply("PostToolUseFailure", fails);
  await reply("SessionStart", { source: "resume" });
  expect(await reply("PostToolUseFailure", fails)).toEqual({});
});

test.each([
  ["a failure that nobody met", { ...fails, error: "Error: another thing is wrong" }],
  ["what the person stopped", { ...fails, isInterrupt: true }],
  ["the session that repaired it", { ...fails, session: "old" }],
  ["another project", { ...fails, project: { id: "blog", name: "blog", root: "/b" } }],
  ["what is withheld", { ...fails, withheld: true }],
  ["what is read from a transcript", { ...fails, recovered: { modelFree: true } }],
])("nothing is told of %s", async (_, fields) => {
  const { reply } = await open();
  expect(await reply("PostToolUseFailure", fields)).toEqual({});
});

test("of a file nothing is told where it was changed in a transcript", async () => {
  const { reply } = await open();
  expect(await reply("PostToolUse", { ...edits, recovered: { modelFree: true } })).toEqual({});
});

test("neither reading a file nor the passing of what failed is acting on what was shown", async () => {
  const { reply } = await open();
  await reply("PostToolUseFailure", fails);
  expect(await reply("PostToolUse", { ...edits, toolName: "Read" })).toEqual({});
  const piped = { ...bash("bun test cart | tail -5"), toolResponse: { stdout: "it is all well" } };
  expect(await reply("PostToolUse", piped)).toEqual({});
  expect(await reply("PostToolUse", bash("bun test cart"))).toEqual({});
});

test("a failure behind a pipe is known by what it printed", async () => {
  const { reply } = await open();
  const use = { ...bash("bun test cart 2>&1 | tail -5"), toolResponse: { stdout: error } };
  expect((await reply("PostToolUse", use)).records).toEqual(["t12"]);
});

test("a file is told about when it is first changed, and when it is read where config says so", async () => {
  const { reply } = await open();
  const read = { ...edits, toolName: "Read" };
  expect(await reply("PostToolUse", read)).toEqual({});
  const { context, records, noted } = await reply("PostToolUse", edits);
  expect(context).toContain("src/cart.ts has cents");
  expect({ records, noted }).toEqual({ records: ["m1"], noted: ["file:told"] });
  expect(await reply("PostToolUse", edits)).toEqual({});
  const eager = await open({ reads: true });
  expect((await eager.reply("PostToolUse", read)).records).toEqual(["m1"]);
  const quiet = await open({ files: false, failures: false });
  expect(await quiet.reply("PostToolUse", edits)).toEqual({});
  expect(await quiet.reply("PostToolUseFailure", fails)).toEqual({});
});

test("what becomes of it is counted, and kept for the next run", async () => {
  const { reply, hooks, home } = await open();
  await reply("PostToolUseFailure", fails);
  await hooks.reduce(
    "capture",
    clientEvent("PostToolUse", { session: "new", ...bash("memoir show t12") }),
  );
  expect((await reply("PostToolUse", bash("ls"))).noted).toEqual(["failure:looked-up"]);
  expect((await reply("PostToolUse", edits)).noted).toEqual(["failure:acted-on", "file:told"]);
  await reply("Stop");
  const kept: unknown = await Bun.file(join(home, "moments.json")).json();
  expect(kept).toMatchObject([
    { kind: "failure", session: "new", ids: ["t12"], lookedUp: true, actedOn: true },
    { kind: "file", session: "new", ids: ["m1"], lookedUp: false, actedOn: false },
  ]);
});

test("a log that is pasted into a prompt is a failure, of whatever tool", async () => {
  const { hooks } = await open();
  const ask = async (prompt: string) => {
    const event = clientEvent("UserPromptSubmit", { session: "new", prompt });
    return (await hooks.sequence("UserPromptSubmit", event))[0]?.result?.records;
  };
  expect(await ask("the cart fails at checkout")).toBeUndefined();
  expect(await ask(`I get this:\n\n${error}\n    at checkout (src/cart.ts:12)`)).toEqual(["t12"]);
});

test("a hint that nobody uses is kept back, and counted, until a person pins its record", async () => {
  const { reply, hooks, asked } = await open({ elsewhere: false });
  for (let at = 0; at < restsAfter; at++)
    expect((await reply("PostToolUseFailure", { ...fails, session: `s${at}` })).records).toEqual([
      "t12",
    ]);
  const late = () => reply("PostToolUseFailure", { ...fails, session: crypto.randomUUID() });
  expect(await late()).toEqual({ noted: ["failure:silent"] });
  await hooks.parallel("amended", { kind: "turn", record: { ...past, pinned: true } });
  const before = asked.length;
  await reply("SessionStart");
  await readThrough(asked, before + 2);
  expect((await late()).records).toEqual(["t12"]);
});

test("what was forgotten is told no more", async () => {
  const { reply, hooks, home } = await open();
  await reply("PostToolUseFailure", { ...fails, session: "first" });
  await reply("Stop");
  const file = Bun.file(join(home, "moments.json"));
  expect(await file.text()).toContain("t12");
  await hooks.parallel("forgotten", { ids: ["t12"] });
  expect(await file.json()).toEqual([]);
  expect(await reply("PostToolUseFailure", fails)).toEqual({});
});

test("after a record was edited or hidden nothing is told until all was read anew", async () => {
  const { reply, hooks } = await open();
  await hooks.parallel("amended", { kind: "turn", record: past });
  expect(await reply("PostToolUseFailure", fails)).toEqual({});
});

test("a file that was changed before the project was read is told about when it is changed again", async () => {
  const { reply, hooks, asked } = await open();
  await hooks.parallel("amended", { kind: "turn", record: past });
  const before = asked.length;
  expect(await reply("PostToolUse", edits)).toEqual({});
  await readThrough(asked, before + 2);
  expect((await reply("PostToolUse", edits)).records).toEqual(["m1"]);
});

test("other projects are not read where no failures are told", async () => {
  const { asked } = await open({ failures: false });
  expect(asked).toEqual(["turns", "memory"]);
});

test("a prompt finds what is known good enough for a minute after another session stored something", async () => {
  const { hooks, asked, clock } = await open({ elsewhere: false });
  const about = { session: "old", project: past.project, observations: [] };
  await hooks.parallel("stored", { ...about, summaries: [sampleStored("prompt")] });
  const prompt = async () => {
    await hooks.sequence("UserPromptSubmit", {
      ...clientEvent("UserPromptSubmit"),
      session: "new",
    });
    for (let turn = 0; turn < 60; turn++) await Bun.sleep(1);
    return asked.filter((what) => what === "turns").length;
  };
  clock.now += 59_000;
  expect(await prompt()).toBe(1);
  clock.now += 2_000;
  hooks.sequence("UserPromptSubmit", { ...clientEvent("UserPromptSubmit"), session: "new" });
  for (let tries = 0; asked.length < 4 && tries < 1_000; tries++) await Bun.sleep(5);
  expect(asked.length).toBe(4);
});

test.each([
  ["a failure", "PostToolUseFailure", fails],
  ["a change", "PostToolUse", edits],
] as const)("%s in a project that was not read yet has it read", async (_, name, fields) => {
  const { reply, asked } = await open({ elsewhere: false });
  await reply(name, { ...fields, project: { id: "blog", name: "blog", root: "/b" } });
  for (let tries = 0; asked.length < 4 && tries < 1_000; tries++) await Bun.sleep(5);
  expect(asked.length).toBe(4);
});
