// What the user has to hear once is heard once, where somebody reads it.
import { expect, test } from "bun:test";
import { createNotices } from "../../../src/runtime/budget/notices.ts";
import { clientEvent } from "../../support/client-events.ts";

test("the next answer that a person sees says it, once", () => {
  const notices = createNotices();
  notices.add("a");
  notices.add("b", "s2");
  expect(notices.take(clientEvent("PostToolUse"))).toBeUndefined();
  expect(notices.take(clientEvent("SessionEnd"))).toBeUndefined();
  expect(notices.take(clientEvent("Stop", { agent: { id: "x" } }))).toBeUndefined();
  expect(notices.take(clientEvent("Stop"))).toBe("a");
  expect(notices.take(clientEvent("Stop"))).toBeUndefined();
  notices.add("c");
  expect(notices.take(clientEvent("UserPromptSubmit", { session: "s2" }))).toBe("b\nc");
});
