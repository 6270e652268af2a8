// Where a server is reached: by a socket as long as systems take its path, else by a port.
import { expect, test } from "bun:test";
import { memoirPaths } from "../../src/home/paths.ts";
import { socketOf } from "../../src/server/endpoint.ts";

/** A home whose socket's path has so many bytes. */
function home(bytes: number, letter = "a") {
  const name = "/memoir.sock";
  const size = new TextEncoder().encode(letter).length;
  const letters = Math.floor((bytes - 1 - name.length) / size);
  const rest = bytes - 1 - name.length - letters * size;
  return memoirPaths(`/${letter.repeat(letters)}${"b".repeat(rest)}`);
}

test.each([
  [33, "a", true],
  [100, "a", true],
  [101, "a", false],
  [100, "日", true],
  [101, "日", false],
])("a path of %d bytes of %p is a socket's: %p", (bytes, letter, is) => {
  const paths = home(bytes, letter);
  expect(new TextEncoder().encode(paths.socket)).toHaveLength(bytes);
  expect(socketOf(paths, "linux")).toBe(is ? paths.socket : undefined);
});

test("Windows has none", () => {
  expect(socketOf(home(40), "win32")).toBeUndefined();
});
