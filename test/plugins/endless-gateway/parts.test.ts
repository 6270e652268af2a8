// The parts that decide about a request: what is understood of it, what may go, where something is put in, and how it is recognised.
import { describe, expect, test } from "bun:test";
import { fetchToolIn } from "../../../plugins/endless-gateway/config.ts";
import {
  applyDecisions,
  type Block,
  cacheLifeOf,
  contentHash,
  type Edit,
  type Injection,
  lineageOf,
  type Message,
  messagesOf,
  plainResult,
  prefixTokens,
} from "../../../plugins/endless-gateway/messages.ts";
import { injectionFor, placeFor } from "../../../plugins/endless-gateway/rewrite.ts";
import { observation } from "../../support/records.ts";

const long = { command: "x".repeat(1_100) };
const use = (id: string, more: object = {}): Block => ({
  ...{ type: "tool_use", id, name: "Bash", input: long },
  ...more,
});
const result = (id: string, more: object = {}): Block => ({
  ...{ type: "tool_result", tool_use_id: id, content: "out" },
  ...more,
});
const user = (...content: Block[]): Message => ({ role: "user", content });
const assistant = (...content: Block[]): Message => ({ role: "assistant", content });
const asked: Message = { role: "user", content: "Fix it" };
const point = { cache_control: { type: "ephemeral" } };

describe("messages are understood as a whole, or not at all", () => {
  test.each<[string, unknown, boolean]>([
    ["texts and lists of blocks", [asked, assistant(use("t1"))], true],
    ["none", [], false],
    ["no list", { role: "user" }, false],
    ["one without a role", [asked, { content: "x" }], false],
    ["a block without a type", [user({ text: "x" } as never)], false],
    ["content of another form", [{ role: "user", content: 3 }], false],
  ])("%s", (_, messages, is) => {
    expect(messagesOf({ messages }) !== undefined).toBe(is);
  });

  test.each<[string, object, string | undefined]>([
    ["a text", {}, "out"],
    [
      "texts",
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      "a\nb",
    ],
    ["an error", { is_error: true }, undefined],
    ["an image", { content: [{ type: "image" }] }, undefined],
    ["a breakpoint inside", { content: [{ type: "text", text: "a", ...point }] }, undefined],
    ["nothing", { content: undefined }, undefined],
    ["an empty list", { content: [] }, ""],
    ["a list with no block in it", { content: ["a"] }, undefined],
    ["a list with null in it", { content: [{ type: "text", text: "a" }, null] }, undefined],
    ["a text without words", { content: [{ type: "text" }] }, undefined],
    ["a success by name", { is_error: false }, "out"],
  ])("a result that is %s", (_, more, text) => {
    expect(plainResult(result("t1", more) as never)).toBe(text as string);
  });
});

describe("what is put in goes", () => {
  const worked = [
    asked,
    assistant(use("t1")),
    user(result("t1")),
    assistant(use("t2")),
    user(result("t2")),
  ];
  const isNew = () => true;
  const thinks = { thinking: { type: "enabled" } };

  test.each<[string, Message[], Record<string, unknown>, string | undefined, object | undefined]>([
    [
      "as a pair before the assistant's last message",
      worked,
      {},
      "recall",
      { index: 3, place: "before" },
    ],
    [
      "into the user's where the tool is not offered",
      worked,
      {},
      undefined,
      { index: 4, place: "inside" },
    ],
    [
      "as a pair with thinking, behind results",
      worked,
      thinks,
      "recall",
      { index: 3, place: "before" },
    ],
    [
      "into the user's with thinking, behind a prompt",
      worked.slice(0, 3),
      thinks,
      "recall",
      { index: 2, place: "inside" },
    ],
    [
      "as a pair behind a prompt where thinking is off",
      worked.slice(0, 3),
      { thinking: { type: "disabled" } },
      "recall",
      { index: 1, place: "before" },
    ],
    ["nowhere before the assistant said anything", [asked], {}, "recall", undefined],
  ])("%s", (_, messages, body, tool, place) => {
    expect(placeFor(messages, body, tool, isNew)).toEqual(place as never);
  });

  test("nowhere into what was sent before", () => {
    expect(placeFor(worked, {}, "recall", (index) => index > 3)).toEqual({
      index: 4,
      place: "inside",
    });
    expect(placeFor(worked, {}, "recall", () => false)).toBeUndefined();
  });

  test("as a text, or as a use of the tool with its result, the same for the same", () => {
    const records = [observation("o1"), observation("o2")];
    const pair = injectionFor("before", "h", records, "known", "recall");
    expect(pair).toEqual(injectionFor("before", "h", records, "known", "recall"));
    expect(pair.observations).toEqual(["o1", "o2"]);
    const [one, two] = JSON.parse(pair.json);
    expect(one.content[0]).toMatchObject({ name: "recall", input: { ids: ["o1", "o2"] } });
    expect(two.content[0]).toMatchObject({ tool_use_id: one.content[0].id, content: "known" });
    expect(injectionFor("before", "other", records, "known", "recall").json).not.toBe(pair.json);
    const text = injectionFor("before", "h", records, "known", undefined);
    expect([text.place, text.json]).toEqual(["inside", '[{"type":"text","text":"known"}]']);
  });
});

