// How a wrong value is told: what stands there, what may, the nearest word, and what to do.
import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import {
  explain,
  nearest,
  problemText,
  unknownProject,
  unknownWord,
} from "../../../src/runtime/config/problems.ts";

test.each<[string, string[], string | undefined]>([
  ["storage", ["slots", "storage"], "storage"],
  ["stroage", ["slots", "storage"], "storage"],
  ["STORAGE", ["storage"], "storage"],
  ["stor", ["slots", "storage"], "storage"],
  ["st", ["storage"], undefined],
  ["logs", ["log"], "log"],
  ["lgo", ["log"], "log"],
  ["abcd", ["abxy"], undefined],
  ["abcde", ["abcxy"], "abcxy"],
  ["abcde", ["abxyz"], undefined],
  ["abcdefghi", ["abcdefxyz"], "abcdefxyz"],
  ["abcdefghi", ["abcdewxyz"], undefined],
  ["level", ["lever", "levels"], "lever"],
  ["levels", ["lever", "level"], "level"],
  ["levl", ["lever", "level"], "level"],
  ["anything", [], undefined],
])("a person who writes %s, where there is %j, meant %s", (word, there, meant) => {
  expect(nearest(word, there)).toBe(meant);
});

test("an unknown word names the one that was meant, else all there are, else that there is none", () => {
  expect(unknownWord("key", "stroage", ["slots", "storage"])).toBe(
    'unknown key; did you mean "storage"?',
  );
  expect(unknownWord("slot", "nonsense", ["capture", "storage"])).toBe(
    "unknown slot; there is capture, storage",
  );
  expect(unknownWord("option", "x", [])).toBe("unknown option; it has none");
});

test("a project is known by its id, or by its name in any case", () => {
  const known = [
    { id: "github.com/acme/shop", name: "Shop" },
    { id: "/w/blog", name: "blog" },
  ];
  for (const name of ["github.com/acme/shop", "shop", "SHOP", "/w/blog"])
    expect(unknownProject(name, known)).toBeUndefined();
  expect(unknownProject("shpo", known)).toBe("There is no project shpo; did you mean Shop?");
  expect(unknownProject("/w/BLOG", known)).toStartWith("There is no project /w/BLOG");
  expect(unknownProject("nowhere", known)).toBe("There is no project nowhere.");
  expect(unknownProject("shop", [])).toBe("There is no project shop.");
});

describe("a value", () => {
  const schema = v.strictObject({
    $schema: v.optional(v.string()),
    level: v.optional(v.picklist(["info", "debug"])),
    size: v.optional(v.pipe(v.number(), v.minValue(3, "is below 3"))),
    list: v.optional(v.array(v.strictObject({ name: v.string(), path: v.optional(v.string()) }))),
    map: v.optional(v.record(v.string(), v.strictObject({ limit: v.number() }))),
    either: v.optional(v.union([v.string(), v.array(v.string())])),
    url: v.optional(v.pipe(v.string(), v.url())),
  });
  const told = (value: unknown, prefix?: string[]) => {
    const parsed = v.safeParse(schema, value);
    return parsed.success ? [] : explain(schema, parsed.issues, prefix);
  };
  const first = (value: unknown, prefix?: string[]) => {
    const [problem] = told(value, prefix);
    return problem && problemText(problem);
  };

  test.each<[object | string, string]>([
    [{ level: "loud" }, 'level: must be "info" or "debug", but is "loud"'],
    [{ size: "3" }, 'size: must be a number, but is "3"'],
    [{ size: 2 }, "size: is below 3"],
    [{ list: {} }, "list: must be a list, but is an object"],
    [{ map: 3 }, "map: must be an object, but is 3"],
    [{ either: 3 }, "either: must be a string or a list, but is 3"],
    [{ url: "x y" }, 'url: must be an address, but is "x y"'],
    [{ levle: "info" }, 'levle: unknown key; did you mean "level"?'],
    [{ $schem: "" }, "$schem: unknown key; there is level, size, list, map, either, url"],
    [{ list: [{ name: "a", pth: "b" }] }, 'list.0.pth: unknown key; did you mean "list.0.path"?'],
    [{ map: { a: { limt: 3, limit: 1 } } }, 'map.a.limt: unknown key; did you mean "map.a.limit"?'],
    [{ list: [{ name: "a" }, {}] }, "list.1.name: is missing"],
    ["text", 'must be an object, but is "text"'],
  ])("%j is told as: %s", (value, text) => {
    expect(first(value)).toBe(text);
  });

  test("that is missing comes with the command that sets it; anything else with no fix of its own", () => {
    expect(told({ map: { a: {} } }, ["plugins", "mine"])).toEqual([
      {
        ...{ keys: ["plugins", "mine", "map", "a", "limit"], path: "plugins.mine.map.a.limit" },
        ...{ message: "is missing" },
        fix: "Set it: `memoir config set plugins.mine.map.a.limit <value>`.",
      },
    ]);
    expect(told({ level: 3 })[0]?.fix).toBeUndefined();
  });

  test("that is very long is told in two hundred characters", () => {
    const text = first({ level: "x".repeat(500) }) ?? "";
    expect(text.length).toBeLessThan(260);
    expect(text).toEndWith("x…");
    expect(first({ level: "x".repeat(150) })).toEndWith('xx"');
  });
});
