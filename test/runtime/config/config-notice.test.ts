// What a person hears of a config that is not in effect as written.
import { expect, test } from "bun:test";
import type { ConfigFile } from "../../../src/runtime/config/parse.ts";
import { configNotice } from "../../../src/runtime/events/event-way.ts";

const problem = (message: string) => ({ path: "slots", message });
const file = (part: Partial<ConfigFile>) =>
  ({
    path: "/h/config.json",
    problems: [],
    broken: false,
    captureUnclear: false,
    ...part,
  }) as never;

test.each<[string, Partial<ConfigFile>, string | undefined]>([
  ["nothing wrong", {}, undefined],
  ["one thing wrong", { problems: [problem("no")] }, "The rest of it is in effect."],
  [
    "a file that cannot be read",
    { problems: [problem("no")], broken: true },
    "The previous settings stay in effect until it is fixed.",
  ],
  [
    "what is to be left out is not known",
    { problems: [problem("no")], broken: true, captureUnclear: true },
    "memoir can't tell what to leave out, so it stores no text until that is corrected.",
  ],
])("%s", (_, part, consequence) => {
  const notice = configNotice(file(part));
  if (consequence === undefined) expect(notice).toBeUndefined();
  else expect(notice).toContain(`. ${consequence} \`memoir doctor\` says what to do.`);
});

test("of several problems the first is told, cut short, and the others counted", () => {
  const notice = configNotice(
    file({ problems: [problem("x".repeat(900)), problem("b"), problem("c")] }),
  );
  expect(notice).toContain("memoir: /h/config.json: ");
  expect(notice).toContain("… (and 2 more).");
  expect(configNotice(file({ problems: [problem("no")] }))).not.toContain("more)");
});
