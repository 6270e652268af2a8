// The client's own words in a person's place: each known note by its example, and a plan that is handed over.
import { describe, expect, test } from "bun:test";
import { clientNotes, handedPlan, isClientNote } from "../../../src/text/prose/plain.ts";

describe("a note of the client", () => {
  test.each(clientNotes.map(({ example }) => example))("%s", (example) => {
    expect(isClientNote(example)).toBe(true);
    expect(isClientNote(`\n ${example}`)).toBe(true);
    expect(isClientNote(`Why do I see this?\n${example}`)).toBe(false);
    expect(clientNotes.filter(({ begins }) => begins.test(example))).toHaveLength(1);
  });
});

const transcript =
  "If you need specific details from before exiting plan mode (like exact code snippets), read the full transcript at: /home/ada/s.jsonl";
const team =
  "If this plan can be broken down into multiple independent tasks, consider spawning named teammates with the Agent tool.";
const plan = "# Plan: Cents\n\n1. Count";
const above = "Implement the following plan:\n\n";

test.each<[string, string, ReturnType<typeof handedPlan>]>([
  ["alone", `${above}${plan}`, { plan, feedback: "" }],
  ["above a note", `${above}${plan}\n\n\n${transcript}`, { plan, feedback: "" }],
  [
    "above all notes and a word of the person's",
    `${above}${plan}\n\n${transcript}\n\n${team}\n\nUser feedback on this plan: No floats.\nNever.`,
    { plan, feedback: "No floats.\nNever." },
  ],
  ["that is asked for", "Implement the plan in docs/plan.md", undefined],
])("a plan %s", (_, prompt, wanted) => {
  expect(handedPlan(prompt)).toEqual(wanted);
});
