// What is wrong with schedules, rules of redaction and data of a plugin's own: each fault names its field, and its line in the plugin's file.
import { expect, test } from "bun:test";
import { checkWithExamples } from "../../../src/runtime/plugins/check-plugin.ts";

const run = () => {};
const removes = ["ask EMP-12345"];

const faults: ReadonlyArray<
  readonly [what: string, part: object, said: string, text: string, line: number]
> = [
  [
    "no time",
    { schedules: { week: { run } } },
    "schedules.week: must be one of at, every, idle",
    "schedules: {\n  week: {\n",
    2,
  ],
  [
    "two times",
    { schedules: { week: { at: "08:00", idle: "5 min", run } } },
    "not at and idle",
    "schedules: {\n  week: {\n",
    2,
  ],
  [
    "a wrong time",
    { schedules: { week: { at: "8 am", run } } },
    'schedules.week.at: "8 am" is no time of day',
    "schedules: {\n  week: {\n    at: 1\n",
    3,
  ],
  [
    "cron's form",
    { schedules: { week: { every: "0 8 * * 1", run } } },
    "is no length of time; write `10 min`",
    "schedules: {\n week: {\n  run,\n  every: 1",
    4,
  ],
  [
    "too often",
    { schedules: { week: { every: "0 min", run } } },
    "must be at least a minute",
    "schedules: {\n week: { every: 1",
    2,
  ],
  [
    "no run",
    { schedules: { week: { at: "08:00" } } },
    "schedules.week.run: must be a function",
    "schedules: {\n week: { at: 1",
    2,
  ],
  [
    "a field that is misspelled",
    { schedules: { week: { evry: "1 day", run } } },
    'did you mean "every"?',
    "schedules: {\n week: {\n evry: 1",
    3,
  ],
  [
    "a name that is none",
    { schedules: { "Every Week": { at: "08:00", run } } },
    "lower-case words joined by dashes",
    'schedules: {\n "Every Week": {',
    2,
  ],
  [
    "a deadline of hours",
    { schedules: { week: { at: "08:00", deadlineMs: 1e9, run } } },
    "at most an hour",
    "schedules: {\n week: {\n at: 1,\n deadlineMs: 1e9",
    4,
  ],
  ["a list", { schedules: [] }, "schedules: must be an object", "\nschedules: []", 2],
  [
    "no pattern",
    { redactions: { id: { removes } } },
    "redactions.id.pattern: must be an expression",
    "redactions: {\n id: {\n removes: [",
    2,
  ],
  [
    "an expression of RegExp's",
    { redactions: { id: { pattern: /EMP/, removes } } },
    "as a string",
    "redactions: {\n id: {\n pattern: /EMP/",
    3,
  ],
  [
    "an expression that is none",
    { redactions: { id: { pattern: "EMP-(", removes } } },
    "redactions.id.pattern: ",
    "redactions: {\n id: {\n pattern: 1",
    3,
  ],
  [
    "a look behind",
    { redactions: { id: { pattern: "(?<=EMP-)\\d+", removes } } },
    "redactions.id.pattern: ",
    "redactions: {\n id: {\n pattern: 1",
    3,
  ],
  [
    "no examples",
    { redactions: { id: { pattern: "EMP-\\d+", removes: [] } } },
    "at least one string: they are the rule's tests",
    "redactions: {\n id: {\n pattern: 1,\n removes: []",
    4,
  ],
  [
    "an example that stays",
    { redactions: { id: { pattern: "EMP-\\d{9}", removes } } },
    "nothing goes from example 1",
    "redactions: {\n id: {\n pattern: 1,\n removes: []",
    4,
  ],
  [
    "an example without the keyword",
    { redactions: { id: { pattern: "EMP-\\d+", keyword: "staff", removes } } },
    'does not hold the keyword "staff"',
    "redactions: {\n id: {\n removes: []",
    3,
  ],
  [
    "an example that must stay and goes",
    { redactions: { id: { pattern: "EMP-\\d+", removes, keeps: ["x", "EMP-1"] } } },
    "something goes from example 2",
    "redactions: {\n id: {\n keeps: []",
    3,
  ],
  [
    "a misspelled field of a rule",
    { redactions: { id: { pattern: "EMP-\\d+", keywords: "e", removes } } },
    'did you mean "keyword"?',
    "redactions: {\n id: {\n keywords: 1",
    3,
  ],
  [
    "no migrations",
    { data: {} },
    "data.migrations: must be a list of at least one SQL string",
    "\ndata: {}",
    2,
  ],
  [
    "an empty migration",
    { data: { migrations: ["CREATE TABLE a (b)", " "] } },
    "must be a string as migration 2",
    "data: {\n migrations: [",
    2,
  ],
  [
    "a migration that commits",
    { data: { migrations: ["CREATE TABLE a (b); COMMIT"] } },
    "migration 1 says COMMIT, which memoir does itself",
    "data: {\n migrations: [",
    2,
  ],
  [
    "one that ends a transaction in another word",
    { data: { migrations: ["-- a\nEND"] } },
    "migration 1 says END",
    "data: {\n migrations: [",
    2,
  ],
  [
    "one that reaches for another file",
    { data: { migrations: ["ATTACH 'memory.db' AS m"] } },
    "says ATTACH",
    "data: {\n migrations: [",
    2,
  ],
  [
    "a pragma",
    { data: { migrations: ["PRAGMA journal_mode = DELETE"] } },
    "says PRAGMA",
    "data: {\n migrations: [",
    2,
  ],
  [
    "forget by no column",
    { data: { migrations: ["CREATE TABLE a (b)"], forget: { a: ["b"] } } },
    "data.forget.a: must be the name of a column",
    "data: {\n migrations: [],\n forget: {\n  a: []",
    4,
  ],
  [
    "forget by SQL",
    { data: { migrations: ["CREATE TABLE a (b)"], forget: { a: 'b" = 1; --' } } },
    "must be the name of a column",
    "data: {\n forget: { a: 1",
    2,
  ],
  [
    "a list of tables",
    { data: { migrations: ["CREATE TABLE a (b)"], forget: "a" } },
    "data.forget: must be an object",
    "data: {\n forget: 1",
    2,
  ],
  ["another word for data", { database: {} }, "database: unknown field", "\ndatabase: {}", 2],
];

test.each([...faults])("%s", async (_what, part, said, text, line) => {
  const plugin = { name: "plain", description: "Plain.", sdk: 1, hooks: {}, ...part };
  const checked = checkWithExamples(plugin, "/plugins/plain.ts", text);
  await expect(checked).rejects.toThrow(said);
  await expect(checked).rejects.toThrow(`/plugins/plain.ts:${line} is no plugin`);
});

test("a trigger may say END, and a comment anything", async () => {
  const trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; END";
  const migrations = ["CREATE TABLE a (b) -- COMMIT;\n", trigger];
  const plugin = { name: "plain", description: "Plain.", sdk: 1, hooks: {}, data: { migrations } };
  expect(await checkWithExamples(plugin, "plain.ts")).toBe(plugin as never);
});
