// Built-in plugin `hybrid`: observations and summaries by a model that answers in small XML blocks.
import { modelStrategy } from "../../src/strategy/index.ts";
import { xmlFormat } from "./format.ts";

export default modelStrategy({
  name: "hybrid",
  description: "Asks the model for observations and summaries; it answers in small XML blocks.",
  format: xmlFormat,
});
