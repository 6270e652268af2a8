// Names and slots of plugins: who may be called alike, who comes first, and who may fill what.
import { expect, test } from "bun:test";
import { checkSlots, optionsOf, refuseSecond } from "../../../src/runtime/plugins/check-plugin.ts";
import { fakePlugin } from "../../support/hooks.ts";

const named = (reference: string, projects?: string[]) => ({ name: "rules", reference, projects });

test.each<[string, string[] | undefined, string[] | undefined, string | undefined]>([
  ["two for all projects", undefined, undefined, "two plugins are called rules: a and b"],
  [
    "one of a project beside your own",
    undefined,
    ["shop"],
    "one of your own plugins is called rules too: a",
  ],
  ["two of one project", ["shop"], ["blog", "shop"], "two plugins are called rules: a and b"],
  ["two of projects apart", ["shop"], ["blog"], undefined],
  [
    "your own beside one of a project",
    ["shop"],
    undefined,
    "two plugins are called rules: a and b",
  ],
])("one name for %s", (_, there, added, message) => {
  const refuse = () => refuseSecond(named("b", added), [named("a", there)]);
  if (message === undefined) expect(refuse).not.toThrow();
  else expect(refuse).toThrow(message);
});

test("another name is refused nobody", () => {
  expect(() => refuseSecond({ ...named("b"), name: "other" }, [named("a")])).not.toThrow();
});

test("options are a plugin's own; what is memoir's is left out", () => {
  expect(optionsOf({ enabled: false, inProcess: true, model: "x" })).toEqual({ model: "x" });
  expect(optionsOf(undefined)).toEqual({});
});

test("a slot is filled by who declares it, and alone only by who does all of its work", () => {
  const stack = fakePlugin("mine", { slot: "capture", hooks: { capture: () => undefined } });
  expect(() => checkSlots(stack, { capture: 0 })).not.toThrow();
  expect(() => checkSlots(stack, { storage: 0 })).toThrow("cannot fill the slot storage");
  const half = fakePlugin("mine", {
    slot: "storage",
    hooks: { "storage.put": () => undefined as never },
  });
  expect(() => checkSlots(half, { storage: 0 })).toThrow(
    /cannot fill the slot storage alone: it has no .*storage\.search/,
  );
});
