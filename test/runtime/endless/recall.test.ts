// What was taken out comes back: by the beginning of its id, as natural text, in pages, by lines, by a search.
import { afterEach, expect, test } from "bun:test";
import { naturalText, pageCharacters, pageOf } from "../../../src/runtime/endless/recall.ts";
import { type EndlessRoom, keepRequest, openEndlessRoom } from "../../support/endless-room.ts";

let room: EndlessRoom | undefined;
afterEach(async () => {
  await room?.close();
  room = undefined;
});
const code = (name: string, words?: string) =>
  expect.objectContaining({
    code: name,
    ...(words && { message: expect.stringContaining(words) }),
  });

test.each<[string, unknown, "input" | "output", string, number]>([
  ["a command's output", { stdout: "out\n", stderr: "" }, "output", "out\n", 1],
  ["its errors alone", { stdout: "", stderr: "bad" }, "output", "bad", 1],
  ["both", { stdout: "out", stderr: "bad" }, "output", "out\n[stderr]\nbad", 1],
  [
    "a part of a file keeps its numbers",
    { type: "text", file: { filePath: "/a", content: "x\ny", startLine: 40, numLines: 2 } },
    "output",
    "x\ny",
    40,
  ],
  ["a search's lines", { mode: "content", filenames: [], content: "a:1:x" }, "output", "a:1:x", 1],
  ["found files", { filenames: ["a", "b"], numFiles: 2 }, "output", "a\nb", 1],
  [
    "a background command's output",
    { retrieval_status: "success", task: { task_type: "local_bash", output: "a\nb" } },
    "output",
    "a\nb",
    1,
  ],
  ["a fetched page", { bytes: 3, result: "# Title" }, "output", "# Title", 1],
  ["an agent's report", { content: [{ type: "text", text: "done" }] }, "output", "done", 1],
  [
    "blocks, pictures too",
    [
      { type: "text", text: "a" },
      { type: "image", source: "b" },
    ],
    "output",
    'a\n{\n  "type": "image",\n  "source": "b"\n}',
    1,
  ],
  ["a text", "plain", "output", "plain", 1],
  ["anything else", { a: 1 }, "output", '{\n  "a": 1\n}', 1],
  ["an empty list", [], "output", "[]", 1],
  [
    "an input: its fields, long texts as they are",
    { file_path: "/a.ts", content: "one\ntwo", replace: true },
    "input",
    "file_path: /a.ts\ncontent:\none\ntwo\nreplace: true",
    1,
  ],
])("%s", (_, value, part, text, firstLine) => {
  expect(naturalText(value, part)).toEqual({ text, firstLine });
});

const numbered = { text: ["a", "b", "c", "d"].join("\n"), firstLine: 10 };

test.each<[string, string]>([
  ["11-12", "b\nc"],
  ["13", "d"],
  ["12-", "c\nd"],
  ["-11", "a\nb"],
  ["1-10", "a"],
])("lines %s", (lines, text) => {
  expect(pageOf(numbered, { lines }).text).toBe(text);
});

test.each(["", "x", "5-2", "14-20", "1,2", "-"])("lines %s are none", (lines) => {
  expect(() => pageOf(numbered, { lines })).toThrow(code("usage"));
});

test("a search gives lines with their numbers, within lines too, and may find nothing", () => {
  const matches = (line: string) => /[bd]/.test(line);
  expect(pageOf(numbered, {}, matches).text).toBe("11:b\n13:d");
  expect(pageOf(numbered, { lines: "12-" }, matches).text).toBe("13:d");
  expect(pageOf(numbered, {}, () => false)).toMatchObject({ text: "", page: 1, pages: 1 });
});

test("a search over very much text ends, and says where; so does one that is given up", () => {
  const line = "x".repeat(10_000);
  const long = { text: Array.from({ length: 400 }, () => line).join("\n"), firstLine: 1 };
  const much = pageOf(long, {}, () => false);
  expect(much).toMatchObject({ text: "", bounded: "searched up to line 200" });
  let left = 7;
  const dear = pageOf(long, {}, () => (left-- > 0 ? false : undefined));
  expect(dear).toMatchObject({ text: "", bounded: "searched up to line 7" });
});

