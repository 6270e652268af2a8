// Child of the kill test: takes one prompt with two tool uses in, and works on it with a model until it is killed.
import process from "node:process";
import { builtins } from "../../../src/runtime/builtins.ts";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";
import { modelStrategy } from "../../support/model-strategy.ts";

const [, , home = "", round = "0"] = process.argv;
const runtime = await createRuntime({
  home,
  log: keptLog(),
  env: { HOME: home },
  builtins: { ...builtins, scripted: async () => ({ default: modelStrategy }) },
});
const place = { session: "s1", cwd: home, time: Date.now() };
const own = (name: string) => ({ ...place, key: `${name}${round}` });
await runtime.handle(clientEvent("UserPromptSubmit", own("prompt")));
for (const letter of ["a", "b"]) {
  await runtime.handle(toolEvent(`t${round}${letter}`, place));
  process.stdout.write(`t${round}${letter}\n`);
}
await runtime.handle(clientEvent("Stop", own("stop")));
