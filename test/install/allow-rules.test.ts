// Rules go in beside what stands there, and out again without touching a byte of it.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { planRegistration, readingTools } from "../../src/install/settings.ts";
import { inFolder } from "../support/in-folder.ts";

type Wish = Parameters<typeof planRegistration>[2];

/** What settings of this text become. */
const planned = (text: string, wish: Wish) =>
  inFolder(async (folder) => {
    const path = join(folder, "settings.json");
    await Bun.write(path, text);
    return planRegistration(path, new Map(), wish);
  });
const added = (text: string) => planned(text, { wish: "add", known: undefined });

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
])("%s: in and out", async (_name, before, others) => {
  const { after = "", newRules, allowed } = await added(before);
  expect(newRules).toEqual([...readingTools]);
  expect(allowOf(after)).toEqual([...(others as string[]), ...readingTools]);
  expect(await planned(after, { wish: "add", known: allowed })).toMatchObject({
    ...{ after, newRules: [], diff: [], allowed },
  });
  const without = await planned(after, { wish: "remove", known: allowed });
  expect(without.allowed).toEqual({ rules: [], made: 0 });
  // Blank places inside an empty object or list are all that may differ.
  expect(without.after?.replaceAll(/\s/g, "")).toBe((before || "{}").replaceAll(/\s/g, ""));
});

test("a rule that the user had written stays the user's", async () => {
  const before = '{"permissions":{"allow":["mcp__memoir__search"]}}';
  const { after = "", newRules, allowed } = await added(before);
  expect(newRules).not.toContain("mcp__memoir__search");
  expect((await planned(after, { wish: "remove", known: allowed })).after).toBe(before);
});

test.each(['{"permissions":[]}', '{"permissions":{"allow":"all"}}'])(
  "%s is left as it is",
  async (text) => {
    expect(await added(text)).toMatchObject({ after: text, newRules: [], diff: [] });
  },
);
