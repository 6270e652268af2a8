// What `plugin dev` tells of a session that it plays through memoir.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Replayed, replay } from "../../../../src/cli/plugins/dev/replay.ts";
import { sampleEvents } from "../../../../src/cli/plugins/dev.ts";

let folder: string;
let told: Replayed;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-replayed-"));
  const { events } = await sampleEvents(folder, Date.UTC(2026, 10, 20, 14));
  told = await replay({ events, config: {}, env: { HOME: folder } });
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The lines below a heading. */
function below(heading: string): string[] {
  const from = told.lines.indexOf(`# ${heading}`) + 1;
  const to = told.lines.findIndex((line, at) => at >= from && line.startsWith("# "));
  return told.lines.slice(from, to < 0 ? undefined : to).map((line) => line.slice(2));
}

const placeOf = (heading: string, words: string) =>
  below(heading).findIndex((line) => line.includes(words));

test.each([
  ["observations", "tokenExpiry in", "runs on staging"],
  ["summaries", "logged out an hour too early", "Ship project-x"],
  ["events as they are kept", "SessionStart", "SessionEnd"],
])("%s are told in the order in which they came about", (heading, first, last) => {
  expect(placeOf(heading, first)).toBeGreaterThanOrEqual(0);
  expect(placeOf(heading, last)).toBeGreaterThan(placeOf(heading, first));
});

test("a search for the first observation, and what the next session is given, show what is kept", () => {
  expect(told.lines.filter((line) => line.startsWith("# search "))).toEqual([
    "# search tokenExpiry in",
  ]);
  expect(placeOf("search tokenExpiry in", "bugfix: tokenExpiry in")).toBeGreaterThanOrEqual(0);
  expect(placeOf("the next session is given", "project-x runs on staging")).toBeGreaterThanOrEqual(
    0,
  );
  expect(told.failed).toEqual([]);
});

test("events are told in a line each: what was asked, what a tool was given and gave, what was said last", () => {
  const events = below("events as they are kept");
  expect([events[0], events.at(-1)]).toEqual(["SessionStart", "SessionEnd"]);
  expect(events).toContain("UserPromptSubmit: Ship project-x to staging.");
  expect(events).toContain("Stop: project-x runs on staging with Node 24.");
  const tool = (name: string) => events.filter((line) => line.startsWith(name));
  expect(tool("PostToolUse Bash").at(-1)).toMatch(
    /^PostToolUse Bash: \{"command":"docker compose up --detach --build",.*\} → \{"stdout":"Container .*…$/,
  );
  expect(tool("PostToolUseFailure Bash")).toEqual([expect.not.stringContaining(" → ")]);
  expect(events.filter((line) => line.length > 400)).toEqual([]);
});

test("observations have their subtitle, facts and concepts below them, summaries each part that says something", () => {
  const seen = below("observations");
  const at = seen.findIndex((line) => line.includes("runs on staging"));
  expect(seen.slice(at)).toEqual([
    "change: project-x runs on staging with Node 24",
    "  Ship project-x to staging",
    "  · project-x runs on staging with Node 24.",
    "  (changes, infrastructure, dockerfile)",
  ]);
  const summed = below("summaries");
  const prompt = summed.indexOf("prompt 4");
  expect(summed.slice(prompt, prompt + 3)).toEqual([
    "prompt 4",
    "  request: Ship project-x to staging.",
    "  completed: project-x runs on staging with Node 24.",
  ]);
  expect(summed.filter((line) => /^ {2}\w+: *$/.test(line))).toEqual([]);
});

test("where nothing came of it that is said, and memoir's own files are no plugin's", () => {
  expect(below("said to the agent meanwhile")).toEqual(["nothing"]);
  expect(below("files of plugins in memoir's home")).toEqual(["nothing"]);
  expect(told.lines.filter((line) => line.startsWith("# ")).length).toBe(7);
});

test("what comes of a turn is made before the next one begins", async () => {
  const { events } = await sampleEvents(folder, Date.UTC(2026, 10, 20, 14));
  const [path, log] = [join(folder, "order.ts"), join(folder, "order.log")];
  await writeFile(
    path,
    `import { appendFile } from "node:fs/promises";
    const note = (line) => appendFile(${JSON.stringify(log)}, line + "\\n");
    export default { name: "order", description: "Notes.", sdk: 1, events: ["UserPromptSubmit", "Stop"], hooks: {
      UserPromptSubmit: () => note("asked"),
      stored: ({ summaries }) => summaries.length > 0 ? note("summed up") : undefined,
    } };`,
  );
  const { failed } = await replay({ events, config: { listeners: [path] }, env: { HOME: folder } });
  expect(failed).toEqual([]);
  const order = (await readFile(log, "utf8")).trim().split("\n");
  const turns = events.filter(({ name }) => name === "UserPromptSubmit");
  expect(turns.length).toBeGreaterThan(3);
  expect(order.slice(0, 2 * turns.length)).toEqual(turns.flatMap(() => ["asked", "summed up"]));
});
