// A file moves into its place at once, and on Windows also when somebody has it open for a moment.
import { expect, test } from "bun:test";
import { moveFile } from "../../src/sdk/within.ts";

const failing = (code: string) => Object.assign(new Error(code), { code });

/** What comes of a move that fails so often: how it ended, how often it was tried, how long it waited in all. */
async function moved(platform: string, code: string, failures: number) {
  let tries = 0;
  let waited = 0;
  const ended = await moveFile("draft", "place", {
    platform,
    async move(from, to) {
      expect([from, to]).toEqual(["draft", "place"]);
      if (tries++ < failures) throw failing(code);
    },
    async wait(ms) {
      waited += ms;
    },
  }).then(
    () => "moved",
    (error) => error.code,
  );
  return [ended, tries, waited];
}

test.each([
  ["linux", "EPERM", 0, ["moved", 1, 0]],
  ["win32", "EPERM", 0, ["moved", 1, 0]],
  ["linux", "EPERM", 1, ["EPERM", 1, 0]],
  ["darwin", "EBUSY", 1, ["EBUSY", 1, 0]],
  ["win32", "EPERM", 1, ["moved", 2, 10]],
  ["win32", "EACCES", 3, ["moved", 4, 70]],
  ["win32", "EBUSY", 7, ["moved", 8, 1270]],
  ["win32", "EBUSY", 8, ["EBUSY", 8, 1270]],
  ["win32", "ENOENT", 1, ["ENOENT", 1, 0]],
  ["win32", "ENOSPC", 1, ["ENOSPC", 1, 0]],
])("on %s with %s %i times: %p", async (platform, code, failures, outcome) => {
  expect(await moved(platform, code, failures)).toEqual(outcome);
});
