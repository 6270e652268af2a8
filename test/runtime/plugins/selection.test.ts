// Which plugins config asks for.
import { expect, test } from "bun:test";
import { parseConfig } from "../../../src/runtime/config/config.ts";
import {
  defaultSlots,
  effectiveConfig,
  selectPlugins,
  slotOrders,
  waitsFor,
} from "../../../src/runtime/plugins/registry.ts";
import { slotNames } from "../../../src/sdk/plugin.ts";

const config = (set: object) => parseConfig("/c", JSON.stringify(set)).config;
const orders = (slots: object) => slotOrders(config({ slots }));

test("nothing set: the built-in ones", () => {
  expect(orders({})).toEqual(defaultSlots as never);
});

test.each<[string, object, object]>([
  ["one replaces", { storage: "mine" }, { storage: ["mine"] }],
  [
    "a list keeps its order, each once",
    { observation: ["b", "a", "b"] },
    { observation: ["b", "a"] },
  ],
  [
    '"..." stands for the built-in ones',
    { "context-injection": ["mine", "..."] },
    { "context-injection": ["mine", "context-handover", "context-relevant", "context-moments"] },
  ],
  [
    "behind one name stands who needs no model",
    { observation: "mine", summarization: "./mine.ts" },
    { observation: ["mine", "heuristic"], summarization: ["./mine.ts", "heuristic-summary"] },
  ],
  ["an empty stack is empty", { "context-injection": [] }, { "context-injection": [] }],
  ["privacy is never forgotten", { capture: ["mine"] }, { capture: ["mine", "capture-privacy"] }],
  [
    "privacy keeps its place where it is named",
    { capture: ["capture-privacy", "mine"] },
    { capture: ["capture-privacy", "mine"] },
  ],
  [
    "with a provider, a model writes, and who needs none stands behind it",
    { provider: "anthropic" },
    {
      provider: ["anthropic"],
      observation: ["hybrid", "heuristic"],
      summarization: ["hybrid", "heuristic-summary"],
    },
  ],
  [
    "auto stands for every provider",
    { provider: "auto", observation: "heuristic", summarization: "heuristic-summary" },
    { provider: ["anthropic", "openai-compatible", "claude-cli"] },
  ],
  ["none asks nobody", { provider: "none" }, {}],
  [
    "one line changes the strategy of both",
    { provider: "claude-cli", observation: "structured" },
    {
      provider: ["claude-cli"],
      observation: ["structured", "heuristic"],
      summarization: ["structured", "heuristic-summary"],
    },
  ],
  [
    "a provider changes nothing where config says who writes",
    { provider: "anthropic", observation: ["mine"], summarization: ["heuristic-summary"] },
    { provider: ["anthropic"], observation: ["mine"], summarization: ["heuristic-summary"] },
  ],
  [
    "an order of the user's own stays",
    { observation: ["heuristic", "mine"], summarization: ["mine"] },
    { observation: ["heuristic", "mine"], summarization: ["mine"] },
  ],
])("%s", (_, slots, expected) => {
  expect(orders(slots)).toEqual({ ...defaultSlots, ...expected } as never);
});

test("a plugin in two slots is one plugin; listeners come last", () => {
  const wanted = selectPlugins(
    config({
      slots: { observation: ["llm", "heuristic"], summarization: "llm" },
      listeners: ["./a.ts", "llm"],
    }),
    { "memory-files": true },
  );
  expect(wanted.at(-2)).toEqual({ reference: "memory-files", fills: {} });
  expect(wanted.find(({ reference }) => reference === "llm")).toEqual({
    reference: "llm",
    fills: { observation: 0, summarization: 0 },
  });
  expect(wanted.filter(({ reference }) => reference === "llm")).toHaveLength(1);
  expect(wanted.at(-1)).toEqual({ reference: "./a.ts", fills: {} });
});

test("what is in force names who fills each slot, one or a list", () => {
  const { slots, log } = effectiveConfig(
    config({ slots: { observation: "mine" }, log: { level: "debug" } }),
  );
  expect(slots).toMatchObject({
    storage: "sqlite",
    observation: ["mine", "heuristic"],
    provider: ["none"],
  });
  expect(log).toMatchObject({ level: "debug" });
});

test("what is offered joins stacks, before the guard; where one is chosen it waits", () => {
  const plugins = [
    { path: "/p/redact.ts", name: "redact", slots: ["capture"] as const },
    { path: "/p/rules.ts", name: "rules", slots: ["context-injection"] as const },
    { path: "/p/mine.ts", name: "mine", slots: ["observation", "summarization"] as const },
    { path: "/p/hears.ts", name: "hears", slots: [], projects: ["shop"] },
  ];
  const rename = (reference: string) =>
    plugins.find(({ name }) => name === reference)?.path ?? reference;
  const wanted = (set: object) =>
    selectPlugins(config(set), {}, plugins, rename).filter(({ reference }) =>
      reference.startsWith("/p/"),
    );
  expect(wanted({})).toEqual([
    { reference: "/p/redact.ts", fills: { capture: 3 } },
    { reference: "/p/rules.ts", fills: { "context-injection": 3 } },
    { reference: "/p/hears.ts", fills: {}, projects: ["shop"] },
  ]);
  expect(wanted({ slots: { observation: "mine" } })).toContainEqual({
    reference: "/p/mine.ts",
    fills: { observation: 0, summarization: 0 },
  });
  expect(
    wanted({ slots: { observation: "mine", summarization: "heuristic-summary" } }),
  ).toContainEqual({ reference: "/p/mine.ts", fills: { observation: 0 } });
  expect(wanted({ slots: { "context-injection": ["rules", "..."] } })[1]?.fills).toEqual({
    "context-injection": 0,
  });
});

test("where one has to be chosen a plugin waits; stacks need no word", () => {
  expect(slotNames.filter(waitsFor)).toEqual([
    "observation",
    "summarization",
    "storage",
    "provider",
    "hub",
  ]);
});
