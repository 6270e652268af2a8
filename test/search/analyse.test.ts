// What is read of a document's pieces when one of them is not what it should be.
import { expect, test } from "bun:test";
import type { SearchDocument } from "../../src/search/document.ts";
import { analyse } from "../../src/search/document.ts";

test("a piece of a kind that there is not costs itself alone", () => {
  const pieces = [
    { field: "tXtle", text: "Lost heron" },
    { field: "title", text: "Found wombat" },
  ];
  const { passages } = analyse({ pieces } as unknown as SearchDocument);
  expect(passages.map(({ piece }) => piece)).toEqual([1]);
});
