// A name that an entry does not have: both engines' words for it lead to the entry that has it.
import { expect, test } from "bun:test";
import { missingName, missingType } from "../../../src/runtime/plugins/import-plugin.ts";
import { packedTexts } from "../../../src/runtime/plugins/packed.ts";

const { types } = await packedTexts();

test.each<[message: string, way: RegExp | undefined]>([
  [
    "Export named 'openRecords' not found in module '/home/me/.memoir/node_modules/memoir/sdk.js'.",
    /^Import `openRecords` from `memoir\/records`, which has it, not from `memoir\/sdk`\.$/,
  ],
  [
    "The requested module 'memoir/sdk' does not provide an export named 'providerError' at file:///x.ts:1:10",
    /^Import `providerError` from `memoir\/provider`/,
  ],
  [
    "Export named 'settlePending' not found in module '/x/node_modules/memoir/transcript.js'.",
    /^`memoir\/transcript` has no `settlePending`, nor has another entry/,
  ],
  ["Export named 'openRecords' not found in module '/home/me/own.js'.", undefined],
  ["Cannot find package 'memoir' imported from /x.ts", undefined],
])("%s", (message, way) => {
  expect(missingName(message) ?? "").toMatch(way ?? /^$/);
});

test.each<[message: string, way: RegExp | undefined]>([
  [
    `x.ts(1,15): error TS2305: Module '"memoir/sdk"' has no exported member 'RecordStore'.`,
    /^Import `RecordStore` from `memoir\/records`/,
  ],
  [
    `x.ts(1,15): error TS2305: Module '"memoir/records"' has no exported member 'testHost'.`,
    /^Import `testHost` from `memoir\/testing`/,
  ],
  [
    `x.ts(1,15): error TS2305: Module '"memoir/sdk"' has no exported member 'Gone'.`,
    /^`memoir\/sdk` has no `Gone`/,
  ],
  [`x.ts(1,15): error TS2305: Module '"./own"' has no exported member 'RecordStore'.`, undefined],
])("%s", (message, way) => {
  expect(missingType(message, types) ?? "").toMatch(way ?? /^$/);
});
