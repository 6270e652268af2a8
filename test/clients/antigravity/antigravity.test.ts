// Antigravity's documented payloads and transcripts in the normal form, and what it is answered.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sessionsIn } from "../../../src/backfill/plan.ts";
import { adapter as antigravityAdapter } from "../../../src/clients/antigravity/index.ts";
import { expectGolden } from "../../support/golden.ts";
import { inFolder } from "../../support/in-folder.ts";
import { clientSuite, transcriptEvents } from "../suite.ts";

const folder = import.meta.dirname;
const own = join(folder, "fixtures/session.jsonl");
const session = "0c9d6a1e-1111-4222-8333-944455556666";

clientSuite({ client: "antigravity", ownHooksOnly: true, folder, recorded: "antigravity" });

const payload = (name: string) =>
  JSON.parse(readFileSync(join(folder, "fixtures", `${name}.json`), "utf8"));
function answer(name: string) {
  const event = antigravityAdapter.parse(payload(name), { id: "delivery-1", time: 1 });
  if (!event) return undefined;
  return antigravityAdapter.render(event, { context: "known", systemMessage: "hi" });
}

test("context comes with the first call of the model in a turn; every answer is an object that it knows", () => {
  expect(answer("first-call-of-a-turn")).toEqual({ injectSteps: [{ ephemeralMessage: "known" }] });
  expect(answer("stop")).toEqual({});
  for (const name of [
    "later-call-of-a-turn",
    "tool-asked-for",
    "tool-ended",
    "stop-with-work-behind",
  ])
    expect([name, answer(name)]).toEqual([name, undefined]);
});

test("a session as events: results by their place, arguments in texts, what failed and what runs still", async () => {
  const told = await transcriptEvents(antigravityAdapter, [readFileSync(own)], own);
  await expectGolden(join(folder, "normal/session.txt"), `${JSON.stringify(told, undefined, 1)}\n`);
  const steps = readFileSync(own, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const results = steps.filter(
    ({ type, source, status }) =>
      source === "MODEL" && type !== "PLANNER_RESPONSE" && status !== "RUNNING",
  );
  const failures = results.filter(
    ({ status, content }) => status === "ERROR" || content.includes("failed with exit code"),
  );
  const count = (...names: string[]) => told.filter(({ name }) => names.includes(name)).length;
  expect([count("PostToolUse", "PostToolUseFailure"), count("PostToolUseFailure")]).toEqual([
    results.length,
    failures.length,
  ]);
  expect([results.length, failures.length]).toEqual([4, 2]);
});

test("a session is read once, where it worked", () =>
  inFolder(async (home) => {
    const logs = join(home, `brain/${session}/.system_generated/logs`);
    await mkdir(logs, { recursive: true });
    for (const name of ["transcript.jsonl", "transcript_full.jsonl"])
      await writeFile(join(logs, name), readFileSync(own));
    await writeFile(join(home, `brain/${session}/notes.jsonl`), "{}\n");
    const line = JSON.stringify({ conversationId: session, workspace: "/home/ada/till" });
    await writeFile(join(home, "history.jsonl"), `torn ${session}\n${line}\n`);
    const found = await sessionsIn(join(home, "brain"), "antigravity");
    expect(found).toMatchObject([{ session, cwd: "/home/ada/till" }]);
    expect(found[0]?.main?.path).toEndWith("transcript_full.jsonl");
  }));
