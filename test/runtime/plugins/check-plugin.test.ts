// What is refused as a plugin, and what the refusal says to change.
import { expect, test } from "bun:test";
import { checkPlugin } from "../../../src/runtime/plugins/check-plugin.ts";

const plain = { name: "plain", description: "Plain.", sdk: 1, hooks: {} };

test.each([
  [2, "Update memoir, or install a version of the plugin that says `sdk: 1`."],
  [0, "Update the plugin; its author compares it with the SDK's reference and sets `sdk: 1`."],
])("version %p of the SDK is refused before anything else, with what to change", (sdk, fix) => {
  expect(() => checkPlugin({ ...plain, sdk, hooks: { tomorrow() {} } }, "its file")).toThrow(
    expect.objectContaining({
      code: "plugin_sdk_version",
      message: `its file was written for version ${sdk} of the SDK, this memoir has version 1`,
      fix,
    }),
  );
});

test("a plugin that names no version is told which to name", () => {
  const { sdk: _none, ...unversioned } = plain;
  expect(() => checkPlugin(unversioned, "its file")).toThrow("sdk: must be 1");
  expect(checkPlugin(plain, "its file")).toBe(plain as never);
});

test.each<[string, object, string]>([
  ["a field of the plugin", { slots: "capture" }, 'slots: unknown field; did you mean "slot"?'],
  [
    "a field of a subscription",
    { hooks: { capture: { ordr: "pre", handler() {} } } },
    'hooks.capture.ordr: unknown field; did you mean "order"?',
  ],
  [
    "an event in a filter",
    { hooks: { capture: { filter: { event: ["PostTolUse"] }, handler() {} } } },
    'hooks.capture.filter.event: "PostTolUse", unknown name; did you mean "PostToolUse"?',
  ],
  [
    "a filter that lets nothing pass",
    { hooks: { capture: { filter: { tool: [] }, handler() {} } } },
    "hooks.capture.filter.tool: names nothing, so it would never be called",
  ],
])("%s that would be passed over in silence is refused", (_, part, fault) => {
  expect(() => checkPlugin({ ...plain, ...part }, "its file")).toThrow(
    `its file is no plugin: ${fault}`,
  );
});

test.each<[string, object, number]>([
  ["hooks: {\n  stored() {},\n  SesionStart() {},\n}", { SesionStart() {} }, 3],
  ["hooks: {\n  'storage.serch': 1,\n}", { "storage.serch": 1 }, 2],
  ["hooks: {\n  capture: {\n    ordr: 1,\n}", { capture: { ordr: 1, handler() {} } }, 3],
])("the line of a wrong field is named: %p", (text, hooks, line) => {
  expect(() => checkPlugin({ ...plain, hooks }, "a.ts", text)).toThrow(`a.ts:${line} is no plugin`);
});

test("what is no plugin at all is told how one is exported", () => {
  expect(() => checkPlugin(undefined, "its file")).toThrow(
    expect.objectContaining({ fix: "Write `export default definePlugin({ … })`." }),
  );
});
