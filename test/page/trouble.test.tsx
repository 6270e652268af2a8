// What stands in place of what one looked for: it is on its way, it is not there, or what went wrong.
import { expect, test } from "bun:test";
import { Refusal } from "../../src/page/api.ts";
import { NotYet } from "../../src/page/parts/trouble.tsx";
import { drawn } from "../support/small-document.ts";

const refusal = (code: string) =>
  new Refusal({ code, message: "The disk is full.", fix: "Make room." });

test.each<[string, unknown, RegExp]>([
  ["a record that is not there", refusal("record_not_found"), /^Memory has nothing here.*deleted/],
  ["what the server refused", refusal("storage_failed"), /^The disk is full\. Make room\.$/],
  ["a server that does not answer", new Error("away"), /^Waiting for the server …$/],
  ["what has not come yet", undefined, /^$/],
])("in place of %s stands what it is", (_, error, said) => {
  const { root, end } = drawn(<NotYet error={error} />);
  expect(root.textContent).toMatch(said);
  expect(root.all("span")).toHaveLength(error === undefined ? 3 : 0);
  end();
});
