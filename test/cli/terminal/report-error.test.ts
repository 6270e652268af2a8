// Errors as people read them: what the system says about a file is no fault of memoir's.
import { expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reportError } from "../../../src/cli/terminal/report-error.ts";
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

test("anything else is a fault of memoir's", async () => {
  const { err } = await said(async () => JSON.parse("{"));
  expect(err[1]).toContain("report it");
});
