// Numbers in config are counts, sizes, times, shares and prices: none of them may be below nothing, in memoir's own options and in its plugins'.
import { expect, test } from "bun:test";
import * as v from "valibot";
import { builtins } from "../../../src/runtime/builtins.ts";
import { ConfigSchema } from "../../../src/runtime/config/schema.ts";

type Node = Record<string, unknown> & { type?: string };

/** Every schema of a number below this one, by its place. */
function numbersOf(schema: Node, at: string): Array<[string, Node]> {
  const below = (part: unknown, name = "") => (part ? numbersOf(part as Node, at + name) : []);
  if (schema.type === "number") return [[at, schema]];
  return [
    ...Object.entries((schema.entries as object) ?? {}).flatMap(([name, part]) =>
      below(part, `.${name}`),
    ),
    ...below(schema.wrapped),
    ...(schema.type === "record" ? below(schema.value, ".*") : []),
    ...(schema.type === "array" ? below(schema.item, "[]") : []),
    ...((schema.options as unknown[]) ?? []).flatMap((part) =>
      typeof part === "object" ? below(part) : [],
    ),
  ];
}

const plugins = await Promise.all(Object.values(builtins).map((load) => load()));
const all = [
  ...numbersOf(ConfigSchema as unknown as Node, "config"),
  ...plugins.flatMap(({ default: { name, config } }) =>
    config ? numbersOf(config as unknown as Node, `plugins.${name}`) : [],
  ),
];

test("there are many of them", () => {
  expect(all.length).toBeGreaterThan(40);
});

test.each(all)("%s", (_, schema) => {
  expect(v.safeParse(schema as never, -1).success).toBe(false);
  expect(v.safeParse(schema as never, Number.NaN).success).toBe(false);
  expect(v.safeParse(schema as never, "1").success).toBe(false);
});
