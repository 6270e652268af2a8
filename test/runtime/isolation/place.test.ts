// Finding the line in a plugin's files that an error, or a hook's declaration, stands in.
import { expect, test } from "bun:test";
import { lineOfHook, placeOf } from "../../../src/runtime/isolation/thrown.ts";

const stack = (...lines: string[]) => ({ stack: ["Error: x", ...lines].join("\n") });

test.each<[string, unknown, string | undefined, string | undefined]>([
  ["a frame", stack("    at go (/home/p/a.ts:4:56)"), undefined, "/home/p/a.ts:4:56"],
  ["a bare frame", stack("    at /home/p/a.ts:4:56"), undefined, "/home/p/a.ts:4:56"],
  ["a URL", stack("    at go (file:///home/p/a.ts:4:56)"), undefined, "/home/p/a.ts:4:56"],
  ["a drive", stack("    at go (C:\\p\\a.ts:4:56)"), undefined, "C:\\p\\a.ts:4:56"],
  ["blanks", stack("    at go (/p/my ä (1)/a.ts:4:56)"), "/p/my ä (1)", "/p/my ä (1)/a.ts:4:56"],
  ["a bare frame with blanks", stack("    at async /p q/a.ts:4:56"), undefined, "/p q/a.ts:4:56"],
  [
    "an encoded URL",
    stack("    at go (file:///p%20q/%C3%A4.ts:4:56)"),
    undefined,
    "/p q/ä.ts:4:56",
  ],
  ["a compiled program", stack("    at go (/$bunfs/root/x.js:1:2)"), undefined, undefined],
  [
    "only below a folder",
    stack("    at a (/x/a.ts:1:1)", "    at b (/p/b.ts:2:2)"),
    "/p",
    "/p/b.ts:2:2",
  ],
  [
    "own before packages",
    stack("    at a (/p/node_modules/d/i.js:1:1)", "    at b (/p/b.ts:2:2)"),
    "/p",
    "/p/b.ts:2:2",
  ],
  [
    "a package where nothing else is",
    stack("    at a (/p/node_modules/d/i.js:1:1)"),
    "/p",
    "/p/node_modules/d/i.js:1:1",
  ],
  ["told by the other side", { place: "/p/a.ts:1:1" }, undefined, "/p/a.ts:1:1"],
  ["no error", "boom", undefined, undefined],
  ["nothing", undefined, undefined, undefined],
])("%s", (_, error, own, expected) => {
  expect(placeOf(error, own)).toBe(expected as string);
});

test.each<[string, string, number | undefined]>([
  ["hooks: {\n  Stop: () => {},\n}", "Stop", 2],
  ["hooks: {\n  SubagentStop() {},\n  Stop() {},\n}", "Stop", 3],
  ["hooks: { async Stop(input) {} }", "Stop", 1],
  ['\n"storage.put": {', "storage.put", 2],
  ["\n'storage.put'(input) {", "storage.put", 2],
  ["storageXput: 1", "storage.put", undefined],
  ["// nothing here", "Stop", undefined],
])("%j names %s in line %p", (text, hook, line) => {
  expect(lineOfHook(text, hook)).toBe(line as number);
});
