// Who looks on is told what changed, once, from where they left off; who does not read costs a number; nobody outlives the server.
import { describe, expect, test } from "bun:test";
import { type Changed, type Changes, createChanges } from "../../../src/server/server.ts";

const startedAt = 1_000_000;

interface Message {
  id: string;
  changed: Changed;
}

/** Reads a stream message by message. */
function reading(response: Response) {
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  return {
    async next(): Promise<Message | undefined> {
      const { value } = await reader.read();
      if (value === undefined) return undefined;
      const [, id = "", data = ""] =
        /^id: (.+)\ndata: (.+)\n\n$/.exec(new TextDecoder().decode(value)) ?? [];
      return { id, changed: JSON.parse(data) };
    },
    leave: () => reader.cancel(),
  };
}
const follow = (changes: Changes, lastId: string | null = null) => reading(changes.read(lastId));
const made = (options = {}) => createChanges(startedAt, { gatherMs: 0, ...options });

describe("a reader", () => {
  test("is told from where to go on, then what changed, everything of a moment at once", async () => {
    const changes = made();
    changes.tell("captured", "before");
    const reader = follow(changes);
    expect(await reader.next()).toEqual({
      id: `${startedAt}-1`,
      changed: { what: [], sessions: [] },
    });
    changes.tell("records", "s1");
    changes.tell("captured", "s2");
    changes.tell("captured", "s1");
    changes.tell("worked");
    expect(await reader.next()).toEqual({
      id: `${startedAt}-5`,
      changed: { what: ["captured", "worked", "records"], sessions: ["s1", "s2"] },
    });
    changes.tell("plugins");
    expect(await reader.next()).toEqual({
      id: `${startedAt}-6`,
      changed: { what: ["plugins"], sessions: [] },
    });
  });

  test("that comes again is told what it missed, and nothing twice", async () => {
    const changes = made();
    const first = follow(changes);
    const { id = "" } = (await first.next()) ?? {};
    await first.leave();
    changes.tell("records", "s1");
    const second = follow(changes, id);
    expect((await second.next())?.changed).toEqual({ what: ["records"], sessions: ["s1"] });
    changes.tell("captured", "s2");
    expect((await second.next())?.changed).toEqual({ what: ["captured"], sessions: ["s2"] });
  });

  test.each([
    ["of the server before", `${startedAt - 1}-0`],
    ["that this server never gave", `${startedAt}-99`],
    ["that is none", "<script>"],
    ["that is empty", ""],
  ])("with an id %s is told that all may have changed", async (_what, id) => {
    const changes = made();
    changes.tell("captured", "s1");
    expect((await follow(changes, id).next())?.changed).toMatchObject({ all: true });
  });

  test("that was away for longer than is remembered is told that all may have changed", async () => {
    const changes = made({ remembered: 3 });
    for (let at = 0; at < 10; at++) changes.tell("captured", `s${at}`);
    expect((await follow(changes, `${startedAt}-1`).next())?.changed.all).toBe(true);
    expect((await follow(changes, `${startedAt}-7`).next())?.changed).toEqual({
      what: ["captured"],
      sessions: ["s7", "s8", "s9"],
    });
  });

  test("is named some sessions; of more it is told that all may have changed", async () => {
    const changes = made();
    const reader = follow(changes);
    await reader.next();
    for (let at = 0; at < 51; at++) changes.tell("captured", `s${at}`);
    expect((await reader.next())?.changed).toEqual({ what: ["captured"], sessions: [], all: true });
  });

  test("that does not read is sent one message for however much happened meanwhile", async () => {
    const changes = made();
    const slow = follow(changes);
    const quick = follow(changes);
    await quick.next();
    for (let at = 0; at < 20; at++) {
      changes.tell("captured", `s${at % 4}`);
      expect((await quick.next())?.changed.what).toEqual(["captured"]);
    }
    const [begun, all] = [await slow.next(), await slow.next()];
    expect(begun?.id).toBe(`${startedAt}-0`);
    expect(all).toEqual({
      id: `${startedAt}-20`,
      changed: { what: ["captured"], sessions: ["s0", "s1", "s2", "s3"] },
    });
  });

  test("ends after a while, and goes on where it was", async () => {
    const changes = made({ streamMs: 1 });
    const reader = follow(changes);
    const { id = "" } = (await reader.next()) ?? {};
    expect(await reader.next()).toBeUndefined();
    changes.tell("records", "s1");
    expect((await follow(changes, id).next())?.changed.sessions).toEqual(["s1"]);
  });
});

describe("readers", () => {
  test("are as many as look on; who leaves makes room", async () => {
    const changes = made();
    const responses = Array.from({ length: 33 }, () => changes.read(null));
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toEqual([...Array.from({ length: 32 }, () => 200), 503]);
    expect(await responses[32]?.json()).toMatchObject({
      error: { message: "Too many pages are open already." },
    });
    await responses[0]?.body?.cancel();
    expect(changes.read(null).status).toBe(200);
  });

  test("all end with the server, and none comes after it", async () => {
    const changes = made();
    const readers = [follow(changes), follow(changes)];
    for (const reader of readers) await reader.next();
    changes.stop();
    for (const reader of readers) expect(await reader.next()).toBeUndefined();
    changes.tell("captured");
    expect(changes.read(null).status).toBe(503);
  });
});
