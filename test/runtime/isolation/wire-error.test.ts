// Errors on their way between a plugin's worker and the host.
import { expect, test } from "bun:test";
import {
  packError,
  unpackError,
  WorkerFault,
  whereThrown,
} from "../../../src/runtime/isolation/thrown.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";

const details = { fix: "Wait.", plugin: "notes", hook: "Stop", retryAfterMs: 7 };
const thrown = (error: object) => Object.assign(error, { place: "/plugins/notes.ts:2:3" });

test("a MemoirError arrives as one, with its code and blame", () => {
  const packed = packError(thrown(new MemoirError("provider_rate", "slow down", details)));
  expect(packed).toEqual({
    ...{ name: "MemoirError", message: "slow down", place: "/plugins/notes.ts:2:3" },
    ...{ code: "provider_rate", ...details },
  });
  const arrived = unpackError(packed) as MemoirError;
  expect(arrived).toBeInstanceOf(MemoirError);
  const { code, message, fix, plugin, hook, retryAfterMs } = arrived;
  expect({ code, message, fix, plugin, hook, retryAfterMs }).toEqual({
    ...{ code: "provider_rate", message: "slow down", ...details },
  });
});

test("what a MemoirError does not name is not there; its fix is its code's own", () => {
  const bare = new MemoirError("provider_rate", "slow down");
  const packed = packError(bare);
  expect(packed).toEqual({
    ...{ name: "MemoirError", message: "slow down", code: "provider_rate", fix: bare.fix },
    ...(packed.place !== undefined && { place: packed.place }),
  });
  const arrived = unpackError(packed) as MemoirError;
  expect([arrived.fix, "plugin" in packed, arrived.retryAfterMs]).toEqual([
    ...[bare.fix, false, undefined],
  ]);
});

test("one of another copy of the SDK counts as one, by its name and a code that is known", () => {
  const other = (name: string, code: string) => {
    const error = Object.assign(new Error("slow down"), { code });
    error.name = name;
    return packError(error).code;
  };
  expect(other("MemoirError", "provider_rate")).toBe("provider_rate");
  expect(other("MemoirError", "no_such_code")).toBeUndefined();
  expect(other("Error", "provider_rate")).toBeUndefined();
  expect(packError({ name: "MemoirError", code: "provider_rate" }).code).toBeUndefined();
});

test("any other error keeps its name, its words and its place, and no stack of the host", () => {
  const arrived = unpackError(packError(thrown(new RangeError("too far"))));
  expect(arrived).toBeInstanceOf(WorkerFault);
  expect([arrived.name, arrived.message, arrived.stack, whereThrown(arrived)]).toEqual([
    ...["RangeError", "too far", "RangeError: too far", " (/plugins/notes.ts:2:3)"],
  ]);
  expect(unpackError({ name: "Error", message: "m", code: "no_such_code" })).toBeInstanceOf(
    WorkerFault,
  );
});

test("where something was thrown is said only where it is known", () => {
  expect(whereThrown(new WorkerFault({ name: "Error", message: "m" }))).toBe("");
  expect(whereThrown(thrown(new Error("of the host itself")))).toBe("");
});

test("anything that is thrown has a name and words, were it unreadable", () => {
  expect(packError("just words")).toEqual({ name: "Error", message: "just words" });
  const long = new Error("m");
  long.name = "x".repeat(200);
  expect(packError(long).name).toHaveLength(100);
  const unreadable = new Proxy(
    {},
    {
      get: () => {
        throw new Error("no");
      },
    },
  );
  expect(packError(unreadable)).toEqual({
    ...{ name: "Error", message: "it threw something that cannot be read" },
  });
});
