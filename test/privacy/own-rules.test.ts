// The user's own rules of redaction and what they allow: in force for all, linear whatever they are.
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redactDeep, redactText, useOwnRedaction } from "../../src/privacy/redact.ts";
import { redactEvent } from "../../src/runtime/events/redact-event.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import { fake } from "./corpus/fake.ts";

afterEach(async () => {
  await useOwnRedaction({ rules: {}, allow: [] });
});

describe("a rule of the user's", () => {
  test("takes out what it matches, under its own name", async () => {
    expect(await useOwnRedaction({ rules: { staff: "EMP-\\d{5}" }, allow: [] })).toEqual([]);
    expect(redactText("ask EMP-12345 about it")).toEqual({
      text: "ask [redacted:staff] about it",
      count: 1,
    });
    expect(redactText("ask EMP-12 about it").count).toBe(0);
  });

  test("with a group takes out only what stands in it", async () => {
    await useOwnRedaction({ rules: { patient: "patient (\\w+)" }, allow: [] });
    expect(redactText("the patient Lovelace waits").text).toBe(
      "the patient [redacted:patient] waits",
    );
  });

  test("counts no more once config has it no longer", async () => {
    await useOwnRedaction({ rules: { staff: "EMP-\\d+" }, allow: [] });
    await useOwnRedaction({ rules: {}, allow: [] });
    expect(redactText("ask EMP-12345 about it").count).toBe(0);
  });

  test("that would take for ever elsewhere takes linear time", async () => {
    await useOwnRedaction({ rules: { slow: "(a+)+$" }, allow: [] });
    expect(redactText(`${"a".repeat(20_000)}b`).count).toBe(0);
  });

  test("that cannot be read is named and left out, the others stay in force", async () => {
    const rules = { bad: "(?=x)y", good: "EMP-\\d+" };
    const refused = await useOwnRedaction({ rules, allow: ["("] });
    expect(refused.map(({ at }) => at)).toEqual(["rules.bad", "allow.0"]);
    expect(redactText("ask EMP-12345").count).toBe(1);
  });
});

describe("what the user allows", () => {
  test("stays, in texts and under a secret's name, and only as a whole", async () => {
    const { text, secrets } = fake("API_TOKEN=«{a24}»", "allowed");
    expect(redactText(text).count).toBe(1);
    await useOwnRedaction({ rules: {}, allow: [`${secrets[0]}`, "hunter2\\d"] });
    expect(redactText(text).count).toBe(0);
    expect(redactDeep({ password: "hunter22" }).count).toBe(0);
    expect(redactDeep({ password: "hunter22x" }).count).toBe(1);
  });
});

describe("on the way to the spool, where no server read the config", () => {
  const event = {
    name: "UserPromptSubmit",
    id: "1",
    prompt: "ask EMP-12345",
  } as unknown as ClientEvent;
  const spooled = async (config: string | undefined) => {
    const home = await mkdtemp(join(tmpdir(), "memoir-own-rules-"));
    if (config !== undefined) await writeFile(join(home, "config.json"), config);
    const kept = (await redactEvent(event, home)) as unknown as { prompt: string };
    await rm(home, { recursive: true });
    return kept.prompt;
  };

  test("the rules of the config count too", async () => {
    const rules = { staff: "EMP-\\d+" };
    expect(await spooled(JSON.stringify({ privacy: { redact: { rules } } }))).toBe(
      "ask [redacted:staff]",
    );
  });

  test("without a config, or without rules in it, the built-in ones do", async () => {
    expect(await spooled(undefined)).toBe("ask EMP-12345");
    expect(await spooled("{}")).toBe("ask EMP-12345");
  });

  test.each([
    ["no JSON", '{"privacy": {"redact": '],
    ["no such rule", '{"privacy": {"redact": {"rules": {"x": 7}}}}'],
    ["an expression that cannot be read", '{"privacy": {"redact": {"rules": {"x": "("}}}}'],
  ])("where the rules cannot be known (%s), the text is withheld", async (_, config) => {
    expect(await spooled(config)).not.toContain("EMP");
  });
});
