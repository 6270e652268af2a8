// What filters look for: which file is meant by a path, its end or a folder, and how the labels of files sort.
import { expect, test } from "bun:test";
import {
  clientLabel,
  conceptLabel,
  fileLabel,
  fileLabels,
  isFile,
  pathOf,
  typeLabel,
  withSlashes,
} from "../../src/search/document.ts";

test.each<[asked: string, path: string, isMeant: boolean]>([
  ["src/auth/login.ts", "src/auth/login.ts", true],
  ["login.ts", "src/auth/login.ts", true],
  ["auth/login.ts", "src/auth/login.ts", true],
  ["./src/auth/login.ts", "src/auth/login.ts", true],
  ["src\\auth\\login.ts", "src/auth/login.ts", true],
  ["ogin.ts", "src/auth/login.ts", false],
  ["th/login.ts", "src/auth/login.ts", false],
  ["login", "src/auth/login.ts", false],
  ["/src/auth/login.ts", "src/auth/login.ts", false],
  ["src", "src/auth/login.ts", true],
  ["src/", "src/auth/login.ts", true],
  ["src/auth", "src/auth/login.ts", true],
  ["auth/", "src/auth/login.ts", true],
  ["auth//", "src/auth/login.ts", true],
  ["uth/", "src/auth/login.ts", false],
  ["login.ts/", "src/auth/login.ts", false],
  ["/code/shop", "/code/shop/src/a.ts", true],
  ["/shop", "/code/shop/src/a.ts", true],
  ["/code/sh", "/code/shop/src/a.ts", false],
  ["", "src/a.ts", false],
  ["/", "/src/a.ts", false],
])("%p means %p: %p", (asked, path, isMeant) => {
  expect(isFile(path, asked)).toBe(isMeant);
});

test("a path is written with slashes, without the folder it begins in", () => {
  expect(withSlashes("././src\\a.ts")).toBe("src/a.ts");
  expect(withSlashes("../src/./a.ts")).toBe("../src/./a.ts");
});

test("a file's label gives its path back, and stands with all files of its name", () => {
  expect(pathOf(fileLabel("./src\\auth\\login.ts"))).toBe("src/auth/login.ts");
  expect(fileLabel("src/auth/login.ts")).toStartWith(fileLabels("login.ts"));
  expect(fileLabel("src/auth/login.tsx")).not.toStartWith(fileLabels("login.ts"));
  expect(fileLabel("login.ts")).toStartWith(fileLabels());
});

test("concepts compare without case and width, types and clients as they are; no two kinds are one label", () => {
  expect(conceptLabel("C＋＋")).toBe(conceptLabel("c++"));
  expect(typeLabel("Bugfix")).not.toBe(typeLabel("bugfix"));
  const all = [typeLabel("x"), clientLabel("x"), conceptLabel("x"), fileLabel("x")];
  expect(new Set(all).size).toBe(4);
  for (const label of all) expect(label).toStartWith("=");
});
