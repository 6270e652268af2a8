// Files of tool uses: read or changed as their inputs say, and those that a model may name.
import { expect, test } from "bun:test";
import type { ToolUse } from "../../src/sdk/work.ts";
import { backedFiles, pathsFrom, touchedFiles } from "../../src/text/paths.ts";

const paths = pathsFrom("/w/shop");
const use = (name: string, input: unknown, more: Partial<ToolUse> = {}): ToolUse => ({
  ...{ id: name, name, input, time: 1, cwd: "/w/shop" },
  ...more,
});
const read = (path: string) => use("Read", { file_path: `/w/shop/${path}` });
const edit = (path: string, more: Partial<ToolUse> = {}) =>
  use("Edit", { file_path: `/w/shop/${path}` }, more);

test.each<[string, ToolUse[], object]>([
  ["what is read", [read("a.ts")], { read: ["a.ts"], modified: [] }],
  ["what is changed", [edit("a.ts")], { read: [], modified: ["a.ts"] }],
  [
    "read and then changed is changed",
    [read("a.ts"), edit("a.ts")],
    { read: [], modified: ["a.ts"] },
  ],
  [
    "a plan in the client's own folder is none of the project's",
    [use("Write", { file_path: "/home/ada/.claude/plans/cents.md" })],
    { read: [], modified: [] },
  ],
  [
    "a change that failed is none",
    [edit("a.ts", { error: "no match" })],
    { read: [], modified: [] },
  ],
  [
    "a read beside a change that failed",
    [read("a.ts"), edit("a.ts", { error: "no match" })],
    { read: ["a.ts"], modified: [] },
  ],
  [
    "a file that is made, and one that is written again",
    [
      use("Write", { file_path: "a.ts" }, { response: { type: "create" } }),
      use("Write", { file_path: "b.ts" }, { response: { type: "update" } }),
    ],
    { read: [], modified: ["a.ts", "b.ts"], made: ["a.ts"] },
  ],
  [
    "a read that failed is none",
    [use("Read", { file_path: "a.ts" }, { error: "gone" })],
    { read: [], modified: [] },
  ],
  [
    "a notebook, and other clients' names of the field",
    [use("NotebookEdit", { notebook_path: "/w/shop/n.ipynb" }), use("write", { filePath: "b.ts" })],
    { read: [], modified: ["n.ipynb", "b.ts"] },
  ],
  [
    "a file that another server's tool calls its path",
    [use("create", { path: "/w/shop/n.ts" })],
    { read: [], modified: ["n.ts"] },
  ],
  [
    "other tools with a path touch nothing",
    [use("Grep", { path: "/w/shop/src" }), use("Bash", { command: "rm a.ts" }), use("Read", null)],
    { read: [], modified: [] },
  ],
])("%s", (_, uses, touched) => {
  expect(touchedFiles(uses, paths)).toEqual({ made: [], ...touched } as never);
});

const touched = { read: ["src/cart.ts"], modified: ["src/auth/login.ts"] };

test.each<[string, string, object]>([
  ["a changed file", "src/auth/login.ts", { read: [], modified: ["src/auth/login.ts"] }],
  ["by its end", "auth/login.ts", { read: [], modified: ["src/auth/login.ts"] }],
  ["by its whole path", "/w/shop/src/cart.ts", { read: ["src/cart.ts"], modified: [] }],
  ["in quotes and with a line", "`src/cart.ts:12-30`", { read: ["src/cart.ts"], modified: [] }],
  ["with a line alone", "src/cart.ts:12", { read: ["src/cart.ts"], modified: [] }],
  ["in a folder named like a line", "a:12/mail.ts", { read: ["a:12/mail.ts"], modified: [] }],
  ["by a name too short to mean one", "a/.b", { read: [], modified: [] }],
  ["that only the shown text has", "lib/mail.ts", { read: ["lib/mail.ts"], modified: [] }],
  ["whose end is another file's", "ogin.ts", { read: [], modified: [] }],
  ["that nothing has", "src/nowhere.ts", { read: [], modified: [] }],
  ["that is a pattern", "src/*.ts", { read: [], modified: [] }],
  ["that is a word of the text", "mail", { read: [], modified: [] }],
])("a model may name a file %s", (_, named, backed) => {
  const evidence = "lib/mail.ts and a:12/mail.ts send it; src/*.ts; a/.b";
  expect(backedFiles([named], touched, evidence, paths)).toEqual(backed as never);
});
