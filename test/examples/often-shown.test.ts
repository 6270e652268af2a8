import { expect, test } from "bun:test";
import { runSuite, sampleObservation, testHost } from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import plugin from "./often-shown.ts";

testExample("often-shown", plugin);

test("often-shown: keeps its promises", async () => {
  const { failures, of } = await runSuite(plugin);
  expect([failures, of]).toEqual([[], ["schedules", "data", "rank", "export"]]);
});

test("often-shown: what was shown often comes first, and sinks week by week", async () => {
  const host = await testHost(plugin);
  const observations = ["Cart in cents", "Cart in euros"].map((title) =>
    sampleObservation({ title }),
  );
  await host.storage.put({ key: "1", records: { observations } });
  const found = (await host.storage.search({ text: "cart" })).map((one) => ({ ...one, score: 1 }));
  const [first = "", second = ""] = found.map(({ id }) => id);
  const order = async () =>
    (await host.call("rank", { query: { text: "cart" }, results: found }))?.results.map(
      ({ id }) => id,
    );
  expect(await order()).toEqual([first, second]);
  const notice = { session: "s1", project: "shop", event: "SessionStart" as const, time: 1 };
  await host.call("shown", { ...notice, ids: [second] });
  expect(await order()).toEqual([second, first]);
  const page = { records: [], isFirst: true, isLast: true };
  expect(await host.call("export", page)).toEqual({ text: `${second},1\n` });
  for (let week = 0; week < 4; week++) await host.due("sink");
  expect(await host.call("export", page)).toEqual({ text: "" });
  expect(host.lines.at(-1)?.fields).toEqual({ forgotten: 1 });
  await host.stop();
});
