// What would be told is told line by line, each with the records behind it.
import { expect, test } from "bun:test";
import type { Session } from "../../../src/sdk/model.ts";
import {
  contextLines,
  omittedFrom,
  previewContext,
} from "../../../src/server/memory/context-preview.ts";
import { sampleMemory, sampleSession } from "../../support/sample-records.ts";
import { fakeRuntime } from "../fake-runtime.ts";

const note = `<memoir-context source="startup">
What memoir kept.

## Decided
- m1 · 2026-11-20 · typed by the user: “No m2 here”
- \`bun test\` ×2 (2026-11-20)

## Earlier
- t12 · 2026-11-20 14:05 · asked: “why”
  →
  > - because of o7
  > ## so it is
More: \`memoir search\`.
</memoir-context>

<memoir-context source="mine">
- o7, t12: another plugin’s
</memoir-context>`;

test("an entry is a line that begins with a dash and what is indented below it; the marks around are left out", () => {
  const traces = [["m1"], ["m2"], [], []];
  expect(contextLines(note, { records: ["m1", "m2", "t12", "o7"], traces })).toEqual([
    { as: "frame", text: "What memoir kept.", records: [] },
    { as: "heading", text: "Decided", records: [] },
    { as: "entry", text: "m1 · 2026-11-20 · typed by the user: “No m2 here”", records: ["m1"] },
    { as: "entry", text: "`bun test` ×2 (2026-11-20)", records: ["m2"] },
    { as: "heading", text: "Earlier", records: [] },
    {
      as: "entry",
      text: "t12 · 2026-11-20 14:05 · asked: “why”\n→\n> - because of o7\n> ## so it is",
      records: ["t12"],
    },
    { as: "frame", text: "More: `memoir search`.", records: [] },
    { as: "entry", text: "o7, t12: another plugin’s", records: ["o7", "t12"] },
  ]);
});

test("without traces the ids at its head say where a line comes from, those in a saying never, nor what the reply does not name", () => {
  const found = contextLines(note, { records: ["m1", "m2", "o7"], traces: [] });
  expect(found.flatMap(({ as, records }) => (as === "entry" ? [records] : []))).toEqual([
    ["m1"],
    [],
    [],
    ["o7"],
  ]);
});

test.each(["", "\n", '<memoir-context source="a">\n</memoir-context>'])(
  "%j has no lines",
  (text) => {
    expect(contextLines(text, { records: [], traces: [] })).toEqual([]);
  },
);

const shop: Session = {
  ...sampleSession(),
  title: "",
  subtitle: "",
  prompts: 1,
  observations: 0,
  endedAt: null,
};

const nowhere = { id: shop.project.id, name: shop.project.name, root: "" };

test("of a project: as a session finds it now in the last of its folders that is there and still its own", async () => {
  const roots = ["/gone", "/gone", "/taken", "/here", "/older"];
  const looked: string[] = [];
  const runtime = {
    ...fakeRuntime({
      reply: { context: "- x" },
      answers: {
        "storage.sessions": () =>
          roots.map((root) => ({ ...shop, project: { ...shop.project, root, branch: "then" } })),
      },
    }),
    projectOf: async (root: string) => {
      looked.push(root);
      const id = root === "/taken" ? "another" : shop.project.id;
      return root === "/gone" ? undefined : { id, name: "folder", root, branch: "now" };
    },
  };
  const { project } = await previewContext(runtime, { project: "shop" }, () => 1);
  expect(looked).toEqual(["/gone", "/taken", "/here"]);
  expect(project).toEqual({ ...shop.project, root: "/here", branch: "now" });
});

test("of a project of which no folder is there: on no branch, in no folder", async () => {
  const item = {
    ...sampleMemory({ content: "Amounts\nin cents" }),
    id: "m1",
    pinned: true as const,
  };
  const asked: unknown[] = [];
  const runtime = fakeRuntime({
    reply: { context: "- m1: x", records: ["m1", "m9"] },
    answers: {
      "storage.sessions": (query) => {
        asked.push(query);
        return [shop];
      },
      "storage.get": ({ ids }) => (ids.includes("m1") ? [{ kind: "memory", record: item }] : []),
    },
  });
  const told = await previewContext(runtime, { project: shop.project.name }, () => 1);
  expect(asked).toEqual([{ project: shop.project.name, limit: 200 }]);
  expect(runtime.previewed).toMatchObject([
    { name: "SessionStart", cwd: "/", project: { ...nowhere } },
  ]);
  expect(runtime.previewed).not.toMatchObject([{ project: { branch: expect.anything() } }]);
  expect(told).toEqual({
    context: "- m1: x",
    project: nowhere,
    records: [
      {
        ...{ id: "m1", kind: "memory", type: "preferences" },
        ...{ words: "Amounts in cents", marks: ["pinned"] },
      },
    ],
    lines: [{ as: "entry", text: "m1: x", records: ["m1"] }],
    weighed: {},
  });
});

test("what is laid down and not in a start is there by its reason, the plugin's own first", async () => {
  const item = (id: string, part: object = {}) => ({
    ...{ ...sampleMemory({ content: `Content of ${id}`, state: "standing" }), id },
    ...part,
  });
  const here = [
    ...[item("m1"), item("m2"), item("m3", { hidden: true }), item("m4", { state: "candidate" })],
    ...[item("m5", { hidden: true, merged: "m1" }), item("m6", { state: "candidate" }), item("m7")],
  ];
  const elsewhere = [item("m8"), item("m9", { state: "candidate" })];
  const runtime = fakeRuntime({
    answers: {
      "storage.memory": ({ project }) => (project ? here : [...here, ...elsewhere]),
    },
  });
  const found = { project: nowhere, records: [{ id: "m1" }] };
  const omitted = await omittedFrom(runtime, found, { m2: "no room left" });
  expect(
    omitted.map(({ why, count, records }) => [why, count, records.map(({ id }) => id)]),
  ).toEqual([
    ["no room left", 1, ["m2"]],
    ["not weighed at such a start", 1, ["m7"]],
    ["hidden", 1, ["m3"]],
    ["merged into another", 1, ["m5"]],
    ["not confirmed", 2, ["m4", "m6"]],
    ["of another project", 1, ["m8"]],
  ]);
  expect(await omittedFrom(runtime, { records: [] }, {})).toEqual([]);
});

test("a project that memory has nothing of, and no place at all, are refused", async () => {
  const runtime = fakeRuntime({ answers: { "storage.sessions": () => [] } });
  expect(previewContext(runtime, { project: "none" }, () => 1)).rejects.toMatchObject({
    code: "record_not_found",
  });
  expect(previewContext(runtime, {}, () => 1)).rejects.toMatchObject({ code: "usage" });
  expect(runtime.previewed).toEqual([]);
});
