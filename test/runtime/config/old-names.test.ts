// Config with the old name of a built-in plugin goes on working.
import { expect, test } from "bun:test";
import { parseConfig } from "../../../src/runtime/config/config.ts";

const read = (value: object) => parseConfig("/c.json", JSON.stringify(value));

test("the old name of context-handover is understood in slots and options", () => {
  const { config, problems } = read({
    slots: { "context-injection": ["mine", "context-index"] },
    plugins: { "context-index": { maxCharacters: 3_000 }, mine: { a: 1 } },
  });
  expect(problems).toEqual([]);
  expect(config.slots["context-injection"]).toEqual(["mine", "context-handover"]);
  expect(config.plugins).toEqual({ "context-handover": { maxCharacters: 3_000 }, mine: { a: 1 } });
});

test("options under today's name win", () => {
  const plugins = {
    "context-index": { maxCharacters: 3_000 },
    "context-handover": { enabled: false },
  };
  expect(read({ plugins }).config.plugins).toEqual({ "context-handover": { enabled: false } });
});

test("a name that every object has is nobody's old name", () => {
  const { config, problems } = read({ slots: { storage: "__proto__", summarization: "toString" } });
  expect(problems).toEqual([]);
  expect(config.slots).toMatchObject({ storage: "__proto__", summarization: "toString" });
});
