// The hook command's own log stays small and never gets in the way.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { noteHook, refusalOf } from "../../../src/cli/hook/log.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { temporaryHome } from "./run-hook.ts";

let paths: Paths;
beforeEach(async () => {
  paths = memoirPaths(await temporaryHome());
});
afterEach(() => rm(paths.home, { recursive: true, force: true }));

const note = { client: "claude-code", event: "Stop", reason: "stdin was empty" };

test("writes one private line of JSON per note", async () => {
  await noteHook(paths, note);
  await noteHook(paths, { ...note, reason: "x".repeat(10_000) });
  const lines = (await readFile(paths.hookLog, "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject(note);
  expect(lines[1]?.length).toBeLessThan(700);
  expect((await stat(paths.hookLog)).mode & 0o777).toBe(0o600);
});

test("begins a new file when the old one is full, and keeps that one", async () => {
  await noteHook(paths, note);
  const full = "x".repeat(300 * 1024);
  await writeFile(paths.hookLog, full);
  await noteHook(paths, note);
  expect((await stat(paths.hookLog)).size).toBeLessThan(1_000);
  expect(await readFile(`${paths.hookLog}.1`, "utf8")).toBe(full);
});

test("a home that cannot be written is no error", async () => {
  await writeFile(join(paths.home, "file"), "");
  await noteHook(memoirPaths(join(paths.home, "file")), note);
});

test("a refusal is told in one line", () => {
  const error = { code: "client_unknown", message: "No such client.", fix: "" };
  expect(refusalOf({ status: 404, text: JSON.stringify({ error }) })).toBe(
    "refused (404, client_unknown): No such client.",
  );
  expect(refusalOf({ status: 502, text: "<html>" })).toBe("refused (502)");
  expect(refusalOf({ status: 500, text: "{}" })).toBe("refused (500)");
});
