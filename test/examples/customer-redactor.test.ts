import { expect, test } from "bun:test";
import { clientEvent, testHost } from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import redactor from "./customer-redactor.ts";

testExample("customer-redactor", redactor);

test("customer-redactor: replaces in every text, and leaves alone what tells the event", async () => {
  const host = await testHost(redactor);
  const event = clientEvent("PostToolUse", {
    session: "CUST-1234",
    toolInput: { command: "show CUST-1234", list: ["CUST-99999", 1] },
    toolResponse: { "CUST-1234": { owner: "CUST-1234 of CUST-12" } },
  });
  expect(await host.call("capture", event)).toEqual({
    ...event,
    toolInput: { command: "show [customer]", list: ["[customer]", 1] },
    toolResponse: { "[customer]": { owner: "[customer] of CUST-12" } },
  });
  await host.stop();
});

test("customer-redactor: refuses what is no pattern", async () => {
  await expect(testHost(redactor, { config: { pattern: "(" } })).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining("must be a regular expression"),
  });
});
