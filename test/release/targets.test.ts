// Every release file has a name that install.sh asks for.
import { expect, test } from "bun:test";
import { targets } from "../../src/release/targets.ts";

test("names, files and Bun's words agree", () => {
  const arches = targets.map(({ name }) => name);
  expect(new Set(arches).size).toBe(arches.length);
  for (const { name, bun, file } of targets) {
    expect(name).toMatch(/^(linux|darwin|windows)-(x64|arm64)(-musl)?$/);
    expect(bun).toBe(`bun-${name}${/^(linux|windows)-x64/.test(name) ? "-baseline" : ""}`);
    expect(file).toBe(name.startsWith("windows") ? `memoir-${name}.exe` : `memoir-${name}`);
  }
});
