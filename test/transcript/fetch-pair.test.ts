// The pair of lines that tells in a conversation what was taken out of it.
import { describe, expect, test } from "bun:test";
import { fetchBlocks, fetchPair } from "../../src/transcript/plan-rewrite.ts";

describe("a pair", () => {
  const following = {
    ...{
      parentUuid: "p",
      uuid: "u",
      sessionId: "s",
      cwd: "/w",
      timestamp: "2026",
      type: "assistant",
    },
    ...{ isSidechain: false, message: { id: "m", model: "large" }, requestId: "r" },
  };
  const records = { ids: ["o1", "o2"], text: "What was noted." };

  test("hangs between an entry and the message after it, with what that one says of its place", () => {
    const pair = fetchPair(following, records);
    const [used, answered] = (pair?.lines ?? []).map((text) => JSON.parse(text));
    const place = { sessionId: "s", cwd: "/w", timestamp: "2026", isSidechain: false };
    const [first, second] = pair?.uuids ?? [];
    expect(used).toEqual({
      ...{ parentUuid: "p", ...place, type: "assistant", uuid: first },
      message: {
        ...{ id: expect.stringMatching(/^msg_memoir_[0-9a-f]{22}$/), type: "message" },
        ...{ role: "assistant", model: "large", stop_reason: "tool_use", stop_sequence: null },
        usage: { input_tokens: 0, output_tokens: 0 },
        content: [
          {
            ...{ type: "tool_use", id: pair?.toolUseId, name: "mcp__memoir__get" },
            input: { ids: ["o1", "o2"] },
          },
        ],
      },
    });
    expect(answered).toEqual({
      ...{ parentUuid: first, ...place, type: "user", uuid: second },
      message: {
        role: "user",
        content: [
          { tool_use_id: pair?.toolUseId, type: "tool_result", content: "What was noted." },
        ],
      },
    });
    for (const uuid of pair?.uuids ?? [])
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(first).not.toBe(second);
  });

  test("is the same from the same place and ids, and another from another", () => {
    const made = (part: object, ids = records.ids) =>
      fetchPair({ ...following, ...part }, { ...records, ids })?.toolUseId;
    expect(made({})).toBe(made({ cwd: "/elsewhere" }) as string);
    const all = [made({}), made({ uuid: "v" }), made({ sessionId: "x" }), made({}, ["o1"])];
    expect(new Set(all).size).toBe(4);
  });

  test("is none where an entry has no place in a conversation", () => {
    expect(fetchPair({ ...following, parentUuid: null }, records)).toBeUndefined();
    expect(fetchPair({ ...following, uuid: 5 }, records)).toBeUndefined();
  });

  test("its blocks bear the tool's name, and an id that the seed gives", () => {
    const { use: used, result, word } = fetchBlocks("seed", "get", records);
    expect(used).toEqual({
      ...{ type: "tool_use", id: `toolu_memoir_${word}`, name: "get" },
      input: { ids: ["o1", "o2"] },
    });
    expect(result.tool_use_id).toBe(used.id);
    expect(fetchBlocks("other", "get", records).word).not.toBe(word);
  });
});
