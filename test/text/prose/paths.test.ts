// Paths as memory shows them.
import { describe, expect, test } from "bun:test";
import { pathsFrom } from "../../../src/text/prose/plain.ts";

const paths = pathsFrom("/home/ada/shop/", ["/w/shop-fix", "/home/ada"]);

describe("a path", () => {
  test.each([
    ["inside the project is relative", "/home/ada/shop/src/a.ts", "src/a.ts"],
    ["inside another checkout too", "/w/shop-fix/src/a.ts", "src/a.ts"],
    ["that is the root is a dot", "/home/ada/shop", "."],
    ["beside it stays", "/home/ada/shop-old/a.ts", "/home/ada/shop-old/a.ts"],
    ["in a folder above stays", "/home/ada/notes.md", "/home/ada/notes.md"],
    ["that is relative loses its dot", "./src/a.ts", "src/a.ts"],
  ])("%s", (_, path, shown) => {
    expect(paths.relative(path)).toBe(shown);
  });

  test("of Windows is relative with slashes", () => {
    expect(pathsFrom("C:\\w\\shop").relative("C:\\w\\shop\\src\\a.ts")).toBe("src/a.ts");
  });
});

describe("in a text", () => {
  test.each([
    ["the root goes", "See /home/ada/shop/src/a.ts.", "See src/a.ts."],
    [
      "the root alone has a name",
      "It lies in /home/ada/shop now",
      "It lies in the project root now",
    ],
    ["another's home is a tilde", "from /Users/bob/x/y.ts:3", "from ~/x/y.ts:3"],
    ["a home alone too", "cd /home/bob, then", "cd ~, then"],
    ["a home with a dot in its name goes whole", "cd /home/bob.hale.", "cd ~."],
    ["a path that only holds the word stays", "GET /api/home/bob", "GET /api/home/bob"],
  ])("%s", (_, text, shown) => {
    expect(paths.inText(text)).toBe(shown);
  });
});
