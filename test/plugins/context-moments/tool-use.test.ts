// What a tool use says: its command, its file, and what a command printed whose exit is hidden.

import { expect, test } from "bun:test";
import { commandOf, fileOf, printedBy } from "../../../plugins/context-moments/index.ts";
import { clientEvent } from "../../support/client-events.ts";

const project = { id: "shop", name: "shop", root: "/w/shop/" };
const used = (toolName: string, toolInput: unknown, toolResponse: unknown = {}) =>
  clientEvent("PostToolUse", { toolName, toolInput, toolResponse, project });

test.each<[string, unknown, string | undefined]>([
  ["Bash", { command: "bun test" }, "bun test"],
  ["PowerShell", { command: "dir" }, "dir"],
  ["Bash", { command: "" }, undefined],
  ["Bash", null, undefined],
  ["Task", { command: "bun test" }, undefined],
])("the command line of %s %j", (tool, input, command) => {
  expect(commandOf(used(tool, input))).toBe(command as string);
});

test.each<[string, unknown, ReturnType<typeof fileOf>]>([
  ["Edit", { file_path: "/w/shop/src/a.ts" }, { path: "src/a.ts", changed: true }],
  ["Write", { file_path: "/w/shop-old/a.ts" }, { path: "/w/shop-old/a.ts", changed: true }],
  ["NotebookEdit", { notebook_path: "/w/shop/n.ipynb" }, { path: "n.ipynb", changed: true }],
  ["Read", { file_path: "/w/shop/a.ts" }, { path: "a.ts", changed: false }],
  ["Grep", { file_path: "/w/shop/a.ts" }, undefined],
  ["Edit", { file_path: 3 }, undefined],
  ["Edit", undefined, undefined],
])("the file of %s %j", (tool, input, file) => {
  expect(fileOf(used(tool, input))).toEqual(file as never);
});

const failed = { stdout: "1 fail", stderr: "error" };
test.each<[string, string, unknown, string | undefined]>([
  ["of a pipe, both streams", "bun test | tail", failed, "1 fail\nerror"],
  ["of several commands", "bun test; echo done", failed, "1 fail\nerror"],
  ["of what is tried instead", "bun test || true", "1 fail", "1 fail"],
  ["is not asked of a command whose exit counts", "bun test && echo ok", failed, undefined],
  ["is nothing where nothing was printed", "bun test | tail", { stdout: "" }, undefined],
])("what was printed %s", (_, command, response, printed) => {
  expect(printedBy(used("Bash", { command }, response))).toBe(printed as string);
});
