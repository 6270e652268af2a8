// What the doctor says about what Endless Mode keeps.
import { expect, test } from "bun:test";
import { checkEndless } from "../../src/health/server-checks.ts";

const kept = { contents: 1, references: 2, characters: 9_000, bytes: 1_000, oldestAt: 0 };

test.each<[string, Parameters<typeof checkEndless>[0], string[]]>([
  ["nothing was ever kept", { kept: null, fileBytes: 0, damaged: [] }, []],
  ["all is well", { kept, fileBytes: 40_000, damaged: [] }, ["ok 2 originals kept in 40 kB"]],
  [
    "a damaged file beside what is kept",
    { kept, fileBytes: 40_000, damaged: ["/h/endless.db.damaged-1"] },
    ["warn a damaged file was put aside: /h/endless.db.damaged-1"],
  ],
  [
    "a full disk and a damaged file",
    { kept: null, fileBytes: 1, damaged: ["/h/endless.db.damaged-1"], error: "disk is full" },
    [
      "fail what Endless Mode keeps cannot be used: disk is full",
      "warn a damaged file was put aside: /h/endless.db.damaged-1",
    ],
  ],
])("%s", (_, status, said) => {
  expect(checkEndless(status).map(({ state, message }) => `${state} ${message}`)).toEqual(said);
});
