// What comes of answers that are not what was asked for: `answers/<name>.txt` is the answer, `<name>.json` what is kept of it.
import { describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import hybrid, { xmlFormat } from "../../../plugins/observation-hybrid/index.ts";
import type { ObservationDraft } from "../../../src/sdk/model.ts";
import { breaksOf } from "../../replay/rules.ts";
import { expectGolden } from "../../support/golden.ts";
import { fixOfCart, sampleBatch } from "../../support/observer-batch.ts";
import { openRoom } from "../../support/plugin-room.ts";
import { scriptedModel } from "../../support/scripted-model.ts";

const folder = join(import.meta.dir, "answers");
const names = (await readdir(folder))
  .filter((name) => name.endsWith(".txt"))
  .map((name) => name.slice(0, -4));

/** What is stored of an answer that the model repeats when it is asked again; or why it is of no use. */
async function kept(answer: string, isCut: boolean) {
  const model = scriptedModel({ text: answer, stop: isCut ? "max_tokens" : "end" });
  const { hooks } = await openRoom(hybrid, {
    complete: model.complete,
    storage: { observations: async () => [] },
  });
  try {
    const given = await hooks.first("observe", sampleBatch(fixOfCart));
    return { requests: model.requests.length, observations: given?.result.observations ?? [] };
  } catch (error) {
    return { requests: model.requests.length, refused: String(error).replace(/^.*answer: /, "") };
  }
}

describe("hybrid", () => {
  test("there are more than forty of them", () => expect(names.length).toBeGreaterThan(40));

  test.each(names)("%s", async (name) => {
    const answer = await readFile(join(folder, `${name}.txt`), "utf8");
    const result = await kept(answer, name.startsWith("cut-"));
    const observations: ObservationDraft[] = result.observations ?? [];
    expect(observations.flatMap(breaksOf)).toEqual([]);
    await expectGolden(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  });

  test("reads a megabyte of anything in no time that grows faster than it", () => {
    for (const piece of [
      "<",
      "<observation",
      "<fact>",
      "</fact>",
      "<![CDATA[",
      "<!--",
      "&",
      "<observation><title>",
    ])
      expect(() => xmlFormat.read(piece.repeat(1_000_000 / piece.length), false)).not.toThrow();
  });
});
