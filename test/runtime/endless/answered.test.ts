// The books tell what clients took: nothing of a reply that came too late or went to nobody.
import { afterEach, expect, test } from "bun:test";
import { adapter as claudeCode } from "../../../src/clients/claude-code/index.ts";
import { type EndlessRoom, keepRequest, openEndlessRoom } from "../../support/endless-room.ts";

let room: EndlessRoom | undefined;
afterEach(async () => {
  await room?.close();
  room = undefined;
});

/** A room in which the tool use `toolu_01` of the session `shop-1` is being answered. */
async function answering() {
  room = await openEndlessRoom();
  const { endless } = room;
  const payload = {
    ...{ session_id: "shop-1", cwd: "/shop", hook_event_name: "PostToolUse", tool_name: "Bash" },
    ...{ tool_use_id: "toolu_01", tool_input: { command: "make" } },
    tool_response: keepRequest().value,
  };
  const event = claudeCode.parse(payload, { id: "delivery-1", time: 1 });
  const letGo = endless.keepOriginal(claudeCode.original(payload), event, event, async (again) => ({
    event: again,
    failed: [],
  }));
  const live = endless.client("live");
  const booked = async () => (await endless.metrics({ since: 0 })).tools.map((one) => one.reduced);
  return { endless, event, letGo, live, booked };
}

test.each([
  [true, [1]],
  [false, []],
])("a reply that is taken is booked (%p), what was kept stays", async (isTaken, expected) => {
  const { endless, event, letGo, live, booked } = await answering();
  expect(await live.keep(keepRequest())).toBe(true);
  expect(await booked()).toEqual([]);
  letGo();
  endless.answered(event, isTaken);
  expect(await booked()).toEqual(expected);
  expect((await endless.recall({ id: "toolu_01" })).id).toBe("toolu_01");
});

test("a strategy that kept after its time was up is not booked, also not with the next tool use", async () => {
  const { endless, event, letGo, live, booked } = await answering();
  const late = live.keep(keepRequest());
  letGo();
  endless.answered(event, false);
  expect(await late).toBe(true);
  endless.answered(event, true);
  expect(await booked()).toEqual([]);
});

test("what is kept while nobody waits is booked at once", async () => {
  const { live, booked } = await answering();
  expect(await live.keep(keepRequest({ toolUseId: "toolu_02" }))).toBe(true);
  expect(await booked()).toEqual([1]);
});
