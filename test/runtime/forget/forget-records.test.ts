// What is forgotten leaves each place that keeps something of it, in order, and once more where a crash broke it off.
import { expect, test } from "bun:test";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import {
  type ForgetDeps,
  forgetRecords,
  resumeForgetting,
} from "../../../src/runtime/events/forget-records.ts";
import type { SessionState } from "../../../src/runtime/journal/planning.ts";
import type { Forgotten } from "../../../src/runtime/journal/seen-before.ts";
import type { StoredRecord } from "../../../src/sdk/storage.ts";
import { undoFolder } from "../../../src/transcript/undo-log.ts";
import { fakeHooks, type Responders } from "../../support/fake-hooks.ts";
import { inFolder } from "../../support/in-folder.ts";
import { keptLog } from "../../support/kept-log.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  sampleSession,
  sampleTurn,
} from "../../support/sample-records.ts";

const client = sampleTurn({}).client;
const turn = (id: string, promptNumber: number, session = "s1", text = `Prompt ${id}`) =>
  ({
    kind: "turn",
    record: {
      ...sampleTurn({ session, promptNumber, pieces: [{ kind: "prompt", text, time: noon }] }),
      id,
    },
  }) as StoredRecord;
const session = (id: string, more = {}) =>
  ({
    kind: "session",
    record: { ...sampleSession({ id, title: "", subtitle: "", ...more }), observations: 0 },
  }) as StoredRecord;
const observation = (id: string) =>
  ({
    kind: "observation",
    record: { ...sampleObservation({ session: "s1" }), id },
  }) as StoredRecord;

/** A home in which row 1 is the session `s1` of the client, row 2 one of another client with the same id, row 3 `s2`. */
async function forgetting(home: string, stored: readonly StoredRecord[], answers: Responders = {}) {
  const steps: string[] = [];
  const buried: Forgotten[] = [];
  const log = keptLog();
  const hooks = fakeHooks({
    "storage.get": ({ ids }) => stored.filter(({ record }) => ids.includes(record.id)),
    "storage.turns": ({ session: of }) =>
      stored.flatMap(({ kind, record }) =>
        kind === "turn" && record.session === of ? [record] : [],
      ),
    "storage.delete": ({ ids }) => {
      steps.push(`delete ${ids}`);
      return { deleted: [...ids] };
    },
    "storage.memory": () => [],
    "storage.put": () => ({ written: true, observations: [], summaries: [], turns: [] }),
    forgotten: () => void steps.push("tell"),
    ...answers,
  });
  const rows: Record<string, number[]> = { s1: [1, 2], s2: [3], fresh: [4] };
  const deps: ForgetDeps = {
    ...{ home, hooks, log, now: () => noon + 5 },
    journal: {
      rows: (id) => rows[id] ?? [],
      state: (row) => ({ row, client: row === 2 ? "another" : client }) as unknown as SessionState,
      forget: (row, prompts) => {
        steps.push(`journal ${row}: ${prompts}`);
        return [`use-${row}`];
      },
      forgetSession: (row) => {
        steps.push(`journal ${row}: all`);
        return [`use-${row}`];
      },
      bury: (forgotten) => {
        steps.push("bury");
        buried.push(...forgotten);
      },
      purge: async () => void steps.push("purge"),
      session: (id) => (id === "fresh" ? ({ client, session: id } as never) : undefined),
    },
    endless: {
      forget: async (gone) =>
        void steps.push(
          "records" in gone
            ? `endless ${gone.records}`
            : `endless ${gone.session}: ${gone.toolUses}`,
        ),
    },
  };
  return { deps, steps, buried, hooks, log };
}
const isLeft = (home: string) => Bun.file(join(home, "forgetting.json")).exists();

