import { expect, test } from "bun:test";
import { lineMarks, ownSentences } from "../../../src/text/prose/own-words.ts";

const prose =
  "The service reads its settings when it starts, and keeps them until it is stopped again by its owner.";
const para = `${prose} ${prose}`;

test.each<[what: string, prompt: string, sure: string[], unsure: string[]]>([
  [
    "a forwarded message",
    "Look at it.\n\n---------- Forwarded message ---------\nFrom: Bob <b@x.example>\n\nUse tabs.\n\nBest\nBob",
    ["Look at it."],
    [],
  ],
  [
    "what stands between rules",
    "Why?\n\n====\nUse tabs.\n====\n\nFix it.",
    ["Why?", "Fix it."],
    [],
  ],
  ["below one rule alone", "Fix it.\n\n---\n\nUse tabs.", ["Fix it.", "---", "Use tabs."], []],
  [
    "a letter below a line",
    "Answer this\nDear all,\nUse tabs.\nKind regards,\nOperations",
    ["Answer this"],
    [],
  ],
  [
    "a prompt that is a letter",
    "Liebes Team,\n\nBitte Tabs nehmen.\n\nViele Grüße,\nAda",
    [],
    ["Liebes Team,", "Bitte Tabs nehmen.", "Viele Grüße,", "Ada"],
  ],
  [
    "a prompt that is signed",
    "Fix it. Use tabs.\n\nThanks,\nTheo",
    ["Fix it.", "Use tabs.", "Thanks,", "Theo"],
    [],
  ],
  [
    "a sentence over lines",
    "First fix it,\nthen use tabs,\nand ship.",
    ["First fix it,", "then use tabs,", "and ship."],
    [],
  ],
  [
    "prose below a line",
    `Sum this up\n\n${para}\n\nUse tabs. ${para}`,
    ["Sum this up"],
    [...[prose, prose, "Use tabs.", prose, prose]],
  ],
  [
    "a document with titles",
    "Rules\n\nUpdated in May\n\nUse tabs.\nNo spaces.",
    ["Rules", "Updated in May"],
    [...["Use tabs.", "No spaces."]],
  ],
  ["a rule below what is asked", "Fix the login\n\nUse tabs.", ["Fix the login", "Use tabs."], []],
])("%s", (_what, prompt, sure, unsure) => {
  const found = ownSentences(prompt);
  const texts = (isSure: boolean) =>
    found.filter((one) => one.isSure === isSure).map(({ text }) => text);
  expect([texts(true), texts(false)]).toEqual([sure, unsure]);
});

test("a rule of any length is read in time that grows with it", () => {
  const long = `${"-".repeat(100_000)}x`;
  expect(lineMarks([long, "-".repeat(100_000), long])).toHaveLength(3);
});
