// Built-in plugin `commands`: observations and summaries by a model that answers in command lines, which are read and never run.
import { modelStrategy } from "../../src/strategy/index.ts";
import { commandFormat } from "./format.ts";

export default modelStrategy({
  name: "commands",
  description:
    "Asks the model for observations and summaries as memoir command lines, which are read and never run.",
  format: commandFormat,
});
