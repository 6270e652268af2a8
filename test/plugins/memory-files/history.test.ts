// The index of sessions that were looked at: what is noted, replaced, taken out, and what a file of somebody's own is left as.
import { expect, test } from "bun:test";
import type { MemoryFolder } from "../../../plugins/memory-files/memory-folder.ts";
import { type HistoryEntry, openHistory } from "../../../plugins/memory-files/memory-folder.ts";

/** A folder that holds this file, or none; `written` is each text that was put. */
function folder(value?: unknown, state = value === undefined ? "missing" : "read") {
  const written: unknown[] = [];
  const open = (now = 5) =>
    openHistory(
      {
        read: async () => ({ state, value: structuredClone(written.at(-1) ?? value) }),
        write: async (name: string, text: unknown) => {
          expect(name).toBe("history.json");
          written.push(structuredClone(text));
        },
      } as unknown as MemoryFolder,
      now,
    );
  return { open, written };
}
const entry = (session: string, part: Partial<HistoryEntry> = {}): HistoryEntry => ({
  ...{ session, project: "p", title: `T ${session}`, date: "2026-11-01", prompts: 1 },
  ...{ summarized: true, topics: ["a"], ...part },
});
const two = { since: 3, sessions: [entry("s1"), entry("s2")], note: "mine" };

test("begins with the moment where there is none, and keeps the file's own beginning and fields", async () => {
  const fresh = folder();
  const history = await fresh.open(7);
  expect(history.find("s1")).toBeUndefined();
  await history.note(entry("s1"));
  expect(fresh.written).toEqual([{ since: 7, sessions: [entry("s1")] }]);
  const known = folder(two);
  const read = await known.open(7);
  expect(read.find("s2")?.title).toBe("T s2");
  await read.note(entry("s3"));
  expect(known.written).toEqual([{ ...two, sessions: [...two.sessions, entry("s3")] }]);
});

test("a session that is noted again replaces what was noted, the others stay", async () => {
  const { open, written } = folder(two);
  const history = await open();
  await history.note(entry("s1", { prompts: 4 }));
  expect(history.find("s1")?.prompts).toBe(4);
  expect(written).toEqual([{ ...two, sessions: [entry("s2"), entry("s1", { prompts: 4 })] }]);
});

test("sessions are taken out, or their titles and topics; nothing is written where none of them is in it", async () => {
  const { open, written } = folder(two);
  const history = await open();
  await history.leaveOut(new Set(["s9"]));
  await history.leaveUntitled(new Set(["s9"]));
  expect(written).toEqual([]);
  await history.leaveUntitled(new Set(["s1", "s9"]));
  expect(written).toEqual([
    { ...two, sessions: [entry("s1", { title: "", topics: [] }), entry("s2")] },
  ]);
  await history.leaveOut(new Set(["s1"]));
  expect(written[1]).toEqual({ ...two, sessions: [entry("s2")] });
  expect(history.find("s1")).toBeUndefined();
});

test.each([
  ["of another form", { sessions: "none" }, "read"],
  ["that is not valid JSON", undefined, "broken"],
])(
  "a file %s is left as it is, and what is noted counts until the end",
  async (_, value, state) => {
    const { open, written } = folder(value, state);
    const history = await open();
    await history.note(entry("s1"));
    expect(history.find("s1")).toEqual(entry("s1"));
    await history.leaveOut(new Set(["s1"]));
    await history.leaveUntitled(new Set(["s1"]));
    expect(written).toEqual([]);
  },
);
