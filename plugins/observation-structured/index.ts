// Built-in plugin `structured`: observations and summaries as JSON, by the provider's structured output where it has one.
import { modelStrategy } from "../../src/strategy/index.ts";
import { jsonFormat } from "./format.ts";

export default modelStrategy({
  name: "structured",
  description: "Asks the model for observations and summaries as JSON of a fixed schema.",
  format: jsonFormat,
});
