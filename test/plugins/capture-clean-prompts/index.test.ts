// The plugin changes prompts and nothing else.
import { expect, test } from "bun:test";
import plugin from "../../../plugins/capture-clean-prompts/index.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { openRoom } from "../../support/plugin-room.ts";

test("cleans, drops, and leaves the rest alone", async () => {
  const { hooks } = await openRoom(plugin);
  const capture = async (event: Parameters<typeof hooks.reduce<"capture">>[1]) =>
    (await hooks.reduce("capture", event)).value;

  const slash = clientEvent("UserPromptSubmit", { prompt: "/review it" });
  expect(await capture(slash)).toEqual(slash);
  const wrapped = {
    ...slash,
    prompt: "<command-name>review</command-name><command-args>it</command-args>",
  };
  expect(await capture(wrapped)).toEqual(slash);
  const plain = clientEvent("UserPromptSubmit", { prompt: "review it" });
  expect(await capture(plain)).toEqual(plain);
  expect(await capture(clientEvent("UserPromptSubmit", { prompt: "/clear" }))).toEqual({
    drop: "client command",
  });
  const tool = toolEvent("t1", { toolInput: { prompt: "/clear" } });
  expect(await capture(tool)).toEqual(tool);
});
