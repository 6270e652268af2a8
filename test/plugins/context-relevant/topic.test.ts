// Which earlier sessions worked on what a first prompt is about: by a plan's title, by names, and not by words that all share.
import { expect, test } from "bun:test";
import { aboutTopic, topicOf } from "../../../plugins/context-relevant/topic.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { observation, searchResult } from "../../support/records.ts";
import { turn } from "../../support/turns.ts";

const work = (number: number, changed: readonly string[], said = "All of it is done.") =>
  turn(
    number,
    [
      ["prompt", "go"],
      ["closing", said],
    ],
    { session: `s${number}`, changed },
  );

/** Eight sessions, each with its files; the search finds all of them in this order. */
const past: readonly Turn[] = [
  work(7, ["src/mail.go", "src/queue.go"]),
  work(8, ["src/mail.go", "src/queue.go"]),
  work(1, ["src/telemetry/client.go"], "Close waits for 100 ms."),
  work(2, ["src/setup.go", "src/setup_test.go", "src/root.go", "src/help.go"]),
  work(3, ["src/strategy/checkpoint.go"]),
  work(4, ["src/strategy/checkpoint_test.go"]),
  work(5, ["src/strategy/checkpoint.go", "src/rewind.go"]),
  work(6, ["src/strategy/checkpoint.go", "src/explain.go"]),
];
const found = past.map(({ id, session }) => ({
  ...searchResult(observation(id, { session })),
  ...{ id, kind: "turn" as const },
}));
const about = (prompt: string) => {
  const topic = topicOf(prompt);
  const turns = new Map(past.map((one) => [one.id, one]));
  return topic ? aboutTopic(topic, found, turns).map(({ result }) => result.id) : undefined;
};
const plan = (title: string, body = "") =>
  `Implement the following plan:\n\n# Plan: ${title}\n\n${body}`;

test.each<[string, string, string[] | undefined]>([
  ["a word of a plan's title in what one session changed", plan("Turn telemetry off"), ["t1"]],
  ["one of several words of a plan's title", plan("Turn telemetry and the mail off"), []],
  ["words that most sessions have", plan("Store the checkpoint strategy elsewhere"), []],
  [
    "names below a title about something else",
    plan("Warn louder", "Edit `setup.go` and `setup_test.go`."),
    [],
  ],
  ["two names of a request", "look at setup.go and setup_test.go, they disagree", ["t2"]],
  ["two names that another session changed, too", "look at mail.go and queue.go", []],
  ["one name of a request", "look at setup.go again, it is wrong", []],
  ["no name, and no plan", "why is the checkpoint lost again", undefined],
])("%s", (_, prompt, expected) => {
  expect(about(prompt)).toEqual(expected);
});

test("of fewer than five sessions a word alone tells nothing", () => {
  const topic = topicOf(plan("Turn telemetry off"));
  const few = new Map(past.slice(0, 3).map((one) => [one.id, one]));
  expect(topic && aboutTopic(topic, found, few)).toEqual([]);
});
