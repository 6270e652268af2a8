import { expect, test } from "bun:test";
import { fixOfCart, sampleBatch, scriptedModel, testHost } from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import plainLinesPlugin, { plainLines } from "./plain-lines.ts";

const fact = "src/cart.ts: totalOf leaves out a voucher that was used before now.";
const note = `NOTE | bugfix | Voucher subtracted only once | ${fact} | 1,2`;

testExample("plain-lines", plainLinesPlugin, {
  model: ({ purpose }) =>
    purpose === "observe" ? note : "SUMMARY | Fix the cart | Fixed it | | Fix the cart total",
});

test("plain-lines: asks in its own form and reads it", async () => {
  const model = scriptedModel(note);
  const host = await testHost(plainLinesPlugin, { complete: model.complete });
  const result = await host.call("observe", sampleBatch(fixOfCart));
  await host.stop();
  expect(model.requests[0]?.system).toContain("NOTE | type | title");
  expect(result?.observations[0]).toMatchObject({
    type: "bugfix",
    title: "Voucher subtracted only once",
    facts: [fact],
    toolUseIds: ["t1", "t2"],
  });
});

test.each([
  ["NOTHING", { nothing: true }],
  ["I looked at it.", { problem: "there was neither a NOTE nor a SUMMARY line" }],
  ["NOTE | too short", { problem: "there was neither a NOTE nor a SUMMARY line" }],
])("plain-lines: reads %p", (text, expected) => {
  expect(plainLines.read(text, false)).toMatchObject(expected);
});
