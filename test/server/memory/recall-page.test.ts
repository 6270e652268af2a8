// A page of what was taken out of a conversation, and the one line that says how to ask for the rest.
import { expect, test } from "bun:test";
import type { Recalled, RecallQuery } from "../../../src/runtime/endless/recall.ts";
import { recallPage, recallText, withMore } from "../../../src/server/memory/recall-page.ts";

const whole: Recalled = {
  ...{ id: "toolu_1", part: "output", tool: "Bash", session: "s1", keptAt: 0, parts: ["output"] },
  ...{ text: "a\nb", page: 1, pages: 1, characters: 3, command: "memoir" },
} as Recalled;

/** What the agent reads of this page. */
function read(part: Partial<Recalled>, query: Partial<RecallQuery> = {}): Promise<string> {
  const recall = async () => ({ ...whole, ...part }) as Recalled;
  return recallText({ endless: { recall } as never }, { id: "toolu_1", ...query });
}
const more = async (part: Partial<Recalled>, query: Partial<RecallQuery> = {}) =>
  (await read(part, query)).split("\n").at(-1);

test("all there is stands alone; nothing says so", async () => {
  expect(await read({})).toBe("a\nb");
  expect(await read({ text: "" })).toBe("(nothing)");
  const recall = async () => whole;
  const page = await recallPage({ endless: { recall } as never }, { id: "toolu_1" });
  expect("more" in page).toBe(false);
});

test("one of several pages says which, of how much, and the command for the next", async () => {
  const of = { page: 2, pages: 3, characters: 123_456 };
  expect(await more(of)).toBe(
    "[memoir: page 2 of 3, 123,456 characters; next: memoir recall toolu_1 --page 3]",
  );
  expect(await more({ ...of, page: 3 })).toBe("[memoir: page 3 of 3, 123,456 characters]");
  expect(await more({ ...of, bounded: "after 9 s" } as never)).toContain(
    "characters; after 9 s; next",
  );
});

test("the next page is asked for as this one was, each word as a shell takes it", async () => {
  const query = { part: "input" as const, lines: "1-20", grep: "it's a $(x)", page: 1 };
  expect(await more({ pages: 2 }, query)).toEndWith(
    "next: memoir recall toolu_1 --part input --lines 1-20 --grep 'it'\\''s a $(x)' --page 2]",
  );
});

test("the other part is told once: on the first page, to whoever named none", async () => {
  const both = { parts: ["input", "output"] as Recalled["parts"] };
  const line = "[memoir: its input too: memoir recall toolu_1 --part input]";
  expect(await more(both)).toBe(line);
  expect(await more(both, { part: "output" })).toBe("b");
  expect(await more({ ...both, page: 2, pages: 2 })).not.toContain("its input");
});

test("the line stands below the text, whether that ends a line or not", () => {
  expect(withMore("a", "[x]")).toBe("a\n[x]");
  expect(withMore("a\n", "[x]")).toBe("a\n[x]");
  expect(withMore("a", undefined)).toBe("a");
});
