// Hints over the whole way: hooks of a client in, answers and counts out. What nobody uses rests, what is used does not.
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseClaudeCode } from "../../../src/clients/normal/payload.ts";
import { silentLog } from "../../../src/home/log.ts";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import { momentCounts } from "../../../src/server/operations/stats.ts";
import { restsAfter } from "../../../src/strategy/uses.ts";
import { inFolder } from "../../support/in-folder.ts";

const error = "Exit code 1\nTypeError: cart.total is no function at checkout";
const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
const fails = { hook_event_name: "PostToolUseFailure", ...bash("bun test cart"), error };
const passes = {
  hook_event_name: "PostToolUse",
  ...bash("bun test cart"),
  tool_response: { stdout: "1 pass", stderr: "" },
};

async function openShop(home: string, cwd: string) {
  await mkdir(cwd, { recursive: true });
  const clock = { now: Date.UTC(2026, 10, 2) };
  const runtime = await createRuntime({ home, log: silentLog, now: () => clock.now });
  let made = 0;
  const event = (session: string, payload: object) => {
    clock.now += 1_000;
    const id = `event-${made++}`;
    const whole = { session_id: session, cwd, tool_use_id: `use-${made}`, ...payload };
    return parseClaudeCode(whole, { id, time: clock.now });
  };
  const hook = (session: string, payload: object) => runtime.handle(event(session, payload));
  const reply = async (session: string, payload: object) =>
    (await runtime.handle(event(session, payload))).reply.context ?? "";

  await hook("old", { hook_event_name: "UserPromptSubmit", prompt: "Fix the cart" });
  await hook("old", fails);
  await hook("old", {
    ...{ hook_event_name: "PostToolUse", tool_name: "Edit" },
    tool_input: { file_path: join(cwd, "src/cart.ts"), old_string: "a", new_string: "b" },
    tool_response: { filePath: join(cwd, "src/cart.ts"), success: true },
  });
  await hook("old", passes);
  await hook("old", { hook_event_name: "Stop", last_assistant_message: "It is a getter now." });
  await hook("old", { hook_event_name: "SessionEnd", reason: "other" });
  expect(await runtime.drain({ session: "old", timeoutMs: 20_000, flush: true })).toBe(true);
  // What is known of the project is read in the background.
  for (let tries = 0; (await reply(`try${tries}`, fails)) === ""; tries++) {
    await runtime.reply(event("begun", { hook_event_name: "SessionStart", source: "startup" }));
    await Bun.sleep(10);
  }
  const counts = () => momentCounts(runtime.transcripts.noted(0), () => true);
  return { runtime, hook, reply, counts };
}

test("a hint that nobody uses rests by itself", () =>
  inFolder(async (home) => {
    const { runtime, reply, counts } = await openShop(home, join(home, "shop"));
    for (let at = 1; at < restsAfter; at++)
      expect(await reply(`s${at}`, fails)).toContain("src/cart.ts");
    expect(counts()).toEqual([
      { kind: "failure", told: restsAfter, lookedUp: 0, actedOn: 0, keptBack: 0 },
    ]);
    for (const session of ["late", "later"]) expect(await reply(session, fails)).toBe("");
    expect(counts()).toMatchObject([{ kind: "failure", told: restsAfter, keptBack: 2 }]);
    await runtime.stop();
  }));

test.each([
  ["looked up", (show: string) => ({ ...passes, ...bash(show), tool_response: { stdout: "…" } })],
  [
    "acted on",
    (_: string, cwd: string) => ({
      ...{ hook_event_name: "PostToolUse", tool_name: "Edit" },
      tool_input: { file_path: join(cwd, "src/cart.ts"), old_string: "b", new_string: "c" },
      tool_response: { filePath: join(cwd, "src/cart.ts"), success: true },
    }),
  ],
] as const)("a hint that was %s once goes on", (_, use) =>
  inFolder(async (home) => {
    const cwd = join(home, "shop");
    const { runtime, hook, reply } = await openShop(home, cwd);
    for (let at = 1; at < restsAfter; at++) {
      const [, show = ""] = /`([^`]* show t\d+)`/.exec(await reply(`s${at}`, fails)) ?? [];
      expect(show).not.toBe("");
      if (at === 5) await hook(`s${at}`, use(show, cwd));
    }
    expect(await reply("late", fails)).toContain("src/cart.ts");
    await runtime.stop();
  }),
);