test("all pages together are the text, each below the limit, none cut inside a character", () => {
  const texts = [
    Array.from({ length: 5_000 }, (_, at) => `line ${at} ${"y".repeat(at % 50)}`).join("\n"),
    "👩‍👩‍👧".repeat(12_000),
    "z".repeat(pageCharacters),
    "z".repeat(pageCharacters + 1),
    "",
  ];
  for (const text of texts) {
    const pages: string[] = [];
    const { pages: count } = pageOf({ text, firstLine: 1 }, {});
    for (let page = 1; page <= count; page++)
      pages.push(pageOf({ text, firstLine: 1 }, { page }).text);
    expect(pages.join("")).toBe(text);
    expect(pages.every((page) => page.length <= pageCharacters && page.isWellFormed())).toBe(true);
    expect(() => pageOf({ text, firstLine: 1 }, { page: count + 1 })).toThrow(code("usage"));
  }
});

test("by its id or the beginning of it; what is unknown, gone or ambiguous says so", async () => {
  room = await openEndlessRoom();
  const { endless } = room;
  const live = endless.client("live");
  await expect(endless.recall({ id: "toolu_01" })).rejects.toEqual(code("recall_not_found"));
  for (const toolUseId of ["toolu_01Aa", "toolu_01Ab", "toolu_01Abc", "toolu_02"])
    await live.keep(keepRequest({ toolUseId }));
  expect(await endless.recall({ id: "toolu_02" })).toMatchObject({
    id: "toolu_02",
    part: "output",
    parts: ["output"],
    text: "line one\nline two\n",
    pages: 1,
  });
  expect((await endless.recall({ id: "toolu_01Aa" })).id).toBe("toolu_01Aa");
  // An id that is whole is never ambiguous, though another begins with it.
  expect((await endless.recall({ id: "toolu_01Ab" })).id).toBe("toolu_01Ab");
  await expect(endless.recall({ id: "toolu_01A" })).rejects.toEqual(
    code("recall_ambiguous", "toolu_01Aa, toolu_01Ab, toolu_01Abc"),
  );
  for (const id of ["", "nope", "%", "toolu_01Ab'--", "_"])
    await expect(endless.recall({ id })).rejects.toEqual(code("recall_not_found"));
  await expect(endless.recall({ id: "toolu_02", part: "input" })).rejects.toEqual(
    code("recall_not_found", "input of toolu_02"),
  );
  room.pass(31 * 86_400_000);
  await endless.prune();
  await expect(endless.recall({ id: "toolu_02" })).rejects.toEqual(code("recall_not_found"));
});

test("both halves of a tool use: the output first, the input by name", async () => {
  room = await openEndlessRoom();
  const { endless } = room;
  const live = endless.client("transcript");
  await live.keep(keepRequest({ part: "input", value: { command: "make" } }));
  expect(await endless.recall({ id: "toolu_01" })).toMatchObject({ part: "input" });
  await live.keep(keepRequest());
  expect(await endless.recall({ id: "toolu_01" })).toMatchObject({
    part: "output",
    parts: ["input", "output"],
  });
  expect((await endless.recall({ id: "toolu_01", part: "input" })).text).toBe("command: make");
  expect((await endless.recallValue({ id: "toolu_0", part: "input" })).value).toEqual({
    command: "make",
  });
});

test("a person's look at what was kept is not booked", async () => {
  room = await openEndlessRoom();
  const { endless } = room;
  await endless.client("live").keep(keepRequest());
  await endless.recall({ id: "toolu_01", grep: "two" });
  await endless.recallValue({ id: "toolu_01" });
  const [figures] = (await endless.metrics({ since: 0 })).tools;
  expect(figures).toMatchObject({ reduced: 1, fetchedBack: 0, charactersBack: 0 });
});

test("of two sessions with the same id the one that kept last is meant, and never what was reduced already", async () => {
  room = await openEndlessRoom();
  const { endless } = room;
  const live = endless.client("live");
  const keep = (session: string, value: unknown) => live.keep(keepRequest({ session, value }));
  const recalled = async () => (await endless.recall({ id: "toolu_01" })).text;
  const reduced =
    "a\n[memoir left out 3 lines; whole: memoir recall toolu_01 (a part: --lines A-B)]";
  await keep("one", "whole of one");
  await keep("one", reduced);
  expect(await recalled()).toBe("whole of one");
  await keep("two", "whole of two");
  expect(await recalled()).toBe("whole of two");
  expect((await live.kept("toolu_01", "output"))?.session).toBe("two");
  // A fork of the first one carries its ids and what was reduced in it.
  await keep("fork", reduced);
  expect(await recalled()).toBe("whole of one");
});
