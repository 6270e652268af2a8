// Reading the wire: memoir's context is found in either form, and two runs of one script read the same.
import { expect, test } from "bun:test";
import type { WireMessage, WireRequest } from "./messages-api.ts";
import { contexts, conversation, toolResults } from "./wire.ts";

const context = "<memoir-context version=1>\nWhat was done.\n</memoir-context>";

function request(messages: WireMessage[]): WireRequest {
  return { lane: "main", session: "s", body: { model: "m", messages } };
}

test("contexts: as a system message and as a reminder in a user block", () => {
  const start = `SessionStart hook additional context: ${context}\n\n# Environment`;
  const newer = request([{ role: "system", content: start }]);
  const reminder = `<system-reminder>\n${context}\n</system-reminder>`;
  const older = request([{ role: "user", content: [{ type: "text", text: reminder }] }]);
  expect(contexts(newer)).toEqual([context]);
  expect(contexts(older)).toEqual([context]);
  expect(contexts(undefined)).toEqual([]);
});

test("conversation: leaves out what the client adds and what chance decides", () => {
  const run = (root: string, id: string, seconds: string): WireRequest =>
    request([
      { role: "user", content: "Fix it" },
      { role: "system", content: `${context} ${id}` },
      {
        role: "assistant",
        content: [{ type: "tool_use", id, name: "Read", input: { file_path: `${root}/a.js` } }],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: id,
            content: `ok in ${seconds} ms\n<system-reminder>${context}</system-reminder>`,
          },
        ],
      },
    ]);
  const one = conversation(run("/one", "toolu_01aa", "3.5"), { "/one": "shop" });
  const two = conversation(run("/two", "toolu_01bb", "12"), { "/two": "shop" });
  expect(one).toEqual(two);
  expect(one).toEqual([
    "user text: Fix it",
    'assistant tool_use: Read {"file_path":"shop/a.js"}',
    "user tool_result: ok in duration",
  ]);
  const changed = run("/one", "toolu_01aa", "3.5");
  changed.body.messages[0] = { role: "user", content: "Break it" };
  expect(conversation(changed, { "/one": "shop" })).not.toEqual(two);
});

test("toolResults: by tool use, whatever the shape of the content", () => {
  const content = [
    { type: "tool_result", tool_use_id: "a", content: "text" },
    { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "block" }] },
  ];
  expect([...toolResults(request([{ role: "user", content }]))]).toEqual([
    ["a", "text"],
    ["b", "block"],
  ]);
});