test("prompts leave the journal of their own client, Endless Mode, the spool, the undo log and storage; then it is told", () =>
  inFolder(async (home) => {
    const { deps, steps, buried, hooks } = await forgetting(home, [
      turn("t1", 1),
      turn("t2", 2),
      turn("t3", 1, "s2"),
      turn("t4", 3),
    ]);
    const undo = undoFolder(home);
    for (const id of ["s1", "s2", "s3"]) await Bun.write(join(undo, id, "x.gz"), "x");
    const spool = memoirPaths(home).spool;
    for (const id of ["s1", "s2", "s3"])
      await Bun.write(join(spool, `${id}.json`), JSON.stringify({ session: id, time: noon }));
    expect(await forgetRecords(["t1", "t2", "t3"], deps)).toEqual({ deleted: ["t1", "t2", "t3"] });
    expect(steps).toEqual([
      ...["bury", "journal 1: 1,2", "journal 3: 1", "endless s1: use-1", "endless s2: use-3"],
      ...["delete t1,t2,t3", "endless t1,t2,t3", "tell", "purge"],
    ]);
    expect(hooks.inputs("forgotten")).toEqual([
      { ids: ["t1", "t2", "t3"], sessions: ["s1", "s2"], toolUses: ["use-1", "use-3"] },
    ]);
    expect((await readdir(undo)).sort()).toEqual(["s3"]);
    expect(await readdir(spool)).toEqual(["s3.json"]);
    expect(await isLeft(home)).toBe(false);
    expect(buried.filter(({ kind }) => kind === "prompt")).toMatchObject([
      { client, session: "s1", text: "Prompt t1" },
      { client, session: "s1", text: "Prompt t2" },
      { client, session: "s2", text: "Prompt t3" },
    ]);
    expect(buried.filter(({ kind }) => kind === "record")).toHaveLength(3);
  }));

test("a whole session goes whole, whatever of its turns is named with it", () =>
  inFolder(async (home) => {
    const { deps, steps, buried } = await forgetting(home, [turn("t1", 1), session("s1")]);
    await forgetRecords(["t1", "s1"], deps);
    expect(steps).toEqual([
      ...[
        "bury",
        "journal 1: all",
        "endless s1: use-1",
        "delete t1,s1",
        "endless t1,s1",
        "tell",
        "purge",
      ],
    ]);
    expect(buried.at(-2)).toEqual({ kind: "session", client, session: "s1", until: noon + 5 });
  }));

test("a session that only the journal knows is forgotten there", () =>
  inFolder(async (home) => {
    const { deps, steps, buried } = await forgetting(home, [], {
      "storage.delete": () => ({ deleted: [] }),
    });
    await forgetRecords(["fresh", "nobody"], deps);
    const items = { kind: "record", of: "memory of", project: "", text: "fresh" };
    expect(buried).toMatchObject([{ kind: "session", client, session: "fresh" }, items]);
    expect(buried.map((one) => "until" in one && one.until)).toEqual([noon + 5, noon + 5]);
    expect(steps).toEqual([
      "bury",
      "journal 4: all",
      "endless fresh: use-4",
      "endless fresh,nobody",
      "tell",
      "purge",
    ]);
  }));

test("an observation alone leaves its session's events; where nothing was there nobody is told", () =>
  inFolder(async (home) => {
    const one = await forgetting(home, [observation("o1")]);
    await forgetRecords(["o1"], one.deps);
    expect(one.steps).toEqual(["bury", "delete o1", "endless o1", "tell", "purge"]);
    expect(one.hooks.inputs("forgotten")).toEqual([{ ids: ["o1"], sessions: [], toolUses: [] }]);
    const none = await forgetting(home, [], { "storage.delete": () => ({ deleted: [] }) });
    expect(await forgetRecords(["o9"], none.deps)).toEqual({ deleted: [] });
    expect(none.steps).toEqual([]);
  }));

test("what a listener still wrote of a whole session while it went is deleted after it, and told", () =>
  inFolder(async (home) => {
    const late = [{ ...sampleMemory({ session: "s1" }), id: "m1" }] as never;
    const answers: Responders = { "storage.memory": () => late };
    const whole = await forgetting(home, [session("s1")], answers);
    await forgetRecords(["s1"], whole.deps);
    expect(whole.steps.slice(-4)).toEqual(["tell", "delete m1", "tell", "purge"]);
    expect(whole.hooks.inputs("storage.memory")).toEqual([{ session: "s1", limit: 1_000 }]);
    expect(whole.hooks.inputs("forgotten")[1]).toEqual({ ids: ["m1"] });
    const part = await forgetting(home, [turn("t1", 1)], answers);
    await forgetRecords(["t1"], part.deps);
    expect(part.steps.filter((step) => step.startsWith("delete"))).toEqual(["delete t1"]);
  }));

test("broken off by a storage that fails, it is ended at the next start, without the records", () =>
  inFolder(async (home) => {
    const failing = await forgetting(home, [turn("t1", 1)], {
      "storage.delete": () => {
        throw new Error("the disk is full");
      },
    });
    await expect(forgetRecords(["t1"], failing.deps)).rejects.toThrow("the disk is full");
    expect(await isLeft(home)).toBe(true);
    expect(await Bun.file(join(home, "forgetting.json")).text()).not.toContain("Prompt t1");
    await resumeForgetting(failing.deps);
    expect(failing.log.lines).toMatchObject([
      {
        level: "warn",
        message: "What was being forgotten could not be ended; it is tried at the next start.",
      },
    ]);
    expect(await isLeft(home)).toBe(true);
    const next = await forgetting(home, []);
    await resumeForgetting(next.deps);
    expect(next.steps).toEqual([
      ...["journal 1: 1", "endless s1: use-1", "delete t1", "endless t1", "tell", "purge"],
    ]);
    expect([await isLeft(home), next.log.lines]).toEqual([false, []]);
    const after = await forgetting(home, []);
    await resumeForgetting(after.deps);
    expect([after.steps, after.log.lines]).toEqual([[], []]);
  }));

