// A real run that is recorded: hands turns in, one event after the other, and writes down each that was answered.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseClaudeCode } from "../../src/clients/normal/payload.ts";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { payloadsOf } from "../torture/payloads.ts";

const [home = ""] = process.argv.slice(2);
const answered = join(home, "..", "answered");
for (let start = 0; start < 3; start++) {
  const runtime = await createRuntime({ home, log: silentLog, env: { HOME: home, PATH: "" } });
  for (let turn = 0; turn < 4; turn++) {
    const serial = start * 100 + turn;
    for (const [at, payload] of payloadsOf(`s-${start}`, serial).entries()) {
      const event = parseClaudeCode(payload, {
        id: `${serial}-${at}`,
        time: 1_790_000_000_000 + serial * 60_000 + at,
      });
      await runtime.handle(event);
      appendFileSync(answered, `${JSON.stringify({ serial, name: event.name })}\n`);
    }
    // What is stored is written between what is taken.
    if (turn % 2 === 1) await runtime.drain({ timeoutMs: 20_000, flush: true });
  }
  await runtime.stop();
}
