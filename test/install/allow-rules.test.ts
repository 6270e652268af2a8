// Rules go in beside what stands there, and out again without touching a byte of it.
import { expect, test } from "bun:test";
import { readingTools, withoutRules, withRules } from "../../src/install/register.ts";

const allowOf = (text: string): unknown =>
  JSON.parse(text.replace(/^\ufeff/, "").replaceAll(/\/\/.*$/gm, "")).permissions?.allow;

test.each<[string, string, unknown]>([
  ["empty", "", []],
  ["an object", "{}\n", []],
  ["other keys", '{ "model" : "opus" }', []],
  ["permissions without allow", '{"permissions":{"deny":["Bash"]}}', []],
  ["an empty list", '{\n  "permissions": { "allow": [] }\n}', []],
  [
    "somebody's rules",
    '{\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"Bash"\r\n\t\t]\r\n\t}\r\n}',
    ["Bash"],
  ],
  ["a mark and a remark", '\ufeff{ "permissions": { "allow": ["Bash"] // mine\n } }', ["Bash"]],
])("%s: in and out", (_name, before, others) => {
  const { text, added } = withRules(before, "settings.json");
  expect(added.rules).toEqual([...readingTools]);
  expect(allowOf(text)).toEqual([...(others as string[]), ...readingTools]);
  expect(withRules(text, "settings.json")).toEqual({ text, added: { rules: [], made: 0 } });
  const after = withoutRules(text, added, "settings.json");
  // Blank places inside an empty object or list are all that may differ.
  expect(after.replaceAll(/\s/g, "")).toBe((before || "{}").replaceAll(/\s/g, ""));
});

test("a rule that the user had written stays the user's", () => {
  const before = '{"permissions":{"allow":["mcp__memoir__search"]}}';
  const { text, added } = withRules(before, "settings.json");
  expect(added.rules).not.toContain("mcp__memoir__search");
  expect(withoutRules(text, added, "settings.json")).toBe(before);
});

test.each(['{"permissions":[]}', '{"permissions":{"allow":"all"}}', "[]"])(
  "%s is left as it is",
  (text) => {
    expect(withRules(text, "settings.json")).toEqual({ text, added: { rules: [], made: 0 } });
  },
);