describe("decisions applied", () => {
  const messages = [asked, assistant(use("t1", point)), user(result("t1"))];
  const lineage = lineageOf(messages);
  const apply = (edits: Edit[], injections: Injection[] = []) =>
    applyDecisions(messages, lineage, {
      edit: (id, part) => edits.find((one) => one.toolUseId === id && one.part === part),
      injection: (hash) => injections.find((one) => one.hash === hash),
    });
  const input: Edit = {
    toolUseId: "t1",
    part: "input",
    hash: contentHash(long),
    instead: '{"a":1}',
  };
  const output: Edit = {
    toolUseId: "t1",
    part: "output",
    hash: contentHash("out"),
    instead: "gone",
  };

  test("nothing decided is the very same list", () => {
    expect(apply([])).toBe(messages);
  });

  test("an input and a result change, every other key stays", () => {
    expect(apply([input, output])).toEqual([
      asked,
      assistant(use("t1", { input: { a: 1 }, ...point })),
      user(result("t1", { content: "gone" })),
    ]);
  });

  test("a result that is a list of texts stays a list", () => {
    const texts = [{ type: "text", text: "out" }];
    const listed = [asked, assistant(use("t1")), user(result("t1", { content: texts }))];
    const edit = { ...output, hash: contentHash(texts) };
    const applied = applyDecisions(listed, [], {
      edit: (_id, part) => (part === "output" ? edit : undefined),
      injection: () => undefined,
    });
    expect(applied[2]).toEqual(user(result("t1", { content: [{ type: "text", text: "gone" }] })));
  });

  test("what is not what was decided about stays as it is", () => {
    const others = [
      { ...input, hash: "x" },
      { ...output, hash: "x" },
    ];
    expect(apply(others)).toEqual(messages);
  });

  test("messages stand before, blocks at the end of the message with that hash", () => {
    const before: Injection = {
      hash: lineage[1] ?? "",
      place: "before",
      json: JSON.stringify([asked]),
      observations: [],
    };
    const inside: Injection = {
      hash: lineage[0] ?? "",
      place: "inside",
      json: '[{"type":"text","text":"b"}]',
      observations: [],
    };
    expect(apply([], [before, inside])).toEqual([
      user({ type: "text", text: "Fix it" }, { type: "text", text: "b" }),
      asked,
      ...messages.slice(1),
    ]);
  });
});

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
  expect(prefixTokens(body)).toBe(Math.ceil(JSON.stringify([tools, [block("common")]]).length / 4));
  expect(prefixTokens({ system: "in one" })).toBeLessThan(5);
});

test("only memoir's own tool fetches, by whichever of its names it is offered", () => {
  const offered = (...names: unknown[]) => fetchToolIn({ tools: names.map((name) => ({ name })) });
  expect(offered("mcp__other__get", "mcp__memoir__search", 3)).toBeUndefined();
  expect(offered("Read", "mcp__memoir__get")).toBe("mcp__memoir__get");
  expect(fetchToolIn({})).toBeUndefined();
});

test("with thinking on nothing is put before an assistant that follows a message of nothing", () => {
  const messages = [user(), assistant({ type: "text", text: "Look." }), user(result("t1"))];
  const place = placeFor(
    messages,
    { thinking: { type: "enabled" } },
    "mcp__memoir__get",
    () => true,
  );
  expect(place).toEqual({ index: 2, place: "inside" });
});
