// Places in the binary, read back to the source's: by the maps that Bun makes of a bundle.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type SourceMaps, withSourcePlaces } from "../../src/home/describe-error.ts";
import { inFolder } from "../support/in-folder.ts";

const source = `// A line that the bundle does not have.
export interface Given {
  wide: number;
}

export function narrow({ wide }: Given): number {
  if (wide > 2)
    throw new Error("too wide");
  return wide;
}
`;

test("a place in a bundle is the source's line and column, on every system; others stay", () =>
  inFolder(async (folder) => {
    const entry = join(folder, "narrow.ts");
    await writeFile(entry, source);
    const { outputs } = await Bun.build({
      ...{ entrypoints: [entry], root: folder, minify: true },
      ...{ target: "bun", sourcemap: "external" },
    });
    const text = (await outputs[0]?.text()) ?? "";
    const map = await outputs[0]?.sourcemap?.json();
    const maps: SourceMaps = { "narrow.js": { ...map, sources: ["narrow.ts"] } };
    const lines = text.split("\n");
    const line = lines.findIndex((part) => part.includes("Error("));
    const at = `narrow.js:${line + 1}:${(lines[line] ?? "").indexOf("Error(") + 1}`;
    const placed = (stack: string) => withSourcePlaces(stack, () => maps);

    const place = "narrow.ts:8:15";
    expect(placed(`Error: no\n  at e (/$bunfs/root/${at})\n  at /$bunfs/root/a/b/${at}`)).toBe(
      `Error: no\n  at e (${place})\n  at ${place}`,
    );
    expect(placed(`at e (B:\\~BUN\\root\\${at})`)).toBe(`at e (${place})`);
    expect(placed(`at e (B:/~BUN/root/${at})`)).toBe(`at e (${place})`);
    for (const stays of [
      "at e (/$bunfs/root/other.js:1:2)",
      "at e (/$bunfs/root/narrow.js:900:1)",
      `at e (/home/me/${at})`,
      "at map (native)",
      "narrow.js is not there",
    ])
      expect(placed(stays)).toBe(stays);
  }));

test("a program that runs from source has no maps, and needs none", () => {
  const stack = new Error("here").stack ?? "";
  expect(withSourcePlaces(stack)).toBe(stack);
  const foreign = "at e (/$bunfs/root/chunk-1.js:1:2)";
  expect(withSourcePlaces(foreign)).toBe(foreign);
});
