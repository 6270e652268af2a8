// Where records go, and when a broken-off attempt must not be stored a second time somewhere else.
import { expect, test } from "bun:test";
import type { Hooks } from "../../../src/runtime/ports.ts";
import {
  mayBeStored,
  refuseOtherStorage,
  storageInForce,
} from "../../../src/runtime/worker/piece.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";

const hooks = (...plugins: string[]) =>
  ({ subscriptions: () => plugins.map((plugin) => ({ plugin })) }) as unknown as Hooks;

test("all who take part in storing are named, in order; nobody is no name", () => {
  expect(storageInForce(hooks("semantic-search", "sqlite"))).toBe("semantic-search, sqlite");
  expect(storageInForce(hooks())).toBe("");
});

test.each([
  ["a put that did not end in time", "plugin_deadline", "storage.put", true],
  ["a storage that died in its put", "plugin_ended", "storage.put", true],
  ["a storage that took too much memory", "plugin_memory", "storage.put", true],
  ["a put that failed", "plugin_failed", "storage.put", false],
  ["a strategy that did not end in time", "plugin_deadline", "observe", false],
] as const)("%s: may it be stored?", (_, code, hook, is) => {
  expect(mayBeStored(new MemoirError(code, "x", { hook }))).toBe(is);
});

test("an error of another kind stored nothing", () => {
  expect(mayBeStored(new Error("x"))).toBe(false);
});

test("a broken-off attempt goes to the same storage again, and to no other", () => {
  expect(() => refuseOtherStorage({ interruptedIn: null }, "files")).not.toThrow();
  expect(() => refuseOtherStorage({ interruptedIn: "sqlite" }, "sqlite")).not.toThrow();
  expect(() => refuseOtherStorage({ interruptedIn: "sqlite" }, "files")).toThrow(
    "may have stored this in sqlite, and files is in use now",
  );
  expect(() => refuseOtherStorage({ interruptedIn: "sqlite" }, "")).toThrow("no storage is in use");
});