test("what a plugin's database could not forget is tried again at each start until it can", () =>
  inFolder(async (home) => {
    const broken = join(home, "data/notes.db");
    await mkdir(join(home, "data"));
    await writeFile(broken, "no database".repeat(100));
    const { deps, log } = await forgetting(home, [turn("t1", 1)]);
    await forgetRecords(["t1"], deps);
    await resumeForgetting(deps);
    expect(log.lines.map(({ level, message }) => `${level} ${message}`)).toEqual(
      Array(2).fill(
        "error a plugin's database could not forget; it is tried again at the next start",
      ),
    );
    expect(await isLeft(home)).toBe(true);
    await rm(broken);
    await resumeForgetting(deps);
    expect(await isLeft(home)).toBe(false);
  }));

test("a note of what is under way that cannot be read is told, and stops nobody", () =>
  inFolder(async (home) => {
    await writeFile(join(home, "forgetting.json"), '{"ids": 7}');
    const { deps, steps, log } = await forgetting(home, []);
    await resumeForgetting(deps);
    expect([steps, log.lines.length]).toEqual([[], 1]);
  }));

test("a title that says what only the forgotten prompts said is emptied; what others say too stays", () =>
  inFolder(async (home) => {
    const records = (title: string, subtitle: string) => [
      turn("t1", 1, "s1", "Paint the walrus green"),
      turn("t2", 2, "s1", "Paint the heron green"),
      session("s1", { title, subtitle }),
    ];
    const put = async (title: string, subtitle: string) => {
      const { deps, hooks } = await forgetting(home, records(title, subtitle));
      await forgetRecords(["t1"], deps);
      return hooks
        .inputs("storage.put")
        .flatMap(({ records: { sessions = [] } }) =>
          sessions.map(({ id, title, subtitle }) => [id, title, subtitle]),
        );
    };
    expect(await put("About a WALRUS", "Paint it green")).toEqual([["s1", "", "Paint it green"]]);
    expect(await put("Paint it", "The walrus")).toEqual([["s1", "Paint it", ""]]);
    expect(await put("Paint it", "green heron")).toEqual([]);
  }));

test("a session whose id begins like another's takes nothing of that one", () =>
  inFolder(async (home) => {
    // Asked for a session that is gone, a storage takes the id for the beginning of another's.
    const other = { ...sampleMemory({ session: "s1-and-more" }), id: "m9" };
    const { deps, steps } = await forgetting(home, [session("s1")], {
      "storage.memory": () => [other],
      "storage.turns": () => [
        turn("t9", 1, "s1-and-more").record as ReturnType<typeof sampleTurn> & { id: string },
      ],
    });
    await forgetRecords(["s1"], deps);
    await forgetRecords(["s1"], deps, { gently: true });
    expect(steps.filter((step) => step.startsWith("delete"))).toEqual(["delete s1", "delete s1"]);
  }));

test("gently, a few records at a time, and no file is written anew", () =>
  inFolder(async (home) => {
    const turns = Array.from({ length: 7 }, (_, at) => turn(`t${at}`, at + 1));
    const left = new Set(turns.map(({ record }) => record.id));
    const { deps, steps, hooks } = await forgetting(home, [session("s1"), ...turns], {
      "storage.turns": ({ limit = 100 }) =>
        turns
          .flatMap(({ record }) => (left.has(record.id) ? [record as never] : []))
          .slice(0, limit),
      "storage.delete": ({ ids }) => {
        for (const id of ids) left.delete(id);
        return { deleted: [...ids] };
      },
    });
    const { deleted } = await forgetRecords(["s1"], deps, { gently: true });
    expect(deleted.sort()).toEqual(["s1", ...turns.map(({ record }) => record.id)].sort());
    const asked = hooks.inputs("storage.delete");
    expect(asked.map(({ ids }) => ids.length)).toEqual([5, 2, 1]);
    expect(asked.every(({ gently }) => gently)).toBe(true);
    expect(steps).not.toContain("purge");
  }));
