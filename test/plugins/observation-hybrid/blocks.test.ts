// A model's answer taken apart: fields that were not closed, lists without items, tags of others, and what stands outside of all.
import { expect, test } from "bun:test";
import {
  attribute,
  findTags,
  plainMarkup,
  readBlocks,
} from "../../../plugins/observation-hybrid/index.ts";

/** Each block as its kind, its fields and what is loose. */
const read = (text: string, cut = false) =>
  readBlocks(text, cut).blocks.map(({ kind, fields, loose }) => [
    kind,
    Object.fromEntries(fields),
    ...(loose === "" ? [] : [loose]),
  ]);
const one = (inner: string) => read(`<observation>${inner}</observation>`)[0]?.[1];

test.each<[what: string, inner: string, fields: Record<string, string[]>]>([
  ["closed", "<title>A</title><fact>b</fact><fact>c</fact>", { title: ["A"], fact: ["b", "c"] }],
  ["not closed", "<title>A<subtitle>B<fact>c", { title: ["A"], subtitle: ["B"], fact: ["c"] }],
  [
    "with a field's name inside",
    "<narrative>the <title> tag</narrative>",
    { narrative: ["the <title> tag"] },
  ],
  ["closed late", "<title>A<title>B</title>", { title: ["A", "B"] }],
  ["empty", "<title> </title><fact></fact>", {}],
  ["with escapes", "<title>a &lt;b&gt; &amp; c</title>", { title: ["a <b> & c"] }],
  [
    "in other letters",
    "<TITLE>A</TITLE><x:subtitle>B</x:subtitle>",
    { title: ["A"], subtitle: ["B"] },
  ],
  ["in a list", "<facts><fact>a</fact>b</facts>", { fact: ["a", "b"] }],
  ["as a list's lines", "<facts>\n- a, b\n2. c\n</facts>", { fact: ["a, b", "c"] }],
  ["by commas", "<concepts>a, b\n• c</concepts>", { concept: ["a", "b", "c"] }],
  [
    "of files",
    "<files_read><file>a</file></files_read><files_modified>b</files_modified><file>c</file>",
    { files_read: ["a"], files_modified: ["b"], file: ["c"] },
  ],
  ["closed but never opened", "</title>A</fact>", {}],
  ["that close themselves", "<title/><fact>a</fact>", { fact: ["a"] }],
])("fields %s", (_, inner, fields) => {
  expect(one(inner)).toEqual(fields);
});

test("a block ends with its tag, with the next one, and with the answer; its type may be an attribute", () => {
  expect(
    read(
      'x<observation type="bugfix"><title>A<observation type=feature>B</observation>y<summary><request>C',
    ),
  ).toEqual([
    ["observation", { type: ["bugfix"], title: ["A"] }],
    ["observation", { type: ["feature"] }, "B"],
    ["summary", { request: ["C"] }],
  ]);
  expect(read("</observation><title>A</title>")).toEqual([]);
});

test("of an answer that was cut off what stands open at the end is left out", () => {
  const text = "<observation><title>A</title><fact>b</fact><fact>half";
  expect(read(text, true)).toEqual([["observation", { title: ["A"], fact: ["b"] }]]);
  expect(read(text)).toEqual([["observation", { title: ["A"], fact: ["b", "half"] }]]);
  expect(read("<observation>loose", true)).toEqual([["observation", {}]]);
  expect(read("<observation><title>A<fact>half", true)).toEqual([
    ["observation", { title: ["A"] }],
  ]);
});

test("nothing is said by a tag of its own outside of blocks, opened or empty", () => {
  const isNothing = (text: string) => readBlocks(text, false).nothing;
  for (const name of [
    "nothing",
    "skip",
    "none",
    "no-observation",
    "noObservations",
    "no_summary",
    "skip_summary",
  ])
    expect([name, isNothing(`<${name}/>`), isNothing(`<${name}>`)]).toEqual([name, true, true]);
  for (const text of ["</nothing>", "<title/>", "<observation><nothing/></observation>", "nothing"])
    expect([text, isNothing(text)]).toEqual([text, false]);
});

test("a tag has its place, its kind and its attributes; what only looks like one is text", () => {
  const names = new Set(["fact", "files_read"]);
  const tags = findTags('a<fact x="1">b</fact ><filesRead / ><fact\n/></ files-read>', names);
  expect(tags.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    ...["open fact", "close fact", "empty files_read", "empty fact", "close files_read"],
  ]);
  expect([tags[0]?.start, tags[0]?.end, tags[0]?.attributes]).toEqual([1, 13, ' x="1"']);
  expect(findTags("< other><factx><1fact><fact", names)).toEqual([]);
});

test("an attribute is read in quotes of either kind or none, by its whole name", () => {
  const of = (text: string) => attribute(text, "type");
  expect([
    of(' type="a b"'),
    of(" TYPE = 'c'"),
    of(" type=d/"),
    of(" subtype=e"),
    of(" x=1"),
  ]).toEqual([...["a b", "c", "d", "", ""]]);
});

test("CDATA is text, comments and instructions are gone, and what is never closed loses its beginning only", () => {
  expect(plainMarkup("a<![CDATA[<b> & c]]>d")).toBe("a&lt;b> &amp; cd");
  expect(plainMarkup("a<!-- <title> -->b<?xml x?>c")).toBe("a b c");
  expect(plainMarkup("a<!-- b <!-- c")).toBe("a  b   c");
  expect(plainMarkup("<![CDATA[1]]><![CDATA[2]]>")).toBe("12");
  expect(plainMarkup("plain < text")).toBe("plain < text");
});
