// Config files bent and damaged: never an error thrown, never more in force than stands there, and each fault named.
import { expect, test } from "bun:test";
import * as v from "valibot";
import { parseConfig } from "../../src/runtime/config/config.ts";
import { ConfigSchema } from "../../src/runtime/config/schema.ts";
import { mutated } from "../support/mutations.ts";
import { bent, oddJson } from "./odd-values.ts";
import { type Draw, torture, tortureMs } from "./seeds.ts";

const right = {
  log: { level: "debug" },
  capture: { exclude: ["/home/ada/private/**"] },
  slots: { storage: "sqlite", capture: ["redaction"], summarization: "heuristic" },
  plugins: { notes: { inProcess: true }, sqlite: {} },
  listeners: ["notes"],
  isolation: { memoryMb: 128 },
  models: { dailyTokens: 1_000 },
};
const defaults = JSON.stringify(v.parse(ConfigSchema, {}));

function textOf(draw: Draw): string {
  switch (draw.below(4)) {
    case 0:
      return mutated(Buffer.from(JSON.stringify(right, null, 2)), draw.number).toString();
    case 1:
      return oddJson(right, draw);
    default:
      return JSON.stringify(bent(right, draw)) ?? "";
  }
}

test(
  "what is right is in force, and what is wrong is named",
  async () => {
    await torture("test/torture/config.test.ts", 2_000, (draw) => {
      const text = textOf(draw);
      const file = parseConfig("/h/config.json", text);
      const about = text.slice(0, 300);
      // Whatever came of it is a config: parsed again it is itself.
      expect(v.safeParse(ConfigSchema, structuredClone(file.config)).success, about).toBe(true);
      for (const { message } of file.problems) expect(message.length, about).toBeLessThan(2_000);
      if (file.broken) {
        expect(file.problems.length, about).toBe(1);
        expect(JSON.stringify(file.config), about).toBe(defaults);
        // Nobody can know what the user said about capturing.
        expect(file.captureUnclear, about).toBe(true);
      }
      expect(({} as Record<string, unknown>).oddName, about).toBeUndefined();
    });
  },
  tortureMs,
);
