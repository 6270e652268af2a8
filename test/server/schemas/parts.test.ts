// What schemas are made from: values of a query string, and the tie of an answer's schema to its type.
import { expect, test } from "bun:test";
import * as v from "valibot";
import { describes, limit, listOf, time, whole } from "../../../src/server/operation.ts";

const cases: Array<
  [what: string, schema: v.GenericSchema<unknown>, given: string, parsed: unknown]
> = [
  ["a whole number", whole, "0042", 42],
  ["none with a sign", whole, "-1", undefined],
  ["none in another form", whole, "1e3", undefined],
  ["none that cannot be held exactly", whole, "9007199254740993", undefined],
  ["a time", time, "1795323684848", 1_795_323_684_848],
  ["the lowest limit", limit(5), "1", 1],
  ["no limit of none", limit(5), "0", undefined],
  ["no limit above the highest", limit(5), "6", undefined],
  ["a list", listOf(["a", "b"]), "b,a", ["b", "a"]],
  ["a list with a comma too many", listOf(["a", "b"]), "a,,", ["a"]],
  ["no list with another word", listOf(["a", "b"]), "a,c", undefined],
];
test.each(cases)("%s", (_, schema, given, parsed) => {
  const result = v.safeParse(schema, given);
  expect(result.success ? result.output : undefined).toEqual(parsed);
});

interface Described {
  id: string;
  more?: readonly string[];
}

test("a schema that says all of a type is itself", () => {
  const schema = v.object({ id: v.string(), more: v.exactOptional(v.array(v.string())) });
  expect(describes<Described>()(schema)).toBe(schema);
});

// Never called: it is the compiler that looks at it.
export function typed(): void {
  const id = v.string();
  // @ts-expect-error an optional field is left out
  describes<Described>()(v.object({ id }));
  // @ts-expect-error a field more
  describes<Described>()(v.object({ id, more: v.exactOptional(v.array(id)), other: id }));
  // @ts-expect-error another type
  describes<Described>()(v.object({ id, more: v.exactOptional(v.array(v.number())) }));
  // @ts-expect-error fewer words than there are
  describes<{ state: "on" | "off" }>()(v.object({ state: v.picklist(["on"]) }));
}
