// Every malformed answer, alone and mended by a second one, through the real providers: what is kept, asked again, fallen back to and shown in status.
import { expect, test } from "bun:test";
import { failing } from "../../../src/health/server-checks.ts";
import {
  expectNothingLost,
  ownModelHome,
  prompt,
  runtime,
  server,
  start,
  told,
} from "../../support/model-home.ts";
import type { Fault } from "../../support/model-server.ts";
import { type Form, forms, type Outcome } from "./malformed-answers.ts";

ownModelHome();

/** What a prompt comes to whose batch meets these faults: requests, the model's notes, and the failure in status. */
async function meet(strategy: Form["strategy"], session: string, faults: Fault[]) {
  const observing = async () =>
    (await runtime.status()).subscriptions.filter(
      ({ plugin, hook }) => plugin === strategy && hook === "observe",
    );
  server.script(...faults);
  server.requests.length = 0;
  const [before] = await observing();
  const observations = await prompt(session);
  const [after] = await observing();
  if (!before || !after) throw new Error("no strategy observes");
  const { models } = await runtime.status();
  const provider = models.providers[0]?.error?.message ?? "";
  const own = observations.filter(({ provenance }) => provenance.strategy === strategy);
  return {
    requests: server.requests.length,
    notes: own.map(({ title, facts }) => [title, ...facts].join(": ")).sort(),
    byHeuristic: observations.length > own.length,
    failure: after.failures === before.failures ? provider : (failing([after])[0]?.text ?? ""),
  };
}

function expected(outcome: Outcome): Awaited<ReturnType<typeof meet>> {
  const fallen = (requests: number, why: string) => ({
    ...{ requests, notes: [], byHeuristic: true, failure: expect.stringContaining(why) as string },
  });
  if (outcome === "nothing") return { requests: 1, notes: [], byHeuristic: false, failure: "" };
  if ("kept" in outcome)
    return { requests: 1, notes: outcome.kept, byHeuristic: false, failure: "" };
  if ("again" in outcome) return fallen(2, `no readable answer: ${outcome.again}.`);
  if ("refused" in outcome) return fallen(1, outcome.refused);
  return fallen(3, outcome.unread);
}

const strategies = ["hybrid", "structured", "commands"] as const;
const dialects = { anthropic: "anthropic", "openai-compatible": "chat" } as const;
const meetings = strategies.flatMap((strategy) =>
  Object.entries(dialects).map(([provider, dialect]) => ({ strategy, provider, dialect })),
);

test.each(meetings)(
  "$strategy asking $provider",
  async ({ strategy, provider, dialect }) => {
    await start({
      slots: { observation: [strategy, "heuristic"], summarization: "heuristic-summary", provider },
      plugins: { "openai-compatible": { baseURL: `${server.url}/v1`, model: "local" } },
    });
    const own = forms.filter((form) => form.strategy === strategy);
    const good = own.find(({ name }) => name === "a note");
    if (!good) throw new Error("no note");
    const found: object[] = [];
    const wanted: object[] = [];
    for (const { name, outcome, ...faults } of own) {
      found.push({ name, ...(await meet(strategy, `${name}, alone`, [faults[dialect]])) });
      wanted.push({ name, ...expected(outcome) });
      // A provider that failed is asked again at once.
      await runtime.reload();
      if (typeof outcome === "string" || !("again" in outcome)) continue;
      const mended = [faults[dialect], good[dialect]];
      found.push({ name, ...(await meet(strategy, `${name}, mended`, mended)) });
      wanted.push({ name, ...expected(good.outcome), requests: 2 });
    }
    for (const [at, one] of found.entries()) expect(one).toEqual(wanted[at] ?? {});
    await expectNothingLost(found.length * 2);
    expect(await told()).toBe("");
  },
  180_000,
);
