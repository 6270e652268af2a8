// The conversation as it stands, through compactions and past abandoned branches.
import { expect, test } from "bun:test";
import { entriesOf, said, transcriptScript } from "../support/transcript-lines.ts";
import { createChains } from "./chain.ts";

async function chainsOf(text: string) {
  const chains = createChains();
  for (const entry of await entriesOf(text)) if (entry.kind !== "broken") chains.add(entry);
  return chains;
}

test("a compaction is bridged and an abandoned branch left out", async () => {
  const script = transcriptScript();
  script.user("one"); // u1
  script.assistant("m1", [said("a")]); // u2
  script.user("abandoned"); // u3
  script.line({ type: "progress", data: {} }); // u4
  script.user("instead", { parentUuid: "u2" }); // u5
  script.line({
    type: "system",
    subtype: "compact_boundary",
    parentUuid: null,
    logicalParentUuid: "u5",
  }); // u6
  script.user("summary", { isCompactSummary: true }); // u7
  script.assistant("a1", [said("side")], undefined, { isSidechain: true, parentUuid: null }); // u8
  const chains = await chainsOf(script.text());
  expect([...chains.current()]).toEqual(["u7", "u6", "u5", "u2", "u1"]);
  expect([...chains.back("u4")]).toEqual(["u4", "u3", "u2", "u1"]);
  expect([...chains.back("u8")]).toEqual(["u8"]);
  expect([...chains.back("unknown")]).toEqual([]);
});

test("a cycle ends", async () => {
  const script = transcriptScript();
  script.user("one", { parentUuid: "u2" });
  script.user("two", { parentUuid: "u1" });
  expect([...(await chainsOf(script.text())).current()]).toEqual(["u2", "u1"]);
  expect([...createChains().current()]).toEqual([]);
});
