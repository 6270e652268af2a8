import { expect, test } from "bun:test";
import { testHost } from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import standup from "./standup.ts";

testExample("standup", standup);

test("standup: one operation for people, programs and agents; a feed; a panel", async () => {
  const summary = { request: "Fix the login", completed: "The login works again." };
  const host = await testHost(standup, {
    storage: { summaries: async () => [summary as never] },
  });
  expect(await host.ask("report", { since: "yesterday" })).toEqual({
    text: "- Fix the login: The login works again.",
    done: [{ asked: "Fix the login", completed: "The login works again." }],
  });
  await expect(host.ask("report", { sinse: "yesterday" })).rejects.toThrow("`sinse`");
  const feed = await host.request(new Request("http://localhost/plugins/standup/feed.txt"));
  expect(await feed.text()).toBe("The login works again.\n");
  expect((await host.request(new Request("http://localhost/plugins/standup/x"))).status).toBe(404);
  expect(await host.panel("today")).toContain('memoir.ask("report"');
  await host.stop();
});
