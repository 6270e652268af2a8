// What a session was given stands at the prompt that it was given with.
import { expect, test } from "bun:test";
import { givenBy } from "../../src/page/views/session.tsx";

const turn = (promptNumber: number, startedAt: number, ...uses: string[]) => ({
  ...{ promptNumber, startedAt },
  pieces: uses.map((toolUseId) => ({ toolUseId })),
});
const turns = [turn(1, 100, "a"), turn(2, 200), turn(3, 300, "c")];
const told = (event: string, time: number) => ({
  ...{ session: "s", client: "c", tokens: 1, records: [] },
  ...{ event, time },
});
const taken = (toolUseId: string, keptAt: number) => ({
  ...{ toolUseId, keptAt, tool: "Bash", part: "output" as const, characters: 9 },
});

test("a prompt’s context at the prompt nearest to it, what came on the way at the prompt before, a start by itself", () => {
  const start = told("SessionStart", 90);
  const again = told("SessionStart", 250);
  const early = told("UserPromptSubmit", 198);
  const late = told("UserPromptSubmit", 104);
  const failure = told("PostToolUseFailure", 299);
  const given = givenBy(turns, { told: [start, late, early, again, failure], takenOut: [] });
  expect(given.atStart).toEqual([start, again]);
  expect([...given.told]).toEqual([
    [1, [late]],
    [2, [early, failure]],
  ]);
});

test("what was taken out at the prompt of its tool use, however late that was; else by its time", () => {
  const [first, between, third] = [taken("a", 350), taken("b", 220), taken("c", 301)];
  const { takenOut } = givenBy(turns, { told: [], takenOut: [first, between, third] });
  expect([...takenOut]).toEqual([
    [1, [first]],
    [2, [between]],
    [3, [third]],
  ]);
});

test("in a session without prompts all of it is before any", () => {
  const one = told("UserPromptSubmit", 5);
  const out = taken("a", 7);
  const given = givenBy([], { told: [one], takenOut: [out] });
  expect([[...given.told], [...given.takenOut]]).toEqual([[[0, [one]]], [[0, [out]]]]);
});
