// What a request shows and in what bounds, part by part.
import { describe, expect, test } from "bun:test";
import { asksOf, observeMessage, summaryMessage } from "../../src/strategy/messages.ts";
import { createFence } from "../../src/strategy/model-text.ts";
import { observation, summary } from "../support/records.ts";

type SummaryMessage = Parameters<typeof summaryMessage>[0];

type ObserveMessage = Parameters<typeof observeMessage>[0];

const fence = createFence(() => 7, []);
const long = (count: number) => "y".repeat(count);
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `n${i};`);
const ys = (text: string) => text.split("y").length - 1;

const frame = {
  ...{ project: "shop", date: "2026-11-22", fence, room: 4_000, names: new Set<string>() },
  ...{ evidence: "", reminder: "REMINDER", asks: asksOf({}) },
};
const observe = (more: Partial<ObserveMessage> = {}) =>
  observeMessage({
    ...{ ...frame, prompt: undefined, titles: [], turns: "", uses: [], closing: [] },
    ...{ waiting: false, ...more },
  });
const summarize = (more: Partial<SummaryMessage> = {}) =>
  summaryMessage({
    ...{ ...frame, scope: "session", prompts: [], observations: [], summaries: [] },
    ...{ files: { read: [], modified: [] }, lastAssistantMessage: undefined, wantsTitle: false },
    ...more,
  });

describe("a request for notes", () => {
  test("tells turns, tool uses, evidence and closing words, in this order", () => {
    const text = observe({
      turns: "TURN",
      uses: ["USE1", "USE2"],
      evidence: "EVIDENCE",
      closing: ["END"],
    });
    expect(text).toContain(
      "<before>\nTURN\n</before>\nUSE1\nUSE2\nEVIDENCE\n<closing-words>END</closing-words>",
    );
  });

  test("leaves out what is blank", () => {
    const text = observe({ closing: [" \n"] });
    for (const gone of ["<before>", "closing-words", "<prompt", "earlier-notes"])
      expect(text).not.toContain(gone);
  });

  test("has the prompt and earlier titles in the one fence, and around it only what is asked", () => {
    const text = observe({ titles: ["one", "two"], prompt: { number: 3, text: "Go" } });
    expect(text).toBe(
      `${fence.around(
        '<work project="shop" date="2026-11-22"/>\n<earlier-notes>\n- one\n- two\n</earlier-notes>\n<prompt n="3">Go</prompt>',
      )}\n\n${frame.asks.notes}\nREMINDER`,
    );
  });

  test.each<[string, Partial<ObserveMessage>, number]>([
    ["a prompt", { prompt: { number: 1, text: long(9_000) } }, 4_000],
    ["closing words", { closing: [long(9_000)] }, 4_000],
    ["an earlier title", { titles: [long(5_000)] }, 120],
  ])("bounds %s", (_, more, most) => {
    const shown = ys(observe(more));
    expect(shown).toBeLessThanOrEqual(most + 10);
    expect(shown).toBeGreaterThan(most / 2);
  });

  test("asks of a single note when somebody waits for it", () => {
    expect(observe({ waiting: true })).toContain("The agent waits");
    expect(observe()).not.toContain("The agent waits");
  });
});

describe("a request for a summary", () => {
  const notes = (count: number, more: object = {}) =>
    numbered(count).map((title) => observation(title, { title, ...more }));
  const shownOf = (text: string): string[] => text.match(/n\d+;/g) ?? [];

  test("shows the first prompt and the newest, twenty-five in all", () => {
    const all = numbered(40);
    expect(shownOf(summarize({ prompts: all }))).toEqual(["n0;", ...all.slice(-24)]);
    expect(shownOf(summarize({ prompts: all.slice(0, 25) }))).toEqual(all.slice(0, 25));
  });

  test("shows the newest eighty notes and twenty-five summaries", () => {
    expect(shownOf(summarize({ observations: notes(90) }))).toEqual(numbered(90).slice(-80));
    const summaries = numbered(30).map((request) => summary(request, { request }));
    expect(shownOf(summarize({ summaries }))).toEqual(numbered(30).slice(-25));
  });

  test("says of an earlier summary what was to come next", () => {
    expect(summarize({ summaries: [summary("s1", { nextSteps: "Ship it." })] })).toContain(
      "<open>Ship it.</open>",
    );
  });

  test("shows fifty files of each, in their own tags", () => {
    const read = numbered(60).map((name) => `r${name}`);
    const modified = numbered(60).map((name) => `m${name}`);
    const text = summarize({ files: { read, modified } });
    const within = (tag: string) =>
      new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1]?.split("\n");
    expect(within("files-read")).toEqual(read.slice(0, 50));
    expect(within("files-changed")).toEqual(modified.slice(0, 50));
  });

  test.each<[string, Partial<SummaryMessage>, number]>([
    ["one prompt", { prompts: [long(9_000)] }, 4_000],
    [
      "four prompts, which share the room",
      { prompts: Array.from({ length: 4 }, () => long(3_000)) },
      4_000,
    ],
    [
      "many prompts, each of which still tells something",
      {
        prompts: Array.from({ length: 100 }, () => long(999)),
      },
      4_000,
    ],
    ["notes, which share the room", { observations: notes(20, { facts: [long(9_000)] }) }, 12_000],
    ["closing words", { lastAssistantMessage: long(9_000) }, 4_000],
  ])("bounds %s", (_, more, most) => {
    const shown = ys(summarize(more));
    expect(shown).toBeLessThanOrEqual(most + 10);
    expect(shown).toBeGreaterThan(most / 2);
  });

  test("asks for titles where they are wanted", () => {
    expect(summarize({ wantsTitle: true })).toContain("a title of 3 to 8 words");
    expect(summarize()).not.toContain("a title of");
  });
});
