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
  expect(() => checkPlugin(unversioned, "its file")).toThrow("sdk: wants 1");
  expect(checkPlugin(plain, "its file")).toBe(plain as never);
});
