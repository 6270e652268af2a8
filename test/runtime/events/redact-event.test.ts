// What an event loses before it is written where no capture plugin runs, and what it never loses.
import { expect, test } from "bun:test";
import { redactEvent } from "../../../src/runtime/events/redact-event.ts";
import { clientEvent } from "../../support/client-events.ts";

const secret = "sk-ant-api03-Zm9vYmFyYmF6cXV4c2VjcmV0a2V5MTIzNDU2Nzg5MA";
const hidden = `before ${secret} after <private>of mine</private> end`;

test("texts lose secrets and private parts, at any depth", async () => {
  const event = clientEvent("PostToolUse", {
    toolInput: { command: hidden, list: [{ note: hidden }] },
    toolResponse: { stdout: hidden, token: "abcdefgh12345678" },
  });
  const text = JSON.stringify(await redactEvent(event));
  for (const gone of [secret, "of mine", "abcdefgh12345678"]) expect(text).not.toContain(gone);
  expect(text).toContain("before ");
  expect(event.toolResponse).toEqual({ stdout: hidden, token: "abcdefgh12345678" });
});

test("what names things stays as it is, in the calls of a batch too", async () => {
  const names = {
    ...{ id: secret, key: secret, client: secret, session: secret, cwd: `/home/${secret}` },
    ...{ promptId: secret, agent: { id: secret, type: secret } },
    ...{ transcriptPath: `/t/${secret}.jsonl`, project: { id: secret, name: secret, root: "/p" } },
  };
  const call = { toolName: secret, toolUseId: secret, toolInput: { command: hidden } };
  const redacted = await redactEvent(
    clientEvent("PostToolBatch", { ...names, toolCalls: [call] } as never),
  );
  expect(redacted).toEqual(expect.objectContaining({ ...names, name: "PostToolBatch" }));
  const [done] = (redacted as unknown as { toolCalls: Array<typeof call> }).toolCalls;
  expect([done?.toolName, done?.toolUseId]).toEqual([secret, secret]);
  expect(done?.toolInput.command).not.toContain(secret);
  const use = await redactEvent(
    clientEvent("PostToolUse", { toolName: secret, toolUseId: secret }),
  );
  expect(use).toEqual(expect.objectContaining({ toolName: secret, toolUseId: secret }));
  const other = await redactEvent(clientEvent("Other", { clientEvent: secret }));
  expect(other).toEqual(expect.objectContaining({ clientEvent: secret }));
});

test("a client's own words, what a field's name gives away, and all else in a call of a batch", async () => {
  const words = { source: hidden, reason: hidden, trigger: hidden };
  const call = { toolName: "Bash", ...words, key: secret, cwd: hidden, token: "abcdefgh12345678" };
  const event = { ...words, token: "abcdefgh12345678", toolCalls: [call] };
  const text = JSON.stringify(await redactEvent(clientEvent("PostToolBatch", event as never)));
  for (const gone of [secret, "of mine", "abcdefgh12345678"]) expect(text).not.toContain(gone);
  expect(await redactEvent(clientEvent("SessionEnd", { reason: "clear" }))).toMatchObject({
    reason: "clear",
  });
});

test("an event in which nothing is to be taken out is the same one, a batch too", async () => {
  const call = { toolName: "Bash", toolUseId: "t1", toolInput: { command: "ls" } };
  const calls = [{ ...call, toolResponse: 3 }];
  for (const event of [clientEvent("Stop"), clientEvent("PostToolBatch", { toolCalls: calls })])
    expect(await redactEvent(event)).toBe(event);
});
