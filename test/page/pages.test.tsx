// A list of pages: each is asked for as it comes near, each row knows the one above it, and the end is said.
import { expect, test } from "bun:test";
import { Pages } from "../../src/page/parts/pages.tsx";
import { until } from "../e2e/until.ts";
import { drawn } from "../support/small-document.ts";

/** A list of so many numbers, two a page, brought near until nothing more comes. */
async function listOf(count: number) {
  const all = Array.from({ length: count }, (_, at) => at + 1);
  const asked: number[] = [];
  const page = drawn(
    <Pages
      question="numbers"
      size={2}
      row={20}
      first={all.slice(0, 2)}
      ask={async ({ limit, offset }) => {
        asked.push(offset);
        return all.slice(offset, offset + limit);
      }}
      draw={(item, before) => <li>{`${item} after ${before ?? "nothing"}`}</li>}
    />,
  );
  const rows = () => page.root.all("li").map(({ textContent }) => textContent);
  return { ...page, asked, rows };
}

test("pages come as they are near, each row after the one above it, and the last is said to be that", async () => {
  const { root, near, asked, rows, end } = await listOf(5);
  expect(rows()).toEqual(["1 after nothing", "2 after 1"]);
  await until("all pages are there", () => {
    near();
    return root.textContent.includes("That is all.");
  });
  expect(rows()).toEqual(["1 after nothing", "2 after 1", "3 after 2", "4 after 3", "5 after 4"]);
  expect(asked).toEqual([2, 4]);
  expect(root.all("ol").map(({ attributes }) => attributes.get("start"))).toEqual([
    undefined,
    "3",
    "5",
  ]);
  end();
});

test("a first page that is not full is all there is", async () => {
  const { root, near, asked, rows, end } = await listOf(1);
  near();
  expect(rows()).toEqual(["1 after nothing"]);
  expect(
    root.all("div").filter(({ attributes }) => attributes.get("class") === "near"),
  ).toHaveLength(1);
  expect(asked).toEqual([]);
  end();
});
