// How the messages of a request are recognised, and what its sessions have in common.
import { describe, expect, test } from "bun:test";
import {
  type Block,
  cacheLifeOf,
  lineageOf,
  type Message,
  prefixCharacters,
} from "../../../plugins/endless-gateway/messages.ts";

const result = (id: string, more: object = {}): Block => ({
  ...{ type: "tool_result", tool_use_id: id, content: "out" },
  ...more,
});
const user = (...content: Block[]): Message => ({ role: "user", content });
const assistant = (...content: Block[]): Message => ({ role: "assistant", content });
const asked: Message = { role: "user", content: "Fix it" };
const point = { cache_control: { type: "ephemeral" } };

describe("a message is recognised", () => {
  test("by all before it, whatever breakpoint it bears and however a lone text is written", () => {
    const [one, two] = lineageOf([asked, user(result("t1"))]);
    const text: Block = { type: "text", text: "Fix it" };
    expect(lineageOf([user({ ...text, ...point }), user(result("t1", point))])).toEqual([
      one,
      two,
    ] as string[]);
    expect(lineageOf([user({ ...text, text: "Fix that" }), user(result("t1"))])[1]).not.toBe(
      two as string,
    );
    expect(lineageOf([assistant(text)])[0]).not.toBe(one as string);
  });

  test("the cache lives five minutes, an hour where any breakpoint says so", () => {
    const hour = { cache_control: { type: "ephemeral", ttl: "1h" } };
    const minute = 60_000;
    expect(cacheLifeOf({ messages: [user(result("t1", point))] })).toBe(5 * minute);
    expect(cacheLifeOf({ system: [{ type: "text", ...hour }] })).toBe(60 * minute);
    expect(cacheLifeOf({ messages: [user(result("t1", hour))] })).toBe(60 * minute);
    expect(cacheLifeOf({})).toBe(5 * minute);
  });
});

test("what all sessions begin with are the tools and the system prompt without its last block", () => {
  const block = (text: string) => ({ type: "text", text });
  const tools = [{ name: "Read", description: "r".repeat(400) }];
  const body = { tools, system: [block("common"), block("own ".repeat(1_000))] };
  expect(prefixCharacters(body)).toBe(JSON.stringify([tools, [block("common")]]).length);
  expect(prefixCharacters({ system: "in one" })).toBeLessThan(20);
});
