// What the user pinned, edited or hid, as the note tells it.
import { describe, expect, test } from "bun:test";
import type { Material } from "../../../plugins/context-handover/material.ts";
import { observation, summary } from "../../support/records.ts";
import { turn } from "../../support/turns.ts";
import { item, render } from "./render-room.ts";

describe("what the user pinned", () => {
  const pinned: Material["pinned"] = [
    { kind: "memory", record: item("m1", { content: "Never deploy on Fridays" }) },
    { kind: "observation", record: observation("o7", { title: "The cache is per tenant" }) },
    { kind: "summary", record: summary("s7", { completed: "Moved to Bun" }) },
    {
      kind: "turn",
      record: turn(9, [
        ["prompt", "Why Bun?"],
        ["closing", "It is faster here."],
      ]),
    },
  ];

  test("stands first, once, and as much as there is room for", () => {
    const settled = [item("m1", { content: "Never deploy on Fridays" })];
    const note = render({ pinned, laidDownItems: settled, observations: [observation("o7")] });
    const text = note?.context ?? "";
    expect(text.indexOf("## Pinned by the user")).toBe(text.indexOf("##"));
    for (const said of ["Never deploy on Fridays", "The cache is per tenant", "Moved to Bun"])
      expect(text.split(said)).toHaveLength(2);
    expect(text).toContain("It is faster here.");
    expect(note?.ids.slice(0, 3)).toEqual(["m1", "o7", "s7"]);
  });

  test("is told by its facts, else by what happened; a turn by its last words", () => {
    const seen = (facts: string[]) => [
      {
        kind: "observation" as const,
        record: observation("o7", { facts, narrative: "It was measured." }),
      },
    ];
    expect(render({ pinned: seen(["Per tenant."]) })?.context).not.toContain("It was measured.");
    expect(render({ pinned: seen([]) })?.context).toContain("It was measured.");
    const record = turn(9, [
      ["closing", "I began."],
      ["closing", "I ended."],
    ]);
    expect(render({ pinned: [{ kind: "turn", record }] })?.context).toContain("I ended.");
  });

  test("is told before anything else where there is hardly room", () => {
    const turns = Array.from({ length: 30 }, (_, at) =>
      turn(at + 1, [
        ["prompt", `Do number ${at}`],
        ["closing", `Number ${at} is done. ${"It took a while. ".repeat(40)}`],
      ]),
    );
    const note = render({ pinned, turns }, 1_000)?.context ?? "";
    expect(note).toContain("Never deploy on Fridays");
    expect(note.length).toBeLessThanOrEqual(1_000);
  });

  test("twenty long ones leave room for where things stand", () => {
    const many = Array.from({ length: 20 }, (_, at): Material["pinned"][number] => ({
      kind: "memory",
      record: item(`m${at}`, { content: `Rule ${at}: ${"keep it small and plain. ".repeat(30)}` }),
    }));
    const last = turn(1, [
      ["prompt", "Go on"],
      ["closing", "The importer reads both forms."],
    ]);
    const note = render({ pinned: many, turns: [last] })?.context ?? "";
    for (const at of many.keys()) expect(note).toContain(`Rule ${at}:`);
    expect(note).toContain("The importer reads both forms.");
    expect(note.length).toBeLessThanOrEqual(6_000);
  });
});

test("what the user edited is told in the user's words, beside the turn that it was derived from", () => {
  const last = turn(
    1,
    [
      ["prompt", "Go on"],
      ["closing", "Tokens live an hour."],
    ],
    { session: "s1" },
  );
  const edited = { time: 1, was: { title: "Tokens live an hour." } };
  const texts = { title: "Tokens live a day, as measured", facts: ["A token is a row"] };
  const said = (was: Record<string, unknown>) =>
    render({
      turns: [last],
      observations: [observation("o1", { ...texts, edited: { ...edited, was } })],
    })?.context;
  // What the program wrote is not the person's.
  expect(said(edited.was)).toContain("typed by the user: Tokens live a day, as measured\n");
  expect(said({ facts: [] })).toContain("typed by the user: A token is a row\n");
  expect(said({ subtitle: "" })).toContain("as measured — A token is a row\n");
  const settled = [item("m1", { content: "Use Bun", quote: "Use Node", edited })];
  expect(render({ laidDownItems: settled })?.context).toContain("typed by the user: “Use Bun”");
});

test("what nobody uses is left to search, but not commands, and what a person laid down or pinned", () => {
  const closed = turn(9, [
    ["prompt", "Why is it slow?"],
    ["closing", "The cache was cleared at every request, which is fixed."],
  ]);
  const material = {
    turns: [closed],
    laidDownItems: [item("m1", { kind: "preferences", content: "Never deploy on Fridays" })],
    practice: [item("m2", { kind: "workflows", content: "make test" })],
    pinned: [{ kind: "observation" as const, record: observation("o7") }],
  };
  const ids = (worth: number) => render(material, 6_000, "startup", () => worth)?.ids.toSorted();
  expect(ids(1)).toEqual(["m1", "m2", "o7", "t9"]);
  expect(ids(0)).toEqual(["m1", "m2", "o7"]);
});

test("what sessions used comes before what they did not", () => {
  const closings = [
    "The mailer now rounds each price of a cart to cents.",
    "The importer now skips archived orders without their table.",
    "The login page now keeps its cookie for seven days.",
    "The search box now finds articles by their colour.",
    "The footer now links the imprint of the company.",
    "The basket now shows the weight of a parcel.",
    "The newsletter now leaves out who unsubscribed.",
  ];
  const turns = closings.map((closing, at) =>
    turn(
      at,
      [
        ["prompt", closing.split(" now ").reverse().join(": ")],
        ["closing", closing],
      ],
      { session: `s${at}`, branch: "main", ...(at < 6 && { changed: [`src/f${at}.ts`] }) },
    ),
  );
  // A last session that changed nothing is tied to any other of its branch.
  const material = { turns: turns.toReversed(), branch: "main" };
  const shown = (used: string) =>
    render(material, 6_000, "startup", (id) => (id === used ? 1.3 : 1))?.ids;
  expect(shown("")).not.toContain("t0");
  expect(shown("t0")).toContain("t0");
});
