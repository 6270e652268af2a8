// The case files hold together: their shape, their ids, the third set aside, and answers that exist in the recordings.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type Answer, readQuestions, readTurnTimes } from "./cases.ts";
import { recordings, transcriptsBySession } from "./recordings.ts";
import { isSetAside } from "./set-aside.ts";

const questions = readQuestions();
const times = readTurnTimes();

function unknownPlaces(answers: readonly Answer[]): string[] {
  return answers.flatMap(({ session, prompts }) =>
    prompts
      .filter((prompt) => times[session]?.[prompt - 1] === undefined)
      .map((prompt) => `${session} ${prompt}`),
  );
}

/** Some recordings leave the milliseconds out. */
function forms(time: string): string[] {
  return [time, time.replace(".000Z", "Z")];
}

describe("questions", () => {
  test("are enough, half of them in other words, a third set aside by the hash of its id", () => {
    expect(questions.length).toBeGreaterThanOrEqual(120);
    const paraphrased = questions.filter((one) => one.paraphrased);
    expect(paraphrased.length * 2).toBeGreaterThanOrEqual(questions.length);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    for (const { id, aside } of questions) expect([id, aside]).toEqual([id, isSetAside(id)]);
  });

  test("are answered by prompts that exist", () => {
    expect(questions.flatMap(({ answers }) => unknownPlaces(answers))).toEqual([]);
  });

  test("do not ask twice in the same words", () => {
    for (const { id, question, phrasings } of questions)
      expect([id, new Set([question, ...phrasings]).size]).toEqual([id, 4]);
  });
});

test.skipIf(!existsSync(recordings))(
  "the times of prompts are those of the recordings (../shared/data/transcripts)",
  async () => {
    const paths = await transcriptsBySession();
    const missing: string[] = [];
    for (const [session, prompts] of Object.entries(times)) {
      const path = paths.get(session);
      const text = path === undefined ? "" : await readFile(path, "utf8");
      for (const time of prompts)
        if (!forms(time).some((form) => text.includes(`"${form}"`)))
          missing.push(`${session} ${time}`);
    }
    expect(missing).toEqual([]);
  },
);
