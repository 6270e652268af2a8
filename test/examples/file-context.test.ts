import { expect, test } from "bun:test";
import { clientEvent, sampleObservation, testHost } from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import fileContext from "./file-context.ts";

testExample("file-context", fileContext);

test("file-context: what changed a file comes before what read it", async () => {
  const host = await testHost(fileContext, { config: { most: 2 } });
  await host.storage.put({
    key: "1",
    records: {
      observations: [
        sampleObservation({ title: "Only read the cart", filesRead: ["src/cart.ts"], time: 30 }),
        sampleObservation({ title: "Changed the cart", filesModified: ["src/cart.ts"], time: 20 }),
        sampleObservation({ title: "Read it long ago", filesRead: ["src/cart.ts"], time: 10 }),
        sampleObservation({ title: "Elsewhere", filesModified: ["src/login.ts"], time: 40 }),
      ],
    },
  });
  const ask = (prompt: string) =>
    host.call("UserPromptSubmit", clientEvent("UserPromptSubmit", { prompt }));
  const reply = await ask("Why does src/cart.ts round twice?");
  expect(reply?.context?.match(/- [\w ]+/g)).toEqual([
    "- Changed the cart ",
    "- Only read the cart ",
  ]);
  expect(reply?.records).toHaveLength(2);
  expect(await ask("Why does it round twice?")).toBeUndefined();
  expect(await ask("And nothing.ts?")).toBeUndefined();
  await host.stop();
});
