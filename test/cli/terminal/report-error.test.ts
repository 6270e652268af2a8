// Errors as people read them: what the system says about a file is no fault of memoir's.
import { expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reportError } from "../../../src/cli/terminal/terminal.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { inFolder } from "../../support/in-folder.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

/** What is printed about whatever `work` throws. */
async function said(work: () => Promise<unknown>, json = false) {
  const terminal = plainTerminal();
  const error: unknown = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const code = reportError(error, terminal, json);
  return { code, out: terminal.out.join("\n"), err: terminal.err };
}

test.each([
  ["a folder is read", (at: string) => writeFile(at, ""), "it is a folder."],
  ["nothing is there", (at: string) => readFile(join(at, "x")), "there is no such file or folder."],
  ["something is there", (at: string) => mkdir(at), "something else is there already."],
  ["the name is too long", (at: string) => readFile(join(at, "x".repeat(999))), "too long."],
])("%s: the path, the reason in words, and what to check", (_name, work, reason) =>
  inFolder(async (folder) => {
    const { code, err } = await said(() => work(folder));
    expect(code).toBe(1);
    expect(err[0]).toStartWith(`error: ${folder}`);
    expect(err[0]).toEndWith(reason);
    expect(err[1]).toBe(
      "fix: Check the path, who may read and write there, and whether its disk is full.",
    );
    const json = await said(() => work(folder), true);
    expect(JSON.parse(json.out).error.code).toBe("file_unusable");
  }),
);

test("a database that a full disk does not take is no fault of memoir's either", async () => {
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  const { err } = await said(() => Promise.reject(full));
  expect(err).toEqual([
    "error: A database of memoir's cannot be used: the disk is full.",
    "fix: Check the path, who may read and write there, and whether its disk is full.",
  ]);
});

test("anything else is a fault of memoir's", async () => {
  const { err } = await said(async () => JSON.parse("{"));
  expect(err[1]).toContain("report it");
});

test("an error of memoir's own keeps its code, and the exit code says whether it was the usage", async () => {
  const thrown = (code: "usage" | "record_not_found") => async () => {
    throw new MemoirError(code, "No such thing at http://me:pw@x.test.", {
      fix: "Look at http://me:pw@y.test.",
    });
  };
  const usage = await said(thrown("usage"));
  expect([usage.code, usage.out, usage.err[1]]).toEqual([
    ...[2, "", expect.stringContaining("fix: Look at http")],
  ]);
  expect(usage.err.join()).not.toContain("pw@");
  const json = await said(thrown("record_not_found"), true);
  expect([json.code, json.err]).toEqual([1, []]);
  expect(JSON.parse(json.out)).toEqual({
    error: {
      code: "record_not_found",
      fix: expect.stringContaining("Look at http"),
      message: expect.stringContaining("No such thing at http"),
    },
  });
  expect(json.out).not.toContain("pw@");
});

const system = (code: string, path?: string) =>
  Object.assign(new Error("boom"), { code, ...(path && { path }) });

test.each<[what: string, error: unknown, line: string]>([
  ["a full disk", system("ENOSPC"), "error: A file cannot be used: the disk is full."],
  ["a read-only disk", system("EROFS", "/a"), "error: /a cannot be used: the disk is read-only."],
  [
    "a path without end",
    system("ENAMETOOLONG", `/${"a".repeat(900)}`),
    `error: /${"a".repeat(198)}… cannot be used: the name is too long.`,
  ],
  ["a code nobody has words for", system("ELSE", "/a"), "error: boom"],
  ["what is no error but looks like one", { code: "ENOENT" }, "error: [object Object]"],
  ["a text", "text", "error: text"],
])("%s", async (_, error, line) => {
  const { err, code } = await said(() => Promise.reject(error));
  expect([err[0], code]).toEqual([line, 1]);
});

test("whoever reads no more lines hears nothing of it", async () => {
  const { err, out, code } = await said(() => Promise.reject(system("EPIPE")));
  expect([err, out, code]).toEqual([[], "", 0]);
});
