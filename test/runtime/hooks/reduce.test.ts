// The runner that hands a value on: each handler changes it for the next.
import { describe, expect, test } from "bun:test";
import type { MemoirError } from "../../../src/sdk/errors.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import {
  fakePlugin,
  hooksOf,
  memoryLog,
  never,
  promptEvent,
  toolEvent,
} from "../../support/hooks.ts";

describe("reduce", () => {
  const prompt = (change: (text: string) => string) => (event: ClientEvent) =>
    event.name === "UserPromptSubmit" ? { ...event, prompt: change(event.prompt) } : undefined;

  test("each transforms the value for the next; no result leaves it", async () => {
    const { value, failed } = await hooksOf([
      fakePlugin("a", { hooks: { capture: prompt((text) => `${text}1`) } }),
      fakePlugin("b", { hooks: { capture: () => undefined } }),
      fakePlugin("c", { hooks: { capture: async (event) => prompt((text) => `${text}2`)(event) } }),
    ]).reduce("capture", promptEvent());
    expect(value).toMatchObject({ prompt: "hello12" });
    expect(failed).toEqual([]);
  });

  test("a failed one is named and the value passes it unchanged", async () => {
    const log = memoryLog();
    const { value, failed } = await hooksOf(
      [
        fakePlugin("throws", {
          hooks: {
            capture: () => {
              throw new Error("no");
            },
          },
        }),
        fakePlugin("late", { hooks: { capture: { handler: never, deadlineMs: 3 } } }),
        fakePlugin("silly", { hooks: { capture: (() => "text") as never } }),
        fakePlugin("ok", { hooks: { capture: prompt((text) => `${text}!`) } }),
      ],
      log,
    ).reduce("capture", promptEvent());
    expect(value).toMatchObject({ prompt: "hello!" });
    expect(failed).toEqual(["throws", "late", "silly"]);
    expect(log.lines.map(({ fields }) => (fields.error as MemoirError).code)).toEqual([
      "plugin_failed",
      "plugin_deadline",
      "plugin_failed",
    ]);
  });

  test("a drop ends it and says by whom", async () => {
    let called = false;
    const outcome = await hooksOf([
      fakePlugin("gate", { hooks: { capture: () => ({ drop: "not wanted" }) } }),
      fakePlugin("after", {
        hooks: {
          capture: () => {
            called = true;
          },
        },
      }),
    ]).reduce("capture", toolEvent());
    expect(outcome).toEqual({ value: { drop: "not wanted" }, failed: [], by: "gate" });
    expect(called).toBe(false);
  });

  test("a handler cannot change what others are given", async () => {
    const given = promptEvent();
    const { value, failed } = await hooksOf([
      fakePlugin("rude", {
        hooks: {
          capture: (event) => {
            Object.assign(event, { prompt: "changed" });
          },
        },
      }),
    ]).reduce("capture", given);
    expect(failed).toEqual(["rude"]);
    expect(value).toMatchObject({ prompt: "hello" });
  });

  test("a filter sees what the handlers before made", async () => {
    const { value } = await hooksOf([
      fakePlugin("a", {
        hooks: {
          capture: (event) => ({ ...event, project: { id: "p1", name: "shop", root: "/" } }),
        },
      }),
      fakePlugin("b", {
        hooks: {
          capture: { filter: { project: ["shop"] }, handler: prompt((text) => text.toUpperCase()) },
        },
      }),
    ]).reduce("capture", promptEvent());
    expect(value).toMatchObject({ prompt: "HELLO" });
  });
});
