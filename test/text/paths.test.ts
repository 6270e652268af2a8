// Paths as memory shows them.
import { describe, expect, test } from "bun:test";
import { pathBelow, pathsFrom } from "../../src/text/paths.ts";
import { isAbsolutePath } from "../../src/text/text.ts";

const paths = pathsFrom("/home/ada/shop/", ["/w/shop-fix", "/home/ada"]);

test.each<[string, string, string | undefined]>([
  ["/w/shop", "/w/shop/src/a.ts", "src/a.ts"],
  ["/w/shop/", "/w/shop", ""],
  ["/w/shop", "/w/shop-old/a.ts", undefined],
  ["/w/shop", "/W/shop/a.ts", undefined],
  ["/Users/ada/shop", "/Users/ada/shop/a.ts", "a.ts"],
  ["/c/shop", "C:\\shop\\a.ts", undefined],
  ["/", "/w", undefined],
  ["", "a.ts", undefined],
  ["C:\\w\\shop", "C:\\w\\shop\\src\\a.ts", "src/a.ts"],
  ["C:\\w\\shop", "c:/W/Shop/src/A.ts", "src/A.ts"],
  ["c:/w/shop/", "C:\\w\\shop", ""],
  ["C:\\w\\shop", "/c/w/shop/src/a.ts", "src/a.ts"],
  ["C:\\w\\shop", "/d/w/shop/src/a.ts", undefined],
  ["C:\\w\\shop", "C:\\w\\shop-old\\a.ts", undefined],
  ["C:\\w\\shop", "src/a.ts", undefined],
  ["C:\\", "C:\\a.ts", "a.ts"],
  ["\\\\nas\\w\\shop", "//NAS/w/shop/src/a.ts", "src/a.ts"],
])("below %p, %p is %p", (folder, path, rest) => {
  expect(pathBelow(folder, path)).toBe(rest);
});

test.each([
  ["/a", true],
  ["C:\\a", true],
  ["c:/a", true],
  ["\\\\nas\\a", true],
  ["a/b", false],
  ["./a", false],
  ["C:a", false],
  ["", false],
])("%p is absolute: %p", (path, isAbsolute) => {
  expect(isAbsolutePath(path)).toBe(isAbsolute);
});

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

describe("in a text of Windows", () => {
  const shop = pathsFrom("C:\\Users\\ada\\shop");
  test.each([
    ["the root goes", "See C:\\Users\\ada\\shop\\src\\a.ts.", "See src\\a.ts."],
    ["with slashes too", "See c:/users/ada/shop/src/a.ts.", "See src/a.ts."],
    ["from Git Bash too", "cd /c/Users/ada/shop/src && ls", "cd src && ls"],
    ["in JSON too", '{"path":"C:\\\\Users\\\\ada\\\\shop\\\\a.ts"}', '{"path":"a.ts"}'],
    ["the root alone has a name", "in C:\\Users\\ada\\shop now", "in the project root now"],
    ["another's home is a tilde", "from D:\\Users\\bob\\x\\y.ts:3", "from ~/x\\y.ts:3"],
    ["another's home in Git Bash is", "from /c/Users/bob/x/y.ts", "from ~/x/y.ts"],
    ["a home alone too", "cd C:\\Users\\bob, then", "cd ~, then"],
    ["another drive stays", "D:\\w\\a.ts", "D:\\w\\a.ts"],
  ])("%s", (_, text, shown) => {
    expect(shop.inText(text)).toBe(shown);
  });
});
