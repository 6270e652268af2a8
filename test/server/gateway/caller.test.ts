import { expect, test } from "bun:test";
import { callerOf } from "../../../src/server/gateway/handle-request.ts";

const session = "1f2e3d4c-0000-4000-8000-000000000000";
const metadata = (user_id: string) => JSON.stringify({ messages: [], metadata: { user_id } });
const cases: Array<[string, Record<string, string>, string, object | undefined]> = [
  ["the header", { "x-claude-code-session-id": "s" }, "", { session: "s" }],
  [
    "a subagent",
    { "x-claude-code-session-id": "s", "x-claude-code-agent-id": "a1" },
    "",
    { session: "s", agent: "a1" },
  ],
  ["metadata", {}, metadata(JSON.stringify({ device_id: "d", session_id: session })), { session }],
  ["older metadata", {}, metadata(`user_abc_account__session_${session}`), { session }],
  ["nothing", {}, '{"messages":[]}', undefined],
  ["a header that is no id", { "x-claude-code-session-id": "../../x" }, "{}", undefined],
  [
    "the last metadata",
    {},
    `${metadata(`_session_${"0".repeat(36)}`)}${metadata(`_session_${session}`)}`,
    { session },
  ],
  [
    "metadata at the body's very beginning",
    {},
    `"metadata":{"user_id":"_session_${session}"}`,
    { session },
  ],
  ["no metadata but its words", {}, JSON.stringify({ text: `_session_${session}` }), undefined],
  ["an id that is too long", { "x-claude-code-session-id": "s".repeat(129) }, "", undefined],
  [
    "an id as long as may be",
    { "x-claude-code-session-id": "s".repeat(128) },
    "",
    { session: "s".repeat(128) },
  ],
  [
    "an agent that is no id",
    { "x-claude-code-session-id": "s", "x-claude-code-agent-id": "a b" },
    "",
    { session: "s" },
  ],
];
test.each(cases)("a session is told by %s", (_name, headers, body, expected) => {
  const found = callerOf(new Headers(headers), () => body);
  expect(found).toEqual(expected && ({ client: "claude-code", ...expected } as never));
});

test("the body is not looked at when the headers say it", () => {
  const body = () => {
    throw new Error("looked");
  };
  expect(callerOf(new Headers({ "x-claude-code-session-id": "s" }), body)?.session).toBe("s");
});
