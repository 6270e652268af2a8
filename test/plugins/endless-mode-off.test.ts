// Endless Mode switched off.
import { expect, test } from "bun:test";
import off from "../../plugins/endless-mode-off/index.ts";

test("it listens to nothing and so costs nothing", () => {
  expect(off).toMatchObject({ name: "off", slot: "endless-mode", hooks: {} });
  expect(off.events ?? []).toEqual([]);
});
