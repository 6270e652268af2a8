// On Windows a process's streams are kept from what it starts; elsewhere nothing is asked of the system.
import { expect, test } from "bun:test";
import { type Kernel, keepOwnStreams } from "../../src/host/windows-streams.ts";

function fakeKernel() {
  const calls: unknown[][] = [];
  const kernel: Kernel = {
    GetStdHandle: (which) => `handle ${which}`,
    SetHandleInformation: (...call) => calls.push(call),
  };
  return { calls, open: () => kernel };
}

test("on Windows input, output and errors may not be inherited any more", () => {
  const { calls, open } = fakeKernel();
  keepOwnStreams("win32", open);
  expect(calls).toEqual([
    ["handle -10", 1, 0],
    ["handle -11", 1, 0],
    ["handle -12", 1, 0],
  ]);
});

test("elsewhere nothing is asked, and a library that is not there harms nothing", () => {
  const { calls, open } = fakeKernel();
  keepOwnStreams("linux", open);
  expect(calls).toEqual([]);
  keepOwnStreams("win32");
});
