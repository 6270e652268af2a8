// What becomes of a prompt: its record, its session's, and a title from the first one.
import { expect, test } from "bun:test";
import { runPrompt } from "../../../src/runtime/worker/summary.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { journaled, runContext, shop } from "./run-context.ts";

const events = () =>
  journaled(clientEvent("UserPromptSubmit", { prompt: "Fix it", time: 20 }), toolEvent("a"));
const titled = { summarize: () => ({ title: "Fix the login", subtitle: "Of the shop" }) };
const prompt = {
  ...{ session: "s1", client: "claude-code", project: shop.id },
  ...{ text: "Fix it", time: 20 },
};

test("a first prompt is stored, and gives its session a title", async () => {
  const { context, hooks, storage } = runContext({
    work: { events: events(), promptNumber: 1 },
    hooks: titled,
  });
  const { outcomes, notice } = await runPrompt(context);
  expect(storage.prompts).toEqual([{ ...prompt, promptNumber: 1, id: "p1" }]);
  expect(storage.sessions.get("s1")).toEqual(
    expect.objectContaining({ title: "Fix the login", subtitle: "Of the shop", status: "active" }),
  );
  expect(hooks.inputs("summarize")).toEqual([
    {
      ...{ key: "k1", scope: "opening", prompts: [{ ...prompt, promptNumber: 1 }] },
      session: { id: "s1", client: "claude-code", project: shop },
      ...{ toolUses: [], observations: [], summaries: [] },
    },
  ]);
  expect([outcomes.size, notice?.session, notice?.project]).toEqual([0, "s1", shop.id]);
});

test("a later prompt asks for no title", async () => {
  const { context, hooks, storage } = runContext({ work: { events: events() }, hooks: titled });
  await runPrompt(context);
  expect(hooks.inputs("summarize")).toEqual([]);
  expect(storage.prompts).toEqual([{ ...prompt, promptNumber: 2, id: "p1" }]);
  expect(storage.sessions.get("s1")).not.toHaveProperty("title");
});

test("a title that cannot be made holds up no prompt, and the log says so", async () => {
  const error = new Error("no model");
  const { context, storage, log } = runContext({
    work: { events: events(), promptNumber: 1 },
    hooks: { summarize: () => Promise.reject(error) },
  });
  await runPrompt(context);
  expect(storage.prompts).toHaveLength(1);
  expect(log.lines).toEqual([
    {
      level: "warn",
      message: "The session has no title yet: the summarization plugin failed.",
      fields: { session: "s1", error },
    },
  ]);
});

test("a prompt that no storage takes is kept for later", async () => {
  const { context } = runContext({
    work: { events: events() },
    hooks: { "storage.put": () => undefined },
  });
  await expect(runPrompt(context)).rejects.toMatchObject({ code: "storage_unanswered" });
});
